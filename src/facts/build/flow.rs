//! The flow of assignments: branches, loops and ends, and what names hold where ways meet.

use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use super::*;

impl Builder {
    pub(super) fn frame(&mut self) -> &mut Frame {
        self.frames.last_mut().expect("the module's frame is never left")
    }

    pub(super) fn set_state(&mut self, name: Name, value: Option<Held>) {
        let frame = self.frame();
        let before = match value {
            Some(reach) => frame.state.insert(name, reach),
            None => frame.state.remove(&name),
        };
        frame.log.push((name, before));
    }

    /// Goes one level deeper; whether that is too deep.
    fn enter_flow(&mut self) -> bool {
        let references = self.facts.places.references.len();
        let frame = self.frame();
        if frame.depth == MAX_FLOW_DEPTH {
            frame.deep_from = references;
        }
        frame.depth += 1;
        frame.depth > MAX_FLOW_DEPTH
    }

    /// Comes back one level. What was too deep has ended alive, since which of its ways did not is unknown.
    fn leave_flow(&mut self, flat: bool) {
        let frame = self.frame();
        frame.depth -= 1;
        frame.dead &= !flat;
        if flat && frame.depth == MAX_FLOW_DEPTH {
            let from = frame.deep_from;
            self.note_deep_uses(from);
        }
    }

    /// Notes the lines of the uses whose flow was not followed.
    fn note_deep_uses(&mut self, from: usize) {
        let lines = self.facts.places.references[from..].iter().map(|place| place.line);
        if let (Some(first), Some(last)) = (lines.clone().min(), lines.max()) {
            Problem { first, last, kind: ProblemKind::Depth }.note(&mut self.facts.body.problems);
        }
    }

    /// Begins a statement with several arms; the first arm begins.
    pub fn branch(&mut self) -> Branch {
        let flat = self.enter_flow();
        Branch { mark: self.frame().log.len(), arms: Vec::new(), flat }
    }

    /// Ends an arm; the next begins with what held before the branch.
    pub fn next_arm(&mut self, branch: &mut Branch) {
        if branch.flat {
            return;
        }
        let arm = self.take_arm(branch.mark);
        branch.arms.push(arm);
    }

    /// Ends an arm that may be left at any point (`try`); the next begins with what held before, during or after it.
    pub fn next_arm_after_any(&mut self, branch: &mut Branch) {
        if branch.flat {
            return;
        }
        let arm = self.take_arm(branch.mark);
        branch.arms.push(arm);
        let deltas: Vec<(Name, Option<Held>)> = branch.arms[0].0.clone();
        for (name, value) in deltas {
            if self.paths.contains(&name) {
                if value.is_none() {
                    self.set_state(name, None);
                }
                continue;
            }
            let mut reach = self.frame().state.get(&name).cloned().unwrap_or_default();
            extend(&mut reach, value.iter().flatten().copied());
            self.set_state(name, (!reach.is_empty()).then_some(reach));
        }
    }

    /// Ends the last arm. `exhaustive`: one of the arms was taken for sure.
    pub fn end_branch(&mut self, mut branch: Branch, exhaustive: bool) {
        self.leave_flow(branch.flat);
        if branch.flat {
            return;
        }
        let arm = self.take_arm(branch.mark);
        branch.arms.push(arm);
        if !exhaustive {
            branch.arms.push((Vec::new(), self.frame().dead));
        }
        let live: Vec<Delta> = branch.arms.into_iter().filter(|(_, dead)| !dead).map(|(delta, _)| delta).collect();
        self.merge(live);
    }

    /// Undoes what changed since the mark and returns it, with whether the arm ended dead.
    fn take_arm(&mut self, mark: usize) -> (Delta, bool) {
        let frame = self.frame();
        let dead = std::mem::take(&mut frame.dead);
        let delta = changed(&frame.state, &frame.log[mark..]);
        for (name, before) in frame.log.drain(mark..).rev() {
            match before {
                Some(held) => frame.state.insert(name, held),
                None => frame.state.remove(&name),
            };
        }
        (delta, dead)
    }

    /// The state after several ways that lead here; each is given by what it changed.
    fn merge(&mut self, arms: Vec<Delta>) {
        match arms.len() {
            0 => self.frame().dead = true,
            1 => {
                for (name, value) in arms.into_iter().flatten() {
                    self.set_state(name, value);
                }
            }
            _ => {
                let mut names: Vec<Name> = arms.iter().flatten().map(|(name, _)| *name).collect();
                names.sort();
                names.dedup();
                for name in names {
                    self.merge_name(name, &arms);
                }
            }
        }
    }

