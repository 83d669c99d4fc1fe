//! Continuous collision: pairs that move or turn so far in a step that contact points of its start say nothing about them.
//!
//! A pair is fast if in one step it gains more on each other than half the thickness of the thinner body, or a body turns by
//! more than [`tolerance::FAST_TURN`]. The time of first contact is then found by conservative advancement of the two motions,
//! and the contact points there and then take part in the step as candidates that meet at that time. No velocity is capped
//! and nothing passes: conservative advancement never overtakes the first contact.

use crate::math::{ReferenceFrame, real};
use crate::physics::collision::{ContactManifold, Impact, Motion, manifold, time_of_impact};
use crate::physics::rigid_body::shape::{Geometry, Shape};
use crate::physics::rigid_body::{BodyView, InertialState};
use crate::tolerance;

/// Where and when a fast pair meets.
#[derive(Clone, Copy, Debug)]
pub(super) struct Meeting {
    pub(super) time: f64,
    pub(super) manifold: ContactManifold,
    /// The bodies then.
    pub(super) a: InertialState,
    pub(super) b: InertialState,
}

/// True if the pair is too fast for contact points of the start of a step of `dt` seconds; `thin` is the smallest extent of the
/// thinner body, m.
pub(super) fn is_fast(a: &BodyView<'_>, b: &BodyView<'_>, thin: f64, dt: f64) -> bool {
    let turns = |view: &BodyView<'_>| view.state.angular_velocity.length() * dt;
    let travel = (b.state.velocity - a.state.velocity).length() * dt;
    travel > 0.5 * thin || turns(a) > tolerance::FAST_TURN || turns(b) > tolerance::FAST_TURN
}

/// The first contact of a fast pair within the step, if there is one; `None` if they touch at its start.
pub(super) fn first_meeting(a: &BodyView<'_>, b: &BodyView<'_>, dt: f64) -> Option<Meeting> {
    let (shape_a, shape_b) = (a.body.shape.as_ref()?, b.body.shape.as_ref()?);
    // Seen by one who moves with A: at orbital speed nothing is lost.
    let common = a.state.velocity;
    let motion = |view: &BodyView<'_>| Motion {
        start: view.body.frame(view.state),
        center_local: view.body.center_of_mass_local,
        velocity: view.state.velocity - common,
        angular_velocity: view.state.angular_velocity,
    };
    let (motion_a, motion_b) = (motion(a), motion(b));
    let time = match time_of_impact(shape_a, &motion_a, shape_b, &motion_b, dt) {
        Impact::At { time, .. } | Impact::Undecided { time, .. } if time > 0.0 => time,
        _ => return None,
    };
    let (pose_a, pose_b) = (motion_a.frame_at(time), motion_b.frame_at(time));
    let margin = tolerance::CONTACT_MARGIN * real::min(size(shape_a), size(shape_b));
    let at = |view: &BodyView<'_>, pose: &ReferenceFrame| InertialState {
        center_of_mass: view.body.center_of_mass(pose),
        orientation: pose.orientation,
        ..*view.state
    };
    let found = manifold(shape_a, &pose_a, shape_b, &pose_b, margin);
    Some(Meeting { time, manifold: found, a: at(a, &pose_a), b: at(b, &pose_b) })
}

fn size(shape: &Shape) -> f64 {
    if shape.is_bounded() {
        shape.bounding_box(&ReferenceFrame::IDENTITY).size().max_element()
    } else {
        f64::INFINITY
    }
}
