//! The tree methods as parameters of one builder.

use crate::answer::leaf::LeafRule;
use crate::binned::MOST_BINS;
use crate::prune::{Complexity, RiskName};
use crate::recipe_c45::C45Rules;
use crate::rows::training::{Table, TrainColumn};
use crate::settings::{Feature, Layout, MissingRule, NodeOrder, NominalRule, Settings};
use imbcore_base::{Error, Result};
use imbcore_criteria::{AnyCriterion, C45, Gini, Hellinger};
use serde::{Deserialize, Serialize};

/// How many columns a node looks at.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum MaxFeatures {
    /// So many.
    Count(u32),
    /// This share of all.
    Share(f64),
    /// A named rule.
    Named(MaxFeaturesName),
}

/// Named numbers of columns.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum MaxFeaturesName {
    /// The square root of their number.
    Sqrt,
    /// Its binary logarithm.
    Log2,
}

imbcore_base::params! {
    /// Parameters of every single-tree method; the methods differ in their defaults.
    pub struct TreeParams {
        criterion: AnyCriterion = AnyCriterion::Gini(Gini {}),
            "the name of a criterion, or a dict with its \"name\" and options" from AnyCriterion::NAMES,
            "Measure of a split; those with options also as a dict, such as `{\"name\": \"alpha\", \"alpha\": 0.5}`.";
        max_depth: Option<u32> = None, "a whole number of at least 1, or None",
            "Deepest level; the root has depth 0. None: no limit.";
        min_samples_split: u32 = 2, "a whole number of at least 2",
            "Fewest rows of a node that may be split; in a forest a row drawn twice counts twice.";
        min_samples_leaf: u32 = 1, "a whole number of at least 1",
            "Fewest rows on each side of a split.";
        min_weight_leaf: f64 = 0.0, "a number of at least 0",
            "Smallest sum of weights on each side of a split.";
        min_weight_fraction_leaf: f64 = 0.0, "a number in [0, 0.5]",
            "Smallest share of the sum of all weights on each side of a split; in a forest of those of all rows.";
        max_leaf_nodes: Option<u32> = None, "a whole number of at least 2, or None",
            "Most leaves; when given, the best node is split first. None: no limit.";
        order: NodeOrder = NodeOrder::Gain, "\"gain\" or \"entropy\"",
            "With max_leaf_nodes, the node that is split first: where the criterion falls most over the whole tree, \
             or the entropy of the classes.";
        max_features: Option<MaxFeatures> = None,
            "None, a whole number of at least 1, a share in (0, 1], \"sqrt\" or \"log2\"",
            "Features looked at in each node, drawn at random: a number, a share, or a function of their number; more where \
             these cannot split it. None: all.";
        min_gain: f64 = 0.0, "a number of at least 0",
            "Smallest score of a split.";
        zero_gain: bool = true, "True or False",
            "Whether an impure node is split when no split gains anything (XOR needs it), so that trees grow until all leaves \
             are pure.";
        leaf: LeafRule = LeafRule::Frequency, "\"frequency\", \"laplace\" or \"m_estimate\"",
            "Estimate of class probabilities in a leaf.";
        prior_weight: f64 = 2.0, "a number above 0",
            "Weight of the root's class shares in the m-estimate; its m.";
        nominal: NominalRule = NominalRule::Ovr,
            "\"ovr\", \"multiway\", \"ovr_multiway\", \"dummy\" or \"subset\"",
            "How a nominal column splits: \"ovr\", one level against the rest; \"multiway\", a branch a level; \"ovr_multiway\", a branch \
             a level in the column whose best single level scores best; \"dummy\", each level a column of 0 and 1, which counts \
             for max_features; \"subset\", a set of levels against the rest, the best one for two classes or up to 10 levels.";
        missing: MissingRule = MissingRule::Direction, "\"error\", \"direction\", \"fraction\" or \"value\"",
            "Missing values: \"error\" refuses them in training; \"direction\" learns a side for them in each split; \"fraction\" sends \
             a row to all branches in proportion to their weights; \"value\" makes them one more level of nominal columns, and \
             is \"direction\" for the others.";
        monotonic_cst: Option<Vec<i8>> = None,
            "None, or a list of -1, 0 and 1, one a feature, or a dict of them by name, with two classes; 0 for nominal features",
            "Whether the probability of the positive class never falls (1) or never rises (-1) when a feature rises.";
        ccp_alpha: Option<Complexity> = None, "a number of at least 0, infinity included, or None",
            "Price of a leaf in minimal cost-complexity pruning. None: not pruned; 0 prunes what does not lower the training risk.";
        ccp_risk: RiskName = RiskName::Gini, "\"gini\", \"entropy\", \"error\" or \"cost\"",
            "What cost-complexity pruning weighs against leaves; costs are 1 a mistake unless given.";
        max_bins: Option<u32> = None, "a whole number from 2 to 255, or None",
            "Most bins of a numeric feature, for many rows: cuts are sought between bins only, with thresholds set by \
             the values next to them. None: every cut is tried.";
    }
}

