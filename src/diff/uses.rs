//! Uses that lost what they used: the edge of before is gone, and what was written is still there.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};
use serde::Serialize;

use super::Difference;
use super::sites::{Sites, exported_import, root, used_expr, used_name};
use crate::facts::{BindingId, Expr, Facts, Flags, Import, ImportId, RefKind, RefTarget, Reference, Value};
use crate::graph::{Confidence, Edge, EdgeKind, Graph, Located, Side, Site, Target, locate};
use crate::names::{Line, LocalPath, RepoPath};

/// What a change means for a caller, the worst first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    Broken,
    Check,
    Ok,
}

/// A use that no longer leads where it led.
#[derive(Clone, Debug)]
pub struct LostUse {
    /// What was used, as it was.
    pub target: Target,
    /// Who uses, as it is.
    pub user: Located,
    pub kind: EdgeKind,
    pub line: Line,
    pub verdict: Verdict,
    pub reason: String,
    pub confidence: Confidence,
    /// Nothing can be told of what stands there now.
    is_untold: bool,
}

const KINDS: [EdgeKind; 4] = [EdgeKind::Imports, EdgeKind::Calls, EdgeKind::Inherits, EdgeKind::References];

/// The uses that were lost between two graphs, by user and line.
pub fn lost_uses(before: &dyn Side, after: &dyn Side, difference: &Difference) -> Vec<LostUse> {
    let mut search = Search { before, after, difference, old: FxHashMap::default(), new: FxHashMap::default() };
    let mut lost = Vec::new();
    for path in &difference.paths {
        let first = lost.len();
        search.file(path, &mut lost);
        search.follow_owners(&mut lost[first..]);
    }
    lost.sort_by(|a, b| {
        let key = |use_: &LostUse| (use_.user.key(), use_.line, use_.target.clone(), use_.kind);
        key(a).cmp(&key(b))
    });
    lost
}

struct Search<'a> {
    before: &'a dyn Side,
    after: &'a dyn Side,
    difference: &'a Difference,
    old: FxHashMap<RepoPath, Option<Rc<Sites>>>,
    new: FxHashMap<RepoPath, Option<Rc<Sites>>>,
}

/// A use whose edge is gone.
#[derive(Clone, Copy)]
struct Lost<'a> {
    old: &'a Sites,
    new: &'a Sites,
    /// Of before.
    edge: &'a Edge,
    /// Where its target is now.
    now: Option<&'a Target>,
    /// As used.
    name: &'a str,
    /// The file is as it was.
    unchanged: bool,
}

/// What became of a use: verdict, reason, and whether nothing can be told of it.
type Judged = (Verdict, String, bool);

/// What a name stands for where it is used, when no edge says it.
enum Standing {
    /// It leads nowhere, for this reason.
    Nowhere(String),
    /// Out of the project, for this reason.
    Outside(String),
    /// To something else than before.
    Elsewhere,
    Unknown,
}

