//! Numbers as bytes, a stream for each kind of number.
//!
//! Numbers of one kind resemble each other and those of another do not, so apart they compress to two thirds of what
//! they do mixed. Indices are written as steps from the one before in their stream: most point near to the last.

/// The kinds of numbers.
#[derive(Clone, Copy)]
pub(super) enum Stream {
    /// How many there are of something.
    Counts,
    /// Which variant of an expression, of anything else.
    Expressions,
    Variants,
    Flags,
    Numbers,
    Names,
    ExprIds,
    FormIds,
    ScopeIds,
    BindingIds,
    DefIds,
    FunctionIds,
    ClassIds,
    ObjectIds,
    ImportIds,
    CallIds,
    TestIds,
    /// Where runs of the lists start.
    ExpressionRuns,
    BindingRuns,
    FormRuns,
    ArgumentRuns,
    /// How a use's reach differs from that of the use before.
    Reaches,
    Lines,
    Extents,
    Columns,
    Lengths,
    Text,
    /// What looks like chance, and is not compressed by anything.
    Digests,
}

pub(super) const STREAMS: usize = Stream::Digests as usize + 1;

/// What is written.
#[derive(Default)]
pub(super) struct Out {
    streams: [Vec<u8>; STREAMS],
    last: [u32; STREAMS],
    /// By name, the reach of its last use.
    reaches: Vec<u32>,
}

impl Out {
    /// The reach of the last use of a name.
    pub fn reach(&mut self, name: usize) -> &mut u32 {
        if self.reaches.len() <= name {
            self.reaches.resize(name + 1, 0);
        }
        &mut self.reaches[name]
    }

    pub fn byte(&mut self, stream: Stream, byte: u8) {
        self.streams[stream as usize].push(byte);
    }

    pub fn bytes(&mut self, stream: Stream, bytes: &[u8]) {
        self.streams[stream as usize].extend_from_slice(bytes);
    }

    /// Seven bits a byte, the lowest first; all bytes but the last have the high bit set.
    pub fn number(&mut self, stream: Stream, number: u32) {
        put_number(&mut self.streams[stream as usize], number);
    }

    /// A number as the step from the last one of its stream.
    pub fn step(&mut self, stream: Stream, number: u32) {
        let step = number.wrapping_sub(self.last[stream as usize]).cast_signed();
        self.number(stream, zigzag(step));
        self.last[stream as usize] = number;
    }

    /// A number as the step from the last one of its stream, or that there is none.
    pub fn optional_step(&mut self, stream: Stream, number: Option<u32>) {
        let Some(number) = number else { return self.number(stream, 0) };
        let step = number.wrapping_sub(self.last[stream as usize]).cast_signed();
        // Of all steps that two indices of an arena can have between them, none is the last one.
        self.number(stream, zigzag(step).saturating_add(1));
        self.last[stream as usize] = number;
    }

    /// From where the next step is.
    pub fn stand_at(&mut self, stream: Stream, number: u32) {
        self.last[stream as usize] = number;
    }

    /// Ends a section: adds which streams it has, their lengths, and the streams, one behind the other. The next one
    /// starts afresh.
    pub fn end_section(&mut self, bytes: &mut Vec<u8>) {
        let has = |(at, stream): (usize, &Vec<u8>)| u32::from(!stream.is_empty()) << at;
        put_number(bytes, self.streams.iter().enumerate().map(has).sum());
        for stream in self.streams.iter().filter(|stream| !stream.is_empty()) {
            put_number(bytes, stream.len() as u32);
        }
        for stream in &mut self.streams {
            bytes.append(stream);
        }
        self.last = [0; STREAMS];
    }
}

/// How many things there are that an index can mean, by its stream.
pub(super) type Limits = [u32; STREAMS];

/// What is read of a section. Nothing is believed: whatever does not fit ends the reading.
pub(super) struct In<'a> {
    streams: [&'a [u8]; STREAMS],
    last: [u32; STREAMS],
    pub limits: &'a Limits,
    /// By name, the reach of its last use.
    reaches: Vec<u32>,
    size: usize,
}

