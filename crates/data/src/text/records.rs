//! Records of one file: header, separator detection, and sequential reading.

use super::decoded_reader::{TextEncoding, propose_encoding};
use super::input::{LONGEST_LINE, TextInput, TextStream, line_too_long_error};
use imbcore_core::{Error, Result};
use std::collections::BTreeSet;
use std::io::{BufRead, Read};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// Number of bytes at the start of a file from which the separator is detected.
const PROBED: usize = 1 << 16;
const CANDIDATES: &[u8; 4] = b",;\t|";

#[derive(Clone, Debug)]
pub(crate) struct FileLayout {
    pub(crate) input: TextInput,
    pub(crate) encoding: Option<TextEncoding>,
    pub(crate) separator: u8,
    /// Length in bytes of a line such as `sep=;` before the header; 0 without such a line.
    pub(crate) skipped: u64,
    pub(crate) has_header: bool,
    pub(crate) names: Vec<String>,
    /// Names such as `Unnamed: 3`, generated for columns whose name in the header is empty.
    pub(crate) unnamed: Vec<String>,
}

impl FileLayout {
    /// Reads the header and detects the separator.
    pub(crate) fn open(
        input: &TextInput,
        encoding: Option<TextEncoding>,
        separator: Option<u8>,
        has_header: bool,
    ) -> Result<Self> {
        let mut text = input.open_text_stream(encoding)?;
        let (start, complete) = read_file_start(input, &mut text, separator)?;
        let (skipped, stated) = parse_separator_declaration(&start);
        let layout = |separator: u8| Self {
            input: input.clone(),
            encoding,
            separator,
            skipped,
            has_header,
            names: Vec::new(),
            unnamed: Vec::new(),
        };
        let body = &start[skipped as usize..];
        let found = match separator.or(stated) {
            Some(separator) => separator,
            None => detect_separator(body, complete, input)?,
        };
        let mut layout = layout(found);
        let mut first = csv::ByteRecord::new();
        let read = headerless_csv_reader(body, found).read_byte_record(&mut first);
        if !read.map_err(|error| Error::Internal(format!("{}: {error}", input.name())))? {
            return Err(Error::Data(format!("{}: the file has only blank lines", input.name())));
        }
        layout.set_column_names(&first)?;
        Ok(layout)
    }

    fn set_column_names(&mut self, first: &csv::ByteRecord) -> Result<()> {
        if !self.has_header {
            self.names = (0..first.len()).map(|column| format!("x{column}")).collect();
            return Ok(());
        }
        let mut seen = BTreeSet::new();
        for (column, field) in first.iter().enumerate() {
            let Ok(name) = std::str::from_utf8(field.trim_ascii()) else {
                let remedy = propose_encoding(field);
                return Err(self.error_at(0, &format!("the header is not UTF-8 text; {remedy}")));
            };
            let name = if name.is_empty() { format!("Unnamed: {column}") } else { name.to_owned() };
            if field.trim_ascii().is_empty() {
                self.unnamed.push(name.clone());
            }
            if !seen.insert(name.clone()) {
                return Err(self.error_at(0, &format!("two columns are called `{name}`; rename one")));
            }
            self.names.push(name);
        }
        Ok(())
    }

    /// Error for a problem of the record that starts at byte `offset`.
    pub(crate) fn error_at(&self, offset: u64, problem: &str) -> Error {
        match self.line_number_at(offset) {
            Ok(line) => Error::Data(format!("{}, line {line}: {problem}", self.input.name())),
            Err(error) => error,
        }
    }

    /// Line number, from 1, of the byte that is `offset` bytes after the start of the header.
    ///
    /// The line number counts all lines, including a line such as `sep=;` before the header.
    pub(crate) fn line_number_at(&self, offset: u64) -> Result<u64> {
        self.input.line_number_at(self.encoding, offset + self.skipped)
    }

