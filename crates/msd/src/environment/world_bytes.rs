//! A whole world as bytes: model and state, written and read back.
//!
//! The bytes are sealed ([`sealed_bytes`](super::sealed_bytes)); the payload is encoded by serde through postcard. It holds all that steps
//! depend on: bodies with their slots, fields, joints, settings, the state and the impulse cache, so that the world that is read goes on
//! with the same bits. It is checked twice: every part by the rules that hold where it is added, and the whole by the hash of its model.
//!
//! Not written: the clock, threads, the contact points and sensor readings of the last step. Bodies, fields and joints are found by name:
//! handles of the world that was written are those of another world. Types that a program defines itself cannot be written.

use std::any::Any;
use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::contact::{AutoLimits, ContactMemory, ContactScheme, ContactSettings, ContactTier, GeometricMean};
use super::joint_event::{BreakLoad, Latch};
use super::sealed_bytes::{self, Broken};
use super::world::{Slot, WorldState};
use super::{FaultPolicy, FieldHandle, SleepSettings, World, shape_limits, validate};
use crate::certificate::CertificateSettings;
use crate::math::{Coordinate, ReferenceFrame, Vec3};
use crate::physics::constraints::contact::ExactSolverSettings;
use crate::physics::constraints::contact::soft::SoftSettings;
use crate::physics::constraints::{Actuator, Constraint, SavedConstraint};
use crate::physics::forces::{SavedField, named_bodies};
use crate::physics::integration::{
    Adaptive, ExactFree, ImplicitEuler, ImplicitMidpoint, Integrator, Rk4, SemiImplicitEuler, VelocityVerlet,
    by_name,
};
use crate::physics::rigid_body::shape::Shape;
use crate::physics::rigid_body::{
    Appearance, BodyHandle, BodyKind, CollisionGroups, Color, Inertia, InertialState, Material, Properties,
    PropertyValue, RigidBody, SurfaceMotion, SurfaceRules, Visual, VisualGeometry, VisualMesh, as_of_world,
};

const MAGIC: [u8; 8] = *b"MSDWORLD";
/// Format that this engine reads and writes.
const FORMAT: u32 = 1;

/// Why a world could not be written or read.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum WorldBytesError {
    /// A part of the world is of a type that the engine does not know.
    #[error(
        "{what} is of a type of your own, which cannot be written: take it out before `to_bytes` and add it again to \
         the world that you read"
    )]
    Custom {
        /// Which part.
        what: String,
    },
    /// Too short or without the magic bytes.
    #[error("these bytes are not a world")]
    NotAWorld,
    /// Written in another format.
    #[error("this world has format {found}; this engine reads format {FORMAT}")]
    Format {
        /// The format it has.
        found: u32,
    },
    /// Shorter or longer than its header says.
    #[error("this world is {found} bytes long where its header says {expected}: it was cut off or added to")]
    Length {
        /// Bytes expected.
        expected: u64,
        /// Bytes found.
        found: u64,
    },
    /// Its contents do not match its checksum, or contradict each other.
    #[error("these bytes of a world are damaged: {0}")]
    Damaged(&'static str),
    /// Written by another version of the engine, whose steps may differ in the last bit.
    #[error("this world was written by msd {found}; this is msd {}", env!("CARGO_PKG_VERSION"))]
    Version {
        /// The version that wrote it.
        found: String,
    },
}

/// The payload.
#[derive(Serialize, Deserialize)]
struct Saved {
    /// Generation of every slot, and whether it is in use.
    slots: Vec<(u32, bool)>,
    bodies: Vec<SavedBody>,
    gravity: Vec3,
    fields: Vec<(u64, SavedField)>,
    next_field: u64,
    joints: Vec<(u32, Option<(String, SavedConstraint)>)>,
    actuators: BTreeMap<usize, Actuator>,
    breaks: BTreeMap<usize, BreakLoad>,
    latches: BTreeMap<usize, [BodyHandle; 2]>,
    contact: SavedContact,
    ignored: Vec<(u32, u32)>,
    certificate: CertificateSettings,
    /// Name and tolerance.
    integrator: (String, Option<f64>),
    dt: f64,
    sleeping: Option<SleepSettings>,
    fault_policy: FaultPolicy,
    initial: Vec<InertialState>,
    state: WorldState,
    memory: ContactMemory,
    /// Of the world that was written.
    model_hash: [u8; 32],
}

