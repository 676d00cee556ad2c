//! The node types of tree-sitter-python that the extractor tells apart.

use super::tree::{self, Grammar, N};

/// A syntax tree of Python.
pub(super) type Tree<'t> = tree::Tree<'t, Kind>;

macro_rules! kinds {
    (named { $($name:ident = $text:literal,)* } tokens { $($token:ident = $token_text:literal,)* }) => {
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Debug)]
        pub enum Kind {
            /// Any other named node.
            Other,
            $($name,)*
            /// Any other token; all that follow are tokens too.
            Token,
            $($token,)*
        }

        const ALL: &[Kind] = &[Kind::Other, $(Kind::$name,)* Kind::Token, $(Kind::$token,)*];

        fn kind(name: &str, named: bool) -> Kind {
            match (name, named) {
                $(($text, true) => Kind::$name,)*
                $(($token_text, false) => Kind::$token,)*
                (_, true) => Kind::Other,
                (_, false) => Kind::Token,
            }
        }
    };
}

kinds! {
    named {
        Error = "ERROR",
        Comment = "comment",
        LineContinuation = "line_continuation",
        Module = "module",
        Block = "block",
        ImportStatement = "import_statement",
        ImportFrom = "import_from_statement",
        FutureImport = "future_import_statement",
        RelativeImport = "relative_import",
        ImportPrefix = "import_prefix",
        WildcardImport = "wildcard_import",
        AliasedImport = "aliased_import",
        DottedName = "dotted_name",
        PrintStatement = "print_statement",
        ExecStatement = "exec_statement",
        AssertStatement = "assert_statement",
        ExpressionStatement = "expression_statement",
        ReturnStatement = "return_statement",
        DeleteStatement = "delete_statement",
        RaiseStatement = "raise_statement",
        PassStatement = "pass_statement",
        BreakStatement = "break_statement",
        ContinueStatement = "continue_statement",
        GlobalStatement = "global_statement",
        NonlocalStatement = "nonlocal_statement",
        TypeAlias = "type_alias_statement",
        IfStatement = "if_statement",
        ElifClause = "elif_clause",
        ElseClause = "else_clause",
        ForStatement = "for_statement",
        WhileStatement = "while_statement",
        TryStatement = "try_statement",
        ExceptClause = "except_clause",
        FinallyClause = "finally_clause",
        WithStatement = "with_statement",
        WithClause = "with_clause",
        WithItem = "with_item",
        MatchStatement = "match_statement",
        CaseClause = "case_clause",
        CasePattern = "case_pattern",
        KeywordPattern = "keyword_pattern",
        ClassPattern = "class_pattern",
        SplatPattern = "splat_pattern",
        UnionPattern = "union_pattern",
        DictPattern = "dict_pattern",
        FunctionDefinition = "function_definition",
        ClassDefinition = "class_definition",
        DecoratedDefinition = "decorated_definition",
        Decorator = "decorator",
        Parameters = "parameters",
        LambdaParameters = "lambda_parameters",
        TypedParameter = "typed_parameter",
        DefaultParameter = "default_parameter",
        TypedDefaultParameter = "typed_default_parameter",
        KeywordSeparator = "keyword_separator",
        PositionalSeparator = "positional_separator",
        TypeParameter = "type_parameter",
        Type = "type",
        SplatType = "splat_type",
        GenericType = "generic_type",
        UnionType = "union_type",
        ConstrainedType = "constrained_type",
        MemberType = "member_type",
        Assignment = "assignment",
        AugmentedAssignment = "augmented_assignment",
        PatternList = "pattern_list",
        TuplePattern = "tuple_pattern",
        ListPattern = "list_pattern",
        ListSplatPattern = "list_splat_pattern",
        DictionarySplatPattern = "dictionary_splat_pattern",
        AsPattern = "as_pattern",
        AsPatternTarget = "as_pattern_target",
        ExpressionList = "expression_list",
        NamedExpression = "named_expression",
        ConditionalExpression = "conditional_expression",
        ComparisonOperator = "comparison_operator",
        NotOperator = "not_operator",
        BooleanOperator = "boolean_operator",
        BinaryOperator = "binary_operator",
        UnaryOperator = "unary_operator",
        Lambda = "lambda",
        Await = "await",
        Yield = "yield",
        Identifier = "identifier",
        Attribute = "attribute",
        Subscript = "subscript",
        Slice = "slice",
        Call = "call",
        ArgumentList = "argument_list",
        KeywordArgument = "keyword_argument",
        ListSplat = "list_splat",
        DictionarySplat = "dictionary_splat",
        Parenthesized = "parenthesized_expression",
        List = "list",
        Set = "set",
        Tuple = "tuple",
        Dictionary = "dictionary",
        Pair = "pair",
        ListComprehension = "list_comprehension",
        SetComprehension = "set_comprehension",
        DictionaryComprehension = "dictionary_comprehension",
        GeneratorExpression = "generator_expression",
        ForInClause = "for_in_clause",
        IfClause = "if_clause",
        String = "string",
        StringStart = "string_start",
        StringContent = "string_content",
        StringEnd = "string_end",
        ConcatenatedString = "concatenated_string",
        Interpolation = "interpolation",
        Integer = "integer",
        Float = "float",
        True = "true",
        False = "false",
        None = "none",
        Ellipsis = "ellipsis",
    }
    tokens {
        Async = "async",
        From = "from",
        As = "as",
        IfToken = "if",
        And = "and",
        Equals = "=",
        Colon = ":",
        Comma = ",",
        Semicolon = ";",
        Star = "*",
        Underscore = "_",
        Open = "(",
        Close = ")",
        CloseBracket = "]",
        CloseBrace = "}",
        YieldToken = "yield",
    }
}

