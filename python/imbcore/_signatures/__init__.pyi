# Written by `make generate` from the registry of methods; edit that, not this.
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal, Protocol, TypedDict, Unpack, overload

from imbcore._signatures.choice import Choice
from imbcore.evaluation import Evaluation, Evaluations
from imbcore._model.model import Model
from imbcore.discretization import AmevaDiscretizer, CACCDiscretizer, CAIMDiscretizer, EqualFrequencyDiscretizer, MDLPDiscretizer

ESTIMATORS: dict[str, str]
CHOICES: dict[str, tuple[str, str]]

MethodName = Literal[
    "forest",
    "auto",
    "hddt",
    "c44",
    "c45",
    "cart",
    "alpha_tree",
    "optimal_tree",
    "svr_tree",
    "beat",
    "bagged_c45",
    "random_forest",
    "balanced_random_forest",
    "weighted_random_forest",
    "extra_trees",
    "boosted_trees",
    "svr_forest",
    "bagging",
    "under_bagging",
    "over_bagging",
    "under_over_bagging",
    "smote_bagging",
    "balanced_bagging",
    "adaboost",
    "rusboost",
    "smoteboost",
    "adac1",
    "adac2",
    "adac3",
    "easy_ensemble",
    "balance_cascade",
    "fast_boxes",
    "exact_boxes",
    "prim",
    "rule_list",
    "full_bayes",
    "naive_bayes",
    "tan",
    "kdb",
    "aode",
    "bayes_bagging",
    "logistic_regression",
    "ova",
    "ecoc",
    "ovo",
    "metacost",
]

class Classifier(Protocol):
    def fit(self, X: Any, y: Any) -> Any: ...
    def predict(self, X: Any) -> Any: ...

class AIC(Choice):
    def __init__(
        self,
        *,
        structure_constant: float = ...,
        mle: Literal["family", "pairwise"] = ...,
        missing_likelihood: Literal["common_rows", "node_average", "available"] = ...,
    ) -> None: ...

class LiteralFormula(Choice):
    def __init__(
        self,
        *,
        phi: float = ...,
        variables: Literal["class", "all"] = ...,
    ) -> None: ...

class BDJ(Choice):
    def __init__(
        self,
        *,
        missing_likelihood: Literal["common_rows", "node_average", "available"] = ...,
    ) -> None: ...

class BDeu(Choice):
    def __init__(
        self,
        *,
        equivalent_sample_size: float = ...,
        missing_likelihood: Literal["common_rows", "node_average", "available"] = ...,
    ) -> None: ...

class BDs(Choice):
    def __init__(
        self,
        *,
        equivalent_sample_size: float = ...,
        missing_likelihood: Literal["common_rows", "node_average", "available"] = ...,
    ) -> None: ...

class BIC(Choice):
    def __init__(
        self,
        *,
        structure_constant: float = ...,
        mle: Literal["family", "pairwise"] = ...,
        missing_likelihood: Literal["common_rows", "node_average", "available"] = ...,
    ) -> None: ...

class BOSS(Choice):
    def __init__(
        self,
        *,
        restarts: int = ...,
        time_limit: float | None = ...,
    ) -> None: ...

class BestSearch(Choice):
    def __init__(
        self,
        *,
        tabu: int = ...,
        max_tabu: int = ...,
        perturb: int = ...,
        rounds: int | None = ...,
        max_scores: int | None = ...,
        time_limit: float | None = ...,
    ) -> None: ...

class BiasedRandomization(Choice):
    def __init__(
        self,
        *,
        max_iters: int | None = ...,
        max_without_improvement: int = ...,
        geometric_p: float = ...,
        candidates: int = ...,
        time_limit: float | None = ...,
        accept: Literal["credit", "demon"] = ...,
    ) -> None: ...

class Centered(Choice):
    def __init__(
        self,
        *,
        phi: float = ...,
        variables: Literal["class", "all"] = ...,
    ) -> None: ...

class ExactSearch(Choice):
    def __init__(
        self,
        *,
        time_limit: float | None = ...,
    ) -> None: ...

class FNML(Choice):
    def __init__(
        self,
        *,
        missing_likelihood: Literal["common_rows", "node_average", "available"] = ...,
    ) -> None: ...

class HillClimbing(Choice):
    def __init__(
        self,
        *,
        restarts: int = ...,
        perturb: int = ...,
        perturbation: Literal["random", "equivalent"] = ...,
        max_iters: int | None = ...,
        time_limit: float | None = ...,
    ) -> None: ...

class IteratedLocalSearch(Choice):
    def __init__(
        self,
        *,
        max_iters: int | None = ...,
        max_without_improvement: int = ...,
        geometric_p: float = ...,
        time_limit: float | None = ...,
        accept: Literal["credit", "demon"] = ...,
    ) -> None: ...

class K2(Choice):
    def __init__(
        self,
        *,
        missing_likelihood: Literal["common_rows", "node_average", "available"] = ...,
    ) -> None: ...

class LocallyRebalanced(Choice):
    def __init__(
        self,
        *,
        weight: float | Literal["n"] = ...,
        weight_fraction: float | None = ...,
        laplace: Literal["max", "add"] | None = ...,
        gamma: float = ...,
        nu0: float = ...,
        nu_max: float = ...,
        strength: float = ...,
        children: bool = ...,
    ) -> None: ...

class LogLikelihood(Choice):
    def __init__(
        self,
        *,
        mle: Literal["family", "pairwise"] = ...,
        missing_likelihood: Literal["common_rows", "node_average", "available"] = ...,
    ) -> None: ...

class PerRow(Choice):
    def __init__(
        self,
        *,
        phi: float = ...,
        variables: Literal["class", "all"] = ...,
    ) -> None: ...

class QNML(Choice):
    def __init__(
        self,
        *,
        missing_likelihood: Literal["common_rows", "node_average", "available"] = ...,
    ) -> None: ...

class RandomStart(Choice):
    def __init__(
        self,
        *,
        density: float | None = ...,
    ) -> None: ...

class Rebalanced(Choice):
    def __init__(
        self,
        *,
        weight: float | Literal["n"] = ...,
        weight_fraction: float | None = ...,
        laplace: Literal["max", "add"] | None = ...,
        gamma: float = ...,
        form: Literal["inverse", "deficit", "literal"] = ...,
    ) -> None: ...

class Tabu(Choice):
    def __init__(
        self,
        *,
        tabu: int = ...,
        max_tabu: int = ...,
        restarts: int = ...,
        perturb: int = ...,
        perturbation: Literal["random", "equivalent"] = ...,
        max_iters: int | None = ...,
        time_limit: float | None = ...,
    ) -> None: ...

class Tempered(Choice):
    def __init__(
        self,
        *,
        phi: float = ...,
        used_for: Literal["both", "structure"] = ...,
    ) -> None: ...

class Uniform(Choice):
    def __init__(
        self,
        *,
        weight: float | Literal["n"] = ...,
        weight_fraction: float | None = ...,
        laplace: Literal["max", "add"] | None = ...,
    ) -> None: ...

class AODEParameters:
    def __init__(
        self,
        *,
        discretizer: Literal["mdlp", "caim", "cacc", "ameva", "equal_freq"] | Mapping[str, Any] | MDLPDiscretizer | CAIMDiscretizer | CACCDiscretizer | AmevaDiscretizer | EqualFrequencyDiscretizer = ...,
        missing: Literal["available", "drop_rows", "state", "error"] = ...,
        handle_unknown: Literal["missing", "error"] = ...,
        max_super_parents: int | None = ...,
        rectify: Literal["tempered"] | Mapping[str, Any] | Tempered | None = ...,
        prior: Literal["uniform", "rebalanced", "local"] | Mapping[str, Any] | Uniform | Rebalanced | LocallyRebalanced = ...,
        smooth_levels: bool = ...,
        categorical_features: Any = ...,
        class_weight: Mapping[Any, float] | Literal["balanced"] | None = ...,
        cost_matrix: Any = ...,
        costs: Any = ...,
        cost_strategy: Literal["decision", "reweight"] = ...,
        threshold: float | Literal["f1", "f2", "g_mean", "mcc", "youden", "prior"] | Mapping[str, Any] | None = ...,
        calibrate: Literal["sigmoid", "isotonic", "beta", "venn_abers"] | None = ...,
        positive: Any = ...,
        random_state: Any = ...,
        n_threads: int | None = ...,
        n_jobs: int | None = ...,
        verbose: int = ...,
    ) -> None: ...

class AdaBoostParameters:
    def __init__(
        self,
        estimator: Any = ...,
        *,
        estimator_params: Any = ...,
        n_estimators: int = ...,
        learning_rate: float = ...,
        algorithm: Literal["SAMME", "M1"] = ...,
        resample: bool = ...,
        warm_start: bool = ...,
        categorical_features: Any = ...,
        class_weight: Mapping[Any, float] | Literal["balanced"] | None = ...,
        cost_matrix: Any = ...,
        costs: Any = ...,
        cost_strategy: Literal["decision", "reweight"] = ...,
        threshold: float | Literal["f1", "f2", "g_mean", "mcc", "youden", "prior"] | Mapping[str, Any] | None = ...,
        calibrate: Literal["sigmoid", "isotonic", "beta", "venn_abers"] | None = ...,
        positive: Any = ...,
        random_state: Any = ...,
        n_threads: int | None = ...,
        n_jobs: int | None = ...,
        verbose: int = ...,
    ) -> None: ...

class AdaC1Parameters:
    def __init__(
        self,
        estimator: Any = ...,
        *,
        estimator_params: Any = ...,
        n_estimators: int = ...,
        learning_rate: float = ...,
        class_costs: Any = ...,
        grid: Sequence[Any] | None = ...,
        grid_cv: int = ...,
        grid_scoring: Literal["f1", "f2", "g_mean", "balanced_accuracy", "mcc", "accuracy", "precision", "recall", "specificity"] = ...,
        theta: float = ...,
        b3: float = ...,
        min_cost_factor: float = ...,
        warm_start: bool = ...,
        categorical_features: Any = ...,
        class_weight: Mapping[Any, float] | Literal["balanced"] | None = ...,
        cost_matrix: Any = ...,
        costs: Any = ...,
        cost_strategy: Literal["decision", "reweight"] = ...,
        threshold: float | Literal["f1", "f2", "g_mean", "mcc", "youden", "prior"] | Mapping[str, Any] | None = ...,
        calibrate: Literal["sigmoid", "isotonic", "beta", "venn_abers"] | None = ...,
        positive: Any = ...,
        random_state: Any = ...,
        n_threads: int | None = ...,
        n_jobs: int | None = ...,
        verbose: int = ...,
    ) -> None: ...

class AdaC2Parameters:
    def __init__(
        self,
        estimator: Any = ...,
        *,
        estimator_params: Any = ...,
        n_estimators: int = ...,
        learning_rate: float = ...,
        class_costs: Any = ...,
        grid: Sequence[Any] | None = ...,
        grid_cv: int = ...,
        grid_scoring: Literal["f1", "f2", "g_mean", "balanced_accuracy", "mcc", "accuracy", "precision", "recall", "specificity"] = ...,
        theta: float = ...,
        b3: float = ...,
        min_cost_factor: float = ...,
        warm_start: bool = ...,
        categorical_features: Any = ...,
        class_weight: Mapping[Any, float] | Literal["balanced"] | None = ...,
        cost_matrix: Any = ...,
        costs: Any = ...,
        cost_strategy: Literal["decision", "reweight"] = ...,
        threshold: float | Literal["f1", "f2", "g_mean", "mcc", "youden", "prior"] | Mapping[str, Any] | None = ...,
        calibrate: Literal["sigmoid", "isotonic", "beta", "venn_abers"] | None = ...,
        positive: Any = ...,
        random_state: Any = ...,
        n_threads: int | None = ...,
        n_jobs: int | None = ...,
        verbose: int = ...,
    ) -> None: ...

class AdaC3Parameters:
    def __init__(
        self,
        estimator: Any = ...,
        *,
        estimator_params: Any = ...,
        n_estimators: int = ...,
        learning_rate: float = ...,
        class_costs: Any = ...,
        grid: Sequence[Any] | None = ...,
        grid_cv: int = ...,
        grid_scoring: Literal["f1", "f2", "g_mean", "balanced_accuracy", "mcc", "accuracy", "precision", "recall", "specificity"] = ...,
        theta: float = ...,
        b3: float = ...,
        min_cost_factor: float = ...,
        warm_start: bool = ...,
        categorical_features: Any = ...,
        class_weight: Mapping[Any, float] | Literal["balanced"] | None = ...,
        cost_matrix: Any = ...,
        costs: Any = ...,
        cost_strategy: Literal["decision", "reweight"] = ...,
        threshold: float | Literal["f1", "f2", "g_mean", "mcc", "youden", "prior"] | Mapping[str, Any] | None = ...,
        calibrate: Literal["sigmoid", "isotonic", "beta", "venn_abers"] | None = ...,
        positive: Any = ...,
        random_state: Any = ...,
        n_threads: int | None = ...,
        n_jobs: int | None = ...,
        verbose: int = ...,
    ) -> None: ...

class AlphaTreeParameters:
    def __init__(
        self,
        *,
        alpha: float = ...,
        reference: Sequence[Any] | Literal["uniform", "flipped"] | None = ...,
        max_depth: int | None = ...,
        min_samples_split: int | float = ...,
        min_samples_leaf: int | float = ...,
        min_weight_leaf: float = ...,
        min_weight_fraction_leaf: float = ...,
        max_leaf_nodes: int | None = ...,
        growth_order: Literal["gain", "entropy"] = ...,
        max_features: int | float | Literal["sqrt", "log2"] | None = ...,
        redraw_features: bool = ...,
        splitter: Mapping[str, Any] | Literal["best", "random"] = ...,
        min_split_gain: float = ...,
        min_impurity_decrease: float = ...,
        allow_zero_gain_splits: bool = ...,
        leaf_estimate: Literal["frequency", "laplace", "m_estimate"] = ...,
        prior_weight: float = ...,
        categorical_split: Literal["ovr", "multiway", "ovr_multiway", "dummy", "subset", "target", "auto"] = ...,
        missing: Literal["error", "direction", "fraction", "value"] = ...,
        monotonic_cst: Sequence[Any] | Mapping[str, Any] | None = ...,
        ccp_alpha: float | None = ...,
        ccp_criterion: Literal["gini", "entropy", "error", "cost"] = ...,
        max_bins: int | Literal["auto"] | None = ...,
        exact_split_max_rows: int | Literal["auto"] = ...,
        categorical_features: Any = ...,
        class_weight: Mapping[Any, float] | Literal["balanced"] | None = ...,
        cost_matrix: Any = ...,
        costs: Any = ...,
        cost_strategy: Literal["decision", "reweight"] = ...,
        threshold: float | Literal["f1", "f2", "g_mean", "mcc", "youden", "prior"] | Mapping[str, Any] | None = ...,
        calibrate: Literal["sigmoid", "isotonic", "beta", "venn_abers"] | None = ...,
        positive: Any = ...,
        random_state: Any = ...,
        n_threads: int | None = ...,
        n_jobs: int | None = ...,
        verbose: int = ...,
    ) -> None: ...

class AmevaDiscretizerParameters:
    def __init__(
        self,
        *,
        r_compat: bool = ...,
        handle_unknown: Literal["missing", "error"] = ...,
        categorical_features: Any = ...,
        n_threads: int | None = ...,
        n_jobs: int | None = ...,
    ) -> None: ...

class AutoParameters:
    def __init__(
        self,
        *,
        metric: Literal["log_loss", "average_precision"] = ...,
        budget: float | None = ...,
        time_limit: float | None = ...,
        n_estimators: int = ...,
        missing: Literal["members", "error"] = ...,
        oob_score: bool = ...,
        categorical_features: Any = ...,
        class_weight: Mapping[Any, float] | Literal["balanced"] | None = ...,
        cost_matrix: Any = ...,
        costs: Any = ...,
        cost_strategy: Literal["decision", "reweight"] = ...,
        threshold: float | Literal["f1", "f2", "g_mean", "mcc", "youden", "prior"] | Mapping[str, Any] | None = ...,
        calibrate: Literal["sigmoid", "isotonic", "beta", "venn_abers"] | None = ...,
        positive: Any = ...,
        random_state: Any = ...,
        n_threads: int | None = ...,
        n_jobs: int | None = ...,
        verbose: int = ...,
    ) -> None: ...

class BEATParameters:
    def __init__(
        self,
        *,
        n_estimators: int = ...,
        beta_a: float = ...,
        beta_b: float = ...,
        reference: Sequence[Any] | Literal["uniform", "flipped"] | None = ...,
        max_samples: int | float | None = ...,
        bootstrap: bool = ...,
        voting: Literal["soft", "hard"] = ...,
        prior_correction: Literal["prior", "none"] = ...,
        oob_score: bool | str | Callable[..., float] = ...,
        max_depth: int | None = ...,
        min_samples_split: int | float = ...,
        min_samples_leaf: int | float = ...,
        min_weight_leaf: float = ...,
        min_weight_fraction_leaf: float = ...,
        max_leaf_nodes: int | None = ...,
        growth_order: Literal["gain", "entropy"] = ...,
        max_features: int | float | Literal["sqrt", "log2"] | None = ...,
        redraw_features: bool = ...,
        splitter: Mapping[str, Any] | Literal["best", "random"] = ...,
        min_split_gain: float = ...,
        min_impurity_decrease: float = ...,
        allow_zero_gain_splits: bool = ...,
        leaf_estimate: Literal["frequency", "laplace", "m_estimate"] = ...,
        prior_weight: float = ...,
        categorical_split: Literal["ovr", "multiway", "ovr_multiway", "dummy", "subset", "target", "auto"] = ...,
        missing: Literal["error", "direction", "fraction", "value"] = ...,
        monotonic_cst: Sequence[Any] | Mapping[str, Any] | None = ...,
        ccp_alpha: float | None = ...,
        ccp_criterion: Literal["gini", "entropy", "error", "cost"] = ...,
        max_bins: int | Literal["auto"] | None = ...,
        exact_split_max_rows: int | Literal["auto"] = ...,
        warm_start: bool = ...,
        categorical_features: Any = ...,
        class_weight: Mapping[Any, float] | Literal["balanced"] | None = ...,
        cost_matrix: Any = ...,
        costs: Any = ...,
        cost_strategy: Literal["decision", "reweight"] = ...,
        threshold: float | Literal["f1", "f2", "g_mean", "mcc", "youden", "prior"] | Mapping[str, Any] | None = ...,
        calibrate: Literal["sigmoid", "isotonic", "beta", "venn_abers"] | None = ...,
        positive: Any = ...,
        random_state: Any = ...,
        n_threads: int | None = ...,
        n_jobs: int | None = ...,
        verbose: int = ...,
    ) -> None: ...

class BaggedC45Parameters:
    def __init__(
        self,
        *,
        n_estimators: int | Literal["auto"] = ...,
        max_samples: int | float | None = ...,
        bootstrap: bool = ...,
        voting: Literal["soft", "hard"] = ...,
        prior_correction: Literal["prior", "none"] = ...,
        oob_score: bool | str | Callable[..., float] = ...,
        criterion: Mapping[str, Any] | Literal["gini", "entropy", "gain_ratio", "c45", "hellinger", "dkm", "alpha", "alpha_ext", "chi2", "twoing"] = ...,
        max_depth: int | None = ...,
        min_samples_split: int | float = ...,
        min_samples_leaf: int | float = ...,
        min_weight_leaf: float = ...,
        min_weight_fraction_leaf: float = ...,
        max_leaf_nodes: int | None = ...,
        growth_order: Literal["gain", "entropy"] = ...,
        max_features: int | float | Literal["sqrt", "log2"] | None = ...,
        redraw_features: bool = ...,
        splitter: Mapping[str, Any] | Literal["best", "random"] = ...,
        min_split_gain: float = ...,
        min_impurity_decrease: float = ...,
        allow_zero_gain_splits: bool = ...,
        leaf_estimate: Literal["frequency", "laplace", "m_estimate"] = ...,
        prior_weight: float = ...,
        categorical_split: Literal["ovr", "multiway", "ovr_multiway", "dummy", "subset", "target", "auto"] = ...,
        missing: Literal["error", "direction", "fraction", "value"] = ...,
        monotonic_cst: Sequence[Any] | Mapping[str, Any] | None = ...,
        ccp_alpha: float | None = ...,
        ccp_criterion: Literal["gini", "entropy", "error", "cost"] = ...,
        max_bins: int | Literal["auto"] | None = ...,
        exact_split_max_rows: int | Literal["auto"] = ...,
        warm_start: bool = ...,
        categorical_features: Any = ...,
        class_weight: Mapping[Any, float] | Literal["balanced"] | None = ...,
        cost_matrix: Any = ...,
        costs: Any = ...,
        cost_strategy: Literal["decision", "reweight"] = ...,
        threshold: float | Literal["f1", "f2", "g_mean", "mcc", "youden", "prior"] | Mapping[str, Any] | None = ...,
        calibrate: Literal["sigmoid", "isotonic", "beta", "venn_abers"] | None = ...,
        positive: Any = ...,
        random_state: Any = ...,
        n_threads: int | None = ...,
        n_jobs: int | None = ...,
        verbose: int = ...,
    ) -> None: ...

