//! Summary of a sweep: percentiles, verdicts with their confidence, the worst runs, and plots.

use std::fmt::Write as _;
use std::path::Path;

use serde_json::json;

use super::plan::Plan;
use super::table::Row;
use crate::failure::Failure;

/// Reported percentiles.
const PERCENTILES: [f64; 7] = [0.0, 1.0, 5.0, 50.0, 95.0, 99.0, 100.0];
/// Two-sided 95 % quantile of the normal distribution.
const Z: f64 = 1.959_963_984_540_054;
/// Number of worst runs reported.
const WORST: usize = 10;
/// Plots of each kind at most.
const PLOTS: usize = 24;

/// Wilson's 95 % interval of a share of successes (E. B. Wilson, JASA 22, 1927).
fn wilson(successes: usize, of: usize) -> (f64, f64) {
    let (n, share) = (of as f64, successes as f64 / of as f64);
    let (middle, reach) =
        (share + Z * Z / (2.0 * n), (share * (1.0 - share) / n + Z * Z / (4.0 * n * n)).sqrt());
    let scale = 1.0 + Z * Z / n;
    (((middle - Z * reach) / scale).max(0.0), ((middle + Z * reach) / scale).min(1.0))
}

/// A percentile of sorted numbers, by linear interpolation between neighbours.
fn percentile(sorted: &[f64], percent: f64) -> f64 {
    let at = percent / 100.0 * (sorted.len() - 1) as f64;
    let (low, share) = (at.floor() as usize, at.fract());
    let high = (low + 1).min(sorted.len() - 1);
    sorted[low] + share * (sorted[high] - sorted[low])
}

fn sorted(values: impl Iterator<Item = f64>) -> Vec<f64> {
    let mut finite: Vec<f64> = values.filter(|value| value.is_finite()).collect();
    finite.sort_by(f64::total_cmp);
    finite
}

/// Names and values of all numeric columns: varied values first, then recorded ones.
fn columns<'a>(plan: &'a Plan, rows: &'a [Row]) -> Vec<(String, Vec<f64>)> {
    let varied = plan.paths().enumerate();
    let varied =
        varied.map(|(i, path)| (format!("vary.{path}"), rows.iter().map(|row| row.varied[i]).collect()));
    let kept = plan.columns.iter().enumerate();
    let kept = kept.map(|(i, (name, _))| (name.clone(), rows.iter().map(|row| row.kept[i]).collect()));
    varied.chain(kept).collect()
}

/// The runs that failed, then those with the largest values of the column that ranks them.
fn worst<'a>(plan: &Plan, rows: &'a [Row]) -> Vec<(&'a Row, f64)> {
    let rank = plan.worst.as_ref().and_then(|worst| plan.columns.iter().position(|(name, _)| name == worst));
    let value = |row: &Row| rank.map_or(0.0, |rank| row.kept[rank]);
    let mut ranked: Vec<(&Row, f64)> = rows.iter().map(|row| (row, value(row))).collect();
    ranked.sort_by(|(a, x), (b, y)| b.failed().cmp(&a.failed()).then(y.total_cmp(x)).then(a.run.cmp(&b.run)));
    ranked.truncate(WORST);
    ranked
}

/// Writes `summary.md`, `summary.json` and the plots; returns the text.
pub(super) fn write(plan: &Plan, rows: &[Row], folder: &Path) -> Result<String, Failure> {
    let fail =
        |error: std::io::Error| Failure::Failed(format!("{}: cannot be written: {error}", folder.display()));
    let columns = columns(plan, rows);
    let text = text(plan, rows, &columns);
    std::fs::write(folder.join("summary.md"), &text).map_err(fail)?;
    let figures = figures(plan, rows, &columns);
    std::fs::write(folder.join("summary.json"), format!("{figures:#}\n")).map_err(fail)?;
    let plots = folder.join("plots");
    std::fs::create_dir_all(&plots).map_err(fail)?;
    let varied = plan.paths().count();
    for (name, values) in columns.iter().take(PLOTS) {
        if let Some(svg) = histogram(name, &sorted(values.iter().copied())) {
            std::fs::write(plots.join(format!("{}.svg", file_name(name))), svg).map_err(fail)?;
        }
    }
    let ranked =
        plan.worst.as_ref().and_then(|worst| columns[varied..].iter().find(|(name, _)| name == worst));
    if let Some((name, values)) = ranked {
        for (other, given) in columns[..varied].iter().take(PLOTS) {
            let points: Vec<(f64, f64, bool)> =
                given.iter().zip(values).zip(rows).map(|((x, y), row)| (*x, *y, row.failed())).collect();
            if let Some(svg) = scatter(other, name, &points) {
                std::fs::write(plots.join(format!("{}-by-{}.svg", file_name(name), file_name(other))), svg)
                    .map_err(fail)?;
            }
        }
    }
    Ok(text)
}