    fn merge_name(&mut self, name: Name, arms: &[Delta]) {
        let entry = self.frame().state.get(&name).cloned();
        let in_arm = |arm: &Delta| match arm.binary_search_by_key(&name, |(name, _)| *name) {
            Ok(at) => arm[at].1.clone(),
            Err(_) => entry.clone(),
        };
        if self.paths.contains(&name) {
            let ways = arms.iter().map(in_arm).collect();
            return self.merge_path(name, entry, ways);
        }
        let mut union = Held::new();
        let mut only_narrowed = entry.is_some();
        let root = entry.as_ref().map(|reach| self.unnarrowed(reach));
        for arm in arms {
            let value = in_arm(arm).unwrap_or_default();
            only_narrowed &= Some(self.unnarrowed(&value)) == root;
            extend(&mut union, value);
        }
        // What only tests told of a value is forgotten where the ways meet again.
        let value = if only_narrowed { entry } else { (!union.is_empty()).then_some(union) };
        self.set_state(name, value);
    }

    /// The real bindings behind narrowed ones, sorted.
    pub(super) fn unnarrowed(&self, reach: &[BindingId]) -> Held {
        let mut out = Held::new();
        for &binding in reach {
            match &self.narrowed_from[binding.index()] {
                Some((roots, _)) => extend(&mut out, roots.iter().copied()),
                None => extend(&mut out, [binding]),
            }
        }
        out.sort();
        out
    }

    /// The code that follows, up to the end of the arm, is not reached (`return`, `raise`).
    pub fn terminate(&mut self) {
        self.frame().dead = true;
    }

    /// Control leaves for the loop's end or its start (`break`, `continue`).
    pub fn jump(&mut self) {
        let frame = self.frame();
        if let Some(open) = frame.loops.last_mut().filter(|open| !open.flat && open.jumps.len() < MAX_JUMPS) {
            let delta = changed(&frame.state, &frame.log[open.mark.min(frame.log.len())..]);
            open.jumps.push(delta);
        }
        frame.dead = true;
    }

    /// Ends what [`Builder::begin_loop`] began, if it was no loop: a `switch` or a labelled block, left by jumps.
    pub fn end_breakable(&mut self) {
        let Some(open) = self.end_flow() else { return };
        let (end, dead) = self.take_arm(open.mark);
        let mut arms = open.jumps;
        if !dead {
            arms.push(end);
        }
        self.merge(arms);
    }

    /// Begins the body of a loop.
    pub fn begin_loop(&mut self) {
        let first_use = self.uses.len();
        let flat = self.enter_flow();
        let frame = self.frame();
        let mark = frame.log.len();
        frame.loops.push(OpenLoop { mark, first_use, jumps: Vec::new(), flat });
    }

    /// The innermost loop, now left, if it was followed.
    fn end_flow(&mut self) -> Option<OpenLoop> {
        let open = self.frame().loops.pop()?;
        self.leave_flow(open.flat);
        (!open.flat).then_some(open)
    }

    /// Ends the body of a loop: what it bound is seen at its start too.
    pub fn end_loop(&mut self) {
        let Some(open) = self.end_flow() else { return };
        let (end, dead) = self.take_arm(open.mark);
        let mut arms = open.jumps;
        if !dead {
            arms.push(end);
        }
        arms.push(Vec::new());
        let mut names: Vec<Name> = arms.iter().flatten().map(|(name, _)| *name).collect();
        names.sort();
        names.dedup();
        let roots =
            |builder: &Self, name: &Name| builder.frames.last()?.state.get(name).map(|it| builder.unnarrowed(it));
        let before: Vec<Option<Held>> = names.iter().map(|name| roots(self, name)).collect();
        self.merge(arms);
        // By name, what held at the start of the first round, and what may hold at the start of another.
        let mut rounds: FxHashMap<Name, (Option<Held>, Held)> = FxHashMap::default();
        for (name, before) in names.into_iter().zip(before) {
            if let Some(after) = roots(self, &name) {
                rounds.insert(name, (before, after));
            }
        }
        for at in open.first_use..self.uses.len() {
            let Some((before, after)) = rounds.get(&self.uses[at].name) else { continue };
            let from_start = match (&self.uses[at].here, before) {
                (None, _) => self.uses[at].captured.is_none(),
                (Some(here), Some(before)) => self.unnarrowed(here).iter().any(|binding| before.contains(binding)),
                (Some(_), None) => false,
            };
            if from_start {
                extend(self.uses[at].here.get_or_insert_default(), after.iter().copied());
            }
        }
    }
}

/// What some changes of a state came to, sorted by name.
fn changed(state: &FxHashMap<Name, Held>, log: &[(Name, Option<Held>)]) -> Delta {
    let mut names: SmallVec<[Name; 16]> = log.iter().map(|(name, _)| *name).collect();
    names.sort_unstable();
    names.dedup();
    names.into_iter().map(|name| (name, state.get(&name).cloned())).collect()
}