impl<'a> In<'a> {
    pub fn new(mut bytes: &'a [u8], limits: &'a Limits) -> Option<In<'a>> {
        let size = bytes.len();
        let present = take_number(&mut bytes)?;
        let mut lengths = [0; STREAMS];
        for (_, length) in lengths.iter_mut().enumerate().filter(|(at, _)| present >> at & 1 != 0) {
            *length = take_number(&mut bytes)? as usize;
        }
        let mut streams: [&[u8]; STREAMS] = [&[]; STREAMS];
        for (stream, length) in streams.iter_mut().zip(lengths) {
            (*stream, bytes) = bytes.split_at_checked(length)?;
        }
        bytes.is_empty().then_some(In { streams, last: [0; STREAMS], limits, reaches: Vec::new(), size })
    }

    /// Whether everything was read.
    pub fn is_done(&self) -> bool {
        self.streams.iter().all(|stream| stream.is_empty())
    }

    /// A count of things each of which takes a byte at least.
    pub fn count(&mut self) -> Option<usize> {
        let count = self.number(Stream::Counts)? as usize;
        self.hold(count)
    }

    /// A count, if the section has as many bytes.
    pub fn hold(&self, count: usize) -> Option<usize> {
        (count <= self.size).then_some(count)
    }

    /// The reach of the last use of a name.
    pub fn reach(&mut self, name: usize) -> &mut u32 {
        if self.reaches.is_empty() {
            self.reaches = vec![0; self.limits[Stream::Names as usize] as usize];
        }
        &mut self.reaches[name]
    }

    pub fn byte(&mut self, stream: Stream) -> Option<u8> {
        let (byte, rest) = self.streams[stream as usize].split_first()?;
        self.streams[stream as usize] = rest;
        Some(*byte)
    }

    pub fn bytes(&mut self, stream: Stream, count: usize) -> Option<&'a [u8]> {
        let (bytes, rest) = self.streams[stream as usize].split_at_checked(count)?;
        self.streams[stream as usize] = rest;
        Some(bytes)
    }

    pub fn number(&mut self, stream: Stream) -> Option<u32> {
        take_number(&mut self.streams[stream as usize])
    }

    pub fn step(&mut self, stream: Stream) -> Option<u32> {
        let step = unzigzag(self.number(stream)?);
        let number = self.last[stream as usize].wrapping_add_signed(step);
        self.last[stream as usize] = number;
        Some(number)
    }

    pub fn optional_step(&mut self, stream: Stream) -> Option<Option<u32>> {
        let Some(step) = self.number(stream)?.checked_sub(1) else { return Some(None) };
        let number = self.last[stream as usize].wrapping_add_signed(unzigzag(step));
        self.last[stream as usize] = number;
        Some(Some(number))
    }

    pub fn stand_at(&mut self, stream: Stream, number: u32) {
        self.last[stream as usize] = number;
    }
}

pub(super) fn put_number(bytes: &mut Vec<u8>, mut number: u32) {
    while number >= 0x80 {
        bytes.push(number as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
}

pub(super) fn take_number(bytes: &mut &[u8]) -> Option<u32> {
    let mut number = 0;
    for shift in (0..u32::BITS).step_by(7) {
        let (&byte, rest) = bytes.split_first()?;
        *bytes = rest;
        number |= u32::from(byte & 0x7f).checked_shl(shift)?;
        if byte < 0x80 {
            return Some(number);
        }
    }
    None
}

/// Small numbers of either sign as small numbers.
pub(super) fn zigzag(number: i32) -> u32 {
    (number << 1 ^ number >> 31).cast_unsigned()
}

pub(super) fn unzigzag(number: u32) -> i32 {
    (number >> 1).cast_signed() ^ -(number & 1).cast_signed()
}