    /// Opens the file and moves to the first record after the header.
    pub(crate) fn open_records(self: &Arc<Self>) -> Result<RecordReader> {
        let text = self.input.open_text_stream(self.encoding)?;
        let failed = |error: std::io::Error| self.input.read_error(text.packed, &error);
        let mut stream = text.stream;
        std::io::copy(&mut stream.by_ref().take(self.skipped), &mut std::io::sink()).map_err(failed)?;
        let reader = csv::ReaderBuilder::new()
            .has_headers(false)
            .delimiter(self.separator)
            .buffer_capacity(1 << 16)
            .from_reader(QuoteCheckingReader::new(stream, self.separator));
        let mut records = RecordReader {
            layout: Arc::clone(self),
            reader,
            record: csv::ByteRecord::new(),
            packed: text.packed,
            taken: text.taken,
            size: text.size,
        };
        if self.has_header {
            records.read_record()?;
        }
        Ok(records)
    }
}

pub(crate) struct RecordReader {
    pub(crate) layout: Arc<FileLayout>,
    reader: csv::Reader<QuoteCheckingReader<Box<dyn BufRead + Send>>>,
    pub(crate) record: csv::ByteRecord,
    packed: bool,
    taken: Arc<AtomicU64>,
    size: u64,
}

impl RecordReader {
    /// Reads the next record; returns false at the end of the file.
    pub(crate) fn read_record(&mut self) -> Result<bool> {
        let last = self.record_offset();
        match self.reader.read_byte_record(&mut self.record) {
            Ok(true) => match self.reader.get_ref().stray {
                Some(at) if at < self.reader.position().byte() => Err(self.layout.error_at(
                    at,
                    "text follows the closing quote of a value; double each quote inside a quoted value (\"\")",
                )),
                _ => Ok(true),
            },
            Ok(false) if self.reader.get_ref().place == FieldState::Quoted => {
                Err(self.layout.error_at(last, "a quote opened here is never closed; close it or double it"))
            }
            Ok(false) => Ok(false),
            Err(error) => Err(self.read_error(&error)),
        }
    }

    /// Byte offset of the current record.
    pub(crate) fn record_offset(&self) -> u64 {
        self.record.position().map_or(0, csv::Position::byte)
    }

    pub(crate) fn n_bytes_read_and_total(&self) -> (u64, u64) {
        (self.taken.load(Ordering::Relaxed).min(self.size), self.size)
    }

    fn read_error(&self, error: &csv::Error) -> Error {
        match error.kind() {
            csv::ErrorKind::Io(cause) => self.layout.input.read_error(self.packed, cause),
            csv::ErrorKind::UnequalLengths { pos, expected_len, len } => {
                let first = if self.layout.has_header { "the header" } else { "the first line" };
                let fields = if *len == 1 { "field" } else { "fields" };
                let problem = format!(
                    "{len} {fields}, but {first} has {expected_len}; check the separator, and that values \
                     containing it are quoted and every quote is closed"
                );
                self.layout.error_at(pos.as_ref().map_or(0, csv::Position::byte), &problem)
            }
            _ => Error::Internal(format!("{}: {error}", self.layout.input.name())),
        }
    }
}

fn headerless_csv_reader(text: &[u8], separator: u8) -> csv::Reader<&[u8]> {
    csv::ReaderBuilder::new().has_headers(false).flexible(true).delimiter(separator).from_reader(text)
}

/// Reads from the start of a file until the first record and [`PROBED`] bytes have been read.
///
/// Returns these bytes, and whether they are the whole file.
fn read_file_start(
    input: &TextInput,
    text: &mut TextStream,
    separator: Option<u8>,
) -> Result<(Vec<u8>, bool)> {
    let mut start = Vec::new();
    let (mut place, mut ended, mut watched, mut held) = (FieldState::Start, false, 0, false);
    loop {
        let piece = text.stream.fill_buf().map_err(|error| input.read_error(text.packed, &error))?;
        if piece.is_empty() {
            return Ok((start, true));
        }
        let n = piece.len();
        start.extend_from_slice(piece);
        text.stream.consume(n);
        while !ended && watched < start.len() {
            let byte = start[watched];
            let separates = separator.map_or(CANDIDATES.contains(&byte), |given| given == byte);
            // The first record ends at the first line end after a nonblank line.
            ended = held && place != FieldState::Quoted && (byte == b'\n' || byte == b'\r');
            held |= byte != b'\n' && byte != b'\r';
            place = place.next_state(byte, separates);
            watched += 1;
        }
        if ended && start.len() >= PROBED {
            return Ok((start, false));
        }
        if !ended && start.len() >= LONGEST_LINE {
            return Err(line_too_long_error(&input.name()));
        }
    }
}

