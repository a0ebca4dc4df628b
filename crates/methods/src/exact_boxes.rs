//! Exact Boxes as a method: fitting, paths of weights, the check of a proof, and its part of the model file.

use crate::boxes::damaged;
use crate::door::{enter, in_rows};
use crate::file::{Reader, Writer};
use crate::model::{Fitted, Model};
use crate::registry::{Recipe, Run, Settled, Task, class_weights, positive_of, settle};
use imbcore_base::{ClassWeights, CostPlan, Dataset, Error, Learner, Result, RunCtl, Schema, parse_params};
use imbcore_boxes::exact::{Certificate, Goal, PairPrice, Proof, Status, Verification, Walls};
use imbcore_boxes::{BoxModel, ExactBoxesParams, Scaling};
use serde_json::{Map, Value, json};

/// Registered name.
const METHOD: &str = "exact_boxes";

impl Recipe for ExactBoxesParams {
    fn fit(self, method: &'static str, run: Run<'_, '_>) -> Result<Fitted> {
        let learner = self.check(method)?.class_weight(run.class_weight).positive(Some(run.positive));
        Ok(Fitted::Boxes(learner.fit(run.data, run.key, run.ctl)?))
    }
}

/// Exact Boxes for every weight `c`; drawings and bounds of one weight help the others.
///
/// # Errors
/// As [`crate::fit`].
pub fn exact_path(
    task: &Task<'_>,
    weights: &[f64],
    data: &Dataset<'_>,
    schema: &Schema,
    ctl: RunCtl<'_>,
) -> Result<Vec<Model>> {
    let given: Map<String, Value> = serde_json::from_str(task.params)
        .map_err(|error| Error::Data(format!("parameters are no JSON object: {error}")))?;
    let params = parse_params(METHOD, &ExactBoxesParams::default(), &given)?;
    let positive = positive_of(task.positive, &schema.classes, data)?;
    let (fitted, decision) = enter(task, data, |task, data| {
        let Settled { class_weight, decision, .. } = settle(task.class_weight, task.costs, data, positive)?;
        if data.present(class_weight.as_deref()).len() < 2 {
            return Err(data.too_few_classes());
        }
        let learner = params.clone().check(METHOD)?.class_weight(class_weight).positive(Some(positive));
        Ok((learner.path(data, weights, task.key, ctl)?, decision))
    })?;
    let model = |(fitted, &c): (BoxModel, &f64)| {
        let params = ExactBoxesParams { negative_weight: c, ..params.clone() };
        Model::new(METHOD, json!(params), schema.clone(), Fitted::Boxes(fitted), decision.clone(), positive)
    };
    fitted.into_iter().zip(weights).map(model).collect()
}

/// Values the boxes of a model and its certificates anew on the training data.
///
/// # Errors
/// As [`BoxModel::verify`], and [`Error::Unsupported`] for a model of another family.
pub fn exact_verify(
    model: &Model,
    data: &Dataset<'_>,
    (class_weight, costs): (Option<&ClassWeights>, Option<&CostPlan>),
    seconds: f64,
    ctl: RunCtl<'_>,
) -> Result<Verification> {
    let boxes = model.fitted().boxes().ok_or_else(|| model.is_not("is not a box drawing"))?;
    model.check(data.frame())?;
    in_rows(None, (class_weight, costs), data, |class_weight, data| {
        let class_weight = class_weights(class_weight, costs, data)?;
        boxes.verify(data, class_weight.as_deref(), seconds, ctl)
    })
}

/// In the order of their codes in a file.
const STATUS: [Status; 5] =
    [Status::Optimal, Status::GapReached, Status::TimeLimit, Status::Interrupted, Status::Heuristic];

pub(crate) fn write(proof: &Proof, file: &mut Writer) {
    let goal = &proof.goal;
    let status = STATUS.iter().position(|status| *status == proof.status).unwrap_or_default();
    file.u8s("exact.status", &[status as u8]);
    file.u32s("exact.counts", &[&[goal.n_boxes as u32], &proof.counts[..]].concat());
    file.f64s("exact.value", &[proof.objective, proof.bound, proof.rest]);
    let prices = [goal.majority_weight, goal.margin, goal.strictness, goal.box_cost, goal.expand];
    file.f64s("exact.goal", &[&prices[..], &[goal.low, goal.high]].concat());
    file.f64s("exact.rates", &proof.rates);
    let walls = |of: fn(&Walls) -> &Vec<f64>| proof.walls.iter().flat_map(of).copied().collect::<Vec<f64>>();
    file.f64s("exact.lower", &walls(|walls| &walls.lower));
    file.f64s("exact.upper", &walls(|walls| &walls.upper));
    let certificates = &proof.certificates;
    file.u32s("exact.priced_boxes", &certificates.iter().map(|one| one.n_boxes as u32).collect::<Vec<_>>());
    file.f64s(
        "exact.priced_bounds",
        &certificates.iter().flat_map(|one| [one.sigma, one.bound]).collect::<Vec<_>>(),
    );
    file.f64s(
        "exact.rewards",
        &certificates.iter().flat_map(|one| one.reward.iter().copied()).collect::<Vec<_>>(),
    );
    let prices: Vec<f64> = certificates.iter().flat_map(|one| one.price.iter().copied()).collect();
    file.f64s("exact.prices", &prices);
    let pairs = || certificates.iter().flat_map(|one| one.pairs.iter());
    file.u32s("exact.n_pairs", &certificates.iter().map(|one| one.pairs.len() as u32).collect::<Vec<_>>());
    file.u32s("exact.pairs", &pairs().flat_map(|of| [of.hit, of.covered]).collect::<Vec<_>>());
    file.f64s("exact.pair_prices", &pairs().map(|of| of.price).collect::<Vec<_>>());
}

