//! SQL queries built column by column in common table expressions.

use super::Dialect;
use super::columns::{check_columns_unambiguous, require_distinct_columns};
use super::expression::{OperatorPrecedence, SqlExpression};
use super::level_codes::{self, LevelCodeColumnMap, LevelCodeColumns};
use crate::step::LookupTable;
use imbcore_core::memory::{append_strings, concat_strings};
use imbcore_core::{Error, Result};
use imbcore_core::{FeatureKind, Label, Schema};

/// Largest nesting depth of CASE expressions and parentheses.
/// `SQLite` before version 3.45 accepts a depth of at most about 15 anywhere in a query.
pub(super) const MOST_NESTED: usize = 12;
/// Largest number of terms of a sum in one expression.
/// The limit exists because databases limit the depth of syntax trees.
const TERMS: usize = 64;
/// Length in characters above which an operand is written on a line of its own.
const LINE: usize = 80;

/// A query over the rows of a table that computes columns in steps.
/// Each step is a common table expression that reads the previous step. A column is added in the first step
/// after all columns on which it depends.
///
/// All columns have quoted names. Features keep their names. NaN becomes NULL, and so do levels that the
/// schema does not contain.
#[derive(Debug)]
pub(super) struct SqlQuery {
    dialect: Dialect,
    /// Prefix of all names that the query defines; no feature or table name begins with it.
    prefix: String,
    steps: Vec<String>,
    /// Quoted name of the last step.
    last: String,
    /// For each step that is yet to be written, its expressions with the names of their columns.
    open: Vec<Vec<(String, String)>>,
    n_columns: usize,
    /// Columns of the table that the query returns unchanged.
    /// Each has a quoted name inside the query, and its original name in the result.
    kept: Vec<(String, String)>,
    coded: LevelCodeColumnMap,
    /// Quoted names of the columns of the lookup tables.
    lookups: Vec<String>,
}

impl SqlQuery {
    /// Starts a query with the columns `used` of a table and the columns to keep.
    /// The table is given by the components of its name.
    pub(super) fn new(
        dialect: Dialect,
        (table, keep): (&[String], &[String]),
        schema: &Schema,
        (used, lookups): (&[usize], &[LookupTable]),
    ) -> Result<Self> {
        let Some(own) = table.last() else {
            return Err(Error::parameter("to_sql", "table", "the name of a table", "no name"));
        };
        let mut prefix = String::from("imb_");
        let taken = || schema.features.iter().map(|feature| &feature.name).chain([own]);
        while taken().any(|name| name.to_lowercase().starts_with(&prefix)) {
            prefix.push('_');
        }
        let mut query = Self {
            dialect,
            prefix,
            steps: Vec::new(),
            last: String::new(),
            open: Vec::new(),
            n_columns: 0,
            kept: Vec::new(),
            coded: LevelCodeColumnMap::new(),
            lookups: Vec::new(),
        };
        for table in 0..lookups.len() {
            query.lookups.push(query.prefixed_name(&format!("lookup_{}", table + 1))?);
        }
        let is_coded = |feature: usize, n: usize| {
            level_codes::has_coded_levels(n) || lookups.iter().any(|table| table.feature == feature)
        };
        let (row, mut columns) = (query.prefixed_name("row")?, Vec::new());
        for (place, name) in keep.iter().enumerate() {
            let (inside, outside) =
                (query.prefixed_name(&format!("kept_{}", place + 1))?, dialect.quote_identifier(name)?);
            columns.push((format!("{row}.{outside}"), inside.clone()));
            query.kept.push((inside, name.clone()));
        }
        check_columns_unambiguous(dialect, schema, used)?;
        let path: Vec<String> =
            table.iter().map(|name| dialect.quote_identifier(name)).collect::<Result<_>>()?;
        let mut from = format!("{} AS {row}", path.join("."));
        for &feature in used {
            let name = dialect.quote_identifier(schema.feature_name(feature))?;
            let value =
                query.feature_value_expression(&format!("{row}.{name}"), schema, (feature, &is_coded))?;
            match schema.features.get(feature).map(|feature| &feature.kind) {
                Some(FeatureKind::Nominal { levels }) if is_coded(feature, levels.len()) => {
                    let table = query.write_level_table((feature, levels), lookups, &mut columns, &name)?;
                    let level = query.prefixed_name("level")?;
                    append_strings(
                        &mut from,
                        &["\n  LEFT JOIN ", &table, " ON ", &value, " = ", &table, ".", &level],
                    )?;
                }
                _ => columns.push((value, name)),
            }
        }
        if columns.is_empty() {
            columns.push(("1".to_owned(), query.prefixed_name("one")?));
        }
        query.write_step("rows", Vec::new(), columns, &from)?;
        Ok(query)
    }

