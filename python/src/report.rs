//! Reports of a run: energy, certificate, contacts.

use msd::certificate::RunCertificate;
use msd::environment::EnergyLedger;
use msd_scene::certificate_report::CertificateReport;
use numpy::PyArray1;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::convert::array3;

/// The energy ledger of a world, J: where every joule came from and went.
#[pyclass(frozen, module = "msd")]
#[derive(Debug)]
pub(crate) struct Energy(pub(crate) EnergyLedger);

#[pymethods]
impl Energy {
    /// Energy at the start, J.
    #[getter]
    fn initial(&self) -> f64 {
        self.0.initial
    }
    /// Kinetic energy now, J.
    #[getter]
    fn kinetic(&self) -> f64 {
        self.0.kinetic
    }
    /// Potential energy now, J.
    #[getter]
    fn potential(&self) -> f64 {
        self.0.potential
    }
    /// Kinetic plus potential energy now, J.
    #[getter]
    fn total(&self) -> f64 {
        self.0.total()
    }
    /// Put in since the start by loads, motors, external fields and changes by hand, J.
    #[getter]
    fn work_in(&self) -> f64 {
        self.0.work_in
    }
    /// Taken out by friction, impacts, drag and damping since the start, J.
    #[getter]
    fn dissipated(&self) -> f64 {
        self.0.dissipated
    }
    /// Added by position correction since the start, J.
    #[getter]
    fn correction(&self) -> f64 {
        self.0.correction
    }
    /// Energy of the state minus energy by the ledger now, J: the error of the simulation.
    #[getter]
    fn error(&self) -> f64 {
        self.0.error()
    }
    /// Largest size of that error so far, J.
    #[getter]
    fn max_error(&self) -> f64 {
        self.0.max_error
    }
    /// Largest rise of energy in one step that the ledger does not explain, J.
    #[getter]
    fn max_gain(&self) -> f64 {
        self.0.max_gain
    }
    fn __repr__(&self) -> String {
        format!(
            "Energy(total={} J, error={:.1e} J, max_error={:.1e} J)",
            self.0.total(),
            self.0.error(),
            self.0.max_error
        )
    }
}

/// The certificate of a run: its steps checked by code that imports no solver. True if every step was certified.
#[pyclass(frozen, module = "msd")]
#[derive(Debug)]
pub(crate) struct Certificate(pub(crate) RunCertificate);

#[pymethods]
impl Certificate {
    /// True if every limit held in every step.
    #[getter]
    fn certified(&self) -> bool {
        self.0.is_certified()
    }
    /// Steps judged.
    #[getter]
    fn steps(&self) -> u64 {
        self.0.steps
    }
    /// Steps that broke a limit.
    #[getter]
    fn failed_steps(&self) -> u64 {
        self.0.failed_steps
    }
    /// The first failure in one line, or None.
    #[getter]
    fn first_failure(&self) -> Option<String> {
        self.0.first_failure.as_ref().map(ToString::to_string)
    }
    /// The worst figure of every row over all steps, by row.
    #[getter]
    fn worst<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let report = CertificateReport::from(&self.0);
        let dict = PyDict::new(py);
        dict.set_item("residual", report.contact.residual)?;
        dict.set_item("approach_velocity", report.contact.approach_velocity)?;
        dict.set_item("momentum_error", report.contact.momentum_error)?;
        dict.set_item("restitution_error", report.impact.restitution_error)?;
        dict.set_item("overlap", report.geometry.overlap)?;
        dict.set_item("overlap_made", report.geometry.overlap_made)?;
        dict.set_item("crossings", report.geometry.crossings)?;
        dict.set_item("unverified", report.geometry.unverified)?;
        dict.set_item("displacement", report.displacement.distance)?;
        dict.set_item("joint_position", report.joints.position)?;
        dict.set_item("joint_velocity", report.joints.velocity)?;
        dict.set_item("energy_unexplained", report.energy.unexplained)?;
        Ok(dict)
    }
    fn __bool__(&self) -> bool {
        self.0.is_certified()
    }
    fn __repr__(&self) -> String {
        match &self.0.first_failure {
            None => format!("certified in all of {} steps", self.0.steps),
            Some(first) => {
                format!("not certified in {} of {} steps; first: {first}", self.0.failed_steps, self.0.steps)
            }
        }
    }
}

/// One contact point of the last step. World frame; forces act on body B, averaged over the step, impacts included.
#[pyclass(frozen, module = "msd")]
#[derive(Debug)]
pub(crate) struct Contact {
    pub(crate) a: String,
    pub(crate) b: String,
    pub(crate) view: msd::environment::ContactView,
}

/// The contact points of the last step of a world.
pub(crate) fn contacts_of(world: &msd::environment::World) -> Vec<Contact> {
    let name = |handle: msd::physics::rigid_body::BodyHandle| world.name_of(handle.slot());
    world.contacts().map(|view| Contact { a: name(view.body_a), b: name(view.body_b), view }).collect()
}

