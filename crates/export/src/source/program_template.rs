//! The parts of a generated program around its statements: names, helpers, public functions.

use super::statements::StatementWriter;
use super::target_language::TargetLanguage;
use crate::formula::Formula;
use imbcore_core::text_buffer::TextBuffer;
use imbcore_core::{Error, FeatureKind, Label, Result, Schema};

pub(super) struct ProgramNames {
    prefix: String,
    features: Vec<String>,
    classes: Vec<String>,
    /// Texts of the levels of all features, one feature after the other.
    ///
    /// `starts` has the index of the first level of each feature.
    levels: Vec<String>,
    starts: Vec<usize>,
}

impl ProgramNames {
    pub(super) fn new(schema: &Schema, prefix: &str, language: TargetLanguage) -> Result<Self> {
        let (mut levels, mut starts) = (Vec::new(), vec![0]);
        for feature in &schema.features {
            if let FeatureKind::Nominal { levels: own } = &feature.kind {
                let texts: Vec<String> = own.iter().map(Label::to_string).collect();
                let twice = texts.iter().enumerate().find(|(at, text)| texts[..*at].contains(text));
                if let Some((_, text)) = twice {
                    return Err(Error::Unsupported(format!(
                        "feature {:?} has a number and a text as levels that are both written {text:?}, which a program cannot distinguish; fit with text",
                        feature.name
                    )));
                }
                levels.extend(texts);
            }
            starts.push(levels.len());
        }
        let names = Self {
            prefix: prefix.to_owned(),
            features: schema.features.iter().map(|feature| feature.name.clone()).collect(),
            classes: schema.classes.iter().map(Label::to_string).collect(),
            levels,
            starts,
        };
        let texts = names.features.iter().chain(&names.classes).chain(&names.levels);
        match texts.into_iter().find(|text| language == TargetLanguage::C && text.contains('\0')) {
            Some(text) => Err(Error::Unsupported(format!(
                "{text:?} holds a zero character, which ends text in C; replace it before the fit"
            ))),
            None => Ok(names),
        }
    }
}

pub(super) fn write_program(
    formula: &Formula<'_>,
    names: &ProgramNames,
    language: TargetLanguage,
    writer: &StatementWriter<'_>,
    body: &str,
) -> Result<String> {
    let template = language.pick_by_language(include_str!("c/program.c"), include_str!("rust/program.txt"));
    let shares = writer.forest.has_fractional_splits();
    let is_used = |name: &str| match name {
        "sum_trees" => writer.helpers.contains("sum_trees") && !shares,
        "sum_weighted_trees" => writer.helpers.contains("sum_trees") && shares,
        "next_node" => writer.helpers.contains("sum_trees") && !writer.forest.has_lookup_tables(),
        "next_node_by_table" => writer.helpers.contains("sum_trees") && writer.forest.has_lookup_tables(),
        name => writer.helpers.contains(name),
    };
    let helpers = HELPERS.iter().filter(|(name, ..)| is_used(name));
    let helpers: String =
        helpers.flat_map(|(_, c, rust)| [language.pick_by_language(*c, *rust), "\n"]).collect();
    let texts = |texts: &[String]| texts.iter().map(|text| language.string_literal(text)).collect::<Vec<_>>();
    let list = |cells: &[String]| cells.join(", ");
    // C has no empty arrays.
    let level_texts =
        if names.levels.is_empty() { vec![language.string_literal("")] } else { texts(&names.levels) };
    let starts: Vec<String> = names.starts.iter().map(ToString::to_string).collect();
    let levels = if names.levels.is_empty() { 1 } else { names.levels.len() };
    let parts = [
        ("@METHOD@", formula.method.to_owned()),
        ("@UPPER@", names.prefix.to_uppercase()),
        ("@NAME@", names.prefix.clone()),
        ("@N_FEATURES@", names.features.len().to_string()),
        ("@N_CLASSES@", names.classes.len().to_string()),
        ("@N_LEVELS@", levels.to_string()),
        ("@N_STARTS@", starts.len().to_string()),
        ("@FEATURES@", list(&texts(&names.features))),
        ("@CLASSES@", list(&texts(&names.classes))),
        ("@LEVELS@", list(&level_texts)),
        ("@STARTS@", list(&starts)),
        ("@HELPERS@", helpers),
    ];
    // Placeholders are replaced in one pass. Otherwise a feature name that looks like a placeholder would be
    // replaced too.
    let mut text = TextBuffer::new();
    let mut rest = template;
    while let Some(start) = rest.find('@') {
        text.push_str(&rest[..start])?;
        rest = &rest[start..];
        if let Some(after) = rest.strip_prefix("@ARRAYS@") {
            writer.forest.write(language, &mut text)?;
            text.push_str(writer.arrays.as_str())?;
            rest = after;
        } else if let Some(after) = rest.strip_prefix("@BODY@") {
            text.push_str(body)?;
            rest = after;
        } else {
            let found = parts.iter().find(|(place, _)| rest.starts_with(place));
            let (length, filling) = found.map_or((1, "@"), |(place, filling)| (place.len(), filling));
            text.push_str(filling)?;
            rest = &rest[length..];
        }
    }
    text.push_str(rest)?;
    Ok(text.into_string())
}

/// Helper functions in C and Rust; each comes after the helper functions that it calls.
const HELPERS: &[(&str, &str, &str)] = &[
    ("next_node", include_str!("c/next_node.c"), include_str!("rust/next_node.txt")),
    (
        "next_node_by_table",
        include_str!("c/next_node_by_table.c"),
        include_str!("rust/next_node_by_table.txt"),
    ),
    ("sum_trees", include_str!("c/sum_trees.c"), include_str!("rust/sum_trees.txt")),
    (
        "sum_weighted_trees",
        include_str!("c/sum_weighted_trees.c"),
        include_str!("rust/sum_weighted_trees.txt"),
    ),
    ("copy_row", include_str!("c/copy_row.c"), include_str!("rust/copy_row.txt")),
    ("count_less", include_str!("c/count_less.c"), include_str!("rust/count_less.txt")),
    ("count_at_most", include_str!("c/count_at_most.c"), include_str!("rust/count_at_most.txt")),
    ("interpolate", include_str!("c/interpolate.c"), include_str!("rust/interpolate.txt")),
    ("largest", include_str!("c/largest.c"), include_str!("rust/largest.txt")),
    ("first_largest", include_str!("c/first_largest.c"), include_str!("rust/first_largest.txt")),
];
