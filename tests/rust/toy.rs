//! Random small tables and tree parameters that reach edge cases: ties, runs of one class, missing values, zero and
//! unequal weights, constant and empty columns, the smallest and largest numbers.

use imbcore_core::{
    Column, ColumnBuf, Dataset, Frame, Learner, MISSING, Result, RunContext, SeedKey, parse_params,
};
use imbcore_criteria::{AnyCriterion, Criterion, CriterionVisitor, DataProperties};
use imbcore_trees::{ColumnKind, Tree, TreeLearner, TreeModel, TreeParams};
use proptest::prelude::*;
use proptest::sample::select;
use serde_json::{Value, json};

/// The possible contents of a table.
#[derive(Clone, Copy, Debug)]
pub struct Kinds {
    /// Values may be missing.
    pub missing: bool,
    /// Columns may be nominal.
    pub nominal: bool,
    /// Rows may have weights, also 0 and values that are not sums of powers of two.
    pub weights: bool,
    /// Maximum number of classes.
    pub classes: u32,
}

impl Kinds {
    /// All contents.
    pub const ALL: Self = Self { missing: true, nominal: true, weights: true, classes: 5 };

    /// Complete numeric columns and rows of weight 1.
    pub const PLAIN: Self = Self { missing: false, nominal: false, weights: false, classes: 5 };
}

/// A table with classes and weights.
#[derive(Clone, Debug)]
pub struct Toy {
    /// The columns.
    pub columns: Vec<ColumnBuf>,
    /// Class codes.
    pub classes: Vec<u32>,
    /// Number of classes.
    pub n_classes: usize,
    /// Row weights.
    pub weights: Option<Vec<f64>>,
    /// Class weights.
    pub class_weight: Option<Vec<f64>>,
}

impl Toy {
    /// The table as borrowed columns.
    ///
    /// # Panics
    /// Never: a toy's columns have equal lengths.
    pub fn frame(&self) -> Frame<'_> {
        let column = |column| match column {
            &ColumnBuf::Nominal { ref codes, levels } => Column::Nominal { codes, levels },
            ColumnBuf::Numeric(values) => Column::from_numbers(values),
        };
        Frame::new(self.columns.iter().map(column).collect()).unwrap()
    }

    /// Kind of every column.
    pub fn kinds(&self) -> Vec<ColumnKind> {
        self.frame().columns().iter().map(ColumnKind::from_column).collect()
    }

    /// Fits a tree with `params`, after `change` to the learner.
    ///
    /// # Errors
    /// Those of fitting.
    ///
    /// # Panics
    /// If `params` are not parameters of a tree.
    pub fn try_fit(
        &self,
        params: &Value,
        change: impl FnOnce(TreeLearner) -> TreeLearner,
    ) -> Result<TreeModel> {
        let given = params.as_object().expect("an object");
        let params = parse_params("tree", &TreeParams::default(), given)?;
        let learner = change(params.check("tree")?.with_class_weight(self.class_weight.clone()));
        let data = Dataset::new(self.frame(), &self.classes, self.n_classes, self.weights.as_deref())?;
        learner.fit(&data, SeedKey::root(3), RunContext::silent())
    }

    /// Fits a tree with `params`.
    ///
    /// # Panics
    /// If fitting fails.
    pub fn fit(&self, params: &Value) -> TreeModel {
        self.try_fit(params, |learner| learner).expect("a toy can be fitted")
    }

    /// Weight of every row, including its class weight.
    pub fn row_weights(&self) -> Vec<f64> {
        let of_class = |class: u32| self.class_weight.as_ref().map_or(1.0, |weights| weights[class as usize]);
        let of_row = |row: usize| self.weights.as_ref().map_or(1.0, |weights| weights[row]);
        self.classes.iter().enumerate().map(|(row, &class)| of_row(row) * of_class(class)).collect()
    }

    /// The given rows, possibly repeated.
    ///
    /// # Panics
    /// Never: a toy's columns have equal lengths.
    #[must_use]
    pub fn take(&self, rows: &[u32]) -> Self {
        Self {
            columns: self.frame().take(rows, RunContext::silent()).unwrap().into_columns(),
            classes: rows.iter().map(|&row| self.classes[row as usize]).collect(),
            weights: self.weights.as_ref().map(|w| rows.iter().map(|&row| w[row as usize]).collect()),
            ..self.clone()
        }
    }
}

/// The arrays of a tree without its gains, which differ between criteria with the same order of splits.
pub fn without_gain(tree: &Tree) -> imbcore_trees::TreeArrays {
    let mut arrays = tree.to_arrays();
    arrays.gain.clear();
    arrays
}

/// Generation of the values of a column.
#[derive(Clone, Copy, Debug)]
enum Values {
    /// This number of distinct numbers.
    Grid(u32),
    /// Nearly all distinct.
    Fine,
    /// Zeros of both signs, adjacent floats, the smallest and the largest numbers.
    Extreme,
    /// No value at all.
    Empty,
    /// This number of levels.
    Levels(u32),
}

