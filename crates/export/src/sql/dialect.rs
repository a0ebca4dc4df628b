//! SQL dialects of the supported databases.

use super::exact_number;
use imbcore_core::Label;
use imbcore_core::unknown_name_error;
use imbcore_core::{Error, Result};

/// Maximum length of an identifier in `PostgreSQL`, in bytes; further bytes are ignored.
const POSTGRES_BYTES: usize = 63;

/// Database for which SQL is generated.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Dialect {
    /// `SQLite` 3.35 or later.
    #[default]
    Sqlite,
    /// `DuckDB`.
    Duckdb,
    /// `PostgreSQL` 12 or later.
    Postgres,
    /// Google `BigQuery`.
    BigQuery,
    /// Apache Spark 3 or later.
    Spark,
}

impl Dialect {
    const NAMED: [(&str, Self); 5] = [
        ("sqlite", Self::Sqlite),
        ("duckdb", Self::Duckdb),
        ("postgres", Self::Postgres),
        ("bigquery", Self::BigQuery),
        ("spark", Self::Spark),
    ];

    /// Parses a name.
    ///
    /// # Errors
    /// [`Error::Unknown`].
    pub fn parse(name: &str) -> Result<Self> {
        let found = Self::NAMED.into_iter().find(|(known, _)| *known == name);
        let known = || unknown_name_error("dialect", name, Self::NAMED.map(|(known, _)| known));
        found.map(|(_, dialect)| dialect).ok_or_else(known)
    }

    pub(super) fn quote_identifier(self, name: &str) -> Result<String> {
        if name.is_empty() || name.contains('\0') {
            let message = format!("no database has a column or table {name:?}; rename it before the fit");
            return Err(Error::Unsupported(message));
        }
        Ok(match self {
            Self::Sqlite | Self::Duckdb | Self::Postgres => format!("\"{}\"", name.replace('"', "\"\"")),
            Self::Spark => format!("`{}`", name.replace('`', "``")),
            Self::BigQuery => {
                format!("`{}`", name.replace('\\', "\\\\").replace('`', "\\`").replace('\n', "\\n"))
            }
        })
    }

    /// Canonical form of a name; two names that denote the same column have the same form.
    pub(super) fn canonical_column_name(self, name: &str) -> String {
        let folded = |one: Option<char>, more: Option<char>, of: char| {
            if more.is_none() { one.unwrap_or(of) } else { of }
        };
        let fold = |of: char| {
            let mut upper = of.to_uppercase();
            let upper = folded(upper.next(), upper.next(), of);
            let mut lower = upper.to_lowercase();
            folded(lower.next(), lower.next(), upper)
        };
        match self {
            Self::Sqlite | Self::Duckdb => name.to_ascii_lowercase(),
            Self::Postgres => {
                let end = (0..=name.len().min(POSTGRES_BYTES)).rev().find(|&end| name.is_char_boundary(end));
                name[..end.unwrap_or_default()].to_owned()
            }
            Self::BigQuery | Self::Spark => name.chars().map(fold).collect(),
        }
    }