    pub(super) fn lookup_column_names(&self) -> &[String] {
        &self.lookups
    }

    pub(super) fn level_code_columns(&self) -> &LevelCodeColumnMap {
        &self.coded
    }

    /// Writes the table of the levels of a feature, and returns the name of the table.
    ///
    /// Adds to `columns` the codes of the feature, and the numbers that lookup tables assign to its levels.
    fn write_level_table(
        &mut self,
        (feature, levels): (usize, &[Label]),
        lookups: &[LookupTable],
        columns: &mut Vec<(String, String)>,
        name: &str,
    ) -> Result<String> {
        let table = self.prefixed_name(&format!("levels_{}", feature + 1))?;
        let own = |name: &str| self.prefixed_name(name);
        let (level, code) = (own("level")?, own("code")?);
        let inner = [own("item")?, own("place")?, own("digits")?];
        let outer = ["item", "place", "digits"].map(|name| own(&format!("{name}_{}", feature + 1)));
        let [item, place, digits] = outer;
        let column = LevelCodeColumns { item: item?, place: place?, digits: digits?, n_levels: levels.len() };
        let kind = if levels.iter().all(|level| matches!(level, Label::Text(_))) {
            "STRING"
        } else if levels.iter().all(|level| matches!(level, Label::Int(_) | Label::Unsigned(_))) {
            "INT64"
        } else if levels.iter().all(|level| matches!(level, Label::Bool(_))) {
            "BOOL"
        } else {
            "FLOAT64"
        };
        let mut rows = Vec::with_capacity(levels.len());
        let own_lookups = || self.lookups.iter().zip(lookups).filter(|(_, table)| table.feature == feature);
        for (at, label) in levels.iter().enumerate() {
            let numbers = own_lookups().map(|(_, table)| self.dialect.number_literal(table.values[at]));
            let cells = [self.dialect.label_literal(label)?]
                .into_iter()
                .chain(level_codes::level_code_cells(at))
                .chain(numbers)
                .collect();
            rows.push((cells, String::new()));
        }
        let kinds = [kind, "INT64", "STRING", "INT64", "STRING"];
        let names = [&level, &code, &inner[0], &inner[1], &inner[2]];
        let mut fields: Vec<(String, &str)> = names.into_iter().cloned().zip(kinds).collect();
        fields.extend(own_lookups().map(|(name, _)| (name.clone(), "FLOAT64")));
        let numbers = own_lookups().map(|(name, of)| {
            let missing = self.dialect.number_literal(of.missing);
            (format!("COALESCE({table}.{name}, {missing})"), name.clone())
        });
        let numbers: Vec<(String, String)> = numbers.collect();
        let constants = self.write_constant_table(&table, &fields, &rows)?;
        self.steps.push(constants);
        columns.push((format!("{table}.{code}"), name.to_owned()));
        for (inner, outer) in inner.iter().zip([&column.item, &column.place, &column.digits]) {
            columns.push((format!("{table}.{inner}"), outer.clone()));
        }
        columns.extend(numbers);
        self.coded.insert(feature, column);
        Ok(table)
    }

    pub(super) fn dialect(&self) -> Dialect {
        self.dialect
    }

