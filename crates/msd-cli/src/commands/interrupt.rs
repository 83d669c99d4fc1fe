//! Ctrl-C.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use msd_view::Live;

use crate::failure::Failure;

static STOP: AtomicBool = AtomicBool::new(false);

/// Set by Ctrl-C. A second Ctrl-C ends the program where it stands.
pub(super) fn flag() -> Result<&'static AtomicBool, Failure> {
    static LISTENING: OnceLock<Result<(), String>> = OnceLock::new();
    let listen = || {
        ctrlc::set_handler(|| {
            if STOP.swap(true, Ordering::Relaxed) {
                std::process::exit(130);
            }
        })
        .map_err(|error| format!("cannot listen to Ctrl-C: {error}"))
    };
    LISTENING.get_or_init(listen).clone().map_err(Failure::Failed)?;
    Ok(&STOP)
}

/// Passes Ctrl-C on to a run that may be standing still.
pub(super) fn also_stops(live: &Arc<Live>) {
    let live = Arc::downgrade(live);
    std::thread::spawn(move || {
        while let Some(live) = live.upgrade() {
            if STOP.load(Ordering::Relaxed) {
                live.stop();
                return;
            }
            drop(live);
            std::thread::sleep(Duration::from_millis(50));
        }
    });
}
