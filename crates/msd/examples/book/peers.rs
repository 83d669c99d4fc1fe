//! What other engines were measured to do, from the tables of `benches/peers`.

use std::fmt::Write as _;

/// Scenes, engines and figures of a table with the columns `scene`, `engine`, `overlap m` and `drift or stretch m`.
pub(crate) fn tables(measured: &str) -> String {
    let rows: Vec<Vec<&str>> = measured
        .lines()
        .skip_while(|line| !line.starts_with('|'))
        .take_while(|line| line.starts_with('|'))
        .filter(|line| line.starts_with("| "))
        .map(|line| line.trim_matches('|').split('|').map(str::trim).collect())
        .collect();
    let Some((head, rows)) = rows.split_first() else { return String::new() };
    let column = |name: &str| head.iter().position(|title| *title == name).unwrap_or(0);
    let (scene, engine) = (column("scene"), column("engine"));
    let mut engines: Vec<&str> = Vec::new();
    let mut scenes: Vec<&str> = Vec::new();
    for row in rows {
        for (list, name) in [(&mut engines, row[engine]), (&mut scenes, row[scene])] {
            if !list.contains(&name) {
                list.push(name);
            }
        }
    }
    let mut text = String::from(
        "\n## Next to other engines\n\nFrom [the benchmark of contact](../benches/results/contact.md), measured from poses by the same code for all \
         engines; steps of 1/60 s, defaults of each engine. Rows that msd loses are kept. Times are in the benchmark. An engine that was too \
         slow was stopped early, which the benchmark tells.\n",
    );
    for (title, name) in [
        ("Deepest overlap, m", "overlap m"),
        ("Drift of what should rest, or stretch of joints, m", "drift or stretch m"),
    ] {
        let figures = column(name);
        let _ = write!(text, "\n**{title}**\n\n| scene |");
        engines.iter().for_each(|engine| {
            let _ = write!(text, " {engine} |");
        });
        let _ = write!(text, "\n|---|{}", "---|".repeat(engines.len()));
        for of in &scenes {
            let found = |by: &str| {
                rows.iter().find(|row| row[scene] == *of && row[engine] == by).map(|row| row[figures])
            };
            if engines.iter().all(|by| matches!(found(by), None | Some("–" | "0.0e0"))) {
                continue;
            }
            let _ = write!(text, "\n| {of} |");
            for by in &engines {
                let _ = write!(text, " {} |", found(by).unwrap_or("–"));
            }
        }
        text.push('\n');
    }
    text
}