    /// SQL expression of a feature; it is NULL for values that the model treats as missing.
    ///
    /// For a feature with coded levels, it is the plain column, which a join converts to codes.
    fn feature_value_expression(
        &self,
        column: &str,
        schema: &Schema,
        (feature, is_coded): (usize, &dyn Fn(usize, usize) -> bool),
    ) -> Result<String> {
        match schema.features.get(feature).map(|feature| &feature.kind) {
            Some(FeatureKind::Nominal { levels }) if !levels.is_empty() => {
                let of_text = levels.iter().filter(|level| matches!(level, Label::Text(_))).count();
                if of_text != 0 && of_text != levels.len() && self.dialect != Dialect::Sqlite {
                    return Err(Error::Unsupported(format!(
                        "feature {:?} has both text and numeric levels, which a column of this database cannot contain; fit with text",
                        schema.feature_name(feature)
                    )));
                }
                if is_coded(feature, levels.len()) {
                    return Ok(column.to_owned());
                }
                let levels: Vec<String> =
                    levels.iter().map(|level| self.dialect.label_literal(level)).collect::<Result<_>>()?;
                Ok(format!("CASE WHEN {column} IN ({}) THEN {column} END", levels.join(", ")))
            }
            _ => Ok(self.dialect.cast_to_double(column)),
        }
    }

    fn prefixed_name(&self, name: &str) -> Result<String> {
        self.dialect.quote_identifier(&format!("{}{name}", self.prefix))
    }

    pub(super) fn add_column(&mut self, of: SqlExpression) -> Result<SqlExpression> {
        let name = self.new_table_name()?;
        if self.open.len() <= of.step {
            self.open.resize_with(of.step + 1, Vec::new);
        }
        self.open[of.step].push((of.text, name.clone()));
        Ok(SqlExpression { step: of.step + 1, ..SqlExpression::from_row_text(name, 0) })
    }

    fn new_table_name(&mut self) -> Result<String> {
        self.n_columns += 1;
        self.prefixed_name(&self.n_columns.to_string())
    }

    /// Combines expressions from left to right by one operator: `+`, `-`, `*` or `/`.
    ///
    /// The result is 0 if there are no expressions.
    pub(super) fn combine_by_operator(
        &mut self,
        of: Vec<SqlExpression>,
        sign: char,
    ) -> Result<SqlExpression> {
        let mut of = of.into_iter();
        let first =
            of.next().unwrap_or_else(|| SqlExpression::from_row_text(self.dialect.number_literal(0.0), 0));
        of.try_fold(first, |before, next| self.combine_pair(before, sign, next))
    }

    fn combine_pair(&mut self, a: SqlExpression, sign: char, b: SqlExpression) -> Result<SqlExpression> {
        let binding =
            if matches!(sign, '+' | '-') { OperatorPrecedence::Sum } else { OperatorPrecedence::Product };
        let (left, right) = (a.binding < binding, b.binding <= binding);
        let (a, b) = (
            self.move_to_column_if_deep(a.parenthesize(left)?)?,
            self.move_to_column_if_deep(b.parenthesize(right)?)?,
        );
        let space = if b.text.len() > LINE { "\n    " } else { " " };
        let mut text = a.text;
        append_strings(&mut text, &[space, sign.encode_utf8(&mut [0; 4]), " ", &b.text])?;
        Ok(SqlExpression {
            binding,
            step: a.step.max(b.step),
            depth: a.depth.max(b.depth) + 1,
            nested: a.nested.max(b.nested),
            text,
        })
    }

    /// Returns the expression, or a new column that contains it if it is deeply nested.
    /// A deeply nested expression cannot be an operand of another expression.
    fn move_to_column_if_deep(&mut self, of: SqlExpression) -> Result<SqlExpression> {
        if of.depth >= TERMS || of.nested > MOST_NESTED { self.add_column(of) } else { Ok(of) }
    }

    /// Builds a CASE or a function call from the texts of other expressions.
    /// The other expressions are used as arguments or in comparisons.
    pub(super) fn case_from_texts(
        &mut self,
        of: Vec<SqlExpression>,
        write: impl FnOnce(&[String]) -> Result<String>,
    ) -> Result<SqlExpression> {
        let (mut step, mut depth, mut nested) = (0, 0, 0);
        let mut texts = Vec::with_capacity(of.len());
        for mut part in of {
            if part.depth >= TERMS || part.nested >= MOST_NESTED {
                part = self.add_column(part)?;
            }
            (step, depth, nested) = (step.max(part.step), depth.max(part.depth), nested.max(part.nested));
            texts.push(part.text);
        }
        Ok(SqlExpression {
            text: write(&texts)?,
            binding: OperatorPrecedence::Whole,
            step,
            depth: depth + 1,
            nested: nested + 1,
        })
    }

