//! Reader of text tables.
//!
//! The first pass over all files determines the type of every column, and later passes read the values.

mod column_kinds;
mod columns;
mod date;
mod decoded_reader;
mod format;
mod input;
mod missing;
mod records;
mod token_form;

pub use column_kinds::{ColumnRole, TextColumnKind};
pub use columns::TextColumnValues;
pub use format::TextFormat;
pub use input::TextInput;
pub use token_form::NumberNotation;

use column_kinds::{
    FieldExample, FieldFormCounts, column_kind, find_number_notation, unreadable_column_error,
};
use columns::ColumnBuilder;
use decoded_reader::{TextEncoding, propose_encoding};
use imbcore_core::{Error, Result, RunContext, unknown_name_error};
use missing::MissingMarks;
use records::{FileLayout, RecordReader};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use token_form::{TokenForm, detect_form};

/// Number of records that are read between two checks whether the user cancelled.
const PACE: u64 = 4096;

/// Text files with the same columns, whose headers have been read.
#[derive(Clone, Debug)]
pub struct TextTable {
    files: Vec<Arc<FileLayout>>,
    marks: MissingMarks,
    format: TextFormat,
}

impl TextTable {
    /// Opens files and reads their headers.
    ///
    /// # Errors
    /// [`Error::Io`] for a file that cannot be read; [`Error::Data`] for one that is not a table;
    /// [`Error::Parameter`] for an invalid format.
    pub fn open(inputs: &[TextInput], format: TextFormat) -> Result<Self> {
        let unknown = |name: &str| {
            let expected = "the name of an encoding such as utf-8, latin-1, cp1252, gbk or utf-16";
            Error::parameter("reading", "encoding", expected, format!("{name:?}"))
        };
        let encoding = match &format.encoding {
            None => None,
            Some(name) => Some(TextEncoding::for_label(name).ok_or_else(|| unknown(name))?),
        };
        if format.decimal.is_some() && format.decimal == format.thousands {
            let got = format!("{:?} for both", format.decimal.unwrap_or_default());
            return Err(Error::parameter(
                "reading",
                "thousands",
                "a character different from `decimal`",
                got,
            ));
        }
        let open = |input: &TextInput| {
            FileLayout::open(input, encoding, format.separator, format.has_header).map(Arc::new)
        };
        let files = inputs.iter().map(open).collect::<Result<Vec<_>>>()?;
        if files.is_empty() {
            return Err(Error::Data("the list of files is empty; name at least one".into()));
        }
        Ok(Self { files, marks: MissingMarks::new(&format.missing), format })
    }

    /// Column names of the first file.
    pub fn names(&self) -> &[String] {
        &self.files[0].names
    }

    /// Names such as `Unnamed: 3`, generated for columns without a name in the first file.
    pub fn generated_column_names(&self) -> &[String] {
        &self.files[0].unnamed
    }

    /// Counts the rows and finds the type of every column in one pass over all files.
    ///
    /// `roles` has the use of every column of the first file ([`Self::names`]). A column that the first file
    /// lacks is an error, unless some role is [`ColumnRole::Skip`].
    ///
    /// # Errors
    /// [`Error::Data`] with file and line for a file that is not a table, lacks a column, or has a field that
    /// its column does not allow; [`Error::Io`]; [`Error::Cancelled`].
    pub fn detect_column_kinds(
        self: &Arc<Self>,
        roles: &[ColumnRole],
        ctl: RunContext<'_>,
    ) -> Result<ScannedTextTable> {
        if roles.len() != self.names().len() {
            return Err(Error::Internal("a column without a role".into()));
        }
        let places =
            self.files.iter().map(|file| self.column_positions(file, roles)).collect::<Result<Vec<_>>>()?;
        let mut form_counts = vec![FieldFormCounts::default(); roles.len()];
        let mut rows = Vec::with_capacity(self.files.len());
        for (file, places) in places.iter().enumerate() {
            rows.push(self.count_field_forms(file, places, roles, &mut form_counts, ctl)?);
        }
        let refuse = |column: usize, refusal: &column_kinds::ColumnProblem| {
            unreadable_column_error(&self.names()[column], refusal, |example, problem| {
                self.files[example.file].error_at(example.offset, problem)
            })
        };
        let by_commas = self.files.iter().all(|file| file.separator == b',');
        let evidence =
            |role: ColumnRole| !matches!(role, ColumnRole::Skip | ColumnRole::Text | ColumnRole::Key);
        let judged: Vec<(usize, &FieldFormCounts)> =
            form_counts.iter().enumerate().filter(|&(column, _)| evidence(roles[column])).collect();
        let found = find_number_notation(&self.format, self.names(), &judged, by_commas)
            .map_err(|(column, refusal)| refuse(column, &refusal))?;
        let kinds = form_counts
            .iter()
            .enumerate()
            .map(|(column, tally)| {
                column_kind(tally, roles[column], &self.names()[column], found)
                    .map_err(|refusal| refuse(column, &refusal))
            })
            .collect::<Result<_>>()?;
        Ok(ScannedTextTable { table: Arc::clone(self), kinds, rows, notation: found, places })
    }

