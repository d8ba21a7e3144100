//! A relocatable host object becomes executable memory, and back
