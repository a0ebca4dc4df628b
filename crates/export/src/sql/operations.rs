//! SQL expressions of the operations ([`Op`]) of the steps of an exported model.

use super::case_writer::{CaseStyle, tree_to_sql_case};
use super::{Dialect, SqlExpression, SqlNames, SqlQuery};
use crate::step::{ComparisonOp, ExportRule, Op};
use imbcore_core::memory::concat_strings;
use imbcore_core::text_buffer::TextBuffer;
use imbcore_core::{Error, Result, RunContext};

/// SQL expression of the number with index `at` of a step, from those of its operands.
///
/// If the step has trees, they must send each row down one path.
pub(super) fn step_expression(
    (op, at): (&Op, usize),
    of: Vec<SqlExpression>,
    words: SqlNames<'_>,
    query: &mut SqlQuery,
) -> Result<SqlExpression> {
    let dialect = words.dialect;
    let number = |value: f64| dialect.number_literal(value);
    match op {
        Op::Value { feature } => Ok(SqlExpression::from_row_text(words.quoted_feature_name(*feature)?, 0)),
        Op::Trees { trees } => {
            let style = CaseStyle { words, indent: 2, notes: None };
            let terms = trees.iter().map(|tree| {
                tree_to_sql_case(tree, |_, values| words.number_or_label_literal(values[at]), style)
            });
            query.combine_by_operator(terms.collect::<Result<_>>()?, '+')
        }
        Op::Rules { rules, otherwise } => {
            let case = |rule: &ExportRule| {
                Ok((
                    words.conjunction_of_conditions(&rule.all)?,
                    words.number_or_label_literal(rule.values[at]),
                ))
            };
            feature_case_expression(rules.iter().map(case), &words.number_or_label_literal(otherwise[at]))
        }
        Op::Bin { feature, cuts, missing } => {
            let name = words.quoted_feature_name(*feature)?;
            let bin =
                |(code, cut): (usize, &f64)| (format!("{name} <= {}", number(*cut)), number(code as f64));
            let gap = (format!("{name} IS NULL"), missing.map_or_else(null_literal, number));
            let cases = std::iter::once(gap).chain(cuts.iter().enumerate().map(bin));
            feature_case_expression(cases.map(Ok), &number(cuts.len() as f64))
        }
        Op::Level { feature, known, missing } => {
            let name = words.quoted_feature_name(*feature)?;
            let case = |&level: &u32| {
                Ok((format!("{name} = {}", words.level_literal(*feature, level)?), number(f64::from(level))))
            };
            feature_case_expression(known.iter().map(case), &missing.map_or_else(null_literal, number))
        }
        Op::AnyMissing { features } => {
            let lacks = words.missing_condition(features, &of)?;
            query.case_from_texts(of, |_| case_when([Ok((lacks, number(1.0)))], &number(0.0)))
        }
        Op::Table { sizes, rows } => table_lookup_expression(
            of,
            sizes,
            |row| words.number_or_label_literal(rows[row][at]),
            words,
            query,
        ),
        Op::Add | Op::Sum => query.combine_by_operator(of, '+'),
        Op::Subtract => query.combine_by_operator(of, '-'),
        Op::Multiply => query.combine_by_operator(of, '*'),
        Op::Divide => query.combine_by_operator(of, '/'),
        Op::Exp => query.case_from_texts(of, |of| Ok(dialect.exp_expression(&of[0]))),
        Op::Log => query.case_from_texts(of, |of| Ok(format!("LN({})", of[0]))),
        Op::Largest => query.case_from_texts(of, |of| label_of_largest_expression(of, of)),
        Op::FirstLargest => {
            let labels: Vec<String> =
                (0..of.len()).map(|place| words.number_or_label_literal(place as f64)).collect();
            query.case_from_texts(of, |of| label_of_largest_expression(of, &labels))
        }
        Op::Choose { test } => {
            let sign = match test {
                ComparisonOp::Less => "<",
                ComparisonOp::AtMost => "<=",
                ComparisonOp::Equal => "=",
            };
            let case = |of: &[String]| (format!("{} {sign} {}", of[0], of[1]), of[2].clone());
            query.case_from_texts(of, |of| case_when([Ok(case(of))], &of[3]))
        }
        Op::Curve { places, values } => {
            query.case_from_texts(of, |of| interpolation_expression(&of[0], (places, values), dialect))
        }
        Op::Stairs { places, values, reached } => {
            let below = if *reached { "<" } else { "<=" };
            query.case_from_texts(of, |of| {
                let case = |(place, value): (&f64, &f64)| {
                    (format!("{} {below} {}", of[0], number(*place)), number(*value))
                };
                case_when(places.iter().zip(values).map(case).map(Ok), &number(values[places.len()]))
            })
        }
        Op::Constant { values } => {
            Ok(SqlExpression::from_row_text(words.number_or_label_literal(values[at]), 0))
        }
        Op::Part { .. } | Op::Join => {
            Err(Error::Internal("parts and joins have no expression of their own".into()))
        }
    }
}

