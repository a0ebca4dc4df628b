//! Box drawings as a family of methods: fitting, and their part of the model file.

use crate::exact_boxes;
use crate::file::{Reader, Writer};
use crate::model::Fitted;
use crate::registry::{Recipe, Run};
use imbcore_base::{Error, Learner, Result, Schema};
use imbcore_boxes::fast::{FinalRule, Finish, Negatives, Nested, Sums, Sweep};
use imbcore_boxes::prim::{Change, Covering, Step, Trajectory};
use imbcore_boxes::{
    BoxDrawing, BoxFacts, BoxModel, FastBoxesParams, MissingRule, PrimParams, Scores, Space, TrainingFacts,
    TrainingRange,
};
use serde_json::Value;

impl Recipe for FastBoxesParams {
    fn fit(self, method: &'static str, run: Run<'_, '_>) -> Result<Fitted> {
        let learner = self.check(method)?.class_weight(run.class_weight).positive(Some(run.positive));
        Ok(Fitted::Boxes(learner.fit(run.data, run.key, run.ctl)?))
    }
}

impl Recipe for PrimParams {
    fn fit(self, method: &'static str, run: Run<'_, '_>) -> Result<Fitted> {
        let learner = self.check(method)?.class_weight(run.class_weight).positive(Some(run.positive));
        Ok(Fitted::Boxes(learner.fit(run.data, run.key, run.ctl)?))
    }
}

pub(crate) fn write(model: &BoxModel, file: &mut Writer) {
    let facts = model.facts();
    file.u32s("boxes.positive", &[model.positive()]);
    file.f64s("boxes.low", &facts.range.low);
    file.f64s("boxes.high", &facts.range.high);
    file.f64s("boxes.support", &facts.boxes.iter().map(|one| one.support).collect::<Vec<_>>());
    file.f64s("boxes.positives", &facts.boxes.iter().map(|one| one.positives).collect::<Vec<_>>());
    file.f64s("boxes.totals", &[facts.total, facts.positives]);
    match model.scores() {
        Scores::Nested { nested, own } => write_nested(nested, *own, file),
        Scores::Proven(proof) => {
            write_drawing("boxes", model.drawing(), file);
            exact_boxes::write(proof, file);
        }
        Scores::Covering(covering) => {
            write_drawing("boxes", model.drawing(), file);
            write_covering(covering, file);
        }
    }
}

fn write_drawing(name: &str, drawing: &BoxDrawing, file: &mut Writer) {
    file.f64s(&format!("{name}.lower"), drawing.lower());
    file.f64s(&format!("{name}.upper"), drawing.upper());
    file.u32s(&format!("{name}.sets"), drawing.sets());
}

fn write_nested(nested: &Nested, own: usize, file: &mut Writer) {
    let Nested { sweep, finish, beta, weights, drawings, negatives } = nested;
    file.u32s("fast.own", &[own as u32]);
    file.u32s("fast.n_boxes", &[sweep.start.n_boxes() as u32]);
    file.f64s("fast.finish", &[finish.eps, *beta]);
    file.f64s("fast.weights", weights);
    file.f64s("fast.units", &sweep.units);
    file.f64s("fast.log_p", &sweep.sums.log_p);
    file.f64s("fast.log_n", &sweep.sums.log_n);
    write_drawing("fast.start", &sweep.start, file);
    // The drawings of all weights, one after the other.
    file.f64s("fast.lower", &drawings.iter().flat_map(|d| d.lower().to_vec()).collect::<Vec<_>>());
    file.f64s("fast.upper", &drawings.iter().flat_map(|d| d.upper().to_vec()).collect::<Vec<_>>());
    file.u32s("fast.sets", &drawings.iter().flat_map(|d| d.sets().to_vec()).collect::<Vec<_>>());
    if let Some(negatives) = negatives {
        let ends = negatives.values.iter().scan(0, |end, values| {
            *end += values.len() as u32;
            Some(*end)
        });
        file.u32s("fast.negative_ends", &ends.collect::<Vec<_>>());
        file.f64s("fast.negatives", &negatives.values.concat());
        file.u32s("fast.negative_levels", &negatives.levels);
    }
}

