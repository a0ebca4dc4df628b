//! Answers of those who hold rows to what a fit elsewhere asks about them.

use super::groups::Deviating;
use super::look::Looking;
use super::nearest::Climbing;
use super::sums::{Summing, Terms};
use crate::drawing::Supporting;
use crate::step::{Held, Kind, answered, packed, unpacked};
use imbcore_base::{Result, RunCtl};

/// The answer to a question of [`crate::Holders::ask`] from some of the rows; `before` is that of the rows before them, where it
/// goes round in turn.
///
/// It is a function of what it is given alone.
///
/// # Errors
/// [`imbcore_base::Error::Column`] for infinities, and for missing values where those are refused;
/// [`imbcore_base::Error::Internal`] for bytes that are no question; [`imbcore_base::Error::Cancelled`].
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
