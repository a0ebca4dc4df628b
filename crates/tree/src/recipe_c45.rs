//! C4.5 (Quinlan 1993): C4.4's splits, then collapsing and pessimistic pruning, and raw leaves.

use crate::params::{TreeLearner, TreeParams};
use crate::prune::{C45Pruning, FloorRule, Pessimism, Rerouted, ZRule};
use crate::rows::training::{TrainColumn, Training, row_of};
use crate::tree::{Cut, Tree};
use imbcore_base::{Column, Error, Overrides, Params, Result, RunCtl};
use imbcore_criteria::{AnyCriterion, C45};
use serde::{Deserialize, Serialize};

/// Where between two values a numeric cut lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum CutValue {
    /// Half way.
    Midpoint,
    /// At the largest value of the training data up to there, as C4.5 and Weka print it.
    Data,
}

imbcore_base::params! {
    /// What C4.5 adds to the parameters of a tree.
    pub struct C45Params {
        confidence: Option<f64> = Some(0.25), "a number in (0, 0.5], or None",
            "Confidence of the error limits; smaller values prune more. None: no pessimistic pruning.";
        collapse: bool = true, "True or False",
            "Whether subtrees become leaves that make no fewer training errors than a leaf, before any other pruning.";
        subtree_raising: bool = false, "True or False",
            "Whether pruning may also replace a node by its largest branch, down which the other rows are sent.";
        average_gain: bool = true, "True or False",
            "Whether only features of at least average gain compete by gain ratio.";
        mdl_penalty: bool = true, "True or False",
            "Whether the gain of a numeric cut is lowered by log2(number of cuts) / n.";
        c45_min: bool = false, "True or False",
            "Whether numeric cuts leave at least a tenth of the mean class weight on each side, up to 25.";
        value_gap: f64 = 0.0, "a number of at least 0",
            "Values that differ by no more are not cut apart (Weka: 1e-5).";
        cut_value: CutValue = CutValue::Midpoint, "\"midpoint\" or \"data\"",
            "Threshold of a cut: half way between two values, or lowered to a value of the training data.";
        quantile: ZRule = ZRule::Exact, "\"exact\" or \"table\"",
            "Normal quantile in the error limits, their z: computed, or from the table in C4.5's source.";
        floor: FloorRule = FloorRule::C45, "\"c45\" or \"weka\"",
            "Extra errors of a leaf wrong almost everywhere: 0.67 (N - E), or N - E.";
    }
}

impl Overrides for C45Params {
    const HIDDEN: &'static [&'static str] = &["criterion", "ccp_alpha", "ccp_risk"];
}

impl C45Params {
    /// Parameters of the tree that C4.5 grows.
    pub fn tree() -> TreeParams {
        TreeParams { leaf: crate::answer::leaf::LeafRule::Frequency, ..TreeParams::c44() }
    }

    /// Checks what can be checked without data.
    ///
    /// # Errors
    /// [`Error::Parameter`].
    pub fn check(&self, inner: TreeParams, method: &'static str) -> Result<TreeLearner> {
        let specs = self.specs();
        let wrong = |name: &str, got: f64| {
            let expected = specs.iter().find(|spec| spec.name == name).map_or("", |spec| spec.expected);
            Err(Error::parameter(method, name, expected, got))
        };
        if let Some(confidence) = self.confidence.filter(|cf| !(*cf > 0.0 && *cf <= 0.5)) {
            return wrong("confidence", confidence);
        }
        if !(self.value_gap.is_finite() && self.value_gap >= 0.0) {
            return wrong("value_gap", self.value_gap);
        }
        let constrained =
            inner.monotonic_cst.as_ref().is_some_and(|signs| signs.iter().any(|&sign| sign != 0));
        if self.subtree_raising && constrained {
            let expected =
                "None with subtree_raising=True, which moves rows after the estimates were compared";
            return Err(Error::parameter(method, "monotonic_cst", expected, "a list"));
        }
        let (average_gain, mdl_penalty) = (self.average_gain, self.mdl_penalty);
        let criterion = AnyCriterion::C45(C45 { average_gain, mdl_penalty });
        let pruning = C45Pruning {
            collapse: self.collapse,
            limits: self.confidence.map(|confidence| Pessimism::new(confidence, self.quantile, self.floor)),
            raising: self.subtree_raising,
        };
        let (c45_min, value_gap, cut_value) = (self.c45_min, self.value_gap, self.cut_value);
        let rules = C45Rules { c45_min, value_gap, cut_value, pruning };
        Ok(TreeParams { criterion, ..inner }.check(method)?.c45(rules))
    }
}

/// What distinguishes C4.5 from other trees, checked.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct C45Rules {
    pub(crate) c45_min: bool,
    pub(crate) value_gap: f64,
    cut_value: CutValue,
    pruning: C45Pruning,
}

impl C45Rules {
    /// Prunes a grown tree and puts its thresholds where they belong.
    pub(crate) fn finish(
        &self,
        tree: Tree,
        training: &Training<'_>,
        fraction: bool,
        ctl: RunCtl<'_>,
    ) -> Result<Tree> {
        let columns: Vec<Column<'_>> = training
            .columns
            .iter()
            .map(|column| match column {
                TrainColumn::Numeric(values) => Column::numeric(values),
                &TrainColumn::Nominal { codes, levels } => Column::Nominal { codes, levels },
            })
            .collect();
        let rows = || Rerouted {
            columns: &columns,
            classes: training.classes,
            rows: training
                .entries
                .iter()
                .map(|&entry| (row_of(entry) as u32, training.weight_of(entry)))
                .collect(),
            fraction,
        };
        let mut tree = self.pruning.prune(tree, rows, ctl)?;
        if self.cut_value == CutValue::Data {
            lower_thresholds(&mut tree, training);
        }
        Ok(tree)
    }
}

/// Lowers every threshold to the largest training value that does not exceed it: no training row changes sides.
fn lower_thresholds(tree: &mut Tree, training: &Training<'_>) {
    for (column, values) in training.columns.iter().enumerate() {
        let TrainColumn::Numeric(values) = values else { continue };
        let cuts: Vec<usize> = (0..tree.n_nodes()).filter(|&node| tree.column(node) == column).collect();
        if cuts.is_empty() {
            continue;
        }
        let all = training.entries.iter().map(|&entry| values[row_of(entry)]);
        let mut known: Vec<f64> = all.filter(|value| !value.is_nan()).collect();
        known.sort_unstable_by(f64::total_cmp);
        for node in cuts {
            if let Cut::Below(threshold) = tree.cut[node] {
                let n_below = known.partition_point(|&value| value <= threshold);
                let lowered = n_below.checked_sub(1).map_or(threshold, |last| known[last]);
                tree.cut[node] = Cut::Below(lowered);
            }
        }
    }
}
