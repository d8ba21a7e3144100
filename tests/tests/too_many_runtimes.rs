//! More runtimes than there can be at one time. One test, since it leaves none to others meanwhile.

use oarlock::{Error, Runtime};

#[test]
fn one_more_is_an_error_and_room_comes_back() {
    let one = || Runtime::builder().threads(std::num::NonZeroUsize::MIN).build();
    let mut runtimes = Vec::new();
    let error = loop {
        match one() {
            Ok(runtime) => runtimes.push(runtime),
            Err(error) => break error,
        }
        assert!(runtimes.len() < 10_000, "there is no end of runtimes");
    };
    assert!(matches!(error, Error::Instance(_)), "{error}");
    assert!(error.to_string().contains("drop a runtime"), "{error}");
    runtimes.truncate(1);
    assert!(runtimes[0].device_facts(runtimes[0].devices()[0]).is_ok());
    assert!(one().is_ok());
}
