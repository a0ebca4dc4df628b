//! Looks for CBC before anything is compiled against it: the linker's own words would not say what to install.

fn main() {
    println!("cargo:rerun-if-env-changed=PKG_CONFIG_PATH");
    let found = std::process::Command::new("pkg-config").args(["--exists", "cbc"]).status();
    if matches!(&found, Ok(status) if status.success()) {
        return;
    }
    let why = match found {
        Ok(_) => "`pkg-config --exists cbc` does not find it",
        Err(_) => "`pkg-config`, which would tell where it is, is not installed",
    };
    println!(
        "cargo:warning=imbcore-mip needs the CBC solver's library, but {why}. On Debian and Ubuntu: \
         apt-get install coinor-libcbc-dev pkg-config"
    );
    std::process::exit(1);
}