    fn flush_steps(&mut self) -> Result<()> {
        for columns in std::mem::take(&mut self.open) {
            let from = self.last.clone();
            self.write_step(&format!("step_{}", self.steps.len()), vec!["*".to_owned()], columns, &from)?;
        }
        Ok(())
    }

    fn write_step(
        &mut self,
        name: &str,
        columns: Vec<String>,
        new: Vec<(String, String)>,
        from: &str,
    ) -> Result<()> {
        let name = self.prefixed_name(name)?;
        let mut step =
            concat_strings(&[&name, " ", self.dialect.materialized_keyword(), " (\n  SELECT\n    "])?;
        let mut comma = "";
        for column in columns {
            append_strings(&mut step, &[comma, &column])?;
            comma = ",\n    ";
        }
        for (expression, name) in new {
            append_strings(&mut step, &[comma, &expression, " AS ", &name])?;
            comma = ",\n    ";
        }
        append_strings(&mut step, &["\n  FROM ", from, "\n)"])?;
        self.steps.push(step);
        self.last = name;
        Ok(())
    }

    /// Adds a join with a table of constants, which has an integer key and columns of doubles.
    ///
    /// Returns the columns of doubles in the row whose key equals `key`. Each row of the table may have a
    /// comment.
    pub(super) fn join_constant_table(
        &mut self,
        key: SqlExpression,
        rows: &[(usize, Vec<f64>, String)],
    ) -> Result<Vec<SqlExpression>> {
        let key = self.add_column(key)?.text;
        self.flush_steps()?;
        let (table, place) = (self.prefixed_name("leaves")?, self.prefixed_name("leaf")?);
        let width = rows.first().map_or(0, |row| row.1.len());
        let names = (0..width).map(|_| self.new_table_name()).collect::<Result<Vec<_>>>()?;
        let fields =
            [(place.clone(), "INT64")].into_iter().chain(names.iter().map(|name| (name.clone(), "FLOAT64")));
        let cells = |(key, numbers, note): &(usize, Vec<f64>, String)| {
            let numbers = numbers.iter().map(|&number| self.dialect.number_literal(number));
            (std::iter::once(key.to_string()).chain(numbers).collect(), note.clone())
        };
        let rows: Vec<_> = rows.iter().map(cells).collect();
        let constants = self.write_constant_table(&table, &fields.collect::<Vec<_>>(), &rows)?;
        self.steps.push(constants);
        let from = format!("{} LEFT JOIN {table} ON {}.{key} = {table}.{place}", self.last, self.last);
        let before =
            [vec![format!("{}.*", self.last)], names.iter().map(|name| format!("{table}.{name}")).collect()];
        self.write_step(&format!("step_{}", self.steps.len()), before.concat(), Vec::new(), &from)?;
        Ok(names.into_iter().map(|name| SqlExpression::from_row_text(name, 0)).collect())
    }

    /// Writes a table of constants as a common table expression.
    /// `fields` has the names of its columns and their types, which `BigQuery` needs. Each row may have a
    /// comment.
    fn write_constant_table(
        &self,
        table: &str,
        fields: &[(String, &str)],
        rows: &[(Vec<String>, String)],
    ) -> Result<String> {
        let mut lines = String::new();
        for (at, (cells, note)) in rows.iter().enumerate() {
            let comma = if at + 1 < rows.len() { "," } else { "" };
            append_strings(&mut lines, &["    (", &cells.join(", "), ")", comma, note, "\n"])?;
        }
        let columns = fields.iter().map(|(name, _)| name.as_str()).collect::<Vec<_>>().join(", ");
        match self.dialect {
            Dialect::Sqlite | Dialect::Duckdb | Dialect::Postgres => {
                concat_strings(&[table, " (", &columns, ") AS (\n  VALUES\n", &lines, ")"])
            }
            Dialect::Spark => {
                let head = " AS (\n  SELECT * FROM VALUES\n";
                concat_strings(&[table, head, &lines, "  AS ", table, " (", &columns, ")\n)"])
            }
            Dialect::BigQuery => {
                let fields = fields.iter().map(|(name, kind)| format!("{name} {kind}"));
                let fields = fields.collect::<Vec<_>>().join(", ");
                let head = " AS (\n  SELECT * FROM UNNEST(ARRAY<STRUCT<";
                concat_strings(&[table, head, &fields, ">>[\n", &lines, "  ])\n)"])
            }
        }
    }

