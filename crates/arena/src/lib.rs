//! Handles that cannot go stale: a concurrent table of objects named by generation-tagged slotmap keys
