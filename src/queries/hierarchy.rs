//! `hierarchy`: the classes above and below a class, the methods that a method overrides and that override it.

use clap::ValueEnum;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::arguments::Count;
use super::budget::{Cut, Page, Partial};
use super::rows::{Head, List, Row};
use super::subject::{self, Prefer};
use super::walk::{self, Walk};
use super::{Context, Miss, Query, SYMBOL};
use crate::graph::{Graph, Located};

#[derive(clap::Args, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Hierarchy {
    /// Class or method
    #[arg(help = SYMBOL)]
    symbol: String,
    #[arg(long, value_enum, default_value_t, help = "Up to bases, down to subclasses")]
    #[serde(default)]
    direction: Direction,
    #[arg(long, default_value_t, help = "Steps to follow")]
    #[serde(default)]
    depth: Count<10, { walk::HIERARCHY_DEPTH }>,
    #[arg(long, default_value_t, help = "Most rows of each list")]
    #[serde(default)]
    limit: Count<50, 1000>,
    #[arg(long, default_value_t, help = "Rows to pass over")]
    #[serde(default)]
    offset: u32,
}

#[derive(Clone, Copy, PartialEq, Eq, Default, ValueEnum, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum Direction {
    #[default]
    Both,
    Up,
    Down,
}

/// Two of the four lists, or one when only one direction was asked for.
#[derive(Serialize)]
pub struct Answer {
    symbol: Head,
    #[serde(skip_serializing_if = "Option::is_none")]
    bases: Option<Vec<Row>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    subclasses: Option<Vec<Row>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    overrides: Option<Vec<Row>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    overridden_by: Option<Vec<Row>>,
    #[serde(flatten)]
    cut: Cut,
    #[serde(flatten)]
    partial: Partial,
}

impl Query for Hierarchy {
    const NAME: &'static str = "hierarchy";
    const DESCRIPTION: &'static str = "Bases and subclasses of a class. For a method, what it overrides and what \
        overrides it.";
    type Answer = Answer;

    fn answer(&self, context: &Context<'_>) -> Result<Answer, Miss> {
        let graph = context.graph;
        let subject = subject::find(context, &self.symbol, Prefer::Symbol)?;
        let class = walk::class_of(&subject);
        let is_member = class.is_some();
        let page = Page::new(self.limit, self.offset);
        let page = if self.direction == Direction::Both { page.share(1, 2) } else { page };
        let walk = |side: Direction| {
            let is_asked = self.direction == Direction::Both || self.direction == side;
            is_asked.then(|| self.related(graph, &subject, class.as_ref(), side))
        };
        let sides = [walk(Direction::Up), walk(Direction::Down)];
        let reached = sides.iter().flatten().flat_map(|walk| &walk.reached);
        let partial = Partial::among(reached.map(|one| &*one.located.unit).chain([&*subject.unit]));
        let mut cut = Cut::default();
        let [up, down] = sides.map(|walk| {
            let list = List::of(&subject, walk?, page, graph.modules());
            cut = std::mem::take(&mut cut).joined(list.cut);
            Some(list.rows)
        });
        let symbol = Head::of(&subject, graph.modules());
        let ((bases, subclasses), (overrides, overridden_by)) =
            if is_member { ((None, None), (up, down)) } else { ((up, down), (None, None)) };
        Ok(Answer { symbol, bases, subclasses, overrides, overridden_by, cut, partial })
    }
}

impl Hierarchy {
    /// One side of a class, or of a member of `class`.
    fn related(&self, graph: &dyn Graph, subject: &Located, class: Option<&Located>, side: Direction) -> Walk {
        let depth = self.depth.0;
        match (side, class) {
            (Direction::Down, None) => walk::subclasses(graph, subject, depth),
            (Direction::Down, Some(class)) => walk::overriding(graph, class, &[subject.symbol().name()], depth),
            (_, None) => walk::bases(graph, subject, depth),
            (_, Some(_)) => walk::overridden(graph, subject, depth),
        }
    }
}
