//! Sweeps on Ray, through the Python package, which has the tasks and their retries.

use std::ffi::OsString;
use std::path::Path;
use std::process::Command;

use crate::failure::Failure;

/// Where Ray runs.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Cluster {
    /// On this machine, started for the sweep.
    Local,
    /// At an address.
    At(String),
}

/// Reads `ray` or `ray://HOST:PORT`.
pub(super) fn cluster(text: &str) -> Result<Cluster, String> {
    match text.strip_prefix("ray") {
        Some("") => Ok(Cluster::Local),
        Some(rest)
            if rest.starts_with("://")
                && rest
                    .rsplit_once(':')
                    .is_some_and(|(host, port)| host.len() > 3 && port.parse::<u16>().is_ok()) =>
        {
            Ok(Cluster::At(text.to_owned()))
        }
        _ => Err("expected ray or ray://HOST:PORT, such as ray://head:10001".to_owned()),
    }
}

impl Cluster {
    /// Computes a sweep on the cluster and writes its results on this machine.
    pub(super) fn sweep(&self, file: &Path, out: &Path, quiet: bool) -> Result<(), Failure> {
        let python = std::env::var_os("MSD_PYTHON").unwrap_or_else(|| OsString::from("python3"));
        let fail = |problem: String| {
            Failure::Failed(format!(
                "{}: {problem}; --on needs the Python package `msd-sim[ray]`, in the Python that MSD_PYTHON names or `python3` is",
                python.display()
            ))
        };
        let own = std::env::current_exe().map_err(|error| Failure::Failed(format!("msd: {error}")))?;
        let mut command = Command::new(&python);
        command.args(["-m", "msd.ray"]).arg(file).arg("--out").arg(out).arg("--local-command").arg(&own);
        match self {
            // Workers on this machine call this very command.
            Self::Local => command.arg("--command").arg(&own),
            Self::At(address) => command.args(["--address", address]),
        };
        if quiet {
            command.arg("--quiet");
        }
        let status = command.status().map_err(|error| fail(error.to_string()))?;
        match status.code() {
            Some(0) => Ok(()),
            Some(code) => Err(fail(format!("ended with code {code}"))),
            None => Err(fail("was killed".to_owned())),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clusters_are_ray_alone_or_an_address() {
        assert_eq!(cluster("ray"), Ok(Cluster::Local));
        assert_eq!(cluster("ray://head:10001"), Ok(Cluster::At("ray://head:10001".to_owned())));
        for wrong in ["", "dask", "ray://", "ray://head", "ray://:10001", "ray://head:many", "rays"] {
            assert!(cluster(wrong).is_err(), "{wrong}");
        }
    }
}
