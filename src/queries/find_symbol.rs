//! `find_symbol`: where is something of this name?

use std::collections::BTreeMap;

use clap::builder::{PossibleValuesParser, TypedValueParser};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Serialize};

use super::arguments::Count;
use super::budget::{self, Cut, Page};
use super::subject;
use super::{Context, Miss, Query};
use crate::graph::{Graph, Located, SymbolKind, Unit};
use crate::names::SymbolId;
use crate::words;

/// Near names that are proposed when nothing is found.
const PROPOSALS: usize = 5;

#[derive(clap::Args, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct FindSymbol {
    /// Name, part of an id, or words
    query: String,
    #[arg(long, help = "Only symbols of this kind", value_parser = PossibleValuesParser::new(SymbolKind::ALL.map(SymbolKind::word)).map(|word| kind(&word)))]
    #[serde(default)]
    #[schemars(schema_with = "kinds")]
    kind: Option<SymbolKind>,
    /// Prefix
    #[arg(long, help = "Only below this path prefix")]
    path: Option<String>,
    #[arg(long, default_value_t, help = "Most rows")]
    #[serde(default)]
    limit: Count<20, 500>,
    #[arg(long, default_value_t, help = "Rows to pass over")]
    #[serde(default)]
    offset: u32,
}

fn kind(word: &str) -> SymbolKind {
    let kind = SymbolKind::ALL.into_iter().find(|kind| kind.word() == word);
    kind.expect("the possible values are the words of the kinds")
}

fn kinds(_: &mut SchemaGenerator) -> Schema {
    json_schema!({ "type": "string", "enum": SymbolKind::ALL.map(SymbolKind::word) })
}

#[derive(Serialize)]
pub struct Answer {
    matches: Vec<Match>,
    #[serde(flatten)]
    cut: Cut,
}

#[derive(Serialize)]
struct Match {
    id: SymbolId,
    kind: SymbolKind,
    loc: String,
    #[serde(skip_serializing_if = "str::is_empty")]
    sig: Box<str>,
    #[serde(skip_serializing_if = "str::is_empty")]
    doc: Box<str>,
}

/// How well a symbol fits, best first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Fit {
    Exact,
    ExactIgnoringCase,
    Suffix,
    Prefix,
    WordsInName,
    WordsInDoc,
}

impl Query for FindSymbol {
    const NAME: &'static str = "find_symbol";
    const DESCRIPTION: &'static str = "Find symbols and modules by name or words. Best match first; words may stand \
        in names or documentation.";
    type Answer = Answer;

    fn answer(&self, context: &Context<'_>) -> Result<Answer, Miss> {
        let graph = context.graph;
        let mut found: Vec<(Fit, SymbolKind, SymbolId, Located)> = Vec::new();
        let query = Wanted::new(&self.query);
        for unit in self.proposals(graph, &query).into_values() {
            if self.path.as_deref().is_some_and(|prefix| !unit.path.as_str().starts_with(plain(prefix))) {
                continue;
            }
            for at in 0..unit.symbols.len() {
                let symbol = &unit.symbols[at];
                if self.kind.is_some_and(|kind| kind != symbol.kind) {
                    continue;
                }
                let located = Located { unit: unit.clone(), at };
                let id = located.id(graph.modules());
                if let Some(fit) = query.fit(&id, &symbol.doc) {
                    found.push((fit, symbol.kind, id, located));
                }
            }
        }
        found.sort_by(|a, b| (a.0, a.1, &a.2).cmp(&(b.0, b.1, &b.2)));
        let mut matches: Vec<Match> = found
            .into_iter()
            .map(|(_, kind, id, located)| {
                let symbol = located.symbol();
                Match { id, kind, loc: located.loc(), sig: symbol.signature.clone(), doc: symbol.doc.clone() }
            })
            .collect();
        let is_empty = matches.is_empty();
        let mut cut = budget::cut(&mut matches, Page::new(self.limit, self.offset));
        if is_empty {
            cut.hint = Some(self.nearest(graph));
        }
        Ok(Answer { matches, cut })
    }
}

/// A path prefix without the `./` that shells complete.
fn plain(prefix: &str) -> &str {
    prefix.trim_start_matches("./")
}

impl FindSymbol {
    /// The units that may hold a match, by path.
    fn proposals(&self, graph: &dyn Graph, query: &Wanted) -> BTreeMap<String, std::sync::Arc<Unit>> {
        let mut units = Vec::new();
        if !query.words.is_empty() {
            units.extend(graph.search(&query.words));
        }
        units.extend(subject::by_suffix(graph, query.text).into_iter().map(|located| located.unit));
        // Search knows the names of symbols; the names of modules stand in the module table.
        for (path, name) in graph.modules().entries() {
            if query.fit_name(name.as_str(), None).is_some() {
                units.extend(graph.unit(path.as_str()));
            }
        }
        units.into_iter().map(|unit| (unit.path.as_str().to_owned(), unit)).collect()
    }

    fn nearest(&self, graph: &dyn Graph) -> String {
        let near = subject::nearest(graph, self.query.trim(), PROPOSALS);
        let ids: Vec<String> = near.iter().map(|located| located.id(graph.modules()).to_string()).collect();
        match ids.is_empty() {
            true => "nothing has a name like this".to_owned(),
            false => format!("the nearest names: {}", ids.join(", ")),
        }
    }
}

/// What is looked for.
struct Wanted<'a> {
    text: &'a str,
    folded: String,
    /// Lower case, each once.
    words: Vec<String>,
}

impl Wanted<'_> {
    fn new(query: &str) -> Wanted<'_> {
        let text = query.trim();
        Wanted { text, folded: text.to_lowercase(), words: words::asked(text) }
    }

    fn fit(&self, id: &SymbolId, doc: &str) -> Option<Fit> {
        let name = match id.local.is_module() {
            true => id.module.as_str(),
            false => id.local.as_str(),
        };
        let whole = id.to_string();
        if whole == self.text {
            return Some(Fit::Exact);
        }
        self.fit_name(name, Some(&whole))
            .or_else(|| self.words_are_in(&format!("{name} {doc}")).then_some(Fit::WordsInDoc))
    }

    /// How a local path or a module name fits.
    fn fit_name(&self, name: &str, id: Option<&str>) -> Option<Fit> {
        let last = name.rsplit(['.', '/']).next().unwrap_or(name);
        if self.text.is_empty() {
            return None;
        }
        if name == self.text || last == self.text {
            return Some(Fit::Exact);
        }
        let (name_folded, last_folded) = (name.to_lowercase(), last.to_lowercase());
        if name_folded == self.folded || last_folded == self.folded {
            return Some(Fit::ExactIgnoringCase);
        }
        let ends = |whole: &str, text: &str| {
            whole.strip_suffix(text).is_some_and(|rest| rest.is_empty() || rest.ends_with(['.', ':', '/']))
        };
        let whole = id.unwrap_or(name).to_lowercase();
        if ends(&whole, &self.folded) || ends(&whole.replacen(':', ".", 1), &self.folded) {
            return Some(Fit::Suffix);
        }
        if last_folded.starts_with(&self.folded) {
            return Some(Fit::Prefix);
        }
        self.words_are_in(name).then_some(Fit::WordsInName)
    }

    /// Whether each word is the beginning of a word of the text.
    fn words_are_in(&self, text: &str) -> bool {
        let mut own = Vec::new();
        words::words(text, |word| own.push(word));
        !self.words.is_empty() && self.words.iter().all(|word| own.iter().any(|one| one.starts_with(word.as_str())))
    }
}
