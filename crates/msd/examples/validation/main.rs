//! Validation of the integrators against closed forms: error against step size and against cost.
//!
//! `cargo run --release -p msd-sim --example validation` writes `validation/report.md` and the plots beside it.

mod cases;
mod plot;
mod report;

use std::fs;
use std::path::Path;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let folder = Path::new("validation");
    fs::create_dir_all(folder)?;
    let mut sections = Vec::new();
    for case in cases::all()? {
        let results = case.run()?;
        fs::write(folder.join(format!("{}.svg", case.id)), plot::log_log(case.title, case.unit, &results))?;
        sections.push(report::section(&case, &results));
    }
    fs::write(folder.join("report.md"), report::document(&sections, &cases::tolerances()?))?;
    println!("wrote {}", folder.join("report.md").display());
    Ok(())
}
