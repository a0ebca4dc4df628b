//! Text that grows without ending the process if there is no memory.

use crate::error::{Error, Result};
use crate::memory::{append_strings, extend};
use std::fmt;
use std::io;

/// Text whose growth may fail.
///
/// Exports of large models have texts of hundreds of megabytes. `write!` and `writeln!` append to the buffer,
/// and return [`Error::Memory`] if memory is short.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TextBuffer(String);

impl TextBuffer {
    /// Creates an empty text.
    pub fn new() -> Self {
        Self::default()
    }

    /// Appends a text.
    ///
    /// # Errors
    /// [`Error::Memory`].
    pub fn push_str(&mut self, text: &str) -> Result<()> {
        append_strings(&mut self.0, &[text])
    }

    /// Appends formatted values; called by `write!`.
    ///
    /// # Errors
    /// [`Error::Memory`].
    pub fn write_fmt(&mut self, values: fmt::Arguments<'_>) -> Result<()> {
        let length = self.0.len();
        fmt::Write::write_fmt(&mut Appender(&mut self.0), values)
            .map_err(|fmt::Error| Error::Memory { bytes: 2 * length, what: "a text" })
    }

    /// Removes spaces at the end.
    pub fn trim_spaces(&mut self) {
        self.0.truncate(self.0.trim_end_matches(' ').len());
    }

    /// The text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The text as a string.
    pub fn into_string(self) -> String {
        self.0
    }
}

struct Appender<'t>(&'t mut String);

impl fmt::Write for Appender<'_> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        append_strings(self.0, &[text]).map_err(|_| fmt::Error)
    }
}

/// Byte buffer for serializers; a write returns an error if memory is short.
#[derive(Debug, Default)]
pub struct ByteBuffer {
    /// Bytes written so far.
    pub bytes: Vec<u8>,
}

impl io::Write for ByteBuffer {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        extend(&mut self.bytes, bytes, "a text").map_err(|_| io::ErrorKind::OutOfMemory)?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_appended() {
        let mut text = TextBuffer::new();
        text.push_str("a").unwrap();
        write!(text, "{} b  ", 1).unwrap();
        text.trim_spaces();
        writeln!(text, ";").unwrap();
        assert_eq!((text.as_str(), text.clone().into_string()), ("a1 b;\n", "a1 b;\n".to_owned()));
    }
}
