//! Suggestions ("did you mean"): the known names closest to a mistyped one.

use crate::error::Error;

/// Builds [`Error::Unknown`] for `name`, with a list of the most similar known names.
///
/// At most three names are listed, most similar first, each with a Jaro-Winkler similarity of at least 0.75.
/// If no known name is so similar, all known names are listed.
pub fn unknown_name_error<'a>(what: &str, name: &str, known: impl IntoIterator<Item = &'a str>) -> Error {
    Error::Unknown { what: what.to_owned(), name: name.to_owned(), hint: closest_names_text(name, known) }
}

pub(crate) fn closest_names_text<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> String {
    let known: Vec<&str> = known.into_iter().collect();
    let lower = name.to_lowercase();
    let mut near: Vec<(f64, &str)> = known
        .iter()
        .map(|&candidate| (strsim::jaro_winkler(&lower, &candidate.to_lowercase()), candidate))
        .filter(|&(similarity, _)| similarity >= 0.75)
        .collect();
    near.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(b.1)));
    if near.is_empty() {
        format!("known names: {}", quoted_list(&known))
    } else {
        let names: Vec<&str> = near.iter().take(3).map(|&(_, candidate)| candidate).collect();
        format!("did you mean {}?", quoted_list(&names).replace(", ", " or "))
    }
}

fn quoted_list(names: &[&str]) -> String {
    names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::unknown_name_error;

    #[test]
    fn a_typo_suggests_the_closest_name() {
        let error = unknown_name_error("method", "HDTT", ["cart", "c44", "hddt"]);
        assert_eq!(error.to_string(), "unknown method `HDTT`; did you mean `hddt`?");
    }

    #[test]
    fn a_dissimilar_name_gets_the_whole_list() {
        let error = unknown_name_error("method", "xgboost", ["cart", "hddt"]);
        assert_eq!(error.to_string(), "unknown method `xgboost`; known names: `cart`, `hddt`");
    }
}
