//! Parameters of structure search.

use super::ways::{RECTIFICATIONS, SCORES, SEARCHES, STARTS};
use imbcore_base::Choosing;
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
    /// What a graph is scored by.
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
        /// Bayesian Dirichlet under Jeffreys' prior (Suzuki 2016).
        Bdj = "bdj",
        /// Factorised normalised maximum likelihood (Silander, Roos, Kontkanen and Myllymäki 2008).
        Fnml = "fnml",
        /// Quotient normalised maximum likelihood (Silander, Leppä-aho, Jääsaari and Roos 2018).
        Qnml = "qnml",
    }
    /// Form of the log-likelihood.
    Mle {
        /// Of whole families.
        Family = "family",
        /// Sum of pairwise mutual information over the arcs (Morán Jiménez 2018, section 4.4.2).
        Pairwise = "pairwise",
    }
    /// Reading of the rectified mutual information (Morán Jiménez 2018, section 5.4.1).
    Rectify {
        /// Mutual information of rows weighted by class.
        Tempered = "tempered",
        /// Damped imbalance, zero at balance.
        Centred = "centred",
        /// The printed formula per row.
        PerRow = "perrow",
        /// The printed formula.
        Literal = "literal",
    }
    /// The rectification that serves graphs of a given form.
    Tempering {
        /// Mutual information of rows weighted by class.
        Tempered = "tempered",
    }
    /// Which variables the rectification damps.
    RectifyOn {
        /// The class only.
        Class = "class",
        /// All variables, each with its own imbalance.
        All = "all",
    }
    /// What tempered weights are used for.
    TemperedUse {
        /// Structure and probabilities.
        Both = "both",
        /// Structure only.
        Structure = "structure",
    }
    /// How graphs are searched.
    SearchName {
        /// Hill climbing that may go on downhill, without returning to recent graphs.
        Tabu = "tabu",
        /// Greedy hill climbing.
        HillClimbing = "hc",
        /// Iterated search with biased randomisation (Juan et al. 2014; Morán Jiménez 2018, section 4.4.1.2).
        Biased = "rb",
        /// Iterated local search.
        IteratedLocal = "ils",
        /// Best order score search (Andrews et al. 2023).
        Boss = "boss",
        /// Searches over orders and over graphs in turn, from many starts.
        Best = "best",
        /// The best graph there is (Silander and Myllymäki 2006).
        Exact = "exact",
    }
    /// Order in which equally good operations are taken.
    TieOrder {
        /// Columns by ascending entropy: the result does not depend on the order of columns.
        Entropy = "entropy",
        /// The better result of ascending and descending entropy.
        Entropy2 = "entropy2",
        /// As the columns stand.
        Column = "column",
    }
    /// How a restart leaves the best graph.
    Kick {
        /// By any legal operations.
        Random = "random",
        /// By turning covered arcs: the graph keeps its independences, and most scores their value.
        Equivalent = "equivalent",
    }
    /// When a worse graph is accepted.
    Accept {
        /// When the best graph is ahead by less than the last increase (Morán Jiménez 2018).
        Credit = "credit",
        /// When the step loses no more than the last increase, once (Juan et al. 2014).
        Demon = "demon",
    }
    /// Where a search starts.
    Start {
        /// Without arcs.
        Empty = "empty",
        /// With arcs from the class to all other variables.
        Naive = "naive",
        /// With random arcs.
        Random = "random",
    }
    /// Likelihood of a family that only some rows know.
    Gaps {
        /// Their average, times all rows (Bodewes and Scutari 2021).
        NodeAverage = "node_average",
        /// Their sum.
        Available = "available",
    }
    /// What arcs the class may have.
    ClassRole {
        /// Any.
        Free = "free",
        /// No parents.
        Root = "root",
        /// No children.
        Leaf = "leaf",
    }
}

impl Rectify {
    /// What to tell who asks for a reading under which no arc into a rectified variable pays (Morán Jiménez 2018, section
    /// 5.4.1).
    pub fn remark(self) -> Option<String> {
        let name = match self {
            Self::Literal => "literal",
            Self::PerRow => "perrow",
            Self::Tempered | Self::Centred => return None,
        };
        Some(format!(
            "rectify=\"{name}\" lets no arc into a rectified variable pay; it is there to replicate the thesis, and \
             \"tempered\" is what works"
        ))
    }
}

