//! Scanner shared by the readers of BIF and Hugin files.

use super::printed_digits::PrintedPrecision;
use imbcore_core::{Error, Result};

/// A reading position in a text.
///
/// `remarks` are the marks at which comments start and end; a comment may also end with the text. A comment
/// is recognized only where a word could start, so a name may contain the marks of comments.
pub(super) struct Scanner<'a> {
    text: &'a str,
    at: usize,
    remarks: &'static [(&'static str, &'static str)],
}

const MARKS: &[char] = &['{', '}', '(', ')', '[', ']', ';', ',', '|', '=', '"'];

impl<'a> Scanner<'a> {
    pub(super) fn new(text: &'a str, remarks: &'static [(&'static str, &'static str)]) -> Self {
        Self { text: text.strip_prefix('\u{feff}').unwrap_or(text), at: 0, remarks }
    }

    pub(super) fn position(&self) -> usize {
        self.at
    }

    pub(super) fn seek(&mut self, at: usize) {
        self.at = at;
    }

    pub(super) fn remaining_text(&self) -> &'a str {
        &self.text[self.at..]
    }

    pub(super) fn error_at_line<T>(&self, what: impl std::fmt::Display) -> Result<T> {
        let line = 1 + self.text[..self.at].matches('\n').count();
        Err(Error::Format(format!("line {line}: {what}")))
    }

    pub(super) fn add_line_to_error<T>(&self, result: Result<T>) -> Result<T> {
        result.or_else(|error| self.error_at_line(error))
    }

    pub(super) fn unexpected_text_error<T>(&self, wanted: &str) -> Result<T> {
        let found: String =
            self.remaining_text().lines().next().unwrap_or("").trim().chars().take(40).collect();
        match found.is_empty() {
            true if self.remaining_text().trim().is_empty() => {
                self.error_at_line(format!("expected {wanted}, but the file ends"))
            }
            true => self.error_at_line(format!("expected {wanted}, but the line ends")),
            false => self.error_at_line(format!("expected {wanted}, found `{found}`")),
        }
    }

    pub(super) fn skip_blanks_and_comments(&mut self) {
        loop {
            let rest = self.remaining_text();
            self.at += rest.len() - rest.trim_start().len();
            let rest = self.remaining_text();
            let Some((begin, end)) = self.remarks.iter().find(|(begin, _)| rest.starts_with(begin)) else {
                return;
            };
            self.at += match rest[begin.len()..].find(end) {
                Some(at) => begin.len() + at + end.len(),
                None => rest.len(),
            };
        }
    }

    pub(super) fn is_at_end(&mut self) -> bool {
        self.skip_blanks_and_comments();
        self.remaining_text().is_empty()
    }

    pub(super) fn consume_if(&mut self, mark: char) -> bool {
        self.skip_blanks_and_comments();
        let found = self.remaining_text().starts_with(mark);
        if found {
            self.at += mark.len_utf8();
        }
        found
    }

    pub(super) fn consume_expected(&mut self, mark: char) -> Result<()> {
        if self.consume_if(mark) { Ok(()) } else { self.unexpected_text_error(&format!("`{mark}`")) }
    }

    /// Reads the next word; it is empty at a mark such as a bracket and at the end of the text.
    pub(super) fn next_word(&mut self) -> &'a str {
        self.skip_blanks_and_comments();
        let rest = self.remaining_text();
        let end = rest.find(|c: char| c.is_whitespace() || MARKS.contains(&c)).unwrap_or(rest.len());
        self.at += end;
        &rest[..end]
    }

    pub(super) fn read_until(&mut self, stop: char, wanted: &str) -> Result<&'a str> {
        self.skip_blanks_and_comments();
        let rest = self.remaining_text();
        let Some(end) = rest.find(stop) else {
            return self.unexpected_text_error(&format!("{wanted} and then `{stop}`"));
        };
        self.at += end + stop.len_utf8();
        Ok(rest[..end].trim_end())
    }

    pub(super) fn is_at_quote(&mut self) -> bool {
        self.skip_blanks_and_comments();
        self.remaining_text().starts_with('"')
    }

    /// Reads a quoted text, in which a backslash escapes a quote or a backslash.
    pub(super) fn read_quoted(&mut self) -> Result<String> {
        self.consume_expected('"')?;
        let mut text = String::new();
        let mut chars = self.remaining_text().char_indices().peekable();
        while let Some((at, c)) = chars.next() {
            match c {
                '"' => {
                    self.at += at + 1;
                    return Ok(text);
                }
                '\\' => match chars.next_if(|&(_, next)| matches!(next, '"' | '\\')) {
                    Some((_, escaped)) => text.push(escaped),
                    None => text.push(c),
                },
                _ => text.push(c),
            }
        }
        self.error_at_line("expected `\"`, but the file ends")
    }

    pub(super) fn skip_char(&mut self) {
        self.at += self.remaining_text().chars().next().map_or(0, char::len_utf8);
    }

    /// Skips the text up to and including the character `stop`, but ignores it in comments.
    pub(super) fn skip_until(&mut self, stop: char) -> Result<()> {
        loop {
            if self.consume_if(stop) {
                return Ok(());
            }
            let rest = self.remaining_text();
            if rest.is_empty() {
                return self.unexpected_text_error(&format!("`{stop}`"));
            }
            self.at += rest.find(|c: char| c == stop || c.is_whitespace()).unwrap_or(rest.len());
        }
    }

    pub(super) fn read_number_and_decimals(&mut self, digits: &mut PrintedPrecision) -> Result<f64> {
        self.skip_blanks_and_comments();
        let start = self.at;
        let number = self.read_number()?;
        digits.record_decimals(&self.text[start..self.at]);
        Ok(number)
    }

    pub(super) fn read_number(&mut self) -> Result<f64> {
        let start = self.at;
        let word = self.next_word();
        word.parse().or_else(|_| {
            self.at = start;
            self.skip_blanks_and_comments();
            self.unexpected_text_error("a number")
        })
    }
}