const EXTREME: [f64; 10] =
    [f64::MIN, -1.0, -1e-310, -5e-324, -0.0, 0.0, 5e-324, 1.0, 1.000_000_000_000_000_2, f64::MAX];

impl Values {
    fn index(self, raw: u32) -> u32 {
        match self {
            Self::Grid(n) | Self::Levels(n) => raw % n,
            Self::Fine => raw >> 8,
            Self::Extreme => raw % EXTREME.len() as u32,
            Self::Empty => 0,
        }
    }

    /// A class shared by adjacent values, so that runs of one class occur.
    fn band(self, raw: u32, n_classes: u32) -> u32 {
        let wide = if let Self::Fine = self { 1 << 20 } else { 2 };
        self.index(raw) / wide % n_classes
    }

    fn column(self, raw: &[u32], missing: bool) -> ColumnBuf {
        let misses = |raw: u32| missing && (raw >> 5).is_multiple_of(4);
        if let Self::Levels(levels) = self {
            let code = |&raw: &u32| if misses(raw) { MISSING } else { self.index(raw) };
            return ColumnBuf::Nominal { codes: raw.iter().map(code).collect(), levels };
        }
        let number = |raw| match self {
            Self::Extreme => EXTREME[self.index(raw) as usize],
            Self::Empty => f64::NAN,
            _ => f64::from(self.index(raw)) / 4.0 - 1.0,
        };
        ColumnBuf::Numeric(raw.iter().map(|&raw| if misses(raw) { f64::NAN } else { number(raw) }).collect())
    }
}

fn values(kinds: Kinds) -> impl Strategy<Value = (Values, bool)> {
    let mut all = vec![
        Values::Grid(1),
        Values::Grid(2),
        Values::Grid(4),
        Values::Grid(9),
        Values::Fine,
        Values::Extreme,
    ];
    if kinds.missing {
        all.push(Values::Empty);
    }
    if kinds.nominal {
        all.extend([Values::Levels(1), Values::Levels(2), Values::Levels(3), Values::Levels(5)]);
    }
    (select(all), any::<bool>()).prop_map(move |(values, missing)| (values, missing && kinds.missing))
}

/// Row weights of one kind, by a raw number.
const WEIGHTS: [fn(u32) -> f64; 3] =
    [|raw| f64::from(raw % 4), |raw| f64::from(raw % 9) / 8.0, |raw| f64::from(raw % 30) * 0.1];

/// Tables of 2 to 40 rows with 1 to 4 columns.
/// The first two rows have classes 0 and 1 and weight 1.
pub fn toys(kinds: Kinds) -> impl Strategy<Value = Toy> {
    let shape = (2..=40_usize, 1..=4_usize, 2..=kinds.classes);
    let class_weight =
        prop::option::weighted(0.3, prop::collection::vec(select(vec![0.1, 0.7, 1.0, 3.3]), 5));
    let raws = |n| prop::collection::vec(any::<u32>(), n);
    shape.prop_flat_map(move |(n_rows, n_columns, n_classes)| {
        (
            prop::collection::vec((values(kinds), raws(n_rows)), n_columns),
            (raws(n_rows), any::<bool>(), any::<bool>()),
            prop::option::weighted(0.5, (select(WEIGHTS.to_vec()), raws(n_rows))),
            class_weight.clone(),
        )
            .prop_map(move |(columns, (raw, follows, skewed), weights, class_weight)| {
                let class = |row: usize| match raw[row] >> 3 {
                    _ if row < 2 => row as u32,
                    own if follows && own % 8 > 0 => columns[0].0.0.band(columns[0].1[row], n_classes),
                    own if skewed && own % 5 > 0 => 0,
                    own => (own >> 6) % n_classes,
                };
                let weight = |(to_weight, raw): (fn(u32) -> f64, Vec<u32>)| {
                    (0..n_rows).map(|row| if row < 2 { 1.0 } else { to_weight(raw[row]) }).collect::<Vec<_>>()
                };
                Toy {
                    columns: columns
                        .iter()
                        .map(|((kind, missing), raw)| kind.column(raw, *missing))
                        .collect(),
                    classes: (0..n_rows).map(class).collect(),
                    n_classes: n_classes as usize,
                    weights: weights.map(weight).filter(|_| kinds.weights),
                    class_weight: class_weight
                        .map(|weights| weights[..n_classes as usize].to_vec())
                        .filter(|_| kinds.weights),
                }
            })
    })
}

/// Checks whether a criterion supports some data.
struct Supports(DataProperties);

impl CriterionVisitor for Supports {
    type Out = bool;

    fn visit<C: Criterion>(self, criterion: &C) -> bool {
        criterion.check(self.0).is_ok()
    }
}

