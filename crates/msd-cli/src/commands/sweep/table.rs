//! Rows of runs in Parquet files: one file a part, and one with all.

use std::fs::File;
use std::path::Path;
use std::sync::Arc;

use parquet::basic::{Compression, LogicalType, Repetition, Type as Physical};
use parquet::data_type::{BoolType, ByteArray, ByteArrayType, DoubleType, Int64Type};
use parquet::errors::ParquetError;
use parquet::file::properties::{EnabledStatistics, WriterProperties};
use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::file::writer::SerializedFileWriter;
use parquet::record::Field;
use parquet::schema::types::{Type, TypePtr};

use super::plan::Plan;
use crate::failure::Failure;

/// One run.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Row {
    pub(super) run: u64,
    /// Varied values, in the order of the plan.
    pub(super) varied: Vec<f64>,
    /// Result columns, in the order of the plan; NaN if the run could not start.
    pub(super) kept: Vec<f64>,
    /// Verdicts, in the order of the plan.
    pub(super) verdicts: Vec<bool>,
    /// Why the run ended early; empty if it did not.
    pub(super) error: String,
    /// Identifies its last state to the last bit; empty if it could not begin.
    pub(super) state_hash: String,
}

impl Row {
    /// True if a step or a verdict failed.
    pub(super) fn failed(&self) -> bool {
        !self.error.is_empty() || self.verdicts.contains(&false)
    }
}

fn schema(plan: &Plan) -> Result<TypePtr, ParquetError> {
    let column = |name: &str, physical: Physical| {
        let text = (physical == Physical::BYTE_ARRAY).then_some(LogicalType::String);
        let built = Type::primitive_type_builder(name, physical)
            .with_repetition(Repetition::REQUIRED)
            .with_logical_type(text)
            .build();
        built.map(Arc::new)
    };
    let mut columns = vec![column("run", Physical::INT64)?];
    if plan.scenes.len() > 1 {
        columns.push(column("scene", Physical::BYTE_ARRAY)?);
    }
    for path in plan.paths() {
        columns.push(column(&format!("vary.{path}"), Physical::DOUBLE)?);
    }
    for (name, _) in &plan.columns {
        columns.push(column(name, Physical::DOUBLE)?);
    }
    for (name, _) in &plan.judges {
        columns.push(column(&format!("judge.{name}"), Physical::BOOLEAN)?);
    }
    columns.push(column("error", Physical::BYTE_ARRAY)?);
    columns.push(column("state_hash", Physical::BYTE_ARRAY)?);
    Ok(Arc::new(Type::group_type_builder("run").with_fields(columns).build()?))
}

/// Writes rows, a row group for each slice, to a file that is there only once it is whole.
pub(super) fn write(plan: &Plan, path: &Path, groups: &[&[Row]]) -> Result<(), Failure> {
    // Shards that end at the same time write the same table: each to a file of its own first.
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap_or_default();
    let unfinished = path.with_extension(format!("{}-{}.tmp", std::process::id(), now.as_nanos()));
    let fail = |error: String| Failure::Failed(format!("{}: cannot be written: {error}", path.display()));
    let file = File::create(&unfinished).map_err(|error| fail(error.to_string()))?;
    write_to(plan, file, groups).map_err(|error| fail(error.to_string()))?;
    std::fs::rename(&unfinished, path).map_err(|error| fail(error.to_string()))
}

fn write_to(plan: &Plan, file: File, groups: &[&[Row]]) -> Result<(), ParquetError> {
    // No time and no name of the writer's machine: the same sweep gives the same bytes.
    let properties = WriterProperties::builder()
        .set_compression(Compression::SNAPPY)
        .set_statistics_enabled(EnabledStatistics::Chunk)
        .set_created_by(concat!("msd ", env!("CARGO_PKG_VERSION")).to_owned())
        .build();
    let mut writer = SerializedFileWriter::new(file, schema(plan)?, Arc::new(properties))?;
    let varied = plan.paths().count();
    for rows in groups {
        let mut group = writer.next_row_group()?;
        let mut index = 0;
        while let Some(mut column) = group.next_column()? {
            // The run, and the scene where there are several.
            let first = if plan.scenes.len() > 1 { 2 } else { 1 };
            let kept = varied + first;
            let judged = kept + plan.columns.len();
            let numbers = |value: &dyn Fn(&Row) -> f64| rows.iter().map(value).collect::<Vec<f64>>();
            let texts = |value: fn(&Row) -> &str| {
                rows.iter().map(|row| ByteArray::from(value(row))).collect::<Vec<ByteArray>>()
            };
            if index == 0 {
                let runs: Vec<i64> = rows.iter().map(|row| row.run as i64).collect();
                column.typed::<Int64Type>().write_batch(&runs, None, None)?;
            } else if index < first {
                let scene = |row: &Row| ByteArray::from(plan.scenes[plan.scene_number(row.run)].0.as_str());
                let scenes: Vec<ByteArray> = rows.iter().map(scene).collect();
                column.typed::<ByteArrayType>().write_batch(&scenes, None, None)?;
            } else if index < kept {
                let values = numbers(&|row| row.varied[index - first]);
                column.typed::<DoubleType>().write_batch(&values, None, None)?;
            } else if index < judged {
                let values = numbers(&|row| row.kept[index - kept]);
                column.typed::<DoubleType>().write_batch(&values, None, None)?;
            } else if index < judged + plan.judges.len() {
                let verdicts: Vec<bool> = rows.iter().map(|row| row.verdicts[index - judged]).collect();
                column.typed::<BoolType>().write_batch(&verdicts, None, None)?;
            } else if index == judged + plan.judges.len() {
                column.typed::<ByteArrayType>().write_batch(&texts(|row| &row.error), None, None)?;
            } else {
                column.typed::<ByteArrayType>().write_batch(&texts(|row| &row.state_hash), None, None)?;
            }
            column.close()?;
            index += 1;
        }
        group.close()?;
    }
    writer.close()?;
    Ok(())
}

/// Reads the rows of a part.
pub(super) fn read(plan: &Plan, path: &Path) -> Result<Vec<Row>, Failure> {
    let fail = |error: String| {
        Failure::Failed(format!(
            "{}: cannot be read: {error}; remove it and run the sweep again",
            path.display()
        ))
    };
    let file = File::open(path).map_err(|error| fail(error.to_string()))?;
    let reader = SerializedFileReader::new(file).map_err(|error| fail(error.to_string()))?;
    let mut rows = Vec::new();
    for row in reader.get_row_iter(None).map_err(|error| fail(error.to_string()))? {
        let row = row.map_err(|error| fail(error.to_string()))?;
        let mut read = Row::default();
        for (index, (name, field)) in row.get_column_iter().enumerate() {
            match field {
                Field::Long(run) => read.run = *run as u64,
                Field::Double(value) if read.varied.len() < plan.paths().count() => read.varied.push(*value),
                Field::Double(value) => read.kept.push(*value),
                Field::Bool(verdict) => read.verdicts.push(*verdict),
                Field::Str(_) if index == 1 && plan.scenes.len() > 1 => {}
                Field::Str(text) if name == "error" => read.error.clone_from(text),
                Field::Str(text) => read.state_hash.clone_from(text),
                other => return Err(fail(format!("column `{name}` holds {other}"))),
            }
        }
        rows.push(read);
    }
    Ok(rows)
}