impl TreeParams {
    /// Hellinger distance decision tree (Cieslak and Chawla 2008; Hoens et al. 2012 for several classes).
    pub fn hddt() -> Self {
        let criterion = AnyCriterion::Hellinger(Hellinger {});
        Self { criterion, leaf: LeafRule::Laplace, ..Self::default() }
    }

    /// C4.4: C4.5 without pruning and collapsing, with Laplace leaves (Provost and Domingos 2003).
    pub fn c44() -> Self {
        Self {
            criterion: AnyCriterion::C45(C45::default()),
            min_weight_leaf: 2.0,
            zero_gain: false,
            leaf: LeafRule::Laplace,
            nominal: NominalRule::Multiway,
            missing: MissingRule::Fraction,
            ..Self::default()
        }
    }

    /// What Park and Ghosh (2012) grow besides the criterion: binary, to the end, nominal features as 0/1 columns.
    pub fn alpha_tree() -> Self {
        Self { nominal: NominalRule::Dummy, ..Self::default() }
    }

    /// CART, fully grown (Breiman et al. 1984).
    pub fn cart() -> Self {
        Self::default()
    }

    /// Checks what can be checked without data.
    ///
    /// # Errors
    /// [`Error::Parameter`].
    pub fn check(self, method: &'static str) -> Result<TreeLearner> {
        use imbcore_base::Params;
        let specs = self.specs();
        let require = |valid: bool, name: &str, got: &dyn std::fmt::Display| {
            let expected = specs.iter().find(|spec| spec.name == name).map_or("", |spec| spec.expected);
            if valid { Ok(()) } else { Err(Error::parameter(method, name, expected, got)) }
        };
        let at_least_zero = |value: f64| value.is_finite() && value >= 0.0;
        require(self.max_depth != Some(0), "max_depth", &0)?;
        require(self.min_samples_split >= 2, "min_samples_split", &self.min_samples_split)?;
        require(self.min_samples_leaf >= 1, "min_samples_leaf", &self.min_samples_leaf)?;
        require(at_least_zero(self.min_weight_leaf), "min_weight_leaf", &self.min_weight_leaf)?;
        let share = self.min_weight_fraction_leaf;
        require((0.0..=0.5).contains(&share), "min_weight_fraction_leaf", &share)?;
        let leaves = self.max_leaf_nodes.unwrap_or(2);
        require(leaves >= 2, "max_leaf_nodes", &leaves)?;
        match &self.max_features {
            Some(MaxFeatures::Count(count)) => require(*count >= 1, "max_features", count)?,
            Some(MaxFeatures::Share(share)) => {
                require(*share > 0.0 && *share <= 1.0, "max_features", share)?;
            }
            _ => {}
        }
        require(at_least_zero(self.min_gain), "min_gain", &self.min_gain)?;
        require(
            self.prior_weight.is_finite() && self.prior_weight > 0.0,
            "prior_weight",
            &self.prior_weight,
        )?;
        let price = self.ccp_alpha.map_or(0.0, |alpha| alpha.0);
        require(price >= 0.0, "ccp_alpha", &price)?;
        let signs = self.monotonic_cst.as_deref().unwrap_or_default();
        require(signs.iter().all(|sign| sign.abs() <= 1), "monotonic_cst", &format_args!("{signs:?}"))?;
        let bins = self.max_bins.unwrap_or(2);
        require((2..=MOST_BINS as u32).contains(&bins), "max_bins", &bins)?;
        Ok(TreeLearner {
            method,
            params: self,
            class_weight: None,
            layout: Layout::Presorted,
            every_cut: false,
            draws: false,
            costs: None,
            c45: None,
        })
    }
}