#[derive(Serialize, Deserialize)]
struct SavedContact {
    tier: ContactTier,
    auto: AutoLimits,
    fast: SoftSettings,
    solver: ExactSolverSettings,
    scheme: ContactScheme,
}

#[derive(Serialize, Deserialize)]
struct SavedBody {
    name: String,
    kind: BodyKind,
    shape: Option<Shape>,
    inertia: Inertia,
    center_of_mass_local: Coordinate,
    material: Material,
    collision: CollisionGroups,
    properties: Vec<(String, SavedProperty)>,
    damping: [f64; 2],
    surface: SurfaceRules,
    surface_motion: SurfaceMotion,
    trigger: bool,
    spare_inertia: Option<Inertia>,
    user_data: u128,
    appearance: Option<SavedAppearance>,
}

/// As [`PropertyValue`], whose own form has no tag.
#[derive(Serialize, Deserialize)]
enum SavedProperty {
    Scalar(f64),
    Vector(Vec3),
}

#[derive(Serialize, Deserialize)]
struct SavedAppearance {
    color: Option<Color>,
    visuals: Vec<(SavedVisual, ReferenceFrame, Option<Color>)>,
}

#[derive(Serialize, Deserialize)]
enum SavedVisual {
    Shape(Shape),
    Mesh(Vec<Coordinate>, Vec<[u32; 3]>),
}

type Refused = WorldBytesError;

impl World {
    /// The whole world, model and state, as bytes for [`World::from_bytes`].
    ///
    /// ```
    /// # use msd::prelude::*;
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let mut world = World::new();
    /// world.add_body(BodyDescription::fixed("floor", HalfSpace::new(Vec3::Z, 0.0)?))?;
    /// let ball = BodyDescription::dynamic("ball", Sphere::new(0.1)?).mass(1.0).restitution(0.5);
    /// world.add_body(ball.position(Vec3::Z))?;
    /// world.run(0.7)?;
    /// let bytes = world.to_bytes()?;
    /// let mut copy = World::from_bytes(&bytes)?;
    /// world.run(0.3)?;
    /// copy.run(0.3)?;
    /// assert_eq!(copy.state_hash(), world.state_hash()); // the same bits
    /// let ball = copy.find("ball").expect("names are kept, handles are new");
    /// assert!(copy.frame(ball)?.position.z < 1.0);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// If a field, joint, integrator or material rule is of a type of your own; the message names it.
    pub fn to_bytes(&self) -> Result<Vec<u8>, WorldBytesError> {
        let saved = self.saved()?;
        // The same bytes in every process: handles are written without the identity of their world.
        let payload = as_of_world(0, || postcard::to_allocvec(&(env!("CARGO_PKG_VERSION"), saved)))
            .map_err(|_| custom("the motion that a field follows"))?;
        Ok(sealed_bytes::seal(MAGIC, FORMAT, &payload))
    }

