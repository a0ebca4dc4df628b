//! Calibration curves as columns of a query.

use super::beta::Beta;
use super::isotonic::Isotonic;
use super::sigmoid::Sigmoid;
use super::venn_abers::VennAbers;
use super::{Calibration, Curve};
use imbcore_base::Result;
use imbcore_base::sql::{Dialect, Query};

impl Calibration {
    /// Adds the probabilities that those in the columns `proba` stand for; returns their columns, of steps that are closed.
    ///
    /// # Errors
    /// None for a query that could be begun.
    pub fn sql(&self, query: &mut Query, proba: &[String]) -> Result<Vec<String>> {
        let one = query.dialect().number(1.0);
        if let [curve] = &self.curves[..] {
            let p = curve.sql(query, &proba[1])?;
            let other = query.add(format!("{one} - {p}"))?;
            query.close()?;
            return Ok(vec![other, p]);
        }
        let curved = self.curves.iter().zip(proba).map(|(curve, p)| curve.sql(query, p));
        let curved = curved.collect::<Result<Vec<String>>>()?;
        let total = query.add(curved.join(" + "))?;
        query.close()?;
        let level = query.dialect().number(1.0 / curved.len() as f64);
        let zero = query.dialect().number(0.0);
        let shared =
            |p: &String| query.add(format!("CASE WHEN {total} > {zero} THEN {p} / {total} ELSE {level} END"));
        let found = curved.iter().map(shared).collect::<Result<Vec<String>>>()?;
        query.close()?;
        Ok(found)
    }
}

impl Curve {
    /// Adds the value at the score in a column, in a step that is closed.
    fn sql(&self, query: &mut Query, score: &str) -> Result<String> {
        let dialect = query.dialect();
        let value = match self {
            Self::Sigmoid(curve) => {
                let z = query.add(curve.sql(dialect, score))?;
                query.close()?;
                logistic(dialect, &z)
            }
            Self::Beta(curve) => {
                let [p, q] = curve.clipped(dialect, score);
                let (p, q) = (query.add(p)?, query.add(q)?);
                query.close()?;
                let z = query.add(curve.sql(dialect, &p, &q))?;
                query.close()?;
                logistic(dialect, &z)
            }
            Self::Isotonic(curve) => curve.sql(dialect, score),
            Self::VennAbers(curve) => {
                let [lower, upper] = curve.sql(dialect, score);
                let (p0, p1) = (query.add(lower)?, query.add(upper)?);
                query.close()?;
                format!("{p1} / ({} - {p0} + {p1})", dialect.number(1.0))
            }
        };
        let found = query.add(value)?;
        query.close()?;
        Ok(found)
    }
}

/// `1 / (1 + exp(-z))` without an exponential that overflows, which `PostgreSQL` refuses.
fn logistic(dialect: Dialect, z: &str) -> String {
    let (zero, one) = (dialect.number(0.0), dialect.number(1.0));
    let (up, down) = (dialect.exp(&format!("-{z}")), dialect.exp(z));
    format!("CASE WHEN {z} >= {zero} THEN {one} / ({one} + {up}) ELSE {down} / ({one} + {down}) END")
}

impl Sigmoid {
    fn sql(&self, dialect: Dialect, score: &str) -> String {
        let [slope, constant] = self.coefficients().map(|number| dialect.number(number));
        format!("{slope} * {score} + {constant}")
    }
}

impl Beta {
    /// The score and its complement, no nearer to the ends than the curve knows.
    fn clipped(&self, dialect: Dialect, score: &str) -> [String; 2] {
        let ([_, _, _, lower, upper], one) = (self.coefficients(), dialect.number(1.0));
        let within = |value: &str, least: f64, most: f64| {
            let (least, most) = (dialect.number(least), dialect.number(most));
            format!(
                "CASE WHEN {value} < {least} THEN {least} WHEN {value} > {most} THEN {most} ELSE {value} END"
            )
        };
        [within(score, lower, 1.0 - upper), within(&format!("({one} - {score})"), upper, 1.0 - lower)]
    }

    fn sql(&self, dialect: Dialect, p: &str, q: &str) -> String {
        let [a, b, c, ..] = self.coefficients().map(|number| dialect.number(number));
        format!("{a} * LN({p}) - {b} * LN({q}) + {c}")
    }
}

impl Isotonic {
    fn sql(&self, dialect: Dialect, score: &str) -> String {
        let (scores, values) = self.knots();
        let number = |value: f64| dialect.number(value);
        let mut cases = Vec::with_capacity(scores.len());
        for (at, (&high, &to)) in scores.iter().zip(values).enumerate() {
            let value = match at {
                0 => number(to),
                _ if values[at - 1] == to => number(to),
                _ => {
                    let (low, from) = (scores[at - 1], values[at - 1]);
                    let slope = number((to - from) / (high - low));
                    // At the knot itself the line may miss by a rounding.
                    cases.push(format!("WHEN {score} = {} THEN {}", number(high), number(to)));
                    format!("{slope} * ({score} - {}) + {}", number(low), number(from))
                }
            };
            cases.push(format!("WHEN {score} <= {} THEN {value}", number(high)));
        }
        let last = values.last().copied().unwrap_or_default();
        format!("CASE {} ELSE {} END", cases.join(" "), number(last))
    }
}

impl VennAbers {
    fn sql(&self, dialect: Dialect, score: &str) -> [String; 2] {
        let steps = |(places, values): (&[f64], &[f64]), below: &str| {
            let Some((last, before)) = values.split_last() else { return dialect.number(0.0) };
            if places.is_empty() {
                return dialect.number(*last);
            }
            let case = |(place, value): (&f64, &f64)| {
                format!("WHEN {score} {below} {} THEN {}", dialect.number(*place), dialect.number(*value))
            };
            let cases: Vec<String> = places.iter().zip(before).map(case).collect();
            format!("CASE {} ELSE {} END", cases.join(" "), dialect.number(*last))
        };
        let [lower, upper] = self.steps();
        [steps(lower, "<"), steps(upper, "<=")]
    }
}
