//! The validation book: motions with a known answer, in every tier, next to what other engines were measured to do.
//!
//! `validation/run` writes `validation/book.md` and `validation/report.md`; `validation/run --check` computes the book again and fails where
//! a line differs. All figures but those of other engines are the same on every machine.

mod book;
mod contact;
mod mechanisms;
mod peers;
mod space;

use std::fs;
use std::process::ExitCode;

const PATH: &str = "validation/book.md";

fn main() -> Result<ExitCode, Box<dyn std::error::Error>> {
    let chapters = [contact::chapter()?, mechanisms::chapter()?, space::chapter()?];
    let peers = peers::tables(&fs::read_to_string("benches/results/contact_one_core.md")?);
    let text = book::document(&chapters, &peers);
    if std::env::args().nth(1).as_deref() != Some("--check") {
        fs::write(PATH, &text)?;
        println!("wrote {PATH}");
        return Ok(ExitCode::SUCCESS);
    }
    let written = fs::read_to_string(PATH)?;
    let lines = written.lines().zip(text.lines()).enumerate();
    let Some((number, (then, now))) = lines.into_iter().find(|(_, (then, now))| then != now) else {
        if written.lines().count() == text.lines().count() {
            println!("{PATH} is what this revision computes");
            return Ok(ExitCode::SUCCESS);
        }
        eprintln!("{PATH} has other lines than this revision computes: run validation/run");
        return Ok(ExitCode::FAILURE);
    };
    eprintln!(
        "{PATH}:{}: written\n  {then}\ncomputed\n  {now}\nIf that is meant, run validation/run.",
        number + 1
    );
    Ok(ExitCode::FAILURE)
}
