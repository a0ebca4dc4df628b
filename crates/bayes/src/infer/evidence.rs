//! Evidence: the observed variables, with the codes of their states.

use crate::network::Network;
use crate::table::MISSING;
use imbcore_core::{Error, Result};

const LISTED: usize = 12;

/// State code of each variable; [`MISSING`] if the variable is not observed.
///
/// # Errors
/// [`Error::Data`] for an unknown variable or state, or a variable observed twice.
pub(crate) fn evidence_codes(network: &Network, evidence: &[(u32, u16)]) -> Result<Vec<u16>> {
    let n = network.n_variables();
    let mut codes = vec![MISSING; n];
    for &(v, state) in evidence {
        let Some(variable) = network.variables().get(v as usize) else {
            return Err(Error::Data(format!(
                "evidence refers to variable {v}, but there are only {n} variables"
            )));
        };
        if usize::from(state) >= variable.states.len() {
            let (name, levels) = (&variable.name, variable.states.len());
            return Err(Error::Data(format!(
                "evidence sets {name:?} to state {state}, but it has only {levels} states"
            )));
        }
        if codes[v as usize] != MISSING {
            return Err(Error::Data(format!("evidence sets {:?} twice", variable.name)));
        }
        codes[v as usize] = state;
    }
    Ok(codes)
}

pub(crate) fn zero_probability_error(network: &Network, codes: &[u16]) -> Error {
    let observed = network.variables().iter().zip(codes).filter(|&(_, &code)| code != MISSING);
    let mut list: Vec<String> = observed
        .map(|(variable, &code)| format!("{}={}", variable.name, variable.states[usize::from(code)]))
        .collect();
    if list.len() > LISTED {
        let more = list.len() - LISTED;
        list.truncate(LISTED);
        list.push(format!("and {more} more"));
    }
    Error::Data(format!(
        "the evidence {} has probability 0 under this network; correct it, or smooth the probability tables",
        list.join(", ")
    ))
}
