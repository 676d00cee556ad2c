//! Running programs and what a run costs, as the operating system counts it. Knows nothing of what is measured.

use std::io::Read;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use wait4::Wait4;

use crate::Outcome;

/// What one run of a program cost, its start included.
#[derive(Clone, Copy)]
pub struct Cost {
    pub wall: Duration,
    /// User and system time of all its threads.
    pub cpu: Duration,
    /// The largest resident set, in bytes.
    pub peak: u64,
}

impl Cost {
    /// What two runs of the same thing say together: the least time, since what other programs on the machine add is
    /// only ever more, and the most memory, since it depends on which thread comes first.
    fn with(self, other: Cost) -> Cost {
        Cost { wall: self.wall.min(other.wall), cpu: self.cpu.min(other.cpu), peak: self.peak.max(other.peak) }
    }
}

/// Runs a program to its end; it must succeed. Gives what it printed, too.
pub fn run_for_output(command: &mut Command) -> Outcome<(Cost, String)> {
    command.stdin(Stdio::null()).stdout(Stdio::piped());
    let started = Instant::now();
    let mut child = command.spawn().map_err(|error| format!("{}: {error}", shown(command)))?;
    let mut printed = String::new();
    child.stdout.take().expect("it was piped").read_to_string(&mut printed)?;
    let end = child.wait4()?;
    let cost = Cost { wall: started.elapsed(), cpu: end.rusage.utime + end.rusage.stime, peak: end.rusage.maxrss };
    if end.status.success() { Ok((cost, printed)) } else { Err(format!("{}: {}", shown(command), end.status).into()) }
}

/// A command without its environment, in one line.
fn shown(command: &Command) -> String {
    let words = std::iter::once(command.get_program()).chain(command.get_args());
    words.map(|word| word.to_string_lossy()).collect::<Vec<_>>().join(" ")
}

/// Runs a program to its end; it must succeed.
pub fn run(command: &mut Command) -> Outcome<Cost> {
    Ok(run_for_output(command)?.0)
}

/// Measures several things in turn, again and again, so that a disturbance hits all of them.
pub fn in_turn<const N: usize>(
    rounds: usize,
    mut things: [&mut dyn FnMut() -> Outcome<Cost>; N],
) -> Outcome<[Cost; N]> {
    let mut costs = [Cost { wall: Duration::MAX, cpu: Duration::MAX, peak: 0 }; N];
    for _ in 0..rounds {
        for (cost, thing) in costs.iter_mut().zip(&mut things) {
            *cost = cost.with(thing()?);
        }
    }
    Ok(costs)
}

/// Measures two things in turn, again and again, and gives the round in which their ratio is the middle one: where the
/// machine itself grows faster and slower, the best of each would be of two machines.
pub fn side_by_side(
    rounds: usize,
    first: &mut dyn FnMut() -> Outcome<Cost>,
    second: &mut dyn FnMut() -> Outcome<Cost>,
) -> Outcome<[Cost; 2]> {
    let mut pairs = (0..rounds.max(1)).map(|_| Ok([first()?, second()?])).collect::<Outcome<Vec<_>>>()?;
    let ratio = |[one, two]: &[Cost; 2]| two.cpu.div_duration_f64(one.cpu);
    pairs.sort_by(|a, b| ratio(a).total_cmp(&ratio(b)));
    let peaks = [0, 1].map(|at| pairs.iter().map(|pair| pair[at].peak).max().unwrap_or_default());
    let [one, two] = pairs[pairs.len() / 2];
    Ok([Cost { peak: peaks[0], ..one }, Cost { peak: peaks[1], ..two }])
}
