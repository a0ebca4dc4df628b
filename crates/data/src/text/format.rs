//! Format of text files, as far as the caller knows it.

/// Format of text files.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TextFormat {
    /// The byte between fields; `None` finds it.
    pub separator: Option<u8>,
    /// The sign before decimals; `None` finds it.
    pub decimal: Option<char>,
    /// The mark between groups of thousands.
    pub thousands: Option<char>,
    /// The name of the encoding; `None` reads UTF-8, and UTF-16 with a byte order mark.
    pub encoding: Option<String>,
    /// Whether the first line holds names; without, columns are called `x0`, `x1`, ...
    pub has_header: bool,
    /// Fields that stand for a missing value in every column.
    pub missing: Vec<String>,
}

impl Default for TextFormat {
    fn default() -> Self {
        let missing = ["", "NA", "N/A", "NaN", "nan", "null", "NULL", "?"].map(str::to_owned).to_vec();
        Self { separator: None, decimal: None, thousands: None, encoding: None, has_header: true, missing }
    }
}
