//! Facts as bytes, to be compressed and stored: [`encode`], and [`decode`], which believes nothing that it reads.
//! [`open`] reads only what is asked for first, and the rest when it is looked at: another file's facts are asked for a
//! few names.
//!
//! The bytes are the number of items of each arena, the lengths of the sections, and the sections: the head, which is
//! read at once, and one for each [`Deferred`] part. Each type says in one place, below, what of it is written; the bytes of a
//! section are divided among streams by what they mean.

mod deferred;
mod shape;
mod streams;

use std::marker::PhantomData;
use std::sync::Arc;

use deferred::Stored;
pub use deferred::{Deferred, Section};
use streams::{In, Limits, Out, Stream, put_number, take_number, unzigzag, zigzag};

use super::*;

/// The bytes of facts.
pub fn encode(facts: &Facts) -> Vec<u8> {
    let mut out = Out::default();
    let (mut bytes, mut lengths, mut sections) = (Vec::new(), Vec::new(), Vec::new());
    put_limits(facts, &mut bytes);
    put_sections(facts, &mut out, |out| {
        let start = sections.len();
        out.end_section(&mut sections);
        put_number(&mut lengths, (sections.len() - start) as u32);
    });
    bytes.append(&mut lengths);
    bytes.append(&mut sections);
    bytes
}

/// The facts of some bytes; `None` when they are none. Every index in them is one of its arena.
pub fn decode(bytes: &[u8]) -> Option<Facts> {
    let facts = take_sections(&Arc::new(Stored::new(bytes.to_vec())?), true)?;
    is_intact(&facts).then_some(facts)
}

/// Facts of which most is decoded only when it is looked at. What then turns out to be damaged is empty, so that to
/// follow an index into it panics; [`is_intact`] tells whether that can have happened.
pub fn open(bytes: Vec<u8>) -> Option<Facts> {
    take_sections(&Arc::new(Stored::new(bytes)?), false)
}

/// Whether all that was looked at so far is as it was written.
pub fn is_intact(facts: &Facts) -> bool {
    facts.body.is_intact() && facts.body.known().is_none_or(|body| shape::have_targets(&body.references, facts))
}

/// Something that can be written and read again.
trait Coded: Sized {
    fn put(&self, out: &mut Out);
    fn take(from: &mut In) -> Option<Self>;

    fn put_optional(this: Option<&Self>, out: &mut Out) {
        out.byte(Stream::Flags, u8::from(this.is_some()));
        if let Some(this) = this {
            this.put(out);
        }
    }

    fn take_optional(from: &mut In) -> Option<Option<Self>> {
        match from.byte(Stream::Flags)? {
            0 => Some(None),
            1 => Self::take(from).map(Some),
            _ => None,
        }
    }
}

// ------------------------------------------------------------------------------------------------------ sections

