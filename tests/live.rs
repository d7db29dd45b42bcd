//! `certify --live` on small clients, each of which does one thing in its own way: what the wire
//! shows of them, case by case; and clients that break, of which nothing is left and no case lost.
//!
//! The test is its own driver: started with `--driver MODE` it is the client of that kind.

#[path = "live/asked.rs"]
mod asked;
#[path = "live/broken.rs"]
mod broken;
#[path = "live/client.rs"]
mod client;
#[path = "live/drivers.rs"]
mod drivers;
#[path = "live/trials.rs"]
mod trials;
#[path = "live_server/wire.rs"]
#[allow(dead_code)]
mod wire;

use std::process::ExitCode;

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    if let [driver, mode, target @ ..] = words.as_slice()
        && driver == "--driver"
    {
        drivers::main(mode, target);
        return ExitCode::SUCCESS;
    }
    let arguments = libtest_mimic::Arguments::from_args();
    libtest_mimic::run(&arguments, trials::all()).exit_code()
}
