//! Bodies in substeps: velocities, displacements, and what contact does to their energy.
//!
//! Energy: a body whose velocity contact changes by c in a substep gains `M c · ½ (v_before + v_after)` of kinetic energy by it,
//! exactly, and by the force `M a` of free flight `M a · h ½ (v_before + v_after)`. The latter is paid for by the fields along
//! the mean of the velocities; where the body is displaced otherwise (pushed out of overlap, stopped by an impact) the
//! difference times the force is a position correction.

use crate::math::{Mat3, Vec3};
use crate::physics::constraints::contact::BodyVelocity;

/// Linear and angular part; the fourth number of each is zero.
pub(super) type Twist = [[f64; 4]; 2];

/// A body as it is given.
#[derive(Clone, Copy, Debug)]
pub struct SoftBody {
    /// 1/kg; zero if contact does not move it.
    pub inverse_mass: f64,
    /// kg.
    pub mass: f64,
    /// World frame, about the centre of mass, in the middle of the step, 1/(kg m²).
    pub inverse_inertia: Mat3,
    /// Its inverse, kg m².
    pub inertia: Mat3,
    /// At the start of the step.
    pub start: BodyVelocity,
    /// Mean acceleration of free flight, m/s² and rad/s².
    pub acceleration: BodyVelocity,
}

impl SoftBody {
    /// A body that contact does not move.
    #[must_use]
    pub fn immovable(start: BodyVelocity) -> Self {
        Self {
            inverse_mass: 0.0,
            mass: 0.0,
            inverse_inertia: Mat3::ZERO,
            inertia: Mat3::ZERO,
            start,
            acceleration: BodyVelocity::default(),
        }
    }

    /// False if no impulse changes its velocity.
    #[must_use]
    pub fn is_movable(&self) -> bool {
        self.inverse_mass > 0.0
    }

    /// `M c · v`, J: of the linear part, and of the angular part.
    fn powers(&self, c: &BodyVelocity, v: &BodyVelocity) -> [f64; 2] {
        [self.mass * c.linear.dot(v.linear), (self.inertia * c.angular).dot(v.angular)]
    }

    /// `M c · v`, J.
    #[must_use]
    pub fn power(&self, c: &BodyVelocity, v: &BodyVelocity) -> f64 {
        let [linear, angular] = self.powers(c, v);
        linear + angular
    }
}

/// What contact made of a body in a step.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Motion {
    /// Velocity less that of free flight, m/s and rad/s.
    pub change: BodyVelocity,
    /// Displacement less that of free flight, m, and rotation vector, rad.
    pub shift: BodyVelocity,
    /// Displacement that the means of velocities explain, less that of free flight, m and rad.
    pub explained: BodyVelocity,
    /// Kinetic energy of the centre of mass that contact gave it, J.
    pub linear_work: f64,
    /// The same of rotation.
    pub angular_work: f64,
}

/// All bodies of a solve, by index. The first is nowhere: lanes without a contact point at it.
#[derive(Clone, Debug, Default)]
pub(super) struct SoftBodies {
    pub(super) given: Vec<SoftBody>,
    pub(super) velocity: Vec<Twist>,
    /// q.
    pub(super) displacement: Vec<Twist>,
    /// h a: what forces of free flight change in a substep.
    forced: Vec<Twist>,
    /// Velocity before the substep.
    pub(super) begun: Vec<Twist>,
    /// c.
    carried: Vec<Twist>,
    /// Σ h v at the ends of substeps.
    travelled: Vec<Twist>,
    /// Contact's work so far, J.
    work: Vec<[f64; 2]>,
    /// True if contact changed its velocity.
    touched: Vec<bool>,
    /// Velocities before bounces.
    unbounced: Vec<Twist>,
}

pub(super) fn row(v: Vec3) -> [f64; 4] {
    [v.x, v.y, v.z, 0.0]
}

pub(super) fn vector(row: [f64; 4]) -> Vec3 {
    Vec3::new(row[0], row[1], row[2])
}

pub(super) fn twist(v: BodyVelocity) -> Twist {
    [row(v.linear), row(v.angular)]
}

pub(super) fn untwist(t: &Twist) -> BodyVelocity {
    BodyVelocity { linear: vector(t[0]), angular: vector(t[1]) }
}

fn add(sum: &mut [f64; 2], parts: [f64; 2]) {
    sum[0] += parts[0];
    sum[1] += parts[1];
}

fn mean(a: &BodyVelocity, b: &BodyVelocity) -> BodyVelocity {
    BodyVelocity { linear: 0.5 * (a.linear + b.linear), angular: 0.5 * (a.angular + b.angular) }
}

fn each(out: &mut Twist, mut f: impl FnMut(usize, usize) -> f64) {
    for (part, row) in out.iter_mut().enumerate() {
        for (axis, number) in row.iter_mut().enumerate() {
            *number = f(part, axis);
        }
    }
}

impl SoftBodies {
    pub(super) fn clear(&mut self) {
        self.given.clear();
        self.given.push(SoftBody::immovable(BodyVelocity::default()));
    }