#[pymethods]
impl Contact {
    /// Name of body A.
    #[getter]
    fn a(&self) -> &str {
        &self.a
    }
    /// Name of body B.
    #[getter]
    fn b(&self) -> &str {
        &self.b
    }
    /// Where, m: midway between the surfaces.
    #[getter]
    fn position<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        array3(py, self.view.position)
    }
    /// Unit, from A to B.
    #[getter]
    fn normal<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        array3(py, self.view.normal)
    }
    /// Distance of the surfaces, m; negative is overlap.
    #[getter]
    fn gap(&self) -> f64 {
        self.view.gap
    }
    /// Force on B, N.
    #[getter]
    fn force<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        array3(py, self.view.force())
    }
    /// Force on B along the normal, N.
    #[getter]
    fn normal_force(&self) -> f64 {
        self.view.normal_force
    }
    /// Friction force on B, N.
    #[getter]
    fn friction_force<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        array3(py, self.view.friction_force)
    }
    fn __repr__(&self) -> String {
        format!("Contact({}, {}, force on {} {} N)", self.a, self.b, self.b, self.view.force())
    }
}

/// Where a ray met a body.
#[pyclass(frozen, module = "msd")]
#[derive(Debug)]
pub(crate) struct RayHit {
    pub(crate) body: String,
    pub(crate) position: msd::math::Vec3,
    pub(crate) hit: msd::physics::rigid_body::shape::RayHit,
}

#[pymethods]
impl RayHit {
    /// Name of the body.
    #[getter]
    fn body(&self) -> &str {
        &self.body
    }
    /// From the origin of the ray, m.
    #[getter]
    fn distance(&self) -> f64 {
        self.hit.distance
    }
    /// World point, m.
    #[getter]
    fn position<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        array3(py, self.position)
    }
    /// Unit outward normal of the surface, world frame.
    #[getter]
    fn normal<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        array3(py, self.hit.normal)
    }
    fn __repr__(&self) -> String {
        format!("RayHit({}, {} m)", self.body, self.hit.distance)
    }
}

/// The report of one step.
#[pyclass(frozen, module = "msd")]
#[derive(Debug)]
pub(crate) struct Step(pub(crate) msd::environment::StepReport);

#[pymethods]
impl Step {
    /// Number of the step, from 1.
    #[getter]
    fn step(&self) -> u64 {
        self.0.step
    }
    /// Time at its end, s.
    #[getter]
    fn time(&self) -> f64 {
        self.0.time
    }
    /// Its length, s.
    #[getter]
    fn dt(&self) -> f64 {
        self.0.dt
    }
    /// Parts it was taken in: more than one if bodies might have passed through each other in fewer.
    #[getter]
    fn parts(&self) -> u32 {
        self.0.parts
    }
    /// True if the step is certified.
    #[getter]
    fn certified(&self) -> bool {
        self.0.certificate.is_certified()
    }
    /// Contact points.
    #[getter]
    fn contacts(&self) -> usize {
        self.0.contacts.contacts
    }
    /// Impacts with restitution.
    #[getter]
    fn impacts(&self) -> usize {
        self.0.contacts.impacts
    }
    /// Deepest overlap, m.
    #[getter]
    fn penetration(&self) -> f64 {
        self.0.contacts.max_penetration
    }
    /// Worst residual of the contact law, m/s.
    #[getter]
    fn residual(&self) -> f64 {
        self.0.contacts.residual
    }
    /// Iterations of the contact solver in the island that needed most.
    #[getter]
    fn iterations(&self) -> usize {
        self.0.contacts.iterations
    }
    /// Worst position error of a joint, m.
    #[getter]
    fn joint_position_error(&self) -> f64 {
        self.0.joints.position_error
    }
    /// Worst angle error of a joint, rad.
    #[getter]
    fn joint_angle_error(&self) -> f64 {
        self.0.joints.angle_error
    }
    /// Error of the energy that this step made, J.
    #[getter]
    fn energy_unexplained(&self) -> f64 {
        self.0.energy.unexplained
    }
    /// Bodies that were quarantined so that the step could continue, with the reason.
    #[getter]
    fn quarantined(&self) -> Vec<(String, String)> {
        self.0.quarantined.iter().map(|body| (body.name.clone(), body.cause.to_string())).collect()
    }
    fn __repr__(&self) -> String {
        let verdict = if self.0.certificate.is_certified() { "certified" } else { "not certified" };
        format!(
            "Step({} at {} s, {} contacts, {verdict})",
            self.0.step, self.0.time, self.0.contacts.contacts
        )
    }
}

/// One contact with restitution in the last step. World frame; the impulse acts on body B.
#[pyclass(frozen, module = "msd")]
#[derive(Debug)]
pub(crate) struct Impact {
    pub(crate) a: String,
    pub(crate) b: String,
    pub(crate) record: msd::environment::ImpactRecord,
}

#[pymethods]
impl Impact {
    /// Name of body A.
    #[getter]
    fn a(&self) -> &str {
        &self.a
    }
    /// Name of body B.
    #[getter]
    fn b(&self) -> &str {
        &self.b
    }
    /// From the start of the step, s.
    #[getter]
    fn time(&self) -> f64 {
        self.record.time
    }
    /// Unit, from A to B.
    #[getter]
    fn normal<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        array3(py, self.record.normal)
    }
    /// Impulse along the normal on B, N·s.
    #[getter]
    fn impulse(&self) -> f64 {
        self.record.impulse
    }
    /// Coefficient of restitution asked for; zero for an inelastic impact.
    #[getter]
    fn restitution(&self) -> f64 {
        self.record.restitution
    }
    /// False if it bounced less than asked.
    #[getter]
    fn bounced(&self) -> bool {
        self.record.bounced
    }
    fn __repr__(&self) -> String {
        format!("Impact({}, {}, impulse on {} {} N·s)", self.a, self.b, self.b, self.record.impulse)
    }
}
