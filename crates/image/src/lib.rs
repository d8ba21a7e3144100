//! What bytes are: program formats, the compiled image and its metadata
