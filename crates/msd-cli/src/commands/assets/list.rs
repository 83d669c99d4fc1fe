//! `msd assets DB list`: one line per asset.

use clap::Args;
use msd_assets::{
    AssetSummary,
    codec::{CodecError, GeometryHead},
};
use serde_json::{Value, json};

use super::Database;
use crate::{
    failure::Failure,
    output::{number, print, print_json, table},
};

/// List the assets of a database
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  msd assets parts.db list\n  msd assets parts.db list --json")]
pub(super) struct ListArgs {
    /// As a JSON array
    #[arg(long)]
    json: bool,
}

impl ListArgs {
    pub(super) fn run(self, database: &Database) -> Result<(), Failure> {
        let assets = database.open_read_only()?.list()?;
        if self.json {
            return print_json(&assets.iter().map(summary_json).collect::<Vec<_>>());
        }
        if assets.is_empty() {
            eprintln!("{}: no assets yet", database.path.display());
            return Ok(());
        }
        let rows: Vec<Vec<String>> = assets.iter().map(row).collect();
        let header = ["id", "name", "triangles", "collision", "mass", "friction", "restitution"];
        print(&table(&header, &[true, false, true, false, true, true, true], &rows))
    }
}

fn row(asset: &AssetSummary) -> Vec<String> {
    let triangles = match &asset.visual {
        None => "-".into(),
        Some(Ok(head)) => head.triangles.to_string(),
        Some(Err(_)) => "damaged".into(),
    };
    let collision = match &asset.collision {
        None => "-".into(),
        Some(Ok(head)) if head.kind == "hull" => format!("hull of {}", head.vertices),
        Some(Ok(head)) => head.kind.into(),
        Some(Err(_)) => "damaged".into(),
    };
    let mass = match (asset.mass.mass(), asset.mass.density()) {
        (Some(mass), _) => format!("{} kg", number(mass)),
        (_, Some(density)) => format!("{} kg/m³", number(density)),
        _ => "-".into(),
    };
    let (friction, restitution) = (number(asset.material.friction), number(asset.material.restitution));
    vec![asset.id.0.to_string(), asset.name.clone(), triangles, collision, mass, friction, restitution]
}

fn summary_json(asset: &AssetSummary) -> Value {
    let head = |head: &Option<Result<GeometryHead, CodecError>>| match head {
        None => Value::Null,
        Some(Ok(head)) => {
            json!({ "kind": head.kind, "vertices": head.vertices, "triangles": head.triangles })
        }
        Some(Err(error)) => json!({ "damaged": error.to_string() }),
    };
    json!({
        "id": asset.id,
        "name": asset.name,
        "visual": head(&asset.visual),
        "collision": head(&asset.collision),
        "mass": asset.mass.mass(),
        "density": asset.mass.density(),
        "material": asset.material,
    })
}
