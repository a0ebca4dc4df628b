//! Delimited text files, plain or gzip, into named columns.

use crate::columns::{Builder, ColumnText, Taken, Wish};
use crate::open::{FilePlace, QuoteWatch, delimiter, first_line, line_at, open, stream_error};
use imbcore_base::{Error, Result, RunCtl, nearest};
use std::collections::BTreeSet;
use std::io::{Cursor, Read};
use std::path::Path;

/// Records between two looks at the stop flag.
const PACE: u64 = 4096;

/// How a text file is to be understood.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReadOptions {
    /// The byte between fields; `None` looks at the first line: comma, else semicolon, else tab.
    pub delimiter: Option<u8>,
    /// Whether the first line holds names; without, columns are called `x0`, `x1`, ...
    pub has_header: bool,
    /// The words that stand for a missing value.
    pub missing: Vec<String>,
    /// Names of columns to read as text although they look like numbers (codes, postcodes).
    pub text: Vec<String>,
    /// Names of columns in which a word is an error.
    pub numeric: Vec<String>,
}

impl Default for ReadOptions {
    fn default() -> Self {
        let missing = ["", "NA", "N/A", "NaN", "nan", "null", "NULL", "?"].map(str::to_owned).to_vec();
        Self { delimiter: None, has_header: true, missing, text: Vec::new(), numeric: Vec::new() }
    }
}

/// A table of named columns of equal length.
#[derive(Clone, Debug, PartialEq)]
pub struct Table {
    /// Column names, all different.
    pub names: Vec<String>,
    /// One column a name.
    pub columns: Vec<ColumnText>,
}

impl Table {
    /// Number of rows.
    pub fn n_rows(&self) -> usize {
        self.columns.first().map_or(0, ColumnText::len)
    }
}

/// Reads a table from the text file `path`, which may be packed with gzip.
///
/// A column is numeric when every field that is not missing is a number (infinities included, so that a
/// later check can name them), and text otherwise. Blanks around a field do not belong to it; blank lines are
/// skipped. The file is streamed; it is read a second time only when a column starts with numbers and
/// then turns out to be text.
///
/// # Errors
/// [`Error::Io`] for a file that cannot be read; [`Error::Data`] with the line number for one that is not a
/// table; [`Error::Unknown`] for a name in `text` or `numeric` that the file does not have; [`Error::Cancelled`].
pub fn read_table(path: &Path, options: &ReadOptions, ctl: RunCtl<'_>) -> Result<Table> {
    let mut turned = BTreeSet::new();
    // Each pass adds at least one column to `turned`, in practice all there are.
    loop {
        let pass = Pass { path, options, ctl }.run(&turned)?;
        if pass.turned.is_empty() {
            let columns = pass.builders.into_iter().map(Builder::finish).collect::<Result<_>>()?;
            return Ok(Table { names: pass.names, columns });
        }
        if let (false, Some(&column)) = (pass.reopens, pass.turned.first()) {
            let name = &pass.names[column];
            let advice = "the file can be read only once; name the column in `text`";
            return Err(Error::Data(format!(
                "{}: column `{name}` starts with numbers and goes on with words; {advice}",
                path.display()
            )));
        }
        turned.extend(pass.turned);
    }
}

/// One way through the file.
struct Pass<'a> {
    path: &'a Path,
    options: &'a ReadOptions,
    ctl: RunCtl<'a>,
}

/// What one way through the file brought.
struct Outcome {
    names: Vec<String>,
    builders: Vec<Builder>,
    /// Columns that must be read again as text.
    turned: Vec<usize>,
    reopens: bool,
}

