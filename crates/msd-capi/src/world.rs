//! A world as C sees it: bodies by number, and texts that stay until the next call.

use std::ffi::CString;

use msd::certificate::StepCertificate;
use msd::math::{Vec3, orientation};
use msd::physics::integration::LoadFrame;
use msd::physics::rigid_body::BodyHandle;
use msd_scene::source::Format;
use msd_scene::{Built, Scene, SceneErrors};

/// Energies of a ledger, J; the layout of `msd_energy`.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[repr(C)]
pub struct Energy {
    /// Of motion.
    pub kinetic: f64,
    /// Of fields and springs.
    pub potential: f64,
    /// Done by loads, motors and kinematic bodies since the start.
    pub work: f64,
    /// Taken by friction, impacts and damping since the start.
    pub dissipated: f64,
    /// Added by position corrections since the start.
    pub correction: f64,
    /// What none of these explains.
    pub error: f64,
}

/// A scene with its world, the certificate of the last step, and the text of the last answer.
#[derive(Debug)]
pub struct World {
    built: Built,
    certificate: Option<StepCertificate>,
    answer: CString,
}

impl World {
    fn new(scene: Result<Scene, SceneErrors>) -> Result<Self, String> {
        let built = scene.and_then(|scene| scene.build()).map_err(|errors| errors.to_string())?;
        Ok(Self { built, certificate: None, answer: CString::default() })
    }

    pub(crate) fn from_scene(name: &str, text: &str) -> Result<Self, String> {
        Self::new(Scene::parse_str(name, text, Format::of_name(name)))
    }

    pub(crate) fn from_file(path: &str) -> Result<Self, String> {
        Self::new(Scene::load(path))
    }

    /// Of the scene when `dt` is 0.
    pub(crate) fn step(&mut self, dt: f64) -> Result<(), String> {
        let dt = if dt == 0.0 { self.dt() } else { dt };
        let report = self.built.engine.step(dt).map_err(|error| error.to_string())?;
        self.certificate = Some(report.certificate);
        Ok(())
    }

    pub(crate) fn time(&self) -> f64 {
        self.built.engine.world().time()
    }

    pub(crate) fn duration(&self) -> f64 {
        self.built.duration
    }

    pub(crate) fn dt(&self) -> f64 {
        self.built.engine.world().dt()
    }

    pub(crate) fn body_count(&self) -> usize {
        self.built.bodies.len()
    }

    pub(crate) fn body_name(&mut self, number: usize) -> Option<&CString> {
        let name = self.built.bodies.get(number)?.0.clone();
        Some(self.answer_with(&name))
    }

    pub(crate) fn find_body(&self, name: &str) -> Result<usize, String> {
        let found = self.built.bodies.iter().position(|(known, _)| known == name);
        found.ok_or_else(|| format!("there is no body named `{name}`"))
    }

    fn body(&self, number: usize) -> Result<BodyHandle, String> {
        let count = self.body_count();
        let body = self.built.bodies.get(number).map(|(_, handle)| *handle);
        body.ok_or_else(|| format!("there is no body number {number}: the world has {count}, from 0"))
    }

    pub(crate) fn pose(&self, number: usize) -> Result<[f64; 7], String> {
        let world = self.built.engine.world();
        let frame = world.frame(self.body(number)?).map_err(|error| error.to_string())?;
        let ([x, y, z], [qw, qx, qy, qz]) =
            (frame.position.to_array(), orientation::to_wxyz(frame.orientation));
        Ok([x, y, z, qw, qx, qy, qz])
    }

    pub(crate) fn velocity(&self, number: usize) -> Result<[f64; 6], String> {
        let world = self.built.engine.world();
        let state = world.body(self.body(number)?).map_err(|error| error.to_string())?.state;
        let ([x, y, z], [u, v, w]) = (state.velocity.to_array(), state.angular_velocity.to_array());
        Ok([x, y, z, u, v, w])
    }

    pub(crate) fn set_velocity(&mut self, number: usize, [x, y, z, u, v, w]: [f64; 6]) -> Result<(), String> {
        let body = self.body(number)?;
        let world = self.built.engine.world_mut();
        let before = world.body(body).map_err(|error| error.to_string())?.state.velocity;
        world.set_velocity(body, Vec3::new(x, y, z)).map_err(|error| error.to_string())?;
        if let Err(error) = world.set_angular_velocity(body, Vec3::new(u, v, w)) {
            // Nothing changes when a call is refused.
            world.set_velocity(body, before).map_err(|error| error.to_string())?;
            return Err(error.to_string());
        }
        Ok(())
    }

    pub(crate) fn apply_wrench(
        &mut self,
        number: usize,
        force: [f64; 3],
        torque: [f64; 3],
    ) -> Result<(), String> {
        let body = self.body(number)?;
        let (force, torque) = (Vec3::from_array(force), Vec3::from_array(torque));
        let world = self.built.engine.world_mut();
        world.apply_wrench(body, force, torque, LoadFrame::World).map_err(|error| error.to_string())
    }

    pub(crate) fn energy(&self) -> Energy {
        let ledger = self.built.engine.world().energy();
        Energy {
            kinetic: ledger.kinetic,
            potential: ledger.potential,
            work: ledger.work_in,
            dissipated: ledger.dissipated,
            correction: ledger.correction,
            error: ledger.error(),
        }
    }

    pub(crate) fn is_certified(&self) -> bool {
        self.certificate.as_ref().is_some_and(StepCertificate::is_certified)
    }

    pub(crate) fn failure(&mut self) -> &CString {
        let failure = self.certificate.as_ref().and_then(StepCertificate::failure);
        let text =
            failure.map(|found| format!("{}: {} > {}", found.fault.describe(), found.figure, found.limit));
        let text = text.unwrap_or_default();
        self.answer_with(&text)
    }

    pub(crate) fn hash(&mut self) -> &CString {
        let hash = self.built.engine.world().state_hash().to_string();
        self.answer_with(&hash)
    }

    fn answer_with(&mut self, text: &str) -> &CString {
        self.answer = c_text(text);
        &self.answer
    }
}

/// For C; a text ends at its first zero byte.
pub(crate) fn c_text(text: &str) -> CString {
    CString::new(text.split('\0').next().unwrap_or_default()).unwrap_or_default()
}