/// Every registered criterion that supports such data by its name alone, then some with parameters.
fn supported_criteria(facts: DataProperties) -> Vec<Value> {
    let alpha = |alpha: f64| json!({"name": "alpha", "alpha": alpha});
    let ext =
        |alpha: f64, reference: Value| json!({"name": "alpha_ext", "alpha": alpha, "reference": reference});
    let mut shares = vec![0.5 / (facts.n_classes - 1) as f64; facts.n_classes];
    shares[1] = 0.5;
    let with_options = [
        json!({"name": "c45", "average_gain": false, "mdl_penalty": false}),
        alpha(0.1),
        alpha(0.5),
        alpha(1.9),
        ext(0.7, json!("uniform")),
        ext(2.0, json!("uniform")),
        ext(0.5, json!("flipped")),
        ext(1.4, json!(shares)),
    ];
    let serves = |criterion: &Value| {
        let read: AnyCriterion = serde_json::from_value(criterion.clone()).expect("a registered criterion");
        read.accept(Supports(facts))
    };
    AnyCriterion::NAMES.iter().map(|name| json!(name)).chain(with_options).filter(serves).collect()
}

/// Criteria that support `n_classes` and splits into any number of branches.
pub fn criteria(n_classes: usize) -> Vec<Value> {
    supported_criteria(DataProperties { n_classes, multiway: true })
}

/// Criteria that support `n_classes` and binary splits.
pub fn criteria_of_two_branches(n_classes: usize) -> Vec<Value> {
    supported_criteria(DataProperties { n_classes, multiway: false })
}

/// Signs of monotone constraints that are valid for `toy`; empty for more than two classes.
pub fn signs(toy: &Toy) -> impl Strategy<Value = Vec<i8>> + use<> {
    let numeric: Vec<bool> = toy.kinds().iter().map(|kind| *kind == ColumnKind::Numeric).collect();
    let free = toy.n_classes > 2;
    prop::collection::vec(-1..=1_i8, numeric.len()).prop_map(move |mut signs| {
        signs.iter_mut().zip(&numeric).for_each(|(sign, numeric)| *sign *= i8::from(*numeric && !free));
        signs
    })
}

/// Tree parameters that are valid for `toy`; limits are set in some cases.
pub fn settings(toy: &Toy) -> impl Strategy<Value = Value> + use<> {
    let n_columns = toy.columns.len();
    let limits = (
        prop::option::weighted(0.3, 1..4_u32),
        prop::option::weighted(0.3, 2..6_u32),
        select(vec![2_u32, 2, 5]),
        select(vec![1_u32, 1, 2, 4]),
        select(vec![0.0, 0.0, 0.5, 1.3, 2.0]),
        prop::option::weighted(0.2, 1..=n_columns),
        select(vec!["gain", "entropy"]),
        any::<bool>(),
        select(vec![
            json!("best"),
            json!("best"),
            json!("random"),
            json!({"per_node": 1}),
            json!({"per_node": 3}),
            json!({"per_node": 9}),
        ]),
    );
    let choices = (
        select(criteria_of_two_branches(toy.n_classes)),
        select(vec!["ovr", "multiway", "ovr_multiway", "dummy", "subset"]),
        select(vec!["direction", "fraction", "value"]),
        any::<bool>(),
        // No table of small integers has exactly this score, so rounding does not decide.
        select(vec![0.0, 0.0, 0.021_371]),
        select(vec!["frequency", "laplace", "m_estimate"]),
        prop::option::weighted(0.3, signs(toy)),
    );
    (limits, choices).prop_map(|(limits, choices)| {
        let multiway = choices.1 == "multiway" && choices.0 == "twoing";
        let nominal = if multiway { "ovr_multiway" } else { choices.1 };
        json!({
            "max_depth": limits.0, "max_leaf_nodes": limits.1, "growth_order": limits.6, "min_samples_split": limits.2,
            "min_samples_leaf": limits.3, "min_weight_leaf": limits.4, "max_features": limits.5,
            "redraw_features": limits.7, "splitter": limits.8, "criterion": choices.0, "categorical_split": nominal, "missing": choices.2, "allow_zero_gain_splits": choices.3,
            "min_split_gain": choices.4, "leaf_estimate": choices.5, "monotonic_cst": choices.6,
        })
    })
}

/// A toy with valid parameters.
pub fn toys_and_settings(kinds: Kinds) -> impl Strategy<Value = (Toy, Value)> {
    toys(kinds).prop_flat_map(|toy| (Just(toy.clone()), settings(&toy)))
}

/// A toy with a criterion that supports it, and no limits.
pub fn toys_and_criteria(kinds: Kinds) -> impl Strategy<Value = (Toy, Value)> {
    toys(kinds).prop_flat_map(|toy| {
        let criterion = select(criteria_of_two_branches(toy.n_classes))
            .prop_map(|criterion| json!({"criterion": criterion}));
        (Just(toy), criterion)
    })
}
