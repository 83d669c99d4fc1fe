//! Delivered constraints as data: how a world is written with its joints and read back.
//!
//! Actuators, springs and armatures along a joint are written with the slot of that joint and made again on it. Axes of a sequence share
//! the sequence with the joint that holds its bodies, which trees of joints rely on; they are joined again when read.

use std::any::Any;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::{
    Actuator, Armature, BallJoint, Constraint, ConstraintHandle, CoupledJoint, DistanceJoint, FixedJoint,
    HingeJoint, JointActuator, JointSpring, JointTerm, RowLaw, SequenceAxis, SequenceJoint, SliderJoint,
    SpringJoint, UniversalJoint,
};

/// A delivered constraint.
#[derive(Serialize, Deserialize)]
pub(crate) enum SavedConstraint {
    Ball(Box<BallJoint>),
    Distance(Box<DistanceJoint>),
    Fixed(Box<FixedJoint>),
    Hinge(Box<HingeJoint>),
    Slider(Box<SliderJoint>),
    Spring(Box<SpringJoint>),
    Universal(Box<UniversalJoint>),
    Sequence(Box<SequenceJoint>),
    SequenceAxis(Box<SequenceAxis>),
    /// Along the joint in a slot: stiffness, damping and rest.
    JointSpring(u32, [f64; 3]),
    /// Along the joint in a slot: inertia of the rotor.
    Armature(u32, f64),
    /// Along the joint in a slot.
    Actuator(u32, Actuator),
    /// Along the joint in a slot: coefficients, law, and slot of its leader.
    Coupled(u32, Box<([f64; 5], RowLaw, Option<u32>)>),
}

impl SavedConstraint {
    /// The constraint as data; `None` for a type of the user.
    pub(crate) fn of(constraint: &dyn Constraint) -> Option<Self> {
        let any: &dyn Any = constraint;
        let along = constraint.along().map(|joint| joint.slot() as u32);
        if let (Some(spring), Some(slot)) = (any.downcast_ref::<JointSpring>(), along) {
            return Some(Self::JointSpring(slot, spring.parameters()));
        }
        if let (Some(armature), Some(slot)) = (any.downcast_ref::<Armature>(), along) {
            return Some(Self::Armature(slot, armature.inertia()));
        }
        if let (Some(actuator), Some(slot)) = (any.downcast_ref::<JointActuator>(), along) {
            return Some(Self::Actuator(slot, *actuator.actuator()));
        }
        if let (Some(coupled), Some(slot)) = (any.downcast_ref::<CoupledJoint>(), along) {
            let leader = coupled.leader().map(|leader| leader.slot() as u32);
            let data = (coupled.term().coefficients, coupled.law(0), leader);
            return Some(Self::Coupled(slot, Box::new(data)));
        }
        macro_rules! any_of {
            ($($variant:ident: $name:ident),*) => {
                $(if let Some(joint) = any.downcast_ref::<$name>() {
                    return Some(Self::$variant(Box::new(joint.clone())));
                })*
            };
        }
        any_of!(
            Ball: BallJoint, Distance: DistanceJoint, Fixed: FixedJoint, Hinge: HingeJoint, Slider: SliderJoint,
            Spring: SpringJoint, Universal: UniversalJoint, Sequence: SequenceJoint, SequenceAxis: SequenceAxis
        );
        None
    }

    /// Slot of the joint that it acts along.
    pub(crate) fn along(&self) -> Option<usize> {
        match self {
            Self::JointSpring(slot, _)
            | Self::Armature(slot, _)
            | Self::Actuator(slot, _)
            | Self::Coupled(slot, _) => Some(*slot as usize),
            _ => None,
        }
    }

    /// Slot of the constraint whose row it is a part of.
    pub(crate) fn leader(&self) -> Option<usize> {
        match self {
            Self::Coupled(_, data) => data.2.map(|slot| slot as usize),
            _ => None,
        }
    }

    /// The constraint, along `joint` if it acts along one, and part of the row of `leader` if it is one; `None` for data that no constructor makes. `sequences` are those read so far.
    pub(crate) fn into_constraint(
        self,
        joint: Option<(ConstraintHandle, Arc<dyn Constraint>)>,
        leader: Option<ConstraintHandle>,
        sequences: &mut Vec<SequenceJoint>,
    ) -> Option<Arc<dyn Constraint>> {
        Some(match self {
            Self::Ball(joint) => Arc::new(*joint),
            Self::Distance(joint) => Arc::new(*joint),
            Self::Fixed(joint) => Arc::new(*joint),
            Self::Hinge(joint) => Arc::new(*joint),
            Self::Slider(joint) => Arc::new(*joint),
            Self::Spring(joint) => Arc::new(*joint),
            Self::Universal(joint) => Arc::new(*joint),
            Self::Sequence(joint) => {
                if !joint.is_sound() {
                    return None;
                }
                sequences.push((*joint).clone());
                Arc::new(*joint)
            }
            Self::SequenceAxis(axis) => Arc::new(axis.on_one_of(sequences)?),
            Self::JointSpring(_, [stiffness, damping, rest]) => {
                let (handle, owner) = joint?;
                Arc::new(JointSpring::new(handle, owner, stiffness, damping, rest).ok()?)
            }
            Self::Armature(_, inertia) => {
                let (handle, owner) = joint?;
                Arc::new(Armature::new(handle, owner, inertia).ok()?)
            }
            Self::Actuator(_, actuator) => {
                let (handle, owner) = joint?;
                Arc::new(JointActuator::new(handle, owner, actuator)?)
            }
            Self::Coupled(_, data) => {
                let ((joint, owner), (coefficients, law, _)) = (joint?, *data);
                let term = JointTerm { joint, coefficients };
                Arc::new(match leader {
                    None => CoupledJoint::leading(term, owner, law).ok()?,
                    Some(leader) => CoupledJoint::following(leader, term, owner).ok()?,
                })
            }
        })
    }

    /// True for the joint of a sequence that must be read after the sequence.
    pub(crate) fn is_sequence_axis(&self) -> bool {
        matches!(self, Self::SequenceAxis(_))
    }
}
