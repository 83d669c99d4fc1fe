//! Contact properties of a pair in a step: material, surface velocity, and whether the contact acts.
//!
//! **Belts.** The surfaces of A and B move along their bodies with the velocities s_A and s_B (world frame). Coulomb's law holds for
//! the velocity of the surfaces, `u_t + T s` with `s = s_B - s_A` and T the tangents; Signorini's law and Newton's for `u_n` alone. With
//! the impulse λ on B the belts do the work `-λ·s`, the bodies gain `λ·ū`, and friction dissipates `-λ·(ū + s) ≥ 0`.
//!
//! **One-way bodies.** The contact of a pair acts in a step if at its start the other body is on the side that the direction points to:
//! the normal of the deepest point within 60° of it, the overlap at most a twentieth of the thinner body, and not about to grow smaller by
//! more than a thousandth in the step. A body that passes through from below therefore comes to lie on the platform only after it has
//! left it. The rule depends on the state alone, so that a restored
//! world takes the same steps.
//!
//! **Hooks** of the user may change all of that for a pair.

use std::any::Any;
use std::fmt::Debug;

use super::settings::ContactSettings;
use crate::digest::Hasher;
use crate::math::{Coordinate, Vec3, scalar};
use crate::physics::collision::{CollisionDetector, ContactPair};
use crate::physics::constraints::contact::ContactProblemError;
use crate::physics::rigid_body::{
    Bodies, BodyView, InertialState, Material, MaterialError, RigidBody, SurfaceMotion,
};

/// Cosine of the angle between the direction of a one-way body and the normals at which it can be touched.
const ONE_WAY_COSINE: f64 = 0.5;

/// Overlap with a one-way body up to which another is on it, in thicknesses of the thinner of both.
const ONE_WAY_OVERLAP: f64 = 0.05;

/// Way of a step, in the same thicknesses, above which a body that overlaps a one-way body and moves away from it is still coming out.
const ONE_WAY_LEAVES: f64 = 1e-3;

/// A pair of bodies that may touch within a step, at its start.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct HookedPair<'a> {
    /// Body A.
    pub body_a: &'a RigidBody,
    /// Body B.
    pub body_b: &'a RigidBody,
    /// State of A.
    pub state_a: &'a InertialState,
    /// State of B.
    pub state_b: &'a InertialState,
    /// At the deepest point, unit, world frame, from A to B.
    pub normal: Vec3,
    /// There, m; negative is overlap.
    pub gap: f64,
}

/// Contact properties of a pair in a step.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct PairResponse {
    /// False for bodies that pass through each other in the step.
    pub enabled: bool,
    /// Friction, restitution and the rest.
    pub material: Material,
    /// Velocity of the surface of B along its body, less that of A, world frame, m/s.
    pub surface_velocity: Vec3,
}

/// Decides on the contact of every pair that may touch, before each step is solved.
///
/// ```
/// # use msd::prelude::*;
/// # use msd::environment::{ContactHook, HookedPair, PairResponse};
/// # use msd::physics::rigid_body::RigidBody;
/// /// Ghosts pass through everything; cold bodies are slippery.
/// #[derive(Debug)]
/// struct Rules;
///
/// impl ContactHook for Rules {
///     fn respond(&self, pair: &HookedPair<'_>, response: &mut PairResponse) {
///         let either = |test: &dyn Fn(&RigidBody) -> bool| test(pair.body_a) || test(pair.body_b);
///         response.enabled &= !either(&|body| body.name.starts_with("ghost"));
///         if either(&|body| body.properties.scalar("temperature").is_some_and(|kelvin| kelvin < 273.15)) {
///             response.material.friction = 0.02;
///         }
///     }
/// }
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let mut world = World::new();
/// world.set_contact_settings(ContactSettings::default().with_hook(Rules))?;
/// world.add_body(BodyDescription::fixed("floor", HalfSpace::new(Vec3::Z, 0.0)?))?;
/// let ghost = BodyDescription::dynamic("ghost", Sphere::new(0.1)?).mass(1.0).position(Vec3::Z * 0.2);
/// let ghost = world.add_body(ghost)?;
/// world.run(1.0)?;
/// assert!(world.frame(ghost)?.position.z < -4.0);
/// # Ok(())
/// # }
/// ```
pub trait ContactHook: Any + Debug + Send + Sync {
    /// Changes the response of a pair. Must depend on its arguments alone, for a run to be repeatable. A step with a material out of
    /// range, or a velocity that is not finite, is refused.
    fn respond(&self, pair: &HookedPair<'_>, response: &mut PairResponse);

    /// Appends every parameter; the `Debug` text unless overridden, which must then show them all and no state.
    fn fingerprint(&self, hasher: &mut Hasher) {
        hasher.text(&format!("{self:?}"));
    }
}

/// Material and relative surface velocity of a pair that acts.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct PairSurface {
    pub(super) material: Material,
    /// Of B's surface along its body, less that of A, world frame, m/s.
    pub(super) velocity: Vec3,
}

/// Responses of pairs that are not ordinary, of one step.
#[derive(Clone, Debug, Default)]
pub(super) struct Responses {
    /// By slots A and B, sorted.
    pairs: Vec<((usize, usize), PairSurface)>,
    /// Slots of pairs that pass through each other, the smaller first, sorted.
    suspended: Vec<(u32, u32)>,
}

