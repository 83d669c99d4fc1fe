//! `msd info FILE`: kind and contents of a file.

use std::path::{Path, PathBuf};

use clap::Args;
use msd_assets::{AssetRegistry, is_database_file};
use msd_recording::{Extreme, Overview, Recording, is_recording_file};
use msd_scene::Scene;
use msd_scene::model::{Agent, Field, Joint};
use serde_json::json;

use crate::{
    failure::Failure,
    output::{bytes, number, print, print_json},
};

/// Show the kind, contents and integrity of a file
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  msd info parts.db\n  msd info parts.db --json\n  msd info scenes/satellite.toml\n  msd info run.msdr"
)]
pub(crate) struct InfoArgs {
    /// A scene, an asset database or a recording
    file: PathBuf,
    /// As a JSON object
    #[arg(long)]
    json: bool,
}

impl InfoArgs {
    pub(crate) fn run(self) -> Result<(), Failure> {
        let file = self.file.as_path();
        let is_database = is_database_file(file)
            .map_err(|error| Failure::BadInput(format!("{}: cannot read: {error}", file.display())))?;
        // A run that was killed at once leaves an empty file.
        let begun = file.extension().is_some_and(|ending| ending == "msdr")
            && file.metadata().is_ok_and(|metadata| metadata.is_file() && metadata.len() == 0);
        if begun || is_recording_file(file).unwrap_or(false) {
            return recording(file, self.json);
        }
        if is_database {
            return asset_database(file, self.json);
        }
        let ending = file.extension().and_then(|ending| ending.to_str()).unwrap_or_default();
        if ["toml", "json", "urdf", "xml", "mjcf"].contains(&ending) {
            return scene(file, self.json);
        }
        Err(Failure::BadInput(unrecognised(file)))
    }
}

/// Contents of a valid scene.
fn scene(file: &Path, as_json: bool) -> Result<(), Failure> {
    let scene = Scene::load(file)?;
    let world = &scene.world;
    let names = |names: Vec<&str>| if names.is_empty() { "none".to_owned() } else { names.join(", ") };
    let bodies: Vec<&str> = scene.body.iter().map(|body| body.name.as_str()).collect();
    let joints: Vec<&str> = scene.joint.iter().map(Joint::name).collect();
    let fields: Vec<&str> = scene.field.iter().map(Field::type_name).collect();
    let agents: Vec<&str> = scene.agent.iter().map(Agent::type_name).collect();
    if as_json {
        return print_json(&json!({
            "kind": "scene",
            "duration": world.duration,
            "dt": world.dt,
            "integrator": world.integrator.as_str(),
            "gravity": world.gravity,
            "bodies": bodies,
            "joints": joints,
            "fields": fields,
            "agents": agents,
        }));
    }
    let [x, y, z] = world.gravity.map(number);
    let shown: Vec<&str> = bodies.iter().copied().take(10).collect();
    let more = if bodies.len() > shown.len() { ", …" } else { "" };
    print(&format!(
        "kind       scene, format {}\ntime       {} s in steps of {} s, {}\ngravity    [{x}, {y}, {z}] m/s²\n\
         bodies     {} ({}{more})\njoints     {} ({})\nfields     {} ({})\nagents     {} ({})\n",
        scene.format,
        number(world.duration),
        number(world.dt),
        world.integrator.as_str(),
        bodies.len(),
        names(shown),
        joints.len(),
        names(joints.clone()),
        fields.len(),
        names(fields.clone()),
        agents.len(),
        names(agents.clone()),
    ))
}

fn unrecognised(file: &Path) -> String {
    let ending = file.extension().and_then(|ending| ending.to_str()).unwrap_or_default().to_ascii_lowercase();
    let file = file.display();
    if ["stl", "obj", "gltf", "glb", "msh"].contains(&ending.as_str()) {
        return format!(
            "{file}: a geometry file by its name: `msd assets DB add NAME {file}` makes an asset of it"
        );
    }
    format!(
        "{file}: not recognised: expected a scene (.toml, .json, .urdf, .xml or .mjcf), an asset database (made by `msd assets`) or a recording (made by `msd run --record`)"
    )
}

/// Counts and the result of a full check; problems go to standard error and make the command fail.
fn asset_database(file: &Path, as_json: bool) -> Result<(), Failure> {
    let registry = AssetRegistry::open_read_only(file)?;
    let assets = registry.list()?;
    let version = registry.file_version();
    let problems = registry.verify()?;
    let bytes = std::fs::metadata(file).map(|metadata| metadata.len()).unwrap_or(0);
    let triangles: usize =
        assets.iter().filter_map(|asset| Some(asset.visual.as_ref()?.as_ref().ok()?.triangles)).sum();
    if as_json {
        print_json(&json!({
            "kind": "asset database",
            "version": version,
            "bytes": bytes,
            "assets": assets.iter().map(|asset| &asset.name).collect::<Vec<_>>(),
            "triangles": triangles,
            "problems": problems,
        }))?;
    } else {
        let names: Vec<&str> = assets.iter().map(|asset| asset.name.as_str()).collect();
        print(&format!(
            "kind       asset database, version {version}\nsize       {bytes} bytes\nassets     {} ({})\ntriangles  {triangles}\ncheck      {}\n",
            names.len(),
            if names.is_empty() { "none".into() } else { names.join(", ") },
            if problems.is_empty() { "sound".into() } else { format!("{} problems", problems.len()) },
        ))?;
    }
    if problems.is_empty() {
        return Ok(());
    }
    Err(Failure::Failed(format!("{}: damaged:\n  {}", file.display(), problems.join("\n  "))))
}

