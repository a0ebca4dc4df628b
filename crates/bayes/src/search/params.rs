//! Parameters of structure search.

use super::ways::{RECTIFICATIONS, SCORES, SEARCHES, STARTS};
use imbcore_core::VariantSelector;
use serde::{Deserialize, Serialize};

macro_rules! names {
    ($($(#[$meta:meta])* $name:ident { $($(#[$one:meta])* $variant:ident = $text:literal,)* })*) => {$(
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
        pub enum $name {
            $($(#[$one])* #[serde(rename = $text)] $variant,)*
        }
    )*};
}

names! {
    /// Scores of graphs.
    ScoreName {
        /// Log-likelihood.
        LogLikelihood = "ll",
        /// Bayesian information criterion.
        Bic = "bic",
        /// Akaike's information criterion.
        Aic = "aic",
        /// Cooper and Herskovits 1992.
        K2 = "k2",
        /// Bayesian Dirichlet, equivalent and uniform (Heckerman, Geiger and Chickering 1995).
        Bdeu = "bdeu",
        /// Bayesian Dirichlet, sparse (Scutari 2016).
        Bds = "bds",
        /// Bayesian Dirichlet with Jeffreys' prior (Suzuki 2016).
        Bdj = "bdj",
        /// Factorized normalized maximum likelihood.
        ///
        /// See Silander, Roos, Kontkanen and Myllymäki 2008.
        Fnml = "fnml",
        /// Quotient normalized maximum likelihood.
        ///
        /// See Silander, Leppä-aho, Jääsaari and Roos 2018.
        Qnml = "qnml",
    }
    /// Formulas for the log-likelihood of a graph.
    Mle {
        /// Sum over all variables of the log-likelihood of the variable given its parents.
        Family = "family",
        /// Mutual information summed over the arcs, minus the entropies of all variables.
        ///
        /// Both are multiplied by the number of rows. See Morán Jiménez 2018, section 4.4.2.
        Pairwise = "pairwise",
    }
    /// Variants of rectified mutual information (Morán Jiménez 2018, section 5.4.1).
    Rectify {
        /// Mutual information computed from rows that are weighted by class.
        Tempered = "tempered",
        /// Mutual information plus a correction for imbalance that is zero for balanced classes.
        Centered = "centered",
        /// The formula printed in the thesis, with its sum over rows divided by the number of rows.
        PerRow = "perrow",
        /// The formula printed in the thesis.
        Literal = "literal",
    }
    /// Imbalance correction for restricted graphs, such as naive Bayes and TAN.
    Tempering {
        /// Mutual information computed from rows that are weighted by class.
        Tempered = "tempered",
    }
    /// Variables to which the rectification applies.
    RectifyOn {
        /// The class only.
        Class = "class",
        /// All variables, each corrected for its own imbalance.
        All = "all",
    }
    /// Steps of learning that use the row weights of tempered mutual information.
    TemperedUse {
        /// Structure and probabilities.
        Both = "both",
        /// Structure only.
        Structure = "structure",
    }
    /// Search algorithms.
    SearchName {
        /// Tabu search: hill climbing that also accepts a lower score, but avoids recent graphs.
        Tabu = "tabu",
        /// Greedy hill climbing.
        HillClimbing = "hc",
        /// Iterated search with biased randomization.
        ///
        /// See Juan et al. 2014; Morán Jiménez 2018, section 4.4.1.2.
        Biased = "rb",
        /// Iterated local search.
        IteratedLocal = "ils",
        /// Best order score search (Andrews et al. 2023).
        Boss = "boss",
        /// Alternating searches over orders and over graphs, from many starts.
        Best = "best",
        /// An optimal graph (Silander and Myllymäki 2006; Cussens 2011).
        Exact = "exact",
    }
    /// Order of the columns; of equally good changes, a search makes the first in this order.
    TieOrder {
        /// Ascending entropy; the result then rarely depends on the order of the table's columns.
        Entropy = "entropy",
        /// The better result of two searches, one by ascending and one by descending entropy.
        Entropy2 = "entropy2",
        /// The order of the columns in the table.
        Column = "column",
    }
    /// Kinds of random changes of the best graph before a restart.
    Kick {
        /// Random legal operations.
        Random = "random",
        /// Reversals of arcs that lead to an equivalent graph.
        ///
        /// Most score functions give equivalent graphs the same score.
        Equivalent = "equivalent",
    }
    /// Rules for accepting worse graphs.
    Accept {
        /// Accepts a graph if its score is below the best score by less than the last increase.
        ///
        /// See Morán Jiménez 2018.
        Credit = "credit",
        /// After each increase of the score, accepts one graph whose loss is at most this increase.
        ///
        /// See Juan et al. 2014.
        Demon = "demon",
    }
    /// Rule for the graph that a search starts from.
    InitGraphRule {
        /// No arcs.
        Empty = "empty",
        /// Arcs from the class to all other variables.
        Naive = "naive",
        /// Random arcs.
        Random = "random",
    }
    /// Formulas for the likelihood of a variable given its parents, if values are missing.
    Gaps {
        /// Gain of each parent, computed from the rows in which the whole family is known.
        CommonRows = "common_rows",
        /// Mean log-likelihood of the rows without missing values, times the number of all rows.
        ///
        /// Only missing values of the variable or its parents matter. See Bodewes and Scutari 2021.
        NodeAverage = "node_average",
        /// Sum of the log-likelihoods of the rows in which the variable and its parents are known.
        Available = "available",
    }
    /// Arcs that the class may have.
    ClassRole {
        /// Any arcs.
        Free = "free",
        /// No parents.
        Root = "root",
        /// No children.
        Leaf = "leaf",
    }
}

/// Graph that a search starts from.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum InitGraph {
    /// A rule.
    Rule(InitGraphRule),
    /// Given arcs.
    Arcs(Vec<(u32, u32)>),
}

impl InitGraph {
    pub(crate) fn given_arcs(&self) -> Option<&Vec<(u32, u32)>> {
        if let Self::Arcs(arcs) = self { Some(arcs) } else { None }
    }
}

impl Rectify {
    /// Warning if no arc into a corrected variable can raise the score with this correction.
    ///
    /// See Morán Jiménez 2018, section 5.4.1.
    pub fn warning(self) -> Option<String> {
        let name = match self {
            Self::Literal => "literal",
            Self::PerRow => "perrow",
            Self::Tempered | Self::Centered => return None,
        };
        Some(format!(
            "rectify=\"{name}\" lets no arc into a rectified variable improve the score; it serves to replicate the thesis. Use \
             \"tempered\" instead"
        ))
    }
}

imbcore_core::params! {
    /// Parameters of structure search.
    pub struct StructureParams {
        search: SearchName = SearchName::Tabu, "\"tabu\", \"hc\", \"boss\", \"best\", \"rb\", \"ils\" or \"exact\"",
            "Search algorithm. \"tabu\": hill climbing that also takes steps to graphs with a lower score, but does \
             not return to recent graphs. \"hc\": hill climbing. \"boss\": best order score search. \"best\": \
             alternation of \"boss\" and \"tabu\", from many starts. \"rb\": biased randomization. \"ils\": iterated \
             local search. \"exact\": a graph proven to have the highest score, for up to about 40 variables, or up \
             to 24 if no upper bounds on the score are known.";
        score: ScoreName = ScoreName::Bic, "\"bic\", \"aic\", \"ll\", \"k2\", \"bdeu\", \"bds\", \"bdj\", \"fnml\" or \"qnml\"",
            "Score of a graph, which the search maximizes: a penalized likelihood (\"bic\", \"aic\"), the likelihood \
             (\"ll\"), or a Bayesian score (\"k2\", \"bdeu\", \"bds\").";
        structure_constant: f64 = 1.0, "a number of at least 0",
            "Factor of the penalty of BIC and AIC; 1 is the standard value, smaller values allow more arcs.";
        equivalent_sample_size: f64 = 1.0, "a positive number", "Number of imaginary rows that the scores BDeu and \
         BDs distribute over the cells of each probability table.";
        mle: Mle = Mle::Family, "\"family\" or \"pairwise\"",
            "Likelihood term of the score. \"family\": sum of the log-likelihoods of all families, where a family is \
             a variable with its parents. \"pairwise\": sum of the mutual information of all arcs.";
        missing_likelihood: Gaps = Gaps::CommonRows, "\"common_rows\", \"node_average\" or \"available\"",
            "Score of a family (a variable and its parents) with missing values. \"common_rows\": the gain of each \
             parent is computed from the rows in which the variable and all parents are known. \"node_average\": \
             mean log-likelihood of the rows without missing values in the family, multiplied by the number of all \
             rows; this score adds arcs between independent variables. \"available\": sum of the log-likelihoods of the \
             rows without missing values in the family; this score favors families with missing values.";
        max_parents: Option<u32> = None, "a whole number of at least 0, or None", "Maximum number of parents of a variable. None: no limit.";
        tie_breaking: TieOrder = TieOrder::Entropy2, "\"entropy2\", \"entropy\" or \"column\"",
            "Tie-breaking order of equally good steps: \"entropy2\" (two searches, with columns by ascending and by \
             descending entropy; the better graph is used), \"entropy\" (ascending only) or \"column\" (order of the \
             columns). For \"entropy2\" and \"entropy\", the result does not depend on the order of the columns, \
             unless the states of two columns have equal counts.";
        init_graph: Option<InitGraph> = None, "None, \"empty\", \"naive\" or \"random\", or a list of arcs" naming Arcs,
            "Graph to start from: \"empty\", \"naive\" (arcs from the class to all columns), \"random\", or given \
             arcs as for required_arcs. None: \"random\" for \"rb\", \"empty\" for the other searches.";
        required_arcs: Option<Vec<(u32, u32)>> = None, "a list of arcs, or None" naming Arcs, "Arcs that each graph \
         must have: pairs (from, to) of column names or positions. The class has the name \"class\" and the position \
         after the last column.";
        forbidden_arcs: Option<Vec<(u32, u32)>> = None, "a list of arcs, or None" naming Arcs, "Arcs that no graph may have.";
        tiers: Option<Vec<u32>> = None, "a list of tiers, one per variable, a dict of tiers by name, or None" naming Variables, "Tier \
         of each variable, a whole number: an arc never leads from a variable to a variable of a lower tier. In a \
         list the class is the last variable; in a dict, variables that are not named have tier 0.";
        class_role: ClassRole = ClassRole::Free, "\"free\", \"root\" or \"leaf\"", "Arcs that the class may have: \
         all arcs (\"free\"), no incoming arcs (\"root\"), or no outgoing arcs (\"leaf\").";
        tabu: u32 = 10, "a whole number of at least 1", "Number of recent graphs to which tabu search does not return.";
        max_tabu: u32 = 10, "a whole number of at least 1", "Number of moves without a new best graph after which tabu \
         search stops, unless the next move increases the score.";
        restarts: u32 = 0, "a whole number of at least 0", "Number of restarts. Tabu search and hill climbing \
         restart from the perturbed best graph, best order score search from random orders.";
        perturb: u32 = 10, "a whole number of at least 1", "Number of random operations that perturb the best graph \
         before a restart. search=\"best\", which alternates \"boss\" and \"tabu\", perturbs the best graph \
         before some of its starts.";
        perturbation: Kick = Kick::Random, "\"random\" or \"equivalent\"",
            "Operations that perturb the best graph before a restart. \"random\": random operations. \"equivalent\": \
             reversals of arcs that keep the graph in its equivalence class; with most structure scores, the score \
             of the graph then does not change.";
        max_iters: Option<u32> = None, "a whole number of at least 1, or None",
            "Maximum number of steps: changes of the graph in tabu search and hill climbing, iterations in \
             biased randomization and iterated local search. None: 1000 for biased randomization and \
             iterated local search, no limit for the other searches.";
        rounds: Option<u32> = None, "a whole number of at least 1, or None",
            "Number of rounds, of four searches each. None: 40, or no limit if there is a time limit.";
        max_scores: Option<u32> = None, "a whole number of at least 1, or None",
            "Number of computed scores of families (a variable and its parents) after which the search \
             starts no further round. None: 20 million, or 200 million if there is a time limit.";
        max_without_improvement: u32 = 30, "a whole number of at least 1",
            "Number of iterations without a new best graph after which the search stops.";
        geometric_p: f64 = 0.3, "in (0, 1)", "Success probability of a geometric distribution. Biased \
         randomization draws the rank of the next operation from this distribution, iterated local search \
         the size of a perturbation.";
        candidates: u32 = 25, "a whole number of at least 1", "Number of random operations (changes of an \
         arc) that the search ranks in an iteration.";
        time_limit: Option<f64> = None, "a positive number of seconds, or None", "Time limit in seconds for all \
         searches together. None: 30 s for biased randomization and iterated local search, no limit for the \
         other searches. If the limit ends a search, the result is not reproducible.";
        accept: Accept = Accept::Credit, "\"credit\" or \"demon\"", "Condition under which the search \
         accepts a worse graph than the current graph. \"credit\": the new score is below the best score by less \
         than the last increase of the score. \"demon\": the new score is below the current score by at most the \
         last increase of the score. After such a step, another worse graph is accepted only after a new increase.";
        density: Option<f64> = None, "in [0, 1], or None", "Probability of each arc of a random start that its \
         random order of the variables allows. None: 1 / (n - 1) for n variables, at most 0.5.";
        rectify: Option<Rectify> = None, "None, \"tempered\", \"centered\", \"perrow\" or \"literal\"",
            "Correction of mutual information for imbalance. \"tempered\": rows are weighted by class, also in the \
             probability tables. \"centered\", \"perrow\" and \"literal\": variants of the formula of Morán Jiménez \
             (2018). \"perrow\" and \"literal\" raise a warning: with them, a variable whose mutual \
             information is corrected (by default only the class) scores best without parents. None: no correction.";
        phi: f64 = 0.5, "a number of at least 0", "Parameter of the correction for imbalance. For \"tempered\" and \
         \"centered\", 1 means no correction and 0 the full correction. For \"tempered\" with 0, all classes have \
         the same total weight.";
        variables: RectifyOn = RectifyOn::Class, "\"class\" or \"all\"",
            "Variables whose mutual information with their parents is corrected. \"class\": only the class variable, \
             for the imbalance of the classes. \"all\": every variable, for the imbalance of its own states.";
        used_for: TemperedUse = TemperedUse::Both, "\"both\" or \"structure\"",
            "Use of the class weights of rectify=\"tempered\". \"both\": for structure and probabilities; the \
             probabilities then refer to the weighted class distribution. \"structure\": for the structure only.";
    } choosing &[
        VariantSelector { name: "search", choices: SEARCHES },
        VariantSelector { name: "score", choices: SCORES },
        VariantSelector { name: "init_graph", choices: STARTS },
        VariantSelector { name: "rectify", choices: RECTIFICATIONS },
    ]
}

impl Gaps {
    pub(crate) fn is_node_average(self) -> bool {
        self == Self::NodeAverage
    }
}