/// The proof of `n_boxes` boxes; its numbers are not checked yet.
pub(crate) fn read(file: &Reader<'_>, params: &Value, n_boxes: usize) -> Result<Proof> {
    let incomplete = || damaged("the proof of the boxes is incomplete");
    let scaling: Scaling = serde_json::from_value(params["scale"].clone())
        .map_err(|_| damaged("parameter `scale` is invalid"))?;
    let [status] = file.u8s("exact.status")?[..] else { return Err(incomplete()) };
    let status = *STATUS.get(status as usize).ok_or_else(incomplete)?;
    let [allowed, covered, hit, used] = file.u32s("exact.counts")?[..] else { return Err(incomplete()) };
    let [objective, bound, rest] = file.f64s("exact.value")?[..] else { return Err(incomplete()) };
    let [majority_weight, margin, strictness, box_cost, expand, low, high] = file.f64s("exact.goal")?[..]
    else {
        return Err(incomplete());
    };
    let goal =
        Goal { n_boxes: allowed as usize, majority_weight, margin, strictness, box_cost, expand, low, high };
    let (lower, upper) = (file.f64s("exact.lower")?, file.f64s("exact.upper")?);
    let priced = file.u32s("exact.priced_boxes")?;
    let (bounds, rewards) = (file.f64s("exact.priced_bounds")?, file.f64s("exact.rewards")?);
    let (bounds, odd) = bounds.as_chunks::<2>();
    if lower.len() != upper.len() || bounds.len() != priced.len() || !odd.is_empty() {
        return Err(incomplete());
    }
    let (lower, upper) = (shares(&lower, n_boxes)?, shares(&upper, n_boxes)?);
    let walls = lower.into_iter().zip(upper).map(|(lower, upper)| Walls { lower, upper }).collect();
    let rewards = shares(&rewards, priced.len())?;
    let prices = shares(&file.f64s("exact.prices")?, priced.len())?;
    let mut pairs = pairs(file, priced.len())?.into_iter();
    let mut certificates = Vec::with_capacity(priced.len());
    for (((reward, price), &n_boxes), &[sigma, bound]) in
        rewards.into_iter().zip(prices).zip(&priced).zip(bounds)
    {
        let pairs = pairs.next().unwrap_or_default();
        certificates.push(Certificate { n_boxes: n_boxes as usize, reward, price, pairs, sigma, bound });
    }
    Ok(Proof {
        status,
        goal,
        scaling,
        objective,
        bound,
        counts: [covered, hit, used],
        walls,
        certificates,
        rates: file.f64s("exact.rates")?,
        rest,
    })
}

/// Pairs of each of `n` certificates.
fn pairs(file: &Reader<'_>, n: usize) -> Result<Vec<Vec<PairPrice>>> {
    let wrong = || damaged("the pairs of a proof do not fit together");
    let (counts, rows) = (file.u32s("exact.n_pairs")?, file.u32s("exact.pairs")?);
    let prices = file.f64s("exact.pair_prices")?;
    let (rows, odd) = rows.as_chunks::<2>();
    if counts.len() != n || !odd.is_empty() || rows.len() != prices.len() {
        return Err(wrong());
    }
    let mut all = rows.iter().zip(prices).map(|(&[hit, covered], price)| PairPrice { hit, covered, price });
    let lists = counts.iter().map(|&count| all.by_ref().take(count as usize).collect::<Vec<_>>());
    let lists: Vec<Vec<PairPrice>> = lists.collect();
    let complete = lists.iter().zip(&counts).all(|(list, &count)| list.len() == count as usize);
    if complete && all.next().is_none() { Ok(lists) } else { Err(wrong()) }
}

/// An array cut into `n` parts of equal length.
fn shares(values: &[f64], n: usize) -> Result<Vec<Vec<f64>>> {
    let length = values.len().checked_div(n).unwrap_or_default();
    if length * n != values.len() {
        return Err(damaged("arrays of a proof have wrong lengths"));
    }
    Ok((0..n).map(|part| values[part * length..(part + 1) * length].to_vec()).collect())
}