class BaggingParameters:
    def __init__(
        self,
        estimator: Any = ...,
        *,
        estimator_params: Any = ...,
        n_estimators: int = ...,
        max_samples: int | float = ...,
        max_features: int | float = ...,
        bootstrap: bool = ...,
        bootstrap_features: bool = ...,
        voting: Literal["soft", "hard"] = ...,
        prior_correction: Literal["prior", "none"] = ...,
        oob_score: bool | str | Callable[..., float] = ...,
        warm_start: bool = ...,
        categorical_features: Any = ...,
        class_weight: Mapping[Any, float] | Literal["balanced"] | None = ...,
        cost_matrix: Any = ...,
        costs: Any = ...,
        cost_strategy: Literal["decision", "reweight"] = ...,
        threshold: float | Literal["f1", "f2", "g_mean", "mcc", "youden", "prior"] | Mapping[str, Any] | None = ...,
        calibrate: Literal["sigmoid", "isotonic", "beta", "venn_abers"] | None = ...,
        positive: Any = ...,
        random_state: Any = ...,
        n_threads: int | None = ...,
        n_jobs: int | None = ...,
        verbose: int = ...,
    ) -> None: ...

class BalanceCascadeParameters:
    def __init__(
        self,
        estimator: Any = ...,
        *,
        estimator_params: Any = ...,
        n_estimators: int = ...,
        n_rounds_per_subset: int = ...,
        decision: Literal["sum", "all"] = ...,
        keep_threshold: bool = ...,
        prior_correction: Literal["prior", "none"] = ...,
        warm_start: bool = ...,
        categorical_features: Any = ...,
        class_weight: Mapping[Any, float] | Literal["balanced"] | None = ...,
        cost_matrix: Any = ...,
        costs: Any = ...,
        cost_strategy: Literal["decision", "reweight"] = ...,
        threshold: float | Literal["f1", "f2", "g_mean", "mcc", "youden", "prior"] | Mapping[str, Any] | None = ...,
        calibrate: Literal["sigmoid", "isotonic", "beta", "venn_abers"] | None = ...,
        positive: Any = ...,
        random_state: Any = ...,
        n_threads: int | None = ...,
        n_jobs: int | None = ...,
        verbose: int = ...,
    ) -> None: ...

class BalancedBaggingParameters:
    def __init__(
        self,
        estimator: Any = ...,
        *,
        estimator_params: Any = ...,
        n_estimators: int = ...,
        max_samples: int | float = ...,
        max_features: int | float = ...,
        bootstrap: bool = ...,
        bootstrap_features: bool = ...,
        sampling_strategy: Any = ...,
        replacement: bool = ...,
        sampler: Any = ...,
        sampler_params: Any = ...,
        voting: Literal["soft", "hard"] = ...,
        prior_correction: Literal["prior", "none"] = ...,
        oob_score: bool | str | Callable[..., float] = ...,
        warm_start: bool = ...,
        categorical_features: Any = ...,
        class_weight: Mapping[Any, float] | Literal["balanced"] | None = ...,
        cost_matrix: Any = ...,
        costs: Any = ...,
        cost_strategy: Literal["decision", "reweight"] = ...,
        threshold: float | Literal["f1", "f2", "g_mean", "mcc", "youden", "prior"] | Mapping[str, Any] | None = ...,
        calibrate: Literal["sigmoid", "isotonic", "beta", "venn_abers"] | None = ...,
        positive: Any = ...,
        random_state: Any = ...,
        n_threads: int | None = ...,
        n_jobs: int | None = ...,
        verbose: int = ...,
    ) -> None: ...

class BalancedRandomForestParameters:
    def __init__(
        self,
        *,
        n_estimators: int | Literal["auto"] = ...,
        sampling_strategy: float | Mapping[str, Any] | Literal["auto", "all"] = ...,
        ratio: Literal["min/maj", "fraction"] = ...,
        replacement: bool = ...,
        max_samples: int | float | None = ...,
        bootstrap: bool = ...,
        voting: Literal["soft", "hard"] = ...,
        prior_correction: Literal["prior", "none"] = ...,
        oob_score: bool | str | Callable[..., float] = ...,
        criterion: Mapping[str, Any] | Literal["gini", "entropy", "gain_ratio", "c45", "hellinger", "dkm", "alpha", "alpha_ext", "chi2", "twoing"] = ...,
        max_depth: int | None = ...,
        min_samples_split: int | float = ...,
        min_samples_leaf: int | float = ...,
        min_weight_leaf: float = ...,
        min_weight_fraction_leaf: float = ...,
        max_leaf_nodes: int | None = ...,
        growth_order: Literal["gain", "entropy"] = ...,
        max_features: int | float | Literal["sqrt", "log2"] | None = ...,
        redraw_features: bool = ...,
        splitter: Mapping[str, Any] | Literal["best", "random"] = ...,
        min_split_gain: float = ...,
        min_impurity_decrease: float = ...,
        allow_zero_gain_splits: bool = ...,
        leaf_estimate: Literal["frequency", "laplace", "m_estimate"] = ...,
        prior_weight: float = ...,
        categorical_split: Literal["ovr", "multiway", "ovr_multiway", "dummy", "subset", "target", "auto"] = ...,
        missing: Literal["error", "direction", "fraction", "value"] = ...,
        monotonic_cst: Sequence[Any] | Mapping[str, Any] | None = ...,
        ccp_alpha: float | None = ...,
        ccp_criterion: Literal["gini", "entropy", "error", "cost"] = ...,
        max_bins: int | Literal["auto"] | None = ...,
        exact_split_max_rows: int | Literal["auto"] = ...,
        warm_start: bool = ...,
        categorical_features: Any = ...,
        class_weight: Mapping[Any, float] | Literal["balanced"] | None = ...,
        cost_matrix: Any = ...,
        costs: Any = ...,
        cost_strategy: Literal["decision", "reweight"] = ...,
        threshold: float | Literal["f1", "f2", "g_mean", "mcc", "youden", "prior"] | Mapping[str, Any] | None = ...,
        calibrate: Literal["sigmoid", "isotonic", "beta", "venn_abers"] | None = ...,
        positive: Any = ...,
        random_state: Any = ...,
        n_threads: int | None = ...,
        n_jobs: int | None = ...,
        verbose: int = ...,
    ) -> None: ...

class BayesBaggingParameters:
    def __init__(
        self,
        *,
        n_estimators: int = ...,
        stratified: bool = ...,
        weights: Literal["plain", "test", "train", "marginal"] = ...,
        temperature: float = ...,
        discretize: Literal["once", "member"] = ...,
        discretizer: Literal["mdlp", "caim", "cacc", "ameva", "equal_freq"] | Mapping[str, Any] | MDLPDiscretizer | CAIMDiscretizer | CACCDiscretizer | AmevaDiscretizer | EqualFrequencyDiscretizer = ...,
        missing: Literal["available", "drop_rows", "state", "error"] = ...,
        handle_unknown: Literal["missing", "error"] = ...,
        structure_score: Literal["bic", "aic", "ll", "k2", "bdeu", "bds"] | Mapping[str, Any] | BIC | AIC | LogLikelihood | K2 | BDeu | BDs | BDJ | FNML | QNML = ...,
        require_class_arc: bool = ...,
        search: Literal["tabu", "hc", "boss", "best", "rb", "ils", "exact"] | Mapping[str, Any] | Tabu | HillClimbing | BOSS | BestSearch | BiasedRandomization | IteratedLocalSearch | ExactSearch = ...,
        max_parents: int | None = ...,
        tie_breaking: Literal["entropy2", "entropy", "column"] = ...,
        init_graph: Sequence[Any] | Literal["empty", "naive", "random"] | Mapping[str, Any] | RandomStart | None = ...,
        required_arcs: Sequence[Any] | None = ...,
        forbidden_arcs: Sequence[Any] | None = ...,
        tiers: Sequence[Any] | Mapping[str, Any] | None = ...,
        class_role: Literal["free", "root", "leaf"] = ...,
        rectify: Literal["tempered", "centered", "perrow", "literal"] | Mapping[str, Any] | Tempered | Centered | PerRow | LiteralFormula | None = ...,
        prior: Literal["uniform", "rebalanced", "local"] | Mapping[str, Any] | Uniform | Rebalanced | LocallyRebalanced = ...,
        smooth_levels: bool = ...,
        categorical_features: Any = ...,
        class_weight: Mapping[Any, float] | Literal["balanced"] | None = ...,
        cost_matrix: Any = ...,
        costs: Any = ...,
        cost_strategy: Literal["decision", "reweight"] = ...,
        threshold: float | Literal["f1", "f2", "g_mean", "mcc", "youden", "prior"] | Mapping[str, Any] | None = ...,
        calibrate: Literal["sigmoid", "isotonic", "beta", "venn_abers"] | None = ...,
        positive: Any = ...,
        random_state: Any = ...,
        n_threads: int | None = ...,
        n_jobs: int | None = ...,
        verbose: int = ...,
    ) -> None: ...

class BoostedTreesParameters:
    def __init__(
        self,
        *,
        objective: Literal["log_loss", "balanced", "cost", "focal", "pairwise_auc", "smooth_ap"] = ...,
        focal_gamma: float = ...,
        n_rounds: int | Literal["auto"] = ...,
        max_rounds: int = ...,
        stopping_score: Literal["log_loss", "average_precision"] = ...,
        stopping_folds: int = ...,
        early_stopping_rounds: int = ...,
        early_stopping_min_delta: float = ...,
        learning_rate: float = ...,
        max_leaf_nodes: int | None = ...,
        max_depth: int | None = ...,
        min_samples_leaf: int | float = ...,
        min_child_weight: float = ...,
        min_split_gain: float = ...,
        random_strength: float = ...,
        reg_lambda: float = ...,
        reg_alpha: float = ...,
        subsample: float = ...,
        sampling: Literal["uniform", "goss"] = ...,
        top_rate: float = ...,
        other_rate: float = ...,
        colsample_bytree: float = ...,
        dropout_rate: float = ...,
        skip_dropout: float = ...,
        categorical_split: Literal["auto", "subset", "target"] = ...,
        level_smoothing: float = ...,
        monotonic_cst: Sequence[Any] | Mapping[str, Any] | None = ...,
        interaction_cst: Sequence[Any] | Literal["pairwise", "no_interactions"] | None = ...,
        max_bins: int = ...,
        missing: Literal["direction", "error"] = ...,
        warm_start: bool = ...,
        categorical_features: Any = ...,
        class_weight: Mapping[Any, float] | Literal["balanced"] | None = ...,
        cost_matrix: Any = ...,
        costs: Any = ...,
        cost_strategy: Literal["decision", "reweight"] = ...,
        threshold: float | Literal["f1", "f2", "g_mean", "mcc", "youden", "prior"] | Mapping[str, Any] | None = ...,
        calibrate: Literal["sigmoid", "isotonic", "beta", "venn_abers"] | None = ...,
        positive: Any = ...,
        random_state: Any = ...,
        n_threads: int | None = ...,
        n_jobs: int | None = ...,
        verbose: int = ...,
    ) -> None: ...

class C44Parameters:
    def __init__(
        self,
        *,
        criterion: Mapping[str, Any] | Literal["gini", "entropy", "gain_ratio", "c45", "hellinger", "dkm", "alpha", "alpha_ext", "chi2", "twoing"] = ...,
        max_depth: int | None = ...,
        min_samples_split: int | float = ...,
        min_samples_leaf: int | float = ...,
        min_weight_leaf: float = ...,
        min_weight_fraction_leaf: float = ...,
        max_leaf_nodes: int | None = ...,
        growth_order: Literal["gain", "entropy"] = ...,
        max_features: int | float | Literal["sqrt", "log2"] | None = ...,
        redraw_features: bool = ...,
        splitter: Mapping[str, Any] | Literal["best", "random"] = ...,
        min_split_gain: float = ...,
        min_impurity_decrease: float = ...,
        allow_zero_gain_splits: bool = ...,
        leaf_estimate: Literal["frequency", "laplace", "m_estimate"] = ...,
        prior_weight: float = ...,
        categorical_split: Literal["ovr", "multiway", "ovr_multiway", "dummy", "subset", "target", "auto"] = ...,
        missing: Literal["error", "direction", "fraction", "value"] = ...,
        monotonic_cst: Sequence[Any] | Mapping[str, Any] | None = ...,
        ccp_alpha: float | None = ...,
        ccp_criterion: Literal["gini", "entropy", "error", "cost"] = ...,
        max_bins: int | Literal["auto"] | None = ...,
        exact_split_max_rows: int | Literal["auto"] = ...,
        categorical_features: Any = ...,
        class_weight: Mapping[Any, float] | Literal["balanced"] | None = ...,
        cost_matrix: Any = ...,
        costs: Any = ...,
        cost_strategy: Literal["decision", "reweight"] = ...,
        threshold: float | Literal["f1", "f2", "g_mean", "mcc", "youden", "prior"] | Mapping[str, Any] | None = ...,
        calibrate: Literal["sigmoid", "isotonic", "beta", "venn_abers"] | None = ...,
        positive: Any = ...,
        random_state: Any = ...,
        n_threads: int | None = ...,
        n_jobs: int | None = ...,
        verbose: int = ...,
    ) -> None: ...

class C45Parameters:
    def __init__(
        self,
        *,
        confidence: float | None = ...,
        collapse: bool = ...,
        subtree_raising: bool = ...,
        average_gain: bool = ...,
        mdl_penalty: bool = ...,
        c45_min: bool = ...,
        min_value_difference: float = ...,
        threshold_placement: Literal["midpoint", "data"] = ...,
        quantile: Literal["exact", "table"] = ...,
        extra_errors: Literal["c45", "weka"] = ...,
        max_depth: int | None = ...,
        min_samples_split: int | float = ...,
        min_samples_leaf: int | float = ...,
        min_weight_leaf: float = ...,
        min_weight_fraction_leaf: float = ...,
        max_leaf_nodes: int | None = ...,
        growth_order: Literal["gain", "entropy"] = ...,
        max_features: int | float | Literal["sqrt", "log2"] | None = ...,
        redraw_features: bool = ...,
        splitter: Mapping[str, Any] | Literal["best", "random"] = ...,
        min_split_gain: float = ...,
        min_impurity_decrease: float = ...,
        allow_zero_gain_splits: bool = ...,
        leaf_estimate: Literal["frequency", "laplace", "m_estimate"] = ...,
        prior_weight: float = ...,
        categorical_split: Literal["ovr", "multiway", "ovr_multiway", "dummy", "subset", "target", "auto"] = ...,
        missing: Literal["error", "direction", "fraction", "value"] = ...,
        monotonic_cst: Sequence[Any] | Mapping[str, Any] | None = ...,
        max_bins: int | Literal["auto"] | None = ...,
        exact_split_max_rows: int | Literal["auto"] = ...,
        categorical_features: Any = ...,
        class_weight: Mapping[Any, float] | Literal["balanced"] | None = ...,
        cost_matrix: Any = ...,
        costs: Any = ...,
        cost_strategy: Literal["decision", "reweight"] = ...,
        threshold: float | Literal["f1", "f2", "g_mean", "mcc", "youden", "prior"] | Mapping[str, Any] | None = ...,
        calibrate: Literal["sigmoid", "isotonic", "beta", "venn_abers"] | None = ...,
        positive: Any = ...,
        random_state: Any = ...,
        n_threads: int | None = ...,
        n_jobs: int | None = ...,
        verbose: int = ...,
    ) -> None: ...

class CACCDiscretizerParameters:
    def __init__(
        self,
        *,
        r_compat: bool = ...,
        handle_unknown: Literal["missing", "error"] = ...,
        categorical_features: Any = ...,
        n_threads: int | None = ...,
        n_jobs: int | None = ...,
    ) -> None: ...

class CAIMDiscretizerParameters:
    def __init__(
        self,
        *,
        handle_unknown: Literal["missing", "error"] = ...,
        categorical_features: Any = ...,
        n_threads: int | None = ...,
        n_jobs: int | None = ...,
    ) -> None: ...

class CARTParameters:
    def __init__(
        self,
        *,
        criterion: Mapping[str, Any] | Literal["gini", "entropy", "gain_ratio", "c45", "hellinger", "dkm", "alpha", "alpha_ext", "chi2", "twoing"] = ...,
        max_depth: int | None = ...,
        min_samples_split: int | float = ...,
        min_samples_leaf: int | float = ...,
        min_weight_leaf: float = ...,
        min_weight_fraction_leaf: float = ...,
        max_leaf_nodes: int | None = ...,
        growth_order: Literal["gain", "entropy"] = ...,
        max_features: int | float | Literal["sqrt", "log2"] | None = ...,
        redraw_features: bool = ...,
        splitter: Mapping[str, Any] | Literal["best", "random"] = ...,
        min_split_gain: float = ...,
        min_impurity_decrease: float = ...,
        allow_zero_gain_splits: bool = ...,
        leaf_estimate: Literal["frequency", "laplace", "m_estimate"] = ...,
        prior_weight: float = ...,
        categorical_split: Literal["ovr", "multiway", "ovr_multiway", "dummy", "subset", "target", "auto"] = ...,
        missing: Literal["error", "direction", "fraction", "value"] = ...,
        monotonic_cst: Sequence[Any] | Mapping[str, Any] | None = ...,
        ccp_alpha: float | None = ...,
        ccp_criterion: Literal["gini", "entropy", "error", "cost"] = ...,
        max_bins: int | Literal["auto"] | None = ...,
        exact_split_max_rows: int | Literal["auto"] = ...,
        categorical_features: Any = ...,
        class_weight: Mapping[Any, float] | Literal["balanced"] | None = ...,
        cost_matrix: Any = ...,
        costs: Any = ...,
        cost_strategy: Literal["decision", "reweight"] = ...,
        threshold: float | Literal["f1", "f2", "g_mean", "mcc", "youden", "prior"] | Mapping[str, Any] | None = ...,
        calibrate: Literal["sigmoid", "isotonic", "beta", "venn_abers"] | None = ...,
        positive: Any = ...,
        random_state: Any = ...,
        n_threads: int | None = ...,
        n_jobs: int | None = ...,
        verbose: int = ...,
    ) -> None: ...

class CARTCVParameters:
    def __init__(
        self,
        *,
        criterion: Mapping[str, Any] | Literal["gini", "entropy", "gain_ratio", "c45", "hellinger", "dkm", "alpha", "alpha_ext", "chi2", "twoing"] = ...,
        max_depth: int | None = ...,
        min_samples_split: int | float = ...,
        min_samples_leaf: int | float = ...,
        min_weight_leaf: float = ...,
        min_weight_fraction_leaf: float = ...,
        max_leaf_nodes: int | None = ...,
        growth_order: Literal["gain", "entropy"] = ...,
        max_features: int | float | Literal["sqrt", "log2"] | None = ...,
        redraw_features: bool = ...,
        splitter: Mapping[str, Any] | Literal["best", "random"] = ...,
        min_split_gain: float = ...,
        min_impurity_decrease: float = ...,
        allow_zero_gain_splits: bool = ...,
        leaf_estimate: Literal["frequency", "laplace", "m_estimate"] = ...,
        prior_weight: float = ...,
        categorical_split: Literal["ovr", "multiway", "ovr_multiway", "dummy", "subset", "target", "auto"] = ...,
        missing: Literal["error", "direction", "fraction", "value"] = ...,
        monotonic_cst: Sequence[Any] | Mapping[str, Any] | None = ...,
        ccp_criterion: Literal["gini", "entropy", "error", "cost"] = ...,
        max_bins: int | Literal["auto"] | None = ...,
        exact_split_max_rows: int | Literal["auto"] = ...,
        cv: Any = ...,
        scoring: str | Callable[..., float] = ...,
        rule: str = ...,
        categorical_features: Any = ...,
        class_weight: Mapping[Any, float] | Literal["balanced"] | None = ...,
        cost_matrix: Any = ...,
        costs: Any = ...,
        cost_strategy: Literal["decision", "reweight"] = ...,
        threshold: float | Literal["f1", "f2", "g_mean", "mcc", "youden", "prior"] | Mapping[str, Any] | None = ...,
        calibrate: Literal["sigmoid", "isotonic", "beta", "venn_abers"] | None = ...,
        positive: Any = ...,
        random_state: Any = ...,
        n_threads: int | None = ...,
        n_jobs: int | None = ...,
        verbose: int = ...,
    ) -> None: ...

class ECOCParameters:
    def __init__(
        self,
        estimator: Any = ...,
        *,
        code: Sequence[Any] | Literal["auto", "exhaustive", "random"] = ...,
        code_size: int | Literal["dense"] | None = ...,
        decoding: Literal["sum", "log", "hamming"] = ...,
        class_weight: Mapping[Any, float] | Literal["balanced"] | None = ...,
        cost_matrix: Any = ...,
        costs: Any = ...,
        cost_strategy: Literal["decision", "reweight"] = ...,
        threshold: float | Literal["f1", "f2", "g_mean", "mcc", "youden", "prior"] | Mapping[str, Any] | None = ...,
        calibrate: Literal["sigmoid", "isotonic", "beta", "venn_abers"] | None = ...,
        positive: Any = ...,
        random_state: Any = ...,
        n_jobs: int | None = ...,
        verbose: int = ...,
    ) -> None: ...

