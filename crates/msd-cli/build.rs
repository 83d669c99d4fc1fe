//! Exports build information of cargo.

fn main() {
    for (name, variable) in [("MSD_TARGET", "TARGET"), ("MSD_PROFILE", "PROFILE")] {
        let value = std::env::var(variable).unwrap_or_else(|_| "unknown".to_owned());
        println!("cargo::rustc-env={name}={value}");
    }
    println!("cargo::rerun-if-changed=build.rs");
}
