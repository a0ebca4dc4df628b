//! Request handler of remote partitions for a fit that runs elsewhere.

use super::groups::Deviating;
use super::look::Looking;
use super::nearest::Climbing;
use super::sums::{Summing, Terms};
use crate::drawing::Supporting;
use crate::step::{Held, Kind, answered, packed, unpacked};
use imbcore_base::{Result, RunCtl};

/// Handles a request of [`crate::Holders::ask`] on the rows of one partition.
///
/// `before` is the response of the previous partition, if the request runs `in_turn`. The result depends on the
/// arguments only.
///
/// # Errors
/// [`imbcore_base::Error::Column`] for infinities, and for missing values if these are rejected;
/// [`imbcore_base::Error::Internal`] for an invalid request; [`imbcore_base::Error::Cancelled`].
pub fn answer(question: &[u8], held: &Held<'_>, before: Option<&[u8]>, ctl: RunCtl<'_>) -> Result<Vec<u8>> {
    held.check()?;
    let mut rest = question;
    match unpacked::<Kind>(&mut rest)? {
        Kind::Look => packed(&unpacked::<Looking>(&mut rest)?.seen(held, ctl)?),
        Kind::Deviations => {
            let mut so_far: Deviating<'_> = unpacked(&mut before.unwrap_or(rest))?;
            so_far.add(held.first, held.frame, ctl)?;
            packed(&so_far)
        }
        Kind::Sums => answered(&unpacked::<Summing<'_>>(&mut rest)?, held, ctl),
        Kind::Terms => answered(&unpacked::<Terms<'_>>(&mut rest)?, held, ctl),
        Kind::Nearest => answered(&unpacked::<Climbing<'_>>(&mut rest)?.ready(), held, ctl),
        Kind::Support => answered(&unpacked::<Supporting<'_>>(&mut rest)?, held, ctl),
    }
}
