//! Report of a run; programs rely on its keys.

use msd::environment::{EnergyLedger, Phase, World};
use msd::math::{Vec3, orientation};
use msd::physics::rigid_body::BodyHandle;
use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};

use crate::certificate_report::CertificateReport;

/// The report of a run. SI units; angular momentum about the world origin.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Report {
    /// Version of the report format.
    pub format: u32,
    /// Name of the scene file.
    pub scene: String,
    /// Version of the program.
    pub version: String,
    /// Time reached, s.
    pub time: f64,
    /// Number of steps, a shortened last one included.
    pub steps: u64,
    /// Digest of the final state, hexadecimal.
    pub state_hash: String,
    /// Every body, in the order of the scene.
    #[serde(serialize_with = "as_map")]
    pub bodies: Vec<(String, BodyReport)>,
    /// The energy ledger, J.
    pub energy: EnergyReport,
    /// kg·m/s and kg·m²/s.
    pub momentum: MomentumReport,
    /// Contacts.
    pub contacts: ContactReport,
    /// Joints.
    pub joints: JointReport,
    /// The contact solver.
    pub solver: SolverReport,
    /// The outcome of all steps, judged row by row.
    pub certificate: CertificateReport,
    /// Timing.
    pub timing: TimingReport,
}

/// The final state of a body, world frame.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct BodyReport {
    /// Position of the body frame, m.
    pub position: [f64; 3],
    /// Body to world.
    pub quat_wxyz: [f64; 4],
    /// Velocity of the centre of mass, m/s.
    pub velocity: [f64; 3],
    /// rad/s.
    pub angular_velocity: [f64; 3],
    /// m.
    pub center_of_mass: [f64; 3],
    /// Whether it has been put to sleep.
    pub asleep: bool,
}

/// The energy ledger, J.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct EnergyReport {
    /// At the start.
    pub initial: f64,
    /// At the end.
    #[serde(rename = "final")]
    pub end: f64,
    /// Kinetic part of the final energy.
    pub kinetic: f64,
    /// Potential part of the final energy.
    pub potential: f64,
    /// Dissipated by drag, dampers and impacts.
    pub dissipated: f64,
    /// Put in by loads, motors and changing fields.
    pub work_in: f64,
    /// Added by position correction.
    pub correction: f64,
    /// Largest |energy of the state - expected energy of the ledger|.
    pub max_error: f64,
    /// Largest rise in one step that nothing explains.
    pub max_gain: f64,
}

/// Sums over the bodies that forces move.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct MomentumReport {
    /// kg·m/s.
    pub linear_initial: [f64; 3],
    /// kg·m/s.
    pub linear_final: [f64; 3],
    /// kg·m²/s.
    pub angular_initial: [f64; 3],
    /// kg·m²/s.
    pub angular_final: [f64; 3],
}

/// Contacts.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct ContactReport {
    /// At the end.
    #[serde(rename = "final")]
    pub end: u64,
    /// Most in one step.
    pub max: u64,
    /// Deepest, over all steps, m.
    pub max_penetration: f64,
}

/// Joints.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct JointReport {
    /// m.
    pub max_position_error: f64,
    /// rad.
    pub max_angle_error: f64,
}

/// The contact solver.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SolverReport {
    /// The law the run is certified for: `rigid`, or `compliant(1e-3)` if a step needed contacts that give way.
    pub law: String,
    /// Worst residual of the law that was solved.
    pub max_residual: f64,
    /// Worst residual of rigid contact with Coulomb's friction, whatever law was solved.
    pub max_rigid_residual: f64,
    /// Steps with a problem that was solved by the law of compliant contact.
    pub compliant_steps: u64,
    /// Most iterations in one step.
    pub max_iterations: u64,
    /// Steps with a residual above 1e-8, or 1e-9 for compliant contact.
    pub unconverged_steps: u64,
    /// True if every contact there was has been solved to that.
    pub certified: bool,
}

/// Wall-clock time.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct TimingReport {
    /// s.
    pub total_s: f64,
    /// Steps per second of wall-clock time.
    pub steps_per_second: f64,
    /// Simulated seconds per second of wall-clock time.
    pub realtime_factor: f64,
    /// Seconds spent in each phase of the steps, in their order.
    #[serde(serialize_with = "as_map")]
    pub phases_s: Vec<(&'static str, f64)>,
}

/// A list of names and values as a map that keeps its order.
fn as_map<S: Serializer, K: Serialize, V: Serialize>(
    entries: &[(K, V)],
    serializer: S,
) -> Result<S::Ok, S::Error> {
    let mut map = serializer.serialize_map(Some(entries.len()))?;
    for (name, value) in entries {
        map.serialize_entry(name, value)?;
    }
    map.end()
}

/// Linear and angular momentum of a world.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Momenta {
    pub(crate) linear: Vec3,
    pub(crate) angular: Vec3,
}

impl Momenta {
    pub(crate) fn of(world: &World) -> Self {
        Self { linear: world.linear_momentum(), angular: world.angular_momentum_about(Vec3::ZERO) }
    }
}

impl MomentumReport {
    pub(crate) fn new(start: Momenta, end: Momenta) -> Self {
        Self {
            linear_initial: start.linear.to_array(),
            linear_final: end.linear.to_array(),
            angular_initial: start.angular.to_array(),
            angular_final: end.angular.to_array(),
        }
    }
}

impl BodyReport {
    pub(crate) fn of(world: &World, handle: BodyHandle) -> Option<Self> {
        let view = world.body(handle).ok()?;
        let frame = view.body.frame(view.state);
        Some(Self {
            position: frame.position.to_array(),
            quat_wxyz: orientation::to_wxyz(frame.orientation),
            velocity: view.state.velocity.to_array(),
            angular_velocity: view.state.angular_velocity.to_array(),
            center_of_mass: view.state.center_of_mass.to_array(),
            asleep: world.is_asleep(handle).unwrap_or(false),
        })
    }
}

impl From<&EnergyLedger> for EnergyReport {
    fn from(ledger: &EnergyLedger) -> Self {
        Self {
            initial: ledger.initial,
            end: ledger.total(),
            kinetic: ledger.kinetic,
            potential: ledger.potential,
            dissipated: ledger.dissipated,
            work_in: ledger.work_in,
            correction: ledger.correction,
            max_error: ledger.max_error,
            max_gain: ledger.max_gain,
        }
    }
}

impl TimingReport {
    pub(crate) fn new(total_s: f64, simulated: f64, steps: u64, phases: &[f64; Phase::ALL.len()]) -> Self {
        let per_second = |amount: f64| if total_s > 0.0 { amount / total_s } else { 0.0 };
        Self {
            total_s,
            steps_per_second: per_second(steps as f64),
            realtime_factor: per_second(simulated),
            phases_s: Phase::ALL.iter().map(|phase| phase.name()).zip(phases.iter().copied()).collect(),
        }
    }
}