class EasyEnsembleParameters:
    def __init__(
        self,
        estimator: Any = ...,
        *,
        estimator_params: Any = ...,
        n_estimators: int = ...,
        n_rounds_per_subset: int = ...,
        combine: Literal["sum", "proba"] = ...,
        sampling_strategy: float | Mapping[str, Any] | Literal["auto", "all"] = ...,
        ratio: Literal["min/maj", "fraction"] = ...,
        replacement: bool = ...,
        prior_correction: Literal["prior", "none"] = ...,
        warm_start: bool = ...,
        categorical_features: Any = ...,
        class_weight: Mapping[Any, float] | Literal["balanced"] | None = ...,
        cost_matrix: Any = ...,
        costs: Any = ...,
        cost_strategy: Literal["decision", "reweight"] = ...,
        threshold: float | Literal["f1", "f2", "g_mean", "mcc", "youden", "prior"] | Mapping[str, Any] | None = ...,
        calibrate: Literal["sigmoid", "isotonic", "beta", "venn_abers"] | None = ...,
        positive: Any = ...,
        random_state: Any = ...,
        n_threads: int | None = ...,
        n_jobs: int | None = ...,
        verbose: int = ...,
    ) -> None: ...

class EqualFrequencyDiscretizerParameters:
    def __init__(
        self,
        *,
        n_bins: int = ...,
        handle_unknown: Literal["missing", "error"] = ...,
        categorical_features: Any = ...,
        n_threads: int | None = ...,
        n_jobs: int | None = ...,
    ) -> None: ...

class ExactBoxesParameters:
    def __init__(
        self,
        *,
        n_boxes: int = ...,
        negative_weight: float = ...,
        box_cost: float = ...,
        expand: float = ...,
        margin: float = ...,
        epsilon: float = ...,
        formulation: Literal["columns", "compact", "paper"] = ...,
        init: Literal["fast_boxes", "none"] = ...,
        heuristic: Literal["none", "neighborhood", "clusters"] = ...,
        radius: float = ...,
        time_limit: float | None = ...,
        abs_gap: float = ...,
        decode: Literal["widest", "margin"] = ...,
        scale: Literal["minmax", "maxabs"] = ...,
        missing: Literal["error", "outside", "inside"] = ...,
        categorical_features: Any = ...,
        class_weight: Mapping[Any, float] | Literal["balanced"] | None = ...,
        cost_matrix: Any = ...,
        costs: Any = ...,
        cost_strategy: Literal["decision", "reweight"] = ...,
        threshold: float | Literal["f1", "f2", "g_mean", "mcc", "youden", "prior"] | Mapping[str, Any] | None = ...,
        calibrate: Literal["sigmoid", "isotonic", "beta", "venn_abers"] | None = ...,
        positive: Any = ...,
        random_state: Any = ...,
        n_threads: int | None = ...,
        n_jobs: int | None = ...,
        verbose: int = ...,
    ) -> None: ...

class ExtraTreesParameters:
    def __init__(
        self,
        *,
        n_estimators: int | Literal["auto"] = ...,
        max_samples: int | float | None = ...,
        bootstrap: bool = ...,
        voting: Literal["soft", "hard"] = ...,
        prior_correction: Literal["prior", "none"] = ...,
        oob_score: bool | str | Callable[..., float] = ...,
        criterion: Mapping[str, Any] | Literal["gini", "entropy", "gain_ratio", "c45", "hellinger", "dkm", "alpha", "alpha_ext", "chi2", "twoing"] = ...,
        max_depth: int | None = ...,
        min_samples_split: int | float = ...,
        min_samples_leaf: int | float = ...,
        min_weight_leaf: float = ...,
        min_weight_fraction_leaf: float = ...,
        max_leaf_nodes: int | None = ...,
        growth_order: Literal["gain", "entropy"] = ...,
        max_features: int | float | Literal["sqrt", "log2"] | None = ...,
        redraw_features: bool = ...,
        splitter: Mapping[str, Any] | Literal["best", "random"] = ...,
        min_split_gain: float = ...,
        min_impurity_decrease: float = ...,
        allow_zero_gain_splits: bool = ...,
        leaf_estimate: Literal["frequency", "laplace", "m_estimate"] = ...,
        prior_weight: float = ...,
        categorical_split: Literal["ovr", "multiway", "ovr_multiway", "dummy", "subset", "target", "auto"] = ...,
        missing: Literal["error", "direction", "fraction", "value"] = ...,
        monotonic_cst: Sequence[Any] | Mapping[str, Any] | None = ...,
        ccp_alpha: float | None = ...,
        ccp_criterion: Literal["gini", "entropy", "error", "cost"] = ...,
        max_bins: int | Literal["auto"] | None = ...,
        exact_split_max_rows: int | Literal["auto"] = ...,
        warm_start: bool = ...,
        categorical_features: Any = ...,
        class_weight: Mapping[Any, float] | Literal["balanced"] | None = ...,
        cost_matrix: Any = ...,
        costs: Any = ...,
        cost_strategy: Literal["decision", "reweight"] = ...,
        threshold: float | Literal["f1", "f2", "g_mean", "mcc", "youden", "prior"] | Mapping[str, Any] | None = ...,
        calibrate: Literal["sigmoid", "isotonic", "beta", "venn_abers"] | None = ...,
        positive: Any = ...,
        random_state: Any = ...,
        n_threads: int | None = ...,
        n_jobs: int | None = ...,
        verbose: int = ...,
    ) -> None: ...

class FastBoxesCVParameters:
    def __init__(
        self,
        *,
        negative_weight: float = ...,
        eps: float = ...,
        bound_rule: Literal["paper", "program", "expand", "none"] = ...,
        scale: Literal["minmax", "maxabs", "none"] = ...,
        clustering: Literal["kmeans", "program"] = ...,
        clusterer: Any = ...,
        n_init: int = ...,
        ranking: Literal["levels", "exact"] = ...,
        missing: Literal["error", "outside", "inside"] = ...,
        n_boxes_grid: Any = ...,
        expansion_grid: Any = ...,
        cv: Any = ...,
        categorical_features: Any = ...,
        class_weight: Mapping[Any, float] | Literal["balanced"] | None = ...,
        cost_matrix: Any = ...,
        costs: Any = ...,
        cost_strategy: Literal["decision", "reweight"] = ...,
        threshold: float | Literal["f1", "f2", "g_mean", "mcc", "youden", "prior"] | Mapping[str, Any] | None = ...,
        calibrate: Literal["sigmoid", "isotonic", "beta", "venn_abers"] | None = ...,
        positive: Any = ...,
        random_state: Any = ...,
        n_threads: int | None = ...,
        n_jobs: int | None = ...,
        verbose: int = ...,
    ) -> None: ...

class FastBoxesParameters:
    def __init__(
        self,
        *,
        n_boxes: int = ...,
        negative_weight: float = ...,
        expansion: float = ...,
        eps: float = ...,
        bound_rule: Literal["paper", "program", "expand", "none"] = ...,
        scale: Literal["minmax", "maxabs", "none"] = ...,
        clustering: Literal["kmeans", "program"] = ...,
        clusterer: Any = ...,
        n_init: int = ...,
        ranking: Literal["levels", "exact"] = ...,
        missing: Literal["error", "outside", "inside"] = ...,
        categorical_features: Any = ...,
        class_weight: Mapping[Any, float] | Literal["balanced"] | None = ...,
        cost_matrix: Any = ...,
        costs: Any = ...,
        cost_strategy: Literal["decision", "reweight"] = ...,
        threshold: float | Literal["f1", "f2", "g_mean", "mcc", "youden", "prior"] | Mapping[str, Any] | None = ...,
        calibrate: Literal["sigmoid", "isotonic", "beta", "venn_abers"] | None = ...,
        positive: Any = ...,
        random_state: Any = ...,
        n_threads: int | None = ...,
        n_jobs: int | None = ...,
        verbose: int = ...,
    ) -> None: ...

class ForestParameters:
    def __init__(
        self,
        *,
        n_estimators: int | Literal["auto"] = ...,
        max_samples: int | float | None = ...,
        bootstrap: bool = ...,
        voting: Literal["soft", "hard"] = ...,
        prior_correction: Literal["prior", "none"] = ...,
        oob_score: bool | str | Callable[..., float] = ...,
        min_samples_leaf: int | float = ...,
        hierarchical_shrinkage: float | None = ...,
        criterion: Mapping[str, Any] | Literal["gini", "entropy", "gain_ratio", "c45", "hellinger", "dkm", "alpha", "alpha_ext", "chi2", "twoing"] = ...,
        max_depth: int | None = ...,
        min_samples_split: int | float = ...,
        min_weight_leaf: float = ...,
        min_weight_fraction_leaf: float = ...,
        max_leaf_nodes: int | None = ...,
        growth_order: Literal["gain", "entropy"] = ...,
        max_features: int | float | Literal["sqrt", "log2"] | None = ...,
        redraw_features: bool = ...,
        splitter: Mapping[str, Any] | Literal["best", "random"] = ...,
        min_split_gain: float = ...,
        min_impurity_decrease: float = ...,
        allow_zero_gain_splits: bool = ...,
        leaf_estimate: Literal["frequency", "laplace", "m_estimate"] = ...,
        prior_weight: float = ...,
        categorical_split: Literal["ovr", "multiway", "ovr_multiway", "dummy", "subset", "target", "auto"] = ...,
        missing: Literal["error", "direction", "fraction", "value"] = ...,
        monotonic_cst: Sequence[Any] | Mapping[str, Any] | None = ...,
        ccp_alpha: float | None = ...,
        ccp_criterion: Literal["gini", "entropy", "error", "cost"] = ...,
        max_bins: int | Literal["auto"] | None = ...,
        exact_split_max_rows: int | Literal["auto"] = ...,
        warm_start: bool = ...,
        categorical_features: Any = ...,
        class_weight: Mapping[Any, float] | Literal["balanced"] | None = ...,
        cost_matrix: Any = ...,
        costs: Any = ...,
        cost_strategy: Literal["decision", "reweight"] = ...,
        threshold: float | Literal["f1", "f2", "g_mean", "mcc", "youden", "prior"] | Mapping[str, Any] | None = ...,
        calibrate: Literal["sigmoid", "isotonic", "beta", "venn_abers"] | None = ...,
        positive: Any = ...,
        random_state: Any = ...,
        n_threads: int | None = ...,
        n_jobs: int | None = ...,
        verbose: int = ...,
    ) -> None: ...

class FullBayesParameters:
    def __init__(
        self,
        *,
        discretizer: Literal["mdlp", "caim", "cacc", "ameva", "equal_freq"] | Mapping[str, Any] | MDLPDiscretizer | CAIMDiscretizer | CACCDiscretizer | AmevaDiscretizer | EqualFrequencyDiscretizer = ...,
        missing: Literal["available", "drop_rows", "state", "error"] = ...,
        handle_unknown: Literal["missing", "error"] = ...,
        structure_score: Literal["bic", "aic", "ll", "k2", "bdeu", "bds"] | Mapping[str, Any] | BIC | AIC | LogLikelihood | K2 | BDeu | BDs | BDJ | FNML | QNML = ...,
        require_class_arc: bool = ...,
        search: Literal["tabu", "hc", "boss", "best", "rb", "ils", "exact"] | Mapping[str, Any] | Tabu | HillClimbing | BOSS | BestSearch | BiasedRandomization | IteratedLocalSearch | ExactSearch = ...,
        max_parents: int | None = ...,
        tie_breaking: Literal["entropy2", "entropy", "column"] = ...,
        init_graph: Sequence[Any] | Literal["empty", "naive", "random"] | Mapping[str, Any] | RandomStart | None = ...,
        required_arcs: Sequence[Any] | None = ...,
        forbidden_arcs: Sequence[Any] | None = ...,
        tiers: Sequence[Any] | Mapping[str, Any] | None = ...,
        class_role: Literal["free", "root", "leaf"] = ...,
        rectify: Literal["tempered", "centered", "perrow", "literal"] | Mapping[str, Any] | Tempered | Centered | PerRow | LiteralFormula | None = ...,
        prior: Literal["uniform", "rebalanced", "local"] | Mapping[str, Any] | Uniform | Rebalanced | LocallyRebalanced = ...,
        smooth_levels: bool = ...,
        categorical_features: Any = ...,
        class_weight: Mapping[Any, float] | Literal["balanced"] | None = ...,
        cost_matrix: Any = ...,
        costs: Any = ...,
        cost_strategy: Literal["decision", "reweight"] = ...,
        threshold: float | Literal["f1", "f2", "g_mean", "mcc", "youden", "prior"] | Mapping[str, Any] | None = ...,
        calibrate: Literal["sigmoid", "isotonic", "beta", "venn_abers"] | None = ...,
        positive: Any = ...,
        random_state: Any = ...,
        n_threads: int | None = ...,
        n_jobs: int | None = ...,
        verbose: int = ...,
    ) -> None: ...

class HDDTParameters:
    def __init__(
        self,
        *,
        criterion: Mapping[str, Any] | Literal["gini", "entropy", "gain_ratio", "c45", "hellinger", "dkm", "alpha", "alpha_ext", "chi2", "twoing"] = ...,
        max_depth: int | None = ...,
        min_samples_split: int | float = ...,
        min_samples_leaf: int | float = ...,
        min_weight_leaf: float = ...,
        min_weight_fraction_leaf: float = ...,
        max_leaf_nodes: int | None = ...,
        growth_order: Literal["gain", "entropy"] = ...,
        max_features: int | float | Literal["sqrt", "log2"] | None = ...,
        redraw_features: bool = ...,
        splitter: Mapping[str, Any] | Literal["best", "random"] = ...,
        min_split_gain: float = ...,
        min_impurity_decrease: float = ...,
        allow_zero_gain_splits: bool = ...,
        leaf_estimate: Literal["frequency", "laplace", "m_estimate"] = ...,
        prior_weight: float = ...,
        categorical_split: Literal["ovr", "multiway", "ovr_multiway", "dummy", "subset", "target", "auto"] = ...,
        missing: Literal["error", "direction", "fraction", "value"] = ...,
        monotonic_cst: Sequence[Any] | Mapping[str, Any] | None = ...,
        ccp_alpha: float | None = ...,
        ccp_criterion: Literal["gini", "entropy", "error", "cost"] = ...,
        max_bins: int | Literal["auto"] | None = ...,
        exact_split_max_rows: int | Literal["auto"] = ...,
        categorical_features: Any = ...,
        class_weight: Mapping[Any, float] | Literal["balanced"] | None = ...,
        cost_matrix: Any = ...,
        costs: Any = ...,
        cost_strategy: Literal["decision", "reweight"] = ...,
        threshold: float | Literal["f1", "f2", "g_mean", "mcc", "youden", "prior"] | Mapping[str, Any] | None = ...,
        calibrate: Literal["sigmoid", "isotonic", "beta", "venn_abers"] | None = ...,
        positive: Any = ...,
        random_state: Any = ...,
        n_threads: int | None = ...,
        n_jobs: int | None = ...,
        verbose: int = ...,
    ) -> None: ...

class KDBParameters:
    def __init__(
        self,
        *,
        discretizer: Literal["mdlp", "caim", "cacc", "ameva", "equal_freq"] | Mapping[str, Any] | MDLPDiscretizer | CAIMDiscretizer | CACCDiscretizer | AmevaDiscretizer | EqualFrequencyDiscretizer = ...,
        missing: Literal["available", "drop_rows", "state", "error"] = ...,
        handle_unknown: Literal["missing", "error"] = ...,
        max_feature_parents: int = ...,
        rectify: Literal["tempered"] | Mapping[str, Any] | Tempered | None = ...,
        prior: Literal["uniform", "rebalanced", "local"] | Mapping[str, Any] | Uniform | Rebalanced | LocallyRebalanced = ...,
        smooth_levels: bool = ...,
        categorical_features: Any = ...,
        class_weight: Mapping[Any, float] | Literal["balanced"] | None = ...,
        cost_matrix: Any = ...,
        costs: Any = ...,
        cost_strategy: Literal["decision", "reweight"] = ...,
        threshold: float | Literal["f1", "f2", "g_mean", "mcc", "youden", "prior"] | Mapping[str, Any] | None = ...,
        calibrate: Literal["sigmoid", "isotonic", "beta", "venn_abers"] | None = ...,
        positive: Any = ...,
        random_state: Any = ...,
        n_threads: int | None = ...,
        n_jobs: int | None = ...,
        verbose: int = ...,
    ) -> None: ...

class LogisticRegressionParameters:
    def __init__(
        self,
        *,
        C: float | Literal["auto"] = ...,
        numeric: Literal["spline", "quantile", "linear"] = ...,
        n_knots: int = ...,
        n_bins: int = ...,
        penalty_folds: int = ...,
        missing: Literal["indicator", "error"] = ...,
        categorical_features: Any = ...,
        class_weight: Mapping[Any, float] | Literal["balanced"] | None = ...,
        cost_matrix: Any = ...,
        costs: Any = ...,
        cost_strategy: Literal["decision", "reweight"] = ...,
        threshold: float | Literal["f1", "f2", "g_mean", "mcc", "youden", "prior"] | Mapping[str, Any] | None = ...,
        calibrate: Literal["sigmoid", "isotonic", "beta", "venn_abers"] | None = ...,
        positive: Any = ...,
        random_state: Any = ...,
        n_threads: int | None = ...,
        n_jobs: int | None = ...,
        verbose: int = ...,
    ) -> None: ...

class MDLPDiscretizerParameters:
    def __init__(
        self,
        *,
        handle_unknown: Literal["missing", "error"] = ...,
        categorical_features: Any = ...,
        n_threads: int | None = ...,
        n_jobs: int | None = ...,
    ) -> None: ...

class MetaCostParameters:
    def __init__(
        self,
        estimator: Any = ...,
        *,
        estimator_params: Any = ...,
        n_estimators: int = ...,
        max_samples: float = ...,
        out_of_bag: bool = ...,
        use_proba: bool = ...,
        categorical_features: Any = ...,
        class_weight: Any = ...,
        cost_matrix: Any = ...,
        costs: Any = ...,
        cost_strategy: str = ...,
        threshold: float | Literal["f1", "f2", "g_mean", "mcc", "youden", "prior"] | Mapping[str, Any] | None = ...,
        calibrate: Literal["sigmoid", "isotonic", "beta", "venn_abers"] | None = ...,
        positive: Any = ...,
        random_state: Any = ...,
        n_threads: int | None = ...,
        n_jobs: int | None = ...,
        verbose: int = ...,
    ) -> None: ...

class NaiveBayesParameters:
    def __init__(
        self,
        *,
        discretizer: Literal["mdlp", "caim", "cacc", "ameva", "equal_freq"] | Mapping[str, Any] | MDLPDiscretizer | CAIMDiscretizer | CACCDiscretizer | AmevaDiscretizer | EqualFrequencyDiscretizer = ...,
        missing: Literal["available", "drop_rows", "state", "error"] = ...,
        handle_unknown: Literal["missing", "error"] = ...,
        feature_selection: bool = ...,
        structure_constant: float = ...,
        rectify: Literal["tempered"] | Mapping[str, Any] | Tempered | None = ...,
        prior: Literal["uniform", "rebalanced", "local"] | Mapping[str, Any] | Uniform | Rebalanced | LocallyRebalanced = ...,
        smooth_levels: bool = ...,
        categorical_features: Any = ...,
        class_weight: Mapping[Any, float] | Literal["balanced"] | None = ...,
        cost_matrix: Any = ...,
        costs: Any = ...,
        cost_strategy: Literal["decision", "reweight"] = ...,
        threshold: float | Literal["f1", "f2", "g_mean", "mcc", "youden", "prior"] | Mapping[str, Any] | None = ...,
        calibrate: Literal["sigmoid", "isotonic", "beta", "venn_abers"] | None = ...,
        positive: Any = ...,
        random_state: Any = ...,
        n_threads: int | None = ...,
        n_jobs: int | None = ...,
        verbose: int = ...,
    ) -> None: ...

class OVAParameters:
    def __init__(
        self,
        estimator: Any = ...,
        *,
        decoding: Literal["normalize", "sum"] = ...,
        class_weight: Mapping[Any, float] | Literal["balanced"] | None = ...,
        cost_matrix: Any = ...,
        costs: Any = ...,
        cost_strategy: Literal["decision", "reweight"] = ...,
        threshold: float | Literal["f1", "f2", "g_mean", "mcc", "youden", "prior"] | Mapping[str, Any] | None = ...,
        calibrate: Literal["sigmoid", "isotonic", "beta", "venn_abers"] | None = ...,
        positive: Any = ...,
        random_state: Any = ...,
        n_jobs: int | None = ...,
        verbose: int = ...,
    ) -> None: ...