    /// Writes the final SELECT of the kept columns and the given expressions with their names.
    pub(super) fn write_select(
        mut self,
        results: impl IntoIterator<Item = (String, String)>,
    ) -> Result<String> {
        self.flush_steps()?;
        let kept = std::mem::take(&mut self.kept);
        let columns: Vec<(String, String)> = kept.into_iter().chain(results).collect();
        require_distinct_columns(self.dialect, columns.iter().map(|(_, name)| &name[..]))?;
        let mut query = String::from("WITH\n");
        let mut comma = "";
        for step in std::mem::take(&mut self.steps) {
            append_strings(&mut query, &[comma, &step])?;
            comma = ",\n";
        }
        append_strings(&mut query, &["\nSELECT\n  "])?;
        comma = "";
        for (expression, name) in columns {
            append_strings(
                &mut query,
                &[comma, &expression, " AS ", &self.dialect.quote_identifier(&name)?],
            )?;
            comma = ",\n  ";
        }
        append_strings(&mut query, &["\nFROM ", &self.last, "\n"])?;
        Ok(query)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn query() -> SqlQuery {
        let schema = r#"{"features":[{"name":"a","kind":"numeric"},{"name":"b","kind":"numeric"}],
            "named":true,"classes":["no","yes"],"class_dtype":"object"}"#;
        let schema = Schema::from_json(schema).unwrap();
        SqlQuery::new(Dialect::Sqlite, (&["t".to_owned()], &[]), &schema, (&[0, 1], &[])).unwrap()
    }

    fn named(name: &str) -> SqlExpression {
        SqlExpression::from_row_text(name.to_owned(), 0)
    }

    #[test]
    fn parentheses_preserve_the_order_of_evaluation() {
        let mut query = query();
        let mut joined = |a: &SqlExpression, sign, b: &SqlExpression| {
            query.combine_pair(a.clone(), sign, b.clone()).unwrap()
        };
        let (a, b) = (named("a"), named("b"));
        let difference = joined(&a, '-', &b);
        assert_eq!(joined(&difference, '-', &a).text(), "a - b - a");
        assert_eq!(joined(&a, '-', &difference).text(), "a - (a - b)");
        let quotient = joined(&difference, '/', &b);
        assert_eq!(quotient.text(), "(a - b) / b");
        assert_eq!(joined(&a, '+', &quotient).text(), "a + (a - b) / b");
        assert_eq!(joined(&a, '/', &quotient).text(), "a / ((a - b) / b)");
    }

    #[test]
    fn columns_are_in_the_first_step_after_their_operands() {
        let mut query = query();
        let first = query.combine_pair(named("a"), '+', named("b")).unwrap();
        let first = query.add_column(first).unwrap();
        let second = query.combine_pair(first, '*', named("a")).unwrap();
        let second = query.add_column(second).unwrap();
        let beside = query.add_column(named("b")).unwrap();
        let all = query.combine_by_operator(vec![second, beside], '+').unwrap();
        let sql = query.write_select([(all.text, "result".to_owned())]).unwrap();
        let steps: Vec<&str> = sql.split("SELECT").skip(2).collect();
        assert_eq!(steps.len(), 3);
        assert!(steps[0].contains("a + b AS \"imb_1\",\n    b AS \"imb_3\""));
        assert!(steps[1].contains("\"imb_1\" * a AS \"imb_2\""));
        assert!(steps[2].contains("\"imb_2\" + \"imb_3\" AS \"result\""));
    }

    #[test]
    fn long_sums_and_deep_nesting_are_split() {
        let mut query = query();
        let sum = query.combine_by_operator(vec![named("a"); 2 * TERMS], '+').unwrap();
        assert!(sum.depth <= TERMS && query.open[0].len() == 1);
        let mut nested = named("a");
        for _ in 0..2 * MOST_NESTED {
            nested = query.case_from_texts(vec![nested], |of| Ok(format!("EXP({})", of[0]))).unwrap();
            assert!(nested.nested <= MOST_NESTED);
        }
        assert_eq!(nested.text().matches("EXP").count(), MOST_NESTED);
    }
}
