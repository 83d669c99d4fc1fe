//! The scenes in MuJoCo, through its Python package in a process of its own (`mujoco_contact.py`) that is given the scene as
//! MJCF, steps when told to and times each step itself. Its own defaults but for the step; joints are those of its
//! kinematic trees.

use std::collections::HashSet;
use std::fmt::Write as _;
use std::io::{BufRead, BufReader, Write as _};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use msd::math::{Quat, ReferenceFrame, Vec3};

use super::scene::{Form, Joint, Scene};
use super::{DT, Engine};

/// Of each part of a body on a bearing, kg: so much that what falls on it does not slow it down.
const DRIVEN_MASS: f64 = 1e9;

pub struct Mujoco {
    process: Child,
    orders: ChildStdin,
    answers: BufReader<ChildStdout>,
    last: f64,
}

impl Mujoco {
    /// None if Python has no `mujoco` or it refuses the scene.
    pub fn new(scene: &Scene) -> Option<Self> {
        let script = concat!(env!("CARGO_MANIFEST_DIR"), "/mujoco_contact.py");
        let mut process = Command::new("python3")
            .arg(script)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .ok()?;
        let (orders, answers) = (process.stdin.take()?, BufReader::new(process.stdout.take()?));
        let mut engine = Self { process, orders, answers, last: 0.0 };
        let model = model(scene);
        write!(engine.orders, "{}\n{model}", model.len()).ok()?;
        engine.orders.flush().ok()?;
        if engine.answer()?.trim() != "ready" {
            return None;
        }
        for (k, body) in scene.bodies.iter().enumerate() {
            if body.velocity != Vec3::ZERO || body.angular_velocity != Vec3::ZERO {
                let [v, w] = [body.velocity, body.frame.direction_to_local(body.angular_velocity)];
                writeln!(engine.orders, "velocity {k} {} {} {} {} {} {}", v.x, v.y, v.z, w.x, w.y, w.z)
                    .ok()?;
            }
        }
        Some(engine)
    }

    fn answer(&mut self) -> Option<String> {
        let mut line = String::new();
        (self.answers.read_line(&mut line).ok()? > 0).then_some(line)
    }

    fn ask(&mut self, order: &str) -> Option<String> {
        writeln!(self.orders, "{order}").ok()?;
        self.orders.flush().ok()?;
        self.answer()
    }
}

impl Engine for Mujoco {
    fn name(&self) -> &'static str {
        "MuJoCo"
    }

    fn step(&mut self) -> f64 {
        let answer = self.ask("step").and_then(|line| line.trim().parse().ok());
        self.last = answer.unwrap_or(f64::NAN);
        self.last
    }

    fn bytes_elsewhere(&mut self) -> Option<u64> {
        self.ask("memory")?.trim().parse().ok()
    }

    fn poses(&mut self) -> Vec<ReferenceFrame> {
        let line = self.ask("poses").unwrap_or_default();
        let numbers: Vec<f64> = line.split_whitespace().filter_map(|word| word.parse().ok()).collect();
        let pose = |c: &[f64]| {
            ReferenceFrame::new(Vec3::new(c[0], c[1], c[2]), Quat::from_xyzw(c[4], c[5], c[6], c[3]))
        };
        numbers.chunks_exact(7).map(pose).collect()
    }
}

impl Drop for Mujoco {
    fn drop(&mut self) {
        _ = writeln!(self.orders, "quit");
        _ = self.orders.flush();
        _ = self.process.wait();
    }
}