/// A tree method with checked parameters.
#[derive(Clone, Debug)]
pub struct TreeLearner {
    pub(crate) method: &'static str,
    pub(crate) params: TreeParams,
    pub(crate) class_weight: Option<Vec<f64>>,
    pub(crate) layout: Layout,
    every_cut: bool,
    draws: bool,
    pub(crate) costs: Option<Vec<f64>>,
    pub(crate) c45: Option<C45Rules>,
}

impl TreeLearner {
    /// Costs of decisions for pruning by the risk `cost`: `cost[true][predicted]`, row-major.
    #[must_use]
    pub fn costs(self, costs: Option<Vec<f64>>) -> Self {
        Self { costs, ..self }
    }

    /// Grows and prunes as C4.5 does.
    #[must_use]
    pub fn c45(self, rules: C45Rules) -> Self {
        Self { c45: Some(rules), ..self }
    }

    /// Multiplies the weight of every row by that of its class.
    #[must_use]
    pub fn class_weight(self, class_weight: Option<Vec<f64>>) -> Self {
        Self { class_weight, ..self }
    }

    /// Keeps rows in another layout; the tree is the same.
    #[must_use]
    pub fn layout(self, layout: Layout) -> Self {
        Self { layout, ..self }
    }

    /// Scores every cut instead of those that can win; the tree is the same.
    #[must_use]
    pub fn every_cut(self, every_cut: bool) -> Self {
        Self { every_cut, ..self }
    }

    /// Draws the order of the features of each node even where all are looked at, as the trees of a forest do, so that
    /// of equal splits none is favoured by its place in the table.
    #[must_use]
    pub fn draws(self, draws: bool) -> Self {
        Self { draws, ..self }
    }

    /// The criterion of its parameters.
    pub fn criterion(&self) -> &AnyCriterion {
        &self.params.criterion
    }

    /// Weights of the classes, where given.
    pub fn class_weights(&self) -> Option<&[f64]> {
        self.class_weight.as_deref()
    }

    /// Estimate of the leaves, its `m`, and whether rows without a value are shared out.
    pub fn leaf_rule(&self) -> (LeafRule, f64, bool) {
        (self.params.leaf, self.params.prior_weight, self.params.missing == MissingRule::Fraction)
    }

