//! `path`: how one symbol reaches another.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::arguments::Count;
use super::budget::Partial;
use super::rows::{Head, Row, label};
use super::subject::{self, Prefer};
use super::walk::{self, Step};
use super::{Context, Miss, Query};
use crate::graph::{Confidence, EdgeKind, Graph, Located, ModuleTable};
use crate::names::RepoPath;

/// Symbols that the search goes on from.
const WALKED_SYMBOLS: usize = 50_000;

const KINDS: [EdgeKind; 5] =
    [EdgeKind::Calls, EdgeKind::References, EdgeKind::Inherits, EdgeKind::Tests, EdgeKind::Imports];

#[derive(clap::Args, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Path {
    #[arg(help = "Where the chain starts: id, name, suffix, path:line or path")]
    from: String,
    #[arg(help = "Where it ends")]
    to: String,
    #[arg(long, default_value_t, help = "Longest chain")]
    #[serde(default)]
    depth: Count<8, 20>,
}

#[derive(Serialize)]
pub struct Answer {
    from: Head,
    to: Head,
    /// From the first symbol to the last; each but the first names the edge that leads to it. Empty when there is no
    /// chain.
    path: Vec<Row>,
    #[serde(skip_serializing_if = "Option::is_none")]
    hint: Option<&'static str>,
    #[serde(flatten)]
    partial: Partial,
}

impl Query for Path {
    const NAME: &'static str = "path";
    const DESCRIPTION: &'static str = "How one symbol reaches another. The shortest chain of calls, references, \
        inheritance, tests and imports.";
    type Answer = Answer;

    fn answer(&self, context: &Context<'_>) -> Result<Answer, Miss> {
        let graph = context.graph;
        let from = subject::find(context, &self.from, Prefer::Symbol)?;
        let to = subject::find(context, &self.to, Prefer::Symbol)?;
        let search = Search { graph, from: &from, to: &to, depth: self.depth.0 };
        // A chain without a guess, however long, before one with guesses.
        let mut found = search.run(Confidence::Sure);
        if matches!(found, Found::Nothing) {
            found = search.run(Confidence::Name);
        }
        let (path, hint) = match found {
            Found::Chain(chain) => (rows(&from, &chain, graph.modules()), None),
            Found::Nothing => (Vec::new(), None),
            Found::TooMuch => (Vec::new(), Some("the search was cut: too much is reachable; ask with a smaller depth")),
        };
        let modules = graph.modules();
        let partial = Partial::among([&*from.unit, &*to.unit]);
        Ok(Answer { from: Head::of(&from, modules), to: Head::of(&to, modules), path, hint, partial })
    }
}

enum Found {
    Chain(Vec<Step>),
    Nothing,
    TooMuch,
}

struct Search<'a> {
    graph: &'a dyn Graph,
    from: &'a Located,
    to: &'a Located,
    depth: u32,
}

type Key = (RepoPath, usize);

impl Search<'_> {
    /// Breadth first, over edges of at most this confidence's doubt.
    fn run(&self, doubt: Confidence) -> Found {
        if self.is_end(self.from) {
            return Found::Chain(Vec::new());
        }
        // Each symbol that was reached, with the step there and the symbol that it came from.
        let mut came: BTreeMap<Key, (Key, Step)> = BTreeMap::new();
        let mut level = vec![self.from.clone()];
        let mut walked = 0;
        for _ in 0..self.depth {
            let mut next = Vec::new();
            for located in &level {
                walked += 1;
                if walked > WALKED_SYMBOLS {
                    return Found::TooMuch;
                }
                for step in self.steps(located).into_iter().filter(|step| step.confidence <= doubt) {
                    let key = step.to.key();
                    if key == self.from.key() || came.contains_key(&key) {
                        continue;
                    }
                    let reached = step.to.clone();
                    came.insert(key, (located.key(), step));
                    if self.is_end(&reached) {
                        return Found::Chain(self.chain(&came, &reached));
                    }
                    next.push(reached);
                }
            }
            level = next;
        }
        Found::Nothing
    }

    /// The end stands for what it defines.
    fn is_end(&self, located: &Located) -> bool {
        if located.unit.path != self.to.unit.path {
            return false;
        }
        let mut at = located.at;
        loop {
            if at == self.to.at {
                return true;
            }
            if at == 0 {
                return false;
            }
            at = located.unit.symbols[at].parent as usize;
        }
    }

    /// The edges from a symbol. The start stands for what it defines; a call of a class is one of its constructor.
    fn steps(&self, located: &Located) -> Vec<Step> {
        let mut steps = Vec::new();
        for step in walk::used(self.graph, located, &KINDS) {
            let run = if step.kind == EdgeKind::Calls { walk::constructors(&step.to) } else { Vec::new() };
            let constructors = run.into_iter().map(|to| Step { to, ..step.clone() }).collect::<Vec<_>>();
            steps.push(step);
            steps.extend(constructors);
        }
        if located.key() == self.from.key() {
            for to in walk::members(located) {
                let (line, confidence) = (Some(to.symbol().site.line), Confidence::Sure);
                steps.push(Step { to, kind: EdgeKind::Defines, line, confidence, via: None });
            }
        }
        steps
    }

    fn chain(&self, came: &BTreeMap<Key, (Key, Step)>, end: &Located) -> Vec<Step> {
        let mut chain = Vec::new();
        let mut key = end.key();
        while let Some((before, step)) = came.get(&key) {
            chain.push(step.clone());
            key = before.clone();
        }
        chain.reverse();
        chain
    }
}

fn rows(from: &Located, chain: &[Step], modules: &ModuleTable) -> Vec<Row> {
    let row = |located: &Located| Row {
        id: located.id(modules),
        kind: located.symbol().kind,
        loc: located.loc(),
        at: None,
        more: Vec::new(),
        lines: None,
        edge: None,
        depth: None,
        via: None,
        conf: None,
    };
    let hops = chain.iter().map(|step| Row {
        at: step.line,
        edge: Some(step.kind),
        conf: label(step.confidence),
        ..row(&step.to)
    });
    std::iter::once(row(from)).chain(hops).collect()
}
