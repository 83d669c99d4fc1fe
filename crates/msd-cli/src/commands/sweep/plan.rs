//! A sweep, checked: its runs, and the values that each gets.

use std::path::{Path, PathBuf};

use msd::digest::Hasher;
use msd_scene::Scene;

use super::expression::Expression;
pub(super) use super::file::Record;
use super::file::{Distribution, Normal, Sampling, SweepFile};
use super::quantity::Quantity;
use super::sample::{normal_quantile, permutation, uniform};
use crate::failure::Failure;

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
    /// Scenes with the names of their files; each is run at every point of the grid, one scene after the other.
    pub(super) scenes: Vec<(String, Scene)>,
    pub(super) runs: u64,
    pub(super) columns: Vec<(String, Quantity)>,
    pub(super) judges: Vec<(String, Expression)>,
    pub(super) record: Record,
    /// Column by whose largest values runs are ranked.
    pub(super) worst: Option<String>,
    /// Identifies the sweep: its file, its scene, and the files of values.
    pub(super) hash: String,
    /// Points of the grid.
    points: u64,
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
        let mut hasher = Hasher::new();
        hasher.text(&text);
        let mut scenes = Vec::new();
        for name in file.scene.files() {
            let mut scene = Scene::load(folder.join(name))?;
            if !scene.import.is_empty() {
                // Bodies that are imported are varied and kept like others.
                scene = scene.with_imports()?;
            }
            if let Some(until) = file.until {
                scene.set("world.duration", &[until]).map_err(|error| bad(error.to_string()))?;
            }
            hasher.text(&toml::to_string(&scene).map_err(|error| bad(error.to_string()))?);
            scenes.push((name.display().to_string(), scene));
        }
        if scenes.is_empty() {
            return Err(bad("scene: expected at least one file".to_owned()));
        }
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
                Distribution::Csv(column) | Distribution::Parquet(column) => {
                    let read = if matches!(distribution, Distribution::Csv(_)) {
                        column.of_csv(folder)
                    } else {
                        column.of_parquet(folder)
                    };
                    let values = read.map_err(fail)?;
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
        let count = scenes.len() as u64;
        let runs = grid.checked_mul(samples).and_then(|runs| runs.checked_mul(count));
        let runs = runs
            .filter(|runs| *runs <= u64::from(u32::MAX))
            .ok_or_else(|| bad(format!("{count} × {grid} × {samples} runs are more than {}", u32::MAX)))?;
        let strata = match file.sampling {
            Sampling::Random => Vec::new(),
            Sampling::LatinHypercube => {
                let order = |index: usize| permutation(file.seed, index as u32, samples as usize);
                (0..variables.len()).map(order).collect()
            }
        };
        let mut columns = Vec::new();
        for name in &file.keep.columns {
            let found = of_all(&scenes, |scene| Quantity::columns(name, scene));
            columns.extend(found.map_err(|problem| bad(format!("[keep] {problem}")))?);
        }
        let mut judges = Vec::new();
        for (name, text) in &file.judge {
            let parsed = of_all(&scenes, |scene| Expression::parse(text, scene));
            judges.push((name.clone(), parsed.map_err(|problem| bad(format!("[judge] {name}: {problem}")))?));
        }
        let worst = file.keep.worst.clone().or_else(|| columns.first().map(|(name, _)| name.clone()));
        if let Some(worst) = worst.as_ref().filter(|worst| !columns.iter().any(|(name, _)| name == *worst)) {
            return Err(bad(format!("[keep] worst = \"{worst}\" is not among the columns that are kept")));
        }
        let plan = Self {
            file: path.to_owned(),
            scenes,
            runs,
            columns,
            judges,
            record: file.keep.record,
            worst,
            hash: hasher.finish().to_string(),
            points: grid,
            samples,
            seed: file.seed,
            variables,
            strata,
        };
        for scene in 0..count {
            plan.scene_of(scene * grid * samples)?.build()?;
        }
        Ok(plan)
    }

    /// Names of the varied parameters, in order.
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

    /// Which of the scenes a run has.
    pub(super) fn scene_number(&self, run: u64) -> usize {
        (run / (self.points * self.samples)) as usize
    }

    /// The scene of a run, with its values.
    pub(super) fn scene_of(&self, run: u64) -> Result<Scene, Failure> {
        let mut scene = self.scenes[self.scene_number(run)].1.clone();
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

/// Something of the sweep that every scene must know, as the first has it.
fn of_all<T>(scenes: &[(String, Scene)], read: impl Fn(&Scene) -> Result<T, String>) -> Result<T, String> {
    let mut found = None;
    for (name, scene) in scenes {
        let read = read(scene)
            .map_err(|problem| if scenes.len() > 1 { format!("{problem} (in {name})") } else { problem })?;
        found.get_or_insert(read);
    }
    found.ok_or_else(|| "there is no scene".to_owned())
}