impl Search<'_> {
    fn old_sites(&mut self, path: &RepoPath) -> Option<Rc<Sites>> {
        let side = self.before;
        let sites = self.old.entry(path.clone());
        sites.or_insert_with(|| Sites::of(side, path.as_str()).map(Rc::new)).clone()
    }

    fn new_sites(&mut self, path: &RepoPath) -> Option<Rc<Sites>> {
        let side = self.after;
        let sites = self.new.entry(path.clone());
        sites.or_insert_with(|| Sites::of(side, path.as_str()).map(Rc::new)).clone()
    }

    fn file(&mut self, path: &RepoPath, lost: &mut Vec<LostUse>) {
        let Some(unit) = self.before.graph().unit(path.as_str()) else { return };
        let unchanged = blob(self.before.graph(), path) == blob(self.after.graph(), path);
        // Pairs of user and target that still have an edge, by the file of the user.
        let mut kept: FxHashMap<RepoPath, FxHashSet<(Option<Site>, usize, EdgeKind, Target)>> = FxHashMap::default();
        let mut users: FxHashMap<u32, Option<Located>> = FxHashMap::default();
        let mut seen: FxHashSet<(usize, EdgeKind, &Target, Option<Site>)> = FxHashSet::default();
        for edge in unit.edges.iter().filter(|edge| KINDS.contains(&edge.kind)) {
            if self.difference.correspondence.unread.contains(&edge.target.path) {
                continue;
            }
            let user = users.entry(edge.source).or_insert_with(|| {
                let user = self.difference.now(&unit.target(edge.source as usize))?;
                locate(self.after.graph(), &user)
            });
            let Some(user) = user.clone() else { continue };
            let site = unchanged.then_some(edge.site);
            let kept = kept.entry(user.unit.path.clone()).or_insert_with(|| {
                let edges = user.unit.edges.iter().filter(|edge| KINDS.contains(&edge.kind));
                let key = |edge: &Edge| {
                    (unchanged.then_some(edge.site), edge.source as usize, edge.kind, edge.target.clone())
                };
                edges.map(key).collect()
            });
            let now = self.difference.now(&edge.target);
            if now.clone().is_some_and(|now| kept.contains(&(site, user.at, edge.kind, now))) {
                continue;
            }
            // Without sites, all uses of one target by one user are looked at together.
            if !seen.insert((user.at, edge.kind, &edge.target, site)) {
                continue;
            }
            self.edge(path, edge, &user, now.as_ref(), unchanged, lost);
        }
    }

    /// Where a file has lost a class, what it used of the class is lost too, although nothing is known any more of
    /// what the values are.
    fn follow_owners(&self, lost: &mut [LostUse]) {
        let broken = |one: &&LostUse| one.verdict == Verdict::Broken;
        let classes: FxHashSet<Target> = lost.iter().filter(broken).map(|one| one.target.clone()).collect();
        for one in lost.iter_mut().filter(|one| one.verdict == Verdict::Check && one.confidence == Confidence::Sure) {
            let owner = one.target.local.as_str().rsplit_once('.').map(|(owner, _)| owner);
            let Some(owner) = owner else { continue };
            let owner = Target { path: one.target.path.clone(), local: LocalPath(owner.into()) };
            if one.is_untold && classes.contains(&owner) {
                one.verdict = Verdict::Broken;
                let _ = write!(one.reason, "; {} is lost too", self.before.graph().modules().id(&owner));
            }
        }
    }

    /// Looks for what is left of a use whose edge is gone.
    fn edge(
        &mut self,
        path: &RepoPath,
        edge: &Edge,
        user: &Located,
        now: Option<&Target>,
        unchanged: bool,
        lost: &mut Vec<LostUse>,
    ) {
        let Some(old) = self.old_sites(path) else { return };
        let Some(new) = self.new_sites(&user.unit.path) else { return };
        let mut found: BTreeMap<Line, Judged> = BTreeMap::new();
        for was in old.at(edge.site).filter(|reference| makes(reference.kind, edge.kind)) {
            let Some(name) = used_name(&old.facts, was) else { continue };
            let same = |(at, reference): &(usize, &Reference)| {
                reference.kind == was.kind
                    && used_name(&new.facts, reference) == Some(name)
                    && (!unchanged || new.site(*at) == edge.site)
            };
            let owner = if was.kind == RefKind::Import { 0 } else { user.at };
            for (at, reference) in new.owned_by(owner).filter(same) {
                let site = new.site(at);
                let lost = Lost { old: &old, new: &new, edge, now, name, unchanged };
                let Some((mut verdict, mut reason, untold)) = self.judge(&lost, reference, site) else { continue };
                // What was a guess is no proof.
                if edge.confidence == Confidence::Name {
                    verdict = verdict.max(Verdict::Check);
                }
                if verdict == Verdict::Broken
                    && let Some(doubt) = self.doubt(&new, reference, &edge.target.path)
                {
                    verdict = Verdict::Check;
                    reason.push_str(doubt);
                }
                let known = found.entry(site.line).or_insert_with(|| (verdict, reason.clone(), untold));
                if verdict < known.0 {
                    *known = (verdict, reason, untold);
                }
            }
        }
        lost.extend(found.into_iter().map(|(line, (verdict, reason, is_untold))| LostUse {
            is_untold,
            target: edge.target.clone(),
            user: user.clone(),
            kind: edge.kind,
            line,
            verdict,
            reason,
            confidence: edge.confidence,
        }));
    }

    /// What became of a use that is still written; `None`: it is none of the target any more, or still is.
    fn judge(&self, lost: &Lost<'_>, reference: &Reference, site: Site) -> Option<Judged> {
        let Lost { old, new, edge, now, name, unchanged } = *lost;
        // Where the file changed, uses of one name are told apart by nothing: one that was so before is no news.
        let before = |source: u32| !unchanged && source == edge.source;
        let mut reason = String::new();
        if let Some(missing) = new.unit.missing.iter().find(|one| one.site == site) {
            if old.unit.missing.iter().any(|one| before(one.source) && one.name == missing.name) {
                return None;
            }
            let owner = self.after.graph().modules().id(&missing.owner);
            let _ = write!(reason, "`{}` is not in {owner}", missing.name);
            self.add_new_place(edge, now, &mut reason);
            return Some((Verdict::Broken, reason, false));
        }
        let edges = new.unit.edges.iter().filter(|edge| edge.site == site && KINDS.contains(&edge.kind));
        let mut elsewhere: Vec<&Target> = edges.map(|edge| &edge.target).collect();
        elsewhere.sort();
        let other_uses = old.unit.edges.iter().filter(|one| before(one.source) && KINDS.contains(&one.kind));
        let other_uses: FxHashSet<Target> = other_uses.filter_map(|one| self.difference.now(&one.target)).collect();
        if elsewhere.iter().any(|target| Some(*target) == now || other_uses.contains(*target)) {
            return None;
        }
        // An import of a name leads to its module too; that it still does says nothing of the name.
        let of_name = edge.kind == EdgeKind::Imports && !edge.target.local.is_module();
        if let Some(target) = elsewhere.iter().find(|target| !of_name || !target.local.is_module()) {
            let _ = write!(reason, "now means {}", self.after.graph().modules().id(target));
            return Some((Verdict::Check, reason, false));
        }
        let is_gone = self.after_has(&edge.target).is_none();
        if new.unit.unresolved.iter().any(|one| one.site == site) {
            if old.unit.unresolved.iter().any(|one| before(one.source) && *one.name == *name) {
                return None;
            }
            let _ = write!(reason, "`{name}` cannot be found any more");
            self.add_new_place(edge, now, &mut reason);
            return Some((if is_gone { Verdict::Broken } else { Verdict::Check }, reason, !is_gone));
        }
        match self.standing(old, new, reference) {
            Standing::Nowhere(text) => {
                reason = text;
                self.add_new_place(edge, now, &mut reason);
                Some((Verdict::Broken, reason, false))
            }
            Standing::Outside(reason) => Some((Verdict::Check, reason, false)),
            Standing::Elsewhere => None,
            Standing::Unknown if is_gone && self.owner_lacks_it(lost, reference) => {
                let owner = self.after.graph().modules().id(&edge.target).to_string();
                let owner = owner.rsplit_once('.').map_or(owner.as_str(), |(owner, _)| owner);
                let _ = write!(reason, "`{name}` is not in {owner}");
                self.add_new_place(edge, now, &mut reason);
                Some((Verdict::Broken, reason, false))
            }
            Standing::Unknown if is_gone => {
                let _ = write!(reason, "`{name}` may come from outside the project now");
                self.add_new_place(edge, now, &mut reason);
                Some((Verdict::Check, reason, true))
            }
            Standing::Unknown => None,
        }
    }

    /// Why a use that leads nowhere need not be broken.
    fn doubt(&self, new: &Sites, reference: &Reference, target: &RepoPath) -> Option<&'static str> {
        let is_guarded = |import: ImportId| new.facts.surface.imports[import.index()].guarded;
        let is_gone = self.after.graph().unit(target.as_str()).is_none();
        let guards = |binding: BindingId| match new.facts.binding(binding).value {
            Value::Imported(import, _) => is_guarded(import),
            // A module that is there and lacks a name fails where it is used.
            Value::Module(import) => is_guarded(import) && is_gone,
            Value::Expr(expr) => match new.facts.expr(expr) {
                Expr::Module(import) => is_guarded(*import) && is_gone,
                _ => false,
            },
            _ => false,
        };
        let guarded = match reference.target {
            RefTarget::Import(import, _) => is_guarded(import),
            _ => {
                let named = used_expr(&new.facts, reference).and_then(|expr| root(&new.facts, expr));
                named.is_some_and(|(_, reach, _)| reach.iter().copied().any(guards))
            }
        };
        let unread = |side: &dyn Side| side.facts(target.as_str()).map_or(0, |facts| unread_lines(&facts));
        match () {
            () if guarded => Some("; its import may fail"),
            () if unread(self.after) > unread(self.before) => Some("; part of its file cannot be read now"),
            () => None,
        }
    }

    /// Whether a use names the class that had the member (`Status.Paid`), and that class has nothing from elsewhere.
    fn owner_lacks_it(&self, lost: &Lost<'_>, reference: &Reference) -> bool {
        let new = lost.new;
        let base = used_expr(&new.facts, reference).and_then(|expr| match new.facts.expr(expr) {
            Expr::Attribute { base, .. } => Some(*base),
            _ => None,
        });
        let Some(site) = base.and_then(|base| new.of_expr(base)).map(|at| new.site(at)) else { return false };
        let local = lost.edge.target.local.as_str();
        let Some((owner, _)) = local.rsplit_once('.') else { return false };
        let owner = Target { path: lost.edge.target.path.clone(), local: LocalPath(owner.into()) };
        let Some(now) = self.difference.now(&owner) else { return false };
        let leads = new.unit.edges.iter().any(|edge| edge.site == site && edge.target == now);
        let class = locate(self.after.graph(), &now).and_then(|class| {
            let sites = Sites::of(self.after, class.unit.path.as_str())?;
            let definitions = sites.definitions(class.symbol());
            Some(definitions.into_iter().all(|id| {
                let definition = sites.facts.definition(id);
                let closed = |class| {
                    let class = sites.facts.class(class);
                    class.bases.is_empty() && class.base_values.is_empty() && class.index.is_none()
                };
                definition.flags.has(Flags::ENUM) || definition.class.is_some_and(closed)
            }))
        });
        leads && class == Some(true)
    }

    fn add_new_place(&self, edge: &Edge, now: Option<&Target>, reason: &mut String) {
        if let Some(now) = now.filter(|now| **now != edge.target) {
            let _ = write!(reason, "; it is {} now", self.after.graph().modules().id(now));
        }
    }

    fn after_has(&self, target: &Target) -> Option<Located> {
        locate(self.after.graph(), target)
    }

    /// What the name of a use stands for by the file's own text.
    fn standing(&self, old: &Sites, new: &Sites, reference: &Reference) -> Standing {
        match reference.target {
            RefTarget::Import(import, name) => return self.import(old, new, import, name),
            RefTarget::Export(index) => {
                let import = exported_import(&new.facts, index);
                return import.map_or(Standing::Unknown, |import| self.import(old, new, import, None));
            }
            RefTarget::Parameter(..) => {
                let name = used_name(&new.facts, reference).unwrap_or_default();
                return Standing::Nowhere(format!("no fixture `{name}` is left"));
            }
            RefTarget::Expr(_) | RefTarget::Form(_) => {}
        }
        if reference.kind == RefKind::Import
            && let RefTarget::Expr(expr) = reference.target
            && let Expr::Module(import) = new.facts.expr(expr)
        {
            return self.import(old, new, *import, None);
        }
        let Some(expr) = used_expr(&new.facts, reference) else { return Standing::Unknown };
        let Some((name, reach, is_direct)) = root(&new.facts, expr) else { return Standing::Unknown };
        if reach.is_empty() {
            return Standing::Nowhere(format!("`{name}` is not defined"));
        }
        let mut standing = Standing::Elsewhere;
        for &binding in reach {
            match self.binding(old, new, binding) {
                Standing::Nowhere(reason) => return Standing::Nowhere(reason),
                Standing::Outside(reason) => return Standing::Outside(reason),
                Standing::Unknown => standing = Standing::Unknown,
                Standing::Elsewhere => {}
            }
        }
        // An attribute of something that is still there: who knows what it has.
        if is_direct { standing } else { Standing::Unknown }
    }

    fn binding(&self, old: &Sites, new: &Sites, binding: BindingId) -> Standing {
        match new.facts.binding(binding).value {
            Value::Module(import) => self.import(old, new, import, None),
            Value::Imported(import, name) => self.import(old, new, import, Some(name)),
            _ => Standing::Elsewhere,
        }
    }

    /// Whether an import leads anywhere. One that is written as before but leads out of the project, since what it led
    /// to is not there any more, does not.
    fn import(&self, old: &Sites, new: &Sites, import: ImportId, name: Option<u32>) -> Standing {
        let data = &new.facts.surface.imports[import.index()];
        let module = new.facts.text(data.module);
        let Some(at) = new.import((import, name)).or_else(|| new.import((import, None))) else {
            return Standing::Unknown;
        };
        let site = new.site(at);
        if let Some(missing) = new.unit.missing.iter().find(|one| one.site == site) {
            let owner = self.after.graph().modules().id(&missing.owner);
            return Standing::Nowhere(format!("`{}` is not in {owner}", missing.name));
        }
        if new.unit.edges.iter().any(|edge| edge.site == site && edge.kind == EdgeKind::Imports) {
            return Standing::Elsewhere;
        }
        // What the same words led to before.
        let same =
            |(_, import): &(usize, &Import)| (old.facts.text(import.module), import.level) == (module, data.level);
        let same = old.facts.surface.imports.iter().enumerate().filter(same);
        let sites = same.flat_map(|(was, _)| old.imports_of(ImportId::new(was))).map(|at| old.site(at));
        let sites: FxHashSet<Site> = sites.collect();
        let imports = old.unit.edges.iter().filter(|edge| edge.kind == EdgeKind::Imports);
        let led: Vec<&Edge> = imports.filter(|edge| sites.contains(&edge.site)).collect();
        let gone: Vec<&&Edge> = led.iter().filter(|edge| self.after_has(&edge.target).is_none()).collect();
        match gone.first() {
            _ if led.is_empty() => Standing::Elsewhere,
            None => Standing::Outside(format!("`{module}` leads out of the project now")),
            Some(_) if gone.len() == led.len() => Standing::Nowhere(format!("module `{module}` is gone")),
            Some(edge) => {
                let id = self.before.graph().modules().id(&edge.target);
                Standing::Nowhere(format!("{id} is gone"))
            }
        }
    }
}

fn unread_lines(facts: &Facts) -> u32 {
    facts.body.problems.iter().map(|problem| problem.last - problem.first.min(problem.last) + 1).sum()
}

fn blob(graph: &dyn Graph, path: &RepoPath) -> Option<crate::names::BlobId> {
    let at = graph.entries().binary_search_by(|entry| entry.path.cmp(path)).ok()?;
    Some(graph.entries()[at].blob)
}

/// Whether a reference of this kind can be what an edge was made of.
fn makes(reference: RefKind, edge: EdgeKind) -> bool {
    match edge {
        EdgeKind::Imports => reference == RefKind::Import,
        EdgeKind::Inherits => reference == RefKind::Base,
        EdgeKind::Calls => matches!(reference, RefKind::Call | RefKind::Read | RefKind::Write),
        _ => reference != RefKind::Import,
    }
}
