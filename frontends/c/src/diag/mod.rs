//! Diagnostics: collected, not thrown, and rendered the way C compilers do.

use crate::source::{SourceMap, Span};
use std::fmt::Write;

/// How bad it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// The program has no meaning.
    Error,
    /// The program has a meaning, though perhaps not the intended one.
    Warning,
}

/// One message about one place, with notes about others.
#[derive(Clone, Debug)]
pub struct Diagnostic {
    /// Error or warning.
    pub severity: Severity,
    /// Where.
    pub span: Span,
    /// What, in the wording of gcc where gcc has one.
    pub message: String,
    /// Related places.
    pub notes: Vec<(Span, String)>,
}

/// The diagnostics of one run.
#[derive(Debug, Default)]
pub struct Diagnostics {
    list: Vec<Diagnostic>,
    errors: usize,
    warnings: usize,
}

/// More errors, and more warnings, than this are counted but not kept.
const MAX_KEPT: usize = 200;

impl Diagnostics {
    /// Adds an error.
    pub fn error(&mut self, span: Span, message: impl Into<String>) {
        self.push(Severity::Error, span, message.into(), Vec::new());
    }

    /// Adds an error with a note about another place.
    pub fn error_with_note(
        &mut self,
        span: Span,
        message: impl Into<String>,
        note: (Span, impl Into<String>),
    ) {
        self.push(
            Severity::Error,
            span,
            message.into(),
            vec![(note.0, note.1.into())],
        );
    }

    /// Adds a warning.
    pub fn warning(&mut self, span: Span, message: impl Into<String>) {
        self.push(Severity::Warning, span, message.into(), Vec::new());
    }

    fn push(
        &mut self,
        severity: Severity,
        span: Span,
        message: String,
        notes: Vec<(Span, String)>,
    ) {
        let count = match severity {
            Severity::Error => &mut self.errors,
            Severity::Warning => &mut self.warnings,
        };
        *count += 1;
        if *count <= MAX_KEPT {
            self.list.push(Diagnostic {
                severity,
                span,
                message,
                notes,
            });
        }
    }

    /// Whether there is any error.
    pub fn has_errors(&self) -> bool {
        self.errors > 0
    }

    /// Number of errors, kept or not.
    pub fn error_count(&self) -> usize {
        self.errors
    }

    /// All kept diagnostics in the order found.
    pub fn iter(&self) -> impl Iterator<Item = &Diagnostic> {
        self.list.iter()
    }

    /// The text a user sees: place, message, source line, caret.
    pub fn render(&self, sources: &SourceMap) -> String {
        let mut out = String::new();
        for d in &self.list {
            let word = match d.severity {
                Severity::Error => "error",
                Severity::Warning => "warning",
            };
            render_one(&mut out, sources, d.span, word, &d.message);
            for (span, note) in &d.notes {
                render_one(&mut out, sources, *span, "note", note);
            }
        }
        out
    }
}

fn render_one(out: &mut String, sources: &SourceMap, span: Span, word: &str, message: &str) {
    let place = sources.place(span.lo);
    let _ = writeln!(out, "{place}: {word}: {message}");
    let line = sources.line_text(span.lo);
    if line.is_empty() {
        return;
    }
    // A very long line (macro expansion) is cut to a window around the caret.
    let column = place.column as usize - 1;
    let start = if column > 100 { column - 60 } else { 0 };
    let bytes = line.as_bytes();
    let end = bytes.len().min(start + 140);
    let window = String::from_utf8_lossy(&bytes[start.min(end)..end]);
    let shown: String = window
        .chars()
        .map(|c| if c == '\t' { ' ' } else { c })
        .collect();
    let width =
        (span.hi.saturating_sub(span.lo) as usize).clamp(1, end.saturating_sub(column).max(1));
    let _ = writeln!(out, "{:5} | {shown}", place.line);
    let _ = writeln!(
        out,
        "      | {}^{}",
        " ".repeat(column.saturating_sub(start)),
        "~".repeat(width.saturating_sub(1))
    );
}
