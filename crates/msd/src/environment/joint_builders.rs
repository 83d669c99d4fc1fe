//! Joints by their ends: constructors that take bodies, points and directions in the world as it stands now.
//!
//! `World::NAME_joint` makes a joint that can still be given limits, a motor or a spring length; `World::add_NAME_joint` makes it and adds
//! it. Points and directions are in world coordinates at the time of the call.

use super::{World, WorldError};
use crate::math::{Coordinate, Vec3};
use crate::physics::constraints::{
    BallJoint, ConstraintHandle, DistanceJoint, FixedJoint, HingeJoint, JointEnd, SliderJoint, SpringJoint,
    UniversalJoint,
};
use crate::physics::rigid_body::BodyHandle;

/// The world as an end of a joint.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Ground;

/// An end of a joint: a body, or the world ([`Ground`]).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct JointBody(Option<BodyHandle>);

impl From<BodyHandle> for JointBody {
    fn from(body: BodyHandle) -> Self {
        Self(Some(body))
    }
}

impl From<Ground> for JointBody {
    fn from(_: Ground) -> Self {
        Self(None)
    }
}

impl World {
    fn end_of(&self, body: JointBody) -> Result<JointEnd<'_>, WorldError> {
        body.0.map_or(Ok(JointEnd::WORLD), |handle| self.joint_end(handle))
    }

    /// A ball joint at a point: the bodies turn freely about it.
    ///
    /// # Errors
    /// If a handle is stale or foreign, or the point is not finite.
    pub fn ball_joint(
        &self,
        a: impl Into<JointBody>,
        b: impl Into<JointBody>,
        at: Coordinate,
    ) -> Result<BallJoint, WorldError> {
        Ok(BallJoint::new(self.end_of(a.into())?, self.end_of(b.into())?, at)?)
    }

    /// Adds a ball joint at a point.
    ///
    /// ```
    /// # use msd::prelude::*;
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let mut world = World::new();
    /// let bob = BodyDescription::dynamic("bob", Sphere::new(0.1)?).mass(1.0).position(Vec3::X);
    /// let bob = world.add_body(bob)?;
    /// let pivot = world.add_ball_joint("pivot", Ground, bob, Vec3::ZERO)?;
    /// world.run(1.0)?;
    /// assert!((world.body(bob)?.state.center_of_mass.length() - 1.0).abs() < 1e-12);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// As [`World::ball_joint`] and [`World::add_joint`].
    pub fn add_ball_joint(
        &mut self,
        name: &str,
        a: impl Into<JointBody>,
        b: impl Into<JointBody>,
        at: Coordinate,
    ) -> Result<ConstraintHandle, WorldError> {
        let joint = self.ball_joint(a, b, at)?;
        self.add_joint(name, joint)
    }

    /// A hinge at a point about an axis (world, any length): its angle is zero as the bodies stand.
    ///
    /// # Errors
    /// If a handle is stale or foreign, or point or axis are not usable.
    pub fn hinge_joint(
        &self,
        a: impl Into<JointBody>,
        b: impl Into<JointBody>,
        at: Coordinate,
        axis: Vec3,
    ) -> Result<HingeJoint, WorldError> {
        Ok(HingeJoint::new(self.end_of(a.into())?, self.end_of(b.into())?, at, axis)?)
    }

    /// Adds a hinge at a point about an axis.
    ///
    /// # Errors
    /// As [`World::hinge_joint`] and [`World::add_joint`].
    pub fn add_hinge_joint(
        &mut self,
        name: &str,
        a: impl Into<JointBody>,
        b: impl Into<JointBody>,
        at: Coordinate,
        axis: Vec3,
    ) -> Result<ConstraintHandle, WorldError> {
        let joint = self.hinge_joint(a, b, at, axis)?;
        self.add_joint(name, joint)
    }

    /// A slider through a point along an axis (world, any length): its travel is zero as the bodies stand.
    ///
    /// # Errors
    /// If a handle is stale or foreign, or point or axis are not usable.
    pub fn slider_joint(
        &self,
        a: impl Into<JointBody>,
        b: impl Into<JointBody>,
        at: Coordinate,
        axis: Vec3,
    ) -> Result<SliderJoint, WorldError> {
        Ok(SliderJoint::new(self.end_of(a.into())?, self.end_of(b.into())?, at, axis)?)
    }

    /// Adds a slider through a point along an axis.
    ///
    /// # Errors
    /// As [`World::slider_joint`] and [`World::add_joint`].
    pub fn add_slider_joint(
        &mut self,
        name: &str,
        a: impl Into<JointBody>,
        b: impl Into<JointBody>,
        at: Coordinate,
        axis: Vec3,
    ) -> Result<ConstraintHandle, WorldError> {
        let joint = self.slider_joint(a, b, at, axis)?;
        self.add_joint(name, joint)
    }

    /// A joint that holds two bodies as they stand; `at` is the point its reactions are reported at.
    ///
    /// # Errors
    /// If a handle is stale or foreign, or the point is not finite.
    pub fn fixed_joint(
        &self,
        a: impl Into<JointBody>,
        b: impl Into<JointBody>,
        at: Coordinate,
    ) -> Result<FixedJoint, WorldError> {
        Ok(FixedJoint::new(self.end_of(a.into())?, self.end_of(b.into())?, at)?)
    }

    /// Adds a joint that holds two bodies as they stand.
    ///
    /// # Errors
    /// As [`World::fixed_joint`] and [`World::add_joint`].
    pub fn add_fixed_joint(
        &mut self,
        name: &str,
        a: impl Into<JointBody>,
        b: impl Into<JointBody>,
        at: Coordinate,
    ) -> Result<ConstraintHandle, WorldError> {
        let joint = self.fixed_joint(a, b, at)?;
        self.add_joint(name, joint)
    }

    /// A universal joint at a point with one axis on each body (world, perpendicular to each other).
    ///
    /// # Errors
    /// If a handle is stale or foreign, or point or axes are not usable.
    pub fn universal_joint(
        &self,
        a: impl Into<JointBody>,
        b: impl Into<JointBody>,
        at: Coordinate,
        [axis_a, axis_b]: [Vec3; 2],
    ) -> Result<UniversalJoint, WorldError> {
        Ok(UniversalJoint::new(self.end_of(a.into())?, self.end_of(b.into())?, at, axis_a, axis_b)?)
    }

    /// Adds a universal joint.
    ///
    /// # Errors
    /// As [`World::universal_joint`] and [`World::add_joint`].
    pub fn add_universal_joint(
        &mut self,
        name: &str,
        a: impl Into<JointBody>,
        b: impl Into<JointBody>,
        at: Coordinate,
        axes: [Vec3; 2],
    ) -> Result<ConstraintHandle, WorldError> {
        let joint = self.universal_joint(a, b, at, axes)?;
        self.add_joint(name, joint)
    }

    /// A rod between two points, one on each body: their distance stays as it is, unless it is given another length or made a rope.
    ///
    /// # Errors
    /// If a handle is stale or foreign, or the points are not usable.
    pub fn distance_joint(
        &self,
        a: impl Into<JointBody>,
        b: impl Into<JointBody>,
        [at_a, at_b]: [Coordinate; 2],
    ) -> Result<DistanceJoint, WorldError> {
        Ok(DistanceJoint::new(self.end_of(a.into())?, self.end_of(b.into())?, at_a, at_b)?)
    }

    /// Adds a rod between two points, one on each body.
    ///
    /// # Errors
    /// As [`World::distance_joint`] and [`World::add_joint`].
    pub fn add_distance_joint(
        &mut self,
        name: &str,
        a: impl Into<JointBody>,
        b: impl Into<JointBody>,
        at: [Coordinate; 2],
    ) -> Result<ConstraintHandle, WorldError> {
        let joint = self.distance_joint(a, b, at)?;
        self.add_joint(name, joint)
    }

    /// Adds a rope between two points, one on each body: their distance is at most what it is now.
    ///
    /// # Errors
    /// As [`World::distance_joint`] and [`World::add_joint`].
    pub fn add_rope_joint(
        &mut self,
        name: &str,
        a: impl Into<JointBody>,
        b: impl Into<JointBody>,
        at: [Coordinate; 2],
    ) -> Result<ConstraintHandle, WorldError> {
        let joint = self.distance_joint(a, b, at)?.as_rope();
        self.add_joint(name, joint)
    }

    /// A spring with a damper between two points, one on each body: stiffness in N/m, damping in N·s/m, at rest as the bodies stand.
    ///
    /// # Errors
    /// If a handle is stale or foreign, or a number is not usable.
    pub fn spring_joint(
        &self,
        a: impl Into<JointBody>,
        b: impl Into<JointBody>,
        [at_a, at_b]: [Coordinate; 2],
        stiffness: f64,
        damping: f64,
    ) -> Result<SpringJoint, WorldError> {
        let (a, b) = (self.end_of(a.into())?, self.end_of(b.into())?);
        Ok(SpringJoint::new(a, b, at_a, at_b, stiffness, damping)?)
    }

    /// Adds a spring with a damper between two points, one on each body.
    ///
    /// # Errors
    /// As [`World::spring_joint`] and [`World::add_joint`].
    pub fn add_spring_joint(
        &mut self,
        name: &str,
        a: impl Into<JointBody>,
        b: impl Into<JointBody>,
        at: [Coordinate; 2],
        stiffness: f64,
        damping: f64,
    ) -> Result<ConstraintHandle, WorldError> {
        let joint = self.spring_joint(a, b, at, stiffness, damping)?;
        self.add_joint(name, joint)
    }
}