/// The arenas with the stream of their indices. Those of the head are read at once, with what stands beside them; each
/// other one is a section.
macro_rules! sections {
    (
        head { $($early:ident: $early_stream:ident $(where $early_shape:path)?,)* } beside { $($field:ident,)* }
        deferred { $($number:literal $arena:ident: $item:ident in $stream:ident $(where $shape:path)?,)* }
        others { $($other_number:literal $other:ident: $type:ty where $other_shape:expr,)* }
    ) => {
        const SECTIONS: usize = 1 + [$($number,)* $($other_number,)*].len();

        fn put_limits(facts: &Facts, bytes: &mut Vec<u8>) {
            put_number(bytes, facts.strings.len() as u32);
            put_number(bytes, facts.body.references.len() as u32);
            $(put_number(bytes, facts.surface.$early.len() as u32);)*
            $(put_number(bytes, facts.surface.$arena.len() as u32);)*
        }

        fn take_limits(bytes: &mut &[u8], limits: &mut Limits) -> Option<()> {
            let all = [Stream::Names, Stream::Lines, $(Stream::$early_stream,)* $(Stream::$stream,)*];
            for stream in all {
                limits[stream as usize] = take_number(bytes)?;
            }
            Some(())
        }

        fn put_sections(facts: &Facts, out: &mut Out, mut end: impl FnMut(&mut Out)) {
            let Facts { strings, surface, .. } = facts;
            strings.put(out);
            $(put_arena(&surface.$early, Stream::$early_stream, out);)*
            $(surface.$field.put(out);)*
            end(out);
            $(put_arena(&surface.$arena, Stream::$stream, out);
            end(out);)*
            $(facts.$other.put(out);
            end(out);)*
        }

        fn take_sections(stored: &Arc<Stored>, now: bool) -> Option<Facts> {
            stored.section(0, |from| {
                let strings = Strings::take(from)?;
                $(let $early = take_arena(Stream::$early_stream, from)?;
                $(if !$early_shape(&$early) {
                    return None;
                })?)*
                $(let $field = Coded::take(from)?;)*
                $(let $arena = Deferred::take(stored, now)?;)*
                $(let $other = Deferred::take(stored, now)?;)*
                Some(Facts { strings, surface: Surface { $($early,)* $($arena,)* $($field,)* }, $($other,)* })
            })
        }

        $(impl Section for Vec<$item> {
            fn of(stored: &Stored) -> Option<Vec<$item>> {
                let items = stored.section($number, |from| take_arena(Stream::$stream, from))?;
                $(if !$shape(&items) {
                    return None;
                })?
                Some(items)
            }
        })*

        $(impl Section for $type {
            fn of(stored: &Stored) -> Option<$type> {
                stored.section($other_number, |from| {
                    let fits: fn(&$type, &Limits) -> bool = $other_shape;
                    <$type>::take(from).filter(|one| fits(one, from.limits))
                })
            }
        })*
    };
}

sections! {
    head {
        definitions: DefIds where shape::are_nested,
        imports: ImportIds,
    }
    beside { exports, all, digests, member_digests, whole_digest, }
    deferred {
        1 functions: Function in FunctionIds,
        2 classes: Class in ClassIds,
        3 objects: Object in ObjectIds,
        4 scopes: Scope in ScopeIds where shape::are_scopes,
        5 bindings: Binding in BindingIds,
        6 listed_bindings: BindingId in BindingRuns,
        7 expressions: Expr in ExprIds,
        8 calls: CallExpr in CallIds,
        9 tests: Test in TestIds,
        10 arguments: Argument in ArgumentRuns,
        11 listed_expressions: ExprId in ExpressionRuns,
        12 listed_forms: FormId in FormRuns,
        13 forms: Form in FormIds,
    }
    others {
        14 descriptions: Vec<Description> where |descriptions, limits| {
            descriptions.len() == limits[Stream::DefIds as usize] as usize
        },
        15 body: Body where |body, limits| body.references.len() == limits[Stream::Lines as usize] as usize,
        16 places: Places where |places, limits| {
            places.definitions.len() == limits[Stream::DefIds as usize] as usize
                && places.imports.len() == limits[Stream::ImportIds as usize] as usize
                && places.references.len() == limits[Stream::Lines as usize] as usize
        },
    }
}

fn put_arena<T: Coded>(arena: &[T], stream: Stream, out: &mut Out) {
    for (at, item) in arena.iter().enumerate() {
        out.stand_at(stream, at as u32);
        item.put(out);
    }
}

fn take_arena<T: Coded>(stream: Stream, from: &mut In) -> Option<Vec<T>> {
    let count = from.limits[stream as usize];
    // Each item takes a byte at least.
    let mut arena = Vec::with_capacity(from.hold(count as usize)?);
    for at in 0..count {
        from.stand_at(stream, at);
        arena.push(T::take(from)?);
    }
    Some(arena)
}

