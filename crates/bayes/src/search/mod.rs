//! Structure search: which arcs a network has.

mod params;

pub use params::{
    Accept, ClassRole, Mle, Rectify, RectifyOn, RectifyWeights, ScoreName, SearchName, Start,
    StructureParams, TieOrder,
};