fn null_literal() -> String {
    "NULL".to_owned()
}

const MOST_INLINE_CELLS: usize = 8;

fn table_lookup_expression(
    of: Vec<SqlExpression>,
    sizes: &[usize],
    cell: impl Fn(usize) -> String,
    words: SqlNames<'_>,
    query: &mut SqlQuery,
) -> Result<SqlExpression> {
    let mut codes = of.into_iter();
    let Some(mut place) = codes.next() else { return Ok(SqlExpression::from_row_text(cell(0), 0)) };
    for (code, &size) in codes.zip(&sizes[1..]) {
        let size = SqlExpression::from_row_text(words.dialect.number_literal(size as f64), 0);
        place = query.combine_by_operator(vec![place, size], '*')?;
        place = query.combine_by_operator(vec![place, code], '+')?;
    }
    // Cells with the value 0 need no WHEN, because the CASE expression ends with ELSE 0.
    let otherwise = words.number_or_label_literal(0.0);
    let mut cells = TextBuffer::new();
    let mut n_cells = 0;
    for (row, value) in (0..sizes.iter().product()).map(cell).enumerate() {
        if value != otherwise {
            write!(cells, "WHEN {row} THEN {value} ")?;
            n_cells += 1;
        }
    }
    if n_cells == 0 {
        return Ok(SqlExpression::from_row_text(otherwise, 0));
    }
    // Databases may compute the code again for every WHEN, which takes quadratic time if the code is a CASE.
    if n_cells > MOST_INLINE_CELLS && !place.is_short(n_cells) {
        place = query.add_column(place)?;
    }
    query.case_from_texts(vec![place], |place| {
        concat_strings(&["CASE ", &place[0], " ", cells.as_str(), "ELSE ", &otherwise, " END"])
    })
}

/// CASE expression: the value of the first case whose condition holds, else `otherwise`.
fn case_when(cases: impl IntoIterator<Item = Result<(String, String)>>, otherwise: &str) -> Result<String> {
    let (mut all, ctl) = (TextBuffer::new(), RunContext::silent());
    for case in cases {
        ctl.check()?;
        let (test, value) = case?;
        write!(all, "{} WHEN {test} THEN {value}", if all.as_str().is_empty() { "CASE" } else { "" })?;
    }
    if all.as_str().is_empty() {
        return concat_strings(&[otherwise]);
    }
    write!(all, " ELSE {otherwise} END")?;
    Ok(all.into_string())
}

/// CASE expression whose conditions use only feature columns.
fn feature_case_expression(
    cases: impl IntoIterator<Item = Result<(String, String)>>,
    otherwise: &str,
) -> Result<SqlExpression> {
    let mut cases = cases.into_iter().peekable();
    let nested = usize::from(cases.peek().is_some());
    Ok(SqlExpression::from_row_text(case_when(cases, otherwise)?, nested))
}

/// CASE expression for the label of the largest number; the first label on ties.
fn label_of_largest_expression(numbers: &[String], labels: &[String]) -> Result<String> {
    let Some((last, before)) = labels.split_last() else { return Ok(null_literal()) };
    let case = |(place, value): (usize, &String)| {
        let mut all = TextBuffer::new();
        for other in &numbers[place + 1..] {
            let and = if all.as_str().is_empty() { "" } else { " AND " };
            write!(all, "{and}{} >= {other}", numbers[place])?;
        }
        Ok((all.into_string(), value.clone()))
    };
    case_when(before.iter().enumerate().map(case), last)
}

/// CASE expression for the linear interpolation between points.
fn interpolation_expression(
    score: &str,
    (places, values): (&[f64], &[f64]),
    dialect: Dialect,
) -> Result<String> {
    let number = |value: f64| dialect.number_literal(value);
    let mut cases = Vec::with_capacity(places.len());
    for (at, (&high, &to)) in places.iter().zip(values).enumerate() {
        let is_level = at == 0 || values[at - 1] == to;
        if !is_level {
            // At the right end of a segment, this case avoids the rounding error of the interpolation.
            cases.push((format!("{score} = {}", number(high)), number(to)));
        }
        let value = if is_level {
            number(to)
        } else {
            let (low, from) = (places[at - 1], values[at - 1]);
            let slope = number((to - from) / (high - low));
            format!("{slope} * ({score} - {}) + {}", number(low), number(from))
        };
        cases.push((format!("{score} <= {}", number(high)), value));
    }
    case_when(cases.into_iter().map(Ok), &number(values.last().copied().unwrap_or_default()))
}
