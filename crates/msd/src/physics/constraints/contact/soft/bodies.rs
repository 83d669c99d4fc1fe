//! Bodies in substeps: velocities, displacements and the work of contact.
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

/// Motion of a body in a step due to contact.
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

/// Accumulated quantities of a body over the substeps so far.
#[derive(Clone, Copy, Debug, Default)]
struct Course {
    /// h a: change of velocity in a substep due to forces of free flight.
    forced: Twist,
    /// c.
    carried: Twist,
    /// Σ h v at the ends of substeps.
    travelled: Twist,
    /// Contact's work so far, J.
    work: [f64; 2],
    /// True if contact changed its velocity.
    touched: bool,
}

/// All bodies of a solve, by index. Lanes without a contact point at the first of their region, which is nowhere.
#[derive(Clone, Debug, Default)]
pub(super) struct SoftBodies {
    pub(super) given: Vec<SoftBody>,
    pub(super) velocity: Vec<Twist>,
    /// q.
    pub(super) displacement: Vec<Twist>,
    /// Those of the step before, which is gone back to if the next one fails.
    displacement_previous: Vec<Twist>,
    /// Velocity before the substep.
    pub(super) begun: Vec<Twist>,
    courses: Vec<Course>,
    /// Velocities before bounces.
    unbounced: Vec<Twist>,
    /// Velocities of the last substep without contact, and with the contact impulses: inputs of the residual.
    pub(super) free: Vec<Twist>,
    pub(super) judged: Vec<Twist>,
}

/// Consecutive bodies of a solve.
pub(super) struct BodySpan<'a> {
    pub(super) given: &'a [SoftBody],
    pub(super) velocity: &'a mut [Twist],
    pub(super) displacement: &'a mut [Twist],
    begun: &'a mut [Twist],
    courses: &'a mut [Course],
    pub(super) free: &'a mut [Twist],
    pub(super) judged: &'a mut [Twist],
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

/// Adds to a sum of linear and angular impulses.
pub(super) fn accumulate(sum: &mut Twist, impulse: Twist) {
    let before = *sum;
    each(sum, |part, axis| before[part][axis] + impulse[part][axis]);
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

impl BodySpan<'_> {
    /// The first `count` bodies, and the others.
    pub(super) fn halves(&mut self, count: usize) -> [BodySpan<'_>; 2] {
        let given = self.given.split_at(count);
        let velocity = self.velocity.split_at_mut(count);
        let displacement = self.displacement.split_at_mut(count);
        let begun = self.begun.split_at_mut(count);
        let courses = self.courses.split_at_mut(count);
        let free = self.free.split_at_mut(count);
        let judged = self.judged.split_at_mut(count);
        [
            BodySpan {
                given: given.0,
                velocity: velocity.0,
                displacement: displacement.0,
                begun: begun.0,
                courses: courses.0,
                free: free.0,
                judged: judged.0,
            },
            BodySpan {
                given: given.1,
                velocity: velocity.1,
                displacement: displacement.1,
                begun: begun.1,
                courses: courses.1,
                free: free.1,
                judged: judged.1,
            },
        ]
    }

    /// Into a substep: forces of free flight, and contact as in the substep before.
    pub(super) fn begin(&mut self) {
        self.begun.copy_from_slice(self.velocity);
        for (v, Course { forced, carried, .. }) in self.velocity.iter_mut().zip(&*self.courses) {
            let before = *v;
            each(v, |p, i| before[p][i] + (forced[p][i] + carried[p][i]));
        }
    }

    /// Moves everything.
    pub(super) fn displace(&mut self, h: f64) {
        for (q, v) in self.displacement.iter_mut().zip(&*self.velocity) {
            let before = *q;
            each(q, |p, i| before[p][i] + h * v[p][i]);
        }
    }

    /// Ends a substep: stores the change of velocity by contact.
    pub(super) fn end(&mut self, h: f64) {
        for (index, course) in self.courses.iter_mut().enumerate() {
            let Course { forced, carried, travelled, work, touched } = course;
            let (v, b) = (&self.velocity[index], &self.begun[index]);
            each(carried, |p, i| v[p][i] - (b[p][i] + forced[p][i]));
            let gone = *travelled;
            each(travelled, |p, i| gone[p][i] + h * v[p][i]);
            if *carried != [[0.0; 4]; 2] {
                let (c, before, after) = (untwist(carried), untwist(b), untwist(v));
                add(work, self.given[index].powers(&c, &mean(&before, &after)));
                *touched = true;
            }
        }
    }

    /// Prepares the residual: velocities in the last substep of `h` seconds without contact.
    pub(super) fn begin_judging(&mut self, h: f64) {
        for ((free, begun), body) in self.free.iter_mut().zip(&*self.begun).zip(self.given) {
            *free = twist(free_velocity(begun, body, h));
        }
        self.judged.fill([[0.0; 4]; 2]);
    }

    /// Makes velocities of the sums of impulses on them.
    pub(super) fn respond(&mut self) {
        for ((judged, free), body) in self.judged.iter_mut().zip(&*self.free).zip(self.given) {
            let (impulse, mut v) = (untwist(judged), untwist(free));
            v.linear += impulse.linear * body.inverse_mass;
            v.angular += body.inverse_inertia * impulse.angular;
            *judged = twist(v);
        }
    }
}

