//! `BodyDescription`: builder of a body.

use std::sync::Arc;

use crate::math::{Coordinate, Mat3, Quat, ReferenceFrame, Vec3};
use crate::physics::rigid_body::shape::{Geometry, Shape};
use crate::physics::rigid_body::{
    Appearance, BodyKind, CollisionGroups, CombineRule, Inertia, InertiaError, MassProperties, Material,
    Properties, PropertyValue, SurfaceMotion, SurfaceRules,
};

/// Mass or density of a body; one is never interpreted as the other.
#[derive(Clone, Copy, Debug, PartialEq)]
enum MassSource {
    Unsaid,
    /// kg.
    Mass(f64),
    /// kg/m³.
    Density(f64),
}

/// Everything about a new body. Lengths are full lengths; defaults are at rest at the origin.
#[derive(Clone, Debug)]
pub struct BodyDescription {
    pub(super) name: String,
    pub(super) kind: BodyKind,
    pub(super) shape: Option<Shape>,
    mass_source: MassSource,
    inertia: Option<Mat3>,
    center_of_mass: Option<Coordinate>,
    pub(super) frame: ReferenceFrame,
    pub(super) velocity: Vec3,
    pub(super) angular_velocity: Vec3,
    pub(super) material: Material,
    pub(super) collision: CollisionGroups,
    pub(super) properties: Properties,
    pub(super) linear_damping: f64,
    pub(super) angular_damping: f64,
    pub(super) surface: SurfaceRules,
    pub(super) surface_motion: SurfaceMotion,
    pub(super) trigger: bool,
    pub(super) user_data: u128,
    pub(super) appearance: Option<Arc<Appearance>>,
}

impl BodyDescription {
    fn new(name: &str, kind: BodyKind, shape: Option<Shape>) -> Self {
        Self {
            name: name.to_owned(),
            kind,
            shape,
            mass_source: MassSource::Unsaid,
            inertia: None,
            center_of_mass: None,
            frame: ReferenceFrame::IDENTITY,
            velocity: Vec3::ZERO,
            angular_velocity: Vec3::ZERO,
            material: Material::default(),
            collision: CollisionGroups::ALL,
            properties: Properties::default(),
            linear_damping: 0.0,
            angular_damping: 0.0,
            surface: SurfaceRules::default(),
            surface_motion: SurfaceMotion::default(),
            trigger: false,
            user_data: 0,
            appearance: None,
        }
    }

    /// A dynamic body. Give it a [`mass`](Self::mass) or a [`density`](Self::density).
    #[must_use]
    pub fn dynamic(name: &str, shape: impl Into<Shape>) -> Self {
        Self::new(name, BodyKind::Dynamic, Some(shape.into()))
    }

    /// A dynamic body without collisions: a mass (kg) with an inertia tensor about its centre of mass (body
    /// frame, kg·m²) and no surface.
    #[must_use]
    pub fn without_shape(name: &str, mass: f64, inertia: Mat3) -> Self {
        Self::new(name, BodyKind::Dynamic, None).mass(mass).inertia(inertia)
    }

    /// A body that never moves.
    #[must_use]
    pub fn fixed(name: &str, shape: impl Into<Shape>) -> Self {
        Self::new(name, BodyKind::Static, Some(shape.into()))
    }

    /// A body that moves with the velocity it is given.
    #[must_use]
    pub fn kinematic(name: &str, shape: impl Into<Shape>) -> Self {
        Self::new(name, BodyKind::Kinematic, Some(shape.into()))
    }

    /// A body for display only.
    #[must_use]
    pub fn graphical(name: &str, shape: impl Into<Shape>) -> Self {
        Self::new(name, BodyKind::Graphical, Some(shape.into()))
    }

    /// Mass, kg; replaces a density.
    #[must_use]
    pub fn mass(mut self, kilograms: f64) -> Self {
        self.mass_source = MassSource::Mass(kilograms);
        self
    }

