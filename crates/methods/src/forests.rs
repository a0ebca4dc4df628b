//! Forests as a family of methods: fitting, scoring out of bag, and their part of the model file.

use crate::file::{Reader, Writer};
use crate::model::Fitted;
use crate::registry::{Recipe, Run};
use crate::remarks;
use crate::trees::{about_second, column_kinds, leaf_rule};
use imbcore_base::{
    ClassWeights, Dataset, Error, Joined, Learner, Overrides, ParamSpec, Params, Result, RunCtl, Schema,
    first_largest,
};
use imbcore_criteria::{AnyCriterion, C45};
use imbcore_ensemble::{
    BeatParams, ForestArrays, ForestLearner, ForestModel, ForestParams, OobScore, OutOfBag, Plan, Reading,
    SvrForestParams, Vote,
};
use imbcore_eval::{Answers, SCORE_NAMES, scores};
use imbcore_tree::svr::SvrParams;
use imbcore_tree::{LeafRule, MaxFeatures, MaxFeaturesName, MissingRule, NominalRule, TreeParams};
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// What a kind of forest adds to the parameters of its trees.
pub(crate) trait Family: Params + Overrides + Default {
    /// Whether classes weigh alike where the user gives no weights.
    const BALANCED: bool = false;

    /// Checks what can be checked without data.
    fn plan(self, method: &'static str) -> Result<Plan>;

    /// How out-of-bag answers are scored.
    fn oob_score(&self) -> &OobScore;
}

/// A kind of forest with the parameters of [`ForestParams`].
macro_rules! kind {
    ($(#[$doc:meta])* $name:ident, $balanced:expr, $plan:expr) => {
        $(#[$doc])*
        #[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
        #[serde(transparent)]
        pub(crate) struct $name(pub(crate) ForestParams);

        impl Params for $name {
            fn specs(&self) -> Vec<ParamSpec> {
                self.0.specs()
            }
        }

        impl Overrides for $name {}

        impl Family for $name {
            const BALANCED: bool = $balanced;

            fn plan(self, method: &'static str) -> Result<Plan> {
                let plan: fn(Plan) -> Plan = $plan;
                Ok(plan(self.0.check(method)?))
            }

            fn oob_score(&self) -> &OobScore {
                &self.0.oob_score
            }
        }
    };
}

kind!(
    /// As many rows of each class (Chen, Liaw and Breiman 2004).
    Balanced, false, Plan::balanced
);
kind!(
    /// Rows weighed by class, in the criterion and in the votes (the same report).
    Weighted, true, Plan::weighted
);

impl Family for ForestParams {
    fn plan(self, method: &'static str) -> Result<Plan> {
        self.check(method)
    }

    fn oob_score(&self) -> &OobScore {
        &self.oob_score
    }
}

impl Family for BeatParams {
    fn plan(self, method: &'static str) -> Result<Plan> {
        self.check(method)
    }

    fn oob_score(&self) -> &OobScore {
        &self.oob_score
    }
}

/// Random forest of Gini trees (Breiman 2001), of the kind that `own` says.
pub(crate) fn random_forest<F: Family>(own: F) -> Joined<F, TreeParams> {
    let max_features = Some(MaxFeatures::Named(MaxFeaturesName::Sqrt));
    Joined::new(own, TreeParams { max_features, ..TreeParams::cart() })
}

/// Bootstrap ensemble of alpha-trees (Park and Ghosh 2012), with dummies for nominal columns as in the paper.
pub(crate) fn beat() -> Joined<BeatParams, TreeParams> {
    Joined::new(BeatParams::default(), TreeParams { nominal: NominalRule::Dummy, ..TreeParams::cart() })
}

/// Bagged C4.5 trees, binary and not pruned, whose leaf frequencies are averaged; the comparator of Park and Ghosh
/// (2012).
pub(crate) fn bagged_c45() -> Joined<ForestParams, TreeParams> {
    let trees = TreeParams {
        criterion: AnyCriterion::C45(C45::default()),
        min_weight_leaf: 2.0,
        zero_gain: false,
        missing: MissingRule::Fraction,
        ..TreeParams::cart()
    };
    Joined::new(ForestParams { n_estimators: 30, ..ForestParams::default() }, trees)
}

impl<F: Family> Recipe for Joined<F, TreeParams> {
    fn fit(self, method: &'static str, run: Run<'_, '_>) -> Result<Fitted> {
        let Run { data, class_weight, costs, positive, key, ctl, .. } = run;
        let score = self.own.oob_score().clone();
        check_score(method, &score)?;
        let class_weight = match class_weight {
            None if F::BALANCED => Some(ClassWeights::Balanced.resolve(data.classes(), data.n_classes())?),
            given => given,
        };
        let costs = costs.map(|costs| costs.cells().to_vec());
        let trees = about_second(self.inner, positive).check(method)?.class_weight(class_weight).costs(costs);
        let model = ForestLearner::new(method, self.own.plan(method)?, trees).fit(data, key, ctl)?;
        scored(model, &score, (data, positive), ctl)
    }
}

impl Recipe for Joined<SvrForestParams, SvrParams> {
    fn fit(self, method: &'static str, run: Run<'_, '_>) -> Result<Fitted> {
        let score = self.own.oob_score.clone();
        check_score(method, &score)?;
        let trees = self.inner.check(method)?.class_weight(run.class_weight)?;
        let learner = ForestLearner::of_svr_trees(method, self.own.check(method)?, trees);
        scored(learner.fit(run.data, run.key, run.ctl)?, &score, (run.data, run.positive), run.ctl)
    }
}

fn check_score(method: &str, score: &OobScore) -> Result<()> {
    match score.name().filter(|name| !SCORE_NAMES.contains(name)) {
        None => Ok(()),
        Some(name) => {
            let expected = format!("True, False or one of {}", SCORE_NAMES.join(", "));
            Err(Error::parameter(method, "oob_score", &expected, name))
        }
    }
}

/// The model with the score of its out-of-bag answers, where asked for.
fn scored(
    model: ForestModel,
    score: &OobScore,
    (data, positive): (&Dataset<'_>, u32),
    ctl: RunCtl<'_>,
) -> Result<Fitted> {
    let score = match (model.out_of_bag(), score.name()) {
        (Some(answers), Some(name)) => {
            let laws = answers.decision.chunks_exact(data.n_classes());
            remarks::on_out_of_bag(laws.filter(|law| law[0].is_nan()).count(), data.n_rows(), ctl);
            score_answers(answers, name, data, positive)?
        }
        _ => return Ok(Fitted::Forest(model)),
    };
    Ok(Fitted::Forest(model.with_score(score)))
}

/// Score of the rows that some tree did not see; every row counts once, as in scikit-learn.
fn score_answers(out_of_bag: &OutOfBag, name: &str, data: &Dataset<'_>, positive: u32) -> Result<f64> {
    let c = data.n_classes();
    let (mut truth, mut predicted, mut proba) = (Vec::new(), Vec::new(), Vec::new());
    for (answer, &class) in out_of_bag.decision.chunks_exact(c).zip(data.classes()) {
        if !answer[0].is_nan() {
            truth.push(class);
            predicted.push(first_largest(answer));
            proba.extend_from_slice(answer);
        }
    }
    if truth.is_empty() {
        return Ok(f64::NAN);
    }
    let answers =
        Answers { truth: &truth, predicted: &predicted, proba: &proba, n_classes: c, weights: None };
    let scores = scores(&answers, positive)?;
    Ok(scores.into_iter().find(|(known, _)| *known == name).map_or(f64::NAN, |(_, score)| score))
}

pub(crate) fn write(model: &ForestModel, file: &mut Writer) {
    let arrays = model.to_arrays();
    file.u32s("forest.nodes", &arrays.nodes);
    file.f64s("forest.root_mass", &arrays.root_mass);
    file.u8s("forest.kind", &arrays.kind);
    file.u32s("forest.rows", &arrays.rows);
    file.f64s("forest.operand", &arrays.operand);
    file.u32s("forest.column", &arrays.column);
    file.u32s("forest.first_child", &arrays.first_child);
    file.u32s("forest.n_children", &arrays.n_children);
    file.u32s("forest.missing_child", &arrays.missing_child);
    file.u32s("forest.set_words", &arrays.set_words);
    file.u32s("forest.group_words", &arrays.group_words);
    file.u32s("forest.sets", &arrays.sets);
    file.u32s("forest.groups", &arrays.groups);
    file.f64s("forest.gain", &arrays.gain);
    file.f64s("forest.leaf_mass", &arrays.leaf_mass);
    file.f64s("forest.importances", model.feature_importances());
    file.f64s("forest.alphas", model.alphas());
    // Two arrays for one option: empty ones where nothing was asked out of bag.
    let (decision, score) =
        model.out_of_bag().map_or((&[][..], None), |out| (&out.decision[..], Some(out.score)));
    file.f64s("forest.oob_decision", decision);
    file.f64s("forest.oob_score", score.as_slice());
}

pub(crate) fn read(file: &Reader<'_>, params: &Value, schema: &Schema) -> Result<ForestModel> {
    let arrays = ForestArrays {
        nodes: file.u32s("forest.nodes")?,
        root_mass: file.f64s("forest.root_mass")?,
        kind: file.u8s("forest.kind")?,
        rows: file.u32s("forest.rows")?,
        operand: file.f64s("forest.operand")?,
        column: file.u32s("forest.column")?,
        first_child: file.u32s("forest.first_child")?,
        n_children: file.u32s("forest.n_children")?,
        missing_child: file.u32s("forest.missing_child")?,
        set_words: file.u32s("forest.set_words")?,
        group_words: file.u32s("forest.group_words")?,
        sets: file.u32s("forest.sets")?,
        groups: file.u32s("forest.groups")?,
        gain: file.f64s("forest.gain")?,
        leaf_mass: file.f64s("forest.leaf_mass")?,
    };
    let reading = reading(file.method(), params)?;
    let decision = file.f64s("forest.oob_decision")?;
    let out_of_bag = file.f64s("forest.oob_score")?.first().map(|&score| OutOfBag { decision, score });
    let (importances, alphas) = (file.f64s("forest.importances")?, file.f64s("forest.alphas")?);
    ForestModel::from_arrays(&arrays, column_kinds(schema), schema.classes.len(), reading)?.with_file_facts(
        importances,
        alphas,
        out_of_bag,
    )
}

/// How the trees of a method are read and joined, from the parameters of a file.
fn reading(method: &str, params: &Value) -> Result<Reading> {
    if method == "svr_forest" {
        let (vote, weighted_votes) = (Vote::Soft, false);
        return Ok(Reading { leaf: LeafRule::Frequency, m: 1.0, fraction: false, vote, weighted_votes });
    }
    let (leaf, m, fraction) = leaf_rule(params)?;
    let vote: Vote = serde_json::from_value(params["vote"].clone())
        .map_err(|_| Error::Format("the model file is damaged: parameter `vote` is invalid".into()))?;
    let weighted_votes = method == "weighted_random_forest";
    Ok(Reading { leaf, m, fraction, vote, weighted_votes })
}
