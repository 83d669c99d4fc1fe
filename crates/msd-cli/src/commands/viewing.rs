//! Common code of the commands that open the viewer.

use std::io::IsTerminal;
use std::net::SocketAddr;
use std::process::{Command, Stdio};
use std::sync::Arc;

use clap::Args;
use msd::environment::World;
use msd_scene::{Ending, Outcome};
use msd_view::{Flow, FrameSource, Live, Server, ServerOptions};

use crate::failure::Failure;

/// Viewer options.
#[derive(Clone, Debug, Args)]
pub(crate) struct ViewOptions {
    /// Serve the viewer at this address instead of a free port of 127.0.0.1
    #[arg(long, value_name = "ADDRESS:PORT")]
    listen: Option<SocketAddr>,
    /// Print the address of the viewer, but open no browser
    #[arg(long)]
    no_open: bool,
}

/// Starts the server, prints its address and opens a browser if there is one.
pub(super) fn serve(source: Arc<dyn FrameSource>, options: &ViewOptions) -> Result<Server, Failure> {
    let mut server_options = ServerOptions::default();
    server_options.address = options.listen.unwrap_or(server_options.address);
    let server = Server::start(source, &server_options)?;
    if !server.address().ip().is_loopback() {
        eprintln!(
            "warning     other machines can reach {}: anyone with the full address sees and controls the run",
            server.address()
        );
    }
    let url = server.url();
    let opened = !options.no_open && std::io::stderr().is_terminal() && open_browser(&url);
    let hint = if opened {
        "opened in your browser; Ctrl-C ends it"
    } else {
        "open it in a browser; Ctrl-C ends it"
    };
    eprintln!("view        {url}\n            {hint}");
    Ok(server)
}

/// Opens an address in the desktop's browser; false without a desktop.
fn open_browser(url: &str) -> bool {
    let has_desktop = ["DISPLAY", "WAYLAND_DISPLAY"].iter().any(|name| std::env::var_os(name).is_some());
    let mut command = if cfg!(target_os = "macos") {
        Command::new("open")
    } else if cfg!(windows) {
        let mut command = Command::new("cmd");
        command.args(["/C", "start", ""]);
        command
    } else if has_desktop {
        Command::new("xdg-open")
    } else {
        return false;
    };
    let started = command.arg(url).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn();
    started.is_ok()
}

/// Sends the end of a run to the pages.
pub(super) fn finish(live: &Live, world: &World, outcome: &Outcome) {
    let (how, message) = match &outcome.ending {
        Ending::Done => ("done", None),
        Ending::Stopped => ("stopped", None),
        Ending::Failed(error) => ("failed", Some(error.to_string())),
    };
    live.finish(world, how, message);
}

/// Keeps the viewer up after a run, until Ctrl-C.
pub(super) fn linger(live: &Live) -> Result<(), Failure> {
    eprintln!("            the run has ended and stays open for review; Ctrl-C ends the viewer");
    while live.linger() != Flow::Stop {}
    Ok(())
}