class OVOParameters:
    def __init__(
        self,
        estimator: Any = ...,
        *,
        decoding: Literal["coupling", "vote"] = ...,
        class_weight: Mapping[Any, float] | Literal["balanced"] | None = ...,
        cost_matrix: Any = ...,
        costs: Any = ...,
        cost_strategy: Literal["decision", "reweight"] = ...,
        threshold: float | Literal["f1", "f2", "g_mean", "mcc", "youden", "prior"] | Mapping[str, Any] | None = ...,
        calibrate: Literal["sigmoid", "isotonic", "beta", "venn_abers"] | None = ...,
        positive: Any = ...,
        random_state: Any = ...,
        n_jobs: int | None = ...,
        verbose: int = ...,
    ) -> None: ...

class OptimalTreeParameters:
    def __init__(
        self,
        *,
        objective: Literal["cost", "f1", "hull"] = ...,
        max_depth: int = ...,
        min_weight_leaf: float = ...,
        min_weight_fraction_leaf: float = ...,
        leaf_cost: float = ...,
        missing: Literal["error", "direction"] = ...,
        lookahead: int | None = ...,
        time_limit: float | None = ...,
        categorical_features: Any = ...,
        class_weight: Mapping[Any, float] | Literal["balanced"] | None = ...,
        cost_matrix: Any = ...,
        costs: Any = ...,
        cost_strategy: Literal["decision", "reweight"] = ...,
        threshold: float | Literal["f1", "f2", "g_mean", "mcc", "youden", "prior"] | Mapping[str, Any] | None = ...,
        calibrate: Literal["sigmoid", "isotonic", "beta", "venn_abers"] | None = ...,
        positive: Any = ...,
        random_state: Any = ...,
        n_threads: int | None = ...,
        n_jobs: int | None = ...,
        verbose: int = ...,
    ) -> None: ...

class OverBaggingParameters:
    def __init__(
        self,
        estimator: Any = ...,
        *,
        estimator_params: Any = ...,
        n_estimators: int = ...,
        voting: Literal["soft", "hard"] = ...,
        prior_correction: Literal["prior", "none"] = ...,
        oob_score: bool | str | Callable[..., float] = ...,
        warm_start: bool = ...,
        categorical_features: Any = ...,
        class_weight: Mapping[Any, float] | Literal["balanced"] | None = ...,
        cost_matrix: Any = ...,
        costs: Any = ...,
        cost_strategy: Literal["decision", "reweight"] = ...,
        threshold: float | Literal["f1", "f2", "g_mean", "mcc", "youden", "prior"] | Mapping[str, Any] | None = ...,
        calibrate: Literal["sigmoid", "isotonic", "beta", "venn_abers"] | None = ...,
        positive: Any = ...,
        random_state: Any = ...,
        n_threads: int | None = ...,
        n_jobs: int | None = ...,
        verbose: int = ...,
    ) -> None: ...

class PRIMParameters:
    def __init__(
        self,
        *,
        peel_alpha: float = ...,
        paste_alpha: float = ...,
        min_mass: float | None = ...,
        min_mean: float | None = ...,
        max_boxes: int | None = ...,
        validation: float = ...,
        drop: bool = ...,
        negative_weight: float | None = ...,
        missing: Literal["error", "outside", "inside"] = ...,
        categorical_features: Any = ...,
        class_weight: Mapping[Any, float] | Literal["balanced"] | None = ...,
        cost_matrix: Any = ...,
        costs: Any = ...,
        cost_strategy: Literal["decision", "reweight"] = ...,
        threshold: float | Literal["f1", "f2", "g_mean", "mcc", "youden", "prior"] | Mapping[str, Any] | None = ...,
        calibrate: Literal["sigmoid", "isotonic", "beta", "venn_abers"] | None = ...,
        positive: Any = ...,
        random_state: Any = ...,
        n_threads: int | None = ...,
        n_jobs: int | None = ...,
        verbose: int = ...,
    ) -> None: ...

class RUSBoostParameters:
    def __init__(
        self,
        estimator: Any = ...,
        *,
        estimator_params: Any = ...,
        n_estimators: int = ...,
        learning_rate: float = ...,
        sampling_strategy: float | Mapping[str, Any] | Literal["auto", "all"] = ...,
        ratio: Literal["min/maj", "fraction"] = ...,
        replacement: bool = ...,
        loss: Literal["m2", "samme"] = ...,
        max_resamples: int = ...,
        restarts: bool = ...,
        prior_correction: Literal["prior", "none"] = ...,
        warm_start: bool = ...,
        categorical_features: Any = ...,
        class_weight: Mapping[Any, float] | Literal["balanced"] | None = ...,
        cost_matrix: Any = ...,
        costs: Any = ...,
        cost_strategy: Literal["decision", "reweight"] = ...,
        threshold: float | Literal["f1", "f2", "g_mean", "mcc", "youden", "prior"] | Mapping[str, Any] | None = ...,
        calibrate: Literal["sigmoid", "isotonic", "beta", "venn_abers"] | None = ...,
        positive: Any = ...,
        random_state: Any = ...,
        n_threads: int | None = ...,
        n_jobs: int | None = ...,
        verbose: int = ...,
    ) -> None: ...

class RandomForestParameters:
    def __init__(
        self,
        *,
        n_estimators: int | Literal["auto"] = ...,
        max_samples: int | float | None = ...,
        bootstrap: bool = ...,
        voting: Literal["soft", "hard"] = ...,
        prior_correction: Literal["prior", "none"] = ...,
        oob_score: bool | str | Callable[..., float] = ...,
        criterion: Mapping[str, Any] | Literal["gini", "entropy", "gain_ratio", "c45", "hellinger", "dkm", "alpha", "alpha_ext", "chi2", "twoing"] = ...,
        max_depth: int | None = ...,
        min_samples_split: int | float = ...,
        min_samples_leaf: int | float = ...,
        min_weight_leaf: float = ...,
        min_weight_fraction_leaf: float = ...,
        max_leaf_nodes: int | None = ...,
        growth_order: Literal["gain", "entropy"] = ...,
        max_features: int | float | Literal["sqrt", "log2"] | None = ...,
        redraw_features: bool = ...,
        splitter: Mapping[str, Any] | Literal["best", "random"] = ...,
        min_split_gain: float = ...,
        min_impurity_decrease: float = ...,
        allow_zero_gain_splits: bool = ...,
        leaf_estimate: Literal["frequency", "laplace", "m_estimate"] = ...,
        prior_weight: float = ...,
        categorical_split: Literal["ovr", "multiway", "ovr_multiway", "dummy", "subset", "target", "auto"] = ...,
        missing: Literal["error", "direction", "fraction", "value"] = ...,
        monotonic_cst: Sequence[Any] | Mapping[str, Any] | None = ...,
        ccp_alpha: float | None = ...,
        ccp_criterion: Literal["gini", "entropy", "error", "cost"] = ...,
        max_bins: int | Literal["auto"] | None = ...,
        exact_split_max_rows: int | Literal["auto"] = ...,
        warm_start: bool = ...,
        categorical_features: Any = ...,
        class_weight: Mapping[Any, float] | Literal["balanced"] | None = ...,
        cost_matrix: Any = ...,
        costs: Any = ...,
        cost_strategy: Literal["decision", "reweight"] = ...,
        threshold: float | Literal["f1", "f2", "g_mean", "mcc", "youden", "prior"] | Mapping[str, Any] | None = ...,
        calibrate: Literal["sigmoid", "isotonic", "beta", "venn_abers"] | None = ...,
        positive: Any = ...,
        random_state: Any = ...,
        n_threads: int | None = ...,
        n_jobs: int | None = ...,
        verbose: int = ...,
    ) -> None: ...

class RuleListParameters:
    def __init__(
        self,
        *,
        n_rules: int = ...,
        objective: Mapping[str, Any] | Literal["f1"] = ...,
        n_estimators: int = ...,
        max_depth: int = ...,
        max_candidates: int = ...,
        time_limit: float | None = ...,
        criterion: Mapping[str, Any] | Literal["gini", "entropy", "gain_ratio", "c45", "hellinger", "dkm", "alpha", "alpha_ext", "chi2", "twoing"] = ...,
        min_samples_split: int = ...,
        min_samples_leaf: int = ...,
        min_weight_leaf: float = ...,
        min_weight_fraction_leaf: float = ...,
        max_features: int | float | Literal["sqrt", "log2"] | None = ...,
        splitter: Mapping[str, Any] | Literal["best", "random"] = ...,
        min_split_gain: float = ...,
        min_impurity_decrease: float = ...,
        categorical_split: Literal["ovr", "multiway", "ovr_multiway", "dummy", "subset", "target", "auto"] = ...,
        max_bins: int | Literal["auto"] | None = ...,
        exact_split_max_rows: int | Literal["auto"] = ...,
        categorical_features: Any = ...,
        class_weight: Mapping[Any, float] | Literal["balanced"] | None = ...,
        cost_matrix: Any = ...,
        costs: Any = ...,
        cost_strategy: Literal["decision", "reweight"] = ...,
        threshold: float | Literal["f1", "f2", "g_mean", "mcc", "youden", "prior"] | Mapping[str, Any] | None = ...,
        calibrate: Literal["sigmoid", "isotonic", "beta", "venn_abers"] | None = ...,
        positive: Any = ...,
        random_state: Any = ...,
        n_threads: int | None = ...,
        n_jobs: int | None = ...,
        verbose: int = ...,
    ) -> None: ...

class SMOTEBaggingParameters:
    def __init__(
        self,
        estimator: Any = ...,
        *,
        estimator_params: Any = ...,
        n_estimators: int = ...,
        k_neighbors: int = ...,
        percent_schedule: Literal["blocks", "cycle"] = ...,
        voting: Literal["soft", "hard"] = ...,
        prior_correction: Literal["prior", "none"] = ...,
        oob_score: bool | str | Callable[..., float] = ...,
        warm_start: bool = ...,
        categorical_features: Any = ...,
        class_weight: Mapping[Any, float] | Literal["balanced"] | None = ...,
        cost_matrix: Any = ...,
        costs: Any = ...,
        cost_strategy: Literal["decision", "reweight"] = ...,
        threshold: float | Literal["f1", "f2", "g_mean", "mcc", "youden", "prior"] | Mapping[str, Any] | None = ...,
        calibrate: Literal["sigmoid", "isotonic", "beta", "venn_abers"] | None = ...,
        positive: Any = ...,
        random_state: Any = ...,
        n_threads: int | None = ...,
        n_jobs: int | None = ...,
        verbose: int = ...,
    ) -> None: ...

class SMOTEBoostParameters:
    def __init__(
        self,
        estimator: Any = ...,
        *,
        estimator_params: Any = ...,
        n_estimators: int = ...,
        learning_rate: float = ...,
        k_neighbors: int = ...,
        sampling_strategy: float | Mapping[str, Any] | Literal["auto", "all"] = ...,
        ratio: Literal["min/maj", "fraction"] = ...,
        percent: float | None = ...,
        synthetic_weight: Literal["mean", "uniform"] = ...,
        loss: Literal["m2", "samme"] = ...,
        max_resamples: int = ...,
        prior_correction: Literal["prior", "none"] = ...,
        warm_start: bool = ...,
        categorical_features: Any = ...,
        class_weight: Mapping[Any, float] | Literal["balanced"] | None = ...,
        cost_matrix: Any = ...,
        costs: Any = ...,
        cost_strategy: Literal["decision", "reweight"] = ...,
        threshold: float | Literal["f1", "f2", "g_mean", "mcc", "youden", "prior"] | Mapping[str, Any] | None = ...,
        calibrate: Literal["sigmoid", "isotonic", "beta", "venn_abers"] | None = ...,
        positive: Any = ...,
        random_state: Any = ...,
        n_threads: int | None = ...,
        n_jobs: int | None = ...,
        verbose: int = ...,
    ) -> None: ...

class SVRForestParameters:
    def __init__(
        self,
        *,
        n_estimators: int = ...,
        max_samples: int | float | None = ...,
        bootstrap: bool = ...,
        oob_score: bool | str | Callable[..., float] = ...,
        penalty: float | None = ...,
        minority_weight: float | Literal["auto"] = ...,
        max_leaf_nodes: float | None = ...,
        feature_selection: bool = ...,
        new_feature_penalty: float = ...,
        pure_nodes: Literal["split", "freeze"] = ...,
        stop_rule: Literal["leaves", "dequeues"] = ...,
        scale: Literal["reference", "minmax", "none"] = ...,
        regularizer: Literal["svr", "surface"] = ...,
        penalized_classes: Sequence[Any] | Literal["minority", "all"] = ...,
        missing: Literal["direction", "error"] = ...,
        warm_start: bool = ...,
        categorical_features: Any = ...,
        class_weight: Mapping[Any, float] | Literal["balanced"] | None = ...,
        cost_matrix: Any = ...,
        costs: Any = ...,
        cost_strategy: Literal["decision", "reweight"] = ...,
        threshold: float | Literal["f1", "f2", "g_mean", "mcc", "youden", "prior"] | Mapping[str, Any] | None = ...,
        calibrate: Literal["sigmoid", "isotonic", "beta", "venn_abers"] | None = ...,
        positive: Any = ...,
        random_state: Any = ...,
        n_threads: int | None = ...,
        n_jobs: int | None = ...,
        verbose: int = ...,
    ) -> None: ...

class SVRTreeCVParameters:
    def __init__(
        self,
        *,
        minority_weight: float | Literal["auto"] = ...,
        max_leaf_nodes: float | None = ...,
        feature_selection: bool = ...,
        new_feature_penalty: float = ...,
        pure_nodes: Literal["split", "freeze"] = ...,
        stop_rule: Literal["leaves", "dequeues"] = ...,
        scale: Literal["reference", "minmax", "none"] = ...,
        regularizer: Literal["svr", "surface"] = ...,
        penalized_classes: Sequence[Any] | Literal["minority", "all"] = ...,
        probability: Literal["weighted", "unweighted"] = ...,
        missing: Literal["direction", "error"] = ...,
        penalties: Any = ...,
        cv: Any = ...,
        scoring: str | Callable[..., float] = ...,
        pooled: bool = ...,
        categorical_features: Any = ...,
        class_weight: Mapping[Any, float] | Literal["balanced"] | None = ...,
        cost_matrix: Any = ...,
        costs: Any = ...,
        cost_strategy: Literal["decision", "reweight"] = ...,
        threshold: float | Literal["f1", "f2", "g_mean", "mcc", "youden", "prior"] | Mapping[str, Any] | None = ...,
        calibrate: Literal["sigmoid", "isotonic", "beta", "venn_abers"] | None = ...,
        positive: Any = ...,
        random_state: Any = ...,
        n_threads: int | None = ...,
        n_jobs: int | None = ...,
        verbose: int = ...,
    ) -> None: ...

class SVRTreeParameters:
    def __init__(
        self,
        *,
        penalty: float | None = ...,
        minority_weight: float | Literal["auto"] = ...,
        max_leaf_nodes: float | None = ...,
        feature_selection: bool = ...,
        new_feature_penalty: float = ...,
        pure_nodes: Literal["split", "freeze"] = ...,
        stop_rule: Literal["leaves", "dequeues"] = ...,
        scale: Literal["reference", "minmax", "none"] = ...,
        regularizer: Literal["svr", "surface"] = ...,
        penalized_classes: Sequence[Any] | Literal["minority", "all"] = ...,
        probability: Literal["weighted", "unweighted"] = ...,
        missing: Literal["direction", "error"] = ...,
        categorical_features: Any = ...,
        class_weight: Mapping[Any, float] | Literal["balanced"] | None = ...,
        cost_matrix: Any = ...,
        costs: Any = ...,
        cost_strategy: Literal["decision", "reweight"] = ...,
        threshold: float | Literal["f1", "f2", "g_mean", "mcc", "youden", "prior"] | Mapping[str, Any] | None = ...,
        calibrate: Literal["sigmoid", "isotonic", "beta", "venn_abers"] | None = ...,
        positive: Any = ...,
        random_state: Any = ...,
        n_threads: int | None = ...,
        n_jobs: int | None = ...,
        verbose: int = ...,
    ) -> None: ...

class TANParameters:
    def __init__(
        self,
        *,
        discretizer: Literal["mdlp", "caim", "cacc", "ameva", "equal_freq"] | Mapping[str, Any] | MDLPDiscretizer | CAIMDiscretizer | CACCDiscretizer | AmevaDiscretizer | EqualFrequencyDiscretizer = ...,
        missing: Literal["available", "drop_rows", "state", "error"] = ...,
        handle_unknown: Literal["missing", "error"] = ...,
        prune_arcs: bool = ...,
        rectify: Literal["tempered"] | Mapping[str, Any] | Tempered | None = ...,
        prior: Literal["uniform", "rebalanced", "local"] | Mapping[str, Any] | Uniform | Rebalanced | LocallyRebalanced = ...,
        smooth_levels: bool = ...,
        categorical_features: Any = ...,
        class_weight: Mapping[Any, float] | Literal["balanced"] | None = ...,
        cost_matrix: Any = ...,
        costs: Any = ...,
        cost_strategy: Literal["decision", "reweight"] = ...,
        threshold: float | Literal["f1", "f2", "g_mean", "mcc", "youden", "prior"] | Mapping[str, Any] | None = ...,
        calibrate: Literal["sigmoid", "isotonic", "beta", "venn_abers"] | None = ...,
        positive: Any = ...,
        random_state: Any = ...,
        n_threads: int | None = ...,
        n_jobs: int | None = ...,
        verbose: int = ...,
    ) -> None: ...

class UnderBaggingParameters:
    def __init__(
        self,
        estimator: Any = ...,
        *,
        estimator_params: Any = ...,
        n_estimators: int = ...,
        replacement: bool = ...,
        bootstrap_minority: bool = ...,
        voting: Literal["soft", "hard"] = ...,
        prior_correction: Literal["prior", "none"] = ...,
        oob_score: bool | str | Callable[..., float] = ...,
        warm_start: bool = ...,
        categorical_features: Any = ...,
        class_weight: Mapping[Any, float] | Literal["balanced"] | None = ...,
        cost_matrix: Any = ...,
        costs: Any = ...,
        cost_strategy: Literal["decision", "reweight"] = ...,
        threshold: float | Literal["f1", "f2", "g_mean", "mcc", "youden", "prior"] | Mapping[str, Any] | None = ...,
        calibrate: Literal["sigmoid", "isotonic", "beta", "venn_abers"] | None = ...,
        positive: Any = ...,
        random_state: Any = ...,
        n_threads: int | None = ...,
        n_jobs: int | None = ...,
        verbose: int = ...,
    ) -> None: ...

class UnderOverBaggingParameters:
    def __init__(
        self,
        estimator: Any = ...,
        *,
        estimator_params: Any = ...,
        n_estimators: int = ...,
        percent_schedule: Literal["blocks", "cycle"] = ...,
        voting: Literal["soft", "hard"] = ...,
        prior_correction: Literal["prior", "none"] = ...,
        oob_score: bool | str | Callable[..., float] = ...,
        warm_start: bool = ...,
        categorical_features: Any = ...,
        class_weight: Mapping[Any, float] | Literal["balanced"] | None = ...,
        cost_matrix: Any = ...,
        costs: Any = ...,
        cost_strategy: Literal["decision", "reweight"] = ...,
        threshold: float | Literal["f1", "f2", "g_mean", "mcc", "youden", "prior"] | Mapping[str, Any] | None = ...,
        calibrate: Literal["sigmoid", "isotonic", "beta", "venn_abers"] | None = ...,
        positive: Any = ...,
        random_state: Any = ...,
        n_threads: int | None = ...,
        n_jobs: int | None = ...,
        verbose: int = ...,
    ) -> None: ...

class WeightedRandomForestParameters:
    def __init__(
        self,
        *,
        n_estimators: int | Literal["auto"] = ...,
        max_samples: int | float | None = ...,
        bootstrap: bool = ...,
        voting: Literal["soft", "hard"] = ...,
        prior_correction: Literal["prior", "none"] = ...,
        oob_score: bool | str | Callable[..., float] = ...,
        criterion: Mapping[str, Any] | Literal["gini", "entropy", "gain_ratio", "c45", "hellinger", "dkm", "alpha", "alpha_ext", "chi2", "twoing"] = ...,
        max_depth: int | None = ...,
        min_samples_split: int | float = ...,
        min_samples_leaf: int | float = ...,
        min_weight_leaf: float = ...,
        min_weight_fraction_leaf: float = ...,
        max_leaf_nodes: int | None = ...,
        growth_order: Literal["gain", "entropy"] = ...,
        max_features: int | float | Literal["sqrt", "log2"] | None = ...,
        redraw_features: bool = ...,
        splitter: Mapping[str, Any] | Literal["best", "random"] = ...,
        min_split_gain: float = ...,
        min_impurity_decrease: float = ...,
        allow_zero_gain_splits: bool = ...,
        leaf_estimate: Literal["frequency", "laplace", "m_estimate"] = ...,
        prior_weight: float = ...,
        categorical_split: Literal["ovr", "multiway", "ovr_multiway", "dummy", "subset", "target", "auto"] = ...,
        missing: Literal["error", "direction", "fraction", "value"] = ...,
        monotonic_cst: Sequence[Any] | Mapping[str, Any] | None = ...,
        ccp_alpha: float | None = ...,
        ccp_criterion: Literal["gini", "entropy", "error", "cost"] = ...,
        max_bins: int | Literal["auto"] | None = ...,
        exact_split_max_rows: int | Literal["auto"] = ...,
        warm_start: bool = ...,
        categorical_features: Any = ...,
        class_weight: Mapping[Any, float] | Literal["balanced"] | None = ...,
        cost_matrix: Any = ...,
        costs: Any = ...,
        cost_strategy: Literal["decision", "reweight"] = ...,
        threshold: float | Literal["f1", "f2", "g_mean", "mcc", "youden", "prior"] | Mapping[str, Any] | None = ...,
        calibrate: Literal["sigmoid", "isotonic", "beta", "venn_abers"] | None = ...,
        positive: Any = ...,
        random_state: Any = ...,
        n_threads: int | None = ...,
        n_jobs: int | None = ...,
        verbose: int = ...,
    ) -> None: ...

