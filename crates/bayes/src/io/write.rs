//! Helpers shared by the writers: checks of names, and rows of numbers.

use crate::cpt::Cpt;
use imbcore_core::{Error, Result};
use std::fmt::Write;

pub(super) fn check_unquoted_name(
    name: &str,
    marks: &[char],
    remarks: &[(&str, &str)],
    format: &str,
) -> Result<()> {
    check_trimmed_name(name, format)?;
    if let Some(mark) = name.chars().find(|c| marks.contains(c)) {
        return name_error(name, format, &format!("contains `{mark}`"));
    }
    let begins = |word: &str| remarks.iter().any(|(begin, _)| word.starts_with(begin));
    if name.split_whitespace().any(begins) {
        return name_error(name, format, "looks like a comment");
    }
    if name.split_whitespace().any(|word| word.trim_start_matches('(').starts_with('"')) {
        return name_error(name, format, "has a quotation mark at the start of a word");
    }
    Ok(())
}

/// Returns an error for an empty name, blanks at its ends, or control characters.
///
/// Readers of the format would drop blanks at the ends.
pub(super) fn check_trimmed_name(name: &str, format: &str) -> Result<()> {
    if name.is_empty() || name.trim() != name {
        return name_error(name, format, "is empty or starts or ends with a blank");
    }
    if name.chars().any(|c| c.is_control() || matches!(c, '\u{fffe}' | '\u{ffff}')) {
        return name_error(name, format, "contains a control character");
    }
    Ok(())
}

fn name_error(name: &str, format: &str, why: &str) -> Result<()> {
    Err(Error::Unsupported(format!(
        "the name {name:?} {why}, which a {format} file cannot represent; rename it or write JSON"
    )))
}

pub(super) fn all_rows_or_error<'a>(
    cpt: &'a Cpt,
    name: &str,
    format: &str,
) -> Result<impl Iterator<Item = &'a [f64]>> {
    let rows = cpt.n_rows();
    cpt.all_rows().ok_or_else(|| {
        Error::Unsupported(format!(
            "the table of `{name}` has {rows} rows, too many for a {format} file; write JSON or BIF"
        ))
    })
}

pub(super) fn format_numbers(text: &mut String, row: &[f64], between: &str) {
    for (at, p) in row.iter().enumerate() {
        let _ = write!(text, "{}{p:?}", if at == 0 { "" } else { between });
    }
}

pub(super) fn escape_characters(name: &str, table: &[(char, &str)]) -> String {
    let mut text = String::with_capacity(name.len());
    for c in name.chars() {
        match table.iter().find(|&&(from, _)| from == c) {
            Some((_, to)) => text.push_str(to),
            None => text.push(c),
        }
    }
    text
}