    /// Density, kg/m³, of the whole volume; replaces a mass.
    #[must_use]
    pub fn density(mut self, kilograms_per_cubic_metre: f64) -> Self {
        self.mass_source = MassSource::Density(kilograms_per_cubic_metre);
        self
    }

    /// Inertia tensor about the centre of mass, body frame, kg·m²; from shape and mass unless given.
    #[must_use]
    pub fn inertia(mut self, tensor_body: Mat3) -> Self {
        self.inertia = Some(tensor_body);
        self
    }

    /// Centre of mass in the body frame, m; the shape's centroid unless given. Without an inertia, the
    /// shape's centroidal tensor is used about this point.
    #[must_use]
    pub fn center_of_mass(mut self, local: Coordinate) -> Self {
        self.center_of_mass = Some(local);
        self
    }

    /// Position of the body frame, m.
    #[must_use]
    pub fn position(mut self, position: Coordinate) -> Self {
        self.frame.position = position;
        self
    }

    /// Orientation, body to world.
    #[must_use]
    pub fn orientation(mut self, orientation: Quat) -> Self {
        self.frame.orientation = orientation;
        self
    }

    /// Velocity of the centre of mass, world frame, m/s.
    #[must_use]
    pub fn velocity(mut self, velocity: Vec3) -> Self {
        self.velocity = velocity;
        self
    }

    /// Angular velocity, world frame, rad/s.
    #[must_use]
    pub fn angular_velocity(mut self, angular_velocity: Vec3) -> Self {
        self.angular_velocity = angular_velocity;
        self
    }

    /// Surface material. All its values count as stated: where the other body of a pair states a value too, the pair has the
    /// combination of both ([`CombineRule`]), otherwise this one.
    #[must_use]
    pub fn material(mut self, material: Material) -> Self {
        self.material = material;
        let SurfaceRules { friction_rule, restitution_rule, .. } = self.surface;
        self.surface = SurfaceRules { friction_rule, restitution_rule, ..SurfaceRules::STATED };
        self
    }

    /// Coulomb coefficient of friction, and no other value of the material.
    #[must_use]
    pub fn friction(mut self, coefficient: f64) -> Self {
        self.material.friction = coefficient;
        self.surface.states_friction = true;
        self
    }

    /// Coefficient of restitution, and no other value of the material: a ball with 0.8 on a floor of which nothing is said bounces with
    /// 0.8.
    ///
    /// ```
    /// # use msd::prelude::*;
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let mut world = World::new();
    /// world.add_body(BodyDescription::fixed("floor", HalfSpace::new(Vec3::Z, 0.0)?))?;
    /// let ball = BodyDescription::dynamic("ball", Sphere::new(0.1)?).mass(1.0).position(Vec3::Z * 1.1);
    /// let ball = world.add_body(ball.restitution(0.8))?;
    /// // 1 m down takes √(2/g); the bounce rises to 0.64 m, after another 0.8 √(2/g).
    /// world.run(1.8 * (2.0_f64 / 9.81).sqrt())?;
    /// assert!((world.body(ball)?.state.center_of_mass.z - 0.74).abs() < 1e-6);
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub fn restitution(mut self, coefficient: f64) -> Self {
        self.material.restitution = coefficient;
        self.surface.states_restitution = true;
        self
    }

    /// How friction (with rolling and torsional friction) and restitution combine with those of other surfaces that state them.
    #[must_use]
    pub fn combine(mut self, friction: CombineRule, restitution: CombineRule) -> Self {
        (self.surface.friction_rule, self.surface.restitution_rule) = (friction, restitution);
        self
    }

    /// Which values of the material are stated, and how they combine.
    #[must_use]
    pub fn surface(mut self, surface: SurfaceRules) -> Self {
        self.surface = surface;
        self
    }

