//! Warnings about the data that the user should know before trusting a model.
//!
//! Data with fewer than [`FEW`] rows give no warnings about the values of columns, so that toy examples run
//! without warnings. Labels and levels with similar texts cause a warning for any number of rows. For speed,
//! the check of a column stops at the first row that shows that the column has no problem.

use crate::folds::Evaluation;
use crate::model::Model;
use crate::near_separation::{NearSeparationTest, class_of_nonmissing_rows};
use crate::similar_text::warn_about_similar_text;
use imbcore_bayes::search::Rectify;
use imbcore_bayes::{MANY_STATES, ROWS_PER_STATE};
use imbcore_core::{BinnedFrameColumn, Column, Dataset, FeatureKind, Label, MISSING, RunContext, Schema};
use imbcore_ensembles::OutOfBag;
use imbcore_metrics::CvSplits;
use imbcore_trees::MOST_LEVELS_APART;
use imbcore_trees::svr::MOST_LEVEL_AXES;
use serde_json::{Map, Value};
use std::collections::BTreeSet;

/// Minimum number of rows for warnings about columns; fewer rows are not enough evidence.
const FEW: usize = 20;
/// Minimum number of rows for a warning about a column that separates the classes.
///
/// The probability that a threshold of a random column separates 20 of 200 rows from all others is 1e-27.
/// Small data sets with a naturally separable class, such as iris with 150 rows, give no warning.
const MANY: usize = 200;
const MANY_OF_CLASS: usize = 20;
/// Minimum number of distinct dates for a warning that a text column holds dates.
const DATES: usize = 50;
/// Minimum number of distinct numbers for a warning that a text column holds numbers.
const NUMBERS: usize = 10;
/// Minimum mean rows per level for a warning that a nominal column separates the classes.
///
/// With fewer rows per level, most levels contain a single class by chance.
const ROWS_OF_LEVEL: usize = 5;

