//! Kinds and fields of tree-sitter's nodes as enums, one table per grammar, so that the walk compares small numbers.

use std::num::NonZeroU16;
use std::sync::OnceLock;

use tree_sitter::Language;

macro_rules! kinds {
    (named { $($named:ident $text:literal,)* } tokens { $($token:ident $token_text:literal,)* }) => {
        /// The kind of a node of any of the three grammars; `Other` is what the walk does not need to tell apart.
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        #[repr(u8)]
        pub(super) enum Kind {
            Other,
            Error,
            $($named,)*
            $($token,)*
        }

        const NAMED: &[(&str, Kind)] = &[$(($text, Kind::$named),)*];
        const TOKENS: &[(&str, Kind)] = &[$(($token_text, Kind::$token),)*];
    };
}

kinds! {
    named {
        AbstractClassDeclaration "abstract_class_declaration",
        AbstractMethodSignature "abstract_method_signature",
        AccessibilityModifier "accessibility_modifier",
        AmbientDeclaration "ambient_declaration",
        Arguments "arguments",
        Array "array",
        ArrayPattern "array_pattern",
        ArrayType "array_type",
        ArrowFunction "arrow_function",
        AsExpression "as_expression",
        Asserts "asserts",
        AssertsAnnotation "asserts_annotation",
        AssignmentExpression "assignment_expression",
        AssignmentPattern "assignment_pattern",
        AugmentedAssignment "augmented_assignment_expression",
        AwaitExpression "await_expression",
        BinaryExpression "binary_expression",
        BreakStatement "break_statement",
        CallExpression "call_expression",
        CallSignature "call_signature",
        CatchClause "catch_clause",
        ClassExpression "class",
        ClassBody "class_body",
        ClassDeclaration "class_declaration",
        ClassHeritage "class_heritage",
        ClassStaticBlock "class_static_block",
        Comment "comment",
        ComputedPropertyName "computed_property_name",
        ConditionalType "conditional_type",
        Constraint "constraint",
        ConstructSignature "construct_signature",
        ConstructorType "constructor_type",
        ContinueStatement "continue_statement",
        Decorator "decorator",
        DefaultType "default_type",
        DoStatement "do_statement",
        ElseClause "else_clause",
        EnumAssignment "enum_assignment",
        EnumBody "enum_body",
        EnumDeclaration "enum_declaration",
        ExistentialType "existential_type",
        ExportClause "export_clause",
        ExportSpecifier "export_specifier",
        ExportStatement "export_statement",
        ExpressionStatement "expression_statement",
        ExtendsClause "extends_clause",
        ExtendsTypeClause "extends_type_clause",
        False "false",
        FieldDefinition "field_definition",
        FinallyClause "finally_clause",
        FlowMaybeType "flow_maybe_type",
        ForInStatement "for_in_statement",
        ForStatement "for_statement",
        FormalParameters "formal_parameters",
        FunctionDeclaration "function_declaration",
        FunctionExpression "function_expression",
        FunctionSignature "function_signature",
        FunctionType "function_type",
        GeneratorFunction "generator_function",
        GeneratorFunctionDeclaration "generator_function_declaration",
        GenericType "generic_type",
        HtmlComment "html_comment",
        Identifier "identifier",
        IfStatement "if_statement",
        ImplementsClause "implements_clause",
        Import "import",
        ImportAlias "import_alias",
        ImportClause "import_clause",
        ImportRequireClause "import_require_clause",
        ImportSpecifier "import_specifier",
        ImportStatement "import_statement",
        IndexSignature "index_signature",
        IndexTypeQuery "index_type_query",
        InferType "infer_type",
        InstantiationExpression "instantiation_expression",
        InterfaceBody "interface_body",
        InterfaceDeclaration "interface_declaration",
        InternalModule "internal_module",
        IntersectionType "intersection_type",
        JsxAttribute "jsx_attribute",
        JsxElement "jsx_element",
        JsxExpression "jsx_expression",
        JsxOpeningElement "jsx_opening_element",
        JsxSelfClosingElement "jsx_self_closing_element",
        JsxText "jsx_text",
        LabeledStatement "labeled_statement",
        LexicalDeclaration "lexical_declaration",
        LiteralType "literal_type",
        LookupType "lookup_type",
        MappedTypeClause "mapped_type_clause",
        MemberExpression "member_expression",
        MetaProperty "meta_property",
        MethodDefinition "method_definition",
        MethodSignature "method_signature",
        Module "module",
        NamedImports "named_imports",
        NamespaceExport "namespace_export",
        NamespaceImport "namespace_import",
        NestedIdentifier "nested_identifier",
        NestedTypeIdentifier "nested_type_identifier",
        NewExpression "new_expression",
        NonNullExpression "non_null_expression",
        Null "null",
        Number "number",
        Object "object",
        ObjectAssignmentPattern "object_assignment_pattern",
        ObjectPattern "object_pattern",
        ObjectType "object_type",
        OptionalParameter "optional_parameter",
        OptionalType "optional_type",
        Pair "pair",
        PairPattern "pair_pattern",
        ParenthesizedExpression "parenthesized_expression",
        ParenthesizedType "parenthesized_type",
        PredefinedType "predefined_type",
        PrivatePropertyIdentifier "private_property_identifier",
        Program "program",
        PropertyIdentifier "property_identifier",
        PropertySignature "property_signature",
        PublicFieldDefinition "public_field_definition",
        ReadonlyType "readonly_type",
        Regex "regex",
        RequiredParameter "required_parameter",
        RestPattern "rest_pattern",
        RestType "rest_type",
        ReturnStatement "return_statement",
        SatisfiesExpression "satisfies_expression",
        SequenceExpression "sequence_expression",
        ShorthandProperty "shorthand_property_identifier",
        ShorthandPattern "shorthand_property_identifier_pattern",
        SpreadElement "spread_element",
        StatementBlock "statement_block",
        String "string",
        StringFragment "string_fragment",
        SubscriptExpression "subscript_expression",
        Super "super",
        SwitchBody "switch_body",
        SwitchCase "switch_case",
        SwitchDefault "switch_default",
        SwitchStatement "switch_statement",
        TemplateLiteralType "template_literal_type",
        TemplateString "template_string",
        TemplateSubstitution "template_substitution",
        TemplateType "template_type",
        TernaryExpression "ternary_expression",
        This "this",
        ThisType "this_type",
        ThrowStatement "throw_statement",
        True "true",
        TryStatement "try_statement",
        TupleType "tuple_type",
        TypeAliasDeclaration "type_alias_declaration",
        TypeAnnotation "type_annotation",
        TypeArguments "type_arguments",
        TypeAssertion "type_assertion",
        TypeIdentifier "type_identifier",
        TypeParameter "type_parameter",
        TypeParameters "type_parameters",
        TypePredicate "type_predicate",
        TypePredicateAnnotation "type_predicate_annotation",
        TypeQuery "type_query",
        UnaryExpression "unary_expression",
        Undefined "undefined",
        UnionType "union_type",
        UpdateExpression "update_expression",
        UsingDeclaration "using_declaration",
        VariableDeclaration "variable_declaration",
        VariableDeclarator "variable_declarator",
        WhileStatement "while_statement",
        WithStatement "with_statement",
        YieldExpression "yield_expression",
    }
    tokens {
        AbstractWord "abstract",
        AsyncWord "async",
        AwaitWord "await",
        ConstWord "const",
        DefaultWord "default",
        Equals "=",
        ExportWord "export",
        GetWord "get",
        GlobalWord "global",
        NewWord "new",
        QuestionMark "?",
        SetWord "set",
        Star "*",
        StaticWord "static",
        TypeWord "type",
        VarWord "var",
    }
}