macro_rules! ids {
    ($($id:ident: $stream:ident,)*) => {$(
        impl Coded for $id {
            fn put(&self, out: &mut Out) {
                out.step(Stream::$stream, self.index() as u32);
            }

            fn take(from: &mut In) -> Option<$id> {
                let at = from.step(Stream::$stream)?;
                (at < from.limits[Stream::$stream as usize]).then_some($id::new(at as usize))
            }

            fn put_optional(this: Option<&$id>, out: &mut Out) {
                out.optional_step(Stream::$stream, this.map(|id| id.index() as u32));
            }

            fn take_optional(from: &mut In) -> Option<Option<$id>> {
                match from.optional_step(Stream::$stream)? {
                    None => Some(None),
                    Some(at) => (at < from.limits[Stream::$stream as usize]).then_some(Some($id::new(at as usize))),
                }
            }
        }
    )*};
}

ids! {
    ExprId: ExprIds,
    FormId: FormIds,
    ScopeId: ScopeIds,
    BindingId: BindingIds,
    DefId: DefIds,
    FunctionId: FunctionIds,
    ClassId: ClassIds,
    ObjectId: ObjectIds,
    ImportId: ImportIds,
    CallId: CallIds,
    TestId: TestIds,
}

/// Names are used over and over: as they are, they resemble each other more than steps between them do.
impl Coded for Name {
    fn put(&self, out: &mut Out) {
        out.number(Stream::Names, self.index() as u32);
    }

    fn take(from: &mut In) -> Option<Name> {
        let at = from.number(Stream::Names)?;
        (at < from.limits[Stream::Names as usize]).then_some(Name::new(at as usize))
    }
}

macro_rules! runs {
    ($($item:ident: $stream:ident,)*) => {$(
        impl Coded for Run<$item> {
            fn put(&self, out: &mut Out) {
                out.number(Stream::Counts, self.count);
                if self.count > 0 {
                    out.step(Stream::$stream, self.start);
                    out.stand_at(Stream::$stream, self.start + self.count);
                }
            }

            fn take(from: &mut In) -> Option<Run<$item>> {
                let count = from.number(Stream::Counts)?;
                if count == 0 {
                    return Some(Run::EMPTY);
                }
                let start = from.step(Stream::$stream)?;
                let end = start.checked_add(count)?;
                from.stand_at(Stream::$stream, end);
                (end <= from.limits[Stream::$stream as usize]).then_some(Run { start, count, items: PhantomData })
            }
        }
    )*};
}

runs! {
    ExprId: ExpressionRuns,
    BindingId: BindingRuns,
    FormId: FormRuns,
    Argument: ArgumentRuns,
}

// ------------------------------------------------------------------------------------------------------- numbers

impl Coded for u32 {
    fn put(&self, out: &mut Out) {
        out.number(Stream::Numbers, *self);
    }

    fn take(from: &mut In) -> Option<u32> {
        from.number(Stream::Numbers)
    }
}

impl Coded for i32 {
    fn put(&self, out: &mut Out) {
        out.number(Stream::Numbers, zigzag(*self));
    }

    fn take(from: &mut In) -> Option<i32> {
        from.number(Stream::Numbers).map(unzigzag)
    }
}

/// All that are this large are digests.
impl Coded for u64 {
    fn put(&self, out: &mut Out) {
        out.bytes(Stream::Digests, &self.to_le_bytes());
    }

    fn take(from: &mut In) -> Option<u64> {
        Some(u64::from_le_bytes(from.bytes(Stream::Digests, 8)?.try_into().ok()?))
    }
}

impl Coded for Fingerprint {
    fn put(&self, out: &mut Out) {
        out.byte(Stream::Flags, u8::from(self.0 != 0));
        if self.0 != 0 {
            out.bytes(Stream::Digests, &self.0.to_le_bytes());
        }
    }

    fn take(from: &mut In) -> Option<Fingerprint> {
        match from.byte(Stream::Flags)? {
            0 => Some(Fingerprint::default()),
            1 => Some(Fingerprint(u32::from_le_bytes(from.bytes(Stream::Digests, 4)?.try_into().ok()?))),
            _ => None,
        }
    }
}

impl Coded for bool {
    fn put(&self, out: &mut Out) {
        out.byte(Stream::Flags, u8::from(*self));
    }

    fn take(from: &mut In) -> Option<bool> {
        match from.byte(Stream::Flags)? {
            0 => Some(false),
            1 => Some(true),
            _ => None,
        }
    }
}

