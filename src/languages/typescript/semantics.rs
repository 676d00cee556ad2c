//! What the engine asks about TypeScript and JavaScript, as data.

use std::sync::LazyLock;

use crate::languages::{Linearization, Semantics, Special};

/// The language's meaning as data.
pub(super) static SEMANTICS: LazyLock<Semantics> = LazyLock::new(|| Semantics {
    builtins: "globals",
    linearization: Linearization::DepthFirst,
    constructors: &["constructor"],
    maker: None,
    call_member: None,
    iterate: &["[Symbol.iterator]", "[Symbol.element]"],
    iterate_async: &["[Symbol.asyncIterator]", "[Symbol.element]"],
    enter: &[],
    enter_async: &[],
    dynamic_members: &[],
    get_item: None,
    exports_all: false,
    decorators_replace: false,
    text: "String",
    bytes: "Uint8Array",
    integer: "Number",
    float: "Number",
    complex: "Number",
    boolean: "Boolean",
    regex: "RegExp",
    list: "Array",
    set: "Set",
    dict: "Object",
    tuple: "Array",
    generator: "Generator",
    async_generator: "AsyncGenerator",
    promise: "Promise",
    function: "Function",
    object: "Object",
    test_prefix: "",
    fixture_getter: None,
    test_class_prefix: "",
    common_methods: &COMMON_METHODS,
    special: SPECIAL,
});

static COMMON_METHODS: LazyLock<Vec<&'static str>> =
    LazyLock::new(|| include_str!("common_methods.txt").lines().filter(|line| !line.starts_with('#')).collect());

/// Sorted. The types are those of <https://www.typescriptlang.org/docs/handbook/utility-types.html>.
const SPECIAL: &[(&str, Special)] = &[
    ("globals.Awaited", Special::Awaited),
    ("globals.ConstructorParameters", Special::Any),
    ("globals.Exclude", Special::First),
    ("globals.Extract", Special::First),
    ("globals.Function.apply", Special::CallFunction),
    ("globals.Function.bind", Special::BindFunction),
    ("globals.Function.call", Special::CallFunction),
    ("globals.InstanceType", Special::InstanceType),
    ("globals.NoInfer", Special::First),
    ("globals.NonNullable", Special::Present),
    ("globals.Object.assign", Special::Merge),
    ("globals.Object.create", Special::Identity),
    ("globals.Object.freeze", Special::Identity),
    ("globals.Object.preventExtensions", Special::Identity),
    ("globals.Object.seal", Special::Identity),
    ("globals.Omit", Special::First),
    ("globals.OmitThisParameter", Special::First),
    ("globals.Parameters", Special::Any),
    ("globals.Partial", Special::First),
    ("globals.Pick", Special::First),
    ("globals.Readonly", Special::First),
    ("globals.Required", Special::First),
    ("globals.ReturnType", Special::ReturnType),
    ("globals.ThisParameterType", Special::Any),
    ("globals.ThisType", Special::Any),
    ("globals.structuredClone", Special::Identity),
];
