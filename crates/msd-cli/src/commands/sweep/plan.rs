//! The sweep file, and the values that each run gets from it.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use msd::digest::Hasher;
use msd_scene::Scene;
use serde::Deserialize;

use super::expression::Expression;
use super::quantity::Quantity;
use super::sample::{normal_quantile, permutation, uniform};
use crate::failure::Failure;

/// A sweep file.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct SweepFile {
    scene: PathBuf,
    samples: Option<u64>,
    #[serde(default)]
    seed: u64,
    #[serde(default)]
    sampling: Sampling,
    until: Option<f64>,
    #[serde(default)]
    vary: BTreeMap<String, Distribution>,
    #[serde(default)]
    keep: Keep,
    #[serde(default)]
    judge: BTreeMap<String, String>,
}

/// How random values are spread.
#[derive(Clone, Copy, Debug, Default, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "kebab-case")]
enum Sampling {
    /// Independent of each other.
    #[default]
    Random,
    /// Each of `samples` equal parts of every distribution is drawn from once.
    LatinHypercube,
}

/// Where the values of a path come from.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Distribution {
    Normal(Normal),
    Uniform([f64; 2]),
    LogUniform([f64; 2]),
    Choice(Vec<f64>),
    Grid(Grid),
    Csv(Csv),
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Normal {
    mean: f64,
    sigma: f64,
}

/// Values, or as many as `count` from one to another, both included.
#[derive(Clone, Debug, Deserialize)]
#[serde(untagged)]
enum Grid {
    Values(Vec<f64>),
    Range { from: f64, to: f64, count: usize },
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Csv {
    file: PathBuf,
    column: String,
}

/// Which results are kept.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct Keep {
    #[serde(default)]
    columns: Vec<String>,
    #[serde(default)]
    record: Record,
    worst: Option<String>,
}

/// Which runs are recorded.
#[derive(Clone, Copy, Debug, Default, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
pub(super) enum Record {
    /// None.
    #[default]
    None,
    /// Those that fail a judge or a step.
    Failed,
    /// All.
    All,
}

/// A variable of the sweep, prepared to give the value of any run.
#[derive(Clone, Debug)]
struct Variable {
    path: String,
    values: Values,
}

#[derive(Clone, Debug)]
enum Values {
    Normal {
        mean: f64,
        sigma: f64,
    },
    Uniform {
        low: f64,
        high: f64,
    },
    LogUniform {
        low: f64,
        high: f64,
    },
    Choice(Vec<f64>),
    /// Values of a grid, and the number of grid points between changes.
    Grid {
        values: Vec<f64>,
        stride: u64,
    },
    Rows(Vec<f64>),
}

/// A sweep, checked.
#[derive(Clone, Debug)]
pub(super) struct Plan {
    /// The file as given, for the commands that replay runs.
    pub(super) file: PathBuf,
    pub(super) scene: Scene,
    pub(super) runs: u64,
    pub(super) columns: Vec<(String, Quantity)>,
    pub(super) judges: Vec<(String, Expression)>,
    pub(super) record: Record,
    /// Column by whose largest values runs are ranked.
    pub(super) worst: Option<String>,
    /// Identifies the sweep: its file, its scene, and the files of values.
    pub(super) hash: String,
    samples: u64,
    seed: u64,
    variables: Vec<Variable>,
    /// Order of the parts of a Latin hypercube, by variable; empty if values are independent.
    strata: Vec<Vec<u32>>,
}