impl Grammar for Kind {
    const ERROR: Kind = Kind::Error;
    const ALL: &'static [Kind] = ALL;
    const SHORTEST: (&'static str, Kind) = ("pass", Kind::PassStatement);

    fn kind(name: &str, named: bool) -> Kind {
        kind(name, named)
    }

    fn is_comment(self) -> bool {
        matches!(self, Kind::Comment | Kind::LineContinuation)
    }

    fn is_opaque(self, text: &str) -> bool {
        match self {
            // Only what is interpolated matters inside a string, and that begins with a brace.
            Kind::String => !text.contains('{') || !text.starts_with(is_interpolating),
            Kind::Identifier | Kind::Integer | Kind::Float | Kind::True | Kind::False | Kind::None => true,
            kind => kind.is_token(),
        }
    }

    fn is_token(self) -> bool {
        self >= Kind::Token
    }

    fn code(self) -> u8 {
        self as u8
    }

    fn usual_children(self) -> u32 {
        match self {
            Kind::Identifier | Kind::String | Kind::Integer | Kind::Float | Kind::True | Kind::False | Kind::None => 0,
            Kind::ExpressionStatement | Kind::Block | Kind::WithItem | Kind::WithClause | Kind::DottedName => 1,
            Kind::Call | Kind::ReturnStatement | Kind::Decorator | Kind::DecoratedDefinition | Kind::NotOperator => 2,
            Kind::Subscript | Kind::IfStatement | Kind::WithStatement | Kind::ForInClause => 4,
            Kind::FunctionDefinition | Kind::Tuple => 5,
            _ => 3,
        }
    }

    fn statements_in(tree: &Tree<'_>, statement: N) -> Option<N> {
        let class = match tree.kind(statement) {
            Kind::DecoratedDefinition => tree.child(statement, Kind::ClassDefinition)?,
            Kind::ClassDefinition => statement,
            _ => return None,
        };
        tree.child(class, Kind::Block)
    }
}

/// Whether a string begins with a letter of a prefix. That may be `f` or `t`, or only `r` or `b`.
fn is_interpolating(first: char) -> bool {
    first.is_ascii_alphabetic()
}