/// Length in bytes of a line such as `sep=;` before the header, and the separator in it.
///
/// Spreadsheet programs write such lines.
fn parse_separator_declaration(start: &[u8]) -> (u64, Option<u8>) {
    let Some(&[separator, ref rest @ ..]) = start.strip_prefix(b"sep=") else { return (0, None) };
    let end = rest.iter().take_while(|&&byte| byte == b'\n' || byte == b'\r').count();
    if end == 0 || !separator.is_ascii() {
        return (0, None);
    }
    (5 + end as u64, Some(separator))
}

/// Detects the separator: the one that splits every record into the same number of fields.
///
/// This number must be at least 2. If no separator fits, or if the file has only a header, the result is the
/// separator that splits the header into the most fields.
///
/// # Errors
/// [`Error::Data`] if several separators fit all records, because the columns would then be ambiguous.
fn detect_separator(start: &[u8], complete: bool, input: &TextInput) -> Result<u8> {
    let widths = |separator: u8| -> Vec<usize> {
        let mut reader = headerless_csv_reader(start, separator);
        let mut found: Vec<usize> =
            reader.byte_records().map_while(Result::ok).map(|record| record.len()).collect();
        // The last record may be incomplete, because only the start of the file was read.
        if !complete && found.len() > 1 {
            found.pop();
        }
        found
    };
    let found: Vec<(u8, Vec<usize>)> =
        CANDIDATES.iter().map(|&candidate| (candidate, widths(candidate))).collect();
    let header = |widths: &Vec<usize>| widths.first().copied().unwrap_or(0);
    let fitting: Vec<&(u8, Vec<usize>)> = found
        .iter()
        .filter(|(_, widths)| header(widths) > 1 && widths.iter().all(|&width| width == header(widths)))
        .collect();
    match fitting[..] {
        [(separator, _)] => Ok(*separator),
        [] => {
            let most = found.iter().map(|(_, widths)| header(widths)).max();
            Ok(found.iter().find(|(_, widths)| Some(header(widths)) == most).map_or(b',', |(mark, _)| *mark))
        }
        _ if found.iter().all(|(_, widths)| widths.len() < 2) => {
            let most = fitting.iter().map(|(_, widths)| header(widths)).max();
            Ok(fitting
                .iter()
                .find(|(_, widths)| Some(header(widths)) == most)
                .map_or(b',', |(mark, _)| *mark))
        }
        _ => {
            let marks: Vec<String> =
                fitting.iter().map(|(mark, _)| format!("{:?}", char::from(*mark))).collect();
            Err(Error::Data(format!(
                "{}: the fields may be separated by {}; set the separator (separator=, --separator)",
                input.name(),
                marks.join(" or ")
            )))
        }
    }
}

/// Reader that passes text on and detects faulty quotes.
///
/// The csv crate accepts two faults without an error. If a quote is never closed, all later rows become part
/// of its field. If there is text after a closing quote, a quote within the field was not doubled, and the
/// field is read with a wrong value. This reader detects both.
pub(crate) struct QuoteCheckingReader<R> {
    inner: R,
    separator: u8,
    place: FieldState,
    passed: u64,
    /// Byte offset of the first text that follows a closing quote without a separator.
    stray: Option<u64>,
}

/// State of the quote parser before the next byte.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FieldState {
    Start,
    Bare,
    Quoted,
    /// Directly after a quote in a quoted field.
    ///
    /// The next byte shows whether this quote ends the field or is the first half of a doubled quote.
    Closing,
    /// In spaces or tabs after a closing quote.
    Closed,
}

