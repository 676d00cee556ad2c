//! Places: the only part of the facts that holds positions.

/// A position: 1-based line and 1-based byte column.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Debug)]
pub struct Place {
    pub line: u32,
    pub column: u32,
}

/// Where things are. Parallel to the arenas they speak of.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Places {
    /// Of each definition: its name.
    pub definitions: Vec<DefinitionPlace>,
    /// Of each reference: the name used (`save` in `order.save()`).
    pub references: Vec<Place>,
    /// Of each import: the statement.
    pub imports: Vec<Place>,
    /// UTF-16 columns (1-based) of definitions and references that stand on lines that are not ASCII before them.
    pub wide: Vec<(Place, u32)>,
    /// Number of lines.
    pub lines: u32,
}

/// Where a definition stands.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct DefinitionPlace {
    pub name: Place,
    /// First line of the whole definition, decorators and `export` included.
    pub first: u32,
    /// Last line of the whole definition.
    pub last: u32,
}
