//! Bayesian classifiers as columns of a query.
//!
//! The law of the class follows from the families that hold it: sums of logarithms, one cell each. A naive Bayes classifier leaves
//! out what is unknown; in other networks unknown variables would have to be summed out, so that a row that lacks a value that it
//! takes is answered with NULL.

use super::families::{IMPOSSIBLE, class_law, families, is_naive, logs, others};
use super::member::Member;
use super::model::{BayesModel, shares_of_logs};
use crate::cpt::Cpt;
use crate::discretize::{ColumnRule, ColumnValues, Discretizer};
use imbcore_base::sql::{Dialect, Query, Sums};
use imbcore_base::{Error, FeatureKind, Result, Schema};
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

/// Columns of codes by discretiser and feature.
type Codes = BTreeMap<(usize, u32), String>;

impl BayesModel {
    /// Adds the class probabilities to a query; returns their columns, and the conditions under which rows have none.
    ///
    /// # Errors
    /// [`Error::Unsupported`] for networks that are weighed by the row, tables that are too large, and levels that the database has
    /// no words for.
    pub fn sql(&self, query: &mut Query, schema: &Schema) -> Result<(Vec<String>, Vec<String>)> {
        self.is_weighed_once()?;
        let codes = self.codes_sql(query, schema)?;
        let dialect = query.dialect();
        let laws = (0..self.members().len()).map(|at| self.member_sql(at, &codes, query));
        let laws = laws.collect::<Result<Vec<_>>>()?;
        let lacking = self.lacking(&codes);
        if let [law] = &laws[..] {
            return Ok((law.clone(), lacking));
        }
        let weights = shares_of_logs(self.log_weights());
        let mut joined: Vec<String> = Vec::new();
        for (law, weight) in laws.iter().zip(weights) {
            let weight = dialect.number(weight);
            let term = |(class, p): (usize, &String)| match joined.get(class) {
                Some(before) => query.add(format!("{before} + {weight} * {p}")),
                None => query.add(format!("{weight} * {p}")),
            };
            let next = law.iter().enumerate().map(term).collect::<Result<Vec<_>>>()?;
            query.close()?;
            joined = next;
        }
        Ok((joined, lacking))
    }

    /// Adds the codes of the features.
    fn codes_sql(&self, query: &mut Query, schema: &Schema) -> Result<Codes> {
        let mut codes = Codes::new();
        for at in 0..self.members().len() {
            for (_, column) in self.asked(at) {
                if let Entry::Vacant(entry) = codes.entry((self.coder(at), column)) {
                    let code = code_sql(self.discretizer(at), column, query, schema)?;
                    entry.insert(query.add(code)?);
                }
            }
        }
        query.close()?;
        Ok(codes)
    }

    /// Conditions under which a network would have to sum out what is unknown.
    fn lacking(&self, codes: &Codes) -> Vec<String> {
        let mut lacking: Vec<String> = (0..self.members().len())
            .filter(|&at| !is_naive(&self.members()[at]))
            .flat_map(|at| self.asked(at).into_iter().map(move |(_, column)| (self.coder(at), column)))
            .map(|key| format!("{} IS NULL", codes[&key]))
            .collect();
        lacking.sort_unstable();
        lacking.dedup();
        lacking
    }

    /// Adds what one network says.
    fn member_sql(&self, at: usize, codes: &Codes, query: &mut Query) -> Result<Vec<String>> {
        let member = &self.members()[at];
        let n_classes = self.facts().shares.len();
        let dialect = query.dialect();
        let code = |v: u32| codes[&(self.coder(at), member.columns[v as usize])].clone();
        let mut sums = Sums::new(n_classes);
        for (child, cpt) in families(member) {
            let place = place_sql(member, child, cpt, &code);
            let term = |class| family_sql(member, (child, cpt), class, place.as_deref(), dialect);
            sums.add(query, (0..n_classes).map(term).collect::<Result<Vec<_>>>()?)?;
        }
        let logs = sums.close(query)?;
        let largest = (1..n_classes).try_fold(logs[0].clone(), |most, class| {
            let largest =
                query.add(format!("CASE WHEN {0} > {most} THEN {0} ELSE {most} END", logs[class]))?;
            query.close()?;
            Ok::<_, Error>(largest)
        })?;
        let grown = |log: &String| query.add(dialect.exp(&format!("({log} - {largest})")));
        let grown = logs.iter().map(grown).collect::<Result<Vec<_>>>()?;
        query.close()?;
        let before = class_law(member)?;
        let total = grown.join(" + ");
        let least = dialect.number(IMPOSSIBLE / 2.0);
        let law = grown.iter().zip(before).map(|(p, before)| {
            let before = dialect.number(before);
            query.add(format!("CASE WHEN {largest} < {least} THEN {before} ELSE {p} / ({total}) END"))
        });
        let law = law.collect::<Result<Vec<_>>>()?;
        query.close()?;
        Ok(law)
    }
}

/// The place of a row in the table of a family, by the codes of all but the class; none where the class is alone in it.
fn place_sql(member: &Member, child: u32, cpt: &Cpt, code: &impl Fn(u32) -> String) -> Option<String> {
    let levels = member.network.levels();
    others(member, child, cpt).fold(None, |place, v| {
        Some(match place {
            None => code(v),
            Some(place) => format!("({place} * {} + {})", levels[v as usize], code(v)),
        })
    })
}

/// The logarithm of the probability of a family's state, of one class.
fn family_sql(
    member: &Member,
    (child, cpt): (u32, &Cpt),
    class: usize,
    place: Option<&str>,
    dialect: Dialect,
) -> Result<String> {
    let logs = logs(member, (child, cpt), class)?;
    let Some(place) = place else { return Ok(dialect.number(logs[0])) };
    let case = |(cell, log): (usize, &f64)| format!("WHEN {cell} THEN {}", dialect.number(*log));
    let cases: Vec<String> = logs.iter().enumerate().map(case).collect();
    Ok(format!("CASE {place} {} ELSE {} END", cases.join(" "), dialect.number(0.0)))
}

/// The code of a value; NULL where it is missing and that is no state.
fn code_sql(discretizer: &Discretizer, column: u32, query: &Query, schema: &Schema) -> Result<String> {
    let dialect = query.dialect();
    let name = dialect.name(schema.feature(column as usize))?;
    let rule: &ColumnRule = &discretizer.columns[column as usize];
    let gap = if rule.gap_state { (rule.n_states() - 1).to_string() } else { "NULL".to_owned() };
    let mut cases = vec![format!("WHEN {name} IS NULL THEN {gap}")];
    match (&rule.values, schema.features.get(column as usize).map(|feature| &feature.kind)) {
        (ColumnValues::Cuts(cuts), _) => {
            let bin =
                |(code, cut): (usize, &f64)| format!("WHEN {name} <= {} THEN {code}", dialect.number(*cut));
            cases.extend(cuts.iter().enumerate().map(bin));
            Ok(format!("CASE {} ELSE {} END", cases.join(" "), cuts.len()))
        }
        (ColumnValues::Levels(seen), Some(FeatureKind::Nominal { levels })) => {
            for (code, level) in levels.iter().enumerate().filter(|(code, _)| seen.get(*code) == Some(&true))
            {
                cases.push(format!("WHEN {name} = {} THEN {code}", dialect.label(level)?));
            }
            Ok(format!("CASE {} ELSE {gap} END", cases.join(" ")))
        }
        _ => Err(Error::Internal("a network has levels of a column of numbers".into())),
    }
}
