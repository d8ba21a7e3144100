//! An image that a key owns, on the books.

use std::sync::Arc;

use crate::counters::Counters;
use crate::shared::{Lease, Product};

/// An image that a key owns, alone or with others, for as long as this lives.
///
/// The books are kept by `Drop`, because an entry leaves by more than one way: erased, displaced by
/// the next program in its slot, or together with the cache.
#[derive(Debug)]
pub(crate) struct Held<V, E> {
    image: Arc<V>,
    /// `None` once it has been given back.
    share: Option<Share<V, E>>,
    counters: Arc<Counters>,
}

#[derive(Debug)]
enum Share<V, E> {
    /// The key has the image to itself; its bytes.
    Whole(u64),
    /// The image is shared with whoever has equal content.
    Part(Lease<V, E>),
}

impl<V, E> Held<V, E> {
    pub(crate) fn new((image, lease): Product<V, E>, bytes: u64, counters: Arc<Counters>) -> Self {
        counters.entry_in();
        let share = match lease {
            Some(lease) => Share::Part(lease),
            None => {
                counters.image_in(bytes);
                Share::Whole(bytes)
            }
        };
        Self { image, share: Some(share), counters }
    }

    pub(crate) fn image(&self) -> &Arc<V> {
        &self.image
    }

    /// Gives it back. Returns how many bytes the cache let go of for it.
    pub(crate) fn let_go(mut self) -> u64 {
        self.give_back()
    }

    fn give_back(&mut self) -> u64 {
        let Some(share) = self.share.take() else { return 0 };
        self.counters.entry_out();
        match share {
            Share::Whole(bytes) => {
                self.counters.image_out(bytes);
                bytes
            }
            Share::Part(lease) => lease.release(),
        }
    }
}

impl<V, E> Drop for Held<V, E> {
    fn drop(&mut self) {
        self.give_back();
    }
}
