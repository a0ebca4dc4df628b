//! Alpha-trees (Park and Ghosh 2012): trees whose criterion is an alpha-divergence.

use crate::params::{TreeLearner, TreeParams};
use imbcore_base::{Error, Overrides, Params, Result};
use imbcore_criteria::{Alpha, AlphaExt, AnyCriterion, Reference};

imbcore_base::params! {
    /// What an alpha-tree adds to the parameters of a tree.
    pub struct AlphaParams {
        alpha: f64 = 1.0, "a number in (0, 2]",
            "Order of the divergence: small values guard recall of the rare class, large ones its precision.";
        reference: Option<Reference> = None,
            "None, \"uniform\", \"flipped\" (needs alpha < 1), or one share a class",
            "Law that the shares of the classes in the branches are compared with: \"uniform\" (with alpha=2 the tree is that of \
             Gini's index), \"flipped\", that of the node with the classes turned round, or a law of your own. None: branch \
             and class are compared with their independence.";
    }
}

impl Overrides for AlphaParams {
    const HIDDEN: &'static [&'static str] = &["criterion"];
}

impl AlphaParams {
    /// The criterion that these parameters name.
    pub fn criterion(&self) -> AnyCriterion {
        let alpha = self.alpha;
        match self.reference.clone() {
            None => AnyCriterion::Alpha(Alpha { alpha }),
            Some(reference) => AnyCriterion::AlphaExt(AlphaExt { alpha, reference }),
        }
    }

    /// Checks what can be checked without data.
    ///
    /// # Errors
    /// [`Error::Parameter`].
    pub fn check(&self, inner: TreeParams, method: &'static str) -> Result<TreeLearner> {
        if self.alpha > 0.0 && self.alpha <= 2.0 {
            return TreeParams { criterion: self.criterion(), ..inner }.check(method);
        }
        let expected = self.specs().into_iter().find(|spec| spec.name == "alpha").map_or("", |s| s.expected);
        Err(Error::parameter(method, "alpha", expected, self.alpha))
    }
}
