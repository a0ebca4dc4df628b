//! Queries that are built step by step, a common table expression a step.

use super::Dialect;
use crate::error::{Error, Result};
use crate::schema::{FeatureKind, Label, Schema};
use std::fmt::Write;

/// A query about the rows of a table: columns are added step by step, each step of those before it.
///
/// All columns of a step are known by quoted names, which expressions of later steps use. Features keep their names; levels that
/// the schema does not know, and numbers that are not numbers, are NULL.
#[derive(Debug)]
pub struct Query {
    dialect: Dialect,
    /// What all names of the query's own begin with; no feature or table does.
    prefix: String,
    /// Finished common table expressions.
    steps: Vec<String>,
    /// Quoted name of the last of them.
    last: String,
    /// Expressions of the step that is being built, and the names of what they give.
    open: Vec<(String, String)>,
    n_columns: usize,
    /// Names of columns that are handed on, inside the query and outside.
    kept: Vec<(String, String)>,
}

impl Query {
    /// Begins with the columns `used` of a table, given by its name or by the names that lead to it, and those to be handed on.
    ///
    /// # Errors
    /// [`Error::Unsupported`] for names and levels that the database has no words for; [`Error::Parameter`] without a name of a
    /// table.
    pub fn new(
        dialect: Dialect,
        (table, keep): (&[String], &[String]),
        schema: &Schema,
        used: &[usize],
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
        };
        let row = query.own("row")?;
        for (place, name) in keep.iter().enumerate() {
            let (inside, outside) = (query.own(&format!("kept_{}", place + 1))?, dialect.name(name)?);
            query.open.push((format!("{row}.{outside}"), inside.clone()));
            query.kept.push((inside, outside));
        }
        for &feature in used {
            let name = dialect.name(schema.feature(feature))?;
            query.open.push((query.cleaned(&format!("{row}.{name}"), schema, feature)?, name));
        }
        if query.open.is_empty() {
            query.open.push(("1".to_owned(), query.own("one")?));
        }
        let path: Vec<String> = table.iter().map(|name| dialect.name(name)).collect::<Result<_>>()?;
        let from = format!("{} AS {row}", path.join("."));
        query.write_step("rows", &[], &from)?;
        Ok(query)
    }

    /// The database that it is for.
    pub fn dialect(&self) -> Dialect {
        self.dialect
    }

    /// The value of a feature as the model sees it.
    fn cleaned(&self, column: &str, schema: &Schema, feature: usize) -> Result<String> {
        match schema.features.get(feature).map(|feature| &feature.kind) {
            Some(FeatureKind::Nominal { levels }) if !levels.is_empty() => {
                let of_text = levels.iter().filter(|level| matches!(level, Label::Text(_))).count();
                if of_text != 0 && of_text != levels.len() && self.dialect != Dialect::Sqlite {
                    return Err(Error::Unsupported(format!(
                        "feature {:?} has levels of text and of numbers, which no column of this database holds; fit with text",
                        schema.feature(feature)
                    )));
                }
                let levels: Vec<String> =
                    levels.iter().map(|level| self.dialect.label(level)).collect::<Result<_>>()?;
                Ok(format!("CASE WHEN {column} IN ({}) THEN {column} END", levels.join(", ")))
            }
            _ => Ok(self.dialect.numeric(column)),
        }
    }

    fn own(&self, name: &str) -> Result<String> {
        self.dialect.name(&format!("{}{name}", self.prefix))
    }

    /// Adds a column to the step that is being built; returns its name, which later steps may use.
    ///
    /// # Errors
    /// None for a query that could be begun.
    pub fn add(&mut self, expression: String) -> Result<String> {
        self.n_columns += 1;
        let name = self.own(&self.n_columns.to_string())?;
        self.open.push((expression, name.clone()));
        Ok(name)
    }

    /// Ends the step that is being built, so that expressions may use its columns.
    ///
    /// # Errors
    /// None for a query that could be begun.
    pub fn close(&mut self) -> Result<()> {
        if self.open.is_empty() {
            return Ok(());
        }
        let from = self.last.clone();
        self.write_step(&format!("step_{}", self.steps.len()), &["*".to_owned()], &from)
    }

    fn write_step(&mut self, name: &str, before: &[String], from: &str) -> Result<()> {
        let name = self.own(name)?;
        let new = self.open.drain(..).map(|(expression, name)| format!("{expression} AS {name}"));
        let columns: Vec<String> = before.iter().cloned().chain(new).collect();
        self.steps.push(format!(
            "{name} {} (\n  SELECT\n    {}\n  FROM {from}\n)",
            self.dialect.once(),
            columns.join(",\n    ")
        ));
        self.last = name;
        Ok(())
    }

    /// Adds columns of doubles by a table of constants: those of the row whose first number, a whole one, is `key`. Each row may
    /// have a note. Returns the names of the columns.
    ///
    /// # Errors
    /// None for a query that could be begun.
    pub fn look_up(&mut self, key: &str, rows: &[(usize, Vec<f64>, String)]) -> Result<Vec<String>> {
        self.close()?;
        let (table, place) = (self.own("leaves")?, self.own("leaf")?);
        let width = rows.first().map_or(0, |row| row.1.len());
        let mut names = Vec::with_capacity(width);
        for _ in 0..width {
            self.n_columns += 1;
            names.push(self.own(&self.n_columns.to_string())?);
        }
        self.steps.push(self.constants(&table, &place, &names, rows));
        let from = format!("{} LEFT JOIN {table} ON {}.{key} = {table}.{place}", self.last, self.last);
        let before =
            [vec![format!("{}.*", self.last)], names.iter().map(|name| format!("{table}.{name}")).collect()];
        self.write_step(&format!("step_{}", self.steps.len()), &before.concat(), &from)?;
        Ok(names)
    }

    fn constants(
        &self,
        table: &str,
        place: &str,
        names: &[String],
        rows: &[(usize, Vec<f64>, String)],
    ) -> String {
        let dialect = self.dialect;
        let mut lines = String::new();
        for (at, (key, numbers, note)) in rows.iter().enumerate() {
            let cells = std::iter::once(key.to_string());
            let cells = cells.chain(numbers.iter().map(|&number| dialect.number(number)));
            let cells = cells.collect::<Vec<String>>().join(", ");
            let comma = if at + 1 < rows.len() { "," } else { "" };
            // Writing to a string cannot fail.
            let _ = writeln!(lines, "    ({cells}){comma}{note}");
        }
        let columns = [&[place.to_owned()], names].concat().join(", ");
        match dialect {
            Dialect::Sqlite | Dialect::Duckdb | Dialect::Postgres => {
                format!("{table} ({columns}) AS (\n  VALUES\n{lines})")
            }
            Dialect::Spark => {
                format!("{table} AS (\n  SELECT * FROM VALUES\n{lines}  AS {table} ({columns})\n)")
            }
            Dialect::BigQuery => {
                let fields = names.iter().map(|name| format!("{name} FLOAT64"));
                let fields =
                    std::iter::once(format!("{place} INT64")).chain(fields).collect::<Vec<_>>().join(", ");
                format!("{table} AS (\n  SELECT * FROM UNNEST(ARRAY<STRUCT<{fields}>>[\n{lines}  ])\n)")
            }
        }
    }

    /// Ends with the columns that are handed on and the given expressions by the names that they are to have.
    ///
    /// # Errors
    /// [`Error::Unsupported`] for names that the database has no words for.
    pub fn finish(mut self, answers: &[(String, String)]) -> Result<String> {
        self.close()?;
        let kept = self.kept.iter().map(|(inside, outside)| format!("{inside} AS {outside}"));
        let mut columns: Vec<String> = kept.collect();
        for (expression, name) in answers {
            columns.push(format!("{expression} AS {}", self.dialect.name(name)?));
        }
        Ok(format!(
            "WITH\n{}\nSELECT\n  {}\nFROM {}\n",
            self.steps.join(",\n"),
            columns.join(",\n  "),
            self.last
        ))
    }
}
