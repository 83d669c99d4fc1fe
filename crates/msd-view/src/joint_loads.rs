//! Where joints are, how they are loaded, and position, velocity and force along their axes: of a world, and of frames
//! of a recording.
//!
//! A recording keeps the force F and the torque T of every joint on its body B, about its anchor, but no multipliers. What
//! acts along an axis follows from them. The force of a row with factors (l, a) of (v_B, ω_B) is λ l, its torque λ a; the
//! rows that hold a joint do no work along its axis, F·l = 0 for a slider and T·a = 0 for a hinge. So λ = F·l/l² or T·a/a²,
//! summed over the joint and the actuators and springs along it.

use std::sync::Arc;

use msd::environment::World;
use msd::math::{Quat, Vec3};
use msd::physics::constraints::{Constraint, JacobianRow, Pair, RowLaw};
use msd::physics::rigid_body::InertialState;
use msd_recording::{Frame, JointReaction, RecordedScene, Recording};

use crate::drives::unit_of;
use crate::frame::JointLoad;
use crate::header::ViewedJoint;

/// The world as one side of a joint.
const AT_REST: InertialState = InertialState {
    center_of_mass: Vec3::ZERO,
    orientation: Quat::IDENTITY,
    velocity: Vec3::ZERO,
    angular_velocity: Vec3::ZERO,
};

/// The joints of a world.
pub(crate) fn joint_loads(world: &World) -> Vec<JointLoad> {
    let state =
        |body: Option<_>| body.and_then(|body| Some(world.body(body).ok()?.state)).unwrap_or(&AT_REST);
    world
        .joints()
        .map(|(handle, _, joint)| {
            let [a, b] = joint.bodies();
            let anchor = joint.anchor(&Pair { a: state(a), b: state(b) });
            let reaction = world.reaction(handle).unwrap_or_default();
            let axis =
                [world.joint_position(handle), world.joint_velocity(handle), world.joint_force(handle)]
                    .map(|value| value.unwrap_or(f64::NAN));
            JointLoad { anchor, force: reaction.force, torque: reaction.torque, axis }
        })
        .collect()
}

/// The joints of a recorded scene; none if the scene can no longer be built or has others.
#[derive(Debug, Default)]
pub(crate) struct RecordedJoints {
    joints: Vec<Arc<dyn Constraint>>,
    /// Of actuators and springs, the number of the joint they act along.
    along: Vec<Option<usize>>,
}

impl RecordedJoints {
    pub(crate) fn of(recording: &Recording, scene: Option<&RecordedScene>) -> Self {
        let built = scene.and_then(|recorded| recorded.scene().build().ok());
        let Some(built) = built else { return Self::default() };
        let world = built.engine.world();
        let handles: Vec<_> = world.joints().map(|(handle, ..)| handle).collect();
        let joints: Vec<_> = world.joints().map(|(_, _, joint)| Arc::clone(joint)).collect();
        if joints.len() != recording.joints().len() {
            return Self::default();
        }
        let number = |handle| handles.iter().position(|known| *known == handle);
        let along = joints.iter().map(|joint| joint.along().and_then(number)).collect();
        Self { joints, along }
    }

    /// Adds to the header that joints have axes, and what acts along them.
    pub(crate) fn describe(&self, viewed: &mut [ViewedJoint]) {
        for (viewed, (joint, along)) in viewed.iter_mut().zip(self.joints.iter().zip(&self.along)) {
            (viewed.unit, viewed.along) = (unit_of(joint.as_ref()), *along);
        }
    }

    pub(crate) fn loads(&self, recording: &Recording, frame: &Frame) -> Vec<JointLoad> {
        let state = |body: Option<usize>| body.map_or(&AT_REST, |number| &frame.states[number]);
        recording
            .joints()
            .iter()
            .zip(&frame.reactions)
            .enumerate()
            .map(|(number, (joint, reaction))| {
                let pair = Pair { a: state(joint.a), b: state(joint.b) };
                let known = self.joints.get(number);
                let anchor = known.map_or(Vec3::NAN, |joint| joint.anchor(&pair));
                let axis = known
                    .map_or([f64::NAN; 3], |joint| self.along_axis(number, joint, &pair, &frame.reactions));
                JointLoad { anchor, force: reaction.force, torque: reaction.torque, axis }
            })
            .collect()
    }