    pub(crate) fn settings(&self, table: &Table<'_>, may_miss: Vec<bool>) -> Result<Settings> {
        let params = &self.params;
        let missing_column = may_miss.iter().position(|&misses| misses);
        if let (MissingRule::Error, Some(column)) = (params.missing, missing_column) {
            let message = "has missing values (NaN), which missing=\"error\" refuses; fill them, or use \
                           missing=\"direction\", \"fraction\" or \"value\"";
            return Err(Error::Column { column, message: message.into() });
        }
        let fraction = params.missing == MissingRule::Fraction && missing_column.is_some();
        self.check_monotone(table)?;
        let features = self.features(table, &may_miss);
        // Dummy columns count as columns.
        let n_columns = features.len();
        if let (true, Some(_), Some(column)) = (fraction, params.max_bins, missing_column) {
            let message = "has missing values (NaN), which missing=\"fraction\" shares out in parts that max_bins \
                           cannot count; use missing=\"direction\", or max_bins=None";
            return Err(Error::Column { column, message: message.into() });
        }
        #[allow(clippy::cast_sign_loss)] // Shares and logarithms of counts are positive.
        let max_columns = match params.max_features {
            None => n_columns,
            Some(MaxFeatures::Count(count)) => count as usize,
            Some(MaxFeatures::Share(share)) => (share * n_columns as f64) as usize,
            Some(MaxFeatures::Named(MaxFeaturesName::Sqrt)) => (n_columns as f64).sqrt() as usize,
            Some(MaxFeatures::Named(MaxFeaturesName::Log2)) => (n_columns as f64).log2() as usize,
        };
        if max_columns > n_columns {
            let expected = format!("at most the number of features, {n_columns}");
            return Err(Error::parameter(self.method, "max_features", &expected, max_columns));
        }
        Ok(Settings {
            max_depth: params.max_depth.map_or(usize::MAX, |depth| depth as usize),
            min_split: params.min_samples_split as usize,
            min_rows: params.min_samples_leaf as usize,
            min_mass: params.min_weight_leaf.max(params.min_weight_fraction_leaf * table.mass()),
            max_leaves: params.max_leaf_nodes.map(|leaves| leaves as usize),
            order: params.order,
            features,
            drawn: (self.draws || max_columns < n_columns).then_some(max_columns.max(1)),
            min_gain: params.min_gain,
            zero_gain: params.zero_gain,
            nominal: params.nominal,
            monotone: params.monotonic_cst.clone().filter(|signs| signs.iter().any(|&sign| sign != 0)),
            leaf: params.leaf,
            m: params.prior_weight,
            missing: params.missing,
            layout: if fraction { Layout::Listed } else { self.layout },
            // A gap rules cuts out, so that the neighbours of a cut that cannot win may win.
            every_cut: self.every_cut || self.c45.is_some_and(|rules| rules.value_gap > 0.0),
            max_bins: params.max_bins.map(|bins| bins as usize),
            may_miss,
            value_gap: self.c45.map_or(0.0, |rules| rules.value_gap),
            c45_min: self.c45.is_some_and(|rules| rules.c45_min),
        })
    }

    /// Everything that a split may ask about: the columns, or with dummies each level of those with more than two.
    fn features(&self, table: &Table<'_>, may_miss: &[bool]) -> Vec<Feature> {
        let of_column = |(column, (values, &misses)): (u32, (&TrainColumn<'_>, &bool))| match *values {
            TrainColumn::Nominal { levels, .. } if self.params.nominal == NominalRule::Dummy => {
                let all = levels + u32::from(misses && self.params.missing == MissingRule::Value);
                // Of two levels one column says everything; the second of them may be the missing value.
                let wanted = match (all, levels) {
                    (2, 1) => 1..2,
                    (..=2, _) => 0..1,
                    _ => 0..all,
                };
                wanted.map(|level| Feature { column, level: Some(level) }).collect()
            }
            _ => vec![Feature { column, level: None }],
        };
        (0..).zip(table.columns.iter().zip(may_miss)).flat_map(of_column).collect()
    }

    fn check_monotone(&self, table: &Table<'_>) -> Result<()> {
        let Some(signs) = &self.params.monotonic_cst else { return Ok(()) };
        let n_columns = table.columns.len();
        let refuse = |expected: &str, got: &dyn std::fmt::Display| {
            Err(Error::parameter(self.method, "monotonic_cst", expected, got))
        };
        if signs.len() != n_columns {
            return refuse(&format!("a list of {n_columns} numbers, one a feature"), &signs.len());
        }
        if table.n_classes != 2 && signs.iter().any(|&sign| sign != 0) {
            return refuse("None with more than two classes", &format_args!("{signs:?}"));
        }
        let is_nominal = |column: &&TrainColumn<'_>| matches!(column, TrainColumn::Nominal { .. });
        match table.columns.iter().zip(signs).position(|(column, &sign)| is_nominal(&column) && sign != 0) {
            Some(column) => {
                let expected =
                    format!("0 for feature {column}, which is nominal, so its levels have no order");
                refuse(&expected, &signs[column])
            }
            None => Ok(()),
        }
    }
}
