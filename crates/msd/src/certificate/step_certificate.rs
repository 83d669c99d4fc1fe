//! The certificate of one step: six rows of figures, and the first broken limit.

use crate::math::scalar;
use crate::tolerance;

/// The rows, in the order in which failures are reported.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Check {
    /// Signorini's and Coulomb's laws at the velocities of the end.
    Contact,
    /// Required and actual restitution.
    Impact,
    /// Overlap, crossings, forces between separated bodies.
    Geometry,
    /// Displacement not explained by velocities and the overlap before the step.
    Displacement,
    /// Joints at the end of the step and at its start.
    Joints,
    /// Unexplained energy.
    Energy,
}

impl Check {
    /// All, in order.
    pub const ALL: [Check; 6] =
        [Check::Contact, Check::Impact, Check::Geometry, Check::Displacement, Check::Joints, Check::Energy];

    /// The name used in reports.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Check::Contact => "contact",
            Check::Impact => "impact",
            Check::Geometry => "geometry",
            Check::Displacement => "displacement",
            Check::Joints => "joints",
            Check::Energy => "energy",
        }
    }
}

/// The broken limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// Residual of the contact law, relative to the velocity scale above 1 m/s.
    Residual,
    /// Two bodies still approach at a closed contact, m/s.
    Approach,
    /// Change of velocity that differs from what declared contacts transmitted, m/s.
    Momentum,
    /// Actual restitution differs from the required one, relative.
    Restitution,
    /// Impacts resolved with less restitution than required.
    InelasticImpacts,
    /// Normal or point of an impact differ from those of its instant, relative to the smaller body.
    ImpactGeometry,
    /// Overlap deeper than before the step, relative to the size of the smaller body.
    Overlap,
    /// Two bodies passed through each other.
    Crossing,
    /// Two bodies came near each other on paths too uncertain to exclude a crossing.
    Unverified,
    /// A force between bodies that are apart, m.
    ForceApart,
    /// A contact normal along which the bodies overlap, m.
    Normal,
    /// Displacement not explained, relative to the size of the body.
    Displacement,
    /// Rotation not explained, rad.
    Rotation,
    /// Error of a joint at the end, m or rad.
    JointPosition,
    /// Rate of violation of a joint at the end, m/s or rad/s.
    JointVelocity,
    /// Error of a joint at the start of the step, m or rad.
    JointBefore,
    /// Energy unexplained, relative to the energy.
    EnergyUnexplained,
    /// Dissipation below zero, relative to the energy.
    NegativeDissipation,
}

impl Fault {
    /// The row it belongs to.
    #[must_use]
    pub fn check(self) -> Check {
        match self {
            Fault::Residual | Fault::Approach | Fault::Momentum => Check::Contact,
            Fault::Restitution | Fault::InelasticImpacts | Fault::ImpactGeometry => Check::Impact,
            Fault::Overlap | Fault::Crossing | Fault::Unverified | Fault::ForceApart | Fault::Normal => {
                Check::Geometry
            }
            Fault::Displacement | Fault::Rotation => Check::Displacement,
            Fault::JointPosition | Fault::JointVelocity | Fault::JointBefore => Check::Joints,
            Fault::EnergyUnexplained | Fault::NegativeDissipation => Check::Energy,
        }
    }

    /// In words, with its unit.
    #[must_use]
    pub fn describe(self) -> &'static str {
        match self {
            Fault::Residual => "contact residual",
            Fault::Approach => "approach velocity at a closed contact (m/s)",
            Fault::Momentum => "change of velocity that contact impulses do not explain (m/s)",
            Fault::Restitution => "relative error of restitution",
            Fault::InelasticImpacts => "impacts with less restitution than asked",
            Fault::ImpactGeometry => {
                "impact with a geometry that is not of its instant, off by, relative to the smaller body"
            }
            Fault::Overlap => "overlap made by the step, relative to the smaller body",
            Fault::Crossing => "bodies passed through each other",
            Fault::Unverified => "pairs near each other on paths that are not known",
            Fault::ForceApart => "contact force between bodies apart by (m)",
            Fault::Normal => "contact normal along which the bodies overlap by (m)",
            Fault::Displacement => "displacement not explained by velocities, relative to the body",
            Fault::Rotation => "rotation not explained by velocities (rad)",
            Fault::JointPosition => "joint error (m or rad)",
            Fault::JointVelocity => "joint velocity error (m/s or rad/s)",
            Fault::JointBefore => "joint error before the step (m or rad)",
            Fault::EnergyUnexplained => "unexplained energy, relative",
            Fault::NegativeDissipation => "negative dissipation, relative",
        }
    }
}