fn file_name(column: &str) -> String {
    column
        .chars()
        .map(|c| if c.is_alphanumeric() || matches!(c, '.' | '-' | '_') { c } else { '_' })
        .collect()
}

fn command(plan: &Plan, run: u64) -> String {
    format!("msd sweep {} --run {run} --record run-{run}.msdr", plan.file.display())
}

fn text(plan: &Plan, rows: &[Row], columns: &[(String, Vec<f64>)]) -> String {
    let mut out = String::new();
    let failed = rows.iter().filter(|row| !row.error.is_empty()).count();
    let _ = writeln!(out, "# {}: {} runs, {failed} ended by an error\n", plan.file.display(), rows.len());
    if !plan.judges.is_empty() {
        let _ = writeln!(out, "| verdict | holds | share | 95 % interval |\n|---|---|---|---|");
        for (i, (name, _)) in plan.judges.iter().enumerate() {
            let count = rows.iter().filter(|row| row.verdicts[i]).count();
            let (low, high) = wilson(count, rows.len());
            let share = count as f64 / rows.len() as f64;
            let _ =
                writeln!(out, "| {name} | {count} of {} | {share:.4} | {low:.4} to {high:.4} |", rows.len());
        }
        out.push('\n');
    }
    let _ = writeln!(
        out,
        "| column | mean | sigma | min | 1 % | 5 % | median | 95 % | 99 % | max |\n|---|---|---|---|---|---|---|---|---|---|"
    );
    for (name, values) in columns {
        let values = sorted(values.iter().copied());
        if values.is_empty() {
            let _ = writeln!(out, "| {name} | – | – | – | – | – | – | – | – | – |");
            continue;
        }
        let (mean, sigma) = moments(&values);
        let _ = write!(out, "| {name} | {} | {} ", figure(mean), figure(sigma));
        for percent in PERCENTILES {
            let _ = write!(out, "| {} ", figure(percentile(&values, percent)));
        }
        out.push_str("|\n");
    }
    let ranked = plan.worst.as_deref().unwrap_or("run");
    let _ = writeln!(out, "\nWorst runs (failed first, then by `{ranked}`):\n");
    let _ = writeln!(out, "| run | {ranked} | failed | replay |\n|---|---|---|---|");
    for (row, value) in worst(plan, rows) {
        let failures: Vec<&str> = plan
            .judges
            .iter()
            .zip(&row.verdicts)
            .filter(|(_, holds)| !**holds)
            .map(|((name, _), _)| name.as_str())
            .collect();
        let reason =
            if row.error.is_empty() { failures.join(", ") } else { row.error.replace(['|', '\n'], " ") };
        let _ =
            writeln!(out, "| {} | {} | {reason} | `{}` |", row.run, figure(value), command(plan, row.run));
    }
    out
}

/// A number as a person reads it.
fn figure(value: f64) -> String {
    let size = value.abs();
    if value == 0.0 || (1e-3..1e6).contains(&size) {
        let text = format!("{value:.6}");
        text.trim_end_matches('0').trim_end_matches('.').to_owned()
    } else {
        format!("{value:.4e}")
    }
}