/// Contents of a recording, the worst values of its run, and the result of a full check.
fn recording(file: &Path, as_json: bool) -> Result<(), Failure> {
    let recording = Recording::open(file)?;
    let problems = recording.check()?;
    if !problems.is_empty() {
        return Err(Failure::Failed(format!("{}: damaged:\n  {}", file.display(), problems.join("\n  "))));
    }
    let overview = recording.overview()?;
    if as_json {
        recording_as_json(&recording, &overview)
    } else {
        print(&recording_as_text(&recording, &overview))
    }
}

fn recording_as_text(recording: &Recording, overview: &Overview) -> String {
    let setting = |name: &str| match recording.property(name) {
        Some(serde_json::Value::String(text)) => text.clone(),
        Some(value) => value.to_string(),
        None => "?".to_owned(),
    };
    let (moving, all) = overview.bodies;
    let per_state = overview.bytes as f64 / (overview.frames.max(1) as f64 * moving.max(1) as f64);
    let ending = match recording.ending() {
        Some(ending) => match &ending.message {
            Some(message) => format!("{} at t = {} s: {message}", ending.how, number(ending.time)),
            None => format!("{} at t = {} s", ending.how, number(ending.time)),
        },
        None => "none recorded: the run is still going, or was killed".to_owned(),
    };
    let sealed = if recording.is_sealed() { "sound, sealed" } else { "sound, not sealed" };
    let (first, last) = overview.ends;
    let worst = |extreme: Option<Extreme>, unit: &str| match extreme {
        Some(worst) => {
            format!("{:.1e} {unit} at t = {} s (frame {})", worst.value, number(worst.time), worst.frame)
        }
        None => "none".to_owned(),
    };
    let anomalies = &overview.anomalies;
    let mut text = String::new();
    let mut line = |name: &str, what: String| text += &format!("{name:<10} {what}\n");
    line(
        "kind",
        format!("recording, version {}, by msd {}", msd_recording::SCHEMA_VERSION, recording.version()),
    );
    line("size", format!("{}, {per_state:.1} bytes a body and frame", bytes(overview.bytes)));
    line("scene", setting("scene"));
    line(
        "time",
        format!(
            "{} s to {} s, {} steps of {} s, {}",
            number(overview.span.0),
            number(overview.span.1),
            overview.steps,
            setting("dt"),
            setting("integrator")
        ),
    );
    line("frames", format!("{}, {} of them keyframes", overview.frames, recording.keyframes().len()));
    line("bodies", format!("{all}, {moving} of them move"));
    line("joints", recording.joints().len().to_string());
    line(
        "energy",
        format!("{} J at the start, {} J at the end", number(first.total()), number(last.total())),
    );
    line(
        "contacts",
        format!(
            "{} at most in a frame; deepest overlap {}",
            overview.max_contacts,
            worst(anomalies.penetration, "m")
        ),
    );
    line("worst", format!("unexplained gain in a step {}", worst(anomalies.gain, "J")));
    line("", format!("energy error {}", worst(anomalies.energy_error, "J")));
    line(
        "",
        format!(
            "contact residual {}, unconverged steps {}",
            worst(anomalies.residual, ""),
            anomalies.unconverged_steps
        ),
    );
    line(
        "",
        format!(
            "joint error {}, {}",
            worst(anomalies.joint_position_error, "m"),
            worst(anomalies.joint_angle_error, "rad")
        ),
    );
    line("ending", ending);
    line("check", sealed.to_owned());
    text
}

fn recording_as_json(recording: &Recording, overview: &Overview) -> Result<(), Failure> {
    let extreme = |extreme: Option<Extreme>| {
        extreme.map(|worst| json!({ "value": worst.value, "frame": worst.frame, "time": worst.time }))
    };
    let anomalies = &overview.anomalies;
    let settings: serde_json::Map<String, serde_json::Value> =
        recording.properties().map(|(name, value)| (name.to_owned(), value.clone())).collect();
    print_json(&json!({
        "kind": "recording",
        "version": msd_recording::SCHEMA_VERSION,
        "bytes": overview.bytes,
        "frames": overview.frames,
        "steps": overview.steps,
        "span": [overview.span.0, overview.span.1],
        "bodies": recording.bodies().iter().map(|body| &body.name).collect::<Vec<_>>(),
        "joints": recording.joints().iter().map(|joint| &joint.name).collect::<Vec<_>>(),
        "keyframes": recording.keyframes().len(),
        "energy": { "initial": overview.ends.0.total(), "final": overview.ends.1.total() },
        "max_contacts": overview.max_contacts,
        "anomalies": {
            "gain": extreme(anomalies.gain),
            "energy_error": extreme(anomalies.energy_error),
            "penetration": extreme(anomalies.penetration),
            "residual": extreme(anomalies.residual),
            "joint_position_error": extreme(anomalies.joint_position_error),
            "joint_angle_error": extreme(anomalies.joint_angle_error),
            "unconverged_steps": anomalies.unconverged_steps,
        },
        "ending": recording.ending().map(|ending| {
            json!({ "how": ending.how, "message": ending.message, "time": ending.time, "state_hash": ending.state_hash })
        }),
        "sealed": recording.is_sealed(),
        "settings": settings,
    }))
}
