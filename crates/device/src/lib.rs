//! What a device is: the traits that devices implement and the words that they share