fn write_covering(covering: &Covering, file: &mut Writer) {
    let steps = || covering.trajectories.iter().flat_map(|trajectory| &trajectory.steps);
    let parts = |change: &Change| match *change {
        Change::Start => (0, 0, 0.0),
        Change::Lower(feature, value) => (1, feature as u32, value),
        Change::Upper(feature, value) => (2, feature as u32, value),
        Change::Without(feature, level) => (3, feature as u32, f64::from(level)),
    };
    let changes: Vec<(u8, u32, f64)> = steps().map(|step| parts(&step.change)).collect();
    file.f64s("prim.rates", &covering.rates);
    file.f64s("prim.rest", &[covering.rest, covering.c]);
    file.u32s("prim.chosen", &covering.trajectories.iter().map(|t| t.chosen as u32).collect::<Vec<_>>());
    file.u32s("prim.steps", &covering.trajectories.iter().map(|t| t.steps.len() as u32).collect::<Vec<_>>());
    file.u8s("prim.kind", &changes.iter().map(|change| change.0).collect::<Vec<_>>());
    file.u32s("prim.feature", &changes.iter().map(|change| change.1).collect::<Vec<_>>());
    file.f64s("prim.value", &changes.iter().map(|change| change.2).collect::<Vec<_>>());
    file.f64s("prim.mass", &steps().map(|step| step.mass).collect::<Vec<_>>());
    file.f64s("prim.positives", &steps().map(|step| step.positives).collect::<Vec<_>>());
}

pub(crate) fn read(file: &Reader<'_>, params: &Value, schema: &Schema) -> Result<BoxModel> {
    let space = Space::of_features(&schema.features);
    let missing: MissingRule = serde_json::from_value(params["missing"].clone())
        .map_err(|_| damaged("parameter `missing` is invalid"))?;
    let (support, positives) = (file.f64s("boxes.support")?, file.f64s("boxes.positives")?);
    if support.len() != positives.len() || schema.classes.len() != 2 {
        return Err(damaged("it has not the facts of every box, or more classes than two"));
    }
    let [total, all_positives] = file.f64s("boxes.totals")?[..] else {
        return Err(damaged("it has not the weights of the classes"));
    };
    let [positive] = file.u32s("boxes.positive")?[..] else {
        return Err(damaged("it does not say which class the boxes are for"));
    };
    let boxes: Vec<BoxFacts> = support
        .iter()
        .zip(&positives)
        .map(|(&support, &positives)| BoxFacts { support, positives })
        .collect();
    let range = TrainingRange { low: file.f64s("boxes.low")?, high: file.f64s("boxes.high")? };
    let n_boxes = boxes.len();
    let facts = TrainingFacts { range, boxes, total, positives: all_positives };
    let (drawing, scores) = if file.has("prim.rates") {
        let drawing = read_drawing("boxes", &space, n_boxes, file)?;
        let covering = read_covering(file)?.check(n_boxes, &space)?;
        (drawing, Scores::Covering(covering))
    } else if file.has("exact.status") {
        let drawing = read_drawing("boxes", &space, n_boxes, file)?;
        let proof = exact_boxes::read(file, params, n_boxes)?.check(&drawing, &facts.range)?;
        (drawing, Scores::Proven(Box::new(proof)))
    } else {
        let (nested, own) = read_nested(&space, params, file)?;
        (nested.drawings[own].clone(), Scores::Nested { nested: Box::new(nested), own })
    };
    BoxModel::from_parts(drawing, scores, positive, missing, facts)
}

fn read_drawing(name: &str, space: &Space, n_boxes: usize, file: &Reader<'_>) -> Result<BoxDrawing> {
    let lower = file.f64s(&format!("{name}.lower"))?;
    let upper = file.f64s(&format!("{name}.upper"))?;
    BoxDrawing::from_arrays(space.clone(), n_boxes, lower, upper, file.u32s(&format!("{name}.sets"))?)
}