/// Warns of columns without information, and of columns that separate the classes too well.
///
/// If the data contain bins instead of numbers, only columns without values cause a warning.
pub(crate) fn warn_about_columns(data: &Dataset<'_>, schema: &Schema, ctl: RunContext<'_>) {
    warn_about_similar_text(schema, ctl);
    let mut counts = vec![0_usize; data.n_classes()];
    for row in rows_with_weight(data) {
        counts[data.class_codes()[row] as usize] += 1;
    }
    let n_rows: usize = counts.iter().sum();
    if n_rows < FEW {
        return;
    }
    let present = || counts.iter().copied().filter(|&count| count > 0);
    let telling = n_rows >= MANY && present().count() > 1 && present().all(|count| count >= MANY_OF_CLASS);
    let nothing = "has no value in any row, so it carries no information; leave it out";
    if let Some(coded) = data.binned_frame() {
        let empty = |&(_, column): &(usize, &BinnedFrameColumn<'_>)| column.n_bins() == 0;
        let empty = coded.columns().iter().enumerate().filter(empty);
        empty.for_each(|(at, _)| ctl.warn(format!("column '{}' {nothing}", schema.feature_name(at))));
        return;
    }
    let separation = (n_rows >= MANY).then(|| NearSeparationTest::new(data, &counts)).flatten();
    for (at, column) in data.frame().columns().iter().enumerate() {
        let about = if rows_with_weight(data).all(|row| column.is_missing(row)) {
            nothing
        } else if has_date_levels(schema, at) {
            "holds dates as text, each a level of its own; turn them into numbers, such as days since the first, or \
             leave it out if it is not known at the time of the row"
        } else if is_decimal_text(schema, at) {
            "holds numbers with decimals as text, each a level of its own; convert them to numbers, for example with \
             decimal=\",\" of pandas.read_csv"
        } else if has_unique_levels(column, data, n_rows) {
            "has a different level in every row, as keys have, and carries no information about other rows; leave it out"
        } else if telling && separates_classes(column, data, n_rows) {
            "alone separates the classes without error; if it is known only after the target, leave it out"
        } else if let Some(class) = class_of_nonmissing_rows(column, data, &counts) {
            ctl.warn(format!(
                "column '{}' is filled for rows of class {} only; if it is known only after the target, leave it out",
                schema.feature_name(at),
                schema.class_text(class)
            ));
            continue;
        } else if let Some(area) =
            separation.as_ref().and_then(|separation| separation.cross_validated_auc(column))
        {
            ctl.warn(format!(
                "column '{}' alone separates the classes nearly without error (cross-validated AUC of one split: {area:.3}); \
                 if it is known only after the target, leave it out",
                schema.feature_name(at)
            ));
            continue;
        } else {
            continue;
        };
        ctl.warn(format!("column '{}' {about}", schema.feature_name(at)));
    }
}

fn rows_with_weight<'a>(data: &'a Dataset<'_>) -> impl Iterator<Item = usize> + 'a {
    (0..data.n_rows()).filter(|&row| data.weight(row) > 0.0)
}

/// Warns if some rows have no out-of-bag prediction, because every bag contains these rows.
pub(crate) fn warn_about_out_of_bag(answers: Option<&OutOfBag>, n_classes: usize, ctl: RunContext<'_>) {
    let Some(answers) = answers else { return };
    let rows = answers.decision.chunks_exact(n_classes);
    let (n_rows, n_silent) = (rows.len(), rows.filter(|row| row[0].is_nan()).count());
    if n_silent > 0 {
        ctl.warn(format!(
            "{n_silent} of {n_rows} rows were drawn for every member and have no out-of-bag prediction (NaN), so oob_score_ \
             leaves them out; use more members (n_estimators)"
        ));
    }
}

pub(crate) fn warn_about_single_class(model: &Model, ctl: RunContext<'_>) {
    if let Some(class) = model.fitted_estimator().constant_class() {
        let label = model.schema().class_text(class);
        ctl.warn(format!("all training rows are of class {label}: the model always predicts it"));
    }
}

pub(crate) fn warn_about_calibration(model: &Model, data: &Dataset<'_>, ctl: RunContext<'_>) {
    let Some(facts) = model.calibration().map(|calibrated| &calibrated.facts) else { return };
    let takes = facts.method.rows_needed();
    let (units, counts) = match data.dependence().groups() {
        None => ("rows", facts.rows_by_class.clone()),
        Some(groups) => ("groups with rows", n_groups_by_class(groups, data)),
    };
    let rarest = (0..).zip(counts).filter(|&(_, count)| count > 0).min_by_key(|&(_, count)| count);
    if let Some((class, count)) = rarest.filter(|&(_, count)| count < takes) {
        let (method, label) = (facts.method.name(), model.schema().class_text(class));
        let advice = if count < 20 {
            "; only the ranking of the rows may be reliable"
        } else {
            "; \"sigmoid\" needs 20"
        };
        ctl.warn(format!(
            "calibrate=\"{method}\" was fitted to {count} {units} of class {label} and needs about {takes} to be reliable{advice}"
        ));
    }
}

fn n_groups_by_class(groups: &[u32], data: &Dataset<'_>) -> Vec<usize> {
    let mut found = vec![BTreeSet::new(); data.n_classes()];
    for row in rows_with_weight(data) {
        found[data.class_codes()[row] as usize].insert(groups[row]);
    }
    found.iter().map(BTreeSet::len).collect()
}

/// Warns of settings that exist only to replicate the printed results of a paper.
///
/// The parameters of a base method are checked too.
pub(crate) fn warn_about_replication_options(params: &Map<String, Value>, ctl: RunContext<'_>) {
    for (name, value) in params {
        let Value::Object(inside) = value else { continue };
        if name == "rectify" {
            let reading = inside.get("name").and_then(|name| serde_json::from_value(name.clone()).ok());
            if let Some(remark) = reading.and_then(Rectify::warning) {
                ctl.warn(remark);
            }
        }
        warn_about_replication_options(inside, ctl);
    }
}

/// Warns of early-stopping options without effect, because the number of rounds is given.
///
/// `params` are all parameters of the method, including those of its base method. `defaults` are the default
/// parameters of `boosted_trees`.
pub(crate) fn warn_about_unused_early_stopping(
    params: &Map<String, Value>,
    defaults: &Map<String, Value>,
    ctl: RunContext<'_>,
) {
    if params.get("n_rounds").is_some_and(Value::is_u64) {
        for name in ["early_stopping_rounds", "early_stopping_min_delta", "stopping_score"] {
            if params.get(name).is_some_and(|value| Some(value) != defaults.get(name)) {
                ctl.warn(format!(
                    "{name} has no effect with n_rounds={}, which fits this number of rounds; early stopping needs \
                     n_rounds=\"auto\", with the largest number as max_rounds",
                    params["n_rounds"]
                ));
            }
        }
    }
    for inside in params.values().filter_map(Value::as_object) {
        warn_about_unused_early_stopping(inside, defaults, ctl);
    }
}

/// Warns if `max_rounds` ended the choice of the number of rounds of boosted trees.
pub(crate) fn warn_about_max_rounds(model: &Model, params: &Map<String, Value>, ctl: RunContext<'_>) {
    let Some(boosted) = model.fitted_estimator().boosted() else { return };
    let most = params.get("max_rounds").and_then(Value::as_u64);
    if params.get("n_rounds").is_some_and(|rounds| rounds == "auto")
        && most == Some(boosted.n_rounds() as u64)
    {
        ctl.warn(format!(
            "n_rounds=\"auto\" chose max_rounds={}, the largest number allowed, so more rounds may be better; raise max_rounds \
             or learning_rate",
            boosted.n_rounds()
        ));
    }
}

/// Warns of nominal columns with more levels than the method can handle well.
///
/// `params` are all parameters of the method, including those of its base method.
pub(crate) fn warn_about_levels(
    params: &Map<String, Value>,
    (data, schema): (&Dataset<'_>, &Schema),
    ctl: RunContext<'_>,
) {
    if let Some(is_smoothed) = smooths_levels(params) {
        warn_about_sparse_levels(is_smoothed, (data, schema), ctl);
    }
    let Some((most, what_is_done)) = max_separate_levels(params, data.n_classes()) else { return };
    for (at, column) in data.frame().columns().iter().enumerate() {
        let &Column::Nominal { levels, .. } = column else { continue };
        if levels > most {
            let name = schema.feature_name(at);
            ctl.warn(format!(
                "column '{name}' has {levels} levels, more than the {most} that {what_is_done}"
            ));
        }
    }
}

/// Value of the parameter `smooth_levels` of a Bayesian classifier.
///
/// The classifier may be the method itself or its base method. `None` if neither of them has the parameter.
fn smooths_levels(params: &Map<String, Value>) -> Option<bool> {
    let own = params.get("smooth_levels").and_then(Value::as_bool);
    own.or_else(|| params.values().filter_map(Value::as_object).find_map(smooths_levels))
}

/// Warns of columns whose levels have too few rows of the rarest class on average.
///
/// In a Bayesian classifier, the probabilities of such levels are unreliable.
fn warn_about_sparse_levels(is_smoothed: bool, (data, schema): (&Dataset<'_>, &Schema), ctl: RunContext<'_>) {
    let mut counts = vec![0_usize; data.n_classes()];
    rows_with_weight(data).for_each(|row| counts[data.class_codes()[row] as usize] += 1);
    let rarest = counts.into_iter().filter(|&count| count > 0).min().unwrap_or(0);
    for (at, column) in data.frame().columns().iter().enumerate() {
        let &Column::Nominal { levels, .. } = column else { continue };
        if levels < MANY_STATES || rarest as f64 >= ROWS_PER_STATE * f64::from(levels) {
            continue;
        }
        let name = schema.feature_name(at);
        let effect = if is_smoothed {
            "its probabilities are smoothed and its arcs corrected (smooth_levels=True); join rare levels, or use \
             boosted_trees, or a forest with categorical_split=\"target\""
        } else {
            "its probabilities are unreliable; set smooth_levels=True or join rare levels"
        };
        ctl.warn(format!(
            "column '{name}' has {levels} levels, and the rarest class has {rarest} rows, fewer than {ROWS_PER_STATE} per \
             level: {effect}"
        ));
    }
}

/// Maximum number of levels that a method handles separately, and how it handles more.
///
/// Up to the maximum, each level has its own branch or its own axis of an SVR-Tree. The second part completes
/// the text of a warning. `None` if there is no maximum, for example for splits by sets of levels.
fn max_separate_levels(params: &Map<String, Value>, n_classes: usize) -> Option<(u32, String)> {
    if params.contains_key("penalized_classes") {
        let axis =
            "get an axis of an SVR-Tree each, so they lie on one axis, ordered by the classes of their rows";
        return Some((MOST_LEVEL_AXES, axis.to_owned()));
    }
    if let Some(rule) = params
        .get("categorical_split")
        .and_then(Value::as_str)
        .filter(|&rule| !matches!(rule, "auto" | "subset" | "target"))
    {
        let approximate =
            if n_classes > 2 { "; with more than two classes the sets are found by a heuristic" } else { "" };
        let sets = format!(
            "categorical_split=\"{rule}\" splits one by one, so it is split by sets of levels (categorical_split=\"subset\"){approximate}; \
             categorical_split=\"target\" replaces it by target statistics"
        );
        return Some((MOST_LEVELS_APART, sets));
    }
    params.values().filter_map(Value::as_object).find_map(|inside| max_separate_levels(inside, n_classes))
}

pub(crate) fn warn_about_small_classes(
    data: &Dataset<'_>,
    schema: &Schema,
    positive: u32,
    folds: u32,
    ctl: RunContext<'_>,
) {
    let mut counts = vec![0_u32; data.n_classes()];
    for (row, &class) in data.class_codes().iter().enumerate() {
        counts[class as usize] += u32::from(data.weight(row) > 0.0);
    }
    for (class, &count) in (0..).zip(&counts).filter(|&(_, &count)| 0 < count && count < folds) {
        let label = schema.class_text(class);
        let rows = match (data.n_classes() == 2 && class == positive, count) {
            (true, 1) => format!("1 positive ({label})"),
            (true, _) => format!("{count} positives ({label})"),
            (false, 1) => format!("1 row of class {label}"),
            (false, _) => format!("{count} rows of class {label}"),
        };
        ctl.warn(format!(
            "{rows}: at most {count} stratified folds; some of {folds} folds test none, and the scores of that class \
             are undefined (NaN) there"
        ));
    }
}

/// Warns if a class has no rows in some test folds of a split by groups or time.
pub(crate) fn warn_about_test_folds(
    data: &Dataset<'_>,
    schema: &Schema,
    deal: &CvSplits,
    ctl: RunContext<'_>,
) {
    let tests = deal.tested_folds();
    let mut held = vec![vec![false; data.n_classes()]; tests.len()];
    for (repeat, parts) in (0..).zip(held.chunks_mut(deal.n_folds() as usize)) {
        for row in rows_with_weight(data) {
            // Rows that are never tested have the fold number `CvSplits::NEVER`, for which `parts` has no
            // element.
            if let Some(part) = parts.get_mut(deal.test_fold_per_row(repeat)[row] as usize) {
                part[data.class_codes()[row] as usize] = true;
            }
        }
    }
    for class in rows_with_weight(data).map(|row| data.class_codes()[row]).collect::<BTreeSet<u32>>() {
        let lacking = held.iter().filter(|part| !part[class as usize]).count();
        if lacking > 0 {
            ctl.warn(format!(
                "{lacking} of {} test folds have no row of class {}; its scores are undefined (NaN) there, and \
                 fewer folds have more rows each",
                tests.len(),
                schema.class_text(class)
            ));
        }
    }
}

pub(crate) fn warn_about_perfect_predictions(found: &Evaluation, data: &Dataset<'_>, ctl: RunContext<'_>) {
    let mut counts = vec![0_usize; data.n_classes()];
    for &class in data.class_codes() {
        counts[class as usize] += 1;
    }
    let enough = data.n_rows() >= MANY && counts.iter().all(|&count| count == 0 || count >= MANY_OF_CLASS);
    let correct = |(row, &class): (usize, &u32)| {
        found.predicted[row] == class || found.proba[row * data.n_classes()].is_nan()
    };
    if enough && data.class_codes().iter().enumerate().all(correct) {
        ctl.warn(
            "every row was predicted correctly by a model that had not seen it; look for columns that are known only after \
             the target",
        );
    }
}

/// Whether a column has many levels, all of them dates as text, such as 2024-02-29T12:00.
fn has_date_levels(schema: &Schema, at: usize) -> bool {
    let Some(FeatureKind::Nominal { levels }) = schema.features.get(at).map(|feature| &feature.kind) else {
        return false;
    };
    levels.len() >= DATES && levels.iter().all(|level| matches!(level, Label::Text(text) if is_date(text)))
}

/// Whether a text is a date with the year first or last, such as 2024-02-29 or 29.2.2024.
fn is_date(text: &str) -> bool {
    let day = &text[..text.find([' ', 'T']).unwrap_or(text.len())];
    let Some(mark) = day.chars().find(|sign| !sign.is_ascii_digit()) else { return false };
    let parts: Vec<&str> = day.split(mark).collect();
    let [first, second, third] = parts[..] else { return false };
    let number = |part: &str, lengths: &[usize]| {
        lengths.contains(&part.len()) && part.bytes().all(|byte| byte.is_ascii_digit())
    };
    let short = |part: &str| number(part, &[1, 2]);
    // With points between the numbers, the year must have four digits: 1.2.10 may be a version number.
    let year_last = short(first) && number(third, if mark == '.' { &[4] } else { &[2, 4] });
    matches!(mark, '-' | '/' | '.') && short(second) && (year_last || number(first, &[4]) && short(third))
}

/// Whether a column has many levels that are all numbers, some with decimals.
fn is_decimal_text(schema: &Schema, at: usize) -> bool {
    let Some(FeatureKind::Nominal { levels }) = schema.features.get(at).map(|feature| &feature.kind) else {
        return false;
    };
    // Whether a number has decimals; None for a text that is not a number.
    let decimals = |level: &Label| {
        let Label::Text(text) = level else { return None };
        let text = text.trim().trim_start_matches(['-', '+']);
        let digits = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
        match text.split_once([',', '.']) {
            Some((whole, fraction)) => (digits(whole) && digits(fraction)).then_some(true),
            None => digits(text).then_some(false),
        }
    };
    let known: Option<Vec<bool>> = levels.iter().map(decimals).collect();
    levels.len() >= NUMBERS && known.is_some_and(|known| known.contains(&true))
}

/// Whether every row has a different level, as in a column of keys.
fn has_unique_levels(column: &Column<'_>, data: &Dataset<'_>, n_rows: usize) -> bool {
    let &Column::Nominal { codes, levels } = column else { return false };
    if (levels as usize) < n_rows {
        return false;
    }
    let mut seen = vec![false; levels as usize];
    rows_with_weight(data).all(|row| {
        let code = codes[row];
        code != MISSING && !std::mem::replace(&mut seen[code as usize], true)
    })
}

/// Whether a column separates the classes without error and has no missing values.
///
/// The classes are separated if their ranges of numbers, or their sets of levels, are disjoint. A
/// nominal column must also have at least [`ROWS_OF_LEVEL`] rows per level on average.
fn separates_classes(column: &Column<'_>, data: &Dataset<'_>, n_rows: usize) -> bool {
    let class = |row: usize| data.class_codes()[row] as usize;
    match column {
        Column::Numeric(values) => {
            let mut ranges: Vec<Option<(f64, f64)>> = vec![None; data.n_classes()];
            rows_with_weight(data).all(|row| {
                let (value, own) = (values.get(row), class(row));
                let (low, high) =
                    ranges[own].map_or((value, value), |(low, high)| (value.min(low), value.max(high)));
                ranges[own] = Some((low, high));
                let apart =
                    |other: &Option<(f64, f64)>| other.is_none_or(|(from, to)| high < from || to < low);
                !value.is_nan()
                    && ranges.iter().enumerate().all(|(other, range)| other == own || apart(range))
            })
        }
        Column::Nominal { codes, levels } => {
            let mut class_of = vec![None; *levels as usize];
            let mut n_levels = 0;
            let clear = rows_with_weight(data).all(|row| {
                codes[row] != MISSING && {
                    let first = &mut class_of[codes[row] as usize];
                    n_levels += usize::from(first.is_none());
                    *first.get_or_insert(class(row)) == class(row)
                }
            });
            clear && n_levels * ROWS_OF_LEVEL <= n_rows
        }
    }
}
