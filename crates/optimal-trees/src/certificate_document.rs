//! A certificate document from an untrusted source.

use crate::claim_verifier::VerificationReport;
use crate::learner::OptimalTreeLearner;
use crate::model::{OptimalModel, OptimalityProof, ROUNDING};
use crate::params::{TreeObjective, TreeObjectiveName};
use crate::tree_certificate::TreeCertificate;
use imbcore_core::budget::StoppingLimits;
use imbcore_core::{Dataset, Error, Result, RunContext};
use serde::Deserialize;

/// Content of a certificate document; every field may be missing.
#[derive(Clone, Debug, Deserialize)]
pub struct CertificateDocument {
    proof: Option<TreeCertificate>,
    objective: Option<f64>,
    bound: Option<f64>,
    proven_optimal: Option<bool>,
}

impl CertificateDocument {
    /// Parses a document.
    ///
    /// # Errors
    /// [`Error::Data`] if the text is not a certificate.
    pub fn parse(text: &str) -> Result<Self> {
        serde_json::from_str(text).map_err(|error| {
            Error::Data(format!("the text is not a certificate() of an exact tree: {error}"))
        })
    }

    fn find_contradiction(&self, proof: &OptimalityProof, objective: TreeObjective) -> Option<String> {
        let near = |a: f64, b: f64| (a - b).abs() <= ROUNDING * a.abs().max(b.abs());
        let worth = proof.objective;
        if let Some(stated) = self.objective.filter(|stated| !near(*stated, worth)) {
            return Some(format!(
                "the certificate states an objective of {stated}, but the tree has {worth}"
            ));
        }
        let bound = self.bound.filter(|bound| !near(*bound, worth))?;
        let is_cost =
            matches!(objective, TreeObjective::Named(TreeObjectiveName::Cost) | TreeObjective::Recall(_));
        if (bound > worth) == is_cost || self.proven_optimal == Some(true) {
            return Some(format!(
                "the certificate states a bound of {bound}, which contradicts its objective of {worth}"
            ));
        }
        None
    }
}

impl OptimalTreeLearner {
    /// Verifies the trees of a model on the training rows, with the certificate of a document.
    ///
    /// # Errors
    /// Same errors as [`Self::verify`].
    pub fn verify_document(
        &self,
        model: &OptimalModel,
        stated: &CertificateDocument,
        data: &Dataset<'_>,
        limits: StoppingLimits,
        ctl: RunContext<'_>,
    ) -> Result<VerificationReport> {
        let none = TreeCertificate::without_claims(data.n_classes());
        let found = self.verify(model, Some(stated.proof.as_ref().unwrap_or(&none)), data, limits, ctl)?;
        Ok(match stated.find_contradiction(&model.proof, self.params.objective) {
            Some(reason) if found.objective_holds => VerificationReport {
                objective_holds: false,
                proves_optimal: Some(false),
                reason: Some(reason),
                ..found
            },
            _ => found,
        })
    }
}