class ADASYNParameters:
    def __init__(
        self,
        *,
        sampling_strategy: Any = ...,
        ratio: Literal["min/maj", "fraction"] = ...,
        n_neighbors: int = ...,
        beta: float | None = ...,
        d_th: float | None = ...,
        rounding: Literal["half_even", "exact"] = ...,
        on_small: Literal["raise", "shrink", "copy"] = ...,
        on_zero: Literal["raise", "equal"] = ...,
        include_self: bool = ...,
        scale: Literal["minmax", "std"] | None = ...,
        algorithm: Literal["auto", "brute", "kd_tree"] = ...,
        densify: bool = ...,
        random_state: Any = ...,
        n_threads: int | None = ...,
        n_jobs: int | None = ...,
    ) -> None: ...

class SMOTEParameters:
    def __init__(
        self,
        *,
        sampling_strategy: Any = ...,
        ratio: Literal["min/maj", "fraction"] = ...,
        k_neighbors: int = ...,
        interpolation: Literal["line", "attribute", "midpoint"] = ...,
        schedule: Literal["uniform", "even"] = ...,
        neighbor_draw: Literal["replace", "distinct_first"] = ...,
        on_small: Literal["raise", "shrink", "copy"] = ...,
        percent: float | None = ...,
        include_self: bool = ...,
        scale: Literal["minmax", "std"] | None = ...,
        algorithm: Literal["auto", "brute", "kd_tree"] = ...,
        densify: bool = ...,
        random_state: Any = ...,
        n_threads: int | None = ...,
        n_jobs: int | None = ...,
    ) -> None: ...

class SMOTENCParameters:
    def __init__(
        self,
        *,
        sampling_strategy: Any = ...,
        ratio: Literal["min/maj", "fraction"] = ...,
        k_neighbors: int = ...,
        schedule: Literal["uniform", "even"] = ...,
        neighbor_draw: Literal["replace", "distinct_first"] = ...,
        on_small: Literal["raise", "shrink", "copy"] = ...,
        scale: Literal["minmax", "std"] | None = ...,
        algorithm: Literal["auto", "brute", "kd_tree"] = ...,
        densify: bool = ...,
        categorical_features: Any = ...,
        categorical_encoder: Any = ...,
        random_state: Any = ...,
        n_threads: int | None = ...,
        n_jobs: int | None = ...,
    ) -> None: ...

class BorderlineSMOTEParameters:
    def __init__(
        self,
        *,
        sampling_strategy: Any = ...,
        ratio: Literal["min/maj", "fraction"] = ...,
        k_neighbors: int = ...,
        m_neighbors: int | None = ...,
        kind: Literal["borderline-1", "borderline-2", "thesis", "svr_code"] = ...,
        on_empty: Literal["warn", "smote", "raise"] = ...,
        per_base: int | None = ...,
        interpolation: Literal["line", "attribute", "midpoint"] | None = ...,
        schedule: Literal["uniform", "even"] | None = ...,
        neighbor_draw: Literal["replace", "distinct_first"] = ...,
        on_small: Literal["raise", "shrink", "copy"] = ...,
        scale: Literal["minmax", "std"] | None = ...,
        algorithm: Literal["auto", "brute", "kd_tree"] = ...,
        densify: bool = ...,
        random_state: Any = ...,
        n_threads: int | None = ...,
        n_jobs: int | None = ...,
    ) -> None: ...

class CondensedNearestNeighbourParameters:
    def __init__(
        self,
        *,
        sampling_strategy: Any = ...,
        ratio: Literal["min/maj", "fraction"] = ...,
        n_neighbors: int | None = ...,
        n_seeds_S: int = ...,
        keep_minority: bool = ...,
        scan: Literal["random", "row"] = ...,
        until: Literal["consistent", "one_pass"] = ...,
        store: Literal["all", "per_class"] = ...,
        scale: Literal["minmax", "std"] | None = ...,
        algorithm: Literal["auto", "brute", "kd_tree"] = ...,
        densify: bool = ...,
        random_state: Any = ...,
        n_threads: int | None = ...,
        n_jobs: int | None = ...,
    ) -> None: ...

class DuplicateOverSamplerParameters:
    def __init__(
        self,
        *,
        weights: Any = ...,
        n_threads: int | None = ...,
        n_jobs: int | None = ...,
    ) -> None: ...

class OneSidedSelectionParameters:
    def __init__(
        self,
        *,
        sampling_strategy: Any = ...,
        ratio: Literal["min/maj", "fraction"] = ...,
        n_neighbors: int | None = ...,
        n_seeds_S: int = ...,
        order: Literal["condense_first", "tomek_first"] = ...,
        passes: Literal["one", "hart"] = ...,
        scale: Literal["minmax", "std"] | None = ...,
        algorithm: Literal["auto", "brute", "kd_tree"] = ...,
        densify: bool = ...,
        random_state: Any = ...,
        n_threads: int | None = ...,
        n_jobs: int | None = ...,
    ) -> None: ...

class RandomOverSamplerParameters:
    def __init__(
        self,
        *,
        sampling_strategy: Any = ...,
        ratio: Literal["min/maj", "fraction"] = ...,
        shrinkage: Any = ...,
        random_state: Any = ...,
        n_threads: int | None = ...,
        n_jobs: int | None = ...,
    ) -> None: ...

class RandomUnderSamplerParameters:
    def __init__(
        self,
        *,
        sampling_strategy: Any = ...,
        ratio: Literal["min/maj", "fraction"] = ...,
        replacement: bool = ...,
        random_state: Any = ...,
        n_threads: int | None = ...,
        n_jobs: int | None = ...,
    ) -> None: ...

class SMOTETomekParameters:
    def __init__(
        self,
        *,
        sampling_strategy: Any = ...,
        ratio: Literal["min/maj", "fraction"] = ...,
        smote: Any = ...,
        tomek: Any = ...,
        densify: bool = ...,
        random_state: Any = ...,
        n_threads: int | None = ...,
        n_jobs: int | None = ...,
    ) -> None: ...

class TomekLinksParameters:
    def __init__(
        self,
        *,
        sampling_strategy: Any = ...,
        ratio: Literal["min/maj", "fraction"] = ...,
        passes: int = ...,
        scale: Literal["minmax", "std"] | None = ...,
        algorithm: Literal["auto", "brute", "kd_tree"] = ...,
        densify: bool = ...,
        n_threads: int | None = ...,
        n_jobs: int | None = ...,
    ) -> None: ...

class Options(TypedDict, total=False):
    sample_weight: Any
    categorical_features: Any
    feature_names: Sequence[str] | None
    class_weight: Mapping[Any, float] | Literal["balanced"] | None
    cost_matrix: Any
    costs: Any
    cost_strategy: Literal["decision", "reweight"]
    threshold: float | Literal["f1", "f2", "g_mean", "mcc", "youden", "prior"] | Mapping[str, Any] | None
    calibrate: Literal["sigmoid", "isotonic", "beta", "venn_abers"] | None
    positive: Any
    random_state: Any
    n_threads: int | None
    n_jobs: int | None
    verbose: int
    callback: Callable[[str, int, int], object] | None
    separator: str | None
    decimal: str | None
    thousands: str | None
    na_values: Sequence[str | float] | str
    encoding: str | None
    dates: Sequence[str]
    date_format: str | None

class ForestOptions(Options, total=False):
    n_estimators: int | Literal["auto"]
    max_samples: int | float | None
    bootstrap: bool
    voting: Literal["soft", "hard"]
    prior_correction: Literal["prior", "none"]
    oob_score: bool | str
    min_samples_leaf: int | Literal["auto"]
    hierarchical_shrinkage: float | None
    criterion: Mapping[str, Any] | Literal["gini", "entropy", "gain_ratio", "c45", "hellinger", "dkm", "alpha", "alpha_ext", "chi2", "twoing"]
    max_depth: int | None
    min_samples_split: int
    min_weight_leaf: float
    min_weight_fraction_leaf: float
    max_leaf_nodes: int | None
    growth_order: Literal["gain", "entropy"]
    max_features: int | float | Literal["sqrt", "log2"] | None
    redraw_features: bool
    splitter: Mapping[str, Any] | Literal["best", "random"]
    min_split_gain: float
    min_impurity_decrease: float
    allow_zero_gain_splits: bool
    leaf_estimate: Literal["frequency", "laplace", "m_estimate"]
    prior_weight: float
    categorical_split: Literal["ovr", "multiway", "ovr_multiway", "dummy", "subset", "target", "auto"]
    missing: Literal["error", "direction", "fraction", "value"]
    monotonic_cst: Sequence[Any] | Mapping[str, Any] | None
    ccp_alpha: float | None
    ccp_criterion: Literal["gini", "entropy", "error", "cost"]
    max_bins: int | Literal["auto"] | None
    exact_split_max_rows: int | Literal["auto"]

class AutoOptions(Options, total=False):
    metric: Literal["log_loss", "average_precision"]
    budget: float | None
    time_limit: float | None
    n_estimators: int
    missing: Literal["members", "error"]
    oob_score: bool

class HddtOptions(Options, total=False):
    criterion: Mapping[str, Any] | Literal["gini", "entropy", "gain_ratio", "c45", "hellinger", "dkm", "alpha", "alpha_ext", "chi2", "twoing"]
    max_depth: int | None
    min_samples_split: int
    min_samples_leaf: int
    min_weight_leaf: float
    min_weight_fraction_leaf: float
    max_leaf_nodes: int | None
    growth_order: Literal["gain", "entropy"]
    max_features: int | float | Literal["sqrt", "log2"] | None
    redraw_features: bool
    splitter: Mapping[str, Any] | Literal["best", "random"]
    min_split_gain: float
    min_impurity_decrease: float
    allow_zero_gain_splits: bool
    leaf_estimate: Literal["frequency", "laplace", "m_estimate"]
    prior_weight: float
    categorical_split: Literal["ovr", "multiway", "ovr_multiway", "dummy", "subset", "target", "auto"]
    missing: Literal["error", "direction", "fraction", "value"]
    monotonic_cst: Sequence[Any] | Mapping[str, Any] | None
    ccp_alpha: float | None
    ccp_criterion: Literal["gini", "entropy", "error", "cost"]
    max_bins: int | Literal["auto"] | None
    exact_split_max_rows: int | Literal["auto"]

class C44Options(Options, total=False):
    criterion: Mapping[str, Any] | Literal["gini", "entropy", "gain_ratio", "c45", "hellinger", "dkm", "alpha", "alpha_ext", "chi2", "twoing"]
    max_depth: int | None
    min_samples_split: int
    min_samples_leaf: int
    min_weight_leaf: float
    min_weight_fraction_leaf: float
    max_leaf_nodes: int | None
    growth_order: Literal["gain", "entropy"]
    max_features: int | float | Literal["sqrt", "log2"] | None
    redraw_features: bool
    splitter: Mapping[str, Any] | Literal["best", "random"]
    min_split_gain: float
    min_impurity_decrease: float
    allow_zero_gain_splits: bool
    leaf_estimate: Literal["frequency", "laplace", "m_estimate"]
    prior_weight: float
    categorical_split: Literal["ovr", "multiway", "ovr_multiway", "dummy", "subset", "target", "auto"]
    missing: Literal["error", "direction", "fraction", "value"]
    monotonic_cst: Sequence[Any] | Mapping[str, Any] | None
    ccp_alpha: float | None
    ccp_criterion: Literal["gini", "entropy", "error", "cost"]
    max_bins: int | Literal["auto"] | None
    exact_split_max_rows: int | Literal["auto"]

class C45Options(Options, total=False):
    confidence: float | None
    collapse: bool
    subtree_raising: bool
    average_gain: bool
    mdl_penalty: bool
    c45_min: bool
    min_value_difference: float
    threshold_placement: Literal["midpoint", "data"]
    quantile: Literal["exact", "table"]
    extra_errors: Literal["c45", "weka"]
    max_depth: int | None
    min_samples_split: int
    min_samples_leaf: int
    min_weight_leaf: float
    min_weight_fraction_leaf: float
    max_leaf_nodes: int | None
    growth_order: Literal["gain", "entropy"]
    max_features: int | float | Literal["sqrt", "log2"] | None
    redraw_features: bool
    splitter: Mapping[str, Any] | Literal["best", "random"]
    min_split_gain: float
    min_impurity_decrease: float
    allow_zero_gain_splits: bool
    leaf_estimate: Literal["frequency", "laplace", "m_estimate"]
    prior_weight: float
    categorical_split: Literal["ovr", "multiway", "ovr_multiway", "dummy", "subset", "target", "auto"]
    missing: Literal["error", "direction", "fraction", "value"]
    monotonic_cst: Sequence[Any] | Mapping[str, Any] | None
    max_bins: int | Literal["auto"] | None
    exact_split_max_rows: int | Literal["auto"]

class CartOptions(Options, total=False):
    criterion: Mapping[str, Any] | Literal["gini", "entropy", "gain_ratio", "c45", "hellinger", "dkm", "alpha", "alpha_ext", "chi2", "twoing"]
    max_depth: int | None
    min_samples_split: int
    min_samples_leaf: int
    min_weight_leaf: float
    min_weight_fraction_leaf: float
    max_leaf_nodes: int | None
    growth_order: Literal["gain", "entropy"]
    max_features: int | float | Literal["sqrt", "log2"] | None
    redraw_features: bool
    splitter: Mapping[str, Any] | Literal["best", "random"]
    min_split_gain: float
    min_impurity_decrease: float
    allow_zero_gain_splits: bool
    leaf_estimate: Literal["frequency", "laplace", "m_estimate"]
    prior_weight: float
    categorical_split: Literal["ovr", "multiway", "ovr_multiway", "dummy", "subset", "target", "auto"]
    missing: Literal["error", "direction", "fraction", "value"]
    monotonic_cst: Sequence[Any] | Mapping[str, Any] | None
    ccp_alpha: float | None
    ccp_criterion: Literal["gini", "entropy", "error", "cost"]
    max_bins: int | Literal["auto"] | None
    exact_split_max_rows: int | Literal["auto"]

class AlphaTreeOptions(Options, total=False):
    alpha: float
    reference: Sequence[Any] | Literal["uniform", "flipped"] | None
    max_depth: int | None
    min_samples_split: int
    min_samples_leaf: int
    min_weight_leaf: float
    min_weight_fraction_leaf: float
    max_leaf_nodes: int | None
    growth_order: Literal["gain", "entropy"]
    max_features: int | float | Literal["sqrt", "log2"] | None
    redraw_features: bool
    splitter: Mapping[str, Any] | Literal["best", "random"]
    min_split_gain: float
    min_impurity_decrease: float
    allow_zero_gain_splits: bool
    leaf_estimate: Literal["frequency", "laplace", "m_estimate"]
    prior_weight: float
    categorical_split: Literal["ovr", "multiway", "ovr_multiway", "dummy", "subset", "target", "auto"]
    missing: Literal["error", "direction", "fraction", "value"]
    monotonic_cst: Sequence[Any] | Mapping[str, Any] | None
    ccp_alpha: float | None
    ccp_criterion: Literal["gini", "entropy", "error", "cost"]
    max_bins: int | Literal["auto"] | None
    exact_split_max_rows: int | Literal["auto"]

class OptimalTreeOptions(Options, total=False):
    objective: Literal["cost", "f1", "hull"]
    max_depth: int
    min_weight_leaf: float
    min_weight_fraction_leaf: float
    leaf_cost: float
    missing: Literal["error", "direction"]
    lookahead: int | None
    time_limit: float | None

class SvrTreeOptions(Options, total=False):
    penalty: float | None
    minority_weight: float | Literal["auto"]
    max_leaf_nodes: float | None
    feature_selection: bool
    new_feature_penalty: float
    pure_nodes: Literal["split", "freeze"]
    stop_rule: Literal["leaves", "dequeues"]
    scale: Literal["reference", "minmax", "none"]
    regularizer: Literal["svr", "surface"]
    penalized_classes: Sequence[Any] | Literal["minority", "all"]
    probability: Literal["weighted", "unweighted"]
    missing: Literal["direction", "error"]

class BeatOptions(Options, total=False):
    n_estimators: int
    beta_a: float
    beta_b: float
    reference: Sequence[Any] | Literal["uniform", "flipped"] | None
    max_samples: int | float | None
    bootstrap: bool
    voting: Literal["soft", "hard"]
    prior_correction: Literal["prior", "none"]
    oob_score: bool | str
    max_depth: int | None
    min_samples_split: int
    min_samples_leaf: int
    min_weight_leaf: float
    min_weight_fraction_leaf: float
    max_leaf_nodes: int | None
    growth_order: Literal["gain", "entropy"]
    max_features: int | float | Literal["sqrt", "log2"] | None
    redraw_features: bool
    splitter: Mapping[str, Any] | Literal["best", "random"]
    min_split_gain: float
    min_impurity_decrease: float
    allow_zero_gain_splits: bool
    leaf_estimate: Literal["frequency", "laplace", "m_estimate"]
    prior_weight: float
    categorical_split: Literal["ovr", "multiway", "ovr_multiway", "dummy", "subset", "target", "auto"]
    missing: Literal["error", "direction", "fraction", "value"]
    monotonic_cst: Sequence[Any] | Mapping[str, Any] | None
    ccp_alpha: float | None
    ccp_criterion: Literal["gini", "entropy", "error", "cost"]
    max_bins: int | Literal["auto"] | None
    exact_split_max_rows: int | Literal["auto"]

class BaggedC45Options(Options, total=False):
    n_estimators: int | Literal["auto"]
    max_samples: int | float | None
    bootstrap: bool
    voting: Literal["soft", "hard"]
    prior_correction: Literal["prior", "none"]
    oob_score: bool | str
    criterion: Mapping[str, Any] | Literal["gini", "entropy", "gain_ratio", "c45", "hellinger", "dkm", "alpha", "alpha_ext", "chi2", "twoing"]
    max_depth: int | None
    min_samples_split: int
    min_samples_leaf: int
    min_weight_leaf: float
    min_weight_fraction_leaf: float
    max_leaf_nodes: int | None
    growth_order: Literal["gain", "entropy"]
    max_features: int | float | Literal["sqrt", "log2"] | None
    redraw_features: bool
    splitter: Mapping[str, Any] | Literal["best", "random"]
    min_split_gain: float
    min_impurity_decrease: float
    allow_zero_gain_splits: bool
    leaf_estimate: Literal["frequency", "laplace", "m_estimate"]
    prior_weight: float
    categorical_split: Literal["ovr", "multiway", "ovr_multiway", "dummy", "subset", "target", "auto"]
    missing: Literal["error", "direction", "fraction", "value"]
    monotonic_cst: Sequence[Any] | Mapping[str, Any] | None
    ccp_alpha: float | None
    ccp_criterion: Literal["gini", "entropy", "error", "cost"]
    max_bins: int | Literal["auto"] | None
    exact_split_max_rows: int | Literal["auto"]

class RandomForestOptions(Options, total=False):
    n_estimators: int | Literal["auto"]
    max_samples: int | float | None
    bootstrap: bool
    voting: Literal["soft", "hard"]
    prior_correction: Literal["prior", "none"]
    oob_score: bool | str
    criterion: Mapping[str, Any] | Literal["gini", "entropy", "gain_ratio", "c45", "hellinger", "dkm", "alpha", "alpha_ext", "chi2", "twoing"]
    max_depth: int | None
    min_samples_split: int
    min_samples_leaf: int
    min_weight_leaf: float
    min_weight_fraction_leaf: float
    max_leaf_nodes: int | None
    growth_order: Literal["gain", "entropy"]
    max_features: int | float | Literal["sqrt", "log2"] | None
    redraw_features: bool
    splitter: Mapping[str, Any] | Literal["best", "random"]
    min_split_gain: float
    min_impurity_decrease: float
    allow_zero_gain_splits: bool
    leaf_estimate: Literal["frequency", "laplace", "m_estimate"]
    prior_weight: float
    categorical_split: Literal["ovr", "multiway", "ovr_multiway", "dummy", "subset", "target", "auto"]
    missing: Literal["error", "direction", "fraction", "value"]
    monotonic_cst: Sequence[Any] | Mapping[str, Any] | None
    ccp_alpha: float | None
    ccp_criterion: Literal["gini", "entropy", "error", "cost"]
    max_bins: int | Literal["auto"] | None
    exact_split_max_rows: int | Literal["auto"]

