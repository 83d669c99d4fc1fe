//! `msd assets DB list|show|add|generate|remove`: list and change the contents of an asset database.

mod add;
mod body_options;
mod generate;
mod list;
mod show;

use std::{path::PathBuf, time::Duration};

use clap::{Args, Subcommand};
use msd_assets::{Asset, AssetRegistry, BUSY_TIMEOUT};

use crate::failure::Failure;

const EXAMPLES: &str = "\
Examples:
  msd assets parts.db generate cube crate --size 0.5 --density 600
  msd assets parts.db add bracket bracket.stl --scale 0.001 --mass 0.35
  msd assets parts.db list
  msd assets parts.db show crate --json
  msd assets parts.db remove crate

`add` and `generate` make the database if there is none. Lengths are metres, masses kilograms.";

/// Inspect or change an asset database
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct AssetsArgs {
    /// The asset database
    #[arg(value_name = "DB")]
    database: PathBuf,
    /// Time to wait for another writer, s
    #[arg(long, value_name = "S", default_value_t = BUSY_TIMEOUT.as_secs_f64(), global = true, allow_negative_numbers = true)]
    wait: f64,
    #[command(subcommand)]
    action: Action,
}

#[derive(Debug, Subcommand)]
enum Action {
    List(list::ListArgs),
    Show(show::ShowArgs),
    Add(add::AddArgs),
    Generate(generate::GenerateArgs),
    Remove(RemoveArgs),
}

/// Remove an asset
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  msd assets parts.db remove crate")]
struct RemoveArgs {
    /// Its name
    name: String,
}

impl AssetsArgs {
    pub(crate) fn run(self) -> Result<(), Failure> {
        let wait = Duration::try_from_secs_f64(self.wait)
            .map_err(|error| Failure::BadInput(format!("--wait {}: {error}", self.wait)))?;
        let database = &Database { path: self.database, wait };
        match self.action {
            Action::List(arguments) => arguments.run(database),
            Action::Show(arguments) => arguments.run(database),
            Action::Add(arguments) => arguments.run(database),
            Action::Generate(arguments) => arguments.run(database),
            Action::Remove(arguments) => remove(database, &arguments.name),
        }
    }
}

/// The database a command works on.
struct Database {
    path: PathBuf,
    wait: Duration,
}

impl Database {
    fn open_read_only(&self) -> Result<AssetRegistry, Failure> {
        Ok(AssetRegistry::open_read_only(&self.path)?)
    }

    /// Inserts into the database, which is created if necessary, and reports it on standard error.
    fn insert(&self, asset: &Asset) -> Result<(), Failure> {
        let mut registry = AssetRegistry::open_or_create(&self.path)?;
        registry.set_busy_timeout(self.wait)?;
        let id = registry.insert(asset)?;
        eprintln!("added {:?} to {} (id {})", asset.name, self.path.display(), id.0);
        Ok(())
    }
}

fn remove(database: &Database, name: &str) -> Result<(), Failure> {
    let mut registry = AssetRegistry::open(&database.path)?;
    registry.set_busy_timeout(database.wait)?;
    if !registry.remove(name)? {
        return Err(no_such_asset(&registry, name));
    }
    eprintln!("removed {name:?} from {}", database.path.display());
    Ok(())
}

/// The error for a name that is not there, with the nearest that is.
fn no_such_asset(registry: &AssetRegistry, name: &str) -> Failure {
    let names: Vec<String> = registry.list().unwrap_or_default().into_iter().map(|s| s.name).collect();
    let database = registry.path().display();
    let nearest = names
        .iter()
        .map(|candidate| (strsim::jaro_winkler(candidate, name), candidate))
        .filter(|(likeness, _)| *likeness > 0.75)
        .max_by(|a, b| a.0.total_cmp(&b.0));
    let hint = match (nearest, names.is_empty()) {
        (Some((_, candidate)), _) => format!("did you mean {candidate:?}?"),
        (None, true) => "it is empty".into(),
        (None, false) => format!("`msd assets {database} list` shows its {} assets", names.len()),
    };
    Failure::BadInput(format!("{database}: no asset named {name:?}: {hint}"))
}
