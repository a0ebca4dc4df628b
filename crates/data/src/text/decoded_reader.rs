//! Decoding of text from other encodings to UTF-8.

use encoding_rs::{DecoderResult, Encoding};
use std::io::{BufRead, Error, ErrorKind, Read, Result};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TextEncoding {
    Utf8,
    /// ISO 8859-1 as defined by ISO, not Windows-1252, which web browsers read under this name.
    Latin1,
    Other(&'static Encoding),
}

impl TextEncoding {
    /// Finds an encoding by a name of the web encoding standard or a common alias.
    pub(crate) fn for_label(label: &str) -> Option<Self> {
        let plain = label.trim().to_ascii_lowercase().replace(['_', ' '], "-");
        match plain.as_str() {
            "utf8" | "utf-8" | "utf-8-sig" | "u8" | "ascii" | "us-ascii" => Some(Self::Utf8),
            "latin1" | "latin-1" | "iso-8859-1" | "iso8859-1" | "l1" | "8859" => Some(Self::Latin1),
            "utf16" | "utf-16" | "utf-16-le" | "utf-16le" => Some(Self::Other(encoding_rs::UTF_16LE)),
            "utf-16-be" | "utf-16be" => Some(Self::Other(encoding_rs::UTF_16BE)),
            "cp936" | "gb2312" => Some(Self::Other(encoding_rs::GBK)),
            "cp949" => Some(Self::Other(encoding_rs::EUC_KR)),
            "cp932" | "shift-jis" | "sjis" => Some(Self::Other(encoding_rs::SHIFT_JIS)),
            "cp950" => Some(Self::Other(encoding_rs::BIG5)),
            "mac-roman" => Some(Self::Other(encoding_rs::MACINTOSH)),
            other => Encoding::for_label_no_replacement(other.as_bytes())
                .or_else(|| {
                    Encoding::for_label_no_replacement(other.replace("iso8859", "iso-8859").as_bytes())
                })
                .map(|found| if found == encoding_rs::UTF_8 { Self::Utf8 } else { Self::Other(found) }),
        }
    }

    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Utf8 => "UTF-8",
            Self::Latin1 => "ISO-8859-1",
            Self::Other(found) => found.name(),
        }
    }
}

/// Remedy for a field that is not UTF-8: Windows-1252 if this encoding gives readable text.
pub(crate) fn propose_encoding(field: &[u8]) -> String {
    let (text, _) = encoding_rs::WINDOWS_1252.decode_without_bom_handling(field);
    // The five bytes that Windows-1252 leaves undefined become control characters.
    if text.chars().any(char::is_control) {
        return "set the encoding of the file (encoding=, --encoding)".into();
    }
    let shown: String = text.chars().take(40).collect();
    format!(
        "set the encoding of the file, such as encoding=\"cp1252\" (--encoding cp1252), which reads `{shown}`"
    )
}

/// Error for bytes that are invalid in the encoding of a file.
#[derive(Debug)]
pub(crate) struct MalformedBytes {
    pub(crate) encoding: &'static str,
    pub(crate) line: u64,
}

impl std::fmt::Display for MalformedBytes {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "bytes that are not {} text", self.encoding)
    }
}

impl std::error::Error for MalformedBytes {}

pub(crate) struct DecodedReader<R> {
    inner: R,
    encoding: TextEncoding,
    decoder: encoding_rs::Decoder,
    buffer: Vec<u8>,
    next: usize,
    end: usize,
    line: u64,
    done: bool,
}

impl<R: BufRead> DecodedReader<R> {
    pub(crate) fn new(inner: R, encoding: TextEncoding) -> Self {
        let web = if let TextEncoding::Other(found) = encoding { found } else { encoding_rs::UTF_8 };
        Self {
            inner,
            encoding,
            decoder: web.new_decoder_without_bom_handling(),
            buffer: vec![0; 1 << 16],
            next: 0,
            end: 0,
            line: 1,
            done: false,
        }
    }

    fn fill_buffer(&mut self) -> Result<()> {
        while self.next == self.end && !self.done {
            let source = self.inner.fill_buf()?;
            let last = source.is_empty();
            let (used, written, malformed) = if self.encoding == TextEncoding::Latin1 {
                let (used, written) = decode_latin1(source, &mut self.buffer);
                (used, written, false)
            } else {
                let (result, used, written) =
                    self.decoder.decode_to_utf8_without_replacement(source, &mut self.buffer, last);
                (used, written, matches!(result, DecoderResult::Malformed(..)))
            };
            self.inner.consume(used);
            self.line += self.buffer[..written].iter().map(|&byte| u64::from(byte == b'\n')).sum::<u64>();
            if malformed {
                let found = MalformedBytes { encoding: self.encoding.name(), line: self.line };
                return Err(Error::new(ErrorKind::InvalidData, found));
            }
            (self.next, self.end, self.done) = (0, written, last && written == 0);
        }
        Ok(())
    }
}

/// Decodes Latin-1: a byte with value v is the character with code point v.
///
/// Returns the numbers of bytes read and written.
fn decode_latin1(source: &[u8], target: &mut [u8]) -> (usize, usize) {
    let (mut used, mut written) = (0, 0);
    for &byte in source {
        if written + 2 > target.len() {
            break;
        }
        written += char::from(byte).encode_utf8(&mut target[written..]).len();
        used += 1;
    }
    (used, written)
}

impl<R: BufRead> Read for DecodedReader<R> {
    fn read(&mut self, target: &mut [u8]) -> Result<usize> {
        self.fill_buffer()?;
        let n = target.len().min(self.end - self.next);
        target[..n].copy_from_slice(&self.buffer[self.next..self.next + n]);
        self.next += n;
        Ok(n)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decoded(bytes: &[u8], label: &str) -> Result<String> {
        let mut text = String::new();
        DecodedReader::new(bytes, TextEncoding::for_label(label).unwrap())
            .read_to_string(&mut text)
            .map(|_| text)
    }

    #[test]
    fn names_of_encodings_and_their_text() {
        assert_eq!(decoded(b"M\xfcller\x80", "latin-1").unwrap(), "M\u{fc}ller\u{80}");
        assert_eq!(decoded(b"5 \x80", "cp1252").unwrap(), "5 \u{20ac}");
        assert_eq!(decoded(b"a\0\n\0", "utf-16").unwrap(), "a\n");
        assert_eq!(decoded(b"\0a", "UTF_16_BE").unwrap(), "a");
        assert_eq!(decoded(b"\xd6\xd0", "GBK").unwrap(), "\u{4e2d}");
        assert_eq!(decoded(b"\xd6", "gbk").unwrap_err().kind(), ErrorKind::InvalidData);
        assert_eq!(TextEncoding::for_label("klingon"), None);
        assert_eq!(TextEncoding::for_label("iso8859-15").map(TextEncoding::name), Some("ISO-8859-15"));
    }
}
