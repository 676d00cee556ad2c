//! Least solutions of systems of equations, on demand.
//!
//! A question is answered by its rule, which may ask further questions. Where questions depend on each other in a circle
//! (a strongly connected component), each starts from the least value and the whole component is computed again until
//! nothing changes; only then does anything of it become final. Rules are monotone, so the answer is the least solution
//! and does not depend on who asked first.
//!
//! The bookkeeping is Tarjan's: a stack of open questions, and for each finished but not yet final one the lowest open
//! question that it rests on (its head).

use std::hash::Hash;

use super::interner::Interner;

/// Most passes over one component; a component that needs more becomes the top as a whole. The sets have a height well
/// below this, but a value that is made of itself (`x = [x]`) climbs out of their depth and falls back to its beginning.
const MAX_PASSES: u32 = 200;

/// A question, by its number in the system.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct QuestionId(u32);

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum State {
    /// Not computed.
    Fresh,
    /// On the stack, at this depth.
    Open(u32),
    /// Computed, but resting on an open question: that one, when it was computed.
    Waiting(QuestionId),
    Final,
}

struct Entry<V> {
    value: V,
    state: State,
    /// The pass in which the value was computed.
    pass: u64,
}

struct Frame {
    question: QuestionId,
    /// The lowest depth that this question was found to rest on.
    low: u32,
    /// When the present computation began.
    began: u64,
    /// Where its waiting questions begin in `waiting`.
    mark: usize,
    /// Whether something that it rests on has another value than in the pass before.
    changed: bool,
    /// Whether it was asked for while it was open.
    read: bool,
    passes: u32,
}

/// What [`Table::ask`] tells the caller to do.
pub enum Ask<V> {
    Known(V),
    /// Compute the rule and give the value to [`Table::answer`]; again, if that says so.
    Compute(QuestionId),
}

/// The answers so far.
pub struct Table<Q, V> {
    questions: Interner<Q>,
    /// Parallel to the questions.
    entries: Vec<Entry<V>>,
    stack: Vec<Frame>,
    waiting: Vec<QuestionId>,
    passes: u64,
    never: V,
    top: V,
}

impl<Q: Hash + Eq, V: Copy + PartialEq> Table<Q, V> {
    pub fn new(never: V, top: V) -> Self {
        Table {
            questions: Interner::default(),
            entries: Vec::new(),
            stack: Vec::new(),
            waiting: Vec::new(),
            passes: 0,
            never,
            top,
        }
    }

    /// Forgets all questions; none may be open.
    pub fn clear(&mut self) {
        debug_assert!(self.stack.is_empty());
        self.questions.clear();
        self.entries.clear();
        self.waiting.clear();
    }

    /// The value of a question, or the order to compute it.
    pub fn ask(&mut self, question: Q) -> Ask<V> {
        let id = QuestionId(self.questions.intern(question));
        if id.0 as usize == self.entries.len() {
            self.entries.push(Entry { value: self.never, state: State::Fresh, pass: 0 });
        }
        let entry = &self.entries[id.0 as usize];
        let (value, pass) = (entry.value, entry.pass);
        match entry.state {
            State::Final => Ask::Known(value),
            State::Fresh => self.open(id),
            State::Open(depth) => {
                self.stack[depth as usize].read = true;
                self.rest_on(depth);
                Ask::Known(value)
            }
            State::Waiting(_) => {
                let depth = self.head(id);
                if pass < self.stack[depth as usize].began {
                    return self.open(id);
                }
                self.rest_on(depth);
                Ask::Known(value)
            }
        }
    }

    fn open(&mut self, id: QuestionId) -> Ask<V> {
        let depth = self.stack.len() as u32;
        self.passes += 1;
        self.entries[id.0 as usize].state = State::Open(depth);
        self.stack.push(Frame {
            question: id,
            low: depth,
            began: self.passes,
            mark: self.waiting.len(),
            changed: false,
            read: false,
            passes: 0,
        });
        Ask::Compute(id)
    }

    fn rest_on(&mut self, depth: u32) {
        if let Some(frame) = self.stack.last_mut() {
            frame.low = frame.low.min(depth);
        }
    }