/// Velocity without contact at the end of a substep.
fn free_velocity(begun: &Twist, body: &SoftBody, h: f64) -> BodyVelocity {
    let (b, a) = (untwist(begun), &body.acceleration);
    BodyVelocity { linear: b.linear + a.linear * h, angular: b.angular + a.angular * h }
}

impl SoftBodies {
    pub(super) fn clear(&mut self) {
        self.given.clear();
    }

    /// Swaps displacements with the previous buffer.
    pub(super) fn swap_buffers(&mut self) {
        std::mem::swap(&mut self.displacement, &mut self.displacement_previous);
    }

    /// All at the start of a step with substeps of `h` seconds.
    pub(super) fn start(&mut self, h: f64) {
        let n = self.given.len();
        self.courses.clear();
        self.courses.extend(self.given.iter().map(|body| Course {
            forced: twist(body.acceleration).map(|row| row.map(|x| h * x)),
            ..Course::default()
        }));
        self.velocity.clear();
        self.velocity.extend(self.given.iter().map(|body| twist(body.start)));
        self.begun.clone_from(&self.velocity);
        for list in [&mut self.displacement, &mut self.free, &mut self.judged] {
            list.clear();
            list.resize(n, [[0.0; 4]; 2]);
        }
    }

    /// All of them.
    pub(super) fn all(&mut self) -> BodySpan<'_> {
        BodySpan {
            given: &self.given,
            velocity: &mut self.velocity,
            displacement: &mut self.displacement,
            begun: &mut self.begun,
            courses: &mut self.courses,
            free: &mut self.free,
            judged: &mut self.judged,
        }
    }

    /// Adds impulses (linear, angular) on a body that is judged.
    pub(super) fn add_judged(&mut self, index: usize, impulse: Twist) {
        accumulate(&mut self.judged[index], impulse);
    }

    /// Ends the substeps; later changes of velocity are instantaneous.
    pub(super) fn finish(&mut self) {
        self.unbounced.clone_from(&self.velocity);
    }

    /// Changes a velocity in an instant, by `change`, and notes the work.
    pub(super) fn kick(&mut self, index: usize, change: BodyVelocity) {
        let before = untwist(&self.velocity[index]);
        let after =
            BodyVelocity { linear: before.linear + change.linear, angular: before.angular + change.angular };
        add(&mut self.courses[index].work, self.given[index].powers(&change, &mean(&before, &after)));
        self.velocity[index] = twist(after);
    }

    /// Motion due to contact in a step of `dt` seconds and substeps of `h`; `None` if no contact touched the body, or it
    /// cannot move: an infinite impulse leaves NaN there too.
    ///
    /// Displacements are sums of `h v` after pushing. Over a whole step the mean of old and new velocity in every substep differs from
    /// that by `½ h (v₀ - v_n)`, which is added for motion that forces explain, so that sliding and rolling are of second
    /// order, and left out for what an impact stopped.
    pub(super) fn motion(&self, index: usize, h: f64, dt: f64) -> Option<Motion> {
        let course = &self.courses[index];
        let body = &self.given[index];
        if !(course.touched && body.is_movable()) {
            return None;
        }
        let (start, end) = (body.start, untwist(&self.velocity[index]));
        let a = &body.acceleration;
        let q = untwist(&self.displacement[index]);
        let last = untwist(&self.unbounced[index]);
        let gone = BodyVelocity { linear: start.linear - last.linear, angular: start.angular - last.angular };
        let share = smooth_share(gone.linear.length(), a.linear.length() * dt);
        let travelled = untwist(&course.travelled);
        let less_free = |linear: Vec3, angular: Vec3| BodyVelocity {
            linear: linear - (start.linear * dt + a.linear * (0.5 * dt * dt)),
            angular: angular - (start.angular * dt + a.angular * (0.5 * dt * dt)),
        };
        let half = 0.5 * h;
        let [linear_work, angular_work] = course.work;
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

/// One for changes of velocity up to 1.5 times the change by forces, zero from three times on.
fn smooth_share(change: f64, forced: f64) -> f64 {
    if change <= 1.5 * forced {
        1.0
    } else if change >= 3.0 * forced {
        0.0
    } else {
        2.0 - change / (1.5 * forced)
    }
}
