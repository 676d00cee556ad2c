//! What a change means for each caller of what it changes: the facts behind `changed_callers`.
//!
//! Two kinds of findings: uses that lost what they used (`diff::lost_uses`), and uses of symbols that changed, whose
//! arguments may not fit any more.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use rustc_hash::FxHashMap;

use super::comparison::Comparison;
use super::walk;
use super::walk::Via;
use crate::diff::call::{self, Fit, Signature, Use};
use crate::diff::{Change, ChangeKind, Sites, Verdict, lost_uses};
use crate::facts::RefKind;
use crate::graph::{Confidence, Edge, EdgeKind, Located, SymbolKind, Target, locate};
use crate::names::{Dialect, Line, RepoPath, SymbolId};
use crate::snapshot::{FileKind, file_kind};

/// Uses of changed symbols that are judged; what lies beyond is counted by nobody.
const JUDGED_USES: usize = 200_000;

/// One caller of one changed symbol.
#[derive(Clone, Debug)]
pub struct Finding {
    pub verdict: Verdict,
    /// As it is, or as it was when it is gone.
    pub symbol: SymbolId,
    /// How it changed; `None`: it is as it was, and only the way to it is lost.
    pub change: Option<ChangeKind>,
    pub user: Located,
    /// Sorted, each once.
    pub lines: Vec<Line>,
    pub reason: String,
    pub via: Option<Via>,
    pub confidence: Confidence,
    /// The caller changed too.
    pub user_changed: bool,
}

/// All findings: the worst first, then by caller.
pub fn findings(comparison: &Comparison<'_>) -> Vec<Finding> {
    let mut judge = Judge::new(comparison);
    judge.lost();
    judge.changed();
    judge.done()
}

/// What is known of how a changed symbol can be called, before and after.
struct Callable {
    old: Option<Vec<Signature>>,
    new: Option<Vec<Signature>>,
    /// A decorator may have given it other parameters than those written.
    opaque: bool,
}

struct Judge<'c, 'a> {
    comparison: &'c Comparison<'a>,
    /// By symbol, user, verdict and reason.
    found: BTreeMap<(Verdict, RepoPath, usize, SymbolId, String), Finding>,
    sites: FxHashMap<RepoPath, Option<Rc<Sites>>>,
    judged: usize,
}

impl<'c, 'a> Judge<'c, 'a> {
    fn new(comparison: &'c Comparison<'a>) -> Self {
        Judge { comparison, found: BTreeMap::new(), sites: FxHashMap::default(), judged: 0 }
    }

    fn done(self) -> Vec<Finding> {
        let mut found: Vec<Finding> = self.found.into_values().collect();
        found.sort_by(|a, b| {
            let key = |one: &Finding| {
                (
                    one.verdict,
                    one.confidence,
                    one.user.unit.path.clone(),
                    one.lines.first().copied(),
                    one.symbol.clone(),
                )
            };
            key(a).cmp(&key(b))
        });
        found
    }

    fn add(&mut self, finding: Finding) {
        let user = &finding.user;
        let key = (finding.verdict, user.unit.path.clone(), user.at, finding.symbol.clone(), finding.reason.clone());
        match self.found.entry(key) {
            std::collections::btree_map::Entry::Vacant(entry) => {
                entry.insert(finding);
            }
            std::collections::btree_map::Entry::Occupied(mut entry) => {
                let known = entry.get_mut();
                known.lines.extend(finding.lines);
                known.lines.sort_unstable();
                known.lines.dedup();
                known.confidence = known.confidence.min(finding.confidence);
                known.via = known.via.and(finding.via);
            }
        }
    }

    // ------------------------------------------------------------------------------------------ what was lost

    fn lost(&mut self) {
        let comparison = self.comparison;
        let kinds = comparison.kinds_before();
        let modules = comparison.before.graph().modules();
        for lost in lost_uses(comparison.before, comparison.after, comparison.difference()) {
            let user_changed = self.is_changed(&lost.user);
            self.add(Finding {
                verdict: lost.verdict,
                symbol: modules.id(&lost.target),
                change: kinds.get(&lost.target).copied(),
                user: lost.user,
                lines: vec![lost.line],
                reason: lost.reason,
                via: None,
                confidence: lost.confidence,
                user_changed,
            });
        }
    }

