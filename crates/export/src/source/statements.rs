//! Expression steps as statements.

use super::target_language::TargetLanguage;
use super::tree_arrays::TreeArrayBuilder;
use crate::formula::Formula;
use crate::step::{ComparisonOp, ExportRule, Op, RuleCondition, Step};
use imbcore_core::text_buffer::TextBuffer;
use imbcore_core::{FeatureKind, Result, RunContext};
use std::collections::BTreeSet;

pub(super) struct StatementWriter<'f> {
    language: TargetLanguage,
    steps: &'f [Step],
    features: &'f [imbcore_core::Feature],
    pub(super) forest: TreeArrayBuilder,
    /// Source code of the constant arrays that the statements read, such as tables and curves.
    pub(super) arrays: TextBuffer,
    /// Names of the helper functions that the statements call.
    pub(super) helpers: BTreeSet<&'static str>,
}

impl<'f> StatementWriter<'f> {
    pub(super) fn new(formula: &'f Formula<'_>, language: TargetLanguage) -> Self {
        let (steps, features) = (formula.builder.steps(), &formula.schema.features);
        let (forest, arrays, helpers) =
            (TreeArrayBuilder::new(formula.builder.lookup_tables()), TextBuffer::new(), BTreeSet::new());
        Self { language, steps, features, forest, arrays, helpers }
    }

    pub(super) fn write_body(&mut self, formula: &Formula<'_>) -> Result<TextBuffer> {
        let (mut text, ctl) = (TextBuffer::new(), RunContext::silent());
        for at in 0..self.steps.len() {
            ctl.check()?;
            self.write_step(at, &mut text)?;
        }
        let language = self.language;
        if let Some(refused) = formula.refused {
            let refused = self.operand_source(refused.step_index(), 0);
            let (missing, none) =
                (language.number_literal(f64::NAN), language.pick_by_language("-1", "None"));
            writeln!(text, "    if {} {{", language.if_condition(&format!("{refused} != 0.0")))?;
            for class in 0..formula.schema.classes.len() {
                writeln!(text, "        proba[{class}] = {missing};")?;
            }
            writeln!(text, "        return {none};\n    }}")?;
        }
        for class in 0..formula.schema.classes.len() {
            writeln!(
                text,
                "    proba[{class}] = {};",
                self.operand_source(formula.outputs[0].step_index(), class)
            )?;
        }
        let class = self.operand_source(formula.outputs[1].step_index(), 0);
        match language {
            TargetLanguage::C => writeln!(text, "    return (int) ({class});")?,
            TargetLanguage::Rust => writeln!(text, "    Some({class} as usize)")?,
        }
        Ok(text)
    }

    /// Source code that reads the number with index `at` of a step.
    ///
    /// A step with only one number is broadcast: this number is read for every `at`.
    fn operand_source(&self, step: usize, at: usize) -> String {
        let Step { op, of, width } = &self.steps[step];
        let at = if *width == 1 { 0 } else { at };
        match op {
            Op::Constant { values } => self.language.number_literal(values[at]),
            Op::Part { at } => self.operand_source(of[0], *at),
            _ => format!("v{step}[{at}]"),
        }
    }

    fn write_step(&mut self, at: usize, text: &mut TextBuffer) -> Result<()> {
        let (language, Step { op, of, width }) = (self.language, &self.steps[at]);
        if matches!(op, Op::Constant { .. } | Op::Part { .. }) {
            return Ok(());
        }
        let own = format!("v{at}");
        writeln!(text, "    {}", language.array_declaration(at, *width))?;
        let call = match op {
            Op::Trees { trees } => {
                let roots = trees.iter().map(|tree| self.forest.add_tree(tree));
                let roots = roots.collect::<Result<Vec<usize>>>()?;
                let array = (&format!("ROOTS_{at}")[..], "u32");
                language.write_array(&mut self.arrays, array, roots.iter().map(ToString::to_string))?;
                self.helpers.insert("sum_trees");
                format!(
                    "sum_trees({}, {}, {}, {}, {width})",
                    language.array_parameter("x"),
                    language.array_parameter(&format!("ROOTS_{at}")),
                    roots.len(),
                    language.output_parameter(&own)
                )
            }
            Op::Table { sizes, rows } => {
                let name = self.add_constant_array("TABLE", at, TableCellIterator::new(rows))?;
                self.helpers.insert("copy_row");
                let place =
                    of.iter().zip(sizes).enumerate().fold(String::new(), |place, (at, (&code, size))| {
                        let code = self.operand_source(code, 0);
                        match at {
                            0 => code,
                            1 => format!("{place} * {size}.0 + {code}"),
                            _ => format!("({place}) * {size}.0 + {code}"),
                        }
                    });
                let place = if place.is_empty() { "0.0".to_owned() } else { place };
                format!("copy_row({name}, {place}, {}, {width})", language.output_parameter(&own))
            }
            Op::Rules { rules, otherwise } => {
                return self.write_rules(&own, rules, otherwise, text);
            }
            _ => {
                for place in 0..*width {
                    let value = self.expression_of_number(at, place)?;
                    writeln!(text, "    {own}[{place}] = {value};")?;
                }
                return Ok(());
            }
        };
        writeln!(text, "    {call};")
    }

