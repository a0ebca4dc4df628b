//! Samplers on 100,000 rows of 20 normal columns; one row in a hundred is rare and higher by 1 in five
//! columns.

// A bench that cannot run has nothing to report.
#![allow(clippy::unwrap_used)]

use criterion::{Criterion, criterion_group, criterion_main};
use imbcore_core::{Frame, Label, RunContext, SeedKey, uniform};
use imbcore_resample::{ResamplingTask, plan};
use serde_json::json;
use std::hint::black_box;

const ROWS: usize = 100_000;
const COLUMNS: usize = 20;

/// Normal numbers by pairs (Box and Muller 1958).
fn values() -> Vec<f64> {
    let mut rng = SeedKey::root(0).rng();
    let mut values: Vec<f64> = Vec::with_capacity(ROWS * COLUMNS);
    while values.len() < ROWS * COLUMNS {
        let (length, turn) =
            ((-2.0 * (1.0 - uniform(&mut rng)).ln()).sqrt(), std::f64::consts::TAU * uniform(&mut rng));
        values.extend([length * turn.cos(), length * turn.sin()]);
    }
    for row in values.chunks_exact_mut(COLUMNS).step_by(100) {
        row[..5].iter_mut().for_each(|x| *x += 1.0);
    }
    values
}

fn samplers(criterion: &mut Criterion) {
    let values = values();
    let classes: Vec<u32> = (0..ROWS).map(|row| u32::from(row % 100 == 0)).collect();
    let frame = Frame::from_row_major(&values, ROWS, COLUMNS).unwrap();
    let labels = [Label::Int(0), Label::Int(1)];
    let task = ResamplingTask::new(Some(&frame), &classes, &labels).unwrap();
    let given = json!({});
    let given = given.as_object().unwrap();
    let mut group = criterion.benchmark_group("sample");
    group.sample_size(10);
    for name in [
        "smote",
        "borderline_smote",
        "adasyn",
        "tomek_links",
        "one_sided_selection",
        "condensed_nearest_neighbour",
    ] {
        group.bench_function(name, |bench| {
            bench.iter(|| {
                let plan = plan(name, given, &task, SeedKey::root(0), RunContext::silent()).unwrap();
                black_box((plan.added.numeric_values(&frame).unwrap(), plan.kept))
            });
        });
    }
    group.finish();
}

criterion_group!(benches, samplers);
criterion_main!(benches);