macro_rules! fields {
    ($($field:ident $text:literal,)*) => {
        /// The field that a node is of its parent; `None` is no field, or one that the walk does not need.
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        #[repr(u8)]
        pub(super) enum Field {
            None,
            $($field,)*
        }

        const FIELDS: &[(&str, Field)] = &[$(($text, Field::$field),)*];
    };
}

fields! {
    Alias "alias",
    Alternative "alternative",
    Argument "argument",
    Arguments "arguments",
    Attribute "attribute",
    Body "body",
    Condition "condition",
    Consequence "consequence",
    Constraint "constraint",
    Constructor "constructor",
    Declaration "declaration",
    Decorator "decorator",
    Finalizer "finalizer",
    Function "function",
    Handler "handler",
    Increment "increment",
    Index "index",
    IndexType "index_type",
    Initializer "initializer",
    Key "key",
    Kind "kind",
    Label "label",
    Left "left",
    Module "module",
    Name "name",
    Object "object",
    OpenTag "open_tag",
    Operator "operator",
    Parameter "parameter",
    Parameters "parameters",
    Pattern "pattern",
    Property "property",
    ReturnType "return_type",
    Right "right",
    Source "source",
    Type "type",
    TypeArguments "type_arguments",
    TypeParameters "type_parameters",
    Value "value",
}

