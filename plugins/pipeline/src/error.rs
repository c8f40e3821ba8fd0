//! What may be wrong with a pipeline. All of it is the user's input.

use std::fmt;
use std::sync::Arc;

/// A place in a pipeline's text; line and column count from 1.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    /// The file, the name of a shipped pipeline, or the command line.
    pub source: Arc<str>,
    /// Line, 0 for the command line.
    pub line: usize,
    /// Column.
    pub column: usize,
}

impl Place {
    /// On the command line.
    pub fn command_line() -> Place {
        Place {
            source: Arc::from("command line"),
            line: 0,
            column: 0,
        }
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.line == 0 {
            return f.write_str(&self.source);
        }
        write!(f, "{}:{}:{}", self.source, self.line, self.column)
    }
}

/// What is wrong with a pipeline.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PipelineError {
    /// There is no pipeline of the name.
    #[error("there is no pipeline `{name}`{}", did_you_mean(.hint))]
    NoSuchPipeline {
        /// The name.
        name: String,
        /// The nearest name.
        hint: Option<String>,
    },
    /// The text is no TOML.
    #[error("{place}: {message}")]
    Syntax {
        /// Where.
        place: Place,
        /// What the parser says.
        message: String,
    },
    /// A key that no reader knows.
    #[error("{place}: unknown key `{key}`{}", did_you_mean(.hint))]
    UnknownKey {
        /// Where.
        place: Place,
        /// The key.
        key: String,
        /// The nearest key.
        hint: Option<String>,
    },
    /// A key that has no effect here.
    #[error("{place}: `{key}` has no effect: {why}")]
    NoEffect {
        /// Where.
        place: Place,
        /// The key.
        key: String,
        /// Why.
        why: String,
    },
    /// A value that does not fit.
    #[error("{place}: `{key}` {message}")]
    Value {
        /// Where.
        place: Place,
        /// The key.
        key: String,
        /// What is wrong.
        message: String,
    },
    /// A key that must be there.
    #[error("{source_name}: `{key}` is missing: {why}")]
    Missing {
        /// The pipeline.
        source_name: String,
        /// The key.
        key: String,
        /// What it is for.
        why: String,
    },
    /// A key that the extended pipeline has too.
    #[error(
        "{place}: `{key}` is already set by the extended pipeline, at {first}: `override = [\"{key}\"]` says that it is changed"
    )]
    Redefined {
        /// Where.
        place: Place,
        /// The key.
        key: String,
        /// Where it was set first.
        first: Place,
    },
    /// A pipeline that extends itself.
    #[error("{place}: `{name}` extends itself")]
    Cycle {
        /// Where.
        place: Place,
        /// The pipeline.
        name: String,
    },
}

fn did_you_mean(hint: &Option<String>) -> String {
    hint.as_ref()
        .map(|h| format!(", did you mean `{h}`?"))
        .unwrap_or_default()
}
