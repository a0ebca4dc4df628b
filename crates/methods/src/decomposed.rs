//! Decompositions of a multiclass problem into binary problems: parameters and fitting.
//!
//! A code book has one row per class and one column per binary problem. In a column, a class is positive,
//! negative or omitted. A member is the model of one binary problem; a base method fits the members. The
//! random key of a member depends on its column. Weights are normalized before the binary problems are
//! formed. Costs are applied to the combined prediction and are not passed to the members.

use crate::fitted::FittedEstimator;
use crate::memory_estimate::{self, MemoryEstimator};
use crate::method::{FitRun, Method, MethodRegistry, MethodRole};
use crate::resolved_costs::with_normalized_weights;
use crate::warm_start::WarmStart;
use imbcore_core::{Dataset, Error, Label, Result, SeedKey, params, rarest_class, tags};
use imbcore_ensembles::decompose::{
    ClassDecomposition, CodeBook, CodeColumnCountRule, Decoding, fit_members,
};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// Maximum number of classes for which `code="auto"` means the exhaustive code.
///
/// If `code_size` is given, `code="auto"` always means a random code.
const MOST_EXHAUSTIVE: usize = 8;

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub(crate) enum CodeBookSpec {
    Named(CodeBookKind),
    Matrix(Vec<Vec<u8>>),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum CodeBookKind {
    Auto,
    Exhaustive,
    Random,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub(crate) enum CodeLength {
    Columns(u32),
    Named(NamedCodeLength),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum NamedCodeLength {
    Dense,
}

params! {
    /// Parameters of one-against-all.
    #[allow(missing_docs)]
    pub struct OvaParams {
        estimator: String = "hddt".into(), "the name of a method that is not a decomposition",
            "Method of the members.";
        estimator_params: Option<Map<String, Value>> = None, "a dict of parameters of the base method, or None",
            "Parameters of the members; parameters that are not given have the defaults of the method.";
        decoding: Decoding = Decoding::Normalize, "\"normalize\" or \"sum\"",
            "Combination of the members' probabilities. \"normalize\": each probability is divided by the sum of \
             all. \"sum\": each member separates one class from the others, and the score of a class is the sum over \
             the members of the probability of the group that contains the class.";
    }
}

params! {
    /// Parameters of output codes.
    #[allow(missing_docs)]
    pub struct EcocParams {
        estimator: String = "hddt".into(), "the name of a method that is not a decomposition",
            "Method of the members.";
        estimator_params: Option<Map<String, Value>> = None, "a dict of parameters of the base method, or None",
            "Parameters of the members; parameters that are not given have the defaults of the method.";
        code: CodeBookSpec = CodeBookSpec::Named(CodeBookKind::Auto),
            "\"auto\", \"exhaustive\", \"random\", or a list of rows of 0 and 1, one row per class",
            "Code book. \"exhaustive\": one column for each division of the classes into two groups. \"random\": random \
             columns. \"auto\": \"exhaustive\" for up to 8 classes if code_size is None, otherwise \"random\". A list: one \
             row of 0 and 1 per class.";
        code_size: Option<CodeLength> = None, "a whole number of at least 1, \"dense\", or None",
            "Number of columns of a random code. None: twice the number of classes. \"dense\": ten times the binary \
             logarithm of the number of classes. Both are at most the number of columns of the exhaustive code.";
        decoding: Decoding = Decoding::Sum, "\"sum\", \"log\" or \"hamming\"",
            "Score of a class, computed from the probability that each member predicts for the group of this class. \
             \"sum\": sum of these probabilities. \"log\": sum of their logarithms. \"hamming\": sum of the \
             probabilities rounded to 0 or 1.";
    }
}

params! {
    /// Parameters of one-against-one.
    #[allow(missing_docs)]
    pub struct OvoParams {
        estimator: String = "hddt".into(), "the name of a method that is not a decomposition",
            "Method of the members.";
        estimator_params: Option<Map<String, Value>> = None, "a dict of parameters of the base method, or None",
            "Parameters of the members; parameters that are not given have the defaults of the method.";
        decoding: Decoding = Decoding::Coupling, "\"coupling\" or \"vote\"",
            "Combination of the members' probabilities. \"coupling\": pairwise coupling (Wu, Lin and Weng 2004). \
             \"vote\": fraction of the pairs in which the class wins.";
    }
}

pub(crate) struct DecompositionPlan {
    pub(crate) book: CodeBook,
    pub(crate) decoding: Decoding,
}

fn check_decoding(method: &str, decoding: Decoding, allowed: &[Decoding], expected: &str) -> Result<()> {
    if allowed.contains(&decoding) {
        return Ok(());
    }
    let got = serde_json::to_string(&decoding).unwrap_or_default();
    Err(Error::parameter(method, "decoding", expected, got))
}

/// Adds defaults to the parameters of the base method `base`.
///
/// Returns an error if the category of the base method is in `refused`.
pub(crate) fn complete_base_params(
    method: &str,
    (base, given): (&str, Option<&Map<String, Value>>),
    refused: &[MethodRole],
    others: &dyn MethodRegistry,
) -> Result<Option<Map<String, Value>>> {
    let (all, role) = others.full_params_and_role(base, given.unwrap_or(&Map::new()))?;
    if refused.contains(&role) {
        let expected = if refused.contains(&MethodRole::Decomposition) {
            "a method that is neither a decomposition nor \"metacost\""
        } else {
            "a method other than \"metacost\""
        };
        return Err(Error::parameter(method, "estimator", expected, format!("\"{base}\"")));
    }
    Ok(Some(all))
}

/// Parameters of a method that splits a multiclass problem into binary problems.
///
/// Both the native methods and decompositions with members fitted from Python use this trait.
pub(crate) trait Decomposition {
    fn plan(&self, method: &str, n_classes: usize, key: SeedKey) -> Result<DecompositionPlan>;
}

impl Decomposition for OvaParams {
    fn plan(&self, method: &str, n_classes: usize, _key: SeedKey) -> Result<DecompositionPlan> {
        let allowed = [Decoding::Normalize, Decoding::Sum];
        check_decoding(method, self.decoding, &allowed, "\"normalize\" or \"sum\"")?;
        Ok(DecompositionPlan { book: CodeBook::one_vs_all(n_classes)?, decoding: self.decoding })
    }
}

impl Decomposition for EcocParams {
    fn plan(&self, method: &str, n_classes: usize, key: SeedKey) -> Result<DecompositionPlan> {
        let allowed = [Decoding::Sum, Decoding::Log, Decoding::Hamming];
        check_decoding(method, self.decoding, &allowed, "\"sum\", \"log\" or \"hamming\"")?;
        let size = match self.code_size {
            None => CodeColumnCountRule::Default,
            Some(CodeLength::Columns(columns)) => CodeColumnCountRule::Columns(columns as usize),
            Some(CodeLength::Named(NamedCodeLength::Dense)) => CodeColumnCountRule::Dense,
        };
        let sized = self.code_size.is_some();
        let random = || CodeBook::random(n_classes, size, key.child(tags::wrapped::CODE, 0));
        let book = match &self.code {
            CodeBookSpec::Named(CodeBookKind::Random) => random()?,
            CodeBookSpec::Named(CodeBookKind::Auto) if sized || n_classes > MOST_EXHAUSTIVE => random()?,
            CodeBookSpec::Named(CodeBookKind::Exhaustive) | CodeBookSpec::Matrix(_) if sized => {
                return Err(Error::parameter(
                    method,
                    "code_size",
                    "None unless the code is random",
                    "a length",
                ));
            }
            CodeBookSpec::Named(CodeBookKind::Auto | CodeBookKind::Exhaustive) => {
                CodeBook::exhaustive(n_classes)?
            }
            CodeBookSpec::Matrix(rows) => CodeBook::from_rows(rows, n_classes)?,
        };
        Ok(DecompositionPlan { book, decoding: self.decoding })
    }
}

impl Decomposition for OvoParams {
    fn plan(&self, method: &str, n_classes: usize, _key: SeedKey) -> Result<DecompositionPlan> {
        let allowed = [Decoding::Coupling, Decoding::Vote];
        check_decoding(method, self.decoding, &allowed, "\"coupling\" or \"vote\"")?;
        Ok(DecompositionPlan { book: CodeBook::one_vs_one(n_classes)?, decoding: self.decoding })
    }
}

macro_rules! decomposition_recipes {
    ($($params:ty),*) => {$(
        impl Method for $params {
            const ROLE: MethodRole = MethodRole::Decomposition;
            const MEMORY: MemoryEstimator = |method, _, table| memory_estimate::decomposition_memory(method, table);

            fn with_base_method_defaults(mut self, method: &'static str, others: &dyn MethodRegistry) -> Result<Self> {
                let refused = [MethodRole::Decomposition, MethodRole::Costly];
                let base = (&*self.estimator, self.estimator_params.as_ref());
                self.estimator_params = complete_base_params(method, base, &refused, others)?;
                Ok(self)
            }

            fn fit(self, method: &'static str, run: FitRun<'_, '_>) -> Result<FittedEstimator> {
                let plan = self.plan(method, run.data.n_classes(), run.key)?;
                fit(plan, (&self.estimator, &self.estimator_params.unwrap_or_default()), run)
            }
        }
    )*};
}

decomposition_recipes!(OvaParams, EcocParams, OvoParams);

/// Weight of every row times its class weight; `None` if there are no weights of either kind.
pub(crate) fn row_weights(data: &Dataset<'_>, class_weight: Option<&[f64]>) -> Option<Vec<f64>> {
    let classes = data.class_codes().iter().enumerate();
    match class_weight {
        None => data.weights().map(<[f64]>::to_vec),
        Some(of) => Some(classes.map(|(row, &class)| data.weight(row) * of[class as usize]).collect()),
    }
}

fn fit(
    plan: DecompositionPlan,
    base: (&str, &Map<String, Value>),
    run: FitRun<'_, '_>,
) -> Result<FittedEstimator> {
    let FitRun { data, class_weight, key, constant, ctl, others, .. } = run;
    // A member has two groups of classes instead of the classes, so it cannot use weights per class. Class
    // weights are therefore multiplied into the row weights.
    let weights = row_weights(data, class_weight.as_deref());
    let dependence = data.dependence();
    let data = Dataset::new(data.frame().clone(), data.class_codes(), data.n_classes(), weights.as_deref())?
        .with_dependence(dependence);
    // Placeholder labels of the two groups of classes.
    let labels = &[Label::Int(0), Label::Int(1)];
    // The weights are normalized again for each member, so that the member equals a model that a user fits to
    // the same binary problem.
    let members = fit_members(&plan.book, &data, key, ctl, |data, key, ctl| {
        let positive = rarest_class(&data.class_masses());
        with_normalized_weights(None, (None, None), data, |_, data| {
            let (class_weight, costs, start) = (None, None, WarmStart::Cold);
            let run = FitRun {
                data,
                labels,
                class_weight,
                costs,
                positive,
                key,
                constant,
                start,
                ctl,
                others,
                clusterer: None,
            };
            others.fit(base.0, base.1, run)
        })
    })?;
    Ok(FittedEstimator::Decomposed(ClassDecomposition::new(
        plan.book,
        plan.decoding,
        members,
        data.class_proportions(),
    )?))
}