class BalancedRandomForestOptions(Options, total=False):
    n_estimators: int | Literal["auto"]
    sampling_strategy: float | Mapping[str, Any] | Literal["auto", "all"]
    ratio: Literal["min/maj", "fraction"]
    replacement: bool
    max_samples: int | float | None
    bootstrap: bool
    voting: Literal["soft", "hard"]
    prior_correction: Literal["prior", "none"]
    oob_score: bool | str
    criterion: Mapping[str, Any] | Literal["gini", "entropy", "gain_ratio", "c45", "hellinger", "dkm", "alpha", "alpha_ext", "chi2", "twoing"]
    max_depth: int | None
    min_samples_split: int
    min_samples_leaf: int
    min_weight_leaf: float
    min_weight_fraction_leaf: float
    max_leaf_nodes: int | None
    growth_order: Literal["gain", "entropy"]
    max_features: int | float | Literal["sqrt", "log2"] | None
    redraw_features: bool
    splitter: Mapping[str, Any] | Literal["best", "random"]
    min_split_gain: float
    min_impurity_decrease: float
    allow_zero_gain_splits: bool
    leaf_estimate: Literal["frequency", "laplace", "m_estimate"]
    prior_weight: float
    categorical_split: Literal["ovr", "multiway", "ovr_multiway", "dummy", "subset", "target", "auto"]
    missing: Literal["error", "direction", "fraction", "value"]
    monotonic_cst: Sequence[Any] | Mapping[str, Any] | None
    ccp_alpha: float | None
    ccp_criterion: Literal["gini", "entropy", "error", "cost"]
    max_bins: int | Literal["auto"] | None
    exact_split_max_rows: int | Literal["auto"]

class WeightedRandomForestOptions(Options, total=False):
    n_estimators: int | Literal["auto"]
    max_samples: int | float | None
    bootstrap: bool
    voting: Literal["soft", "hard"]
    prior_correction: Literal["prior", "none"]
    oob_score: bool | str
    criterion: Mapping[str, Any] | Literal["gini", "entropy", "gain_ratio", "c45", "hellinger", "dkm", "alpha", "alpha_ext", "chi2", "twoing"]
    max_depth: int | None
    min_samples_split: int
    min_samples_leaf: int
    min_weight_leaf: float
    min_weight_fraction_leaf: float
    max_leaf_nodes: int | None
    growth_order: Literal["gain", "entropy"]
    max_features: int | float | Literal["sqrt", "log2"] | None
    redraw_features: bool
    splitter: Mapping[str, Any] | Literal["best", "random"]
    min_split_gain: float
    min_impurity_decrease: float
    allow_zero_gain_splits: bool
    leaf_estimate: Literal["frequency", "laplace", "m_estimate"]
    prior_weight: float
    categorical_split: Literal["ovr", "multiway", "ovr_multiway", "dummy", "subset", "target", "auto"]
    missing: Literal["error", "direction", "fraction", "value"]
    monotonic_cst: Sequence[Any] | Mapping[str, Any] | None
    ccp_alpha: float | None
    ccp_criterion: Literal["gini", "entropy", "error", "cost"]
    max_bins: int | Literal["auto"] | None
    exact_split_max_rows: int | Literal["auto"]

class ExtraTreesOptions(Options, total=False):
    n_estimators: int | Literal["auto"]
    max_samples: int | float | None
    bootstrap: bool
    voting: Literal["soft", "hard"]
    prior_correction: Literal["prior", "none"]
    oob_score: bool | str
    criterion: Mapping[str, Any] | Literal["gini", "entropy", "gain_ratio", "c45", "hellinger", "dkm", "alpha", "alpha_ext", "chi2", "twoing"]
    max_depth: int | None
    min_samples_split: int
    min_samples_leaf: int
    min_weight_leaf: float
    min_weight_fraction_leaf: float
    max_leaf_nodes: int | None
    growth_order: Literal["gain", "entropy"]
    max_features: int | float | Literal["sqrt", "log2"] | None
    redraw_features: bool
    splitter: Mapping[str, Any] | Literal["best", "random"]
    min_split_gain: float
    min_impurity_decrease: float
    allow_zero_gain_splits: bool
    leaf_estimate: Literal["frequency", "laplace", "m_estimate"]
    prior_weight: float
    categorical_split: Literal["ovr", "multiway", "ovr_multiway", "dummy", "subset", "target", "auto"]
    missing: Literal["error", "direction", "fraction", "value"]
    monotonic_cst: Sequence[Any] | Mapping[str, Any] | None
    ccp_alpha: float | None
    ccp_criterion: Literal["gini", "entropy", "error", "cost"]
    max_bins: int | Literal["auto"] | None
    exact_split_max_rows: int | Literal["auto"]

class BoostedTreesOptions(Options, total=False):
    objective: Literal["log_loss", "balanced", "cost", "focal", "pairwise_auc", "smooth_ap"]
    focal_gamma: float
    n_rounds: int | Literal["auto"]
    max_rounds: int
    stopping_score: Literal["log_loss", "average_precision"]
    stopping_folds: int
    early_stopping_rounds: int
    early_stopping_min_delta: float
    learning_rate: float
    max_leaf_nodes: int | None
    max_depth: int | None
    min_samples_leaf: int
    min_child_weight: float
    min_split_gain: float
    random_strength: float
    reg_lambda: float
    reg_alpha: float
    subsample: float
    sampling: Literal["uniform", "goss"]
    top_rate: float
    other_rate: float
    colsample_bytree: float
    dropout_rate: float
    skip_dropout: float
    categorical_split: Literal["auto", "subset", "target"]
    level_smoothing: float
    monotonic_cst: Sequence[Any] | Mapping[str, Any] | None
    interaction_cst: Sequence[Any] | Literal["pairwise", "no_interactions"] | None
    max_bins: int
    missing: Literal["direction", "error"]

class SvrForestOptions(Options, total=False):
    n_estimators: int
    max_samples: int | float | None
    bootstrap: bool
    oob_score: bool | str
    penalty: float | None
    minority_weight: float | Literal["auto"]
    max_leaf_nodes: float | None
    feature_selection: bool
    new_feature_penalty: float
    pure_nodes: Literal["split", "freeze"]
    stop_rule: Literal["leaves", "dequeues"]
    scale: Literal["reference", "minmax", "none"]
    regularizer: Literal["svr", "surface"]
    penalized_classes: Sequence[Any] | Literal["minority", "all"]
    missing: Literal["direction", "error"]

class BaggingOptions(Options, total=False):
    estimator: MethodName
    estimator_params: Mapping[str, Any] | None
    n_estimators: int
    max_samples: int | float
    max_features: int | float
    bootstrap: bool
    bootstrap_features: bool
    voting: Literal["soft", "hard"]
    prior_correction: Literal["prior", "none"]
    oob_score: bool | str

class UnderBaggingOptions(Options, total=False):
    estimator: MethodName
    estimator_params: Mapping[str, Any] | None
    n_estimators: int
    replacement: bool
    bootstrap_minority: bool
    voting: Literal["soft", "hard"]
    prior_correction: Literal["prior", "none"]
    oob_score: bool | str

class OverBaggingOptions(Options, total=False):
    estimator: MethodName
    estimator_params: Mapping[str, Any] | None
    n_estimators: int
    voting: Literal["soft", "hard"]
    prior_correction: Literal["prior", "none"]
    oob_score: bool | str

class UnderOverBaggingOptions(Options, total=False):
    estimator: MethodName
    estimator_params: Mapping[str, Any] | None
    n_estimators: int
    percent_schedule: Literal["blocks", "cycle"]
    voting: Literal["soft", "hard"]
    prior_correction: Literal["prior", "none"]
    oob_score: bool | str

class SmoteBaggingOptions(Options, total=False):
    estimator: MethodName
    estimator_params: Mapping[str, Any] | None
    n_estimators: int
    k_neighbors: int
    percent_schedule: Literal["blocks", "cycle"]
    voting: Literal["soft", "hard"]
    prior_correction: Literal["prior", "none"]
    oob_score: bool | str

class BalancedBaggingOptions(Options, total=False):
    estimator: MethodName
    estimator_params: Mapping[str, Any] | None
    n_estimators: int
    max_samples: int | float
    max_features: int | float
    bootstrap: bool
    bootstrap_features: bool
    sampling_strategy: float | Mapping[str, Any] | Literal["auto", "all"]
    replacement: bool
    sampler: Literal["random_under", "random_over", "duplicate_over", "smote", "borderline_smote", "adasyn", "smotenc", "tomek_links", "condensed_nearest_neighbour", "one_sided_selection", "smote_tomek"] | None
    sampler_params: Mapping[str, Any] | None
    voting: Literal["soft", "hard"]
    prior_correction: Literal["prior", "none"]
    oob_score: bool | str

class AdaboostOptions(Options, total=False):
    estimator: MethodName
    estimator_params: Mapping[str, Any] | None
    n_estimators: int
    learning_rate: float
    algorithm: Literal["SAMME", "M1"]
    resample: bool

class RusboostOptions(Options, total=False):
    estimator: MethodName
    estimator_params: Mapping[str, Any] | None
    n_estimators: int
    learning_rate: float
    sampling_strategy: float | Mapping[str, Any] | Literal["auto", "all"]
    ratio: Literal["min/maj", "fraction"]
    replacement: bool
    loss: Literal["m2", "samme"]
    max_resamples: int
    restarts: bool
    prior_correction: Literal["prior", "none"]

class SmoteboostOptions(Options, total=False):
    estimator: MethodName
    estimator_params: Mapping[str, Any] | None
    n_estimators: int
    learning_rate: float
    k_neighbors: int
    sampling_strategy: float | Mapping[str, Any] | Literal["auto", "all"]
    ratio: Literal["min/maj", "fraction"]
    percent: float | None
    synthetic_weight: Literal["mean", "uniform"]
    loss: Literal["m2", "samme"]
    max_resamples: int
    prior_correction: Literal["prior", "none"]

class Adac1Options(Options, total=False):
    estimator: MethodName
    estimator_params: Mapping[str, Any] | None
    n_estimators: int
    learning_rate: float
    class_costs: Sequence[Any] | Mapping[str, Any] | Any | Literal["grid", "tan", "ratio"]
    grid: Sequence[Any] | None
    grid_cv: int
    grid_scoring: Literal["f1", "f2", "g_mean", "balanced_accuracy", "mcc", "accuracy", "precision", "recall", "specificity"]
    theta: float
    b3: float
    min_cost_factor: float

class Adac2Options(Options, total=False):
    estimator: MethodName
    estimator_params: Mapping[str, Any] | None
    n_estimators: int
    learning_rate: float
    class_costs: Sequence[Any] | Mapping[str, Any] | Any | Literal["grid", "tan", "ratio"]
    grid: Sequence[Any] | None
    grid_cv: int
    grid_scoring: Literal["f1", "f2", "g_mean", "balanced_accuracy", "mcc", "accuracy", "precision", "recall", "specificity"]
    theta: float
    b3: float
    min_cost_factor: float

class Adac3Options(Options, total=False):
    estimator: MethodName
    estimator_params: Mapping[str, Any] | None
    n_estimators: int
    learning_rate: float
    class_costs: Sequence[Any] | Mapping[str, Any] | Any | Literal["grid", "tan", "ratio"]
    grid: Sequence[Any] | None
    grid_cv: int
    grid_scoring: Literal["f1", "f2", "g_mean", "balanced_accuracy", "mcc", "accuracy", "precision", "recall", "specificity"]
    theta: float
    b3: float
    min_cost_factor: float

class EasyEnsembleOptions(Options, total=False):
    estimator: MethodName
    estimator_params: Mapping[str, Any] | None
    n_estimators: int
    n_rounds_per_subset: int
    combine: Literal["sum", "proba"]
    sampling_strategy: float | Mapping[str, Any] | Literal["auto", "all"]
    ratio: Literal["min/maj", "fraction"]
    replacement: bool
    prior_correction: Literal["prior", "none"]

class BalanceCascadeOptions(Options, total=False):
    estimator: MethodName
    estimator_params: Mapping[str, Any] | None
    n_estimators: int
    n_rounds_per_subset: int
    decision: Literal["sum", "all"]
    keep_threshold: bool
    prior_correction: Literal["prior", "none"]

class FastBoxesOptions(Options, total=False):
    n_boxes: int
    negative_weight: float
    expansion: float
    eps: float
    bound_rule: Literal["paper", "program", "expand", "none"]
    scale: Literal["minmax", "maxabs", "none"]
    clustering: Literal["kmeans", "program"]
    clusterer: Any | None
    n_init: int
    ranking: Literal["levels", "exact"]
    missing: Literal["error", "outside", "inside"]

class ExactBoxesOptions(Options, total=False):
    n_boxes: int
    negative_weight: float
    box_cost: float
    expand: float
    margin: float
    epsilon: float
    formulation: Literal["columns", "compact", "paper"]
    init: Literal["fast_boxes", "none"]
    heuristic: Literal["none", "neighborhood", "clusters"]
    radius: float
    time_limit: float | None
    abs_gap: float
    decode: Literal["widest", "margin"]
    scale: Literal["minmax", "maxabs"]
    missing: Literal["error", "outside", "inside"]

class PrimOptions(Options, total=False):
    peel_alpha: float
    paste_alpha: float
    min_mass: float | None
    min_mean: float | None
    max_boxes: int | None
    validation: float
    drop: bool
    negative_weight: float | None
    missing: Literal["error", "outside", "inside"]

class RuleListOptions(Options, total=False):
    n_rules: int
    objective: Mapping[str, Any] | Literal["f1"]
    n_estimators: int
    max_depth: int
    max_candidates: int
    time_limit: float | None
    criterion: Mapping[str, Any] | Literal["gini", "entropy", "gain_ratio", "c45", "hellinger", "dkm", "alpha", "alpha_ext", "chi2", "twoing"]
    min_samples_split: int
    min_samples_leaf: int
    min_weight_leaf: float
    min_weight_fraction_leaf: float
    max_features: int | float | Literal["sqrt", "log2"] | None
    splitter: Mapping[str, Any] | Literal["best", "random"]
    min_split_gain: float
    min_impurity_decrease: float
    categorical_split: Literal["ovr", "multiway", "ovr_multiway", "dummy", "subset", "target", "auto"]
    max_bins: int | Literal["auto"] | None
    exact_split_max_rows: int | Literal["auto"]

class FullBayesOptions(Options, total=False):
    discretizer: Literal["mdlp", "caim", "cacc", "ameva", "equal_freq"] | Mapping[str, Any] | MDLPDiscretizer | CAIMDiscretizer | CACCDiscretizer | AmevaDiscretizer | EqualFrequencyDiscretizer
    missing: Literal["available", "drop_rows", "state", "error"]
    handle_unknown: Literal["missing", "error"]
    structure_score: Literal["bic", "aic", "ll", "k2", "bdeu", "bds"] | Mapping[str, Any] | BIC | AIC | LogLikelihood | K2 | BDeu | BDs | BDJ | FNML | QNML
    require_class_arc: bool
    search: Literal["tabu", "hc", "boss", "best", "rb", "ils", "exact"] | Mapping[str, Any] | Tabu | HillClimbing | BOSS | BestSearch | BiasedRandomization | IteratedLocalSearch | ExactSearch
    max_parents: int | None
    tie_breaking: Literal["entropy2", "entropy", "column"]
    init_graph: Sequence[Any] | Literal["empty", "naive", "random"] | Mapping[str, Any] | RandomStart | None
    required_arcs: Sequence[Any] | None
    forbidden_arcs: Sequence[Any] | None
    tiers: Sequence[Any] | Mapping[str, Any] | None
    class_role: Literal["free", "root", "leaf"]
    rectify: Literal["tempered", "centered", "perrow", "literal"] | Mapping[str, Any] | Tempered | Centered | PerRow | LiteralFormula | None
    prior: Literal["uniform", "rebalanced", "local"] | Mapping[str, Any] | Uniform | Rebalanced | LocallyRebalanced
    smooth_levels: bool
    discretizer__r_compat: bool
    discretizer__n_bins: int
    structure_score__structure_constant: float
    structure_score__mle: Literal["family", "pairwise"]
    structure_score__missing_likelihood: Literal["common_rows", "node_average", "available"]
    structure_score__equivalent_sample_size: float
    search__tabu: int
    search__max_tabu: int
    search__restarts: int
    search__perturb: int
    search__perturbation: Literal["random", "equivalent"]
    search__max_iters: int | None
    search__time_limit: float | None
    search__rounds: int | None
    search__max_scores: int | None
    search__max_without_improvement: int
    search__geometric_p: float
    search__candidates: int
    search__accept: Literal["credit", "demon"]
    init_graph__density: float | None
    rectify__phi: float
    rectify__used_for: Literal["both", "structure"]
    rectify__variables: Literal["class", "all"]
    prior__weight: float | Literal["n"]
    prior__weight_fraction: float | None
    prior__laplace: Literal["max", "add"] | None
    prior__gamma: float
    prior__form: Literal["inverse", "deficit", "literal"]
    prior__nu0: float
    prior__nu_max: float
    prior__strength: float
    prior__children: bool

class NaiveBayesOptions(Options, total=False):
    discretizer: Literal["mdlp", "caim", "cacc", "ameva", "equal_freq"] | Mapping[str, Any] | MDLPDiscretizer | CAIMDiscretizer | CACCDiscretizer | AmevaDiscretizer | EqualFrequencyDiscretizer
    missing: Literal["available", "drop_rows", "state", "error"]
    handle_unknown: Literal["missing", "error"]
    feature_selection: bool
    structure_constant: float
    rectify: Literal["tempered"] | Mapping[str, Any] | Tempered | None
    prior: Literal["uniform", "rebalanced", "local"] | Mapping[str, Any] | Uniform | Rebalanced | LocallyRebalanced
    smooth_levels: bool
    discretizer__r_compat: bool
    discretizer__n_bins: int
    rectify__phi: float
    rectify__used_for: Literal["both", "structure"]
    prior__weight: float | Literal["n"]
    prior__weight_fraction: float | None
    prior__laplace: Literal["max", "add"] | None
    prior__gamma: float
    prior__form: Literal["inverse", "deficit", "literal"]
    prior__nu0: float
    prior__nu_max: float
    prior__strength: float
    prior__children: bool

class TanOptions(Options, total=False):
    discretizer: Literal["mdlp", "caim", "cacc", "ameva", "equal_freq"] | Mapping[str, Any] | MDLPDiscretizer | CAIMDiscretizer | CACCDiscretizer | AmevaDiscretizer | EqualFrequencyDiscretizer
    missing: Literal["available", "drop_rows", "state", "error"]
    handle_unknown: Literal["missing", "error"]
    prune_arcs: bool
    rectify: Literal["tempered"] | Mapping[str, Any] | Tempered | None
    prior: Literal["uniform", "rebalanced", "local"] | Mapping[str, Any] | Uniform | Rebalanced | LocallyRebalanced
    smooth_levels: bool
    discretizer__r_compat: bool
    discretizer__n_bins: int
    rectify__phi: float
    rectify__used_for: Literal["both", "structure"]
    prior__weight: float | Literal["n"]
    prior__weight_fraction: float | None
    prior__laplace: Literal["max", "add"] | None
    prior__gamma: float
    prior__form: Literal["inverse", "deficit", "literal"]
    prior__nu0: float
    prior__nu_max: float
    prior__strength: float
    prior__children: bool

class KdbOptions(Options, total=False):
    discretizer: Literal["mdlp", "caim", "cacc", "ameva", "equal_freq"] | Mapping[str, Any] | MDLPDiscretizer | CAIMDiscretizer | CACCDiscretizer | AmevaDiscretizer | EqualFrequencyDiscretizer
    missing: Literal["available", "drop_rows", "state", "error"]
    handle_unknown: Literal["missing", "error"]
    max_feature_parents: int
    rectify: Literal["tempered"] | Mapping[str, Any] | Tempered | None
    prior: Literal["uniform", "rebalanced", "local"] | Mapping[str, Any] | Uniform | Rebalanced | LocallyRebalanced
    smooth_levels: bool
    discretizer__r_compat: bool
    discretizer__n_bins: int
    rectify__phi: float
    rectify__used_for: Literal["both", "structure"]
    prior__weight: float | Literal["n"]
    prior__weight_fraction: float | None
    prior__laplace: Literal["max", "add"] | None
    prior__gamma: float
    prior__form: Literal["inverse", "deficit", "literal"]
    prior__nu0: float
    prior__nu_max: float
    prior__strength: float
    prior__children: bool

class AodeOptions(Options, total=False):
    discretizer: Literal["mdlp", "caim", "cacc", "ameva", "equal_freq"] | Mapping[str, Any] | MDLPDiscretizer | CAIMDiscretizer | CACCDiscretizer | AmevaDiscretizer | EqualFrequencyDiscretizer
    missing: Literal["available", "drop_rows", "state", "error"]
    handle_unknown: Literal["missing", "error"]
    max_super_parents: int | None
    rectify: Literal["tempered"] | Mapping[str, Any] | Tempered | None
    prior: Literal["uniform", "rebalanced", "local"] | Mapping[str, Any] | Uniform | Rebalanced | LocallyRebalanced
    smooth_levels: bool
    discretizer__r_compat: bool
    discretizer__n_bins: int
    rectify__phi: float
    rectify__used_for: Literal["both", "structure"]
    prior__weight: float | Literal["n"]
    prior__weight_fraction: float | None
    prior__laplace: Literal["max", "add"] | None
    prior__gamma: float
    prior__form: Literal["inverse", "deficit", "literal"]
    prior__nu0: float
    prior__nu_max: float
    prior__strength: float
    prior__children: bool