    /// The depth of the open question that a waiting one rests on now.
    fn head(&mut self, id: QuestionId) -> u32 {
        let mut at = id;
        let depth = loop {
            match self.entries[at.0 as usize].state {
                State::Open(depth) => break depth,
                State::Waiting(head) => at = head,
                State::Final | State::Fresh => unreachable!("a question waits for an open one"),
            }
        };
        // Shorten the way for the next time.
        let head = self.stack[depth as usize].question;
        let mut at = id;
        while let State::Waiting(next) = self.entries[at.0 as usize].state {
            self.entries[at.0 as usize].state = State::Waiting(head);
            at = next;
        }
        depth
    }

    /// Takes a computed value. `None`: the rule must be computed again, since what it rests on has changed.
    pub fn answer(&mut self, id: QuestionId, value: V) -> Option<V> {
        let depth = self.stack.len() as u32 - 1;
        let frame = &mut self.stack[depth as usize];
        debug_assert_eq!(frame.question, id);
        let entry = &mut self.entries[id.0 as usize];
        let moved = entry.value != value;
        entry.value = value;
        entry.pass = frame.began;
        if frame.low < depth {
            // Part of a greater component: its head will come again if anything moved.
            let (low, changed) = (frame.low, frame.changed || moved);
            self.entries[id.0 as usize].state = State::Waiting(self.stack[low as usize].question);
            self.waiting.push(id);
            self.stack.pop();
            let parent = self.stack.last_mut().expect("a lower question is open");
            parent.low = parent.low.min(low);
            parent.changed |= changed;
            return Some(value);
        }
        let alone = frame.mark == self.waiting.len() && !frame.read;
        if alone || (!moved && !frame.changed) {
            return Some(self.close(depth));
        }
        frame.passes += 1;
        if frame.passes > MAX_PASSES {
            self.exhaust(depth);
            return Some(self.close(depth));
        }
        self.passes += 1;
        frame.began = self.passes;
        frame.changed = false;
        frame.read = false;
        None
    }

    /// Gives the whole component of the question at this depth the top as its value.
    fn exhaust(&mut self, depth: u32) {
        let frame = &self.stack[depth as usize];
        let began = frame.began;
        for id in self.waiting[frame.mark..].iter().chain([&frame.question]) {
            let entry = &mut self.entries[id.0 as usize];
            entry.value = self.top;
            entry.pass = began;
        }
    }

    /// Makes the component of the topmost open question final.
    fn close(&mut self, depth: u32) -> V {
        let frame = self.stack.pop().expect("the question is open");
        debug_assert_eq!(self.stack.len() as u32, depth);
        for id in self.waiting.drain(frame.mark..) {
            let entry = &mut self.entries[id.0 as usize];
            if !matches!(entry.state, State::Waiting(_)) {
                continue;
            }
            if entry.pass >= frame.began {
                entry.state = State::Final;
            } else {
                // The last pass did not reach it, so its value is not of this solution.
                entry.state = State::Fresh;
                entry.value = self.never;
            }
        }
        let entry = &mut self.entries[frame.question.0 as usize];
        entry.state = State::Final;
        entry.value
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A system over bit sets: each value is a constant joined with other values.
    struct System {
        table: Table<usize, u32>,
        equations: Vec<(u32, Vec<usize>)>,
    }

    impl System {
        fn ask(&mut self, at: usize) -> u32 {
            let id = match self.table.ask(at) {
                Ask::Known(value) => return value,
                Ask::Compute(id) => id,
            };
            loop {
                let (mut value, reads) = self.equations[at].clone();
                for read in reads {
                    value |= self.ask(read);
                }
                if let Some(value) = self.table.answer(id, value) {
                    return value;
                }
            }
        }
    }

    proptest::proptest! {
        #[test]
        fn every_order_of_questions_finds_the_least_solution(
            equations in proptest::collection::vec((0..256u32, proptest::collection::vec(0..12usize, 0..4)), 12),
            order in proptest::collection::vec(0..12usize, 1..24),
        ) {
            let mut expected = vec![0; equations.len()];
            loop {
                let next: Vec<u32> = equations
                    .iter()
                    .map(|(own, reads)| reads.iter().fold(*own, |value, &read| value | expected[read]))
                    .collect();
                if next == expected {
                    break;
                }
                expected = next;
            }
            let mut system = System { table: Table::new(0, u32::MAX), equations };
            for at in order {
                proptest::prop_assert_eq!(system.ask(at), expected[at]);
            }
        }
    }
}
