//! Results of a batch: energy balance of its groups, states of its bodies, impulses of its rows.

use super::super::impacts::ContactWork;
use super::super::report::ContactReport;
use crate::physics::constraints::contact::ContactProblemError;
use crate::physics::constraints::contact::soft::Motion;
use crate::physics::rigid_body::InertialState;

/// Energy balance of a group.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct EnergyBalance {
    /// W.
    pub(super) work: f64,
    /// D.
    pub(super) driven: f64,
    /// `Δv·M v` and `Δv·M Δv`, Δv being the change by contact.
    pub(super) along: f64,
    pub(super) square: f64,
    /// Energy of the components of v along Δv of each body.
    pub(super) pressed: f64,
    /// Kinetic energy at the end.
    pub(super) kinetic: f64,
    /// Touches a static or kinematic body.
    pub(super) grounded: bool,
    /// Joints attach it to such a body.
    pub(super) attached_to_ground: bool,
    /// Some of its joints are in many loops.
    pub(super) in_joint_mesh: bool,
    pub(super) carried: bool,
    pub(super) damping: Damping,
    pub(super) residual: f64,
    pub(super) scale: f64,
    pub(super) touched: bool,
}

/// Method that keeps a group from gaining energy.
#[derive(Clone, Copy, Debug, Default)]
pub(super) enum Damping {
    #[default]
    None,
    /// Undoes this part of Δv, of all bodies alike: momentum is conserved.
    TakeBack(f64),
    /// Scales the component of v along Δv of each body by this factor.
    Press(f64),
    /// Scales all velocities by this factor: joints stay closed.
    Slow(f64),
}

/// Results of a batch apart from its bodies.
#[derive(Clone, Debug, Default)]
pub(super) struct Results {
    /// Impulses of its rows over the step, N·s or N·m·s.
    pub(super) row_sums: Vec<f64>,
    pub(super) work: ContactWork,
    pub(super) report: ContactReport,
    pub(super) failure: Option<ContactProblemError>,
}

/// Result of contact for one body.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct ContactMotion {
    /// `None` if no contact touched it.
    pub(super) motion: Option<Motion>,
    /// `Δv·M v` and `Δv·M Δv`, J.
    pub(super) along: f64,
    pub(super) square: f64,
    /// At the end, J.
    pub(super) kinetic: f64,
    pub(super) state: InertialState,
    /// J.
    pub(super) correction: f64,
    pub(super) dissipated: f64,
    /// Change of velocity by damping after the residual was evaluated, m/s.
    pub(super) damped: f64,
}