    /// All at the start of a step with substeps of `h` seconds.
    pub(super) fn start(&mut self, h: f64) {
        let Self { given, velocity, displacement, forced, begun, carried, travelled, work, touched, .. } =
            self;
        let n = given.len();
        forced.clear();
        forced.extend(given.iter().map(|body| twist(body.acceleration).map(|row| row.map(|x| h * x))));
        velocity.clear();
        velocity.extend(given.iter().map(|body| twist(body.start)));
        begun.clone_from(velocity);
        for list in [displacement, carried, travelled] {
            list.clear();
            list.resize(n, [[0.0; 4]; 2]);
        }
        work.clear();
        work.resize(n, [0.0; 2]);
        touched.clear();
        touched.resize(n, false);
    }

    /// Into a substep: forces of free flight, and contact as in the substep before.
    pub(super) fn begin(&mut self) {
        self.begun.clone_from(&self.velocity);
        for ((v, forced), c) in self.velocity.iter_mut().zip(&self.forced).zip(&self.carried) {
            let before = *v;
            each(v, |p, i| before[p][i] + (forced[p][i] + c[p][i]));
        }
    }

    /// Moves everything.
    pub(super) fn displace(&mut self, h: f64) {
        for (q, v) in self.displacement.iter_mut().zip(&self.velocity) {
            let before = *q;
            each(q, |p, i| before[p][i] + h * v[p][i]);
        }
    }

    /// Out of a substep: what contact did.
    pub(super) fn end(&mut self, h: f64) {
        for (index, body) in self.given.iter().enumerate() {
            let (forced, v, b) = (&self.forced[index], self.velocity[index], self.begun[index]);
            let c = &mut self.carried[index];
            each(c, |p, i| v[p][i] - (b[p][i] + forced[p][i]));
            let gone = self.travelled[index];
            each(&mut self.travelled[index], |p, i| gone[p][i] + h * v[p][i]);
            if *c != [[0.0; 4]; 2] {
                let (c, before, after) = (untwist(c), untwist(&b), untwist(&v));
                add(&mut self.work[index], body.powers(&c, &mean(&before, &after)));
                self.touched[index] = true;
            }
        }
    }

    /// The substeps are over; what changes velocities now is instantaneous.
    pub(super) fn finish(&mut self) {
        self.unbounced.clone_from(&self.velocity);
    }

    /// Changes a velocity in an instant, by `change`, and notes the work.
    pub(super) fn kick(&mut self, index: usize, change: BodyVelocity) {
        let before = untwist(&self.velocity[index]);
        let after =
            BodyVelocity { linear: before.linear + change.linear, angular: before.angular + change.angular };
        add(&mut self.work[index], self.given[index].powers(&change, &mean(&before, &after)));
        self.velocity[index] = twist(after);
    }

    /// Velocities without contact at the end of the substep in progress or just ended.
    pub(super) fn free(&self, index: usize, h: f64) -> BodyVelocity {
        let (b, a) = (untwist(&self.begun[index]), &self.given[index].acceleration);
        BodyVelocity { linear: b.linear + a.linear * h, angular: b.angular + a.angular * h }
    }

    /// What contact made of a body in a step of `dt` seconds and substeps of `h`; `None` if nothing touched it.
    ///
    /// Displacements are sums of `h v` after pushing. Over a whole step the mean of old and new velocity in every substep differs from
    /// that by `½ h (v₀ - v_n)`, which is added for motion that forces explain, so that sliding and rolling are of second
    /// order, and left out for what an impact stopped.
    pub(super) fn motion(&self, index: usize, h: f64, dt: f64) -> Option<Motion> {
        if !self.touched[index] {
            return None;
        }
        let body = &self.given[index];
        let (start, end) = (body.start, untwist(&self.velocity[index]));
        let a = &body.acceleration;
        let q = untwist(&self.displacement[index]);
        let last = untwist(&self.unbounced[index]);
        let gone = BodyVelocity { linear: start.linear - last.linear, angular: start.angular - last.angular };
        let share = smooth_share(gone.linear.length(), a.linear.length() * dt);
        let travelled = untwist(&self.travelled[index]);
        let less_free = |linear: Vec3, angular: Vec3| BodyVelocity {
            linear: linear - (start.linear * dt + a.linear * (0.5 * dt * dt)),
            angular: angular - (start.angular * dt + a.angular * (0.5 * dt * dt)),
        };
        let half = 0.5 * h;
        let [linear_work, angular_work] = self.work[index];
        Some(Motion {
            change: BodyVelocity {
                linear: end.linear - (start.linear + a.linear * dt),
                angular: end.angular - (start.angular + a.angular * dt),
            },
            shift: less_free(
                q.linear + gone.linear * (half * share),
                q.angular + gone.angular * (half * share),
            ),
            explained: less_free(
                travelled.linear + gone.linear * half,
                travelled.angular + gone.angular * half,
            ),
            linear_work,
            angular_work,
        })
    }
}

/// One for changes of velocity up to one and a half times what forces make, zero from three times on.
fn smooth_share(change: f64, forced: f64) -> f64 {
    if change <= 1.5 * forced {
        1.0
    } else if change >= 3.0 * forced {
        0.0
    } else {
        2.0 - change / (1.5 * forced)
    }
}
