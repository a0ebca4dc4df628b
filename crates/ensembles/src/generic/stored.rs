//! Serialization of ensembles: the arrays of all members are concatenated.

use super::model::{Ensemble, FittedMembers};
use super::voting::VotingScheme;
use crate::model::OutOfBag;
use imbcore_core::{ArrayReader, ArrayWriter, Classifier, Error, Persist, PriorShift, Result, Schema};

/// Maximum number of members in a model file.
const MOST_MEMBERS: usize = 1 << 20;

impl<M: Classifier + Persist> Persist for Ensemble<M> {
    fn write(&self, file: &mut ArrayWriter) -> Result<()> {
        let voting = self.voting();
        file.write_json("ensemble.rule", &voting.rule)?;
        file.write_f64s("ensemble.votes", &voting.votes);
        file.write_f64s("ensemble.errors", &voting.errors);
        let ends = voting.columns.iter().scan(0, |end, columns| {
            *end += columns.len() as u32;
            Some(*end)
        });
        file.write_u32s("ensemble.column_ends", &ends.collect::<Vec<u32>>());
        file.write_u32s("ensemble.columns", &voting.columns.concat());
        file.write_f64s("ensemble.shift", voting.shift.as_ref().map_or(&[], PriorShift::factors));
        let answers = self.out_of_bag();
        file.write_f64s("ensemble.oob_decision", answers.map_or(&[], |out| &out.decision));
        file.write_f64s("ensemble.oob_score", answers.map(|out| out.score).as_slice());
        let mut parts = Vec::with_capacity(self.members().len());
        for member in self.members() {
            let mut part = ArrayWriter::default();
            member.write(&mut part)?;
            parts.push(part);
        }
        file.append_models(&parts)
    }

    fn read(file: &ArrayReader<'_>, schema: &Schema) -> Result<Self> {
        let (votes, n_classes) = (file.read_f64s("ensemble.votes")?, schema.classes.len());
        if votes.len() > MOST_MEMBERS {
            return Err(Error::damaged("it has more members than the format supports"));
        }
        let voting = VotingScheme {
            rule: file.read_json("ensemble.rule")?,
            votes,
            errors: file.read_f64s("ensemble.errors")?,
            columns: read_columns(file)?,
            n_classes,
            shift: PriorShift::from_factors(file.read_f64s("ensemble.shift")?, n_classes)?,
        }
        .validated(schema.features.len())?;
        let member = |(index, columns): (usize, &Vec<u32>)| {
            let member = M::read(&file.member_arrays(index)?, &restrict_schema(schema, columns))?;
            if member.n_classes() == n_classes {
                Ok(member)
            } else {
                Err(Error::damaged("a member has other classes than the ensemble"))
            }
        };
        let members = voting.columns.iter().enumerate().map(member).collect::<Result<Vec<_>>>()?;
        let out_of_bag = read_out_of_bag(file, n_classes)?;
        Self::new(FittedMembers { members, voting, out_of_bag, samples: Vec::new() })
    }
}

/// Schema that has only the columns of a member.
pub fn restrict_schema(schema: &Schema, columns: &[u32]) -> Schema {
    if columns.is_empty() {
        return schema.clone();
    }
    let features = columns.iter().filter_map(|&column| schema.features.get(column as usize)).cloned();
    let (column_labels, without_values) = (Vec::new(), Vec::new());
    Schema { features: features.collect(), column_labels, without_values, ..schema.clone() }
}

fn read_columns(file: &ArrayReader<'_>) -> Result<Vec<Vec<u32>>> {
    let (ends, all) = (file.read_u32s("ensemble.column_ends")?, file.read_u32s("ensemble.columns")?);
    let mut start = 0;
    let part = |end: u32| {
        let part = all.get(start..end as usize).map(<[u32]>::to_vec);
        start = end as usize;
        part.ok_or_else(|| Error::damaged("the columns of its members are inconsistent"))
    };
    ends.into_iter().map(part).collect()
}

fn read_out_of_bag(file: &ArrayReader<'_>, n_classes: usize) -> Result<Option<OutOfBag>> {
    let (decision, score) = (file.read_f64s("ensemble.oob_decision")?, file.read_f64s("ensemble.oob_score")?);
    let share = |value: &f64| value.is_nan() || (0.0..=1.0 + 1e-9).contains(value);
    if !decision.len().is_multiple_of(n_classes.max(1)) || !decision.iter().all(share) {
        return Err(Error::damaged("its out-of-bag predictions are invalid"));
    }
    Ok(score.first().map(|&score| OutOfBag { decision, score }))
}
