#![forbid(unsafe_code)]
fn main() -> std::process::ExitCode {
    asperity::cli::run()
}