    /// The world of these bytes; its next steps have the same bits as those of the world that was written.
    ///
    /// # Errors
    /// If the bytes are damaged, are no world, or were written by another version.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, WorldBytesError> {
        let payload = sealed_bytes::open(MAGIC, FORMAT, bytes).map_err(|broken| match broken {
            Broken::Magic => Refused::NotAWorld,
            Broken::Format(found) => Refused::Format { found },
            Broken::Length { expected, found } => Refused::Length { expected, found },
            Broken::Digest => Refused::Damaged("the checksum does not match the contents"),
        })?;
        let unreadable = |_| Refused::Damaged("the contents cannot be decoded");
        let (found, saved) = postcard::take_from_bytes::<String>(payload).map_err(unreadable)?;
        if found != env!("CARGO_PKG_VERSION") {
            return Err(Refused::Version { found });
        }
        let world = World::new();
        let saved = as_of_world(world.identity.number(), || postcard::from_bytes::<Saved>(saved));
        world.fill_with(saved.map_err(unreadable)?)
    }

    fn saved(&self) -> Result<Saved, WorldBytesError> {
        let fields = self.fields.iter().zip(&self.field_handles).map(|(field, handle)| {
            let saved = SavedField::of(field.as_ref());
            Ok((handle.number, saved.ok_or_else(|| custom(&format!("the field `{}`", field.type_name())))?))
        });
        let joints = self.joints.all_slots().map(|(generation, entry)| {
            let entry = entry.map(|(name, joint)| {
                let saved = SavedConstraint::of(joint.as_ref());
                Ok((name.to_owned(), saved.ok_or_else(|| custom(&format!("the joint `{name}`")))?))
            });
            Ok((generation, entry.transpose()?))
        });
        let ContactSettings { tier, auto, fast, solver, scheme, materials, hook } = &self.contacts.settings;
        if hook.is_some() {
            return Err(custom("the contact hook"));
        }
        let rule: &dyn Any = materials.as_ref();
        if !rule.is::<GeometricMean>() {
            return Err(custom("the rule that combines materials"));
        }
        Ok(Saved {
            slots: self.slots.iter().map(|slot| (slot.generation, slot.occupied)).collect(),
            bodies: self.bodies.iter().map(SavedBody::of).collect(),
            gravity: self.gravity,
            fields: fields.collect::<Result<_, WorldBytesError>>()?,
            next_field: self.next_field,
            joints: joints.collect::<Result<_, WorldBytesError>>()?,
            actuators: self.actuators.clone(),
            breaks: self.breaks.clone(),
            latches: self.latches.iter().map(|(slot, latch)| (*slot, latch.ends)).collect(),
            contact: SavedContact { tier: *tier, auto: *auto, fast: *fast, solver: *solver, scheme: *scheme },
            ignored: self.contacts.ignored.iter().copied().collect(),
            certificate: self.certificate_settings,
            integrator: saved_integrator(self.integrator.as_ref())?,
            dt: self.dt,
            sleeping: self.sleeping,
            fault_policy: self.fault_policy,
            initial: self.initial.clone(),
            state: self.state.clone(),
            memory: self.contacts.memory(),
            model_hash: self.model_hash().0,
        })
    }

    /// Fills a new world and validates the data.
    fn fill_with(mut self, saved: Saved) -> Result<Self, WorldBytesError> {
        let count = saved.slots.len();
        if saved.bodies.len() != count || saved.initial.len() != count || u32::try_from(count).is_err() {
            return Err(Refused::Damaged("it has not as many bodies as slots"));
        }
        let world = self.identity.number();
        for (slot, ((generation, occupied), body)) in saved.slots.into_iter().zip(saved.bodies).enumerate() {
            let body = body.into_body(occupied)?;
            self.slots.push(Slot { world, generation, occupied });
            if occupied {
                let handle = BodyHandle::new(world, slot as u32, generation);
                if self.names.insert(body.name.clone(), handle).is_some() {
                    return Err(Refused::Damaged("two bodies have the same name"));
                }
                self.triggers += usize::from(body.trigger);
            } else {
                self.vacant.push(Reverse(slot as u32));
            }
            self.contacts.add_body(&body);
            self.bodies.push(body);
        }
        let finite = saved.gravity.is_finite()
            && saved.dt.is_finite()
            && saved.dt > 0.0
            && saved.initial.iter().all(InertialState::is_finite);
        if !finite {
            return Err(Refused::Damaged("a number is not finite"));
        }
        (self.gravity, self.dt, self.initial) = (saved.gravity, saved.dt, saved.initial);
        self.fill_fields(saved.fields, saved.next_field)?;
        self.fill_joints(saved.joints)?;
        for slot in saved.actuators.keys().chain(saved.breaks.keys()).chain(saved.latches.keys()) {
            if *slot >= self.joints.slots() {
                return Err(Refused::Damaged("it has settings of a joint that is not there"));
            }
        }
        (self.actuators, self.breaks) = (saved.actuators, saved.breaks);
        for (slot, ends) in saved.latches {
            if ends.iter().any(|end| self.slot(*end).is_err()) {
                return Err(Refused::Damaged("a latch is on a body that is not there"));
            }
            self.latches.insert(slot, Latch { ends, holds: None });
        }
        self.fill_contacts(saved.contact, saved.ignored)?;
        self.certificate_settings = saved.certificate;
        self.integrator =
            integrator(&saved.integrator).ok_or(Refused::Damaged("its integrator is not known"))?;
        (self.sleeping, self.fault_policy) = (saved.sleeping, saved.fault_policy);
        if !self.fits(&saved.state) || !self.contacts.restore(saved.memory, count) {
            return Err(Refused::Damaged("the state does not fit the bodies"));
        }
        self.state = saved.state;
        self.follow_drives();
        self.contacts.exclude(&self.joints);
        self.bump_revision();
        if self.model_hash().0 != saved.model_hash {
            return Err(Refused::Damaged("the model is not the one that was written"));
        }
        Ok(self)
    }

    fn fill_fields(&mut self, fields: Vec<(u64, SavedField)>, next: u64) -> Result<(), WorldBytesError> {
        self.fields.clear();
        self.field_handles.clear();
        for (number, field) in fields {
            if !field.is_sound() || number >= next {
                return Err(Refused::Damaged("a field is out of range"));
            }
            let field = field.into_field();
            if named_bodies(field.as_ref()).iter().any(|body| self.slot(*body).is_err()) {
                return Err(Refused::Damaged("a field names a body that is not there"));
            }
            // Gravity, the first field, has the same handle in every world.
            let world = if number == 0 { 0 } else { self.identity.number() };
            self.fields.push(field);
            self.field_handles.push(FieldHandle { world, number });
        }
        self.next_field = next;
        Ok(())
    }

    /// Joints first, then the axes of sequences, then the elements that act along joints, each in its own slot.
    fn fill_joints(
        &mut self,
        saved: Vec<(u32, Option<(String, SavedConstraint)>)>,
    ) -> Result<(), WorldBytesError> {
        let damaged = || Refused::Damaged("a joint does not fit the world");
        let generations: Vec<u32> = saved.iter().map(|(generation, _)| *generation).collect();
        let stage = |constraint: &SavedConstraint| match constraint.along() {
            Some(_) => 2,
            None => u8::from(constraint.is_sequence_axis()),
        };
        let mut waiting: Vec<_> = saved.into_iter().map(|(_, entry)| entry).collect();
        let mut made: Vec<Option<(String, Arc<dyn Constraint>)>> = waiting.iter().map(|_| None).collect();
        let mut sequences = Vec::new();
        for now in 0..3 {
            for slot in 0..waiting.len() {
                let Some((name, constraint)) =
                    waiting[slot].take_if(|(_, constraint)| stage(constraint) == now)
                else {
                    continue;
                };
                let owner = constraint.along().map(|along| match made.get(along) {
                    Some(Some((_, owner))) => {
                        Ok((self.joints.handle_in(along, generations[along]), Arc::clone(owner)))
                    }
                    _ => Err(damaged()),
                });
                let leader = match constraint.leader() {
                    Some(slot) if slot < generations.len() => {
                        Some(self.joints.handle_in(slot, generations[slot]))
                    }
                    Some(_) => return Err(damaged()),
                    None => None,
                };
                let joint = constraint.into_constraint(owner.transpose()?, leader, &mut sequences);
                let joint = joint.ok_or_else(damaged)?;
                if joint.bodies().into_iter().flatten().any(|body| self.slot(body).is_err()) {
                    return Err(damaged());
                }
                made[slot] = Some((name, joint));
            }
        }
        for (generation, entry) in generations.into_iter().zip(made) {
            self.joints.push_slot(generation, entry).map_err(|_| damaged())?;
        }
        Ok(())
    }

    fn fill_contacts(
        &mut self,
        saved: SavedContact,
        ignored: Vec<(u32, u32)>,
    ) -> Result<(), WorldBytesError> {
        let SavedContact { tier, auto, fast, solver, scheme } = saved;
        let settings = ContactSettings {
            tier,
            auto,
            fast,
            solver,
            scheme,
            materials: Arc::new(GeometricMean),
            hook: None,
        };
        settings.validate().map_err(|_| Refused::Damaged("contact settings are out of range"))?;
        let known = |slot: u32| (slot as usize) < self.slots.len();
        if ignored.iter().any(|(a, b)| !known(*a) || !known(*b)) {
            return Err(Refused::Damaged("a pair that does not collide is not there"));
        }
        self.contacts.settings = settings;
        self.contacts.ignored = ignored.into_iter().collect();
        Ok(())
    }
}