fn moments(values: &[f64]) -> (f64, f64) {
    let n = values.len() as f64;
    let mean = values.iter().sum::<f64>() / n;
    let variance = values.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / (n - 1.0).max(1.0);
    (mean, variance.sqrt())
}

fn figures(plan: &Plan, rows: &[Row], columns: &[(String, Vec<f64>)]) -> serde_json::Value {
    let verdicts: serde_json::Map<String, serde_json::Value> = plan
        .judges
        .iter()
        .enumerate()
        .map(|(i, (name, _))| {
            let count = rows.iter().filter(|row| row.verdicts[i]).count();
            let (low, high) = wilson(count, rows.len());
            let share = count as f64 / rows.len() as f64;
            (name.clone(), json!({ "holds": count, "share": share, "low_95": low, "high_95": high }))
        })
        .collect();
    let of_columns: serde_json::Map<String, serde_json::Value> = columns
        .iter()
        .filter_map(|(name, values)| {
            let values = sorted(values.iter().copied());
            let (mean, sigma) = if values.is_empty() { return None } else { moments(&values) };
            let percentiles: serde_json::Map<String, serde_json::Value> = PERCENTILES
                .iter()
                .map(|percent| (format!("p{percent}"), json!(percentile(&values, *percent))))
                .collect();
            Some((name.clone(), json!({ "mean": mean, "sigma": sigma, "percentiles": percentiles })))
        })
        .collect();
    let worst: Vec<serde_json::Value> = worst(plan, rows)
        .into_iter()
        .map(|(row, _)| json!({ "run": row.run, "failed": row.failed(), "error": row.error, "replay": command(plan, row.run) }))
        .collect();
    let failed = rows.iter().filter(|row| !row.error.is_empty()).count();
    json!({ "runs": rows.len(), "errors": failed, "verdicts": verdicts, "columns": of_columns, "worst": worst })
}

// ── Plots ───────────────────────────────────────────────────────────────────────────────────────────────────────────

const WIDTH: f64 = 640.0;
const HEIGHT: f64 = 400.0;
const MARGIN: f64 = 84.0;

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

/// Frame, title and the ends of both axes around the plot.
fn chart(title: &str, x: (&str, f64, f64), y: (&str, f64, f64), drawn: &str) -> String {
    let (left, right, top, bottom) = (MARGIN, WIDTH - MARGIN, MARGIN, HEIGHT - MARGIN);
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{WIDTH}\" height=\"{HEIGHT}\" font-family=\"sans-serif\" font-size=\"12\">\n\
         <rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n{drawn}\
         <path d=\"M{left} {top}V{bottom}H{right}\" fill=\"none\" stroke=\"black\"/>\n\
         <text x=\"{middle}\" y=\"24\" text-anchor=\"middle\" font-size=\"14\">{title}</text>\n\
         <text x=\"{middle}\" y=\"{below}\" text-anchor=\"middle\">{xname}</text>\n\
         <text x=\"{left}\" y=\"{under}\" text-anchor=\"middle\">{x0}</text><text x=\"{right}\" y=\"{under}\" text-anchor=\"middle\">{x1}</text>\n\
         <text x=\"8\" y=\"60\">{yname}</text>\n\
         <text x=\"{beside}\" y=\"{bottom}\" text-anchor=\"end\">{y0}</text><text x=\"{beside}\" y=\"{top}\" text-anchor=\"end\">{y1}</text>\n</svg>\n",
        middle = WIDTH / 2.0,
        below = HEIGHT - 30.0,
        under = bottom + 18.0,
        beside = left - 6.0,
        title = escaped(title),
        xname = escaped(x.0),
        yname = escaped(y.0),
        x0 = figure(x.1),
        x1 = figure(x.2),
        y0 = figure(y.1),
        y1 = figure(y.2),
    )
}

