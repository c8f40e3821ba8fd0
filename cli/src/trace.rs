//! A trace for people, and where it is shown.

use std::io::IsTerminal;
use trellis_ivl::{Program, Trace};
use trellis_witness::steps::{Detail, Style, render};
use trellis_witness::{Names, Sources};

/// `--trace`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub enum TraceDetail {
    /// Steps that read, change, call or return something; loops folded
    #[default]
    Short,
    /// Every step
    Full,
}

/// The text of a trace that replays, without colours.
pub fn text(program: &Program, trace: &Trace, names: &Names, detail: TraceDetail) -> String {
    show(program, trace, names, detail, false)
}

/// The same for standard output, with colours if that is a terminal.
pub fn for_stdout(program: &Program, trace: &Trace, names: &Names, detail: TraceDetail) -> String {
    let colours = std::io::stdout().is_terminal() && std::env::var_os("NO_COLOR").is_none();
    show(program, trace, names, detail, colours)
}

fn show(
    program: &Program,
    trace: &Trace,
    names: &Names,
    detail: TraceDetail,
    colours: bool,
) -> String {
    let detail = match detail {
        TraceDetail::Short => Detail::Short,
        TraceDetail::Full => Detail::Full,
    };
    let style = Style { detail, colours };
    render(program, trace, names, &mut Sources::default(), style)
}