/// A limit that was broken, and by whom.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Failure {
    /// Which.
    pub fault: Fault,
    /// The figure.
    pub figure: f64,
    /// The certified limit.
    pub limit: f64,
    /// Slots of the bodies concerned, as far as there are any.
    pub slots: [Option<usize>; 2],
}

/// A figure with the bodies it is the worst of.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Figure {
    /// The worst value.
    pub value: f64,
    /// Slots of the bodies.
    pub slots: [Option<usize>; 2],
}

impl Figure {
    /// Maximum with a value; NaN is the worst.
    pub(super) fn worsen(&mut self, value: f64, slots: [Option<usize>; 2]) {
        if !self.value.is_nan() && (value > self.value || value.is_nan()) {
            *self = Self { value, slots };
        }
    }
}

/// The six rows of one step.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct StepCertificate {
    /// Residual of the contact law: m/s, relative to the velocity scale above 1 m/s.
    pub residual: f64,
    /// Largest approach velocity left at a closed contact: m/s, relative as above.
    pub approach: Figure,
    /// Largest change of velocity by contact that the declared impulses do not explain: m/s, relative as above.
    pub momentum: Figure,
    /// Largest difference between required and actual restitution, relative to the impact velocity.
    pub restitution: Figure,
    /// Contacts with less restitution than required, as the engine reports.
    pub inelastic_impacts: usize,
    /// How far the geometry of an impact is from that of its instant, relative to the size of the smaller body.
    pub impact_geometry: Figure,
    /// False if the geometry was left out in this step: see [`super::CertificateSettings::geometry_interval`].
    pub geometry_checked: bool,
    /// Deepest true overlap at the end among pairs that moved, m.
    pub overlap: Figure,
    /// Largest overlap beyond that before the step, relative to the size of the smaller body.
    pub overlap_made: Figure,
    /// Pairs that passed through each other.
    pub crossings: usize,
    /// Near pairs on paths too uncertain to exclude a crossing.
    pub unverified: usize,
    /// Largest distance between two bodies that exchanged an impulse without being that near at any time, m.
    pub force_apart: Figure,
    /// Deepest overlap along the normal of a contact, not explained by its motion, m.
    pub tilted_normal: Figure,
    /// Largest unexplained displacement, relative to the size of the body.
    pub displacement: Figure,
    /// Largest unexplained rotation, rad.
    pub rotation: Figure,
    /// Largest joint error at the end: m or rad.
    pub joint_position: Figure,
    /// Largest rate of violation of a joint at the end: m/s or rad/s, relative above 1.
    pub joint_velocity: Figure,
    /// Largest joint error at the start: m or rad.
    pub joint_before: Figure,
    /// Energy that contact, impacts and corrections leave unexplained, J.
    pub energy_unexplained: f64,
    /// The same beyond the order of the method, relative to the energy.
    pub energy_relative: f64,
    /// Dissipated by the step, J; must not be negative.
    pub dissipated: f64,
    /// The same relative to the energy, if negative: `max(0, -dissipated / E)`.
    pub dissipated_below_zero: f64,
    /// Pair that crossed, if any.
    pub(super) crossed: [Option<usize>; 2],
    /// The first pair that is unverified, if any.
    pub(super) lost: [Option<usize>; 2],
}

impl StepCertificate {
    /// A step at rest.
    #[must_use]
    pub fn at_rest() -> Self {
        Self { geometry_checked: true, ..Self::default() }
    }

    /// Counts a pair that passed through each other.
    pub(super) fn cross(&mut self, [a, b]: [usize; 2]) {
        if self.crossings == 0 {
            self.crossed = [Some(a), Some(b)];
        }
        self.crossings += 1;
    }

    /// Counts an unverified pair.
    pub(super) fn lose(&mut self, [a, b]: [usize; 2]) {
        if self.unverified == 0 {
            self.lost = [Some(a), Some(b)];
        }
        self.unverified += 1;
    }

    /// True if bodies passed through each other in the step, or may have.
    #[must_use]
    pub fn may_have_crossed(&self) -> bool {
        self.crossings + self.unverified > 0
    }

    /// The worst of this and of the step that follows it.
    #[must_use]
    pub(crate) fn worst_with(&self, next: &Self) -> Self {
        let mut worst = *self;
        worst.worsen_by(next);
        worst.dissipated = self.dissipated + next.dissipated;
        worst.energy_unexplained = self.energy_unexplained + next.energy_unexplained;
        worst.geometry_checked = self.geometry_checked && next.geometry_checked;
        worst
    }