/// Counts of a column in equal classes, and above them the share of runs up to a value.
fn histogram(name: &str, sorted: &[f64]) -> Option<String> {
    let (low, high) = (*sorted.first()?, *sorted.last()?);
    if low >= high {
        return None;
    }
    let classes = ((sorted.len() as f64).sqrt().ceil() as usize).clamp(5, 60);
    let mut counts = vec![0_usize; classes];
    for value in sorted {
        counts[(((value - low) / (high - low)) * classes as f64).min(classes as f64 - 1.0) as usize] += 1;
    }
    let most = *counts.iter().max()? as f64;
    let (across, up) = ((WIDTH - 2.0 * MARGIN) / classes as f64, HEIGHT - 2.0 * MARGIN);
    let mut drawn = String::new();
    for (i, count) in counts.iter().enumerate() {
        let tall = up * *count as f64 / most;
        let _ = writeln!(
            drawn,
            "<rect x=\"{:.2}\" y=\"{:.2}\" width=\"{:.2}\" height=\"{tall:.2}\" fill=\"#4c78a8\"/>",
            MARGIN + across * i as f64,
            HEIGHT - MARGIN - tall,
            across * 0.94
        );
    }
    let (mut sum, mut line) = (0, format!("M{MARGIN} {:.2}", HEIGHT - MARGIN));
    for (i, count) in counts.iter().enumerate() {
        sum += count;
        let (x, y) =
            (MARGIN + across * (i + 1) as f64, HEIGHT - MARGIN - up * sum as f64 / sorted.len() as f64);
        let _ = write!(line, "L{x:.2} {y:.2}");
    }
    let _ = writeln!(drawn, "<path d=\"{line}\" fill=\"none\" stroke=\"#e45756\" stroke-width=\"2\"/>");
    let title = format!("{name}: {} runs, and the share up to a value (red, 0 to 1)", sorted.len());
    Some(chart(&title, (name, low, high), ("runs", 0.0, most), &drawn))
}

/// One column over another; runs that failed are red.
fn scatter(x_name: &str, y_name: &str, points: &[(f64, f64, bool)]) -> Option<String> {
    let finite: Vec<_> = points.iter().filter(|(x, y, _)| x.is_finite() && y.is_finite()).collect();
    let ends = |value: &dyn Fn(&(f64, f64, bool)) -> f64| {
        let low = finite.iter().map(|point| value(point)).fold(f64::INFINITY, f64::min);
        let high = finite.iter().map(|point| value(point)).fold(f64::NEG_INFINITY, f64::max);
        (low < high).then_some((low, high))
    };
    let (x, y) = (ends(&|point| point.0)?, ends(&|point| point.1)?);
    let mut drawn = String::new();
    for (px, py, failed) in finite {
        let _ = writeln!(
            drawn,
            "<circle cx=\"{:.1}\" cy=\"{:.1}\" r=\"2\" fill=\"{}\" fill-opacity=\"0.6\"/>",
            MARGIN + (WIDTH - 2.0 * MARGIN) * (px - x.0) / (x.1 - x.0),
            HEIGHT - MARGIN - (HEIGHT - 2.0 * MARGIN) * (py - y.0) / (y.1 - y.0),
            if *failed { "#e45756" } else { "#4c78a8" }
        );
    }
    Some(chart(&format!("{y_name} over {x_name}"), (x_name, x.0, x.1), (y_name, y.0, y.1), &drawn))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn intervals_are_those_of_the_literature() {
        // R. G. Newcombe, Statistics in Medicine 17 (1998), table I: 81 of 263, 15 of 148, 0 of 20.
        for (x, n, low, high) in [(81, 263, 0.2553, 0.3662), (15, 148, 0.0624, 0.1605), (0, 20, 0.0, 0.1611)]
        {
            let (a, b) = wilson(x, n);
            assert!((a - low).abs() < 5e-5 && (b - high).abs() < 5e-5, "{x} of {n}: {a} to {b}");
        }
    }

    #[test]
    fn percentiles_interpolate() {
        let numbers = [1.0, 2.0, 3.0, 4.0, 5.0];
        assert_eq!([0.0, 50.0, 90.0, 100.0].map(|p| percentile(&numbers, p)), [1.0, 3.0, 4.6, 5.0]);
        assert_eq!(percentile(&[7.0], 95.0), 7.0);
    }
}
