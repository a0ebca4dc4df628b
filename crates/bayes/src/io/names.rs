//! Which names a format can hold.

use imbcore_base::{Error, Result};

/// Refuses a name that a format without quotes cannot hold.
pub(super) fn plain(name: &str, marks: &[char], remarks: &[(&str, &str)], format: &str) -> Result<()> {
    trimmed(name, format)?;
    if let Some(mark) = name.chars().find(|c| marks.contains(c)) {
        return refuse(name, format, &format!("holds `{mark}`"));
    }
    let begins = |word: &str| remarks.iter().any(|(begin, _)| word.starts_with(begin));
    if name.split_whitespace().any(begins) {
        return refuse(name, format, "looks like a remark");
    }
    Ok(())
}

/// Refuses a name that is empty, or begins or ends with a blank: readers drop those.
pub(super) fn trimmed(name: &str, format: &str) -> Result<()> {
    if name.is_empty() || name.trim() != name {
        return refuse(name, format, "is empty or begins or ends with a blank");
    }
    if name.chars().any(char::is_control) {
        return refuse(name, format, "holds a control character");
    }
    Ok(())
}

fn refuse(name: &str, format: &str, why: &str) -> Result<()> {
    Err(Error::Unsupported(format!(
        "the name {name:?} {why}, which a {format} file cannot hold; rename it or write JSON"
    )))
}
