//! Asks the linker for a small binary: one copy of functions that came out equal, and no names of functions.
//!
//! Rust makes a function anew for every type it is used with, and many of them are the same to the byte: without the
//! copies the binary is some megabytes smaller. Not every linker knows the option, so a tiny program is linked with it
//! first; where that fails, the binary is larger and as good.

use std::env;
use std::path::Path;
use std::process::{Command, Stdio};

/// The second does what `strip` in the profile would: cargo forgets that for a package with settings of its own.
const WISHES: [&str; 2] = ["-Wl,--icf=all", "-Wl,--strip-all"];

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let is = |name: &str, value: &str| env::var(name).is_ok_and(|found| found == value);
    if is("PROFILE", "release") && is("CARGO_CFG_TARGET_OS", "linux") {
        for wish in WISHES.into_iter().filter(|wish| linker_takes(wish)) {
            println!("cargo::rustc-link-arg-bins={wish}");
        }
    }
}

/// Whether a program can be linked with this argument, by the compiler, the linker and the flags that cargo uses.
fn linker_takes(argument: &str) -> bool {
    let (Some(rustc), Some(target), Some(out)) =
        (env::var_os("RUSTC"), env::var_os("TARGET"), env::var_os("OUT_DIR"))
    else {
        return false;
    };
    let source = Path::new(&out).join("probe.rs");
    if std::fs::write(&source, "fn main() {}\n").is_err() {
        return false;
    }
    let mut command = Command::new(rustc);
    command.arg(&source).arg("--target").arg(target).arg("-o").arg(Path::new(&out).join("probe"));
    if let Some(linker) = env::var_os("RUSTC_LINKER") {
        let mut setting = std::ffi::OsString::from("linker=");
        setting.push(linker);
        command.arg("-C").arg(setting);
    }
    let flags = env::var("CARGO_ENCODED_RUSTFLAGS").unwrap_or_default();
    command.args(flags.split('\u{1f}').filter(|flag| !flag.is_empty()));
    command.arg("-C").arg(format!("link-arg={argument}"));
    // What a linker says about an option it does not know would only frighten.
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    command.status().is_ok_and(|status| status.success())
}
