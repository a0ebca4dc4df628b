//! Request handler of a process that holds a partition of the rows; the fit runs elsewhere.

use super::bound_sums::{BoundSumsPass, LogSumExpPass};
use super::clustered_rows::StandardDeviationPass;
use super::first_pass::FirstPassConfig;
use super::nearest::NearestPass;
use crate::box_drawing::BoxSupportPass;
use crate::row_pass::{PartitionRequestKind, RowPartition, deserialize_next, run_on_partition, serialize};
use imbcore_core::{Result, RunContext};

/// Handles a request of [`crate::RemotePartitions::send_request`] on one partition.
///
/// If the request runs `in_turn`, `before` is the response of the previous partition. The result depends on
/// the arguments only.
///
/// # Errors
/// [`imbcore_core::Error::Column`] for an infinite value, or for a missing value if these are rejected,
/// [`imbcore_core::Error::Internal`] for an invalid request, and [`imbcore_core::Error::Cancelled`].
pub fn handle_request(
    question: &[u8],
    held: &RowPartition<'_>,
    before: Option<&[u8]>,
    ctl: RunContext<'_>,
) -> Result<Vec<u8>> {
    held.check()?;
    let mut rest = question;
    match deserialize_next::<PartitionRequestKind>(&mut rest)? {
        PartitionRequestKind::Look => {
            serialize(&deserialize_next::<FirstPassConfig>(&mut rest)?.run_on_partition(held, ctl)?)
        }
        PartitionRequestKind::Deviations => {
            let mut so_far: StandardDeviationPass<'_> = deserialize_next(&mut before.unwrap_or(rest))?;
            so_far.add_batch(held.first, held.frame, ctl)?;
            serialize(&so_far)
        }
        PartitionRequestKind::Sums => {
            run_on_partition(&deserialize_next::<BoundSumsPass<'_>>(&mut rest)?, held, ctl)
        }
        PartitionRequestKind::Terms => {
            run_on_partition(&deserialize_next::<LogSumExpPass<'_>>(&mut rest)?, held, ctl)
        }
        PartitionRequestKind::Nearest => run_on_partition(
            &deserialize_next::<NearestPass<'_>>(&mut rest)?.with_sorted_queries(ctl)?,
            held,
            ctl,
        ),
        PartitionRequestKind::Support => {
            run_on_partition(&deserialize_next::<BoxSupportPass<'_>>(&mut rest)?, held, ctl)
        }
    }
}