impl Pass<'_> {
    fn run(&self, known_text: &BTreeSet<usize>) -> Result<Outcome> {
        let mut text = open(self.path)?;
        let start = first_line(self.path, &mut text)?;
        let delimiter = self.options.delimiter.unwrap_or_else(|| delimiter(&start));
        let packed = text.packed;
        let (watch, place) = QuoteWatch::new(Cursor::new(start).chain(text.stream), delimiter);
        let mut records = csv::ReaderBuilder::new()
            .has_headers(false)
            .delimiter(delimiter)
            .buffer_capacity(1 << 16)
            .from_reader(watch);
        let mut record = csv::ByteRecord::new();
        let mut next = |record: &mut csv::ByteRecord| {
            records.read_byte_record(record).map_err(|error| self.csv_error(&error, packed))
        };

        let mut more = next(&mut record)?;
        if !more {
            return Err(Error::Data(format!("{}: the file holds blank lines only", self.path.display())));
        }
        let names = if self.options.has_header {
            let names = self.header(&record)?;
            more = next(&mut record)?;
            names
        } else {
            (0..record.len()).map(|column| format!("x{column}")).collect()
        };
        let wishes = self.wishes(&names, known_text)?;
        let mut builders: Vec<Builder> = wishes.into_iter().map(Builder::new).collect();
        let mut turned = Vec::new();
        let mut rows = 0_u64;
        let mut last = 0;
        while more {
            last = record.position().map_or(0, csv::Position::byte);
            for (column, field) in record.iter().enumerate() {
                let field = field.trim_ascii();
                let gap = self.options.missing.iter().any(|word| word.as_bytes() == field);
                match builders[column].push((!gap).then_some(field))? {
                    Taken::Fine => {}
                    Taken::Turned => turned.push(column),
                    refused => return Err(self.refused(&refused, &names[column], field, last)),
                }
            }
            rows += 1;
            if rows.is_multiple_of(PACE) {
                self.ctl.check()?;
                self.ctl.tick("bytes", text.taken.get(), text.size.max(text.taken.get()));
            }
            more = next(&mut record)?;
        }
        if place.get() == FilePlace::Quoted {
            let advice = "a quote opened here is never closed; close it or double it";
            return Err(self.at(last, advice));
        }
        Ok(Outcome { names, builders, turned, reopens: text.reopens })
    }

    /// Column names of the header record.
    fn header(&self, record: &csv::ByteRecord) -> Result<Vec<String>> {
        let mut names = Vec::with_capacity(record.len());
        let mut seen = BTreeSet::new();
        for (column, field) in record.iter().enumerate() {
            let Ok(name) = std::str::from_utf8(field.trim_ascii()) else {
                return Err(self.at(0, "the header is not UTF-8 text; save the file as UTF-8"));
            };
            if name.is_empty() {
                let advice = format!("column {} of the header has no name; give it one", column + 1);
                return Err(self.at(0, &advice));
            }
            if !seen.insert(name.to_owned()) {
                return Err(self.at(0, &format!("two columns are called `{name}`; rename one")));
            }
            names.push(name.to_owned());
        }
        Ok(names)
    }

    /// The kind each column has to have.
    fn wishes(&self, names: &[String], known_text: &BTreeSet<usize>) -> Result<Vec<Wish>> {
        let mut wishes = vec![Wish::Free; names.len()];
        for &column in known_text {
            wishes[column] = Wish::Text;
        }
        for (wanted, wish) in [(&self.options.text, Wish::Text), (&self.options.numeric, Wish::Numeric)] {
            for name in wanted {
                let Some(column) = names.iter().position(|known| known == name) else {
                    return Err(nearest("column", name, names.iter().map(String::as_str)));
                };
                wishes[column] = wish;
            }
        }
        Ok(wishes)
    }

    /// A problem of the record that starts at byte `offset`.
    fn at(&self, offset: u64, problem: &str) -> Error {
        // A pipe is spent: opening it again to count lines would wait for ever.
        if !self.path.is_file() {
            return Error::Data(format!("{}: {problem}", self.path.display()));
        }
        match line_at(self.path, offset) {
            Ok(line) => Error::Data(format!("{}, line {line}: {problem}", self.path.display())),
            Err(error) => error,
        }
    }

    fn refused(&self, taken: &Taken, name: &str, field: &[u8], offset: u64) -> Error {
        let shown: String = String::from_utf8_lossy(field).chars().take(40).collect();
        let problem = if *taken == Taken::NotText {
            format!("column `{name}` is not UTF-8 text (`{shown}`); save the file as UTF-8")
        } else {
            format!("column `{name}` must be numeric, got `{shown}`; correct it or list it as missing")
        };
        self.at(offset, &problem)
    }

    fn csv_error(&self, error: &csv::Error, packed: bool) -> Error {
        match error.kind() {
            csv::ErrorKind::Io(cause) => stream_error(self.path, packed, cause),
            csv::ErrorKind::UnequalLengths { pos, expected_len, len } => {
                let first = if self.options.has_header { "the header" } else { "the first line" };
                let fields = if *len == 1 { "field" } else { "fields" };
                let problem = format!(
                    "{len} {fields} where {first} has {expected_len}; \
                     check the delimiter, and that values holding it are quoted and every quote is closed"
                );
                self.at(pos.as_ref().map_or(0, csv::Position::byte), &problem)
            }
            _ => Error::Internal(format!("{}: {error}", self.path.display())),
        }
    }
}

#[cfg(test)]
mod tests;