    /// Position in this file of each column of the table; `None` for columns that are not read.
    fn column_positions(&self, file: &FileLayout, roles: &[ColumnRole]) -> Result<Vec<Option<usize>>> {
        let here: BTreeMap<&str, usize> = file.names.iter().map(String::as_str).zip(0..).collect();
        let first = self.files[0].input.name();
        let all = !roles.contains(&ColumnRole::Skip);
        let known: BTreeSet<&String> = self.names().iter().collect();
        if let (true, Some(name)) = (all, file.names.iter().find(|name| !known.contains(name))) {
            return Err(Error::Data(format!(
                "{} has a column `{name}`, which {first} lacks; list the columns to read in `columns`",
                file.input.name()
            )));
        }
        let place = |(name, &role): (&String, &ColumnRole)| match here.get(name.as_str()) {
            _ if role == ColumnRole::Skip => Ok(None),
            Some(&place) => Ok(Some(place)),
            None => Err(Error::Data(format!(
                "{} has no column `{name}`, which {first} has; add the column to the file",
                file.input.name()
            ))),
        };
        self.names().iter().zip(roles).map(place).collect()
    }

    /// Adds the field forms of each column of one file to the counts; returns the number of rows.
    fn count_field_forms(
        &self,
        file: usize,
        places: &[Option<usize>],
        roles: &[ColumnRole],
        form_counts: &mut [FieldFormCounts],
        ctl: RunContext<'_>,
    ) -> Result<u64> {
        let mut records = self.files[file].open_records()?;
        let mut rows = 0_u64;
        while records.read_record()? {
            rows += 1;
            if rows.is_multiple_of(PACE) {
                ctl.check()?;
                let (taken, size) = records.n_bytes_read_and_total();
                ctl.report_progress(
                    "bytes",
                    self.bytes_before_file(file) + taken,
                    self.bytes_before_file(self.files.len()).max(size),
                );
            }
            let offset = records.record_offset();
            for (column, place) in places.iter().enumerate() {
                let Some(bytes) = place.and_then(|place| records.record.get(place)) else { continue };
                let Some(field) = self.field_text(bytes, &records, column)? else { continue };
                let form = if roles[column] == ColumnRole::Text {
                    TokenForm::Word
                } else {
                    detect_form(field, self.format.thousands)
                };
                if form.is_number() && self.marks.is_missing_number(field) {
                    continue;
                }
                form_counts[column].add_field(form, field, || FieldExample {
                    file,
                    offset,
                    field: field.to_owned(),
                });
            }
        }
        let size = self.bytes_before_file(file + 1);
        ctl.report_progress("bytes", size, self.bytes_before_file(self.files.len()));
        Ok(rows)
    }

    /// Text of a field without surrounding whitespace; `None` if it is missing.
    fn field_text<'a>(
        &self,
        bytes: &'a [u8],
        records: &RecordReader,
        column: usize,
    ) -> Result<Option<&'a str>> {
        let bytes = bytes.trim_ascii();
        if self.marks.matches(bytes) {
            return Ok(None);
        }
        let Ok(field) = std::str::from_utf8(bytes) else {
            let shown: String = String::from_utf8_lossy(bytes).chars().take(40).collect();
            let name = &self.names()[column];
            let remedy = propose_encoding(bytes);
            let problem = format!("column `{name}` is not UTF-8 text (`{shown}`); {remedy}");
            return Err(records.layout.error_at(records.record_offset(), &problem));
        };
        Ok(Some(field))
    }

    /// Total size in bytes of the files that are read before this file.
    fn bytes_before_file(&self, file: usize) -> u64 {
        self.files[..file].iter().map(|file| file.input.size()).sum()
    }
}

/// Text files with known column types, which can be read repeatedly.
#[derive(Clone, Debug)]
pub struct ScannedTextTable {
    table: Arc<TextTable>,
    kinds: Vec<TextColumnKind>,
    rows: Vec<u64>,
    notation: NumberNotation,
    places: Vec<Vec<Option<usize>>>,
}

impl ScannedTextTable {
    /// Types of the columns.
    pub fn column_kinds(&self) -> &[TextColumnKind] {
        &self.kinds
    }

    pub(crate) fn column_names(&self) -> &[String] {
        self.table.names()
    }

