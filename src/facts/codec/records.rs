//! Structures and variants, as bytes: of each type in one place what of it is written.

use super::Coded;
use super::streams::{In, Out, Stream};
use crate::facts::*;

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