/// One grammar with its tables.
pub(super) struct Grammar {
    pub(super) language: Language,
    kinds: Vec<Kind>,
    fields: Vec<Field>,
    /// The number of each field in this grammar, by the field.
    field_ids: Vec<u16>,
}

impl Grammar {
    fn new(language: Language) -> Grammar {
        let kinds = (0..language.node_kind_count() as u16)
            .map(|id| {
                let text = language.node_kind_for_id(id).unwrap_or_default();
                let table = if language.node_kind_is_named(id) { NAMED } else { TOKENS };
                table.iter().find(|(name, _)| *name == text).map_or(Kind::Other, |(_, kind)| *kind)
            })
            .collect();
        let fields = (0..=language.field_count() as u16)
            .map(|id| {
                let text = language.field_name_for_id(id).unwrap_or_default();
                FIELDS.iter().find(|(name, _)| *name == text).map_or(Field::None, |(_, field)| *field)
            })
            .collect();
        let number = |text: &&str| language.field_id_for_name(text).map_or(0, NonZeroU16::get);
        let field_ids = [""].iter().chain(FIELDS.iter().map(|(text, _)| text)).map(number).collect();
        Grammar { language, kinds, fields, field_ids }
    }

    /// `.ts`, also for the type texts of JSDoc.
    pub(super) fn typescript() -> &'static Grammar {
        static GRAMMAR: OnceLock<Grammar> = OnceLock::new();
        GRAMMAR.get_or_init(|| Grammar::new(tree_sitter_typescript::LANGUAGE_TYPESCRIPT.into()))
    }

    pub(super) fn tsx() -> &'static Grammar {
        static GRAMMAR: OnceLock<Grammar> = OnceLock::new();
        GRAMMAR.get_or_init(|| Grammar::new(tree_sitter_typescript::LANGUAGE_TSX.into()))
    }

    pub(super) fn javascript() -> &'static Grammar {
        static GRAMMAR: OnceLock<Grammar> = OnceLock::new();
        GRAMMAR.get_or_init(|| Grammar::new(tree_sitter_javascript::LANGUAGE.into()))
    }

    pub(super) fn kind(&self, id: u16) -> Kind {
        match self.kinds.get(usize::from(id)) {
            Some(&kind) => kind,
            // The id of ERROR nodes lies beyond all others.
            None => Kind::Error,
        }
    }

    /// The number that the grammar knows a field by; 0, which no field has, when it does not know it.
    pub(super) fn field_id(&self, field: Field) -> u16 {
        self.field_ids[field as usize]
    }

    pub(super) fn field(&self, id: Option<NonZeroU16>) -> Field {
        id.and_then(|id| self.fields.get(usize::from(id.get()))).copied().unwrap_or(Field::None)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_in_the_tables_is_known_to_some_grammar() {
        let grammars = [Grammar::typescript(), Grammar::tsx(), Grammar::javascript()];
        for (text, kind) in NAMED.iter().chain(TOKENS) {
            let known = grammars.iter().any(|grammar| grammar.kinds.contains(kind));
            assert!(known, "no grammar has {text}");
        }
        for (text, field) in FIELDS {
            assert!(grammars.iter().any(|grammar| grammar.fields.contains(field)), "no grammar has the field {text}");
        }
    }
}
