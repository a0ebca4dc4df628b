# Written by `make generate` from the registry of methods; edit that, not this.
"""Names of the methods; the types of the doors are in the stub beside this file."""

from typing import Literal

__all__ = ["ESTIMATORS", "MethodName"]

MethodName = Literal[
    "hddt",
    "c44",
    "c45",
    "cart",
    "alpha_tree",
    "svr_tree",
    "beat",
    "bagged_c45",
    "random_forest",
    "balanced_random_forest",
    "weighted_random_forest",
    "svr_forest",
    "fast_boxes",
    "exact_boxes",
    "prim",
    "full_bayes",
    "naive_bayes",
    "tan",
    "kdb",
    "bayes_bagging",
    "ova",
    "ecoc",
    "ovo",
    "metacost",
]

# Public class, and the folder that holds it.
ESTIMATORS = {
    "AlphaTreeClassifier": "trees",
    "AmevaDiscretizer": "discretization",
    "BEATClassifier": "ensembles",
    "BaggedC45Classifier": "ensembles",
    "BalancedRandomForestClassifier": "ensembles",
    "BayesBaggingClassifier": "bayes",
    "C44Classifier": "trees",
    "C45Classifier": "trees",
    "CACCDiscretizer": "discretization",
    "CAIMDiscretizer": "discretization",
    "CARTClassifier": "trees",
    "CARTClassifierCV": "trees",
    "ECOCClassifier": "decompositions",
    "EqualFrequencyDiscretizer": "discretization",
    "ExactBoxesClassifier": "boxes",
    "FastBoxesCV": "boxes",
    "FastBoxesClassifier": "boxes",
    "FullBayesClassifier": "bayes",
    "HDDTClassifier": "trees",
    "KDBClassifier": "bayes",
    "MDLPDiscretizer": "discretization",
    "MetaCostClassifier": "ensembles",
    "NaiveBayesClassifier": "bayes",
    "OVAClassifier": "decompositions",
    "OVOClassifier": "decompositions",
    "PRIMClassifier": "boxes",
    "RandomForestClassifier": "ensembles",
    "SVRForestClassifier": "ensembles",
    "SVRTreeCV": "trees",
    "SVRTreeClassifier": "trees",
    "TANClassifier": "bayes",
    "WeightedRandomForestClassifier": "ensembles",
}
