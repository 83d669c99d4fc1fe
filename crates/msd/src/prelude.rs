//! Common imports: `use msd::prelude::*;`.
//!
//! Everything a program of bodies, joints, fields, contact, queries and agents needs. Solver parts and collision algorithms are imported
//! from their modules.

pub use crate::agent::{
    Agent, Approach, Command, ConstantWrench, ControlSchedule, Docking, DockingControl, DockingPorts,
    PdAttitude, Scripted, VelocityCommand,
};
pub use crate::engine::{AgentHandle, Engine, EngineError};
pub use crate::environment::{
    BodyDescription, ContactEvent, ContactEventKind, ContactSettings, ContactTier, ContactView, EnergyLedger,
    Ground, QueryFilter, RunReport, Sensor, Site, SleepSettings, Snapshot, State, StepReport, World,
    WorldError,
};
pub use crate::math::{Angle, AngularCoordinate, Coordinate, Mat3, Quat, ReferenceFrame, Vec3, orientation};
pub use crate::physics::collision::{Motion, Projection};
pub use crate::physics::constraints::{
    Actuator, BallJoint, Constraint, ConstraintHandle, DistanceJoint, FixedJoint, HingeJoint, JointEnd,
    Limits, Motor, SliderJoint, SpringJoint, UniversalJoint,
};
pub use crate::physics::forces::{
    Attachment, Damper, Field, GravityGradient, MagneticDipole, PointGravity, Spring, Targets, ThirdBody,
    Thruster, UniformGravity,
};
pub use crate::physics::integration::{
    Adaptive, ExactFree, ImplicitEuler, ImplicitMidpoint, Integrator, LoadFrame, Rk4, SemiImplicitEuler,
    VelocityVerlet,
};
pub use crate::physics::rigid_body::shape::{
    Aabb, Capsule, Compound, CompoundPart, Cone, ConvexHull, Cuboid, Cylinder, Ellipsoid, Geometry,
    HalfSpace, Ray, RayHit, Rounded, Shape, Sphere, TaperedCapsule, TriangleMesh,
};
pub use crate::physics::rigid_body::{
    BodyHandle, BodyKind, BodyView, CollisionGroups, Inertia, InertialState, Material, PropertyValue,
};
pub use crate::threads::Threads;
