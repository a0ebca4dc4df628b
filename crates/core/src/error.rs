//! The error type of the workspace, with a variant for each cause that a caller can act on.

/// Result of every fallible call in the workspace.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// Failure of a call; the message states what to change.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum Error {
    /// A parameter lies outside its domain, or has the wrong type.
    #[error("{method}: parameter `{name}` must be {expected}, got {got}")]
    Parameter {
        /// Registered name of the method.
        method: String,
        /// Name of the parameter as the user writes it.
        name: String,
        /// Domain, completing the sentence "must be ...".
        expected: String,
        /// Value that was given.
        got: String,
    },
    /// A parameter refers to a name that the data do not contain.
    #[error("{method}: parameter `{name}` must {expected}, got {got}; {hint}")]
    Naming {
        /// Registered name of the method.
        method: String,
        /// Name of the parameter as the user writes it.
        name: String,
        /// Valid names, completing the sentence "must ...".
        expected: String,
        /// Value that was given.
        got: String,
        /// Hint with the closest valid names, or with all valid names if none is close.
        hint: String,
    },
    /// An unknown name (of a method, parameter, criterion, ...).
    #[error("unknown {what} `{name}`; {hint}")]
    Unknown {
        /// Kind of the name.
        what: String,
        /// The name as given.
        name: String,
        /// Hint: the valid names that are closest, or all valid names.
        hint: String,
    },
    /// A file that cannot be opened or read.
    /// The Python bindings choose the `OSError` subclass by `kind`.
    #[error("{path}: {message}")]
    Io {
        /// The file as the user named it.
        path: String,
        /// Kind of failure reported by the operating system.
        kind: std::io::ErrorKind,
        /// Message of the operating system.
        message: String,
    },
    /// The data cannot be used as they are.
    #[error("{0}")]
    Data(String),
    /// One column cannot be used as it is; in Python the message starts with the column's name.
    #[error("column {column}: {message}")]
    Column {
        /// Position of the column, from 0.
        column: usize,
        /// The problem and its remedy.
        message: String,
    },
    /// A valid request that this method does not support.
    #[error("{0}")]
    Unsupported(String),
    /// A model or network file that is damaged, of another program or of an unknown version.
    #[error("{0}")]
    Format(String),
    /// The solver process could not be started, died, or sent an invalid response.
    #[error("{0}")]
    Solver(String),
    /// An allocation failed for data whose size grows with the table.
    /// Becomes `MemoryError` in Python.
    #[error(
        "cannot allocate {bytes} bytes for {what}: too large for the memory of this process. Raise its limit, or use fewer \
         rows, columns, trees or threads"
    )]
    Memory {
        /// Size of the request.
        bytes: usize,
        /// Purpose of the memory.
        what: &'static str,
    },
    /// A request exceeds the memory available under a limit; becomes `MemoryError` in Python.
    #[error(
        "cannot allocate {bytes} bytes for {what}: {available} bytes are available under {limit}. Raise this limit, or use \
         fewer rows, columns, trees or threads"
    )]
    Limit {
        /// Size of the request.
        bytes: usize,
        /// Purpose of the memory.
        what: &'static str,
        /// Bytes that are available under the limit.
        available: usize,
        /// Name of the limit.
        limit: &'static str,
    },
    /// The estimated memory of a run exceeds the memory available under a limit.
    /// Becomes `MemoryError` in Python.
    #[error(
        "{method} needs at least {} MB of memory, most of it for {purpose}, but {} MB are available under {limit}. Raise this \
         limit, or {remedy}",
        .needed.div_ceil(1_000_000), .available / 1_000_000
    )]
    Estimate {
        /// Name of the method.
        method: String,
        /// Lower bound on the number of bytes that the run needs.
        needed: usize,
        /// Purpose for which the run needs most of its memory.
        purpose: String,
        /// Upper bound on the bytes that are available under the limit.
        available: usize,
        /// Name of the limit.
        limit: &'static str,
        /// Advice to use less memory, completing "Raise this limit, or ...".
        remedy: &'static str,
    },
    /// The run was cancelled; the caller that cancelled it must report the reason.
    #[error("the run was cancelled")]
    Cancelled,
    /// A state that should be impossible; always a defect of imbcore.
    #[error("internal error: {0}. This is a defect of imbcore; please report it")]
    Internal(String),
}

impl Error {
    /// Creates an error for a parameter outside its domain.
    pub fn parameter(method: &str, name: &str, expected: &str, got: impl std::fmt::Display) -> Self {
        Self::Parameter {
            method: method.to_owned(),
            name: name.to_owned(),
            expected: expected.to_owned(),
            got: got.to_string(),
        }
    }

    /// Creates an error for a model file with content that does not come from a model.
    pub fn damaged(what: impl std::fmt::Display) -> Self {
        Self::Format(format!("the model file is damaged: {what}"))
    }

    /// Creates an error for a file-system failure on `path`.
    pub fn io(path: &std::path::Path, error: &std::io::Error) -> Self {
        Self::Io { path: path.display().to_string(), kind: error.kind(), message: error.to_string() }
    }
}
