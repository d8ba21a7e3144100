//! The reference model of handles and cache, and the oracles that tests and fuzz targets share
