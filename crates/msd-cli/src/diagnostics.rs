//! Errors of a scene for the terminal: the line, the column, and the accepted values.

use std::io::IsTerminal;

use miette::{Diagnostic, GraphicalReportHandler, GraphicalTheme};
use msd_scene::{Problem, SceneErrors};

/// Largest number of problems shown.
const SHOWN: usize = 50;

/// Problems with their source lines, and how many there are. Coloured on a terminal.
pub(crate) fn render(errors: &SceneErrors) -> String {
    let coloured = std::io::stderr().is_terminal() && std::env::var_os("NO_COLOR").is_none();
    let theme = if coloured { GraphicalTheme::unicode() } else { GraphicalTheme::unicode_nocolor() };
    let handler = GraphicalReportHandler::new_themed(theme).with_width(100).with_links(false);
    let mut text = String::new();
    for problem in errors.problems.iter().take(SHOWN) {
        render_one(&handler, problem, &mut text);
    }
    let count = match errors.problems.len() {
        1 => "1 problem".to_owned(),
        count if count > SHOWN => format!("{count} problems, the first {SHOWN} are shown"),
        count => format!("{count} problems"),
    };
    text + &format!("error: {}: {count}\n", errors.scene)
}

fn render_one(handler: &GraphicalReportHandler, problem: &Problem, text: &mut String) {
    let rendered = problem.source_code().is_some() && handler.render_report(text, problem).is_ok();
    if !rendered {
        text.push_str(&problem.one_line());
    }
    text.push('\n');
}
