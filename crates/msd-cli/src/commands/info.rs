//! `msd info FILE`: what a file is and what it holds.

use std::path::{Path, PathBuf};

use clap::Args;
use msd_assets::{AssetRegistry, is_database_file};
use msd_scene::Scene;
use msd_scene::model::{Agent, Field, Joint};
use serde_json::json;

use crate::{
    failure::Failure,
    output::{number, print, print_json},
};

/// Say what a file is, what it holds, and whether it is sound
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  msd info parts.db\n  msd info parts.db --json\n  msd info scenes/satellite.toml"
)]
pub(crate) struct InfoArgs {
    /// A scene or an asset database
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
        if is_database {
            return asset_database(file, self.json);
        }
        let ending = file.extension().and_then(|ending| ending.to_str()).unwrap_or_default();
        if ["toml", "json"].contains(&ending) {
            return scene(file, self.json);
        }
        Err(Failure::BadInput(unrecognised(file)))
    }
}

/// What a good scene holds.
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
    if ["stl", "obj", "gltf", "glb"].contains(&ending.as_str()) {
        return format!(
            "{file}: a geometry file by its name: `msd assets DB add NAME {file}` makes an asset of it"
        );
    }
    format!(
        "{file}: not recognised: expected a scene (.toml or .json) or an asset database (made by `msd assets`)"
    )
}

/// Counts and the verdict of a full check; what is wrong goes to standard error and makes the command fail.
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
