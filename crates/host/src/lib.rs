//! The CPU device: queues, workers and the executor of work-groups
