//! Limit on the passes over the rows that a fit needs because of its classes.
//!
//! Some methods fit one tree or model per class in every round or for every member. Their time is
//! proportional to the product of rows and classes, so a fit with thousands of classes would take hours.

use crate::memory_estimate::{FEWEST_TREES, TableSize, integer_param};
use imbcore_core::{Error, Result};
use serde_json::{Map, Value};

/// Maximum number of times that a fit may read all rows because of the number of classes.
///
/// The limit does not apply if the fit would need as many passes for two classes.
const MOST_PASSES: usize = 100_000;

/// Assumed depth of an SVR-Tree; each level of the tree reads all rows once per class.
const SVR_LEVELS: usize = 10;

/// Assumed number of steps of logistic regression; each step reads all rows once per class.
const LOGISTIC_STEPS: usize = 20;

/// If classes have this many rows on average, early stopping may use only one inner fold.
const ENOUGH_HELD_OUT: usize = 500;

/// Maximum number of columns (binary problems) of a random code book.
const MOST_CODE_COLUMNS: usize = 1023;

/// Returns an error if a fit would read the rows too often because of the number of classes.
///
/// If a fit with two classes would also need so many passes, parameters such as the number of trees are the
/// cause. The user chose them, so there is no error.
pub(crate) fn check_pass_count(method: &str, params: &Map<String, Value>, table: &TableSize) -> Result<()> {
    check_pass_count_of_fits(method, params, (table.n_rows, table.n_classes), 1)
}

/// Like [`check_pass_count`], for several fits of equal size, such as those of inner folds.
pub(crate) fn check_pass_count_of_fits(
    method: &str,
    params: &Map<String, Value>,
    (n_rows, n_classes): (usize, usize),
    n_fits: usize,
) -> Result<()> {
    let of_fits = |n_classes| min_passes_over_rows(method, params, n_rows, n_classes).saturating_mul(n_fits);
    let needed = of_fits(n_classes);
    if needed <= MOST_PASSES || needed <= of_fits(2) {
        return Ok(());
    }
    Err(Error::Data(format!(
        "{method} needs about {needed} passes over the rows for {n_classes} classes, {} for each class, and at most {MOST_PASSES} \
         are supported. Use fewer trees or rounds, merge classes, or use method \"forest\", whose trees predict all \
         classes at once",
        needed / n_classes
    )))
}

/// Minimum number of times that a fit, including fits of its base method, reads all rows.
fn min_passes_over_rows(method: &str, params: &Map<String, Value>, n_rows: usize, n_classes: usize) -> usize {
    let per_class = if n_classes > 2 { n_classes } else { 1 };
    let n_members = || match params.get("n_estimators") {
        Some(Value::String(_)) => FEWEST_TREES,
        _ => integer_param(params, "n_estimators").unwrap_or(1),
    };
    let (own, base_classes) = match method {
        "boosted_trees" => {
            (per_class.saturating_mul(min_boosting_rounds(params, n_rows / n_classes.max(1))), n_classes)
        }
        "svr_tree" | "svr_forest" => {
            (per_class.saturating_mul(SVR_LEVELS).saturating_mul(n_members()), n_classes)
        }
        "logistic_regression" => (per_class.saturating_mul(LOGISTIC_STEPS), n_classes),
        "ova" => (per_class, 2),
        // A row of a class is used only in the binary problems that include the class: one for each other
        // class.
        "ovo" => (n_classes.saturating_sub(1), 2),
        "ecoc" => {
            let columns = per_class.saturating_mul(2).min(MOST_CODE_COLUMNS);
            (integer_param(params, "code_size").unwrap_or(columns), 2)
        }
        _ => (n_members(), n_classes),
    };
    match (params.get("estimator").and_then(Value::as_str), params.get("estimator_params")) {
        (Some(base), Some(Value::Object(of_base))) => {
            own.saturating_mul(min_passes_over_rows(base, of_base, n_rows, base_classes))
        }
        _ => own,
    }
}

/// Minimum number of boosting rounds in all, over all fits of boosted trees.
///
/// One fit is to all rows, and one to the training rows of each inner fold for early stopping.
/// `rows_of_class` is the mean number of rows of a class.
fn min_boosting_rounds(params: &Map<String, Value>, rows_of_class: usize) -> usize {
    integer_param(params, "n_rounds").unwrap_or_else(|| {
        let most = integer_param(params, "max_rounds").unwrap_or(usize::MAX);
        let patience = integer_param(params, "early_stopping_rounds").unwrap_or(1).min(most);
        let n_folds = if rows_of_class < ENOUGH_HELD_OUT {
            integer_param(params, "stopping_folds").unwrap_or(1)
        } else {
            1
        };
        n_folds.saturating_mul(patience).saturating_add(1)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn passes(method: &str, params: &Value, n_classes: usize) -> usize {
        min_passes_over_rows(method, params.as_object().unwrap(), 8000, n_classes)
    }

    #[test]
    fn passes_are_products_of_classes_rounds_and_members() {
        assert_eq!(passes("boosted_trees", &json!({"n_rounds": 100}), 2000), 200_000);
        assert_eq!(passes("boosted_trees", &json!({"n_rounds": 100}), 2), 100);
        let auto =
            json!({"n_rounds": "auto", "max_rounds": 1000, "early_stopping_rounds": 30, "stopping_folds": 5});
        assert_eq!(passes("boosted_trees", &auto, 100), 100 * 151);
        assert_eq!(passes("boosted_trees", &auto, 8), 8 * 31);
        assert_eq!(passes("random_forest", &json!({"n_estimators": 500}), 2000), 500);
        assert_eq!(passes("svr_forest", &json!({"n_estimators": 100}), 2000), 2_000_000);
        let forest = json!({"estimator": "random_forest", "estimator_params": {"n_estimators": 100}});
        assert_eq!(passes("ova", &forest, 2000), 200_000);
        assert_eq!(passes("logistic_regression", &json!({}), 2000), 40_000);
        assert_eq!(passes("ovo", &forest, 200), 19_900);
        assert_eq!(passes("ecoc", &forest, 2000), 102_300);
        let bagged =
            json!({"n_estimators": 10, "estimator": "boosted_trees", "estimator_params": {"n_rounds": 5}});
        assert_eq!(passes("bagging", &bagged, 2000), 100_000);
        assert_eq!(passes("metacost", &bagged, 2), 50);
    }

    #[test]
    fn only_passes_due_to_classes_are_limited() {
        let table = |n_classes| TableSize { n_rows: 8000, n_classes, ..TableSize::default() };
        let check = |n: usize, n_classes| {
            let params = json!({"n_rounds": n});
            check_pass_count("boosted_trees", params.as_object().unwrap(), &table(n_classes))
        };
        assert!(check(50, 2000).is_ok() && check(1_000_000, 2).is_ok());
        let message = check(51, 2000).unwrap_err().to_string();
        assert!(
            message.contains("102000 passes over the rows for 2000 classes, 51 for each class"),
            "{message}"
        );
    }
}