class BayesBaggingOptions(Options, total=False):
    n_estimators: int
    stratified: bool
    weights: Literal["plain", "test", "train", "marginal"]
    temperature: float
    discretize: Literal["once", "member"]
    discretizer: Literal["mdlp", "caim", "cacc", "ameva", "equal_freq"] | Mapping[str, Any] | MDLPDiscretizer | CAIMDiscretizer | CACCDiscretizer | AmevaDiscretizer | EqualFrequencyDiscretizer
    missing: Literal["available", "drop_rows", "state", "error"]
    handle_unknown: Literal["missing", "error"]
    structure_score: Literal["bic", "aic", "ll", "k2", "bdeu", "bds"] | Mapping[str, Any] | BIC | AIC | LogLikelihood | K2 | BDeu | BDs | BDJ | FNML | QNML
    require_class_arc: bool
    search: Literal["tabu", "hc", "boss", "best", "rb", "ils", "exact"] | Mapping[str, Any] | Tabu | HillClimbing | BOSS | BestSearch | BiasedRandomization | IteratedLocalSearch | ExactSearch
    max_parents: int | None
    tie_breaking: Literal["entropy2", "entropy", "column"]
    init_graph: Sequence[Any] | Literal["empty", "naive", "random"] | Mapping[str, Any] | RandomStart | None
    required_arcs: Sequence[Any] | None
    forbidden_arcs: Sequence[Any] | None
    tiers: Sequence[Any] | Mapping[str, Any] | None
    class_role: Literal["free", "root", "leaf"]
    rectify: Literal["tempered", "centered", "perrow", "literal"] | Mapping[str, Any] | Tempered | Centered | PerRow | LiteralFormula | None
    prior: Literal["uniform", "rebalanced", "local"] | Mapping[str, Any] | Uniform | Rebalanced | LocallyRebalanced
    smooth_levels: bool
    discretizer__r_compat: bool
    discretizer__n_bins: int
    structure_score__structure_constant: float
    structure_score__mle: Literal["family", "pairwise"]
    structure_score__missing_likelihood: Literal["common_rows", "node_average", "available"]
    structure_score__equivalent_sample_size: float
    search__tabu: int
    search__max_tabu: int
    search__restarts: int
    search__perturb: int
    search__perturbation: Literal["random", "equivalent"]
    search__max_iters: int | None
    search__time_limit: float | None
    search__rounds: int | None
    search__max_scores: int | None
    search__max_without_improvement: int
    search__geometric_p: float
    search__candidates: int
    search__accept: Literal["credit", "demon"]
    init_graph__density: float | None
    rectify__phi: float
    rectify__used_for: Literal["both", "structure"]
    rectify__variables: Literal["class", "all"]
    prior__weight: float | Literal["n"]
    prior__weight_fraction: float | None
    prior__laplace: Literal["max", "add"] | None
    prior__gamma: float
    prior__form: Literal["inverse", "deficit", "literal"]
    prior__nu0: float
    prior__nu_max: float
    prior__strength: float
    prior__children: bool

class LogisticRegressionOptions(Options, total=False):
    C: float | Literal["auto"]
    numeric: Literal["spline", "quantile", "linear"]
    n_knots: int
    n_bins: int
    penalty_folds: int
    missing: Literal["indicator", "error"]

class OvaOptions(Options, total=False):
    estimator: MethodName
    estimator_params: Mapping[str, Any] | None
    decoding: Literal["normalize", "sum"]

class EcocOptions(Options, total=False):
    estimator: MethodName
    estimator_params: Mapping[str, Any] | None
    code: Sequence[Any] | Literal["auto", "exhaustive", "random"]
    code_size: int | Literal["dense"] | None
    decoding: Literal["sum", "log", "hamming"]

class OvoOptions(Options, total=False):
    estimator: MethodName
    estimator_params: Mapping[str, Any] | None
    decoding: Literal["coupling", "vote"]

class MetacostOptions(Options, total=False):
    estimator: MethodName
    estimator_params: Mapping[str, Any] | None
    n_estimators: int
    max_samples: float
    out_of_bag: bool
    use_proba: bool

@overload
def fit(
    X: Any, y: Any, method: Literal["forest"] = ..., *, on_one_class: str = ..., groups: Any = ..., time: Any = ..., time_gap: Any = ..., columns: Sequence[str] | None = ..., batch_size: int = ..., sample: int | None = ..., **options: Unpack[ForestOptions]
) -> Model: ...

@overload
def fit(
    X: Any, y: Any, method: Literal["auto"], *, on_one_class: str = ..., groups: Any = ..., time: Any = ..., time_gap: Any = ..., columns: Sequence[str] | None = ..., batch_size: int = ..., sample: int | None = ..., **options: Unpack[AutoOptions]
) -> Model: ...

@overload
def fit(
    X: Any, y: Any, method: Literal["hddt"], *, on_one_class: str = ..., groups: Any = ..., time: Any = ..., time_gap: Any = ..., columns: Sequence[str] | None = ..., batch_size: int = ..., sample: int | None = ..., **options: Unpack[HddtOptions]
) -> Model: ...

@overload
def fit(
    X: Any, y: Any, method: Literal["c44"], *, on_one_class: str = ..., groups: Any = ..., time: Any = ..., time_gap: Any = ..., columns: Sequence[str] | None = ..., batch_size: int = ..., sample: int | None = ..., **options: Unpack[C44Options]
) -> Model: ...

@overload
def fit(
    X: Any, y: Any, method: Literal["c45"], *, on_one_class: str = ..., groups: Any = ..., time: Any = ..., time_gap: Any = ..., columns: Sequence[str] | None = ..., batch_size: int = ..., sample: int | None = ..., **options: Unpack[C45Options]
) -> Model: ...

@overload
def fit(
    X: Any, y: Any, method: Literal["cart"], *, on_one_class: str = ..., groups: Any = ..., time: Any = ..., time_gap: Any = ..., columns: Sequence[str] | None = ..., batch_size: int = ..., sample: int | None = ..., **options: Unpack[CartOptions]
) -> Model: ...

@overload
def fit(
    X: Any, y: Any, method: Literal["alpha_tree"], *, on_one_class: str = ..., groups: Any = ..., time: Any = ..., time_gap: Any = ..., columns: Sequence[str] | None = ..., batch_size: int = ..., sample: int | None = ..., **options: Unpack[AlphaTreeOptions]
) -> Model: ...

@overload
def fit(
    X: Any, y: Any, method: Literal["optimal_tree"], *, on_one_class: str = ..., groups: Any = ..., time: Any = ..., time_gap: Any = ..., columns: Sequence[str] | None = ..., batch_size: int = ..., sample: int | None = ..., **options: Unpack[OptimalTreeOptions]
) -> Model: ...

@overload
def fit(
    X: Any, y: Any, method: Literal["svr_tree"], *, on_one_class: str = ..., groups: Any = ..., time: Any = ..., time_gap: Any = ..., columns: Sequence[str] | None = ..., batch_size: int = ..., sample: int | None = ..., **options: Unpack[SvrTreeOptions]
) -> Model: ...

@overload
def fit(
    X: Any, y: Any, method: Literal["beat"], *, on_one_class: str = ..., groups: Any = ..., time: Any = ..., time_gap: Any = ..., columns: Sequence[str] | None = ..., batch_size: int = ..., sample: int | None = ..., **options: Unpack[BeatOptions]
) -> Model: ...

@overload
def fit(
    X: Any, y: Any, method: Literal["bagged_c45"], *, on_one_class: str = ..., groups: Any = ..., time: Any = ..., time_gap: Any = ..., columns: Sequence[str] | None = ..., batch_size: int = ..., sample: int | None = ..., **options: Unpack[BaggedC45Options]
) -> Model: ...

@overload
def fit(
    X: Any, y: Any, method: Literal["random_forest"], *, on_one_class: str = ..., groups: Any = ..., time: Any = ..., time_gap: Any = ..., columns: Sequence[str] | None = ..., batch_size: int = ..., sample: int | None = ..., **options: Unpack[RandomForestOptions]
) -> Model: ...

@overload
def fit(
    X: Any, y: Any, method: Literal["balanced_random_forest"], *, on_one_class: str = ..., groups: Any = ..., time: Any = ..., time_gap: Any = ..., columns: Sequence[str] | None = ..., batch_size: int = ..., sample: int | None = ..., **options: Unpack[BalancedRandomForestOptions]
) -> Model: ...

@overload
def fit(
    X: Any, y: Any, method: Literal["weighted_random_forest"], *, on_one_class: str = ..., groups: Any = ..., time: Any = ..., time_gap: Any = ..., columns: Sequence[str] | None = ..., batch_size: int = ..., sample: int | None = ..., **options: Unpack[WeightedRandomForestOptions]
) -> Model: ...

@overload
def fit(
    X: Any, y: Any, method: Literal["extra_trees"], *, on_one_class: str = ..., groups: Any = ..., time: Any = ..., time_gap: Any = ..., columns: Sequence[str] | None = ..., batch_size: int = ..., sample: int | None = ..., **options: Unpack[ExtraTreesOptions]
) -> Model: ...

@overload
def fit(
    X: Any, y: Any, method: Literal["boosted_trees"], *, on_one_class: str = ..., groups: Any = ..., time: Any = ..., time_gap: Any = ..., columns: Sequence[str] | None = ..., batch_size: int = ..., sample: int | None = ..., **options: Unpack[BoostedTreesOptions]
) -> Model: ...

@overload
def fit(
    X: Any, y: Any, method: Literal["svr_forest"], *, on_one_class: str = ..., groups: Any = ..., time: Any = ..., time_gap: Any = ..., columns: Sequence[str] | None = ..., batch_size: int = ..., sample: int | None = ..., **options: Unpack[SvrForestOptions]
) -> Model: ...

@overload
def fit(
    X: Any, y: Any, method: Literal["bagging"], *, on_one_class: str = ..., groups: Any = ..., time: Any = ..., time_gap: Any = ..., columns: Sequence[str] | None = ..., batch_size: int = ..., sample: int | None = ..., **options: Unpack[BaggingOptions]
) -> Model: ...

@overload
def fit(
    X: Any, y: Any, method: Literal["under_bagging"], *, on_one_class: str = ..., groups: Any = ..., time: Any = ..., time_gap: Any = ..., columns: Sequence[str] | None = ..., batch_size: int = ..., sample: int | None = ..., **options: Unpack[UnderBaggingOptions]
) -> Model: ...

@overload
def fit(
    X: Any, y: Any, method: Literal["over_bagging"], *, on_one_class: str = ..., groups: Any = ..., time: Any = ..., time_gap: Any = ..., columns: Sequence[str] | None = ..., batch_size: int = ..., sample: int | None = ..., **options: Unpack[OverBaggingOptions]
) -> Model: ...

@overload
def fit(
    X: Any, y: Any, method: Literal["under_over_bagging"], *, on_one_class: str = ..., groups: Any = ..., time: Any = ..., time_gap: Any = ..., columns: Sequence[str] | None = ..., batch_size: int = ..., sample: int | None = ..., **options: Unpack[UnderOverBaggingOptions]
) -> Model: ...

@overload
def fit(
    X: Any, y: Any, method: Literal["smote_bagging"], *, on_one_class: str = ..., groups: Any = ..., time: Any = ..., time_gap: Any = ..., columns: Sequence[str] | None = ..., batch_size: int = ..., sample: int | None = ..., **options: Unpack[SmoteBaggingOptions]
) -> Model: ...

@overload
def fit(
    X: Any, y: Any, method: Literal["balanced_bagging"], *, on_one_class: str = ..., groups: Any = ..., time: Any = ..., time_gap: Any = ..., columns: Sequence[str] | None = ..., batch_size: int = ..., sample: int | None = ..., **options: Unpack[BalancedBaggingOptions]
) -> Model: ...

@overload
def fit(
    X: Any, y: Any, method: Literal["adaboost"], *, on_one_class: str = ..., groups: Any = ..., time: Any = ..., time_gap: Any = ..., columns: Sequence[str] | None = ..., batch_size: int = ..., sample: int | None = ..., **options: Unpack[AdaboostOptions]
) -> Model: ...

@overload
def fit(
    X: Any, y: Any, method: Literal["rusboost"], *, on_one_class: str = ..., groups: Any = ..., time: Any = ..., time_gap: Any = ..., columns: Sequence[str] | None = ..., batch_size: int = ..., sample: int | None = ..., **options: Unpack[RusboostOptions]
) -> Model: ...

@overload
def fit(
    X: Any, y: Any, method: Literal["smoteboost"], *, on_one_class: str = ..., groups: Any = ..., time: Any = ..., time_gap: Any = ..., columns: Sequence[str] | None = ..., batch_size: int = ..., sample: int | None = ..., **options: Unpack[SmoteboostOptions]
) -> Model: ...

@overload
def fit(
    X: Any, y: Any, method: Literal["adac1"], *, on_one_class: str = ..., groups: Any = ..., time: Any = ..., time_gap: Any = ..., columns: Sequence[str] | None = ..., batch_size: int = ..., sample: int | None = ..., **options: Unpack[Adac1Options]
) -> Model: ...

@overload
def fit(
    X: Any, y: Any, method: Literal["adac2"], *, on_one_class: str = ..., groups: Any = ..., time: Any = ..., time_gap: Any = ..., columns: Sequence[str] | None = ..., batch_size: int = ..., sample: int | None = ..., **options: Unpack[Adac2Options]
) -> Model: ...

@overload
def fit(
    X: Any, y: Any, method: Literal["adac3"], *, on_one_class: str = ..., groups: Any = ..., time: Any = ..., time_gap: Any = ..., columns: Sequence[str] | None = ..., batch_size: int = ..., sample: int | None = ..., **options: Unpack[Adac3Options]
) -> Model: ...

@overload
def fit(
    X: Any, y: Any, method: Literal["easy_ensemble"], *, on_one_class: str = ..., groups: Any = ..., time: Any = ..., time_gap: Any = ..., columns: Sequence[str] | None = ..., batch_size: int = ..., sample: int | None = ..., **options: Unpack[EasyEnsembleOptions]
) -> Model: ...

@overload
def fit(
    X: Any, y: Any, method: Literal["balance_cascade"], *, on_one_class: str = ..., groups: Any = ..., time: Any = ..., time_gap: Any = ..., columns: Sequence[str] | None = ..., batch_size: int = ..., sample: int | None = ..., **options: Unpack[BalanceCascadeOptions]
) -> Model: ...

@overload
def fit(
    X: Any, y: Any, method: Literal["fast_boxes"], *, on_one_class: str = ..., groups: Any = ..., time: Any = ..., time_gap: Any = ..., columns: Sequence[str] | None = ..., batch_size: int = ..., sample: int | None = ..., **options: Unpack[FastBoxesOptions]
) -> Model: ...

@overload
def fit(
    X: Any, y: Any, method: Literal["exact_boxes"], *, on_one_class: str = ..., groups: Any = ..., time: Any = ..., time_gap: Any = ..., columns: Sequence[str] | None = ..., batch_size: int = ..., sample: int | None = ..., **options: Unpack[ExactBoxesOptions]
) -> Model: ...

@overload
def fit(
    X: Any, y: Any, method: Literal["prim"], *, on_one_class: str = ..., groups: Any = ..., time: Any = ..., time_gap: Any = ..., columns: Sequence[str] | None = ..., batch_size: int = ..., sample: int | None = ..., **options: Unpack[PrimOptions]
) -> Model: ...

@overload
def fit(
    X: Any, y: Any, method: Literal["rule_list"], *, on_one_class: str = ..., groups: Any = ..., time: Any = ..., time_gap: Any = ..., columns: Sequence[str] | None = ..., batch_size: int = ..., sample: int | None = ..., **options: Unpack[RuleListOptions]
) -> Model: ...

@overload
def fit(
    X: Any, y: Any, method: Literal["full_bayes"], *, on_one_class: str = ..., groups: Any = ..., time: Any = ..., time_gap: Any = ..., columns: Sequence[str] | None = ..., batch_size: int = ..., sample: int | None = ..., **options: Unpack[FullBayesOptions]
) -> Model: ...

@overload
def fit(
    X: Any, y: Any, method: Literal["naive_bayes"], *, on_one_class: str = ..., groups: Any = ..., time: Any = ..., time_gap: Any = ..., columns: Sequence[str] | None = ..., batch_size: int = ..., sample: int | None = ..., **options: Unpack[NaiveBayesOptions]
) -> Model: ...

@overload
def fit(
    X: Any, y: Any, method: Literal["tan"], *, on_one_class: str = ..., groups: Any = ..., time: Any = ..., time_gap: Any = ..., columns: Sequence[str] | None = ..., batch_size: int = ..., sample: int | None = ..., **options: Unpack[TanOptions]
) -> Model: ...

@overload
def fit(
    X: Any, y: Any, method: Literal["kdb"], *, on_one_class: str = ..., groups: Any = ..., time: Any = ..., time_gap: Any = ..., columns: Sequence[str] | None = ..., batch_size: int = ..., sample: int | None = ..., **options: Unpack[KdbOptions]
) -> Model: ...

@overload
def fit(
    X: Any, y: Any, method: Literal["aode"], *, on_one_class: str = ..., groups: Any = ..., time: Any = ..., time_gap: Any = ..., columns: Sequence[str] | None = ..., batch_size: int = ..., sample: int | None = ..., **options: Unpack[AodeOptions]
) -> Model: ...

@overload
def fit(
    X: Any, y: Any, method: Literal["bayes_bagging"], *, on_one_class: str = ..., groups: Any = ..., time: Any = ..., time_gap: Any = ..., columns: Sequence[str] | None = ..., batch_size: int = ..., sample: int | None = ..., **options: Unpack[BayesBaggingOptions]
) -> Model: ...

@overload
def fit(
    X: Any, y: Any, method: Literal["logistic_regression"], *, on_one_class: str = ..., groups: Any = ..., time: Any = ..., time_gap: Any = ..., columns: Sequence[str] | None = ..., batch_size: int = ..., sample: int | None = ..., **options: Unpack[LogisticRegressionOptions]
) -> Model: ...

@overload
def fit(
    X: Any, y: Any, method: Literal["ova"], *, on_one_class: str = ..., groups: Any = ..., time: Any = ..., time_gap: Any = ..., columns: Sequence[str] | None = ..., batch_size: int = ..., sample: int | None = ..., **options: Unpack[OvaOptions]
) -> Model: ...

@overload
def fit(
    X: Any, y: Any, method: Literal["ecoc"], *, on_one_class: str = ..., groups: Any = ..., time: Any = ..., time_gap: Any = ..., columns: Sequence[str] | None = ..., batch_size: int = ..., sample: int | None = ..., **options: Unpack[EcocOptions]
) -> Model: ...

@overload
def fit(
    X: Any, y: Any, method: Literal["ovo"], *, on_one_class: str = ..., groups: Any = ..., time: Any = ..., time_gap: Any = ..., columns: Sequence[str] | None = ..., batch_size: int = ..., sample: int | None = ..., **options: Unpack[OvoOptions]
) -> Model: ...

@overload
def fit(
    X: Any, y: Any, method: Literal["metacost"], *, on_one_class: str = ..., groups: Any = ..., time: Any = ..., time_gap: Any = ..., columns: Sequence[str] | None = ..., batch_size: int = ..., sample: int | None = ..., **options: Unpack[MetacostOptions]
) -> Model: ...

@overload
def fit(
    X: Any, y: Any, method: MethodName, *, on_one_class: str = ..., groups: Any = ..., time: Any = ..., time_gap: Any = ..., columns: Sequence[str] | None = ..., batch_size: int = ..., sample: int | None = ..., **options: Unpack[Options]
) -> Model: ...

@overload
def evaluate(
    X: Any, y: Any, method: Literal["forest"] = ..., *, folds: Any = ..., repeats: int = ..., groups: Any = ..., time: Any = ..., time_gap: Any = ..., label_time: Any = ..., alerts: Any = ..., level: float = ..., columns: Sequence[str] | None = ..., batch_size: int = ..., sample: int | None = ..., policies: bool | str = ..., **options: Unpack[ForestOptions]
) -> Evaluation: ...

@overload
def evaluate(
    X: Any, y: Any, method: Literal["auto"], *, folds: Any = ..., repeats: int = ..., groups: Any = ..., time: Any = ..., time_gap: Any = ..., label_time: Any = ..., alerts: Any = ..., level: float = ..., columns: Sequence[str] | None = ..., batch_size: int = ..., sample: int | None = ..., policies: bool | str = ..., **options: Unpack[AutoOptions]
) -> Evaluation: ...

@overload
def evaluate(
    X: Any, y: Any, method: Literal["hddt"], *, folds: Any = ..., repeats: int = ..., groups: Any = ..., time: Any = ..., time_gap: Any = ..., label_time: Any = ..., alerts: Any = ..., level: float = ..., columns: Sequence[str] | None = ..., batch_size: int = ..., sample: int | None = ..., policies: bool | str = ..., **options: Unpack[HddtOptions]
) -> Evaluation: ...

