//! Shared by the test files: reading golden files.
