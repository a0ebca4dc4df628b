//! Box drawings.
