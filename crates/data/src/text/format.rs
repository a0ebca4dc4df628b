//! Format options of text files; options that are not set are detected from the files.

/// Format of text files.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TextFormat {
    /// Field separator; `None` detects it.
    pub separator: Option<u8>,
    /// Decimal sign; `None` detects it.
    pub decimal: Option<char>,
    /// Thousands separator.
    pub thousands: Option<char>,
    /// Name of the encoding; `None` means UTF-8, or UTF-16 if there is a byte order mark.
    pub encoding: Option<String>,
    /// Whether the first line has column names; otherwise columns are named `x0`, `x1`, ...
    pub has_header: bool,
    /// Texts that mark missing values in all columns.
    pub missing: Vec<String>,
}

impl Default for TextFormat {
    fn default() -> Self {
        let missing = ["", "NA", "N/A", "NaN", "nan", "null", "NULL", "?"].map(str::to_owned).to_vec();
        Self { separator: None, decimal: None, thousands: None, encoding: None, has_header: true, missing }
    }
}