impl Plan {
    /// Reads and checks a sweep file; the first run is built, so that a wrong path is known at once.
    pub(super) fn load(path: &Path) -> Result<Self, Failure> {
        let bad = |problem: String| Failure::BadInput(format!("{}: {problem}", path.display()));
        let text = std::fs::read_to_string(path).map_err(|error| bad(format!("cannot be read: {error}")))?;
        let file: SweepFile =
            toml::from_str(&text).map_err(|error| bad(error.to_string().trim_end().to_owned()))?;
        let folder = path.parent().unwrap_or(Path::new("."));
        let mut scene = Scene::load(folder.join(&file.scene))?;
        if let Some(until) = file.until {
            scene.set("world.duration", &[until]).map_err(|error| bad(error.to_string()))?;
        }
        let mut hasher = Hasher::new();
        hasher.text(&text);
        hasher.text(&toml::to_string(&scene).map_err(|error| bad(error.to_string()))?);
        let (mut variables, mut grid, mut rows) = (Vec::new(), 1_u64, None);
        for (name, distribution) in &file.vary {
            let fail = |problem: String| bad(format!("[vary] \"{name}\": {problem}"));
            let values = match distribution {
                Distribution::Normal(Normal { mean, sigma }) if *sigma >= 0.0 && sigma.is_finite() => {
                    Values::Normal { mean: *mean, sigma: *sigma }
                }
                Distribution::Normal(Normal { sigma, .. }) => {
                    return Err(fail(format!("sigma must be finite and at least 0, got {sigma}")));
                }
                Distribution::Uniform([low, high]) if low < high => {
                    Values::Uniform { low: *low, high: *high }
                }
                Distribution::LogUniform([low, high]) if 0.0 < *low && low < high => {
                    Values::LogUniform { low: *low, high: *high }
                }
                Distribution::Uniform(ends) | Distribution::LogUniform(ends) => {
                    let problem = "expected [low, high] with low below high, above 0 if logarithmic";
                    return Err(fail(format!("{problem}, got {ends:?}")));
                }
                Distribution::Choice(values) if !values.is_empty() => Values::Choice(values.clone()),
                Distribution::Choice(_) => return Err(fail("expected at least one value".to_owned())),
                Distribution::Grid(given) => {
                    let values = given.values().map_err(fail)?;
                    let stride = grid;
                    grid = grid
                        .checked_mul(values.len() as u64)
                        .ok_or_else(|| fail("the grid is too large".into()))?;
                    Values::Grid { values, stride }
                }
                Distribution::Csv(csv) => {
                    let values = csv.values(folder).map_err(fail)?;
                    if rows.is_some_and(|known| known != values.len()) {
                        return Err(fail(format!(
                            "its column has {} rows, another has {rows:?}",
                            values.len()
                        )));
                    }
                    values.iter().for_each(|value| hasher.number(*value));
                    rows = Some(values.len());
                    Values::Rows(values)
                }
            };
            variables.push(Variable { path: name.clone(), values });
        }
        let samples = match (file.samples, rows) {
            (Some(0), _) => return Err(bad("samples must be at least 1".to_owned())),
            (Some(samples), Some(rows)) if samples > rows as u64 => {
                return Err(bad(format!("samples = {samples}, but the file of values has {rows} rows")));
            }
            (Some(samples), _) => samples,
            (None, Some(rows)) => rows as u64,
            (None, None) => 1,
        };
        let runs = grid.checked_mul(samples).filter(|runs| *runs <= u64::from(u32::MAX));
        let runs = runs.ok_or_else(|| bad(format!("{grid} × {samples} runs are more than {}", u32::MAX)))?;
        let strata = match file.sampling {
            Sampling::Random => Vec::new(),
            Sampling::LatinHypercube => {
                let order = |index: usize| permutation(file.seed, index as u32, samples as usize);
                (0..variables.len()).map(order).collect()
            }
        };
        let mut columns = Vec::new();
        for name in &file.keep.columns {
            columns
                .extend(Quantity::columns(name, &scene).map_err(|problem| bad(format!("[keep] {problem}")))?);
        }
        let mut judges = Vec::new();
        for (name, text) in &file.judge {
            let parsed = Expression::parse(text, &scene);
            judges.push((name.clone(), parsed.map_err(|problem| bad(format!("[judge] {name}: {problem}")))?));
        }
        let worst = file.keep.worst.clone().or_else(|| columns.first().map(|(name, _)| name.clone()));
        if let Some(worst) = worst.as_ref().filter(|worst| !columns.iter().any(|(name, _)| name == *worst)) {
            return Err(bad(format!("[keep] worst = \"{worst}\" is not among the columns that are kept")));
        }
        let plan = Self {
            file: path.to_owned(),
            scene,
            runs,
            columns,
            judges,
            record: file.keep.record,
            worst,
            hash: hasher.finish().to_string(),
            samples,
            seed: file.seed,
            variables,
            strata,
        };
        plan.scene_of(0)?.build()?;
        Ok(plan)
    }

