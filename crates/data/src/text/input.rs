//! Input of text files or standard input, decompressed and decoded to UTF-8.

use super::decoded_reader::{DecodedReader, MalformedBytes, TextEncoding};
use imbcore_core::memory::try_with_capacity;
use imbcore_core::{Error, Result};
use std::fs::File;
use std::io::{BufRead, BufReader, Cursor, ErrorKind, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

const BUFFER: usize = 1 << 16;
const UTF8_MARK: &[u8] = b"\xef\xbb\xbf";
const GZIP_MARK: &[u8] = b"\x1f\x8b";
/// Maximum length of the first line in bytes.
///
/// The limit prevents an endless input without line ends, such as a device, from filling the memory.
pub(crate) const LONGEST_LINE: usize = 64 << 20;

/// Initial bytes of formats that are not text, such as zip, each with the text of its error.
const FOREIGN: [(&[u8], &str); 5] = [
    (b"PK\x03\x04", "is a zip archive or a spreadsheet; unpack it or export it as CSV"),
    (b"PAR1", "is a Parquet file; give it a name that ends in .parquet"),
    (b"BZh", "is compressed with bzip2; unpack it or use gzip"),
    (b"\xfd7zXZ\x00", "is compressed with xz; unpack it or use gzip"),
    (b"\x28\xb5\x2f\xfd", "is compressed with zstd; unpack it or use gzip"),
];

/// Text that can be opened repeatedly.
#[derive(Clone, Debug)]
pub enum TextInput {
    /// A file.
    File(PathBuf),
    /// Bytes of an input such as standard input, and the name of the input for messages.
    Bytes(String, Arc<Vec<u8>>),
}

pub(crate) struct TextStream {
    pub(crate) stream: Box<dyn BufRead + Send>,
    /// Whether the bytes are gzip-compressed.
    pub(crate) packed: bool,
    /// Size of the input in bytes, as stored, that is, still compressed.
    pub(crate) size: u64,
    /// Number of stored (still compressed) bytes that were read so far.
    pub(crate) taken: Arc<AtomicU64>,
}

impl TextInput {
    /// Opens a file.
    ///
    /// A pipe is read into memory, because it can be read only once.
    ///
    /// # Errors
    /// [`Error::Io`]; [`Error::Data`] for a device without line ends; [`Error::Memory`].
    pub fn open(path: &Path) -> Result<Self> {
        let failed = |error: std::io::Error| Error::io(path, &error);
        let file = File::open(path).map_err(failed)?;
        let facts = file.metadata().map_err(failed)?;
        if facts.is_file() || facts.is_dir() {
            return Ok(Self::File(path.to_owned()));
        }
        let mut bytes = try_with_capacity::<u8>(BUFFER, "a stream")?;
        let mut reader = BufReader::with_capacity(BUFFER, file);
        let mut ended = false;
        loop {
            let piece = reader.fill_buf().map_err(failed)?;
            if piece.is_empty() {
                return Ok(Self::Bytes(path.display().to_string(), Arc::new(bytes)));
            }
            ended |= bytes.starts_with(GZIP_MARK) || piece.iter().any(|&byte| byte == b'\n' || byte == b'\r');
            bytes
                .try_reserve(piece.len())
                .map_err(|_| Error::Memory { bytes: bytes.len().saturating_mul(2), what: "a stream" })?;
            bytes.extend_from_slice(piece);
            let n = piece.len();
            reader.consume(n);
            if !ended && bytes.len() >= LONGEST_LINE {
                return Err(line_too_long_error(&path.display().to_string()));
            }
        }
    }

    pub(crate) fn name(&self) -> String {
        match self {
            Self::File(path) => path.display().to_string(),
            Self::Bytes(name, _) => name.clone(),
        }
    }

    /// The size is 0 if the file was deleted; the next read of the file then returns an error.
    pub(crate) fn size(&self) -> u64 {
        match self {
            Self::File(path) => std::fs::metadata(path).map_or(0, |facts| facts.len()),
            Self::Bytes(_, bytes) => bytes.len() as u64,
        }
    }

    /// Gzip and byte order marks are detected from the first bytes, not from the file name.
    pub(crate) fn open_text_stream(&self, encoding: Option<TextEncoding>) -> Result<TextStream> {
        let taken = Arc::new(AtomicU64::new(0));
        let (inner, size): (Box<dyn Read + Send>, u64) = match self {
            Self::File(path) => {
                let failed = |error: std::io::Error| Error::io(path, &error);
                let file = File::open(path).map_err(failed)?;
                let size = file.metadata().map_err(failed)?.len();
                (Box::new(file), size)
            }
            Self::Bytes(_, bytes) => {
                (Box::new(Cursor::new(SharedBytes(Arc::clone(bytes)))), bytes.len() as u64)
            }
        };
        let counted = CountingReader { inner, taken: Arc::clone(&taken) };
        let mut raw = peek_bytes(BufReader::with_capacity(BUFFER, counted), 8)
            .map_err(|error| self.read_error(false, &error))?;
        let packed = raw.get_ref().0.get_ref().starts_with(GZIP_MARK);
        let failed = |error: std::io::Error| self.read_error(packed, &error);
        let mut plain: Box<dyn BufRead + Send> = if packed {
            let unpacked = BufReader::with_capacity(BUFFER, GzipMembers::new(raw));
            Box::new(peek_bytes(unpacked, 8).map_err(failed)?)
        } else {
            raw.get_mut().0.set_position(0);
            Box::new(raw)
        };
        let start = plain.fill_buf().map_err(failed)?;
        if start.is_empty() {
            return Err(Error::Data(format!("{}: the file is empty", self.name())));
        }
        if let Some((_, advice)) = FOREIGN.iter().find(|(mark, _)| start.starts_with(mark)) {
            return Err(Error::Data(format!("{} {advice}", self.name())));
        }
        let sixteen = encoding.is_none_or(|given| given.name().starts_with("UTF-16"));
        let (mark, decoding) =
            if start.starts_with(UTF8_MARK) && encoding.is_none_or(|e| e == TextEncoding::Utf8) {
                (3, TextEncoding::Utf8)
            } else if sixteen && start.starts_with(b"\xff\xfe") {
                (2, TextEncoding::Other(encoding_rs::UTF_16LE))
            } else if sixteen && start.starts_with(b"\xfe\xff") {
                (2, TextEncoding::Other(encoding_rs::UTF_16BE))
            } else {
                (0, encoding.unwrap_or(TextEncoding::Utf8))
            };
        if decoding == TextEncoding::Utf8 && start[mark..].contains(&0) {
            let advice = "has zero bytes; if it is UTF-16 text, set its encoding (encoding=, --encoding)";
            return Err(Error::Data(format!("{} {advice}", self.name())));
        }
        plain.consume(mark);
        let stream: Box<dyn BufRead + Send> = if decoding == TextEncoding::Utf8 {
            plain
        } else {
            Box::new(BufReader::with_capacity(BUFFER, DecodedReader::new(plain, decoding)))
        };
        Ok(TextStream { stream, packed, size, taken })
    }

    /// Error for a truncated, damaged or undecodable stream, or a disk that cannot be read.
    pub(crate) fn read_error(&self, packed: bool, error: &std::io::Error) -> Error {
        let name = self.name();
        if let Some(found) = error.get_ref().and_then(|inner| inner.downcast_ref::<MalformedBytes>()) {
            let advice = "set the encoding of the file (encoding=, --encoding)";
            return Error::Data(format!("{name}, line {}: {found}; {advice}", found.line));
        }
        let kinds = [ErrorKind::UnexpectedEof, ErrorKind::InvalidInput, ErrorKind::InvalidData];
        if packed && kinds.contains(&error.kind()) {
            let early = error.kind() == ErrorKind::UnexpectedEof;
            let what = if early { "ends too early" } else { "is damaged" };
            return Error::Data(format!(
                "{name}: the gzip file {what} ({error}); download or compress it again"
            ));
        }
        match self {
            Self::File(path) => Error::io(path, error),
            Self::Bytes(..) => Error::Data(format!("{name}: {error}")),
        }
    }

    /// Line number, from 1, of the first byte at or after `offset` that is not a line end.
    ///
    /// This function is used only for messages. It reads the text again from its start, because counting
    /// lines during normal reading would slow down the reading of valid files.
    pub(crate) fn line_number_at(&self, encoding: Option<TextEncoding>, offset: u64) -> Result<u64> {
        let mut text = self.open_text_stream(encoding)?;
        let (mut seen, mut line, mut open) = (0_u64, 1_u64, false);
        loop {
            let chunk = text.stream.fill_buf().map_err(|error| self.read_error(text.packed, &error))?;
            if chunk.is_empty() {
                return Ok(line);
            }
            for &byte in chunk {
                // A carriage return without a line feed also ends a line.
                line += u64::from(open && byte != b'\n');
                open = byte == b'\r';
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
}

pub(crate) fn line_too_long_error(name: &str) -> Error {
    Error::Data(format!("{name}: the first line is longer than 64 MiB; this is not a text table"))
}

struct SharedBytes(Arc<Vec<u8>>);

impl AsRef<[u8]> for SharedBytes {
    fn as_ref(&self) -> &[u8] {
        &self.0
    }
}

struct CountingReader<R> {
    inner: R,
    taken: Arc<AtomicU64>,
}

impl<R: Read> Read for CountingReader<R> {
    fn read(&mut self, buf: &mut [u8]) -> std::io::Result<usize> {
        let n = self.inner.read(buf)?;
        self.taken.fetch_add(n as u64, Ordering::Relaxed);
        Ok(n)
    }
}

/// Reader that decompresses a gzip file, which may consist of several gzip streams (members).
///
/// Zero bytes after a member are skipped as padding.
struct GzipMembers<R> {
    member: Option<flate2::bufread::GzDecoder<R>>,
}

impl<R: BufRead> GzipMembers<R> {
    fn new(inner: R) -> Self {
        Self { member: Some(flate2::bufread::GzDecoder::new(inner)) }
    }
}

impl<R: BufRead> Read for GzipMembers<R> {
    fn read(&mut self, buf: &mut [u8]) -> std::io::Result<usize> {
        while let Some(member) = &mut self.member {
            let n = member.read(buf)?;
            if n > 0 || buf.is_empty() {
                return Ok(n);
            }
            let Some(finished) = self.member.take() else { break };
            let mut inner = finished.into_inner();
            loop {
                let rest = inner.fill_buf()?;
                let zeros = rest.iter().take_while(|&&byte| byte == 0).count();
                let (empty, done) = (rest.is_empty(), zeros < rest.len());
                inner.consume(zeros);
                if empty {
                    return Ok(0);
                }
                if done {
                    self.member = Some(flate2::bufread::GzDecoder::new(inner));
                    break;
                }
            }
        }
        Ok(0)
    }
}

/// A stream with its first bytes put back, after they were read to detect the format.
type PeekedStream<R> = std::io::Chain<Cursor<Vec<u8>>, R>;

fn peek_bytes<R: BufRead>(mut inner: R, n: u64) -> std::io::Result<PeekedStream<R>> {
    let mut head = Vec::new();
    inner.by_ref().take(n).read_to_end(&mut head)?;
    Ok(Cursor::new(head).chain(inner))
}
