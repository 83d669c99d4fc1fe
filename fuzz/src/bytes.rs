//! Numbers out of bytes: never failing, zero when the bytes have run out, and fond of the values that break geometry
//! (equal, nearly equal, powers of ten apart).

use arbitrary::Unstructured;
use msd::math::{Quat, ReferenceFrame, Vec3, orientation};

/// Input that is read from the front.
pub struct Bytes<'a>(Unstructured<'a>);

/// How far apart the numbers of one input may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Range {
    /// Lengths of 1 mm to 1 km, positions to 1 000 km: everything holds.
    World,
    /// Any finite number: no panic, no hang.
    Finite,
}

impl<'a> Bytes<'a> {
    pub fn new(bytes: &'a [u8]) -> Self {
        Self(Unstructured::new(bytes))
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub fn rest(self) -> &'a [u8] {
        self.0.take_rest()
    }

    pub fn byte(&mut self) -> u8 {
        self.0.arbitrary().unwrap_or(0)
    }

    /// One of `count` choices.
    pub fn choice(&mut self, count: u8) -> u8 {
        self.byte() % count
    }

    pub fn index(&mut self, count: usize) -> usize {
        usize::from(self.0.arbitrary::<u16>().unwrap_or(0)) % count
    }

    /// Any bits, NaN and infinities included.
    pub fn any_number(&mut self) -> f64 {
        f64::from_bits(self.0.arbitrary().unwrap_or(0))
    }

    /// Between -1 and 1: on a coarse grid half the time, so that values coincide.
    pub fn unit(&mut self) -> f64 {
        match self.choice(4) {
            0 => f64::from(self.byte() as i8) / 128.0,
            1 => f64::from(self.choice(9)) / 4.0 - 1.0,
            2 => self.0.arbitrary::<i64>().unwrap_or(0) as f64 / i64::MAX as f64,
            _ => {
                let near = f64::from(self.choice(5)) / 2.0 - 1.0;
                near + f64::from(self.byte() as i8) * f64::EPSILON
            }
        }
    }

    fn finite_number(&mut self) -> f64 {
        let any = self.any_number();
        if any.is_finite() { any } else { 0.0 }
    }

    /// Positive, m.
    pub fn length(&mut self, range: Range) -> f64 {
        match (range, self.choice(4)) {
            (Range::Finite, 0) => self.finite_number().abs(),
            (_, 1) => 10_f64.powi(i32::from(self.choice(7)) - 3),
            _ => 0.01 + self.unit().abs(),
        }
    }

    /// A coordinate of a position, m.
    pub fn place(&mut self, range: Range) -> f64 {
        match (range, self.choice(8)) {
            (Range::Finite, 0) => self.finite_number(),
            (_, 1) => self.unit() * 10_f64.powi(i32::from(self.choice(13)) - 6),
            (_, 2) => 0.0,
            _ => self.unit() * 2.0,
        }
    }

    pub fn unit_vector(&mut self) -> Vec3 {
        Vec3::new(self.unit(), self.unit(), self.unit())
    }

    pub fn position(&mut self, range: Range) -> Vec3 {
        Vec3::new(self.place(range), self.place(range), self.place(range))
    }

    pub fn orientation(&mut self) -> Quat {
        let turn = match self.choice(4) {
            0 => return Quat::IDENTITY,
            1 => {
                let axis = [Vec3::X, Vec3::Y, Vec3::Z][self.index(3)];
                axis * (f64::from(self.choice(8)) * std::f64::consts::FRAC_PI_4)
            }
            2 => self.unit_vector() * 1e-9,
            _ => self.unit_vector() * 3.0,
        };
        orientation::from_rotation_vector(turn)
    }

    pub fn pose(&mut self, range: Range) -> ReferenceFrame {
        ReferenceFrame { position: self.position(range), orientation: self.orientation() }
    }

    pub fn range(&mut self) -> Range {
        if self.choice(4) == 0 { Range::Finite } else { Range::World }
    }
}