    /// Names of what is varied, in order.
    pub(super) fn paths(&self) -> impl Iterator<Item = &str> {
        self.variables.iter().map(|variable| variable.path.as_str())
    }

    /// The values of a run, in the order of [`Plan::paths`].
    pub(super) fn values(&self, run: u64) -> Vec<f64> {
        let (point, sample) = (run / self.samples, run % self.samples);
        let value = |(index, variable): (usize, &Variable)| {
            let random = || {
                let drawn = uniform(self.seed, run, index as u32);
                match self.strata.get(index) {
                    Some(order) => (f64::from(order[sample as usize]) + drawn) / self.samples as f64,
                    None => drawn,
                }
            };
            match &variable.values {
                Values::Normal { mean, sigma } => mean + sigma * normal_quantile(random()),
                Values::Uniform { low, high } => low + (high - low) * random(),
                Values::LogUniform { low, high } => low * libm::exp(libm::log(high / low) * random()),
                Values::Choice(values) => {
                    values[((random() * values.len() as f64) as usize).min(values.len() - 1)]
                }
                Values::Grid { values, stride } => values[(point / stride) as usize % values.len()],
                Values::Rows(values) => values[sample as usize],
            }
        };
        self.variables.iter().enumerate().map(value).collect()
    }

    /// The scene of a run.
    pub(super) fn scene_of(&self, run: u64) -> Result<Scene, Failure> {
        let mut scene = self.scene.clone();
        for (variable, value) in self.variables.iter().zip(self.values(run)) {
            let set = scene.set(&variable.path, &[value]);
            set.map_err(|error| Failure::BadInput(format!("{}: [vary] {error}", self.file.display())))?;
        }
        Ok(scene)
    }

    /// Runs of one part: few enough to lose little when the sweep is stopped, many enough for a table.
    pub(super) fn part_size(&self) -> u64 {
        self.runs.div_ceil(64).clamp(1, 1024)
    }

    /// The number of parts.
    pub(super) fn parts(&self) -> u64 {
        self.runs.div_ceil(self.part_size())
    }

    /// The runs of a part.
    pub(super) fn part(&self, part: u64) -> std::ops::Range<u64> {
        let size = self.part_size();
        part * size..((part + 1) * size).min(self.runs)
    }
}

impl Grid {
    fn values(&self) -> Result<Vec<f64>, String> {
        match self {
            Self::Values(values) if !values.is_empty() => Ok(values.clone()),
            Self::Range { from, to, count } if *count >= 2 => {
                let share = |i: usize| i as f64 / (*count - 1) as f64;
                Ok((0..*count).map(|i| from + (to - from) * share(i)).collect())
            }
            _ => Err("expected a list of values, or from, to and a count of at least 2".to_owned()),
        }
    }
}

impl Csv {
    /// A column of a file with a header line.
    fn values(&self, folder: &Path) -> Result<Vec<f64>, String> {
        let shown = self.file.display();
        let text = std::fs::read_to_string(folder.join(&self.file));
        let text = text.map_err(|error| format!("{shown} cannot be read: {error}"))?;
        let mut lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
        let Some((_, header)) = lines.next() else { return Err(format!("{shown} is empty")) };
        let names: Vec<&str> = header.split(',').map(str::trim).collect();
        let Some(at) = names.iter().position(|name| *name == self.column) else {
            return Err(format!("{shown} has no column `{}`; it has {}", self.column, names.join(", ")));
        };
        let value = |(number, line): (usize, &str)| {
            let cell = line.split(',').nth(at).unwrap_or("").trim();
            let problem = || {
                format!("{shown}:{}: expected a number in column `{}`, got `{cell}`", number + 1, self.column)
            };
            cell.parse::<f64>().ok().filter(|value| value.is_finite()).ok_or_else(problem)
        };
        lines.map(value).collect()
    }
}
