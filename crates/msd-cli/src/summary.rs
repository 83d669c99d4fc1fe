//! The printed summary of a run.

use std::fmt::Write;

use msd_scene::certificate_report::CertificateReport;
use msd_scene::report::{EnergyReport, Report, TimingReport};
use msd_scene::{Ending, Outcome, Scene};

use crate::output::number;

/// Describes the built-in scene, before it runs.
pub(crate) const DEMONSTRATION: &str = "\
Two boxes of 1 kg carry one of 1000 kg, a ball bounces, and a block slides to rest.

";

/// Explains the summary of the built-in scene, and names commands to try next.
pub(crate) const FIRST_STEPS: &str = "
Look at
  verdict     each step was checked after it was computed, by code that shares nothing with the solver
  contacts    the overlap under 1000 kg, and how far the contact forces are from the laws of contact (m/s)
  ledger      energy lost by bounces and friction, and the error that remains

Next
  msd view                          the same scene in your browser
  msd run scenes/docking.toml       another scene; `msd run --help` lists the options
  msd run --record first.msdr       record the run; then: msd plot first.msdr energy --out energy.svg
";

/// A few lines for standard error.
pub(crate) fn summary(scene: &Scene, outcome: &Outcome, warnings: &[String]) -> String {
    let report = &outcome.report;
    let mut text = String::new();
    // Writing to a string cannot fail.
    let mut line = |name: &str, what: String| {
        let _ = writeln!(text, "{name:<11} {what}");
    };
    let bodies = match report.bodies.len() {
        1 => "1 body".to_owned(),
        count => format!("{count} bodies"),
    };
    line("scene", format!("{}, {bodies}", report.scene));
    line("time", time(scene, report));
    line("speed", speed(&report.timing));
    line("energy", energy(&report.energy));
    line("ledger", ledger(&report.energy));
    let joints = &report.joints;
    if !scene.joint.is_empty() {
        line(
            "joints",
            format!(
                "{}, max error {} m and {} rad",
                scene.joint.len(),
                number(joints.max_position_error),
                number(joints.max_angle_error)
            ),
        );
    }
    line("contacts", contacts(report));
    line("certificate", certificate(&report.certificate));
    line("phases", phases(&report.timing));
    warnings.iter().for_each(|warning| line("warning", warning.clone()));
    line("verdict", verdict(outcome));
    text
}

fn time(scene: &Scene, report: &Report) -> String {
    let integrator = scene.world.integrator.as_str();
    format!(
        "{} s in {} steps of {} s, {integrator}",
        number(report.time),
        report.steps,
        number(scene.world.dt)
    )
}

fn speed(timing: &TimingReport) -> String {
    format!(
        "{} s, {} steps/s, {} × real time",
        number(timing.total_s),
        number(timing.steps_per_second.round()),
        number(timing.realtime_factor)
    )
}

fn energy(energy: &EnergyReport) -> String {
    format!(
        "{} J at the start, {} J at the end (kinetic {}, potential {})",
        number(energy.initial),
        number(energy.end),
        number(energy.kinetic),
        number(energy.potential)
    )
}

fn ledger(energy: &EnergyReport) -> String {
    format!(
        "work {} J, dissipated {} J, position correction {:.1e} J; max error {:.1e} J, max unexplained gain in a step {:.1e} J",
        number(energy.work_in),
        number(energy.dissipated),
        energy.correction,
        energy.max_error,
        energy.max_gain
    )
}

fn contacts(report: &Report) -> String {
    let contacts = &report.contacts;
    if contacts.max == 0 {
        return "none".to_owned();
    }
    format!(
        "{} at the end, {} at most, max penetration {} m; max contact residual {:.1e}, {} unconverged steps",
        contacts.end,
        contacts.max,
        number(contacts.max_penetration),
        report.solver.max_residual,
        report.solver.unconverged_steps
    )
}

/// The six figures, each the worst of all steps.
fn certificate(found: &CertificateReport) -> String {
    let CertificateReport { contact, impact, geometry, displacement, joints, energy, .. } = found;
    let mark = |failed: u64| if failed == 0 { String::new() } else { format!(" ({failed} steps)") };
    let worse = |a: f64, b: f64| if a > b || a.is_nan() { a } else { b };
    let mut crossings =
        if geometry.crossings == 0 { String::new() } else { format!(", {} crossings", geometry.crossings) };
    if geometry.unverified > 0 {
        let _ = write!(crossings, ", {} unverified", geometry.unverified);
    }
    // Of steps that another row has failed, the geometry is checked in some only: a figure of zero would say too much.
    if found.geometry_steps < found.steps {
        let _ = write!(crossings, " [{} of {} steps checked]", found.geometry_steps, found.steps);
    }
    format!(
        "contact {:.1e}{}, impact {:.1e}{}, new overlap {:.1e}{crossings}{}, displacement {:.1e}{}, joints {:.1e}{}, energy {:.1e}{}",
        worse(worse(contact.residual, contact.approach_velocity), contact.momentum_error),
        mark(contact.failed_steps),
        impact.restitution_error,
        mark(impact.failed_steps),
        geometry.overlap_made,
        mark(geometry.failed_steps),
        worse(displacement.distance, displacement.angle),
        mark(displacement.failed_steps),
        worse(joints.position, joints.velocity),
        mark(joints.failed_steps),
        energy.relative,
        mark(energy.failed_steps),
    )
}

fn phases(timing: &TimingReport) -> String {
    let phases: Vec<String> =
        timing.phases_s.iter().map(|(name, seconds)| format!("{name} {:.1} ms", seconds * 1e3)).collect();
    phases.join(", ")
}

/// Relative energy error above which a result is reported as not trustworthy.
const DOUBTFUL_ENERGY_ERROR: f64 = 1e-2;

/// The largest energy of a run, J: the scale of its error.
fn energy_scale(energy: &EnergyReport) -> f64 {
    let amounts = [
        energy.initial,
        energy.kinetic,
        energy.potential,
        energy.work_in,
        energy.dissipated,
        energy.correction,
    ];
    amounts.iter().fold(0.0, |largest: f64, amount| largest.max(amount.abs()))
}

fn verdict(outcome: &Outcome) -> String {
    let report = &outcome.report;
    match &outcome.ending {
        Ending::Failed(_) => return format!("failed after t = {} s", number(report.time)),
        Ending::Stopped => return format!("stopped at t = {} s, before the end", number(report.time)),
        Ending::Done => {}
    }
    let scale = energy_scale(&report.energy);
    let share = if scale > 0.0 { report.energy.max_error / scale } else { 0.0 };
    let energy = format!("the energy ledger closes to {share:.1e} of the largest energy");
    if let Some(first) = &report.certificate.first_failure {
        let (failed, steps) = (report.certificate.failed_steps, report.certificate.steps);
        format!("done, but NOT certified in {failed} of {steps} steps; first: {}; {energy}", first.message)
    } else if share > DOUBTFUL_ENERGY_ERROR {
        format!("done, but NOT trustworthy: {energy}; reduce dt or use another integrator")
    } else {
        format!("done, every step certified; {energy}")
    }
}
