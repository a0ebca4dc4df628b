//! From a path to plain UTF-8 text: gzip undone, byte order mark dropped, foreign formats named.

use imbcore_base::{Error, Result};
use std::cell::Cell;
use std::fs::File;
use std::io::{BufRead, BufReader, Cursor, ErrorKind, Read};
use std::path::Path;
use std::rc::Rc;

const BUFFER: usize = 1 << 16;
const UTF8_MARK: &[u8] = b"\xef\xbb\xbf";

/// First bytes of files people take for text, and what to do about each.
const FOREIGN: [(&[u8], &str); 7] = [
    (b"\xff\xfe", "is UTF-16 text; save it as UTF-8"),
    (b"\xfe\xff", "is UTF-16 text; save it as UTF-8"),
    (b"PK\x03\x04", "is a zip archive or a spreadsheet; unpack it or export it as CSV"),
    (b"PAR1", "is a Parquet file; give it a name that ends in .parquet"),
    (b"BZh", "is compressed with bzip2; unpack it or use gzip"),
    (b"\xfd7zXZ\x00", "is compressed with xz; unpack it or use gzip"),
    (b"\x28\xb5\x2f\xfd", "is compressed with zstd; unpack it or use gzip"),
];

/// The text of a file, to be read once.
pub(crate) struct Text {
    pub(crate) stream: Box<dyn BufRead>,
    /// Whether the bytes on disk are gzip.
    pub(crate) packed: bool,
    /// Size on disk in bytes; 0 where the system does not know (a pipe).
    pub(crate) size: u64,
    /// Bytes taken from the disk so far.
    pub(crate) taken: Rc<Cell<u64>>,
    /// Whether the file can be opened a second time (a pipe cannot).
    pub(crate) reopens: bool,
}

/// Opens `path`; what the first bytes are decides about gzip, so a wrong file name does no harm.
pub(crate) fn open(path: &Path) -> Result<Text> {
    let failed = |error: std::io::Error| Error::io(path, &error);
    let file = File::open(path).map_err(failed)?;
    let facts = file.metadata().map_err(failed)?;
    let taken = Rc::new(Cell::new(0));
    let counted = Counted { inner: file, taken: Rc::clone(&taken) };
    let mut raw = peek(BufReader::with_capacity(BUFFER, counted), 8).map_err(failed)?;
    let packed = raw.head().starts_with(b"\x1f\x8b");
    let mut plain: Box<dyn BufRead> = if packed {
        let unpacked = BufReader::with_capacity(BUFFER, flate2::bufread::MultiGzDecoder::new(raw));
        Box::new(peek(unpacked, 8).map_err(|error| stream_error(path, packed, &error))?)
    } else {
        raw.rewind();
        Box::new(raw)
    };
    let start = plain.fill_buf().map_err(|error| stream_error(path, packed, &error))?;
    if start.is_empty() {
        return Err(Error::Data(format!("{}: the file is empty", path.display())));
    }
    if let Some((_, advice)) = FOREIGN.iter().find(|(mark, _)| start.starts_with(mark)) {
        return Err(Error::Data(format!("{} {advice}", path.display())));
    }
    if start.starts_with(UTF8_MARK) {
        plain.consume(UTF8_MARK.len());
    }
    Ok(Text { stream: plain, packed, size: facts.len(), taken, reopens: facts.is_file() })
}

/// Tells a damaged gzip file from a disk that cannot be read.
pub(crate) fn stream_error(path: &Path, packed: bool, error: &std::io::Error) -> Error {
    let kinds = [ErrorKind::UnexpectedEof, ErrorKind::InvalidInput, ErrorKind::InvalidData];
    if packed && kinds.contains(&error.kind()) {
        let what = if error.kind() == ErrorKind::UnexpectedEof { "ends too early" } else { "is damaged" };
        let path = path.display();
        return Error::Data(format!("{path}: the gzip file {what} ({error}); fetch or pack it again"));
    }
    Error::io(path, error)
}

/// Number, from 1, of the line that holds the first byte after `offset` that is no line end.
///
/// Only for messages: the file is read again from the start, because a reader that kept count of all
/// kinds of line ends and blank lines would pay for it on every good line.
pub(crate) fn line_at(path: &Path, offset: u64) -> Result<u64> {
    let mut text = open(path)?;
    let (mut seen, mut line) = (0_u64, 1_u64);
    loop {
        let chunk = text.stream.fill_buf().map_err(|error| stream_error(path, text.packed, &error))?;
        if chunk.is_empty() {
            return Ok(line);
        }
        for &byte in chunk {
            if seen >= offset && byte != b'\n' && byte != b'\r' {
                return Ok(line);
            }
            line += u64::from(byte == b'\n');
            seen += 1;
        }
        let used = chunk.len();
        text.stream.consume(used);
    }
}

/// What may stand between fields, unless the caller says what does.
const MARKS: &[u8; 3] = b",;\t";

/// The delimiter the header line uses: of comma, semicolon and tab what it has most of, the first of equals.
pub(crate) fn delimiter(header: &[u8]) -> u8 {
    let mut quoted = false;
    let mut found = [0_usize; MARKS.len()];
    for &byte in header {
        quoted ^= byte == b'"';
        if let (false, Some(place)) = (quoted, MARKS.iter().position(|&mark| mark == byte)) {
            found[place] += 1;
        }
    }
    let most = found.iter().copied().max();
    let place = found.iter().position(|&n| Some(n) == most).unwrap_or(0);
    MARKS[place]
}