fn read_nested(space: &Space, params: &Value, file: &Reader<'_>) -> Result<(Nested, usize)> {
    let ([own], [n_boxes], [eps, beta]) =
        (&file.u32s("fast.own")?[..], &file.u32s("fast.n_boxes")?[..], &file.f64s("fast.finish")?[..])
    else {
        return Err(damaged("settings of the boxes are missing"));
    };
    let (own, n_boxes, eps, beta) = (*own as usize, *n_boxes as usize, *eps, *beta);
    let rule: FinalRule = serde_json::from_value(params["bound_rule"].clone())
        .map_err(|_| damaged("parameter `bound_rule` is invalid"))?;
    let start = read_drawing("fast.start", space, n_boxes, file)?;
    let sums = Sums { log_p: file.f64s("fast.log_p")?, log_n: file.f64s("fast.log_n")? };
    let sweep = Sweep { start, units: file.f64s("fast.units")?, sums };
    let weights = file.f64s("fast.weights")?;
    let (lower, upper) = (file.f64s("fast.lower")?, file.f64s("fast.upper")?);
    let sets = file.u32s("fast.sets")?;
    let (cells, words) = (n_boxes * space.n_features(), n_boxes * space.n_words());
    if lower.len() != cells * weights.len()
        || upper.len() != lower.len()
        || sets.len() != words * weights.len()
    {
        return Err(damaged("it has not the boxes of every weight"));
    }
    let drawing = |level: usize| {
        let cells = level * cells..(level + 1) * cells;
        let words = level * words..(level + 1) * words;
        let (lower, upper) = (lower[cells.clone()].to_vec(), upper[cells].to_vec());
        BoxDrawing::from_arrays(space.clone(), n_boxes, lower, upper, sets[words].to_vec())
    };
    let drawings = (0..weights.len()).map(drawing).collect::<Result<Vec<_>>>()?;
    let negatives = if file.has("fast.negative_ends") { Some(read_negatives(file)?) } else { None };
    let nested = Nested { sweep, finish: Finish { rule, eps }, beta, weights, drawings, negatives };
    Ok((nested.check(own)?, own))
}

fn read_negatives(file: &Reader<'_>) -> Result<Negatives> {
    let values = file.f64s("fast.negatives")?;
    let mut start = 0;
    let part = |end: u32| {
        let part = values.get(start..end as usize).map(<[f64]>::to_vec);
        start = end as usize;
        part.ok_or_else(|| damaged("the parts of array `fast.negatives` do not fit it"))
    };
    let values = file.u32s("fast.negative_ends")?.into_iter().map(part).collect::<Result<Vec<_>>>()?;
    Ok(Negatives { values, levels: file.u32s("fast.negative_levels")? })
}

fn read_covering(file: &Reader<'_>) -> Result<Covering> {
    let [rest, c] = file.f64s("prim.rest")?[..] else {
        return Err(damaged("it does not say how frequent the class is outside all boxes"));
    };
    let (kinds, features) = (file.u8s("prim.kind")?, file.u32s("prim.feature")?);
    let (values, masses) = (file.f64s("prim.value")?, file.f64s("prim.mass")?);
    let positives = file.f64s("prim.positives")?;
    let (chosen, lengths) = (file.u32s("prim.chosen")?, file.u32s("prim.steps")?);
    let n_steps = lengths.iter().map(|&length| length as usize).sum::<usize>();
    let arrays = [kinds.len(), features.len(), values.len(), masses.len(), positives.len()];
    if arrays.iter().any(|&length| length != n_steps) || chosen.len() != lengths.len() {
        return Err(damaged("arrays of a trajectory have different lengths"));
    }
    let step = |at: usize| {
        let feature = features[at] as usize;
        let change = match kinds[at] {
            0 => Change::Start,
            1 => Change::Lower(feature, values[at]),
            2 => Change::Upper(feature, values[at]),
            3 if values[at].fract() == 0.0 && (0.0..f64::from(u32::MAX)).contains(&values[at]) => {
                // A whole number of 32 bits.
                #[allow(clippy::cast_sign_loss)]
                Change::Without(feature, values[at] as u32)
            }
            _ => return Err(damaged("a step of a trajectory is impossible")),
        };
        Ok(Step { change, mass: masses[at], positives: positives[at] })
    };
    let mut start = 0;
    let mut trajectories = Vec::with_capacity(chosen.len());
    for (&chosen, &length) in chosen.iter().zip(&lengths) {
        let end = start + length as usize;
        let steps = (start..end).map(step).collect::<Result<Vec<_>>>()?;
        trajectories.push(Trajectory { steps, chosen: chosen as usize });
        start = end;
    }
    Ok(Covering { rates: file.f64s("prim.rates")?, rest, c, trajectories })
}

pub(crate) fn damaged(what: &str) -> Error {
    Error::Format(format!("the model file is damaged: {what}"))
}