    /// Adds a constant array of doubles, whose name contains the index `at` of its step.
    ///
    /// Returns the source code that passes the array to a helper function.
    fn add_constant_array<'a>(
        &mut self,
        what: &str,
        at: usize,
        numbers: impl IntoIterator<Item = &'a f64, IntoIter: ExactSizeIterator>,
    ) -> Result<String> {
        let (language, name) = (self.language, format!("{what}_{at}"));
        let cells = numbers.into_iter().map(|&number| language.number_literal(number));
        language.write_array(&mut self.arrays, (&name, "f64"), cells)?;
        Ok(language.array_parameter(&name))
    }

    /// Expression that computes number `place` of step `at`.
    fn expression_of_number(&mut self, at: usize, place: usize) -> Result<String> {
        let (language, Step { op, of, .. }) = (self.language, &self.steps[at]);
        let cell = |which: usize| self.operand_source(of[which], place);
        let joined = |sign: &str| format!("{} {sign} {}", cell(0), cell(1));
        let all = |step: usize| {
            (0..self.steps[step].width).map(|at| self.operand_source(step, at)).collect::<Vec<_>>()
        };
        Ok(match op {
            Op::Add => joined("+"),
            Op::Subtract => joined("-"),
            Op::Multiply => joined("*"),
            Op::Divide => joined("/"),
            Op::Exp => language.function_call("exp", &cell(0)),
            Op::Log => language.function_call("log", &cell(0)),
            Op::Sum => all(of[0]).join(" + "),
            Op::Choose { test } => {
                let sign = match test {
                    ComparisonOp::Less => "<",
                    ComparisonOp::AtMost => "<=",
                    ComparisonOp::Equal => "==",
                };
                language.conditional_expression(&joined(sign), &cell(2), &cell(3))
            }
            Op::Join => of.iter().flat_map(|&step| all(step)).nth(place).unwrap_or_default(),
            Op::AnyMissing { features } => {
                let features = features.iter().map(|feature| format!("x[{feature}]"));
                let missing = features.chain(of.iter().map(|&code| self.operand_source(code, 0)));
                let missing: Vec<String> =
                    missing.map(|number| language.missing_value_test(&number)).collect();
                language.conditional_expression(&missing.join(" || "), "1.0", "0.0")
            }
            Op::Largest | Op::FirstLargest => {
                let name = if *op == Op::Largest { "largest" } else { "first_largest" };
                self.helpers.insert(name);
                let width = self.steps[of[0]].width;
                format!("{name}({}, {width})", language.array_parameter(&format!("v{}", of[0])))
            }
            Op::Value { feature } => format!("x[{feature}]"),
            Op::Bin { feature, cuts, missing } => {
                let cuts_of = self.add_constant_array("CUTS", at, cuts)?;
                self.helpers.insert("count_less");
                let missing = language.number_literal(missing.unwrap_or(f64::NAN));
                let value = format!("x[{feature}]");
                let n = cuts.len();
                language.conditional_expression(
                    &language.missing_value_test(&value),
                    &missing,
                    &language.double_cast_expression(&format!("count_less({cuts_of}, {n}, {value})")),
                )
            }
            Op::Level { feature, known, missing } => {
                let missing = missing.unwrap_or(f64::NAN);
                let n_levels = match &self.features[*feature].kind {
                    FeatureKind::Nominal { levels } => levels.len() as u32,
                    FeatureKind::Numeric => 0,
                };
                let code = |level: u32| if known.contains(&level) { f64::from(level) } else { missing };
                let codes: Vec<f64> = (0..n_levels).map(code).collect();
                self.add_constant_array("CODES", at, &codes)?;
                let value = format!("x[{feature}]");
                let there = format!("CODES_{at}[{}]", language.index_cast_expression(&value));
                language.conditional_expression(
                    &language.missing_value_test(&value),
                    &language.number_literal(missing),
                    &there,
                )
            }
            Op::Curve { places, values } => {
                let (xs, ys) = (
                    self.add_constant_array("POINTS", at, places)?,
                    self.add_constant_array("HEIGHTS", at, values)?,
                );
                self.helpers.extend(["count_less", "interpolate"]);
                format!("interpolate({xs}, {ys}, {}, {})", places.len(), self.operand_source(of[0], 0))
            }
            Op::Stairs { places, values, reached } => {
                let xs = self.add_constant_array("POINTS", at, places)?;
                self.add_constant_array("HEIGHTS", at, values)?;
                let count = if *reached { "count_at_most" } else { "count_less" };
                self.helpers.insert(count);
                format!("HEIGHTS_{at}[{count}({xs}, {}, {})]", places.len(), self.operand_source(of[0], 0))
            }
            // Steps with one of the following operations are never passed to this function, because they are
            // not single expressions.
            Op::Constant { .. }
            | Op::Part { .. }
            | Op::Trees { .. }
            | Op::Table { .. }
            | Op::Rules { .. } => String::new(),
        })
    }

    fn write_rules(
        &self,
        own: &str,
        rules: &[ExportRule],
        otherwise: &[f64],
        text: &mut TextBuffer,
    ) -> Result<()> {
        let assign = |values: &[f64], text: &mut TextBuffer| {
            let mut numbered = values.iter().enumerate();
            numbered.try_for_each(|(place, &value)| {
                writeln!(text, "        {own}[{place}] = {};", self.language.number_literal(value))
            })
        };
        let mut begin = "    if";
        for rule in rules {
            let tests: Vec<String> =
                rule.all.iter().flat_map(|wanted| self.condition_tests(wanted)).collect();
            let all = self.join_conditions(&tests, "\n        && ");
            writeln!(text, "{begin} {} {{", self.language.if_condition(&all))?;
            assign(&rule.values, text)?;
            begin = "    } else if";
        }
        writeln!(text, "{}", if rules.is_empty() { "    {" } else { "    } else {" })?;
        assign(otherwise, text)?;
        text.push_str("    }\n")
    }

    /// Joins tests by the operator `and`.
    ///
    /// If there are several tests, those with `||` get parentheses. Compilers warn of missing parentheses,
    /// and of superfluous parentheses around a single test.
    fn join_conditions(&self, tests: &[String], and: &str) -> String {
        match tests {
            [] => self.language.boolean_literal(true).to_owned(),
            [one] => one.clone(),
            _ => {
                let parenthesized = |test: &String| {
                    if test.contains(" || ") { format!("({test})") } else { test.clone() }
                };
                tests.iter().map(parenthesized).collect::<Vec<_>>().join(and)
            }
        }
    }

    /// Tests of a rule's condition on one feature; the condition holds if all tests are true.
    fn condition_tests(&self, wanted: &RuleCondition) -> Vec<String> {
        let value = format!("x[{}]", wanted.feature);
        let number = |bound: &f64| self.language.number_literal(*bound);
        let mut tests = Vec::new();
        tests.extend(wanted.from.iter().map(|bound| format!("{value} >= {}", number(bound))));
        tests.extend(wanted.to.iter().map(|bound| format!("{value} <= {}", number(bound))));
        if let Some(levels) = &wanted.levels {
            let one = |level: &u32| format!("{value} == {level}.0");
            tests.push(match &levels[..] {
                [] => self.language.boolean_literal(false).to_owned(),
                levels => levels.iter().map(one).collect::<Vec<_>>().join(" || "),
            });
        }
        if wanted.or_missing {
            let all = self.join_conditions(&tests, " && ");
            let all = if tests.len() > 1 { format!("({all})") } else { all };
            return vec![format!("{} || {all}", self.language.missing_value_test(&value))];
        }
        tests
    }
}

struct TableCellIterator<'a> {
    rows: &'a [Vec<f64>],
    next: usize,
    width: usize,
}

impl<'a> TableCellIterator<'a> {
    fn new(rows: &'a [Vec<f64>]) -> Self {
        Self { rows, next: 0, width: rows.first().map_or(0, Vec::len) }
    }
}

impl<'a> Iterator for TableCellIterator<'a> {
    type Item = &'a f64;

    fn next(&mut self) -> Option<&'a f64> {
        let row = self.rows.get(self.next.checked_div(self.width)?)?;
        let cell = row.get(self.next % self.width);
        self.next += 1;
        cell
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let n = self.rows.len() * self.width - self.next;
        (n, Some(n))
    }
}

impl ExactSizeIterator for TableCellIterator<'_> {}