    pub(super) fn ambiguous_names_reason(self) -> &'static str {
        match self {
            Self::Postgres => "which uses only 63 bytes of a name",
            _ => "which ignores the case of letters",
        }
    }

    fn text_literal(self, text: &str) -> Result<String> {
        if text.contains('\0') {
            let message = format!(
                "{text:?} contains a zero character, which SQL cannot represent; replace it before the fit"
            );
            return Err(Error::Unsupported(message));
        }
        Ok(match self {
            Self::Sqlite | Self::Duckdb | Self::Postgres => format!("'{}'", text.replace('\'', "''")),
            Self::BigQuery | Self::Spark => {
                let escaped = [("\\", "\\\\"), ("'", "\\'"), ("\n", "\\n"), ("\r", "\\r")]
                    .iter()
                    .fold(text.to_owned(), |text, (from, to)| text.replace(from, to));
                format!("'{escaped}'")
            }
        })
    }

    /// Writes an expression whose value is exactly the given finite double.
    pub(super) fn number_literal(self, value: f64) -> String {
        // Adding 0 converts -0 to 0.
        let shortest = format!("{:?}", value + 0.0);
        match self {
            Self::Sqlite => exact_number::exact_literal(value),
            // Without an exponent, the database would read the literal as a DECIMAL instead of a double.
            Self::Duckdb | Self::BigQuery if !shortest.contains('e') => format!("{shortest}e0"),
            Self::Duckdb | Self::BigQuery => shortest,
            Self::Spark => format!("{shortest}D"),
            Self::Postgres => format!("float8 '{shortest}'"),
        }
    }

    pub(super) fn label_literal(self, label: &Label) -> Result<String> {
        match label {
            Label::Bool(true) => Ok("TRUE".to_owned()),
            Label::Bool(false) => Ok("FALSE".to_owned()),
            Label::Int(value) => Ok(value.to_string()),
            Label::Unsigned(value) if matches!(self, Self::Duckdb | Self::Postgres) => Ok(value.to_string()),
            Label::Unsigned(value) => Err(Error::Unsupported(format!(
                "the label {value} is outside the integer range of this database; use smaller labels or text"
            ))),
            Label::Float(value) => Ok(self.number_literal(*value)),
            Label::Text(text) => self.text_literal(text),
        }
    }

    pub(super) fn double_type_name(self) -> &'static str {
        match self {
            Self::Sqlite => "REAL",
            Self::Duckdb | Self::Spark => "DOUBLE",
            Self::Postgres => "DOUBLE PRECISION",
            Self::BigQuery => "FLOAT64",
        }
    }

    /// Converts a numeric column to doubles, with NULL instead of NaN.
    /// The model treats NaN as missing, but databases do not: some sort it above all numbers, and in others
    /// all comparisons with it are false.
    pub(super) fn cast_to_double(self, column: &str) -> String {
        let double = format!("CAST({column} AS {})", self.double_type_name());
        match self {
            // SQLite compares numbers of all types by value, and has no NaN.
            Self::Sqlite => column.to_owned(),
            Self::Duckdb | Self::Postgres | Self::Spark => {
                format!("NULLIF({double}, CAST('NaN' AS {}))", self.double_type_name())
            }
            Self::BigQuery => format!("IF(IS_NAN({double}), NULL, {double})"),
        }
    }

    /// Writes the exponential of an expression.
    /// The result is 0 on underflow, because `EXP` then raises an error in `PostgreSQL`.
    pub(super) fn exp_expression(self, of: &str) -> String {
        /// Argument below which the exponential underflows.
        const LEAST: f64 = -745.0;
        format!(
            "CASE WHEN {of} < {} THEN {} ELSE EXP({of}) END",
            self.number_literal(LEAST),
            self.number_literal(0.0)
        )
    }

    /// SQL test that `text` contains `part` or, if `whether` is false, that it does not.
    ///
    /// `part` must not be empty.
    pub(super) fn contains_text_condition(self, text: &str, part: &str, whether: bool) -> String {
        let sign = if whether { "> 0" } else { "= 0" };
        match self {
            Self::Sqlite | Self::Spark => format!("INSTR({text}, {part}) {sign}"),
            Self::Postgres | Self::BigQuery => format!("STRPOS({text}, {part}) {sign}"),
            Self::Duckdb => format!("{}CONTAINS({text}, {part})", if whether { "" } else { "NOT " }),
        }
    }

    /// Keywords after the name of a subquery.
    ///
    /// For `SQLite` and `PostgreSQL` they include `MATERIALIZED`, so that the subquery is computed only once.
    /// Otherwise these databases may compute its expressions again at each use. The other dialects use only
    /// `AS`.
    pub(super) fn materialized_keyword(self) -> &'static str {
        match self {
            Self::Sqlite | Self::Postgres => "AS MATERIALIZED",
            Self::Duckdb | Self::BigQuery | Self::Spark => "AS",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ALL: [Dialect; 5] =
        [Dialect::Sqlite, Dialect::Duckdb, Dialect::Postgres, Dialect::BigQuery, Dialect::Spark];

    #[test]
    fn names_text_and_numbers_follow_each_database() {
        let name = ALL.map(|dialect| dialect.quote_identifier("a \"b`\\").unwrap());
        assert_eq!(
            name,
            ["\"a \"\"b`\\\"", "\"a \"\"b`\\\"", "\"a \"\"b`\\\"", "`a \"b\\`\\\\`", "`a \"b``\\`"]
        );
        let text = ALL.map(|dialect| dialect.text_literal("it's\\\n").unwrap());
        assert_eq!(text, ["'it''s\\\n'", "'it''s\\\n'", "'it''s\\\n'", "'it\\'s\\\\\\n'", "'it\\'s\\\\\\n'"]);
        let number = ALL.map(|dialect| dialect.number_literal(-31.5));
        assert_eq!(number, ["-31.5", "-31.5e0", "float8 '-31.5'", "-31.5e0", "-31.5D"]);
        assert_eq!(Dialect::Duckdb.number_literal(1e-7), "1e-7");
        assert_eq!(Dialect::Spark.number_literal(-0.0), "0.0D");
    }

    #[test]
    fn columns_are_identified_as_each_database_does() {
        let same = |a: &str, b: &str| {
            ALL.map(|dialect| dialect.canonical_column_name(a) == dialect.canonical_column_name(b))
        };
        assert_eq!(same("Amount", "aMOUNT"), [true, true, false, true, true]);
        for (a, b) in [("ÄΣ", "äς"), ("\u{212A}", "k"), ("ⅷ", "Ⅷ")] {
            assert_eq!(same(a, b), [false, false, false, true, true]);
        }
        let long = "ä".repeat(31);
        assert_eq!(same(&format!("{long}ä1"), &format!("{long}ä2")), [false, false, true, false, false]);
        assert_eq!(same(&format!("{long}1"), &format!("{long}2")), [false; 5]);
        for (a, b) in [("a", "a "), ("é", "e\u{301}"), ("a", "à"), ("ß", "ss")] {
            assert_eq!(same(a, b), [false; 5]);
        }
    }

    #[test]
    fn unsupported_names_and_labels_are_refused() {
        for dialect in ALL {
            assert!(
                dialect.quote_identifier("").is_err()
                    && dialect.quote_identifier("a\0").is_err()
                    && dialect.text_literal("\0").is_err()
            );
        }
        assert!(Dialect::Sqlite.label_literal(&Label::Unsigned(u64::MAX)).is_err());
        assert_eq!(
            Dialect::Postgres.label_literal(&Label::Unsigned(u64::MAX)).unwrap(),
            u64::MAX.to_string()
        );
        assert!(Dialect::parse("postgresql").unwrap_err().to_string().contains("`postgres`"));
    }
}