@overload
def evaluate(
    X: Any, y: Any, method: Literal["c44"], *, folds: Any = ..., repeats: int = ..., groups: Any = ..., time: Any = ..., time_gap: Any = ..., label_time: Any = ..., alerts: Any = ..., level: float = ..., columns: Sequence[str] | None = ..., batch_size: int = ..., sample: int | None = ..., policies: bool | str = ..., **options: Unpack[C44Options]
) -> Evaluation: ...

@overload
def evaluate(
    X: Any, y: Any, method: Literal["c45"], *, folds: Any = ..., repeats: int = ..., groups: Any = ..., time: Any = ..., time_gap: Any = ..., label_time: Any = ..., alerts: Any = ..., level: float = ..., columns: Sequence[str] | None = ..., batch_size: int = ..., sample: int | None = ..., policies: bool | str = ..., **options: Unpack[C45Options]
) -> Evaluation: ...

@overload
def evaluate(
    X: Any, y: Any, method: Literal["cart"], *, folds: Any = ..., repeats: int = ..., groups: Any = ..., time: Any = ..., time_gap: Any = ..., label_time: Any = ..., alerts: Any = ..., level: float = ..., columns: Sequence[str] | None = ..., batch_size: int = ..., sample: int | None = ..., policies: bool | str = ..., **options: Unpack[CartOptions]
) -> Evaluation: ...

@overload
def evaluate(
    X: Any, y: Any, method: Literal["alpha_tree"], *, folds: Any = ..., repeats: int = ..., groups: Any = ..., time: Any = ..., time_gap: Any = ..., label_time: Any = ..., alerts: Any = ..., level: float = ..., columns: Sequence[str] | None = ..., batch_size: int = ..., sample: int | None = ..., policies: bool | str = ..., **options: Unpack[AlphaTreeOptions]
) -> Evaluation: ...

@overload
def evaluate(
    X: Any, y: Any, method: Literal["optimal_tree"], *, folds: Any = ..., repeats: int = ..., groups: Any = ..., time: Any = ..., time_gap: Any = ..., label_time: Any = ..., alerts: Any = ..., level: float = ..., columns: Sequence[str] | None = ..., batch_size: int = ..., sample: int | None = ..., policies: bool | str = ..., **options: Unpack[OptimalTreeOptions]
) -> Evaluation: ...

@overload
def evaluate(
    X: Any, y: Any, method: Literal["svr_tree"], *, folds: Any = ..., repeats: int = ..., groups: Any = ..., time: Any = ..., time_gap: Any = ..., label_time: Any = ..., alerts: Any = ..., level: float = ..., columns: Sequence[str] | None = ..., batch_size: int = ..., sample: int | None = ..., policies: bool | str = ..., **options: Unpack[SvrTreeOptions]
) -> Evaluation: ...

@overload
def evaluate(
    X: Any, y: Any, method: Literal["beat"], *, folds: Any = ..., repeats: int = ..., groups: Any = ..., time: Any = ..., time_gap: Any = ..., label_time: Any = ..., alerts: Any = ..., level: float = ..., columns: Sequence[str] | None = ..., batch_size: int = ..., sample: int | None = ..., policies: bool | str = ..., **options: Unpack[BeatOptions]
) -> Evaluation: ...

@overload
def evaluate(
    X: Any, y: Any, method: Literal["bagged_c45"], *, folds: Any = ..., repeats: int = ..., groups: Any = ..., time: Any = ..., time_gap: Any = ..., label_time: Any = ..., alerts: Any = ..., level: float = ..., columns: Sequence[str] | None = ..., batch_size: int = ..., sample: int | None = ..., policies: bool | str = ..., **options: Unpack[BaggedC45Options]
) -> Evaluation: ...

@overload
def evaluate(
    X: Any, y: Any, method: Literal["random_forest"], *, folds: Any = ..., repeats: int = ..., groups: Any = ..., time: Any = ..., time_gap: Any = ..., label_time: Any = ..., alerts: Any = ..., level: float = ..., columns: Sequence[str] | None = ..., batch_size: int = ..., sample: int | None = ..., policies: bool | str = ..., **options: Unpack[RandomForestOptions]
) -> Evaluation: ...

@overload
def evaluate(
    X: Any, y: Any, method: Literal["balanced_random_forest"], *, folds: Any = ..., repeats: int = ..., groups: Any = ..., time: Any = ..., time_gap: Any = ..., label_time: Any = ..., alerts: Any = ..., level: float = ..., columns: Sequence[str] | None = ..., batch_size: int = ..., sample: int | None = ..., policies: bool | str = ..., **options: Unpack[BalancedRandomForestOptions]
) -> Evaluation: ...

@overload
def evaluate(
    X: Any, y: Any, method: Literal["weighted_random_forest"], *, folds: Any = ..., repeats: int = ..., groups: Any = ..., time: Any = ..., time_gap: Any = ..., label_time: Any = ..., alerts: Any = ..., level: float = ..., columns: Sequence[str] | None = ..., batch_size: int = ..., sample: int | None = ..., policies: bool | str = ..., **options: Unpack[WeightedRandomForestOptions]
) -> Evaluation: ...

@overload
def evaluate(
    X: Any, y: Any, method: Literal["extra_trees"], *, folds: Any = ..., repeats: int = ..., groups: Any = ..., time: Any = ..., time_gap: Any = ..., label_time: Any = ..., alerts: Any = ..., level: float = ..., columns: Sequence[str] | None = ..., batch_size: int = ..., sample: int | None = ..., policies: bool | str = ..., **options: Unpack[ExtraTreesOptions]
) -> Evaluation: ...

@overload
def evaluate(
    X: Any, y: Any, method: Literal["boosted_trees"], *, folds: Any = ..., repeats: int = ..., groups: Any = ..., time: Any = ..., time_gap: Any = ..., label_time: Any = ..., alerts: Any = ..., level: float = ..., columns: Sequence[str] | None = ..., batch_size: int = ..., sample: int | None = ..., policies: bool | str = ..., **options: Unpack[BoostedTreesOptions]
) -> Evaluation: ...

@overload
def evaluate(
    X: Any, y: Any, method: Literal["svr_forest"], *, folds: Any = ..., repeats: int = ..., groups: Any = ..., time: Any = ..., time_gap: Any = ..., label_time: Any = ..., alerts: Any = ..., level: float = ..., columns: Sequence[str] | None = ..., batch_size: int = ..., sample: int | None = ..., policies: bool | str = ..., **options: Unpack[SvrForestOptions]
) -> Evaluation: ...

@overload
def evaluate(
    X: Any, y: Any, method: Literal["bagging"], *, folds: Any = ..., repeats: int = ..., groups: Any = ..., time: Any = ..., time_gap: Any = ..., label_time: Any = ..., alerts: Any = ..., level: float = ..., columns: Sequence[str] | None = ..., batch_size: int = ..., sample: int | None = ..., policies: bool | str = ..., **options: Unpack[BaggingOptions]
) -> Evaluation: ...

@overload
def evaluate(
    X: Any, y: Any, method: Literal["under_bagging"], *, folds: Any = ..., repeats: int = ..., groups: Any = ..., time: Any = ..., time_gap: Any = ..., label_time: Any = ..., alerts: Any = ..., level: float = ..., columns: Sequence[str] | None = ..., batch_size: int = ..., sample: int | None = ..., policies: bool | str = ..., **options: Unpack[UnderBaggingOptions]
) -> Evaluation: ...

@overload
def evaluate(
    X: Any, y: Any, method: Literal["over_bagging"], *, folds: Any = ..., repeats: int = ..., groups: Any = ..., time: Any = ..., time_gap: Any = ..., label_time: Any = ..., alerts: Any = ..., level: float = ..., columns: Sequence[str] | None = ..., batch_size: int = ..., sample: int | None = ..., policies: bool | str = ..., **options: Unpack[OverBaggingOptions]
) -> Evaluation: ...

@overload
def evaluate(
    X: Any, y: Any, method: Literal["under_over_bagging"], *, folds: Any = ..., repeats: int = ..., groups: Any = ..., time: Any = ..., time_gap: Any = ..., label_time: Any = ..., alerts: Any = ..., level: float = ..., columns: Sequence[str] | None = ..., batch_size: int = ..., sample: int | None = ..., policies: bool | str = ..., **options: Unpack[UnderOverBaggingOptions]
) -> Evaluation: ...

@overload
def evaluate(
    X: Any, y: Any, method: Literal["smote_bagging"], *, folds: Any = ..., repeats: int = ..., groups: Any = ..., time: Any = ..., time_gap: Any = ..., label_time: Any = ..., alerts: Any = ..., level: float = ..., columns: Sequence[str] | None = ..., batch_size: int = ..., sample: int | None = ..., policies: bool | str = ..., **options: Unpack[SmoteBaggingOptions]
) -> Evaluation: ...

@overload
def evaluate(
    X: Any, y: Any, method: Literal["balanced_bagging"], *, folds: Any = ..., repeats: int = ..., groups: Any = ..., time: Any = ..., time_gap: Any = ..., label_time: Any = ..., alerts: Any = ..., level: float = ..., columns: Sequence[str] | None = ..., batch_size: int = ..., sample: int | None = ..., policies: bool | str = ..., **options: Unpack[BalancedBaggingOptions]
) -> Evaluation: ...

@overload
def evaluate(
    X: Any, y: Any, method: Literal["adaboost"], *, folds: Any = ..., repeats: int = ..., groups: Any = ..., time: Any = ..., time_gap: Any = ..., label_time: Any = ..., alerts: Any = ..., level: float = ..., columns: Sequence[str] | None = ..., batch_size: int = ..., sample: int | None = ..., policies: bool | str = ..., **options: Unpack[AdaboostOptions]
) -> Evaluation: ...

@overload
def evaluate(
    X: Any, y: Any, method: Literal["rusboost"], *, folds: Any = ..., repeats: int = ..., groups: Any = ..., time: Any = ..., time_gap: Any = ..., label_time: Any = ..., alerts: Any = ..., level: float = ..., columns: Sequence[str] | None = ..., batch_size: int = ..., sample: int | None = ..., policies: bool | str = ..., **options: Unpack[RusboostOptions]
) -> Evaluation: ...

@overload
def evaluate(
    X: Any, y: Any, method: Literal["smoteboost"], *, folds: Any = ..., repeats: int = ..., groups: Any = ..., time: Any = ..., time_gap: Any = ..., label_time: Any = ..., alerts: Any = ..., level: float = ..., columns: Sequence[str] | None = ..., batch_size: int = ..., sample: int | None = ..., policies: bool | str = ..., **options: Unpack[SmoteboostOptions]
) -> Evaluation: ...

@overload
def evaluate(
    X: Any, y: Any, method: Literal["adac1"], *, folds: Any = ..., repeats: int = ..., groups: Any = ..., time: Any = ..., time_gap: Any = ..., label_time: Any = ..., alerts: Any = ..., level: float = ..., columns: Sequence[str] | None = ..., batch_size: int = ..., sample: int | None = ..., policies: bool | str = ..., **options: Unpack[Adac1Options]
) -> Evaluation: ...

@overload
def evaluate(
    X: Any, y: Any, method: Literal["adac2"], *, folds: Any = ..., repeats: int = ..., groups: Any = ..., time: Any = ..., time_gap: Any = ..., label_time: Any = ..., alerts: Any = ..., level: float = ..., columns: Sequence[str] | None = ..., batch_size: int = ..., sample: int | None = ..., policies: bool | str = ..., **options: Unpack[Adac2Options]
) -> Evaluation: ...

@overload
def evaluate(
    X: Any, y: Any, method: Literal["adac3"], *, folds: Any = ..., repeats: int = ..., groups: Any = ..., time: Any = ..., time_gap: Any = ..., label_time: Any = ..., alerts: Any = ..., level: float = ..., columns: Sequence[str] | None = ..., batch_size: int = ..., sample: int | None = ..., policies: bool | str = ..., **options: Unpack[Adac3Options]
) -> Evaluation: ...

@overload
def evaluate(
    X: Any, y: Any, method: Literal["easy_ensemble"], *, folds: Any = ..., repeats: int = ..., groups: Any = ..., time: Any = ..., time_gap: Any = ..., label_time: Any = ..., alerts: Any = ..., level: float = ..., columns: Sequence[str] | None = ..., batch_size: int = ..., sample: int | None = ..., policies: bool | str = ..., **options: Unpack[EasyEnsembleOptions]
) -> Evaluation: ...

@overload
def evaluate(
    X: Any, y: Any, method: Literal["balance_cascade"], *, folds: Any = ..., repeats: int = ..., groups: Any = ..., time: Any = ..., time_gap: Any = ..., label_time: Any = ..., alerts: Any = ..., level: float = ..., columns: Sequence[str] | None = ..., batch_size: int = ..., sample: int | None = ..., policies: bool | str = ..., **options: Unpack[BalanceCascadeOptions]
) -> Evaluation: ...

@overload
def evaluate(
    X: Any, y: Any, method: Literal["fast_boxes"], *, folds: Any = ..., repeats: int = ..., groups: Any = ..., time: Any = ..., time_gap: Any = ..., label_time: Any = ..., alerts: Any = ..., level: float = ..., columns: Sequence[str] | None = ..., batch_size: int = ..., sample: int | None = ..., policies: bool | str = ..., **options: Unpack[FastBoxesOptions]
) -> Evaluation: ...

@overload
def evaluate(
    X: Any, y: Any, method: Literal["exact_boxes"], *, folds: Any = ..., repeats: int = ..., groups: Any = ..., time: Any = ..., time_gap: Any = ..., label_time: Any = ..., alerts: Any = ..., level: float = ..., columns: Sequence[str] | None = ..., batch_size: int = ..., sample: int | None = ..., policies: bool | str = ..., **options: Unpack[ExactBoxesOptions]
) -> Evaluation: ...

@overload
def evaluate(
    X: Any, y: Any, method: Literal["prim"], *, folds: Any = ..., repeats: int = ..., groups: Any = ..., time: Any = ..., time_gap: Any = ..., label_time: Any = ..., alerts: Any = ..., level: float = ..., columns: Sequence[str] | None = ..., batch_size: int = ..., sample: int | None = ..., policies: bool | str = ..., **options: Unpack[PrimOptions]
) -> Evaluation: ...

@overload
def evaluate(
    X: Any, y: Any, method: Literal["rule_list"], *, folds: Any = ..., repeats: int = ..., groups: Any = ..., time: Any = ..., time_gap: Any = ..., label_time: Any = ..., alerts: Any = ..., level: float = ..., columns: Sequence[str] | None = ..., batch_size: int = ..., sample: int | None = ..., policies: bool | str = ..., **options: Unpack[RuleListOptions]
) -> Evaluation: ...

@overload
def evaluate(
    X: Any, y: Any, method: Literal["full_bayes"], *, folds: Any = ..., repeats: int = ..., groups: Any = ..., time: Any = ..., time_gap: Any = ..., label_time: Any = ..., alerts: Any = ..., level: float = ..., columns: Sequence[str] | None = ..., batch_size: int = ..., sample: int | None = ..., policies: bool | str = ..., **options: Unpack[FullBayesOptions]
) -> Evaluation: ...

@overload
def evaluate(
    X: Any, y: Any, method: Literal["naive_bayes"], *, folds: Any = ..., repeats: int = ..., groups: Any = ..., time: Any = ..., time_gap: Any = ..., label_time: Any = ..., alerts: Any = ..., level: float = ..., columns: Sequence[str] | None = ..., batch_size: int = ..., sample: int | None = ..., policies: bool | str = ..., **options: Unpack[NaiveBayesOptions]
) -> Evaluation: ...

@overload
def evaluate(
    X: Any, y: Any, method: Literal["tan"], *, folds: Any = ..., repeats: int = ..., groups: Any = ..., time: Any = ..., time_gap: Any = ..., label_time: Any = ..., alerts: Any = ..., level: float = ..., columns: Sequence[str] | None = ..., batch_size: int = ..., sample: int | None = ..., policies: bool | str = ..., **options: Unpack[TanOptions]
) -> Evaluation: ...

@overload
def evaluate(
    X: Any, y: Any, method: Literal["kdb"], *, folds: Any = ..., repeats: int = ..., groups: Any = ..., time: Any = ..., time_gap: Any = ..., label_time: Any = ..., alerts: Any = ..., level: float = ..., columns: Sequence[str] | None = ..., batch_size: int = ..., sample: int | None = ..., policies: bool | str = ..., **options: Unpack[KdbOptions]
) -> Evaluation: ...

@overload
def evaluate(
    X: Any, y: Any, method: Literal["aode"], *, folds: Any = ..., repeats: int = ..., groups: Any = ..., time: Any = ..., time_gap: Any = ..., label_time: Any = ..., alerts: Any = ..., level: float = ..., columns: Sequence[str] | None = ..., batch_size: int = ..., sample: int | None = ..., policies: bool | str = ..., **options: Unpack[AodeOptions]
) -> Evaluation: ...

@overload
def evaluate(
    X: Any, y: Any, method: Literal["bayes_bagging"], *, folds: Any = ..., repeats: int = ..., groups: Any = ..., time: Any = ..., time_gap: Any = ..., label_time: Any = ..., alerts: Any = ..., level: float = ..., columns: Sequence[str] | None = ..., batch_size: int = ..., sample: int | None = ..., policies: bool | str = ..., **options: Unpack[BayesBaggingOptions]
) -> Evaluation: ...

@overload
def evaluate(
    X: Any, y: Any, method: Literal["logistic_regression"], *, folds: Any = ..., repeats: int = ..., groups: Any = ..., time: Any = ..., time_gap: Any = ..., label_time: Any = ..., alerts: Any = ..., level: float = ..., columns: Sequence[str] | None = ..., batch_size: int = ..., sample: int | None = ..., policies: bool | str = ..., **options: Unpack[LogisticRegressionOptions]
) -> Evaluation: ...

@overload
def evaluate(
    X: Any, y: Any, method: Literal["ova"], *, folds: Any = ..., repeats: int = ..., groups: Any = ..., time: Any = ..., time_gap: Any = ..., label_time: Any = ..., alerts: Any = ..., level: float = ..., columns: Sequence[str] | None = ..., batch_size: int = ..., sample: int | None = ..., policies: bool | str = ..., **options: Unpack[OvaOptions]
) -> Evaluation: ...

@overload
def evaluate(
    X: Any, y: Any, method: Literal["ecoc"], *, folds: Any = ..., repeats: int = ..., groups: Any = ..., time: Any = ..., time_gap: Any = ..., label_time: Any = ..., alerts: Any = ..., level: float = ..., columns: Sequence[str] | None = ..., batch_size: int = ..., sample: int | None = ..., policies: bool | str = ..., **options: Unpack[EcocOptions]
) -> Evaluation: ...

@overload
def evaluate(
    X: Any, y: Any, method: Literal["ovo"], *, folds: Any = ..., repeats: int = ..., groups: Any = ..., time: Any = ..., time_gap: Any = ..., label_time: Any = ..., alerts: Any = ..., level: float = ..., columns: Sequence[str] | None = ..., batch_size: int = ..., sample: int | None = ..., policies: bool | str = ..., **options: Unpack[OvoOptions]
) -> Evaluation: ...

@overload
def evaluate(
    X: Any, y: Any, method: Literal["metacost"], *, folds: Any = ..., repeats: int = ..., groups: Any = ..., time: Any = ..., time_gap: Any = ..., label_time: Any = ..., alerts: Any = ..., level: float = ..., columns: Sequence[str] | None = ..., batch_size: int = ..., sample: int | None = ..., policies: bool | str = ..., **options: Unpack[MetacostOptions]
) -> Evaluation: ...

@overload
def evaluate(
    X: Any, y: Any, method: MethodName, *, folds: Any = ..., repeats: int = ..., groups: Any = ..., time: Any = ..., time_gap: Any = ..., label_time: Any = ..., alerts: Any = ..., level: float = ..., columns: Sequence[str] | None = ..., batch_size: int = ..., sample: int | None = ..., policies: bool | str = ..., **options: Unpack[Options]
) -> Evaluation: ...

@overload
def evaluate(
    X: Any, y: Any, method: Classifier | tuple[Classifier, Mapping[str, Any]] | tuple[MethodName, Mapping[str, Any]], *, folds: Any = ..., repeats: int = ..., groups: Any = ..., time: Any = ..., time_gap: Any = ..., label_time: Any = ..., alerts: Any = ..., level: float = ..., columns: Sequence[str] | None = ..., batch_size: int = ..., sample: int | None = ..., policies: bool | str = ..., **options: Any
) -> Evaluation: ...

@overload
def evaluate(
    X: Any, y: Any, method: list[Any] | tuple[Any, ...] | Mapping[str, Any], *, folds: Any = ..., repeats: int = ..., groups: Any = ..., time: Any = ..., time_gap: Any = ..., label_time: Any = ..., alerts: Any = ..., level: float = ..., columns: Sequence[str] | None = ..., batch_size: int = ..., sample: int | None = ..., policies: bool | str = ..., **options: Any
) -> Evaluations: ...
