//! PRIM after peeling: pasting, and dropping of conditions.
//!
//! See Friedman and Fisher 1999, sections 8.2 and 9.

use super::prim_data::{BoxCondition, PrimData, PrimFeatureValues, TotalAndPositiveMass, ViolatedConditions};
use crate::feature_space::{BoxBounds, add_level, allow_all_levels};
use imbcore_core::{Result, RunContext};

/// Pasting: expands a box by thin slices while a slice raises its positive fraction.
///
/// Each step adds the slice that gives the largest positive fraction of the rows inside and, on ties, the
/// largest weight.
pub(crate) fn paste_slices(
    field: &PrimData<'_>,
    rows: &[u32],
    bounds: &mut BoxBounds,
    alpha: f64,
    ctl: RunContext<'_>,
) -> Result<()> {
    loop {
        ctl.check()?;
        let (mass, beyond) = rows_violating_one_condition(field, bounds, rows);
        let mut best = (mass, None);
        for (side, slice_rows) in beyond {
            for (added, grown) in relaxed_boxes(field, bounds, side, slice_rows, (alpha * mass.all).floor()) {
                let (mass, best_mass) = (expanded_mass(field, &grown, side, rows, mass.add(added)), best.0);
                let larger = best.1.is_some()
                    && mass.positive_fraction() == best_mass.positive_fraction()
                    && mass.all > best_mass.all;
                if mass.positive_fraction() > best_mass.positive_fraction() || larger {
                    best = (mass, Some(grown));
                }
            }
        }
        let Some(grown) = best.1 else { return Ok(()) };
        *bounds = grown;
    }
}

/// Removes conditions of a box while its positive fraction over `judges` does not fall.
///
/// Each step selects the condition whose removal gives the largest positive fraction over `rows`. `judges`
/// are the held-out rows, or `rows` if no rows are held out.
pub(crate) fn drop_unneeded_conditions(
    field: &PrimData<'_>,
    rows: &[u32],
    judges: &[u32],
    bounds: &mut BoxBounds,
    ctl: RunContext<'_>,
) -> Result<()> {
    let judged = |bounds: &BoxBounds| {
        field.total_mass(field.rows_inside(bounds, judges).into_iter()).positive_fraction()
    };
    loop {
        ctl.check()?;
        let (mass, beyond) = rows_violating_one_condition(field, bounds, rows);
        let mut best: Option<(TotalAndPositiveMass, BoxBounds)> = None;
        for (side, slice_rows) in beyond {
            let mut grown = bounds.clone();
            remove_condition(field, &mut grown, side);
            let sum = mass.add(field.total_mass(slice_rows.into_iter()));
            let without = expanded_mass(field, &grown, side, rows, sum);
            if best.as_ref().is_none_or(|(best, _)| without.positive_fraction() > best.positive_fraction()) {
                best = Some((without, grown));
            }
        }
        match best {
            Some((_, grown)) if judged(&grown) >= judged(bounds) => *bounds = grown,
            _ => return Ok(()),
        }
    }
}

/// Weights of the rows inside a box after it was expanded at `side`.
///
/// If the expanded box no longer restricts the feature of `side`, rows with a missing value of the feature
/// can be inside again, so the weights are computed from `rows`. Otherwise the result is `sum`, which must be
/// the weights of the rows inside.
fn expanded_mass(
    field: &PrimData<'_>,
    grown: &BoxBounds,
    side: BoxCondition,
    rows: &[u32],
    sum: TotalAndPositiveMass,
) -> TotalAndPositiveMass {
    if field.restricts_feature(grown, side.feature()) {
        sum
    } else {
        field.total_mass(field.rows_inside(grown, rows).into_iter())
    }
}

/// Weights of the rows inside a box, and the rows that violate exactly one condition.
fn rows_violating_one_condition(
    field: &PrimData<'_>,
    bounds: &BoxBounds,
    rows: &[u32],
) -> (TotalAndPositiveMass, Vec<(BoxCondition, Vec<u32>)>) {
    let limited = field.restricted_features(bounds);
    let mut beyond: Vec<(BoxCondition, Vec<u32>)> = Vec::new();
    for &feature in &limited {
        if let PrimFeatureValues::Codes(..) = field.cells[feature] {
            beyond.push((BoxCondition::Levels(feature), Vec::new()));
            continue;
        }
        if bounds.lower[feature] > f64::NEG_INFINITY {
            beyond.push((BoxCondition::Lower(feature), Vec::new()));
        }
        if bounds.upper[feature] < f64::INFINITY {
            beyond.push((BoxCondition::Upper(feature), Vec::new()));
        }
    }
    let mut mass = TotalAndPositiveMass::default();
    for &row in rows {
        match field.classify_violations(bounds, &limited, row) {
            ViolatedConditions::None => mass = mass.add(field.row_mass(row)),
            ViolatedConditions::One(side) => {
                if let Some((_, rows)) = beyond.iter_mut().find(|(other, _)| *other == side) {
                    rows.push(row);
                }
            }
            ViolatedConditions::Many => {}
        }
    }
    (mass, beyond)
}

/// All boxes that result if one condition of a box is relaxed by one step.
///
/// Each box comes with the weights of the rows that it adds. A numeric bound moves outwards over the nearest
/// rows, until these rows have a total weight of at least `weight`. A condition on levels allows one more
/// level.
fn relaxed_boxes(
    field: &PrimData<'_>,
    bounds: &BoxBounds,
    side: BoxCondition,
    mut rows: Vec<u32>,
    weight: f64,
) -> Vec<(TotalAndPositiveMass, BoxBounds)> {
    let feature = side.feature();
    match &field.cells[feature] {
        PrimFeatureValues::Numbers(values) => {
            let value = |row: u32| values[row as usize];
            rows.sort_by(|&a, &b| value(a).total_cmp(&value(b)).then(a.cmp(&b)));
            if matches!(side, BoxCondition::Lower(_)) {
                rows.reverse();
            }
            let (mut added, mut last) = (TotalAndPositiveMass::default(), None);
            for row in rows {
                if last.is_some_and(|last| last != value(row)) && added.all >= weight {
                    break;
                }
                added = added.add(field.row_mass(row));
                last = Some(value(row));
            }
            let Some(last) = last else { return Vec::new() };
            let mut grown = bounds.clone();
            let bound =
                if matches!(side, BoxCondition::Lower(_)) { &mut grown.lower } else { &mut grown.upper };
            bound[feature] = last;
            vec![(added, grown)]
        }
        PrimFeatureValues::Codes(codes, levels) => (0..*levels)
            .filter_map(|level| {
                let added =
                    field.total_mass(rows.iter().copied().filter(|&row| codes[row as usize] == level));
                let mut grown = bounds.clone();
                add_level(&mut grown.sets[field.space.level_word_range(feature)], level);
                (added.all > 0.0).then_some((added, grown))
            })
            .collect(),
    }
}

fn remove_condition(field: &PrimData<'_>, bounds: &mut BoxBounds, side: BoxCondition) {
    match side {
        BoxCondition::Lower(feature) => bounds.lower[feature] = f64::NEG_INFINITY,
        BoxCondition::Upper(feature) => bounds.upper[feature] = f64::INFINITY,
        BoxCondition::Levels(feature) => {
            if let PrimFeatureValues::Codes(_, levels) = field.cells[feature] {
                allow_all_levels(&mut bounds.sets[field.space.level_word_range(feature)], levels);
            }
        }
    }
}
