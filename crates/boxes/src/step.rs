//! What is worked out of every piece of the rows by itself, by whoever holds them: the same functions for a table, for rows
//! that are read, and for rows that stay with others. These get a step as bytes and give its parts back as bytes.

use crate::blocks::{ColumnBlock, Holders, PIECE, Pieces, map_piece, map_rows};
use imbcore_base::{Error, Frame, Result, RunCtl};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::ops::Range;

/// Rows of one who is asked.
#[derive(Clone, Copy, Debug)]
pub struct Held<'a> {
    /// The rows.
    pub frame: &'a Frame<'a>,
    /// Their class codes.
    pub classes: &'a [u32],
    /// Number of the first among all rows, a multiple of [`PIECE`].
    pub first: usize,
}

impl Held<'_> {
    /// Refuses rows that are cut where sums are not.
    pub(crate) fn check(&self) -> Result<()> {
        if self.first.is_multiple_of(PIECE) && self.classes.len() == self.frame.n_rows() {
            return Ok(());
        }
        Err(Error::Internal("rows were cut where sums are not".into()))
    }
}

/// What a question is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Kind {
    Look,
    Deviations,
    Sums,
    Terms,
    Nearest,
    Support,
}

/// A look at all rows, block after block; it travels without what borrows from the table.
pub(crate) trait Step: Serialize + Sync {
    const KIND: Kind;

    /// What is found in a piece.
    type Part: Send + Serialize + DeserializeOwned;

    fn fresh(&self) -> Self::Part;

    fn add(&self, part: &mut Self::Part, rows: Range<usize>, blocks: &[ColumnBlock<'_>]);

    /// Parts in the order of the rows as one, where it makes no difference to the last bit who joins them.
    fn joined(&self, parts: Vec<Self::Part>) -> Vec<Self::Part> {
        parts
    }
}

/// The parts of all pieces in the order of the rows; neighbours may be one.
pub(crate) fn parts<S: Step>(table: &dyn Pieces, step: &S, ctl: RunCtl<'_>) -> Result<Vec<S::Part>> {
    let Some(holders) = table.holders() else {
        return map_rows(
            table,
            ctl,
            || step.fresh(),
            |part, rows, blocks| {
                step.add(part, rows, blocks);
                Ok(())
            },
        );
    };
    let mut parts = Vec::new();
    for answer in ask(holders, S::KIND, step, false, ctl)? {
        parts.extend(unpacked::<Vec<S::Part>>(&mut answer.as_slice())?);
    }
    Ok(parts)
}

/// The parts of the rows of one who is asked, as an answer.
pub(crate) fn answered<S: Step>(step: &S, held: &Held<'_>, ctl: RunCtl<'_>) -> Result<Vec<u8>> {
    let parts = map_piece((held.first, held.frame), ctl, &|| step.fresh(), &|part, rows, blocks| {
        step.add(part, rows, blocks);
        Ok(())
    })?;
    packed(&step.joined(parts))
}

/// Asks those who hold the rows.
pub(crate) fn ask(
    holders: &dyn Holders,
    kind: Kind,
    what: &impl Serialize,
    in_turn: bool,
    ctl: RunCtl<'_>,
) -> Result<Vec<Vec<u8>>> {
    let mut question = packed(&kind)?;
    question.extend(packed(what)?);
    holders.ask(question, in_turn, ctl)
}

pub(crate) fn packed(what: &impl Serialize) -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    ciborium::into_writer(what, &mut bytes).map_err(|error| lost(&error))?;
    Ok(bytes)
}

/// The next thing among the bytes, of which it is taken.
pub(crate) fn unpacked<T: DeserializeOwned>(bytes: &mut &[u8]) -> Result<T> {
    ciborium::from_reader(bytes).map_err(|error| lost(&error))
}

fn lost(error: &impl std::fmt::Display) -> Error {
    Error::Internal(format!("what is asked about rows elsewhere, or answered, is no such thing: {error}"))
}
