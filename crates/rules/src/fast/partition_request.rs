//! Request handler of a process that holds a partition of the rows; the fit runs elsewhere.

use super::first_pass::FirstPassConfig;
use super::groups::DeviationPass;
use super::nearest::NearestPass;
use super::sums::{ExponentPass, SumsPass};
use crate::drawing::SupportPass;
use crate::step::{RequestKind, RowPartition, packed, respond, unpacked};
use imbcore_core::{Result, RunContext};

/// Handles a request of [`crate::RemotePartitions::ask`] on the rows of one partition.
///
/// If the request runs `in_turn`, `before` is the response of the previous partition. The result depends on
/// the arguments only.
///
/// # Errors
/// [`imbcore_core::Error::Column`] for an infinite value, or for a missing value if these are rejected,
/// [`imbcore_core::Error::Internal`] for an invalid request, and [`imbcore_core::Error::Cancelled`].
pub fn answer(
    question: &[u8],
    held: &RowPartition<'_>,
    before: Option<&[u8]>,
    ctl: RunContext<'_>,
) -> Result<Vec<u8>> {
    held.check()?;
    let mut rest = question;
    match unpacked::<RequestKind>(&mut rest)? {
        RequestKind::Look => packed(&unpacked::<FirstPassConfig>(&mut rest)?.seen(held, ctl)?),
        RequestKind::Deviations => {
            let mut so_far: DeviationPass<'_> = unpacked(&mut before.unwrap_or(rest))?;
            so_far.add(held.first, held.frame, ctl)?;
            packed(&so_far)
        }
        RequestKind::Sums => respond(&unpacked::<SumsPass<'_>>(&mut rest)?, held, ctl),
        RequestKind::Terms => respond(&unpacked::<ExponentPass<'_>>(&mut rest)?, held, ctl),
        RequestKind::Nearest => respond(&unpacked::<NearestPass<'_>>(&mut rest)?.ready(ctl)?, held, ctl),
        RequestKind::Support => respond(&unpacked::<SupportPass<'_>>(&mut rest)?, held, ctl),
    }
}
