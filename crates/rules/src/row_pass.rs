//! Passes over the rows, with the same code for tables, batches and remote partitions.
//!
//! A remote partition receives a serialized pass. It returns the serialized partial results of its tasks.

use crate::row_source::{
    ColumnBlock, RemotePartitions, RowSource, TASK_ROWS, map_batch_blocks, map_row_blocks,
};
use imbcore_core::{Error, Frame, Result, RunContext};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::ops::Range;

/// Rows of one remote partition.
#[derive(Clone, Copy, Debug)]
pub struct RowPartition<'a> {
    /// The rows.
    pub frame: &'a Frame<'a>,
    /// Class codes of the rows.
    pub classes: &'a [u32],
    /// Number of the first row of the partition among all rows, a multiple of [`TASK_ROWS`].
    pub first: usize,
}

impl RowPartition<'_> {
    pub(crate) fn check(&self) -> Result<()> {
        if self.first.is_multiple_of(TASK_ROWS) && self.classes.len() == self.frame.n_rows() {
            return Ok(());
        }
        Err(Error::Internal("a partition is misaligned or has a wrong number of class codes".into()))
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum PartitionRequestKind {
    Look,
    Deviations,
    Sums,
    Terms,
    Nearest,
    Support,
}

/// A pass over all rows, block by block.
///
/// It is serialized for remote partitions, without the fields that only a local pass needs.
pub(crate) trait RowPass: Serialize + Sync {
    const KIND: PartitionRequestKind;

    type Part: Send + Serialize + DeserializeOwned;

    fn new_partial_result(&self) -> Self::Part;

    fn add_block(&self, part: &mut Self::Part, rows: Range<usize>, blocks: &[ColumnBlock<'_>]);

    /// Merges the results of consecutive tasks to make a response smaller.
    ///
    /// An implementation must not change the final result, not even by rounding.
    fn merge_partial_results(&self, parts: Vec<Self::Part>) -> Vec<Self::Part> {
        parts
    }
}

/// Runs a pass and returns the results of all tasks in row order.
///
/// A remote partition may have merged the results of neighboring tasks.
pub(crate) fn run_pass<S: RowPass>(
    table: &dyn RowSource,
    step: &S,
    ctl: RunContext<'_>,
) -> Result<Vec<S::Part>> {
    let Some(holders) = table.remote_partitions() else {
        return map_row_blocks(
            table,
            ctl,
            || step.new_partial_result(),
            |part, rows, blocks| {
                step.add_block(part, rows, blocks);
                Ok(())
            },
        );
    };
    let mut parts = Vec::new();
    for response in send_to_partitions(holders, S::KIND, step, false, ctl)? {
        parts.extend(deserialize_next::<Vec<S::Part>>(&mut response.as_slice())?);
    }
    Ok(parts)
}

pub(crate) fn run_on_partition<S: RowPass>(
    step: &S,
    held: &RowPartition<'_>,
    ctl: RunContext<'_>,
) -> Result<Vec<u8>> {
    let parts = map_batch_blocks(
        (held.first, held.frame),
        ctl,
        &|| step.new_partial_result(),
        &|part, rows, blocks| {
            step.add_block(part, rows, blocks);
            Ok(())
        },
    )?;
    serialize(&step.merge_partial_results(parts))
}

pub(crate) fn send_to_partitions(
    holders: &dyn RemotePartitions,
    kind: PartitionRequestKind,
    value: &impl Serialize,
    in_turn: bool,
    ctl: RunContext<'_>,
) -> Result<Vec<Vec<u8>>> {
    let mut question = serialize(&kind)?;
    question.extend(serialize(value)?);
    holders.send_request(question, in_turn, ctl)
}

pub(crate) fn serialize(value: &impl Serialize) -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    ciborium::into_writer(value, &mut bytes).map_err(|error| connection_error(&error))?;
    Ok(bytes)
}

pub(crate) fn deserialize_next<T: DeserializeOwned>(bytes: &mut &[u8]) -> Result<T> {
    ciborium::from_reader(bytes).map_err(|error| connection_error(&error))
}

fn connection_error(error: &impl std::fmt::Display) -> Error {
    Error::Internal(format!("a message to or from a remote partition is invalid: {error}"))
}