impl FieldState {
    fn next_state(self, byte: u8, separates: bool) -> Self {
        match (self, byte) {
            (Self::Quoted, b'"') => Self::Closing,
            (Self::Start | Self::Closing, b'"') | (Self::Quoted, _) => Self::Quoted,
            (_, byte) if separates || byte == b'\n' || byte == b'\r' => Self::Start,
            (Self::Closing | Self::Closed, b' ' | b'\t') => Self::Closed,
            _ => Self::Bare,
        }
    }
}

impl<R> QuoteCheckingReader<R> {
    fn new(inner: R, separator: u8) -> Self {
        Self { inner, separator, place: FieldState::Start, passed: 0, stray: None }
    }

    fn track_quotes(&mut self, text: &[u8]) {
        let outside = matches!(self.place, FieldState::Start | FieldState::Bare);
        if outside && !text.contains(&b'"') {
            if let Some(&last) = text.last() {
                self.place = FieldState::Bare.next_state(last, last == self.separator);
            }
        } else {
            for (at, &byte) in (self.passed..).zip(text) {
                let next = self.place.next_state(byte, byte == self.separator);
                if next == FieldState::Bare && matches!(self.place, FieldState::Closing | FieldState::Closed)
                {
                    self.stray = self.stray.or(Some(at));
                }
                self.place = next;
            }
        }
        self.passed += text.len() as u64;
    }
}

impl<R: Read> Read for QuoteCheckingReader<R> {
    fn read(&mut self, buf: &mut [u8]) -> std::io::Result<usize> {
        let n = self.inner.read(buf)?;
        self.track_quotes(&buf[..n]);
        Ok(n)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> Result<u8> {
        detect_separator(text.as_bytes(), true, &TextInput::File("t.csv".into()))
    }

    #[test]
    fn the_separator_fits_header_and_records() {
        assert_eq!(found("a,b;c\n1,2\n"), Ok(b','));
        assert_eq!(found("a;b,c;d\n1;2;3\n"), Ok(b';'));
        assert_eq!(found("id;weight, kg;height, cm, x\n1;2,5;3,5\n"), Ok(b';'));
        assert_eq!(found("height, cm\tweight; kg\tlabel\n1\t1\t1\n"), Ok(b'\t'));
        assert_eq!(found("\"a,b\";c\n1;2\n"), Ok(b';'));
        assert_eq!(found("a|b\n1|2\n"), Ok(b'|'));
        assert_eq!(found("alone\n1\n"), Ok(b','));
        assert_eq!(found("a;b\n"), Ok(b';'));
        assert!(
            matches!(found("x, in; y, in\n1,5;2,5\n"), Err(Error::Data(text)) if text.contains("',' or ';'"))
        );
    }

    fn watched(text: &str, size: usize) -> FieldState {
        let mut watch = QuoteCheckingReader::new(text.as_bytes(), b',');
        let mut buf = vec![0; size];
        while watch.read(&mut buf).unwrap() > 0 {}
        watch.place
    }

    #[test]
    fn text_after_a_closing_quote_is_found_across_chunks() {
        for (text, stray) in [
            ("a,\"b\"c\n", Some(5)),
            ("a,\"b \\\"q\\\" c\"\n", Some(7)),
            ("a,\"b\" \"c\"\n", Some(6)),
            ("a,\"b\" ,c\n", None),
            ("a,\"b\"\"c\"\r\n", None),
            ("5\" pipe,\"\"\n", None),
        ] {
            for size in 1..=text.len() {
                let mut watch = QuoteCheckingReader::new(text.as_bytes(), b',');
                let mut buf = vec![0; size];
                while watch.read(&mut buf).unwrap() > 0 {}
                assert_eq!(watch.stray, stray, "{text:?} in chunks of {size}");
            }
        }
    }

    #[test]
    fn quotes_are_tracked_across_chunks() {
        for (text, open) in [
            ("a,\"b\n", true),
            ("a,\"b\"\n", false),
            ("a,\"b\"\"\"\n", false),
            ("a,\"b\"\"\n", true),
            ("5\" pipe,x\n", false),
            ("a,\"\"", false),
        ] {
            for size in 1..=text.len() {
                assert_eq!(watched(text, size) == FieldState::Quoted, open, "{text:?} in chunks of {size}");
            }
        }
    }
}
