//! Results of a run by name, for the columns and verdicts of sweeps.
//!
//! | name | value at the end of a run |
//! |---|---|
//! | `time`, `steps` | simulated time, s; number of steps |
//! | `certified` | 1 if every step was certified, else 0 |
//! | `certificate.failed_steps` | steps that were not |
//! | `energy.initial`, `.kinetic`, `.potential`, `.total`, `.work_in`, `.dissipated`, `.error`, `.max_error` | ledger, J |
//! | `contacts.max_force` | largest force at one contact point in a step, N, impacts included |
//! | `contacts.max`, `contacts.max_penetration`, `contacts.steps` | most points; deepest overlap, m; steps with contact |
//! | `joints.max_error` | worst position error of a joint, m |
//! | `body.<name>.position`, `.velocity`, `.angular_velocity` | vectors, or a component with `.x`, `.y`, `.z` |
//! | `body.<name>.orientation` | quaternion, or a component with `.w`, `.x`, `.y`, `.z` |
//! | `body.<name>.speed`, `.spin` | sizes of velocity and angular velocity |

use msd::certificate::RunCertificate;
use msd::engine::EngineError;
use msd::environment::{ContactSummary, StepReport, World};
use msd_scene::Scene;

/// Running totals of a run.
#[derive(Clone, Debug, Default)]
pub(super) struct Tally {
    certificate: RunCertificate,
    contacts: ContactSummary,
    max_force: f64,
    contact_steps: u64,
    joint_error: f64,
}

impl Tally {
    pub(super) fn observe(&mut self, world: &World, step: &StepReport) {
        self.certificate.accumulate(step.step, step.time, &step.certificate, |slot| world.name_of(slot));
        self.contacts.accumulate(&step.contacts);
        self.joint_error = self.joint_error.max(step.joints.position_error);
        if step.contacts.contacts > 0 {
            self.contact_steps += 1;
            for contact in world.contacts() {
                self.max_force = self.max_force.max(contact.force().length());
            }
        }
    }

    pub(super) fn is_certified(&self) -> bool {
        self.certificate.is_certified()
    }
}

/// The end of a run.
#[derive(Debug)]
pub(super) struct End<'a> {
    pub(super) world: &'a World,
    pub(super) tally: &'a Tally,
    pub(super) error: Option<&'a EngineError>,
}

/// One number of the end of a run.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Quantity {
    Time,
    Steps,
    Certified,
    FailedSteps,
    Energy(&'static str),
    MaxForce,
    MaxContacts,
    MaxPenetration,
    ContactSteps,
    JointError,
    Body { name: String, part: Component },
    Distance { a: String, b: String },
}

/// A number of the state of a body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Component {
    /// By position among position, orientation, velocity and angular velocity.
    Number(usize),
    Speed,
    Spin,
}

const ENERGIES: [&str; 8] =
    ["initial", "kinetic", "potential", "total", "work_in", "dissipated", "error", "max_error"];
/// Vectors of a body: name, where its numbers begin, names of its components.
const VECTORS: [(&str, usize, &[&str]); 4] = [
    ("position", 0, &["x", "y", "z"]),
    ("orientation", 3, &["w", "x", "y", "z"]),
    ("velocity", 7, &["x", "y", "z"]),
    ("angular_velocity", 10, &["x", "y", "z"]),
];

impl Quantity {
    /// The columns that a name stands for: one, or one a component.
    pub(super) fn columns(name: &str, scene: &Scene) -> Result<Vec<(String, Self)>, String> {
        if let Some((body, "")) = body_of(name, scene) {
            return Err(format!("`{name}`: say what of body `{body}`, such as `{name}.position`"));
        }
        if let Some((body, key)) = body_of(name, scene)
            && let Some((_, from, parts)) = VECTORS.iter().find(|(vector, ..)| *vector == key)
        {
            let column = |(i, part): (usize, &&str)| {
                let quantity = Self::Body { name: body.to_owned(), part: Component::Number(from + i) };
                (format!("{name}.{part}"), quantity)
            };
            return Ok(parts.iter().enumerate().map(column).collect());
        }
        Ok(vec![(name.to_owned(), Self::parse(name, scene)?)])
    }

