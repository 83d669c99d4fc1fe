//! `RigidBody`: everything about a body that a step does not change.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::shape::Shape;
use super::{Appearance, Inertia, InertialState, Material, SurfaceMotion, SurfaceRules};
use crate::digest::{Fingerprint, Hasher, parameters};
use crate::math::{Coordinate, ReferenceFrame, Vec3};

/// Kind of a body.
///
/// The source documents call these Inertial, Environmental, Boundary and Graphical objects: an inertial
/// object is dynamic, an environmental object static, a boundary is a kinematic or static body others collide
/// with, and a graphical one is only displayed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum BodyKind {
    /// Moved by forces.
    #[default]
    Dynamic,
    /// Never moves.
    Static,
    /// Moves with the velocity it is given; forces do nothing to it.
    Kinematic,
    /// Takes no part in physics.
    Graphical,
}

impl Fingerprint for BodyKind {
    fn fingerprint(&self, hasher: &mut Hasher) {
        match self {
            Self::Dynamic => hasher.text("dynamic"),
            Self::Static => hasher.text("static"),
            Self::Kinematic => hasher.text("kinematic"),
            Self::Graphical => hasher.text("graphical"),
        }
    }
}

/// Collision filter: a pair collides if each is in a group of the other's mask.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CollisionGroups {
    /// Groups the body is in, one bit each.
    pub groups: u32,
    /// Groups it collides with.
    pub mask: u32,
}

impl Fingerprint for CollisionGroups {
    parameters!("collision groups": groups, mask);
}

impl CollisionGroups {
    /// In every group, colliding with every group: the default.
    pub const ALL: Self = Self { groups: u32::MAX, mask: u32::MAX };
    /// Collides with nothing.
    pub const NONE: Self = Self { groups: 0, mask: 0 };

    /// True if a body with these collides with nothing, whatever the others are.
    #[must_use]
    pub const fn is_none(self) -> bool {
        self.groups == 0 || self.mask == 0
    }

    /// True if bodies with these two collide.
    #[must_use]
    pub const fn allow(self, other: Self) -> bool {
        self.groups & other.mask != 0 && other.groups & self.mask != 0
    }
}

impl Default for CollisionGroups {
    fn default() -> Self {
        Self::ALL
    }
}

/// A named value of a body, read by fields (drag area, magnetic dipole, …).
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum PropertyValue {
    /// A number, SI.
    Scalar(f64),
    /// A vector in the body frame, SI.
    Vector(Vec3),
}

impl Fingerprint for PropertyValue {
    fn fingerprint(&self, hasher: &mut Hasher) {
        match self {
            Self::Scalar(value) => {
                hasher.text("scalar");
                value.fingerprint(hasher);
            }
            Self::Vector(value) => {
                hasher.text("vector");
                value.fingerprint(hasher);
            }
        }
    }
}

/// Named values of a body, in name order.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Properties(Vec<(String, PropertyValue)>);

impl Fingerprint for Properties {
    fn fingerprint(&self, hasher: &mut Hasher) {
        self.0.fingerprint(hasher);
    }
}

impl Properties {
    /// Sets a value, replacing one of the same name.
    pub fn set(&mut self, name: &str, value: PropertyValue) {
        match self.0.binary_search_by(|(n, _)| n.as_str().cmp(name)) {
            Ok(i) => self.0[i].1 = value,
            Err(i) => self.0.insert(i, (name.to_owned(), value)),
        }
    }

    /// The value of that name, if the body has one.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<PropertyValue> {
        self.0.binary_search_by(|(n, _)| n.as_str().cmp(name)).ok().map(|i| self.0[i].1)
    }

    /// The number of that name; `None` if absent or a vector.
    #[must_use]
    pub fn scalar(&self, name: &str) -> Option<f64> {
        match self.get(name) {
            Some(PropertyValue::Scalar(value)) => Some(value),
            _ => None,
        }
    }

    /// The body-frame vector of that name; `None` if absent or a number.
    #[must_use]
    pub fn vector(&self, name: &str) -> Option<Vec3> {
        match self.get(name) {
            Some(PropertyValue::Vector(value)) => Some(value),
            _ => None,
        }
    }

    /// All names and values, in name order.
    pub fn iter(&self) -> impl Iterator<Item = (&str, PropertyValue)> {
        self.0.iter().map(|(name, value)| (name.as_str(), *value))
    }
}