imbcore_base::params! {
    /// Parameters of structure search.
    pub struct StructureParams {
        search: SearchName = SearchName::Tabu, "\"tabu\", \"hc\", \"boss\", \"best\", \"rb\", \"ils\" or \"exact\"",
            "How graphs are searched: \"tabu\" (hill climbing that goes on downhill and never returns to recent graphs), \"hc\" (hill \
             climbing), \"boss\" (best order score search), \"best\" (both in turn, from many starts), \"rb\" (biased randomisation), \"ils\" (iterated local search) or \"exact\" (the best graph, with a \
             proof: up to some 30 columns where bounds of the score leave out most sets of parents, else about 20).";
        score: ScoreName = ScoreName::Bic, "\"bic\", \"aic\", \"ll\", \"k2\", \"bdeu\", \"bds\", \"bdj\", \"fnml\" or \"qnml\"",
            "What a graph is scored by.";
        structure_constant: f64 = 1.0, "a number of at least 0",
            "Factor of the penalty of BIC and AIC; 1 is the usual one, less lets in more arcs.";
        equivalent_sample_size: f64 = 1.0, "a positive number", "Imagined rows that BDeu and BDs spread over the cells.";
        mle: Mle = Mle::Family, "\"family\" or \"pairwise\"",
            "Log-likelihood of whole families, or the sum of mutual information over the arcs.";
        gaps: Gaps = Gaps::NodeAverage, "\"node_average\" or \"available\"",
            "Score of a family that only some rows know: their average times all rows, or their sum, which favours families with gaps.";
        max_parents: Option<u32> = None, "a whole number of at least 0, or None", "Most parents of a variable. None: no limit.";
        tie_order: TieOrder = TieOrder::Entropy2, "\"entropy2\", \"entropy\" or \"column\"",
            "Order in which equally good steps are taken: \"entropy2\" (the better graph of columns by ascending and by descending \
             entropy), \"entropy\" (ascending only) or \"column\". By entropy the order of columns in the data does not matter.";
        start: Option<Start> = None, "None, \"empty\", \"naive\" or \"random\"",
            "Where the search starts: \"empty\", \"naive\" (arcs from the class to all columns) or \"random\"; None is random for rb and empty for the others.";
        start_arcs: Option<Vec<(u32, u32)>> = None, "a list of arcs, or None" naming Arcs, "Graph to start from, in place of `start`.";
        required: Option<Vec<(u32, u32)>> = None, "a list of arcs, or None" naming Arcs, "Arcs that every graph has: pairs (from, to) of columns by name or position; the class by \"class\", or by the number of columns.";
        forbidden: Option<Vec<(u32, u32)>> = None, "a list of arcs, or None" naming Arcs, "Arcs that no graph has.";
        tiers: Option<Vec<u32>> = None, "a list of tiers, one a variable, a dict of them by name, or None" naming Variables, "Arcs never go to a lower tier; the class is the last variable, and who is not named has tier 0.";
        class_role: ClassRole = ClassRole::Free, "\"free\", \"root\" or \"leaf\"", "What arcs the class may have: any, none into it, or none out of it.";
        tabu: u32 = 10, "a whole number of at least 1", "Recent graphs that tabu search does not return to.";
        max_tabu: u32 = 10, "a whole number of at least 1", "Moves without a new best graph after which tabu search stops.";
        restarts: u32 = 0, "a whole number of at least 0", "Restarts of tabu search and hill climbing from the best graph, perturbed; of boss from random orders.";
        perturb: u32 = 10, "a whole number of at least 1", "Random operations of a restart, and of those of best that start near the best graph.";
        kick: Kick = Kick::Random, "\"random\" or \"equivalent\"",
            "Operations of a restart: any, or turns of arcs that keep the independences, after which a climb often goes on.";
        max_iters: Option<u32> = None, "a whole number of at least 1, or None",
            "Most operations; None takes 1000 for rb and ils and no limit for the others.";
        rounds: Option<u32> = None, "a whole number of at least 1, or None",
            "Rounds of best, each of four searches; None takes 40, or no limit where there is a time limit.";
        max_scores: Option<u32> = None, "a whole number of at least 1, or None",
            "Scores of families after which best begins no further round; None takes 20 million, or 200 million where there is a time limit.";
        max_without_improvement: u32 = 30, "a whole number of at least 1", "Iterations of rb and ils without a new best graph.";
        geom: f64 = 0.3, "in (0, 1)", "Parameter of the geometric law by which rb picks among ranked candidates, and ils the size of a perturbation.";
        candidates: u32 = 25, "a whole number of at least 1", "Random operations that rb ranks in an iteration.";
        time_limit: Option<f64> = None, "a positive number of seconds, or None", "Time limit for all searches of tie_order together; None takes 30 s for rb and ils and no limit for the others. A search that it ends does not repeat.";
        accept: Accept = Accept::Credit, "\"credit\" or \"demon\"", "When rb and ils accept a worse graph: \"credit\", when it is behind the best by less than the last increase; \"demon\", \
             once after an increase by at most that.";
        density: Option<f64> = None, "in [0, 1], or None", "Chance of every arc of a random start; None takes 1 / (n - 1), at most 0.5.";
        rectify: Option<Rectify> = None, "None, \"tempered\", \"centred\", \"perrow\" or \"literal\"",
            "Mutual information rectified for imbalance: \"tempered\" weighs rows by class; \"centred\", \"perrow\" and \"literal\" are readings \
             of the thesis' formula, of which the last two let no arc into a rectified variable pay, and warn. None does nothing.";
        phi: f64 = 0.5, "a number of at least 0", "Strength of the rectification: 1 does nothing, 0 weighs the classes alike.";
        variables: RectifyOn = RectifyOn::Class, "\"class\" or \"all\"", "Variables that are rectified, each with its own imbalance.";
        used_for: TemperedUse = TemperedUse::Both, "\"both\" or \"structure\"",
            "What tempered weights are used for: structure and probabilities, which then refer to the tempered classes, or structure only.";
    } choosing &[
        Choosing { name: "search", choices: SEARCHES },
        Choosing { name: "score", choices: SCORES },
        Choosing { name: "start", choices: STARTS },
        Choosing { name: "rectify", choices: RECTIFICATIONS },
    ]
}

impl Gaps {
    pub(crate) fn averages(self) -> bool {
        self == Self::NodeAverage
    }
}