    /// Position, velocity and force along the axis of a joint. Angles are those nearest to the middle of its limits.
    fn along_axis(
        &self,
        number: usize,
        joint: &Arc<dyn Constraint>,
        pair: &Pair<'_>,
        reactions: &[JointReaction],
    ) -> [f64; 3] {
        let Some(axis) = joint.axis() else { return [f64::NAN; 3] };
        let row = joint.axis_row(pair).0;
        let acts = |(other, joint): &(usize, &Arc<dyn Constraint>)| {
            // The inertia of a rotor is a part of the mechanism and no force on it.
            let rotor = matches!(joint.law(0), RowLaw::Rotor { .. });
            *other == number || (self.along[*other] == Some(number) && !rotor)
        };
        let acting = self.joints.iter().enumerate().filter(acts);
        let force = acting.map(|(other, _)| multiplier(&row, &reactions[other])).sum();
        [joint.axis_position(pair, axis.center), row.velocity(pair.a, pair.b), force]
    }
}

/// The multiplier of a row whose force and torque on body B are these.
fn multiplier(row: &JacobianRow, reaction: &JointReaction) -> f64 {
    if row.linear_b == Vec3::ZERO {
        reaction.torque.dot(row.angular_b) / row.angular_b.length_squared()
    } else {
        reaction.force.dot(row.linear_b) / row.linear_b.length_squared()
    }
}

#[cfg(test)]
mod tests {
    use msd_recording::{RecordOptions, Recorder};
    use msd_scene::Scene;

    use super::*;

    /// Records a scene of the gallery and compares forces along all axes with those of the world at its end, relative to
    /// the largest.
    fn worst_difference(scene: &str, duration: f64) -> (usize, f64) {
        let folder = tempfile::tempdir().unwrap();
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../scenes/");
        let scene = Scene::load(format!("{path}{scene}")).unwrap();
        let mut engine = scene.build().unwrap().engine;
        let file = folder.path().join("run.msdr");
        let options = RecordOptions::new().scene(&scene, None).unwrap();
        let mut recorder = Recorder::create(&file, engine.world(), &options).unwrap();
        engine
            .run_watched(duration, |world, step, commands| {
                recorder.observe(world, step, commands.iter()).unwrap();
                true
            })
            .unwrap();
        recorder.finish(engine.world(), "done", None, None).unwrap();
        let recording = Recording::open(&file).unwrap();
        let joints = RecordedJoints::of(&recording, recording.scene().unwrap().as_ref());
        let last = recording.frame(recording.frames() - 1).unwrap();
        let (live, recorded) = (joint_loads(engine.world()), joints.loads(&recording, &last));
        assert_eq!(live.len(), recorded.len());
        let forces: Vec<_> = live.iter().zip(&recorded).map(|(a, b)| (a.axis[2], b.axis[2])).collect();
        let known: Vec<_> = forces.iter().filter(|(a, _)| a.is_finite()).collect();
        let largest = known.iter().map(|(a, _)| a.abs()).fold(0.0, f64::max);
        let worst = known.iter().map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        (known.len(), worst / largest)
    }

    #[test]
    fn forces_along_axes_of_recordings_are_those_of_the_run() {
        // Servos with limits and springs on hinges; a gripper of sliders. The multipliers belong to the middle of a step and
        // the axes to its end: they differ by the turn in half a step.
        for (scene, duration, joints) in [("quadruped.toml", 0.3, 12), ("gripper.toml", 1.2, 3)] {
            let (known, worst) = worst_difference(scene, duration);
            assert_eq!(known, joints, "{scene}");
            assert!(worst < 1e-3, "{scene}: {worst:e}");
        }
    }
}
