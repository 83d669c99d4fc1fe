//! Refused requests of the viewer, and the page with a run.

#![allow(clippy::unwrap_used, reason = "helpers of tests are tests")]

mod support;

use support::{Folder, gallery, text};

fn recorded(folder: &Folder, scene: &str) {
    let scene = gallery().join(scene);
    let output = folder.run(&["run", scene.to_str().unwrap(), "--quiet", "--record", "run.msdr"]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
}

#[test]
fn scenes_robots_and_recordings_are_served_on_loopback_with_a_token() {
    let folder = Folder::new();
    recorded(&folder, "pendulum.toml");
    for what in [gallery().join("dominoes.toml"), gallery().join("arm.urdf"), folder.path("run.msdr")] {
        let address = folder.view(&["view", what.to_str().unwrap()]);
        let (host, token) = address.strip_prefix("http://").unwrap().split_once("/#").unwrap();
        assert!(host.starts_with("127.0.0.1:"), "{address}");
        assert!(token.len() == 32 && token.chars().all(|digit| digit.is_ascii_hexdigit()), "{address}");
    }
}

#[test]
fn the_page_holds_the_run_and_says_how_exact_it_is() {
    let folder = Folder::new();
    recorded(&folder, "bouncing-ball.toml");
    let output = folder.run(&["export", "run.msdr", "--to", "html", "--out", "run.html"]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    let told = text(&output.stderr);
    assert!(told.contains("bytes a body and frame") && told.contains("positions to "), "{told}");
    let page = std::fs::read_to_string(folder.path("run.html")).unwrap();
    for part in ["Content-Security-Policy", "id=\"msd-run\"", "id=\"msd-blob\"", "script-src 'sha256-"] {
        assert!(page.contains(part), "{part}");
    }
    assert!(!page.contains("src=\"app.js\"") && !page.contains("href=\"app.css\""), "nothing is fetched");
    let streamed = folder.run(&["export", "run.msdr", "--to", "html", "--out", "-"]);
    assert_eq!(text(&streamed.stdout), page, "the same on standard output");
    assert!(!folder.path("-").exists());
}

#[test]
fn a_page_that_would_be_too_large_is_refused_and_leaves_no_file() {
    let folder = Folder::new();
    recorded(&folder, "bouncing-ball.toml");
    let output = folder.run(&["export", "run.msdr", "--to", "html", "--out", "run.html", "--max-mb", "0"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stderr).contains("--max-mb"), "{}", text(&output.stderr));
    assert!(!folder.path("run.html").exists());
}

#[test]
fn what_cannot_be_viewed_is_refused_with_a_reason() {
    let folder = Folder::new();
    let missing = folder.run(&["view", "nowhere.toml"]);
    assert_eq!(missing.status.code(), Some(2), "{}", text(&missing.stderr));
    recorded(&folder, "pendulum.toml");
    let output = folder.run(&["view", "run.msdr", "--until", "3"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stderr).contains("is played as it is"), "{}", text(&output.stderr));
}
