//! Warnings of labels and levels that differ only in case or in spaces around them.

use imbcore_core::{FeatureKind, Label, RunContext, Schema};
use std::collections::BTreeMap;

/// Warns of classes and of levels whose texts differ only in case or in outer spaces.
///
/// Each warning names the first such pair of texts.
pub(crate) fn warn_about_similar_text(schema: &Schema, ctl: RunContext<'_>) {
    const SAME: &str = "; if they mean the same, make their texts equal";
    if let Some((first, second)) = similar_texts(&schema.classes) {
        ctl.warn(format!(
            "the labels {first:?} and {second:?} differ only in case or spaces, and are two classes{SAME}"
        ));
    }
    for (at, feature) in schema.features.iter().enumerate() {
        let FeatureKind::Nominal { levels } = &feature.kind else { continue };
        if let Some((first, second)) = similar_texts(levels) {
            ctl.warn(format!(
                "column '{}' has the levels {first:?} and {second:?}, which differ only in case or spaces{SAME}",
                schema.feature_name(at)
            ));
        }
    }
}

fn similar_texts(labels: &[Label]) -> Option<(&str, &str)> {
    let mut seen: BTreeMap<String, &str> = BTreeMap::new();
    labels.iter().find_map(|label| {
        let Label::Text(text) = label else { return None };
        seen.insert(text.trim().to_lowercase(), text).map(|before| (before, text.as_str()))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn similar<'t>(texts: &'t [&'t str]) -> Option<(String, String)> {
        let labels: Vec<Label> = texts.iter().map(|&text| Label::Text(text.to_owned())).collect();
        similar_texts(&labels).map(|(first, second)| (first.to_owned(), second.to_owned()))
    }

    #[test]
    fn texts_that_differ_in_case_or_outer_spaces_are_similar() {
        assert_eq!(similar(&["no", "Yes ", "yes"]), Some(("Yes ".to_owned(), "yes".to_owned())));
        assert_eq!(
            similar(&["STRASSE", "Straße", "strasse"]),
            Some(("STRASSE".to_owned(), "strasse".to_owned()))
        );
        assert_eq!(similar(&["a b", "ab", "a_b", "c"]), None);
    }

    #[test]
    fn numbers_are_never_similar() {
        assert_eq!(similar_texts(&[Label::Int(1), Label::Float(1.0), Label::Text("1".to_owned())]), None);
    }
}
