//! Parameters of the over-samplers of Zhu, Li and Dunson (2021), section 4.
//!
//! There are two variants: as described in the paper, and as in the code of its authors.

use crate::random_sampling::minority_multiplier;
use crate::resampling_task::ResamplingTask;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// Source from which the parameters of the over-samplers are taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SamplerDefinitionSource {
    /// The text of the paper.
    Paper,
    /// The published code of the authors.
    PaperCode,
}

/// Names and parameters of the four over-samplers, for the class sizes of a task.
///
/// The over-samplers add rows to the smallest class; `weight` determines how many, and `None` uses the rule
/// of the paper. With weight w, each row of this class appears w times after duplication. SMOTE adds w - 1
/// rows per row of the class, and Borderline-SMOTE adds w - 1 rows per base row. ADASYN adds about as many
/// rows as SMOTE.
pub fn svr_tree_samplers(
    task: &ResamplingTask<'_>,
    variant: SamplerDefinitionSource,
    weight: Option<u64>,
) -> [(&'static str, Value); 4] {
    let minority = task.minority_class();
    let (n_min, n_maj) = (task.class_count(minority) as f64, task.class_count(task.majority_class()) as f64);
    let weight = weight.unwrap_or_else(|| minority_multiplier(task)).max(1);
    let more = weight - 1;
    let beta = if n_maj > n_min { more as f64 * n_min / (n_maj - n_min) } else { 0.0 };
    let smote = json!({"percent": 100 * more, "schedule": "even", "neighbor_draw": "distinct_first"});
    let borderline = json!({"per_base": more, "neighbor_draw": "distinct_first"});
    let (mut smote, mut borderline, mut adasyn) = (smote, borderline, json!({"beta": beta}));
    if variant == SamplerDefinitionSource::PaperCode {
        smote["include_self"] = true.into();
        borderline["kind"] = "svr_code".into();
        adasyn["include_self"] = true.into();
        adasyn["on_zero"] = "equal".into();
    }
    let weights = json!({"weights": {minority.to_string(): weight}});
    [("duplicate_over", weights), ("smote", smote), ("borderline_smote", borderline), ("adasyn", adasyn)]
}