/// The scene as MJCF: jointed bodies nested in their parents, all others free.
fn model(scene: &Scene) -> String {
    let mut xml = String::from("<mujoco><compiler boundmass=\"1e-9\"/>");
    _ = write!(xml, "<option timestep=\"{DT}\" gravity=\"0 0 {}\"/><asset>", -scene.gravity);
    for (k, body) in scene.bodies.iter().enumerate() {
        if let Form::Hull(points) = &body.form {
            let vertices: Vec<String> = points.iter().map(|p| format!("{} {} {}", p.x, p.y, p.z)).collect();
            _ = write!(xml, "<mesh name=\"h{k}\" vertex=\"{}\"/>", vertices.join(" "));
        }
    }
    xml.push_str("</asset><worldbody>");
    let links: HashSet<usize> =
        (0..scene.joints.len()).filter(|k| is_link(scene, *k)).map(|k| scene.joints[k].b).collect();
    for k in 0..scene.bodies.len() {
        if !links.contains(&k) {
            element(scene, k, None, &mut xml);
        }
    }
    xml.push_str("</worldbody><equality>");
    for (k, joint) in scene.joints.iter().enumerate().filter(|(k, _)| !is_link(scene, *k)) {
        let anchor = scene.bodies[joint.a].frame.point_to_local(joint.anchor);
        let Joint { a, b, .. } = joint;
        _ = write!(
            xml,
            "<connect name=\"{k}\" body1=\"{a}\" body2=\"{b}\" anchor=\"{} {} {}\"/>",
            anchor.x, anchor.y, anchor.z
        );
    }
    xml.push_str("</equality></mujoco>");
    xml
}

/// True if the joint is part of the tree: the first to its second body.
fn is_link(scene: &Scene, joint: usize) -> bool {
    let b = scene.joints[joint].b;
    scene.bodies[b].mass.is_some() && scene.joints.iter().position(|other| other.b == b) == Some(joint)
}

fn element(scene: &Scene, k: usize, parent: Option<usize>, xml: &mut String) {
    let body = &scene.bodies[k];
    let frame = parent.map_or(body.frame, |p| scene.bodies[p].frame.frame_to_local(&body.frame));
    let (p, q) = (frame.position, frame.orientation);
    _ = write!(
        xml,
        "<body name=\"{k}\" pos=\"{} {} {}\" quat=\"{} {} {} {}\">",
        p.x, p.y, p.z, q.w, q.x, q.y, q.z
    );
    let joint = scene.joints.iter().find(|joint| joint.b == k);
    match (joint, body.mass) {
        (Some(joint), Some(_)) => {
            let anchor = body.frame.point_to_local(joint.anchor);
            _ = write!(xml, "<joint type=\"ball\" pos=\"{} {} {}\"/>", anchor.x, anchor.y, anchor.z);
        }
        (None, Some(_)) => xml.push_str("<freejoint/>"),
        // What nothing is to slow down turns on a bearing and is heavy; see `mass`.
        (_, None) if body.is_driven() => {
            let axis = body.angular_velocity.normalize();
            _ = write!(xml, "<joint type=\"hinge\" axis=\"{} {} {}\"/>", axis.x, axis.y, axis.z);
        }
        (_, None) => {}
    }
    if let Form::Cuboids(parts) = &body.form {
        for (frame, s) in parts {
            let (p, q) = (frame.position, frame.orientation);
            _ = write!(
                xml,
                "<geom type=\"box\" size=\"{} {} {}\" pos=\"{} {} {}\" quat=\"{} {} {} {}\" mass=\"{DRIVEN_MASS}\" friction=\"{} 0 0\"/>",
                0.5 * s.x, 0.5 * s.y, 0.5 * s.z, p.x, p.y, p.z, q.w, q.x, q.y, q.z, scene.friction
            );
        }
        xml.push_str("</body>");
        return;
    }
    let form = match &body.form {
        Form::Cuboid(s) => format!("type=\"box\" size=\"{} {} {}\"", 0.5 * s.x, 0.5 * s.y, 0.5 * s.z),
        Form::Ball(radius) => format!("type=\"sphere\" size=\"{radius}\""),
        Form::Hull(_) => format!("type=\"mesh\" mesh=\"h{k}\""),
        Form::Cuboids(_) => unreachable!("written above"),
    };
    let mass = body.mass.map_or(String::new(), |mass| format!("mass=\"{mass}\""));
    let collide = if scene.collide { "" } else { "contype=\"0\" conaffinity=\"0\"" };
    _ = write!(xml, "<geom {form} {mass} {collide} friction=\"{} 0 0\"/>", scene.friction);
    for (number, next) in scene.joints.iter().enumerate().filter(|(_, joint)| joint.a == k) {
        if is_link(scene, number) {
            element(scene, next.b, Some(k), xml);
        }
    }
    xml.push_str("</body>");
}
