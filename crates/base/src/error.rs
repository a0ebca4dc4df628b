//! One error type; a variant for each thing a caller can act on.

/// Result of every fallible call in the workspace.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// What went wrong, in words that say what to change.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum Error {
    /// A parameter lies outside its domain, or has the wrong type.
    #[error("{method}: parameter `{name}` must be {expected}, got {got}")]
    Parameter {
        /// Registered name of the method.
        method: String,
        /// Name of the parameter as the user writes it.
        name: String,
        /// The domain, in words.
        expected: String,
        /// What was given.
        got: String,
    },
    /// A parameter names something that the data do not have.
    #[error("{method}: parameter `{name}` must {expected}, got {got}; {hint}")]
    Naming {
        /// Registered name of the method.
        method: String,
        /// Name of the parameter as the user writes it.
        name: String,
        /// What it may name, in words.
        expected: String,
        /// What was given.
        got: String,
        /// The nearest names, or the whole list.
        hint: String,
    },
    /// A name (of a method, parameter, criterion, ...) that is not known.
    #[error("unknown {what} `{name}`; {hint}")]
    Unknown {
        /// What kind of thing was looked up.
        what: String,
        /// The name as given.
        name: String,
        /// The nearest names, or the whole list.
        hint: String,
    },
    /// A file that cannot be opened or read; the border picks the `OSError` subclass by `kind`.
    #[error("{path}: {message}")]
    Io {
        /// The file as the user named it.
        path: String,
        /// What kind of failure the system reported.
        kind: std::io::ErrorKind,
        /// The system's words.
        message: String,
    },
    /// The data cannot be used as they are.
    #[error("{0}")]
    Data(String),
    /// One column cannot be used as it is; the border puts the column's name in front.
    #[error("column {column}: {message}")]
    Column {
        /// Position of the column, from 0.
        column: usize,
        /// What is wrong with it and what to do.
        message: String,
    },
    /// A valid request that this method does not serve.
    #[error("{0}")]
    Unsupported(String),
    /// A model file that is damaged, foreign or from an unknown version.
    #[error("{0}")]
    Format(String),
    /// The solver process could not be started, died, or talked nonsense.
    #[error("{0}")]
    Solver(String),
    /// There is no memory for something that grows with the table; Python sees `MemoryError`.
    #[error(
        "cannot allocate {bytes} bytes for {what}: too large for the memory of this process. Raise its limit, or use fewer \
         rows, columns, trees or threads"
    )]
    Memory {
        /// What was asked for.
        bytes: usize,
        /// What it was to hold.
        what: &'static str,
    },
    /// A request beyond the memory that a limit leaves; Python sees `MemoryError`.
    #[error(
        "cannot allocate {bytes} bytes for {what}: {available} bytes are available under {limit}. Raise this limit, or use \
         fewer rows, columns, trees or threads"
    )]
    Limit {
        /// Size of the request.
        bytes: usize,
        /// Purpose of the memory.
        what: &'static str,
        /// Bytes that can still be used.
        available: usize,
        /// Name of the limit.
        limit: &'static str,
    },
    /// A run whose known needs exceed the memory that a limit leaves; Python sees `MemoryError`.
    #[error(
        "{method} needs at least {} MB of memory, most of it for {purpose}, but {} MB are available under {limit}. Raise this \
         limit, or {remedy}",
        .needed.div_ceil(1_000_000), .available / 1_000_000
    )]
    Estimate {
        /// Name of the method.
        method: String,
        /// Bytes that the run needs, at least.
        needed: usize,
        /// The largest part of them.
        purpose: String,
        /// Bytes that can still be used, at most.
        available: usize,
        /// Name of the limit.
        limit: &'static str,
        /// Other parameters that need less memory.
        remedy: &'static str,
    },
    /// The run was stopped from outside; the cause is raised by whoever stopped it.
    #[error("the run was cancelled")]
    Cancelled,
    /// A state that should be impossible; always a defect of imbcore.
    #[error("internal error: {0}. This is a defect of imbcore; please report it")]
    Internal(String),
}

impl Error {
    /// An out-of-domain parameter.
    pub fn parameter(method: &str, name: &str, expected: &str, got: impl std::fmt::Display) -> Self {
        Self::Parameter {
            method: method.to_owned(),
            name: name.to_owned(),
            expected: expected.to_owned(),
            got: got.to_string(),
        }
    }

    /// A model file that holds what no model can have written.
    pub fn damaged(what: impl std::fmt::Display) -> Self {
        Self::Format(format!("the model file is damaged: {what}"))
    }

    /// A failure of the file system on `path`.
    pub fn io(path: &std::path::Path, error: &std::io::Error) -> Self {
        Self::Io { path: path.display().to_string(), kind: error.kind(), message: error.to_string() }
    }
}