/// Takes the first line, line end included, off the text.
///
/// # Errors
/// [`Error::Data`] when no line ends within 64 MiB: no header is that long, and a device or a binary file
/// without line ends must not fill the memory before anyone can stop the run.
pub(crate) fn first_line(path: &Path, text: &mut Text) -> Result<Vec<u8>> {
    const MOST: u64 = 64 << 20;
    let mut line = Vec::new();
    let read = text.stream.by_ref().take(MOST).read_until(b'\n', &mut line);
    let n = read.map_err(|error| stream_error(path, text.packed, &error))?;
    if n as u64 == MOST && !line.ends_with(b"\n") {
        let path = path.display();
        return Err(Error::Data(format!(
            "{path}: the first line is longer than 64 MiB; this is no text table"
        )));
    }
    Ok(line)
}

/// Counts the bytes that pass.
struct Counted<R> {
    inner: R,
    taken: Rc<Cell<u64>>,
}

impl<R: Read> Read for Counted<R> {
    fn read(&mut self, buf: &mut [u8]) -> std::io::Result<usize> {
        let n = self.inner.read(buf)?;
        self.taken.set(self.taken.get() + n as u64);
        Ok(n)
    }
}

/// A stream with its first bytes set aside, however small the pieces in which they came.
type Peeked<R> = std::io::Chain<Cursor<Vec<u8>>, R>;

trait Head {
    fn head(&self) -> &[u8];
    fn rewind(&mut self);
}

impl<R: BufRead> Head for Peeked<R> {
    fn head(&self) -> &[u8] {
        self.get_ref().0.get_ref()
    }

    fn rewind(&mut self) {
        self.get_mut().0.set_position(0);
    }
}

fn peek<R: BufRead>(mut inner: R, n: u64) -> std::io::Result<Peeked<R>> {
    let mut head = Vec::new();
    inner.by_ref().take(n).read_to_end(&mut head)?;
    Ok(Cursor::new(head).chain(inner))
}

/// Passes text on and remembers whether a quoted field is open.
///
/// The csv crate ends an unclosed quote silently at the end of the file, swallowing all rows in between.
pub(crate) struct QuoteWatch<R> {
    inner: R,
    delimiter: u8,
    place: Rc<Cell<FilePlace>>,
}

/// Where in a field the text stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FilePlace {
    Start,
    Bare,
    Quoted,
    /// Just behind a quote inside a quoted field: its end, or the first half of a doubled quote.
    Closing,
}

impl<R> QuoteWatch<R> {
    pub(crate) fn new(inner: R, delimiter: u8) -> (Self, Rc<Cell<FilePlace>>) {
        let place = Rc::new(Cell::new(FilePlace::Start));
        (Self { inner, delimiter, place: Rc::clone(&place) }, place)
    }

    fn watch(&self, text: &[u8]) {
        let ends_field = |byte: u8| byte == self.delimiter || byte == b'\n' || byte == b'\r';
        let mut place = self.place.get();
        if place != FilePlace::Quoted && !text.contains(&b'"') {
            if let Some(&last) = text.last() {
                self.place.set(if ends_field(last) { FilePlace::Start } else { FilePlace::Bare });
            }
            return;
        }
        for &byte in text {
            place = match (place, byte) {
                (FilePlace::Quoted, b'"') => FilePlace::Closing,
                (FilePlace::Start | FilePlace::Closing, b'"') | (FilePlace::Quoted, _) => FilePlace::Quoted,
                (_, byte) if ends_field(byte) => FilePlace::Start,
                _ => FilePlace::Bare,
            };
        }
        self.place.set(place);
    }
}

impl<R: Read> Read for QuoteWatch<R> {
    fn read(&mut self, buf: &mut [u8]) -> std::io::Result<usize> {
        let n = self.inner.read(buf)?;
        self.watch(&buf[..n]);
        Ok(n)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_header_decides_the_delimiter() {
        assert_eq!(delimiter(b"a,b;c\n"), b',');
        assert_eq!(delimiter(b"a;b,c;d\n"), b';');
        assert_eq!(delimiter(b"height, cm\tweight; kg\tlabel\n"), b'\t');
        assert_eq!(delimiter(b"\"a,b\";c\n"), b';');
        assert_eq!(delimiter(b"a\tb\n"), b'\t');
        assert_eq!(delimiter(b"alone\n"), b',');
    }

    #[test]
    fn quotes_are_watched_across_pieces() {
        for (text, open) in [
            ("a,\"b\n", true),
            ("a,\"b\"\n", false),
            ("a,\"b\"\"\"\n", false),
            ("a,\"b\"\"\n", true),
            ("5\" pipe,x\n", false),
            ("a,\"\"", false),
        ] {
            for size in 1..=text.len() {
                let (watch, place) = QuoteWatch::new(std::io::empty(), b',');
                text.as_bytes().chunks(size).for_each(|piece| watch.watch(piece));
                assert_eq!(place.get() == FilePlace::Quoted, open, "{text:?} in pieces of {size}");
            }
        }
    }
}
