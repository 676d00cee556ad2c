//! Measured amounts and what they may be: numbers, and how they are written in a table.

use std::fmt;
use std::time::Duration;

/// A measured amount.
#[derive(Clone, Copy)]
pub enum Amount {
    Seconds(f64),
    Bytes(f64),
}

impl Amount {
    /// In seconds or bytes.
    fn number(self) -> f64 {
        let (Amount::Seconds(number) | Amount::Bytes(number)) = self;
        number
    }
}

/// So many milliseconds.
pub const fn ms(milliseconds: f64) -> Amount {
    Amount::Seconds(milliseconds / 1e3)
}

/// So many million bytes.
pub const fn mb(millions: f64) -> Amount {
    Amount::Bytes(millions * 1e6)
}

impl From<Duration> for Amount {
    fn from(time: Duration) -> Amount {
        Amount::Seconds(time.as_secs_f64())
    }
}

impl From<u64> for Amount {
    fn from(bytes: u64) -> Amount {
        Amount::Bytes(bytes as f64)
    }
}

impl fmt::Display for Amount {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Amount::Seconds(s) if s.abs() < 0.01 => write!(f, "{:.1} ms", s * 1e3),
            Amount::Seconds(s) if s.abs() < 1.0 => write!(f, "{:.0} ms", s * 1e3),
            Amount::Seconds(s) => write!(f, "{s:.2} s"),
            Amount::Bytes(b) if b.abs() < 1e4 => write!(f, "{b:.0} B"),
            Amount::Bytes(b) if b.abs() < 1e6 => write!(f, "{:.1} kB", b / 1e3),
            Amount::Bytes(b) if b.abs() < 1e8 => write!(f, "{:.1} MB", b / 1e6),
            Amount::Bytes(b) => write!(f, "{:.0} MB", b / 1e6),
        }
    }
}

/// An amount, and what it is held against: itself, where that is nothing else.
#[derive(Clone, Copy)]
pub struct Measured {
    pub amount: Amount,
    pub against: Amount,
}

/// What may be measured at most.
#[derive(Clone, Copy)]
pub enum Limit {
    /// This much.
    Most(Amount),
    /// So many times what it is held against.
    Times(f64),
    /// So many times what it is held against, and this much more.
    TimesAndMore(f64, Amount),
    /// So many hundredths of what it is held against.
    Percent(f64),
}

impl Limit {
    pub fn holds(self, measured: Measured) -> bool {
        let against = measured.against.number();
        let most = match self {
            Limit::Most(most) => most.number(),
            Limit::Times(factor) => factor * against,
            Limit::TimesAndMore(factor, more) => factor * against + more.number(),
            Limit::Percent(percent) => percent / 100.0 * against,
        };
        measured.amount.number() <= most
    }

    /// What was measured, as it is best compared with this limit.
    pub fn show(self, Measured { amount, against }: Measured) -> String {
        let quotient = amount.number() / against.number();
        match self {
            Limit::Most(_) => amount.to_string(),
            Limit::Times(_) | Limit::TimesAndMore(..) => format!("{quotient:.2} × ({amount} ÷ {against})"),
            Limit::Percent(_) => format!("{:.1} % ({amount} ÷ {against})", 100.0 * quotient),
        }
    }
}

impl fmt::Display for Limit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Limit::Most(most) => write!(f, "{most}"),
            Limit::Times(factor) => write!(f, "{factor} ×"),
            Limit::TimesAndMore(factor, more) => write!(f, "{factor} × and {more} more"),
            Limit::Percent(percent) => write!(f, "{percent} %"),
        }
    }
}
