//! Proofs of exact structure searches.

// PyO3 passes arguments by value, so this lint of Clippy does not apply.
#![allow(clippy::needless_pass_by_value)]

use crate::calls::{error_to_exception, run_short, run_without_gil};
use crate::json_document::document_to_python;
use crate::network::Network;
use crate::network_input::{NominalColumns, nominal_table, parse_structure_settings};
use imbcore_bayes::proof::{GraphProof, ProofError, is_same_objective, verify};
use imbcore_core::Error;
use imbcore_core::budget::{SearchBudget, StoppingLimits};
use pyo3::prelude::*;

/// Result of verifying the score of a network, and the proof of a bound on this score.
#[derive(IntoPyObject)]
pub(crate) struct NetworkVerification {
    score: f64,
    rounding: f64,
    bound: Option<f64>,
    families: u64,
    /// Whether the bound on the score is valid; `None` if time ran out before this was decided.
    bound_holds: Option<bool>,
    reason: Option<String>,
}

#[pyfunction]
pub(crate) fn network_proof<'py>(py: Python<'py>, proof: &str) -> PyResult<Bound<'py, PyAny>> {
    let document =
        run_short(py, || serde_json::from_str(proof).map_err(|error| Error::Internal(error.to_string())))?;
    document_to_python(py, &document)
}

/// The text of the certificate may come from a user, so the error is not internal.
fn as_data_error(error: Error) -> Error {
    match error {
        Error::Internal(what) => Error::Data(format!("this is not a certificate of a network: {what}")),
        other => other,
    }
}

/// Verifies the proof of a bound on the score of a network, on the training rows.
///
/// `asked` has the parameters and the target that the certificate states. `own` has the parameters and the
/// target of the search that found the network, if they are known.
#[pyfunction]
#[pyo3(signature = (network, frame, proof, asked, own, time_limit, n_threads))]
#[allow(clippy::too_many_arguments)]
pub(crate) fn network_verify(
    py: Python<'_>,
    network: PyRef<'_, Network>,
    frame: NominalColumns<'_>,
    proof: &str,
    asked: (String, Option<u32>),
    own: Option<(String, Option<u32>)>,
    time_limit: f64,
    n_threads: usize,
) -> PyResult<NetworkVerification> {
    let table = nominal_table(&frame, None).map_err(error_to_exception)?;
    let network = &network.0;
    let found = run_without_gil(py, None, n_threads, |ctl| {
        let proof: GraphProof = serde_json::from_str(proof)
            .map_err(|error| Error::Data(format!("this is not a certificate of a network: {error}")))?;
        let limits = StoppingLimits { seconds: time_limit, ..StoppingLimits::default() };
        let budget = SearchBudget::start("verify_certificate", limits, ctl)?;
        let stated = parse_structure_settings(&asked.0).map_err(as_data_error)?;
        if let Some((own, class)) = own
            && !is_same_objective(&table, (&stated, asked.1), (&parse_structure_settings(&own)?, class))?
        {
            let message = "the certificate has a different score, constraints or target than the search of this network";
            return Err(Error::Data(message.into()));
        }
        verify(&proof, &table, asked.1, &stated, network.dag(), &budget)
    })?;
    Ok(NetworkVerification {
        score: found.score,
        rounding: found.rounding,
        bound: found.bound,
        families: found.families,
        bound_holds: (found.fault != Some(ProofError::TimeLimit)).then_some(found.fault.is_none()),
        reason: found.fault.map(|fault| fault.to_sentence(|v| &network.variables()[v].name)),
    })
}