    /// Merges the figures of another step; counts are added.
    pub(super) fn worsen_by(&mut self, found: &Self) {
        let greater = |a: &mut f64, b: f64| *a = if b.is_nan() { b } else { scalar::max(*a, b) };
        greater(&mut self.residual, found.residual);
        greater(&mut self.energy_relative, found.energy_relative);
        greater(&mut self.dissipated_below_zero, found.dissipated_below_zero);
        if found.energy_unexplained.abs() > self.energy_unexplained.abs() {
            self.energy_unexplained = found.energy_unexplained;
        }
        if self.crossings == 0 {
            self.crossed = found.crossed;
        }
        if self.unverified == 0 {
            self.lost = found.lost;
        }
        self.inelastic_impacts += found.inelastic_impacts;
        self.crossings += found.crossings;
        self.unverified += found.unverified;
        let figures: [(&mut Figure, &Figure); 13] = [
            (&mut self.approach, &found.approach),
            (&mut self.momentum, &found.momentum),
            (&mut self.restitution, &found.restitution),
            (&mut self.impact_geometry, &found.impact_geometry),
            (&mut self.overlap, &found.overlap),
            (&mut self.overlap_made, &found.overlap_made),
            (&mut self.force_apart, &found.force_apart),
            (&mut self.tilted_normal, &found.tilted_normal),
            (&mut self.displacement, &found.displacement),
            (&mut self.rotation, &found.rotation),
            (&mut self.joint_position, &found.joint_position),
            (&mut self.joint_velocity, &found.joint_velocity),
            (&mut self.joint_before, &found.joint_before),
        ];
        for (worst, found) in figures {
            worst.worsen(found.value, found.slots);
        }
    }

    /// Every limit with its figure.
    fn limits(&self) -> [(Fault, Figure, f64); 18] {
        let alone = |value: f64| Figure { value, slots: [None; 2] };
        [
            (Fault::Residual, alone(self.residual), tolerance::CONTACT_CERTIFIED),
            (Fault::Approach, self.approach, tolerance::CONTACT_CERTIFIED),
            (Fault::Momentum, self.momentum, tolerance::CONTACT_CERTIFIED),
            (Fault::Restitution, self.restitution, tolerance::RESTITUTION_CERTIFIED),
            (Fault::ImpactGeometry, self.impact_geometry, tolerance::OVERLAP_CERTIFIED),
            (Fault::InelasticImpacts, alone(self.inelastic_impacts as f64), 0.0),
            (Fault::Crossing, Figure { value: self.crossings as f64, slots: self.crossed }, 0.0),
            (Fault::Unverified, Figure { value: self.unverified as f64, slots: self.lost }, 0.0),
            (Fault::Overlap, self.overlap_made, tolerance::OVERLAP_CERTIFIED),
            (Fault::ForceApart, self.force_apart, 0.0),
            (Fault::Normal, self.tilted_normal, 0.0),
            (Fault::Displacement, self.displacement, tolerance::OVERLAP_CERTIFIED),
            (Fault::Rotation, self.rotation, tolerance::OVERLAP_CERTIFIED),
            (Fault::JointBefore, self.joint_before, tolerance::JOINT_REPORTED),
            (Fault::JointPosition, self.joint_position, tolerance::JOINT_CERTIFIED),
            (Fault::JointVelocity, self.joint_velocity, tolerance::JOINT_CERTIFIED),
            (Fault::EnergyUnexplained, alone(self.energy_relative), tolerance::ENERGY_CERTIFIED),
            (Fault::NegativeDissipation, alone(self.dissipated_below_zero), tolerance::DISSIPATION_CERTIFIED),
        ]
    }

    /// Every limit that was broken, in the order of the rows.
    pub fn failures(&self) -> impl Iterator<Item = Failure> {
        self.limits().into_iter().filter_map(|(fault, figure, limit)| {
            // Not `>`: NaN proves no limit.
            let holds = figure.value <= limit;
            (!holds).then_some(Failure { fault, figure: figure.value, limit, slots: figure.slots })
        })
    }

    /// The first limit that was broken.
    #[must_use]
    pub fn failure(&self) -> Option<Failure> {
        self.failures().next()
    }

    /// True if every limit holds.
    #[must_use]
    pub fn is_certified(&self) -> bool {
        self.failure().is_none()
    }

    /// True if every limit of one row holds.
    #[must_use]
    pub fn holds(&self, check: Check) -> bool {
        self.failures().all(|failure| failure.fault.check() != check)
    }

    /// How far the figure nearest to its limit, or farthest beyond, is from it: at most 1 if certified. Limits that are zero count
    /// as infinite where they are broken.
    #[must_use]
    pub fn worst_ratio(&self) -> f64 {
        self.limits().into_iter().fold(0.0, |worst, (_, figure, limit)| {
            let ratio = if figure.value == 0.0 { 0.0 } else { figure.value / limit };
            if ratio.is_nan() { f64::INFINITY } else { scalar::max(worst, ratio) }
        })
    }
}
