//! Compression of stored records: zstd with a checksum, bounded when it is undone. Knows no format inside.

use std::cell::RefCell;

use zstd::bulk::{Compressor, Decompressor};

/// The fastest of zstd's ordinary levels: records are written once and read often, and stay small.
const LEVEL: i32 = 1;

/// A context and its output buffer: making them costs more than compressing a record.
struct Packer {
    compressor: Compressor<'static>,
    buffer: Vec<u8>,
}

thread_local! {
    static PACKER: RefCell<Option<Packer>> = const { RefCell::new(None) };
    static DECOMPRESSOR: RefCell<Option<Decompressor<'static>>> = const { RefCell::new(None) };
    /// For what is packed like something else, which these keep as their dictionary.
    static LIKE_PACKER: RefCell<Option<Compressor<'static>>> = const { RefCell::new(None) };
    static LIKE_DECOMPRESSOR: RefCell<Option<Decompressor<'static>>> = const { RefCell::new(None) };
}

fn new_compressor() -> Compressor<'static> {
    let mut compressor = Compressor::new(LEVEL).expect("the level is one that zstd has");
    compressor.include_checksum(true).expect("zstd has checksums");
    compressor
}

/// The decompressor of a slot, made when it is first wanted.
fn made<'a>(slot: &'a mut Option<Decompressor<'static>>) -> Option<&'a mut Decompressor<'static>> {
    if slot.is_none() {
        *slot = Decompressor::new().ok();
    }
    slot.as_mut()
}

/// The compressed form of some bytes.
pub(super) fn pack(bytes: &[u8]) -> Vec<u8> {
    PACKER.with_borrow_mut(|slot| {
        let Packer { compressor, buffer } =
            slot.get_or_insert_with(|| Packer { compressor: new_compressor(), buffer: Vec::new() });
        buffer.clear();
        buffer.reserve(zstd::zstd_safe::compress_bound(bytes.len()));
        compressor.compress_to_buffer(bytes, buffer).expect("the buffer is as large as zstd asks for");
        buffer.as_slice().to_vec()
    })
}

/// The compressed form of some bytes that have much in common with others. To undo it takes those again.
pub(super) fn pack_like(bytes: &[u8], model: &[u8]) -> Vec<u8> {
    LIKE_PACKER.with_borrow_mut(|slot| {
        let compressor = slot.get_or_insert_with(new_compressor);
        compressor.set_dictionary(LEVEL, model).expect("any bytes are a dictionary");
        compressor.compress(bytes).expect("the buffer is as large as zstd asks for")
    })
}

/// The bytes that were packed like a model; `None` as for [`unpack`], or when it was another model.
pub(super) fn unpack_like(packed: &[u8], model: &[u8], limit: usize) -> Option<Vec<u8>> {
    LIKE_DECOMPRESSOR.with_borrow_mut(|slot| {
        let decompressor = made(slot)?;
        decompressor.set_dictionary(model).ok()?;
        decompressor.decompress(packed, limit).ok()
    })
}

/// How long the first record is of some that stand one behind the other; `None` when it is damaged.
pub(super) fn packed_length(records: &[u8]) -> Option<usize> {
    zstd::zstd_safe::find_frame_compressed_size(records).ok()
}

/// The bytes that were packed; `None` when they are damaged or more than `limit`.
pub(super) fn unpack(packed: &[u8], limit: usize) -> Option<Vec<u8>> {
    DECOMPRESSOR.with_borrow_mut(|slot| made(slot)?.decompress(packed, limit).ok())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn bytes_survive_packing(bytes in prop::collection::vec(any::<u8>(), 0..3000)) {
            let packed = pack(&bytes);
            prop_assert_eq!(unpack(&packed, bytes.len()), Some(bytes.clone()));
            if let Some(less) = bytes.len().checked_sub(1) {
                prop_assert_eq!(unpack(&packed, less), None);
            }
        }

        #[test]
        fn bytes_survive_packing_like_others(
            bytes in prop::collection::vec(any::<u8>(), 0..300),
            model in prop::collection::vec(any::<u8>(), 0..300),
            other in prop::collection::vec(any::<u8>(), 0..300),
        ) {
            let packed = pack_like(&bytes, &model);
            prop_assert_eq!(unpack_like(&packed, &model, bytes.len()), Some(bytes.clone()));
            prop_assert!(unpack_like(&packed, &other, 1 << 16).is_none_or(|read| read == bytes));
        }

        #[test]
        fn damage_is_noticed(
            bytes in prop::collection::vec(0..4u8, 1..300),
            at in any::<prop::sample::Index>(),
            flip in 1..=255u8,
        ) {
            let mut packed = pack(&bytes);
            let at = at.index(packed.len());
            packed[at] ^= flip;
            prop_assert!(unpack(&packed, 1 << 16).is_none_or(|read| read == bytes));
        }

        #[test]
        fn records_one_behind_the_other_are_told_apart(
            first in prop::collection::vec(0..4u8, 0..300),
            second in prop::collection::vec(0..4u8, 0..300),
        ) {
            let records = [pack(&first), pack(&second)].concat();
            let (one, other) = records.split_at(packed_length(&records).expect("a record"));
            prop_assert_eq!((unpack(one, 300), unpack(other, 300)), (Some(first), Some(second)));
        }

        #[test]
        fn garbage_is_refused(bytes in prop::collection::vec(any::<u8>(), 0..100)) {
            prop_assert_eq!(unpack(&bytes, 1 << 16).filter(|read| !read.is_empty()), None);
        }
    }
}