    /// Number of rows of every file.
    pub fn n_rows_per_file(&self) -> &[u64] {
        &self.rows
    }

    /// Opens one file to read some columns, given by index.
    ///
    /// # Errors
    /// [`Error::Unknown`] for a column that was skipped; [`Error::Io`]; [`Error::Data`].
    pub fn open_batches(&self, file: usize, columns: &[usize]) -> Result<TextBatchReader> {
        let places = columns.iter().map(|&column| match self.places[file].get(column) {
            Some(&Some(place)) => Ok((column, place)),
            _ => Err(unknown_name_error(
                "column",
                &format!("number {column}"),
                self.column_names().iter().map(String::as_str),
            )),
        });
        let places = places.collect::<Result<Vec<_>>>()?;
        let records = self.table.files[file].open_records()?;
        Ok(TextBatchReader { scan: self.clone(), records, file, places, done: 0 })
    }

    /// Reads all rows of some columns.
    ///
    /// # Errors
    /// Same errors as [`Self::open_batches`] and [`TextBatchReader::read_next_rows`]; [`Error::Cancelled`].
    pub fn read_all(&self, columns: &[usize], ctl: RunContext<'_>) -> Result<Vec<TextColumnValues>> {
        let mut builders: Vec<ColumnBuilder> =
            columns.iter().map(|&column| ColumnBuilder::new(self.kinds[column])).collect();
        let total = self.rows.iter().sum();
        let mut before = 0;
        for file in 0..self.rows.len() {
            let mut batches = self.open_batches(file, columns)?;
            while batches.fill_builders(&mut builders, PACE)? {
                ctl.check()?;
                ctl.report_progress("rows", before + batches.done, total);
            }
            before += batches.done;
        }
        Ok(builders.into_iter().map(ColumnBuilder::finish).collect())
    }

    /// Line number, from 1, on which a row (numbered from 0) of a file begins.
    ///
    /// # Errors
    /// [`Error::Io`]; [`Error::Data`].
    pub fn line_number_of_row(&self, file: usize, row: u64) -> Result<u64> {
        let layout = &self.table.files[file];
        let mut records = layout.open_records()?;
        for _ in 0..=row {
            records.read_record()?;
        }
        layout.line_number_at(records.record_offset())
    }
}

/// Reader of the rows of one file in batches.
pub struct TextBatchReader {
    scan: ScannedTextTable,
    records: RecordReader,
    file: usize,
    /// For each column to read, its index in the table and its position in this file.
    places: Vec<(usize, usize)>,
    done: u64,
}

impl TextBatchReader {
    /// Returns at most `most` of the next rows; `None` after the last row.
    ///
    /// # Errors
    /// [`Error::Data`] for a file that was changed since the scan; [`Error::Io`]; [`Error::Memory`].
    pub fn read_next_rows(&mut self, most: u64) -> Result<Option<Vec<TextColumnValues>>> {
        let kinds = &self.scan.kinds;
        let mut builders: Vec<ColumnBuilder> =
            self.places.iter().map(|&(column, _)| ColumnBuilder::new(kinds[column])).collect();
        let before = self.done;
        self.fill_builders(&mut builders, most)?;
        Ok((self.done > before).then(|| builders.into_iter().map(ColumnBuilder::finish).collect()))
    }

    /// Appends at most `most` of the next rows to the builders; returns false at the file's end.
    fn fill_builders(&mut self, builders: &mut [ColumnBuilder], most: u64) -> Result<bool> {
        let stop = self.done + most;
        while self.done < stop {
            if !self.records.read_record()? {
                if self.done != self.scan.rows[self.file] {
                    return Err(self.changed_file_error());
                }
                return Ok(false);
            }
            self.done += 1;
            for (builder, &(column, place)) in builders.iter_mut().zip(&self.places) {
                let bytes = self.records.record.get(place).unwrap_or_default();
                let field = self.scan.table.field_text(bytes, &self.records, column)?;
                let numeric = self.scan.kinds[column] != TextColumnKind::Text;
                let format = &self.scan.table.format;
                let missing = |field: &str| {
                    let form = detect_form(field, format.thousands);
                    form == TokenForm::MissingMark
                        || form.is_number() && self.scan.table.marks.is_missing_number(field)
                };
                let value = field.filter(|field| !self.scan.table.marks.is_missing_number(field));
                let pushed = builder.push(value, self.scan.notation)?;
                if !(pushed || numeric && field.is_some_and(missing)) {
                    return Err(self.changed_file_error());
                }
            }
        }
        Ok(true)
    }

    fn changed_file_error(&self) -> Error {
        let name = self.records.layout.input.name();
        Error::Data(format!(
            "{name} was changed while it was read; read it again when no other program writes to it"
        ))
    }
}

#[cfg(test)]
mod tests;
