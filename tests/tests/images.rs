//! Images that were compiled before, by this runtime or another.

use std::sync::Arc;

use oarlock::{CompileError, DeviceError, Error, Format};
use oarlock_tests::{Rig, kernels};

#[test]
fn an_image_runs_in_another_runtime_without_a_compile() {
    let maker = Rig::new();
    let image = maker.runtime.compile(maker.device, kernels::VECTOR_ADD_BC).unwrap();
    assert_eq!(maker.runtime.stats().programs, 0);
    let user = Rig::new();
    // SAFETY: the image is the compiler's, and has no constructors.
    let program = unsafe { user.runtime.create_program_from_image(user.device, image.clone()) }.unwrap();
    let kernel = user.runtime.kernel(program, "vector_add").unwrap();
    let (a, b, c) = (user.data(&[1, 2, 3, 4]), user.data(&[10, 20, 30, 40]), user.zeros(4));
    user.run(kernel, (&[2], &[2]), &[a.into(), b.into(), c.into()]);
    assert_eq!(user.ints(c, 4), [11, 22, 33, 44]);
    assert_eq!(user.runtime.stats().cache.compiles, 0);
    assert_eq!(user.runtime.program_source(program).unwrap(), None);
    assert!(Arc::ptr_eq(&user.runtime.program_image(program).unwrap(), &image));
}

#[test]
fn an_image_for_another_machine_is_refused_by_both_names() {
    let rig = Rig::new();
    let image = rig.runtime.compile(rig.device, kernels::VECTOR_ADD_BC).unwrap();
    let before = rig.runtime.stats();
    let create = |change: fn(&mut oarlock::Target)| {
        let mut other = (*image).clone();
        change(&mut other.target);
        // SAFETY: the code is the compiler's; the image is refused for its target.
        unsafe { rig.runtime.create_program_from_image(rig.device, Arc::new(other)) }
    };
    let changes: [fn(&mut oarlock::Target); 2] =
        [|t| t.triple = "aarch64-unknown-linux-gnu".into(), |t| t.cpu = "a-processor-of-tomorrow".into()];
    for change in changes {
        let refused = create(change);
        assert!(matches!(refused, Err(Error::Device(DeviceError::WrongTarget { .. }))), "{refused:?}");
    }
    // Of a richer processor of the same make, what this one lacks is named.
    let refused = create(|t| t.features.push_str(",+time-travel"));
    assert!(
        matches!(&refused, Err(Error::MissingFeature { feature, .. }) if feature == "time-travel"),
        "{refused:?}"
    );
    assert_eq!(rig.runtime.stats(), before);
}

#[test]
fn code_that_is_cut_short_does_not_load() {
    let rig = Rig::new();
    let image = rig.runtime.compile(rig.device, kernels::VECTOR_ADD_BC).unwrap();
    let before = rig.runtime.stats();
    for len in (0..image.code.len()).step_by(37) {
        let mut cut = (*image).clone();
        cut.code.truncate(len);
        // SAFETY: half an object is refused before any of it runs.
        let refused = unsafe { rig.runtime.create_program_from_image(rig.device, Arc::new(cut)) };
        assert!(matches!(refused, Err(Error::Device(DeviceError::Load { .. }))), "{len}: {refused:?}");
    }
    assert_eq!(rig.runtime.stats(), before);
}

#[test]
fn compiling_alone_tells_the_same_errors() {
    let rig = Rig::new();
    let error = rig.runtime.compile(rig.device, b"\x7FELF").unwrap_err();
    assert!(matches!(error, Error::Compile(CompileError::Format { found: Format::Elf, len: 4 })), "{error}");
}