impl Coded for Flags {
    fn put(&self, out: &mut Out) {
        out.number(Stream::Variants, self.0);
    }

    fn take(from: &mut In) -> Option<Flags> {
        from.number(Stream::Variants).map(Flags)
    }
}

/// Most uses of a name are of what the use before was of.
impl Coded for NameUse {
    fn put(&self, out: &mut Out) {
        self.name.put(out);
        self.scope.put(out);
        let Reach(reach) = self.reach;
        let before = std::mem::replace(out.reach(self.name.index()), reach);
        if reach == before {
            return out.byte(Stream::Reaches, 0);
        }
        let (start, count) = self.reach.parts();
        out.byte(Stream::Reaches, count as u8 + 1);
        if count > 0 {
            out.step(Stream::BindingRuns, start as u32);
        }
    }

    fn take(from: &mut In) -> Option<NameUse> {
        let (name, scope) = (Name::take(from)?, ScopeId::take(from)?);
        let reach = match from.byte(Stream::Reaches)? {
            0 => Reach(*from.reach(name.index())),
            1 => Reach::default(),
            more => {
                let (start, count) = (from.step(Stream::BindingRuns)? as usize, usize::from(more) - 1);
                let reach = Reach::new(start, count);
                let fits = start + count <= from.limits[Stream::BindingRuns as usize] as usize;
                Some(reach).filter(|reach| fits && reach.parts() == (start, count))?
            }
        };
        *from.reach(name.index()) = reach.0;
        Some(NameUse { name, scope, reach })
    }
}

impl Coded for Place {
    fn put(&self, out: &mut Out) {
        out.step(Stream::Lines, self.line);
        out.number(Stream::Columns, self.column);
    }

    fn take(from: &mut In) -> Option<Place> {
        Some(Place { line: from.step(Stream::Lines)?, column: from.number(Stream::Columns)? })
    }
}

impl Coded for DefinitionPlace {
    fn put(&self, out: &mut Out) {
        self.name.put(out);
        out.number(Stream::Extents, self.name.line.wrapping_sub(self.first));
        out.number(Stream::Extents, self.last.wrapping_sub(self.name.line));
    }

    fn take(from: &mut In) -> Option<DefinitionPlace> {
        let name = Place::take(from)?;
        let first = name.line.wrapping_sub(from.number(Stream::Extents)?);
        let last = name.line.wrapping_add(from.number(Stream::Extents)?);
        Some(DefinitionPlace { name, first, last })
    }
}

// --------------------------------------------------------------------------------------------- texts, lists, pairs

impl Coded for Strings {
    fn put(&self, out: &mut Out) {
        for string in self.iter() {
            out.number(Stream::Lengths, string.len() as u32);
        }
        out.bytes(Stream::Text, self.joined().as_bytes());
    }

    fn take(from: &mut In) -> Option<Strings> {
        let count = from.hold(from.limits[Stream::Names as usize] as usize)?;
        let lengths: Vec<u32> = (0..count).map(|_| from.number(Stream::Lengths)).collect::<Option<_>>()?;
        let size = lengths.iter().try_fold(0u32, |sum, length| sum.checked_add(*length))?;
        let text = str::from_utf8(from.bytes(Stream::Text, size as usize)?).ok()?;
        Strings::cut(text, &lengths)
    }
}

impl Coded for Box<str> {
    fn put(&self, out: &mut Out) {
        out.number(Stream::Lengths, self.len() as u32);
        out.bytes(Stream::Text, self.as_bytes());
    }

    fn take(from: &mut In) -> Option<Box<str>> {
        let length = from.number(Stream::Lengths)?;
        str::from_utf8(from.bytes(Stream::Text, length as usize)?).ok().map(Box::from)
    }
}

/// A sketch.
impl Coded for Box<[u16]> {
    fn put(&self, out: &mut Out) {
        out.number(Stream::Counts, self.len() as u32);
        for value in self {
            out.bytes(Stream::Digests, &value.to_le_bytes());
        }
    }