    /// Whether a caller's own code differs.
    fn is_changed(&self, user: &Located) -> bool {
        let change = self.comparison.difference().of(&user.target());
        change.is_some_and(|change| !matches!(change.kind(), ChangeKind::Doc | ChangeKind::Resolution))
    }

    // --------------------------------------------------------------------------------------- what has changed

    fn changed(&mut self) {
        let comparison = self.comparison;
        let difference = comparison.difference();
        // Classes whose constructor changed: their calls are its calls.
        let mut constructed = BTreeSet::new();
        for change in &difference.changes {
            constructed.extend(self.constructor_change(change));
        }
        for change in &difference.changes {
            let (Some(before), Some(after)) = (&change.before, &change.after) else { continue };
            if after.is_module() || matches!(change.kind(), ChangeKind::Doc | ChangeKind::Resolution) {
                continue;
            }
            if after.symbol().kind == SymbolKind::Class {
                self.class(change, before, after, &constructed);
                if change.signature || change.body {
                    self.elements(change, after);
                }
            } else if !walk::is_constructor(after) {
                self.function(change, before, after);
            } else {
                self.direct_uses(change, before, after);
            }
        }
    }

    /// Judges the instantiations of the class whose constructor this is, if it is one. Gives that class.
    fn constructor_change(&mut self, change: &Change) -> Option<Target> {
        let located = change.located();
        let same = matches!(change.kind(), ChangeKind::Doc | ChangeKind::Resolution);
        if !walk::is_constructor(located) || same {
            return None;
        }
        let class = walk::class_of(located)?;
        let difference = self.comparison.difference();
        let class = match &change.after {
            Some(_) => class,
            None => locate(self.comparison.after.graph(), &difference.now(&class.target())?)?,
        };
        self.instantiations(change, &class);
        Some(class.target())
    }

    /// Judges the calls of a class, and of the subclasses that inherit how they are made.
    fn instantiations(&mut self, change: &Change, class: &Located) {
        let comparison = self.comparison;
        let graph = comparison.after.graph();
        let inheriting =
            walk::inheriting(graph, class).reached.into_iter().map(|one| (one.located, Some(Via::Subclass)));
        for (class, via) in std::iter::once((class.clone(), None)).chain(inheriting) {
            let was = comparison.difference().was(&class.target());
            let was = was.and_then(|target| locate(comparison.before.graph(), &target));
            let callable = Callable {
                old: was.and_then(|was| call::constructor(comparison.before, &was)),
                new: call::constructor(comparison.after, &class),
                opaque: false,
            };
            let target = class.target();
            self.uses(change, &target, &[EdgeKind::Calls], via, Some(&callable), true);
        }
    }

    fn class(&mut self, change: &Change, before: &Located, after: &Located, constructed: &BTreeSet<Target>) {
        let target = after.target();
        if !constructed.contains(&target) {
            let made_otherwise =
                call::constructor(self.comparison.before, before) != call::constructor(self.comparison.after, after);
            if made_otherwise {
                self.instantiations(change, after);
            } else {
                self.uses(change, &target, &[EdgeKind::Calls], None, None, true);
            }
        }
        let kinds: &[EdgeKind] = match change.signature || before.target() != target {
            true => &[EdgeKind::Inherits, EdgeKind::References],
            false => &[EdgeKind::Inherits],
        };
        self.uses(change, &target, kinds, None, None, false);
    }

