//! Request handler of remote partitions for a fit that runs elsewhere.

use super::groups::DeviationPass;
use super::look::FirstPassConfig;
use super::nearest::NearestPass;
use super::sums::{SumsPass, Terms};
use crate::drawing::SupportPass;
use crate::step::{Held, Kind, answered, packed, unpacked};
use imbcore_base::{Result, RunContext};

/// Handles a request of [`crate::RemotePartitions::ask`] on the rows of one partition.
///
/// `before` is the response of the previous partition, if the request runs `in_turn`. The result depends on the
/// arguments only.
///
/// # Errors
/// [`imbcore_base::Error::Column`] for infinities, and for missing values if these are rejected;
/// [`imbcore_base::Error::Internal`] for an invalid request; [`imbcore_base::Error::Cancelled`].
pub fn answer(
    question: &[u8],
    held: &Held<'_>,
    before: Option<&[u8]>,
    ctl: RunContext<'_>,
) -> Result<Vec<u8>> {
    held.check()?;
    let mut rest = question;
    match unpacked::<Kind>(&mut rest)? {
        Kind::Look => packed(&unpacked::<FirstPassConfig>(&mut rest)?.seen(held, ctl)?),
        Kind::Deviations => {
            let mut so_far: DeviationPass<'_> = unpacked(&mut before.unwrap_or(rest))?;
            so_far.add(held.first, held.frame, ctl)?;
            packed(&so_far)
        }
        Kind::Sums => answered(&unpacked::<SumsPass<'_>>(&mut rest)?, held, ctl),
        Kind::Terms => answered(&unpacked::<Terms<'_>>(&mut rest)?, held, ctl),
        Kind::Nearest => answered(&unpacked::<NearestPass<'_>>(&mut rest)?.ready(), held, ctl),
        Kind::Support => answered(&unpacked::<SupportPass<'_>>(&mut rest)?, held, ctl),
    }
}