impl SavedBody {
    fn of(body: &RigidBody) -> Self {
        let property = |(name, value): (&str, PropertyValue)| match value {
            PropertyValue::Scalar(value) => (name.to_owned(), SavedProperty::Scalar(value)),
            PropertyValue::Vector(value) => (name.to_owned(), SavedProperty::Vector(value)),
        };
        Self {
            name: body.name.clone(),
            kind: body.kind,
            shape: body.shape.clone(),
            inertia: body.inertia,
            center_of_mass_local: body.center_of_mass_local,
            material: body.material,
            collision: body.collision,
            properties: body.properties.iter().map(property).collect(),
            damping: [body.linear_damping, body.angular_damping],
            surface: body.surface,
            surface_motion: body.surface_motion,
            trigger: body.trigger,
            spare_inertia: body.spare_inertia,
            user_data: body.user_data,
            appearance: body.appearance.as_deref().map(SavedAppearance::of),
        }
    }

    fn into_body(self, occupied: bool) -> Result<RigidBody, WorldBytesError> {
        let finite = self.center_of_mass_local.is_finite()
            && self.damping.iter().all(|rate| rate.is_finite() && *rate >= 0.0);
        let named = !occupied || validate::Validator::body(&self.name).name().is_ok();
        let shape = self
            .shape
            .as_ref()
            .is_none_or(|shape| shape_limits::check(self.kind, self.collision, shape).is_ok());
        let motion = validate::Validator::body(&self.name).surface_motion(self.surface_motion).is_ok();
        if !motion || !finite || !named || !shape || self.material.validate().is_err() {
            return Err(Refused::Damaged("a body is out of range"));
        }
        let mut properties = Properties::default();
        for (name, value) in self.properties {
            let value = match value {
                SavedProperty::Scalar(value) => PropertyValue::Scalar(value),
                SavedProperty::Vector(value) => PropertyValue::Vector(value),
            };
            properties.set(&name, value);
        }
        Ok(RigidBody {
            name: self.name,
            kind: self.kind,
            shape: self.shape,
            inertia: self.inertia,
            center_of_mass_local: self.center_of_mass_local,
            material: self.material,
            collision: self.collision,
            properties,
            linear_damping: self.damping[0],
            angular_damping: self.damping[1],
            surface: self.surface,
            surface_motion: self.surface_motion,
            trigger: self.trigger,
            spare_inertia: self.spare_inertia,
            user_data: self.user_data,
            appearance: self.appearance.map(SavedAppearance::into_appearance).transpose()?.map(Arc::new),
        })
    }
}

