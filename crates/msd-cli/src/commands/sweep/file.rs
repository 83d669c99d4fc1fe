//! The sweep file in TOML, and the files of values that it names.

use std::collections::BTreeMap;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use parquet::errors::ParquetError;
use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::record::{Field, Row};
use parquet::schema::types::Type;
use serde::Deserialize;

/// A sweep file.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct SweepFile {
    /// One scene, or several that are run with the same values to vary.
    pub(super) scene: Scenes,
    pub(super) samples: Option<u64>,
    #[serde(default)]
    pub(super) seed: u64,
    #[serde(default)]
    pub(super) sampling: Sampling,
    pub(super) until: Option<f64>,
    #[serde(default)]
    pub(super) vary: BTreeMap<String, Distribution>,
    #[serde(default)]
    pub(super) keep: Keep,
    #[serde(default)]
    pub(super) judge: BTreeMap<String, String>,
}

/// How random values are spread.
#[derive(Clone, Copy, Debug, Default, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Sampling {
    /// Independent of each other.
    #[default]
    Random,
    /// Each of `samples` equal parts of every distribution is drawn from once.
    LatinHypercube,
}

/// Where the values of a path come from.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Distribution {
    Normal(Normal),
    Uniform([f64; 2]),
    LogUniform([f64; 2]),
    Choice(Vec<f64>),
    Grid(Grid),
    Csv(Column),
    Parquet(Column),
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Normal {
    pub(super) mean: f64,
    pub(super) sigma: f64,
}

/// Values, or as many as `count` from one to another, both included.
#[derive(Clone, Debug, Deserialize)]
#[serde(untagged)]
pub(super) enum Grid {
    Values(Vec<f64>),
    Range { from: f64, to: f64, count: usize },
}

/// A column of a file of values.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Column {
    pub(super) file: PathBuf,
    pub(super) column: String,
}

/// The scenes of a sweep.
#[derive(Clone, Debug, Deserialize)]
#[serde(untagged)]
pub(super) enum Scenes {
    One(PathBuf),
    Several(Vec<PathBuf>),
}

impl Scenes {
    pub(super) fn files(&self) -> &[PathBuf] {
        match self {
            Self::One(file) => std::slice::from_ref(file),
            Self::Several(files) => files,
        }
    }
}

/// Which results are kept.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Keep {
    #[serde(default)]
    pub(super) columns: Vec<String>,
    #[serde(default)]
    pub(super) record: Record,
    pub(super) worst: Option<String>,
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

impl Grid {
    pub(super) fn values(&self) -> Result<Vec<f64>, String> {
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

impl Column {
    /// The values of a column of a text file with a header line.
    pub(super) fn of_csv(&self, folder: &Path) -> Result<Vec<f64>, String> {
        let shown = self.file.display();
        let text = std::fs::read_to_string(folder.join(&self.file));
        let text = text.map_err(|error| format!("{shown} cannot be read: {error}"))?;
        let mut lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
        let Some((_, header)) = lines.next() else { return Err(format!("{shown} is empty")) };
        let names: Vec<&str> = header.split(',').map(str::trim).collect();
        let at = self.number(&names)?;
        let value = |(number, line): (usize, &str)| {
            let cell = line.split(',').nth(at).unwrap_or("").trim();
            let problem = || {
                format!("{shown}:{}: expected a number in column `{}`, got `{cell}`", number + 1, self.column)
            };
            cell.parse::<f64>().ok().filter(|value| value.is_finite()).ok_or_else(problem)
        };
        lines.map(value).collect()
    }

    /// The values of a column of a Parquet file: any numbers, of which each must be there and finite.
    pub(super) fn of_parquet(&self, folder: &Path) -> Result<Vec<f64>, String> {
        let shown = self.file.display();
        let fail = |error: String| format!("{shown} cannot be read: {error}");
        let file = File::open(folder.join(&self.file)).map_err(|error| fail(error.to_string()))?;
        let reader = SerializedFileReader::new(file).map_err(|error| fail(error.to_string()))?;
        let schema = reader.metadata().file_metadata().schema().clone();
        let names: Vec<&str> = schema.get_fields().iter().map(|field| field.name()).collect();
        let field = Arc::clone(&schema.get_fields()[self.number(&names)?]);
        let only = Type::group_type_builder(schema.name()).with_fields(vec![field]).build();
        let only = only.map_err(|error| fail(error.to_string()))?;
        let rows = reader.get_row_iter(Some(only)).map_err(|error| fail(error.to_string()))?;
        let value = |(number, row): (usize, Result<Row, ParquetError>)| {
            let row = row.map_err(|error| fail(error.to_string()))?;
            let cell = row.get_column_iter().next().map(|(_, cell)| cell.clone()).unwrap_or(Field::Null);
            let value = match cell {
                Field::Double(value) => Some(value),
                Field::Float(value) => Some(f64::from(value)),
                Field::Byte(value) => Some(f64::from(value)),
                Field::Short(value) => Some(f64::from(value)),
                Field::Int(value) => Some(f64::from(value)),
                Field::Long(value) => Some(value as f64),
                Field::UByte(value) => Some(f64::from(value)),
                Field::UShort(value) => Some(f64::from(value)),
                Field::UInt(value) => Some(f64::from(value)),
                Field::ULong(value) => Some(value as f64),
                _ => None,
            };
            value.filter(|value| value.is_finite()).ok_or_else(|| {
                format!("{shown}: row {number}: expected a number in column `{}`, got {cell}", self.column)
            })
        };
        rows.enumerate().map(value).collect()
    }

    /// The number of the column among those of the file.
    fn number(&self, names: &[&str]) -> Result<usize, String> {
        let (shown, names_shown) = (self.file.display(), names.join(", "));
        let found = names.iter().position(|name| *name == self.column);
        found.ok_or_else(|| format!("{shown} has no column `{}`; it has {names_shown}", self.column))
    }
}
