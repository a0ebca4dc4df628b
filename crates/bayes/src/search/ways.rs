//! Allowed values of the search parameters, each with the other parameters that it uses.

use imbcore_core::VariantDef;

pub(super) const SEARCHES: &[VariantDef] = &[
    VariantDef {
        name: "tabu",
        class: "Tabu",
        doc: "Tabu search: hill climbing that accepts lower scores but does not return to recent graphs.",
        params: &["tabu", "max_tabu", "restarts", "perturb", "perturbation", "max_iters", "time_limit"],
    },
    VariantDef {
        name: "hc",
        class: "HillClimbing",
        doc: "Greedy hill climbing.",
        params: &["restarts", "perturb", "perturbation", "max_iters", "time_limit"],
    },
    VariantDef {
        name: "boss",
        class: "BOSS",
        doc: "Best order score search (Andrews et al. 2023).",
        params: &["restarts", "time_limit"],
    },
    VariantDef {
        name: "best",
        class: "BestSearch",
        doc: "Best order score search and tabu search in alternation, from many starts.",
        params: &["rounds", "max_scores", "perturb", "tabu", "max_tabu", "time_limit"],
    },
    VariantDef {
        name: "rb",
        class: "BiasedRandomization",
        doc: "Iterated search with biased randomization.",
        params: &[
            "geometric_p",
            "candidates",
            "accept",
            "max_iters",
            "max_without_improvement",
            "time_limit",
        ],
    },
    VariantDef {
        name: "ils",
        class: "IteratedLocalSearch",
        doc: "Iterated local search.",
        params: &["geometric_p", "accept", "max_iters", "max_without_improvement", "time_limit"],
    },
    VariantDef {
        name: "exact",
        class: "ExactSearch",
        doc: "Exact search: finds a graph with the highest score, unless the time limit ends it first.",
        params: &["time_limit"],
    },
];

pub(crate) const SCORES: &[VariantDef] = &[
    VariantDef {
        name: "bic",
        class: "BIC",
        doc: "Bayesian information criterion.",
        params: &["structure_constant", "mle", "missing_likelihood"],
    },
    VariantDef {
        name: "aic",
        class: "AIC",
        doc: "Akaike's information criterion.",
        params: &["structure_constant", "mle", "missing_likelihood"],
    },
    VariantDef {
        name: "ll",
        class: "LogLikelihood",
        doc: "Log-likelihood, without a penalty.",
        params: &["mle", "missing_likelihood"],
    },
    VariantDef {
        name: "k2",
        class: "K2",
        doc: "K2 score: marginal likelihood of the graph under uniform priors (Cooper and Herskovits 1992).",
        params: &["missing_likelihood"],
    },
    VariantDef {
        name: "bdeu",
        class: "BDeu",
        doc: "Bayesian Dirichlet equivalent uniform score, BDeu (Heckerman, Geiger and Chickering 1995).",
        params: &["equivalent_sample_size", "missing_likelihood"],
    },
    VariantDef {
        name: "bds",
        class: "BDs",
        doc: "Bayesian Dirichlet, sparse (Scutari 2016).",
        params: &["equivalent_sample_size", "missing_likelihood"],
    },
    VariantDef {
        name: "bdj",
        class: "BDJ",
        doc: "Bayesian Dirichlet score with Jeffreys' prior: half an imaginary row per cell of a table (Suzuki \
         2016).",
        params: &["missing_likelihood"],
    },
    VariantDef {
        name: "fnml",
        class: "FNML",
        doc: "Factorized normalized maximum likelihood score, which needs no prior (Silander, Roos, Kontkanen and \
         Myllymäki 2008).",
        params: &["missing_likelihood"],
    },
    VariantDef {
        name: "qnml",
        class: "QNML",
        doc: "Quotient normalized maximum likelihood score (Silander, Leppä-aho, Jääsaari and Roos 2018). It needs \
              no prior, and graphs that imply the same independences have equal scores.",
        params: &["missing_likelihood"],
    },
];

pub(super) const STARTS: &[VariantDef] = &[VariantDef {
    name: "random",
    class: "RandomStart",
    doc: "A graph with random arcs.",
    params: &["density"],
}];

/// Mutual information computed from rows that are weighted by class.
///
/// It is the only rectification that is also offered for restricted graphs, such as naive Bayes and TAN.
pub(crate) const TEMPERED: VariantDef = VariantDef {
    name: "tempered",
    class: "Tempered",
    doc: "Mutual information of rows weighted by class, so that dependencies within a rare class have more influence.",
    params: &["phi", "used_for"],
};

/// Imbalance corrections of mutual information (Morán Jiménez 2018, section 5.4.1).
pub(super) const RECTIFICATIONS: &[VariantDef] = &[
    TEMPERED,
    VariantDef {
        name: "centered",
        class: "Centered",
        doc: "Mutual information plus a correction for class imbalance; the correction is zero if the classes are \
         balanced.",
        params: &["phi", "variables"],
    },
    VariantDef {
        name: "perrow",
        class: "PerRow",
        doc: "Formula printed by Morán Jiménez (2018), with its last term divided by the number of rows. With \
         this formula, a variable that `variables` selects for the correction has its best score without parents.",
        params: &["phi", "variables"],
    },
    VariantDef {
        name: "literal",
        class: "LiteralFormula",
        doc: "Formula printed by Morán Jiménez (2018). With this formula, a variable that `variables` selects for \
         the correction has its best score without parents.",
        params: &["phi", "variables"],
    },
];
