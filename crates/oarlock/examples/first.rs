//! The README's first program, word for word: `tests/tests/readme.rs` sees to that, and runs it.
#![allow(clippy::print_stdout, reason = "an example shows what it did")]

#[test]
fn it_runs() {
    main().unwrap();
}

fn main() -> Result<(), oarlock::Error> {
    use oarlock::{Arg, LaunchShape, MemoryKind, Runtime};

    // What one work-item does: y[i] = a * x[i] + y[i]. Bitcode from clang or rustc serves as well.
    let source = "
        declare i64 @oarlock_global_id(i32)

        define void @saxpy(float %a, ptr %x, ptr %y) {
          %i = call i64 @oarlock_global_id(i32 0)
          %px = getelementptr float, ptr %x, i64 %i
          %py = getelementptr float, ptr %y, i64 %i
          %vx = load float, ptr %px
          %vy = load float, ptr %py
          %ax = fmul float %a, %vx
          %sum = fadd float %ax, %vy
          store float %sum, ptr %py
          ret void
        }";

    let runtime = Runtime::new()?;
    let device = runtime.devices()[0];
    // SAFETY: the program has no constructors, so nothing of it runs here.
    let program = unsafe { runtime.create_program(device, source.as_bytes())? };
    let saxpy = runtime.kernel(program, "saxpy")?;

    let x = runtime.alloc_slice(device, MemoryKind::Device, &[1.0f32; 1024])?;
    let y = runtime.alloc_slice(device, MemoryKind::Device, &[0.5f32; 1024])?;
    let shape = LaunchShape::new(&[4], &[256])?; // 4 groups of 256 work-items
    // SAFETY: its 1024 items touch the 1024 floats of `x` and `y`, and nothing else uses them.
    unsafe { runtime.launch(None, saxpy, &shape, &[Arg::from(2.0f32), x.into(), y.into()])? };
    println!("{:?}", &runtime.read_vec::<f32>(device, y, 1024)?[..4]);

    runtime.destroy_program(program)?;
    println!("{}", runtime.kernel(program, "saxpy").unwrap_err());
    Ok(())
}