    fn take(from: &mut In) -> Option<Box<[u16]>> {
        let count = from.count()?;
        let bytes = from.bytes(Stream::Digests, count * 2)?;
        Some(bytes.chunks_exact(2).map(|pair| u16::from_le_bytes([pair[0], pair[1]])).collect())
    }
}

impl<T: Coded> Coded for Vec<T> {
    fn put(&self, out: &mut Out) {
        out.number(Stream::Counts, self.len() as u32);
        for item in self {
            item.put(out);
        }
    }

    fn take(from: &mut In) -> Option<Vec<T>> {
        let count = from.count()?;
        (0..count).map(|_| T::take(from)).collect()
    }
}

impl<T: Coded> Coded for Box<[T]> {
    fn put(&self, out: &mut Out) {
        out.number(Stream::Counts, self.len() as u32);
        for item in self {
            item.put(out);
        }
    }

    fn take(from: &mut In) -> Option<Box<[T]>> {
        Vec::take(from).map(Vec::into_boxed_slice)
    }
}

impl<T: Coded> Coded for Option<T> {
    fn put(&self, out: &mut Out) {
        T::put_optional(self.as_ref(), out);
    }

    fn take(from: &mut In) -> Option<Option<T>> {
        T::take_optional(from)
    }
}

impl<A: Coded, B: Coded> Coded for (A, B) {
    fn put(&self, out: &mut Out) {
        self.0.put(out);
        self.1.put(out);
    }

    fn take(from: &mut In) -> Option<(A, B)> {
        Some((A::take(from)?, B::take(from)?))
    }
}

impl<A: Coded, B: Coded, C: Coded> Coded for (A, B, C) {
    fn put(&self, out: &mut Out) {
        self.0.put(out);
        self.1.put(out);
        self.2.put(out);
    }

    fn take(from: &mut In) -> Option<(A, B, C)> {
        Some((A::take(from)?, B::take(from)?, C::take(from)?))
    }
}

// -------------------------------------------------------------------------------------------- structures, variants

macro_rules! structures {
    ($($type:ident { $($field:ident),* })*) => {$(
        impl Coded for $type {
            fn put(&self, out: &mut Out) {
                let $type { $($field),* } = self;
                $($field.put(out);)*
            }

            fn take(from: &mut In) -> Option<$type> {
                $(let $field = Coded::take(from)?;)*
                Some($type { $($field),* })
            }
        }
    )*};
}

structures! {
    Definition {
        name, kind, parent, symbol, function, class, alias, flags, decorators
    }
    Description { signature, doc, signature_digest, doc_digest, body_digest, sketch }
    Function {
        definition, scope, type_parameters, parameters, receiver, result, guard, returns, yields, is_async,
        is_generator, parameter_calls, argument_of, argument_path, contextual, this_class, this_object
    }
    TypeParameter { name, bound, default }
    Parameter { name, kind, annotation, default, optional }
    Class {
        definition, scope, type_parameters, bases, base_values, metaclass, members, calls, constructs, index
    }
    Member { name, definition, is_static, annotation, value }
    Object { properties, spreads }
    Property { name, value, definition, getter }
    Scope { kind, parent, owner, bindings, last }
    Binding { name, scope, value, annotation, definition, space }
    CallExpr { callee, arguments, type_arguments, form }
    Argument { kind, value }
    Import { scope, module, level, form, names, type_only, guarded }
    ImportedName { name, type_only }
    Export { name, value, type_only }
    Body { references, problems, own_digest }
    Reference { kind, owner, target }
    Problem { first, last, kind }
    Places { definitions, references, imports, wide, lines }
}

