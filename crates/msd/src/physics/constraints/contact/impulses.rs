//! The unknowns of a contact problem.

use super::problem::ContactProblem;
use crate::math::Vec3;

/// Impulses at contacts, moments at contacts, and impulses of rows.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Impulses {
    /// `(λ_n, λ_t₁, λ_t₂)` of every contact, N·s, in its frame; on B as they are, on A reversed.
    pub contacts: Vec<Vec3>,
    /// `(m_n, m_t₁, m_t₂)` of every contact, N·m·s, in its frame; zero without rolling and torsional friction.
    pub moments: Vec<Vec3>,
    /// p of every row.
    pub rows: Vec<f64>,
}

impl Impulses {
    /// None at all, for as many contacts and rows as the problem has.
    #[must_use]
    pub fn none(problem: &ContactProblem) -> Self {
        let mut impulses = Self::default();
        impulses.fit(problem);
        impulses
    }

    /// As long as the problem: what is missing is zero, and a number that is not finite makes everything zero.
    pub fn fit(&mut self, problem: &ContactProblem) {
        self.contacts.truncate(problem.contacts().len());
        self.moments.truncate(problem.contacts().len());
        self.rows.truncate(problem.rows().len());
        if !self.is_finite() {
            self.clear();
        }
        self.contacts.resize(problem.contacts().len(), Vec3::ZERO);
        self.moments.resize(problem.contacts().len(), Vec3::ZERO);
        self.rows.resize(problem.rows().len(), 0.0);
    }

    /// True if every number is finite.
    #[must_use]
    pub fn is_finite(&self) -> bool {
        // Zero times a number that is not finite is none.
        let nothing = |all: &[Vec3]| all.iter().fold(Vec3::ZERO, |sum, impulse| sum + *impulse * 0.0);
        nothing(&self.contacts) == Vec3::ZERO
            && nothing(&self.moments) == Vec3::ZERO
            && self.rows.iter().all(|p| p.is_finite())
    }

    /// The same numbers as another, in memory that is kept.
    pub fn copy_from(&mut self, other: &Self) {
        self.contacts.clone_from(&other.contacts);
        self.moments.clone_from(&other.moments);
        self.rows.clone_from(&other.rows);
    }

    /// Makes room for those of so many more contacts.
    pub(crate) fn reserve(&mut self, contacts: usize) {
        self.contacts.reserve(contacts);
        self.moments.reserve(contacts);
    }

    /// Empty, with its memory kept.
    pub fn clear(&mut self) {
        self.contacts.clear();
        self.moments.clear();
        self.rows.clear();
    }
}