    /// Judges the elements whose properties have a type that changed: of the functions that name it in an annotation.
    fn elements(&mut self, change: &Change, properties: &Located) {
        let graph = self.comparison.after.graph();
        let target = properties.target();
        let mut components = BTreeSet::new();
        for unit in graph.users(&target) {
            let Some(sites) = self.sites(&unit.path) else { continue };
            let names = |edge: &&Edge| edge.target == target && edge.kind == EdgeKind::References;
            for edge in unit.edges.iter().filter(names) {
                if sites.at(edge.site).any(|reference| reference.kind == RefKind::Annotation) {
                    components.insert(unit.target(edge.source as usize));
                }
            }
        }
        for component in components {
            let reason = format!("properties of {} changed", graph.modules().id(&component));
            for unit in graph.users(&component) {
                let Some(sites) = self.sites(&unit.path) else { continue };
                let calls = |edge: &&Edge| edge.target == component && edge.kind == EdgeKind::Calls;
                for edge in unit.edges.iter().filter(calls) {
                    self.judged += 1;
                    let used = call::use_at(graph, &sites, edge.site, component.local.as_str(), true);
                    if self.judged > JUDGED_USES || !matches!(used, Use::Element) {
                        continue;
                    }
                    let user = Located { unit: unit.clone(), at: edge.source as usize };
                    let user_changed = self.is_changed(&user);
                    self.add(Finding {
                        verdict: Verdict::Check,
                        symbol: self.comparison.id(change),
                        change: Some(change.kind()),
                        user,
                        lines: vec![edge.site.line],
                        reason: reason.clone(),
                        via: None,
                        confidence: edge.confidence,
                        user_changed,
                    });
                }
            }
        }
    }

    fn function(&mut self, change: &Change, before: &Located, after: &Located) {
        let callable = self.callable(change, before, after);
        for (target, via) in walk::called_as(self.comparison.after.graph(), after) {
            let kinds: &[EdgeKind] = match via {
                Some(_) => &[EdgeKind::Calls],
                None => &[EdgeKind::Calls, EdgeKind::References],
            };
            self.uses(change, &target, kinds, via, callable.as_ref(), false);
        }
    }

    /// A constructor that is called by its name (`super().__init__()`).
    fn direct_uses(&mut self, change: &Change, before: &Located, after: &Located) {
        let callable = self.callable(change, before, after);
        let kinds = [EdgeKind::Calls, EdgeKind::References];
        self.uses(change, &after.target(), &kinds, None, callable.as_ref(), false);
    }

    fn callable(&mut self, change: &Change, before: &Located, after: &Located) -> Option<Callable> {
        if !change.signature {
            return None;
        }
        let sites = self.sites(&after.unit.path)?;
        let old = Sites::of(self.comparison.before, before.unit.path.as_str());
        let old = old.and_then(|sites| call::signatures(&sites, before));
        Some(Callable { old, new: call::signatures(&sites, after), opaque: call::is_decorated(&sites, after) })
    }

    fn sites(&mut self, path: &RepoPath) -> Option<Rc<Sites>> {
        let side = self.comparison.after;
        let sites = self.sites.entry(path.clone());
        sites.or_insert_with(|| Sites::of(side, path.as_str()).map(Rc::new)).clone()
    }

    /// Judges all uses of a target.
    fn uses(
        &mut self,
        change: &Change,
        target: &Target,
        kinds: &[EdgeKind],
        via: Option<Via>,
        callable: Option<&Callable>,
        instance: bool,
    ) {
        let graph = self.comparison.after.graph();
        for unit in graph.users(target) {
            for edge in unit.edges.iter().filter(|edge| edge.target == *target && kinds.contains(&edge.kind)) {
                let user = Located { unit: unit.clone(), at: edge.source as usize };
                let own = change.after.as_ref().is_some_and(|after| after.target() == user.target());
                self.judged += 1;
                if own || self.judged > JUDGED_USES {
                    continue;
                }
                let user_changed = self.is_changed(&user);
                if change.kind() == ChangeKind::Moved && self.moved_along(change, &user) {
                    continue;
                }
                let (verdict, reason) = self.verdict(change, edge, &user, user_changed, callable, instance);
                // An override may run here, or may not; and what was found by name may be something else.
                let unsure = via == Some(Via::Override) || edge.confidence == Confidence::Name;
                let verdict = if unsure { verdict.max(Verdict::Check) } else { verdict };
                self.add(Finding {
                    verdict,
                    symbol: self.comparison.id(change),
                    change: Some(change.kind()),
                    user,
                    lines: vec![edge.site.line],
                    reason,
                    via,
                    confidence: edge.confidence,
                    user_changed,
                });
            }
        }
    }