/// The number of a variant is its place in the list.
macro_rules! variants {
    ($($type:ident in $stream:ident {
        $($variant:ident $(($($part:ident),*))? $({$($field:ident),*})?,)*
    })*) => {$(
        impl Coded for $type {
            fn put(&self, out: &mut Out) {
                enum Number { $($variant,)* }
                match self {
                    $($type::$variant $(($($part),*))? $({$($field),*})? => {
                        out.byte(Stream::$stream, Number::$variant as u8);
                        $($($part.put(out);)*)?
                        $($($field.put(out);)*)?
                    })*
                }
            }

            fn take(from: &mut In) -> Option<$type> {
                const NUMBERS: &[fn(&mut In) -> Option<$type>] = &[$(
                    |_from| {
                        $($(let $part = Coded::take(_from)?;)*)?
                        $($(let $field = Coded::take(_from)?;)*)?
                        Some($type::$variant $(($($part),*))? $({$($field),*})?)
                    },
                )*];
                let number = from.byte(Stream::$stream)?;
                NUMBERS.get(usize::from(number))?(from)
            }
        }
    )*};
}

variants! {
    DefKind in Variants { Class, Function, Method, Symbol, Test, }
    Receiver in Variants { None, InstanceParameter, ClassParameter, This, }
    ParameterKind in Variants { PositionalOnly, Plain, KeywordOnly, Rest, RestKeywords, }
    ScopeKind in Variants { Module, Class, Function, Block, TypeParameters, }
    Space in Variants { Value, Type, Both, }
    Value in Variants {
        Definition(id),
        Parameter(id, at),
        Module(id),
        Imported(id, at),
        Expr(id),
        FunctionTypeParameter(id, at),
        ClassTypeParameter(id, at),
        AliasTypeParameter(id, at),
        Unknown,
    }
    Expr in Expressions {
        Unknown,
        Name(used),
        Attribute { base, name },
        Call(id),
        Subscript { base, index },
        Await(of),
        Iterate(of),
        IterateAsync(of),
        Enter(of),
        EnterAsync(of),
        Tuple(items),
        List(collection, items),
        Dict(entries),
        Spread(of),
        Part { of, part },
        Union(parts),
        Literal(literal),
        Function(id),
        Class(id),
        Object(id),
        Narrow { of, test },
        Cast { of, to },
        This(function),
        Super { class, instance },
        Module(import),
        Promise(of),
        Operator { left, method, right },
        Parameter(id, at),
        Sent,
        Caught(of),
    }
    CallForm in Variants { Call, New, Jsx, Tag, Super, Decorator, }
    ArgumentKind in Variants { Positional, Keyword(name), Spread, SpreadKeywords, }
    Index in Variants { Integer(number), Text(name), Slice, Any(id), }
    Part in Variants { Index(at), FromEnd(at), Rest(at), Key(name), RestKeys, }
    Collection in Variants { List, Set, Generator, Tuple, }
    Literal in Variants {
        Text(name), Interpolated, Bytes, Integer(number), Float, Complex, Boolean(value), None, Regex, Ellipsis,
    }
    Test in Variants {
        Instance(of),
        NotInstance(of),
        Subclass(of),
        TypeOf(name),
        NotTypeOf(name),
        Present,
        Absent,
        None,
        Property { name, equals },
        NotProperty { name, equals },
        HasKey(name),
        Callable,
        Guard { callee, argument, holds },
    }
    Form in Variants {
        Unknown,
        Name(id),
        Apply { base, arguments },
        Builtin { name, arguments },
        Function(id),
        Construct(id),
        Object(id),
        Tuple(items),
        Rest(of),
        Union(parts),
        Intersection(parts),
        TypeOf(id),
        Indexed { of, key },
        Element(of),
        SelfType,
        ClassOf(of),
        Literal(literal),
        None,
        Conditional(yes, no),
        List(items),
        Imported { module, path },
        Mapped { of, value },
    }
    ImportForm in Variants { Dotted, Module, Names, Star, Effect, Export, Expression, }
    ExportValue in Variants { Local(name), Expr(id), Imported(id, name), Module(id), Star(id), Whole(id), }
    RefKind in Variants { Call, Read, Write, Base, Annotation, Import, Fixture, }
    RefTarget in Variants { Expr(id), Form(id), Import(id, at), Parameter(id, at), Export(at), }
    ProblemKind in Variants { Syntax, Depth, Size, }
}
