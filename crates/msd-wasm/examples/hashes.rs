//! State hashes of scenes: `hashes STEPS FILE...` prints one line `NAME STEPS HASH` for each scene file.
//!
//! `.ci/wasm` compares these lines with those of the WebAssembly module. `--registers 2|4|8` limits the numbers that vector instructions
//! take at once.

use std::error::Error;
use std::path::Path;

use msd::math::{Registers, limit_registers};
use msd_wasm::Session;

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1).peekable();
    if arguments.peek().is_some_and(|argument| argument == "--registers") {
        arguments.next();
        limit_registers(match arguments.next().as_deref() {
            Some("2") => Registers::Two,
            Some("4") => Registers::Four,
            Some("8") => Registers::Eight,
            other => return Err(format!("--registers must be 2, 4 or 8, got {other:?}").into()),
        });
    }
    let steps = arguments.next().ok_or("usage: hashes [--registers 2|4|8] STEPS FILE...")?.parse()?;
    for file in arguments {
        let path = Path::new(&file);
        let mut session = Session::new();
        for entry in path.parent().unwrap_or(Path::new(".")).read_dir()? {
            let other = entry?.path();
            if other.extension().is_some_and(|kind| kind == "xml" || kind == "urdf") {
                let name = other.file_name().unwrap_or_default().to_string_lossy().into_owned();
                session.add_file(&name, &std::fs::read_to_string(&other)?);
            }
        }
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if !session.load(&name, &std::fs::read_to_string(path)?) {
            return Err(format!("{file}: {}", session.output()).into());
        }
        session.step(steps);
        session.write_hash();
        let taken = session.world().map_or(0, |world| world.steps());
        println!("{name} {taken} {}", session.output());
    }
    Ok(())
}