impl Responses {
    /// Finds them for the pairs of the detector, and takes pairs that pass through each other out of it. `any` is true if some body has a
    /// surface that moves or is solid from one side only.
    pub(super) fn find(
        &mut self,
        detector: &mut CollisionDetector,
        settings: &ContactSettings,
        bodies: &Bodies<'_>,
        any: bool,
        dt: f64,
    ) {
        self.pairs.clear();
        self.suspended.clear();
        detector.suspend(&[]);
        if !any && settings.hook.is_none() {
            return;
        }
        let special = |slot: usize| !bodies.bodies[slot].surface_motion.is_none();
        for pair in detector.contacts() {
            if settings.hook.is_none() && !special(pair.a) && !special(pair.b) {
                continue;
            }
            let response = respond(detector, settings, bodies, &pair, dt);
            if response.enabled {
                let PairResponse { material, surface_velocity: velocity, .. } = response;
                self.pairs.push(((pair.a, pair.b), PairSurface { material, velocity }));
            } else {
                let (a, b) = (pair.a as u32, pair.b as u32);
                self.suspended.push((a.min(b), a.max(b)));
            }
        }
        self.pairs.sort_unstable_by_key(|(slots, _)| *slots);
        self.suspended.sort_unstable();
        detector.suspend(&self.suspended);
    }

    /// Of a pair.
    #[inline]
    pub(super) fn surface(
        &self,
        settings: &ContactSettings,
        bodies: &[RigidBody],
        a: usize,
        b: usize,
    ) -> PairSurface {
        if !self.pairs.is_empty()
            && let Ok(at) = self.pairs.binary_search_by_key(&(a, b), |(slots, _)| *slots)
        {
            return self.pairs[at].1;
        }
        PairSurface { material: settings.materials.combine(&bodies[a], &bodies[b]), velocity: Vec3::ZERO }
    }

    /// True for bodies that pass through each other in the step.
    pub(super) fn is_suspended(&self, a: usize, b: usize) -> bool {
        !self.suspended.is_empty()
            && self.suspended.binary_search(&(a.min(b) as u32, a.max(b) as u32)).is_ok()
    }

    /// Refuses a response out of range, which only a hook can give.
    pub(super) fn check(&self) -> Result<(), ContactProblemError> {
        for ((a, b), surface) in &self.pairs {
            let finite = surface.velocity.to_array().into_iter().find(|value| !value.is_finite());
            let moving = finite.map_or(Ok(()), |value| {
                Err(MaterialError { field: "surface_velocity", expected: "finite", value })
            });
            surface.material.validate().and(moving).map_err(|source| ContactProblemError::Material {
                a: *a,
                b: *b,
                source,
            })?;
        }
        Ok(())
    }
}

fn respond(
    detector: &CollisionDetector,
    settings: &ContactSettings,
    bodies: &Bodies<'_>,
    pair: &ContactPair<'_>,
    dt: f64,
) -> PairResponse {
    let (a, b) = (bodies.view(pair.a), bodies.view(pair.b));
    let Deepest { normal, gap, point } = deepest(detector, pair, a.body.frame(a.state).position);
    let moving = |motion: &SurfaceMotion, state: &InertialState| state.orientation * motion.velocity;
    let thin = scalar::min(detector.thickness(pair.a), detector.thickness(pair.b));
    let speed = |view: &BodyView<'_>| {
        normal.dot(view.state.velocity + view.state.angular_velocity.cross(point - view.state.center_of_mass))
    };
    // A body that comes out of the platform is not pushed out of it.
    let leaves = gap < 0.0 && (speed(&b) - speed(&a)) * dt > ONE_WAY_LEAVES * thin;
    let open = |direction: Option<Vec3>, state: &InertialState, outwards: Vec3| {
        direction.is_none_or(|direction| {
            !leaves
                && gap >= -ONE_WAY_OVERLAP * thin
                && outwards.dot(state.orientation * direction) >= ONE_WAY_COSINE
        })
    };
    let (surface_a, surface_b) = (&a.body.surface_motion, &b.body.surface_motion);
    let mut response = PairResponse {
        enabled: open(surface_a.one_way, a.state, normal) && open(surface_b.one_way, b.state, -normal),
        material: settings.materials.combine(a.body, b.body),
        surface_velocity: moving(surface_b, b.state) - moving(surface_a, a.state),
    };
    if let Some(hook) = &settings.hook {
        let hooked =
            HookedPair { body_a: a.body, body_b: b.body, state_a: a.state, state_b: b.state, normal, gap };
        hook.respond(&hooked, &mut response);
    }
    response
}

/// The deepest point of a pair at the start of the step.
struct Deepest {
    /// From A to B.
    normal: Vec3,
    gap: f64,
    /// World frame, m.
    point: Coordinate,
}

fn deepest(detector: &CollisionDetector, pair: &ContactPair<'_>, origin_of_a: Coordinate) -> Deepest {
    let (poses, kept) = detector.poses(pair);
    let mut found = Deepest { normal: Vec3::Z, gap: f64::INFINITY, point: origin_of_a };
    for manifold in pair.manifolds {
        let seen = manifold.at_poses(&poses, kept);
        for point in seen.points() {
            if point.gap < found.gap {
                let middle = origin_of_a + point.middle;
                found = Deepest { normal: seen.frame.x_axis, gap: point.gap, point: middle };
            }
        }
    }
    found
}