impl SavedAppearance {
    fn of(appearance: &Appearance) -> Self {
        let visual = |visual: &Visual| {
            let geometry = match &visual.geometry {
                VisualGeometry::Shape(shape) => SavedVisual::Shape(shape.clone()),
                VisualGeometry::Mesh(mesh) => {
                    SavedVisual::Mesh(mesh.vertices().to_vec(), mesh.triangles().to_vec())
                }
            };
            (geometry, visual.frame, visual.color)
        };
        Self { color: appearance.color, visuals: appearance.visuals.iter().map(visual).collect() }
    }

    fn into_appearance(self) -> Result<Appearance, WorldBytesError> {
        let mut visuals = Vec::with_capacity(self.visuals.len());
        for (geometry, frame, color) in self.visuals {
            let geometry = match geometry {
                SavedVisual::Shape(shape) => VisualGeometry::Shape(shape),
                SavedVisual::Mesh(vertices, triangles) => {
                    let mesh = VisualMesh::new(vertices, triangles);
                    VisualGeometry::Mesh(Arc::new(
                        mesh.map_err(|_| Refused::Damaged("a visual mesh is broken"))?,
                    ))
                }
            };
            visuals.push(Visual { geometry, frame, color });
        }
        Ok(Appearance { color: self.color, visuals })
    }
}

/// Name and tolerance of a delivered integrator.
fn saved_integrator(integrator: &dyn Integrator) -> Result<(String, Option<f64>), WorldBytesError> {
    let any: &dyn Any = integrator;
    let plain = any.is::<SemiImplicitEuler>()
        || any.is::<VelocityVerlet>()
        || any.is::<Rk4>()
        || any.is::<ImplicitMidpoint>()
        || any.is::<ImplicitEuler>();
    let tolerance = match (any.downcast_ref::<Adaptive>(), any.downcast_ref::<ExactFree>()) {
        (Some(adaptive), _) => Some(adaptive.tolerance()),
        (None, Some(exact)) => Some(exact.fallback_tolerance()),
        (None, None) if plain => None,
        (None, None) => return Err(custom(&format!("the integrator `{}`", integrator.name()))),
    };
    Ok((integrator.name().to_owned(), tolerance))
}

fn integrator((name, tolerance): &(String, Option<f64>)) -> Option<Box<dyn Integrator>> {
    match (name.as_str(), *tolerance) {
        (_, Some(value)) if value.is_nan() || value <= 0.0 => None,
        ("adaptive", Some(tolerance)) => Some(Box::new(Adaptive::new(tolerance))),
        ("exact-free", Some(tolerance)) => Some(Box::new(ExactFree::new(tolerance))),
        (name, tolerance) => by_name(name, tolerance).ok(),
    }
}

fn custom(what: &str) -> WorldBytesError {
    WorldBytesError::Custom { what: what.to_owned() }
}