/// The constants of one body. The state that moves is the [`InertialState`] at the same slot.
#[derive(Clone, Debug, PartialEq)]
pub struct RigidBody {
    /// Unique in its world.
    pub name: String,
    /// Its kind.
    pub kind: BodyKind,
    /// Its surface, in the body's own frame; `None` for a body that touches nothing.
    pub shape: Option<Shape>,
    /// Mass and inertia at the start; [`Inertia::IMMOVABLE`] unless dynamic.
    pub inertia: Inertia,
    /// Centre of mass in the body's own frame, m.
    pub center_of_mass_local: Coordinate,
    /// Surface.
    pub material: Material,
    /// Collision filter.
    pub collision: CollisionGroups,
    /// Named values for fields.
    pub properties: Properties,
    /// Rate of exponential decay of the velocity, 1/s ≥ 0.
    pub linear_damping: f64,
    /// Rate of exponential decay of the angular velocity, 1/s ≥ 0.
    pub angular_damping: f64,
    /// Which values of the material are stated, and how they combine with those of other surfaces.
    pub surface: SurfaceRules,
    /// Velocity of its surface against the body, and whether it is solid from one side only.
    pub surface_motion: SurfaceMotion,
    /// True for a trigger volume: it touches nothing and reports bodies that enter it.
    pub trigger: bool,
    /// Mass and inertia for when the body becomes dynamic; `None` for dynamic bodies.
    pub spare_inertia: Option<Inertia>,
    /// A number of the program's own; no result depends on it.
    pub user_data: u128,
    /// How it looks; no part of the fingerprint, because no result depends on it.
    pub appearance: Option<Arc<Appearance>>,
}

impl Fingerprint for RigidBody {
    parameters!("body": name, kind, shape, inertia, center_of_mass_local, material, collision, properties, linear_damping, angular_damping, surface, surface_motion, trigger, spare_inertia; user_data, appearance);
}

impl RigidBody {
    /// An order of bodies that does not depend on the order in which they were added: bodies that forces do not move first, so that they
    /// are body A of their contacts and normals are fixed in them; then by name, shorter names first, so that `box2` comes before
    /// `box10`.
    #[must_use]
    pub fn canonical_order(&self, other: &Self) -> std::cmp::Ordering {
        let key = |body: &Self| (body.kind == BodyKind::Dynamic, body.name.len());
        key(self).cmp(&key(other)).then_with(|| self.name.cmp(&other.name))
    }

    /// A dynamic body with its centre of mass at the origin of its frame and nothing else said.
    #[must_use]
    pub fn new(name: &str, inertia: Inertia) -> Self {
        Self {
            name: name.to_owned(),
            kind: BodyKind::Dynamic,
            shape: None,
            inertia,
            center_of_mass_local: Vec3::ZERO,
            material: Material::default(),
            collision: CollisionGroups::ALL,
            properties: Properties::default(),
            linear_damping: 0.0,
            angular_damping: 0.0,
            surface: SurfaceRules::default(),
            surface_motion: SurfaceMotion::default(),
            trigger: false,
            spare_inertia: None,
            user_data: 0,
            appearance: None,
        }
    }

    /// Placeholder in a slot whose body was removed: no forces and no collisions.
    #[must_use]
    pub fn vacant() -> Self {
        Self { kind: BodyKind::Graphical, ..Self::new("", Inertia::IMMOVABLE) }
    }

    /// The filter for contact: that of the body, or [`CollisionGroups::NONE`] for one that touches nothing.
    #[must_use]
    pub fn contact_groups(&self) -> CollisionGroups {
        if self.trigger || self.kind == BodyKind::Graphical { CollisionGroups::NONE } else { self.collision }
    }

    /// World pose of the body's frame (the frame that the user placed) when the body is in `state`.
    #[must_use]
    pub fn frame(&self, state: &InertialState) -> ReferenceFrame {
        ReferenceFrame::new(
            state.center_of_mass - state.orientation * self.center_of_mass_local,
            state.orientation,
        )
    }

    /// World position of the centre of mass when the body's frame is at `frame`.
    #[must_use]
    pub fn center_of_mass(&self, frame: &ReferenceFrame) -> Coordinate {
        frame.point_to_parent(self.center_of_mass_local)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn properties_keep_the_last_value_and_their_kind() {
        let mut properties = Properties::default();
        properties.set("drag-area", PropertyValue::Scalar(1.0));
        properties.set("dipole", PropertyValue::Vector(Vec3::X));
        properties.set("drag-area", PropertyValue::Scalar(2.0));
        assert_eq!(properties.scalar("drag-area"), Some(2.0));
        assert_eq!(properties.vector("dipole"), Some(Vec3::X));
        assert_eq!(properties.scalar("dipole"), None);
        assert_eq!(properties.iter().count(), 2);
    }
}