    fn verdict(
        &mut self,
        change: &Change,
        edge: &Edge,
        user: &Located,
        user_changed: bool,
        callable: Option<&Callable>,
        instance: bool,
    ) -> (Verdict, String) {
        let changed = match () {
            () if change.before.is_none() => (Verdict::Check, "constructor added"),
            () if change.after.is_none() => (Verdict::Check, "constructor removed"),
            () if change.signature => (Verdict::Check, "signature changed"),
            () if change.body => (Verdict::Check, "body changed"),
            () => (Verdict::Ok, ""),
        };
        let changed = (changed.0, changed.1.to_owned());
        let Some(Callable { old, new: Some(new), opaque }) = callable else { return changed };
        let old = old.as_deref().unwrap_or_default();
        if old == new {
            return changed;
        }
        let Some(sites) = self.sites(&user.unit.path) else { return changed };
        let name = change.located().symbol().name();
        let surplus_ignored = is_javascript(&user.unit.path);
        let property = |signatures: &[Signature]| signatures.iter().any(|signature| signature.is_property);
        match call::use_at(self.comparison.after.graph(), &sites, edge.site, name, surplus_ignored) {
            Use::Call(_) if property(new) && !property(old) => (Verdict::Broken, format!("`{name}` is a property now")),
            Use::Read if property(old) && !property(new) => {
                (Verdict::Broken, format!("`{name}` is no property any more"))
            }
            Use::Call(call) => match call.fits(new, instance) {
                Fit::Fits if self.is_new(user) => (Verdict::Ok, String::new()),
                Fit::Fits => changed,
                Fit::Unsure => (Verdict::Check, format!("{}; the arguments cannot be told", changed.1)),
                // What did not fit before is called in a way that we do not see through; unless it is a new call.
                Fit::Misfit(reason) if call.fits(old, instance) == Fit::Fits || (user_changed && !opaque) => {
                    (Verdict::Broken, reason)
                }
                Fit::Misfit(_) => changed,
            },
            Use::Element | Use::Read | Use::Other => changed,
        }
    }

    /// Whether a moved symbol and its user came from one file and are in one: nothing is different between them.
    fn moved_along(&self, change: &Change, user: &Located) -> bool {
        let path = |located: &Option<Located>| located.as_ref().map(|located| located.unit.path.clone());
        let was = self.comparison.difference().was(&user.target()).map(|target| target.path);
        !change.signature
            && !change.body
            && path(&change.after).as_ref() == Some(&user.unit.path)
            && path(&change.before) == was
    }

    fn is_new(&self, user: &Located) -> bool {
        self.comparison.difference().of(&user.target()).is_some_and(|change| change.before.is_none())
    }
}

fn is_javascript(path: &RepoPath) -> bool {
    file_kind(path.file_name().as_bytes()) == FileKind::Read(Dialect::JavaScript)
}

/// The caller rows' worst verdicts, counted.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, serde::Serialize)]
pub struct Summary {
    pub broken: usize,
    pub check: usize,
    pub ok: usize,
}

impl Summary {
    pub fn of(findings: &[Finding]) -> Summary {
        let count = |verdict| findings.iter().filter(|finding| finding.verdict == verdict).count();
        Summary { broken: count(Verdict::Broken), check: count(Verdict::Check), ok: count(Verdict::Ok) }
    }
}

/// Whether a finding is about a symbol, or about a part of it.
pub fn is_about(finding: &Finding, subjects: &[SymbolId]) -> bool {
    subjects.iter().any(|subject| {
        let (own, asked) = (finding.symbol.local.as_str(), subject.local.as_str());
        let inside = own.strip_prefix(asked).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'));
        finding.symbol.module == subject.module && (subject.local.is_module() || inside)
    })
}