    /// The quantity of a name that is one number.
    pub(super) fn parse(name: &str, scene: &Scene) -> Result<Self, String> {
        if let Some((body, key)) = body_of(name, scene) {
            let number = |vector: &str, component: &str| {
                let (_, from, parts) = VECTORS.iter().find(|(known, ..)| *known == vector)?;
                Some(Component::Number(from + parts.iter().position(|part| *part == component)?))
            };
            let part = match key {
                "speed" => Some(Component::Speed),
                "spin" => Some(Component::Spin),
                _ => key.rsplit_once('.').and_then(|(vector, component)| number(vector, component)),
            };
            let body = body.to_owned();
            return part.map(|part| Self::Body { name: body, part }).ok_or_else(|| {
                format!("`{name}`: a body has position, orientation, velocity, angular_velocity (each with .x, .y, .z), speed and spin")
            });
        }
        Ok(match name {
            "time" => Self::Time,
            "steps" => Self::Steps,
            "certified" => Self::Certified,
            "certificate.failed_steps" => Self::FailedSteps,
            "contacts.max_force" => Self::MaxForce,
            "contacts.max" => Self::MaxContacts,
            "contacts.max_penetration" => Self::MaxPenetration,
            "contacts.steps" => Self::ContactSteps,
            "joints.max_error" => Self::JointError,
            other => {
                let energy = other.strip_prefix("energy.");
                match energy.and_then(|key| ENERGIES.into_iter().find(|known| *known == key)) {
                    Some(key) => Self::Energy(key),
                    None if other.starts_with("body.") => {
                        let names: Vec<&str> =
                            scene.body.iter().take(12).map(|body| body.name.as_str()).collect();
                        return Err(format!(
                            "`{name}`: there is no such body; the scene has {}",
                            names.join(", ")
                        ));
                    }
                    None => {
                        return Err(format!(
                            "there is no result `{name}`; there is time, steps, certified, certificate.failed_steps, \
                             energy.{{{}}}, contacts.{{max_force, max, max_penetration, steps}}, joints.max_error and body.<name>.<part>",
                            ENERGIES.join(", ")
                        ));
                    }
                }
            }
        })
    }

    /// Its value at the end of a run.
    pub(super) fn value(&self, end: &End<'_>) -> f64 {
        let End { world, tally, .. } = end;
        match self {
            Self::Time => world.time(),
            Self::Steps => world.steps() as f64,
            Self::Certified => f64::from(u8::from(tally.is_certified() && end.error.is_none())),
            Self::FailedSteps => tally.certificate.failed_steps as f64,
            Self::MaxForce => tally.max_force,
            Self::MaxContacts => tally.contacts.most as f64,
            Self::MaxPenetration => tally.contacts.max_penetration,
            Self::ContactSteps => tally.contact_steps as f64,
            Self::JointError => tally.joint_error,
            Self::Energy(key) => {
                let ledger = world.energy();
                match *key {
                    "initial" => ledger.initial,
                    "kinetic" => ledger.kinetic,
                    "potential" => ledger.potential,
                    "total" => ledger.total(),
                    "work_in" => ledger.work_in,
                    "dissipated" => ledger.dissipated,
                    "error" => ledger.error(),
                    _ => ledger.max_error,
                }
            }
            Self::Body { name, part } => {
                let Some(view) = world.find(name).and_then(|handle| world.body(handle).ok()) else {
                    return f64::NAN;
                };
                let (state, frame) = (view.state, view.body.frame(view.state));
                match part {
                    Component::Speed => state.velocity.length(),
                    Component::Spin => state.angular_velocity.length(),
                    Component::Number(at) => {
                        let (p, q, v, w) =
                            (frame.position, state.orientation, state.velocity, state.angular_velocity);
                        [p.x, p.y, p.z, q.w, q.x, q.y, q.z, v.x, v.y, v.z, w.x, w.y, w.z][*at]
                    }
                }
            }
            Self::Distance { a, b } => {
                let place = |name: &str| world.find(name).and_then(|handle| world.frame(handle).ok());
                match (place(a), place(b)) {
                    (Some(a), Some(b)) => (a.position - b.position).length(),
                    _ => f64::NAN,
                }
            }
        }
    }
}

/// The body that a name begins with, and the rest; of several matching bodies, the one with the longest name.
fn body_of<'n>(name: &'n str, scene: &Scene) -> Option<(&'n str, &'n str)> {
    let rest = name.strip_prefix("body.")?;
    let fits =
        |body: &&str| rest == *body || rest.strip_prefix(body).is_some_and(|rest| rest.starts_with('.'));
    let names = scene.body.iter().map(|body| body.name.as_str());
    let length = names.filter(|name| fits(name)).map(str::len).max()?;
    Some((&rest[..length], rest[length..].trim_start_matches('.')))
}
