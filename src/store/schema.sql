-- The database of repo-graph, version 3 (PRAGMA user_version; application_id 'rpgr').
--
-- Everything here is a cache that can be made again from the repository. It is content-addressed throughout: what two
-- commits, branches or worktrees have in common stands once. Times and paths of the machine are nowhere in it.

-- What one blob says by itself. `version` is that of the facts and of the language's extractor; a row of another
-- version is as good as absent. `data` is the front and the back of the form that `facts/codec` describes, and the pieces
-- of the text if its language keeps any, each in zstd; `model` is the row, itself without one, that zstd had as its
-- dictionary, one by one. Where that row is gone, this one is as good as absent.
CREATE TABLE facts (
    id      INTEGER PRIMARY KEY,
    blob    BLOB    NOT NULL,  -- 20 or 32 bytes
    dialect INTEGER NOT NULL,
    version INTEGER NOT NULL,
    data    BLOB    NOT NULL,
    model   INTEGER,
    UNIQUE (blob, dialect)
) STRICT;

-- What one file means in a snapshot: its symbols and outgoing edges. `digest` is the SHA-256 of the canonical bytes
-- that `data` (zstd) holds.
CREATE TABLE units (
    id     INTEGER PRIMARY KEY,
    digest BLOB NOT NULL UNIQUE,
    data   BLOB NOT NULL
) STRICT;

-- What a unit rests on: the things that resolution looked at while it made the unit, hashed to numbers. `data` is what
-- `resolve/reads.rs` describes.
CREATE TABLE reads (
    id     INTEGER PRIMARY KEY,
    digest BLOB NOT NULL UNIQUE,
    data   BLOB NOT NULL
) STRICT;

-- Reverse look-ups of all graphs: the first eight bytes of a digest over (kind, name) -> units. A key only proposes;
-- the unit itself decides, and so does membership in the graph that is asked. The units that were stored together
-- under one key share a row: the first is `unit`, `more` has how far each other one is from the one before (varints).
CREATE TABLE postings (
    key  INTEGER NOT NULL,
    unit INTEGER NOT NULL,
    more BLOB    NOT NULL,
    PRIMARY KEY (key, unit)
) STRICT, WITHOUT ROWID;

-- Words of names and documentation -> units; proposes, like postings. The row id is the unit's.
CREATE VIRTUAL TABLE search USING fts5 (
    words,
    content = '',
    contentless_delete = 1,
    detail = none,
    tokenize = 'ascii'
);

-- Runs of a snapshot's sorted list path -> blob, unit and its size, reads, module name. They are cut after paths whose
-- digest says so, thus a change leaves all other runs as they were and neighbouring graphs share them.
CREATE TABLE runs (
    id     INTEGER PRIMARY KEY,
    digest BLOB NOT NULL UNIQUE,
    data   BLOB NOT NULL
) STRICT;

-- One row per stored graph. `runs` are the ids of its runs, in order. `layout` is a run, too: what depends on paths
-- and configuration alone. `used` grows with every use; gc keeps the greatest.
CREATE TABLE graphs (
    id       INTEGER PRIMARY KEY,
    snapshot BLOB    NOT NULL UNIQUE,
    digest   BLOB    NOT NULL,
    runs     BLOB    NOT NULL,
    layout   INTEGER NOT NULL,
    info     BLOB    NOT NULL,
    used     INTEGER NOT NULL
) STRICT;

-- Which snapshot a git tree is, below a prefix and read by these rules: a stored commit is found without listing it.
CREATE TABLE trees (
    tree     BLOB NOT NULL,
    prefix   TEXT NOT NULL,
    rules    BLOB NOT NULL,
    snapshot BLOB NOT NULL,
    PRIMARY KEY (tree, prefix, rules)
) STRICT, WITHOUT ROWID;

-- What each worktree showed last. `stat_cache` is what was seen of its files.
CREATE TABLE views (
    name       TEXT PRIMARY KEY NOT NULL,
    snapshot   BLOB NOT NULL,
    head       BLOB,
    stat_cache BLOB NOT NULL
) STRICT;

-- One row: graphs dropped since units that nothing reaches were last cleared away.
CREATE TABLE upkeep (
    id      INTEGER PRIMARY KEY CHECK (id = 1),
    dropped INTEGER NOT NULL
) STRICT;
INSERT INTO upkeep (id, dropped) VALUES (1, 0);
