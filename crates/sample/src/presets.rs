//! The over-samplers of Zhu, Li and Dunson (2021), section 4, as the paper says and as the authors' code has them.

use crate::random::minority_weight;
use crate::task::Task;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// Whose word counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Variant {
    /// The text of the paper.
    Paper,
    /// The code that the authors published.
    PaperCode,
}

/// Names and parameters of the four over-samplers for the classes of a task; `weight` is how often rows of the smallest
/// class count, None for the rule of the paper.
///
/// With weight w: every row w times, SMOTE and Borderline-SMOTE with w - 1 rows for each base, and about so many by ADASYN.
pub fn svr_tree(task: &Task<'_>, variant: Variant, weight: Option<u64>) -> [(&'static str, Value); 4] {
    let minority = task.minority();
    let (n_min, n_maj) = (task.count(minority) as f64, task.count(task.majority()) as f64);
    let weight = weight.unwrap_or_else(|| minority_weight(task)).max(1);
    let more = weight - 1;
    let beta = if n_maj > n_min { more as f64 * n_min / (n_maj - n_min) } else { 0.0 };
    let smote = json!({"percent": 100 * more, "schedule": "even", "neighbor_draw": "distinct_first"});
    let borderline = json!({"per_base": more, "neighbor_draw": "distinct_first"});
    let (mut smote, mut borderline, mut adasyn) = (smote, borderline, json!({"beta": beta}));
    if variant == Variant::PaperCode {
        smote["include_self"] = true.into();
        borderline["kind"] = "svr_code".into();
        adasyn["include_self"] = true.into();
        adasyn["on_zero"] = "equal".into();
    }
    let weights = json!({"weights": {minority.to_string(): weight}});
    [("duplicate_over", weights), ("smote", smote), ("borderline_smote", borderline), ("adasyn", adasyn)]
}
