//! Tests of linear programs that are modified and solved again.

use super::iterations::LpStatus;
use super::program::{DictionaryPosition, Simplex};

struct Draw(u64);

impl Draw {
    fn bits(&mut self) -> u32 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as u32
    }

    fn unit(&mut self) -> f64 {
        f64::from(self.bits()) / f64::from(1_u32 << 31)
    }

    fn below(&mut self, n: usize) -> usize {
        self.bits() as usize % n
    }

    fn entries(&mut self, n: usize, whole: bool) -> Vec<(usize, f64)> {
        (0..n)
            .filter_map(|i| {
                let weight = 3.0 * self.unit() - 1.0;
                (self.unit() < 0.6).then_some((i, if whole { weight.round() } else { weight }))
            })
            .collect()
    }
}

fn objective(program: &Simplex) -> f64 {
    (0..program.cost.len()).map(|col| program.cost[col] * program.value(col)).sum()
}

fn solved(program: &mut Simplex) -> LpStatus {
    program.minimize(|| Ok(())).unwrap()
}

#[test]
fn two_rows_meet() {
    let mut program = Simplex::default();
    let (x, y) = (program.add_col(0.0, 5.0, 2.0, &[]), program.add_col(0.0, 5.0, 3.0, &[]));
    let first = program.add_row(&[(x, 1.0), (y, 2.0)], 4.0);
    let second = program.add_row(&[(x, 2.0), (y, 1.0)], 3.0);
    assert_eq!(solved(&mut program), LpStatus::Optimal);
    assert!((program.value(x) - 2.0 / 3.0).abs() < 1e-12 && (program.value(y) - 5.0 / 3.0).abs() < 1e-12);
    assert!(
        (4.0 * program.dual_value(first) + 3.0 * program.dual_value(second) - objective(&program)).abs()
            < 1e-12
    );
    assert!((objective(&program) - (4.0 / 3.0 + 5.0)).abs() < 1e-6, "costs are slightly perturbed");
    let z = program.add_col(0.0, 1.0, 1.0, &[(first, 2.0), (second, 2.0)]);
    assert_eq!(solved(&mut program), LpStatus::Optimal);
    assert!((program.value(z) - 1.0).abs() < 1e-12 && (objective(&program) - 4.0).abs() < 1e-6);
    assert_eq!(program.drop_row_if_nonbinding(first), program.dual_value(first) == 0.0);
    program.add_row(&[(x, 1.0), (y, 1.0), (z, 1.0)], 11.5);
    assert_eq!(solved(&mut program), LpStatus::Infeasible);
}

#[test]
fn a_program_without_rows_is_at_its_bounds() {
    let mut program = Simplex::default();
    assert_eq!(solved(&mut program), LpStatus::Optimal);
    program.add_col(-1.0, 2.0, 1.0, &[]);
    program.add_col(-1.0, 2.0, -1.0, &[]);
    assert_eq!(solved(&mut program), LpStatus::Optimal);
    assert_eq!((program.value(0), program.value(1)), (-1.0, 2.0));
}

#[test]
fn a_stopped_program_continues_from_its_basis() {
    let mut draw = Draw(5);
    let mut program = Simplex::default();
    for _ in 0..30 {
        program.add_col(0.0, 1.0, draw.unit(), &[]);
    }
    for _ in 0..30 {
        let entries = draw.entries(30, false);
        program.add_row(&entries, 1.0);
    }
    let mut anew = program.clone();
    assert_eq!(solved(&mut anew), LpStatus::Optimal);
    let (mut stops, mut steps) = (0, 0);
    while program
        .minimize(|| {
            steps += 1;
            if steps % 3 == 0 { Err(imbcore_core::Error::Cancelled) } else { Ok(()) }
        })
        .is_err()
    {
        stops += 1;
    }
    assert!(stops > 2, "{stops}");
    assert!((objective(&program) - objective(&anew)).abs() < 1e-12);
}

#[test]
fn a_modified_program_has_the_solution_of_a_new_one() {
    let (mut optimal, mut impossible) = (0, 0);
    for seed in 0..300 {
        let mut draw = Draw(seed);
        let whole = seed % 2 == 0;
        let mut program = Simplex::default();
        for _ in 0..12 {
            for _ in 0..draw.below(4) {
                let n = program.rows.len();
                let mut entries = draw.entries(n, whole);
                entries.retain(|(row, _)| program.row_positions[*row] != DictionaryPosition::Gone);
                let (a, b) = (draw.unit() * 2.0 - 1.0, draw.unit() * 2.0);
                let cost = (4.0 * draw.unit() - 1.0).round();
                program.add_col(a, a + b, cost, &entries);
            }
            for _ in 0..draw.below(4) {
                let n = program.cost.len();
                let (mut entries, most) = (draw.entries(n, whole), draw.unit() - 0.5);
                entries.retain(|(col, _)| program.column_positions[*col] != DictionaryPosition::Gone);
                program.add_row(&entries, most);
            }
            if !program.rows.is_empty() {
                program.drop_row_if_nonbinding(draw.below(program.rows.len()));
            }
            if !program.cost.is_empty() {
                let (a, b) = (draw.unit() * 2.0 - 1.0, draw.unit());
                let col = draw.below(program.cost.len());
                if program.column_positions[col] != DictionaryPosition::Gone
                    && !(draw.unit() < 0.1 && program.drop_col_if_nonbasic(col))
                {
                    program.set_bounds(col, a, a + if b < 0.2 { 0.0 } else { b });
                }
            }
            let status = solved(&mut program);
            let mut anew = program.clone();
            anew.rebuild_slack_dictionary();
            assert_eq!(status, solved(&mut anew), "{seed}");
            assert_ne!(status, LpStatus::Trouble, "{seed}");
            if status == LpStatus::Optimal {
                optimal += 1;
                assert!((objective(&program) - objective(&anew)).abs() < 1e-7, "{seed}");
            } else {
                impossible += 1;
                break;
            }
        }
    }
    assert!(optimal > 500 && impossible > 50, "{optimal} {impossible}");
}