    /// Makes the body a trigger volume: it touches nothing, and [`World::trigger_events`](super::World::trigger_events) reports which bodies
    /// enter and leave its shape.
    #[must_use]
    pub fn trigger(mut self) -> Self {
        self.trigger = true;
        self
    }

    /// A number of the program's own; no result depends on it.
    #[must_use]
    pub fn user_data(mut self, data: u128) -> Self {
        self.user_data = data;
        self
    }

    /// Velocity of its surface relative to the body, body frame, m/s: a conveyor belt. Friction drives bodies that lie on it; the part along
    /// a contact normal has no effect.
    #[must_use]
    pub fn surface_velocity(mut self, velocity: Vec3) -> Self {
        self.surface_motion.velocity = velocity;
        self
    }

    /// Can be touched only from the side that `direction` points to, body frame: a platform to jump onto from below. Bodies that come
    /// from elsewhere pass through.
    #[must_use]
    pub fn one_way(mut self, direction: Vec3) -> Self {
        self.surface_motion.one_way = Some(direction);
        self
    }

    /// Collision filter; everything by default.
    #[must_use]
    pub fn collision(mut self, groups: CollisionGroups) -> Self {
        self.collision = groups;
        self
    }

    /// A named value for fields (body frame, SI).
    #[must_use]
    pub fn property(mut self, name: &str, value: PropertyValue) -> Self {
        self.properties.set(name, value);
        self
    }

    /// Rates at which velocity and angular velocity decay exponentially, 1/s.
    #[must_use]
    pub fn damping(mut self, linear: f64, angular: f64) -> Self {
        self.linear_damping = linear;
        self.angular_damping = angular;
        self
    }

    /// How it looks in the viewer, in recordings and in exports. No result depends on it.
    #[must_use]
    pub fn appearance(mut self, appearance: Appearance) -> Self {
        self.appearance = (!appearance.is_empty()).then(|| Arc::new(appearance));
        self
    }

    /// Inertia and local centre of mass of the described body.
    pub(super) fn resolve_mass(&self) -> Result<(Inertia, Coordinate), InertiaError> {
        if self.kind != BodyKind::Dynamic {
            let centroid = || self.shape.as_ref().and_then(Geometry::centroid);
            return Ok((Inertia::IMMOVABLE, self.center_of_mass.or_else(centroid).unwrap_or(Vec3::ZERO)));
        }
        let resolved = match (self.mass_source, &self.shape) {
            (MassSource::Unsaid, _) => return Err(InertiaError::Unsaid),
            (MassSource::Mass(mass), shape) => self.with_given_mass(mass, shape.as_ref())?,
            (MassSource::Density(_), None) => return Err(InertiaError::NoShape),
            (MassSource::Density(density), Some(shape)) => {
                parts(&MassProperties::from_shape_with_density(shape, density)?)
            }
        };
        let (mass, center, tensor) = resolved;
        Ok((Inertia::new(mass, self.inertia.unwrap_or(tensor))?, self.center_of_mass.unwrap_or(center)))
    }

    /// Mass, centre of mass and tensor from a mass and the shape; if all are given, the shape is not used, so
    /// that even an open mesh may be a body.
    fn with_given_mass(
        &self,
        mass: f64,
        shape: Option<&Shape>,
    ) -> Result<(f64, Coordinate, Mat3), InertiaError> {
        match (self.inertia, self.center_of_mass, shape) {
            (Some(inertia), Some(center), _) => Ok((mass, center, inertia)),
            (Some(inertia), None, None) => Ok((mass, Vec3::ZERO, inertia)),
            (None, _, None) => Err(InertiaError::NoShape),
            (_, _, Some(shape)) => Ok(parts(&MassProperties::from_shape_with_mass(shape, mass)?)),
        }
    }
}

fn parts(properties: &MassProperties) -> (f64, Coordinate, Mat3) {
    (properties.mass(), properties.center_of_mass(), properties.inertia())
}
