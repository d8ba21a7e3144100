; ModuleID = 'mandelbrot.cl'
source_filename = "mandelbrot.cl"
target datalayout = "e-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024-G1"
target triple = "spir64"

; Function Attrs: convergent norecurse nounwind
define dso_local spir_kernel void @mandelbrot(ptr addrspace(1) noalias noundef align 4 %0, ptr addrspace(1) noalias noundef align 4 %1, i32 noundef %2, float noundef %3, float noundef %4, float noundef %5, i32 noundef %6) #0 !kernel_arg_addr_space !8 !kernel_arg_access_qual !9 !kernel_arg_type !10 !kernel_arg_base_type !10 !kernel_arg_type_qual !11 {
  %8 = alloca ptr addrspace(1), align 8
  %9 = alloca ptr addrspace(1), align 8
  %10 = alloca i32, align 4
  %11 = alloca float, align 4
  %12 = alloca float, align 4
  %13 = alloca float, align 4
  %14 = alloca i32, align 4
  store ptr addrspace(1) %0, ptr %8, align 8, !tbaa !12
  store ptr addrspace(1) %1, ptr %9, align 8, !tbaa !15
  store i32 %2, ptr %10, align 4, !tbaa !4
  store float %3, ptr %11, align 4, !tbaa !17
  store float %4, ptr %12, align 4, !tbaa !17
  store float %5, ptr %13, align 4, !tbaa !17
  store i32 %6, ptr %14, align 4, !tbaa !4
  %15 = load ptr addrspace(1), ptr %8, align 8, !tbaa !12
  %16 = load ptr addrspace(1), ptr %9, align 8, !tbaa !15
  %17 = load i32, ptr %10, align 4, !tbaa !4
  %18 = load float, ptr %11, align 4, !tbaa !17
  %19 = load float, ptr %12, align 4, !tbaa !17
  %20 = load float, ptr %13, align 4, !tbaa !17
  %21 = load i32, ptr %14, align 4, !tbaa !4
  call spir_func void @__clang_ocl_kern_imp_mandelbrot(ptr addrspace(1) noundef align 4 %15, ptr addrspace(1) noundef align 4 %16, i32 noundef %17, float noundef %18, float noundef %19, float noundef %20, i32 noundef %21) #4
  ret void
}

; Function Attrs: alwaysinline convergent norecurse nounwind
define dso_local spir_func void @__clang_ocl_kern_imp_mandelbrot(ptr addrspace(1) noalias noundef align 4 %0, ptr addrspace(1) noalias noundef align 4 %1, i32 noundef %2, float noundef %3, float noundef %4, float noundef %5, i32 noundef %6) #1 !kernel_arg_addr_space !8 !kernel_arg_access_qual !9 !kernel_arg_type !10 !kernel_arg_base_type !10 !kernel_arg_type_qual !11 {
  %8 = alloca ptr addrspace(1), align 8
  %9 = alloca ptr addrspace(1), align 8
  %10 = alloca i32, align 4
  %11 = alloca float, align 4
  %12 = alloca float, align 4
  %13 = alloca float, align 4
  %14 = alloca i32, align 4
  %15 = alloca i32, align 4
  %16 = alloca i32, align 4
  %17 = alloca float, align 4
  %18 = alloca float, align 4
  %19 = alloca float, align 4
  %20 = alloca float, align 4
  %21 = alloca i32, align 4
  %22 = alloca float, align 4
  store ptr addrspace(1) %0, ptr %8, align 8, !tbaa !12
  store ptr addrspace(1) %1, ptr %9, align 8, !tbaa !15
  store i32 %2, ptr %10, align 4, !tbaa !4
  store float %3, ptr %11, align 4, !tbaa !17
  store float %4, ptr %12, align 4, !tbaa !17
  store float %5, ptr %13, align 4, !tbaa !17
  store i32 %6, ptr %14, align 4, !tbaa !4
  call void @llvm.lifetime.start.p0(ptr %15) #5
  %23 = call spir_func i64 @_Z13get_global_idj(i32 noundef 0) #6
  %24 = trunc i64 %23 to i32
  store i32 %24, ptr %15, align 4, !tbaa !4
  call void @llvm.lifetime.start.p0(ptr %16) #5
  %25 = call spir_func i64 @_Z13get_global_idj(i32 noundef 1) #6
  %26 = trunc i64 %25 to i32
  store i32 %26, ptr %16, align 4, !tbaa !4
  call void @llvm.lifetime.start.p0(ptr %17) #5
  %27 = load float, ptr %11, align 4, !tbaa !17
  %28 = load float, ptr %13, align 4, !tbaa !17
  %29 = load i32, ptr %15, align 4, !tbaa !4
  %30 = uitofp i32 %29 to float
  %31 = fmul float %28, %30
  %32 = fadd float %27, %31
  store float %32, ptr %17, align 4, !tbaa !17
  call void @llvm.lifetime.start.p0(ptr %18) #5
  %33 = load float, ptr %12, align 4, !tbaa !17
  %34 = load float, ptr %13, align 4, !tbaa !17
  %35 = load i32, ptr %16, align 4, !tbaa !4
  %36 = uitofp i32 %35 to float
  %37 = fmul float %34, %36
  %38 = fadd float %33, %37
  store float %38, ptr %18, align 4, !tbaa !17
  call void @llvm.lifetime.start.p0(ptr %19) #5
  store float 0.000000e+00, ptr %19, align 4, !tbaa !17
  call void @llvm.lifetime.start.p0(ptr %20) #5
  store float 0.000000e+00, ptr %20, align 4, !tbaa !17
  call void @llvm.lifetime.start.p0(ptr %21) #5
  store i32 0, ptr %21, align 4, !tbaa !4
  br label %39

39:                                               ; preds = %54, %7
  %40 = load i32, ptr %21, align 4, !tbaa !4
  %41 = load i32, ptr %14, align 4, !tbaa !4
  %42 = icmp ult i32 %40, %41
  br i1 %42, label %43, label %52

43:                                               ; preds = %39
  %44 = load float, ptr %19, align 4, !tbaa !17
  %45 = load float, ptr %19, align 4, !tbaa !17
  %46 = fmul float %44, %45
  %47 = load float, ptr %20, align 4, !tbaa !17
  %48 = load float, ptr %20, align 4, !tbaa !17
  %49 = fmul float %47, %48
  %50 = fadd float %46, %49
  %51 = fcmp ole float %50, 6.553600e+04
  br label %52

52:                                               ; preds = %43, %39
  %53 = phi i1 [ false, %39 ], [ %51, %43 ]
  br i1 %53, label %54, label %73

54:                                               ; preds = %52
  call void @llvm.lifetime.start.p0(ptr %22) #5
  %55 = load float, ptr %19, align 4, !tbaa !17
  %56 = load float, ptr %19, align 4, !tbaa !17
  %57 = fmul float %55, %56
  %58 = load float, ptr %20, align 4, !tbaa !17
  %59 = load float, ptr %20, align 4, !tbaa !17
  %60 = fmul float %58, %59
  %61 = fsub float %57, %60
  %62 = load float, ptr %17, align 4, !tbaa !17
  %63 = fadd float %61, %62
  store float %63, ptr %22, align 4, !tbaa !17
  %64 = load float, ptr %19, align 4, !tbaa !17
  %65 = fmul float 2.000000e+00, %64
  %66 = load float, ptr %20, align 4, !tbaa !17
  %67 = fmul float %65, %66
  %68 = load float, ptr %18, align 4, !tbaa !17
  %69 = fadd float %67, %68
  store float %69, ptr %20, align 4, !tbaa !17
  %70 = load float, ptr %22, align 4, !tbaa !17
  store float %70, ptr %19, align 4, !tbaa !17
  %71 = load i32, ptr %21, align 4, !tbaa !4
  %72 = add i32 %71, 1
  store i32 %72, ptr %21, align 4, !tbaa !4
  call void @llvm.lifetime.end.p0(ptr %22) #5
  br label %39

73:                                               ; preds = %52
  %74 = load i32, ptr %21, align 4, !tbaa !4
  %75 = load ptr addrspace(1), ptr %8, align 8, !tbaa !12
  %76 = load i32, ptr %16, align 4, !tbaa !4
  %77 = load i32, ptr %10, align 4, !tbaa !4
  %78 = mul i32 %76, %77
  %79 = load i32, ptr %15, align 4, !tbaa !4
  %80 = add i32 %78, %79
  %81 = zext i32 %80 to i64
  %82 = getelementptr inbounds nuw i32, ptr addrspace(1) %75, i64 %81
  store i32 %74, ptr addrspace(1) %82, align 4, !tbaa !4
  %83 = load float, ptr %19, align 4, !tbaa !17
  %84 = load float, ptr %19, align 4, !tbaa !17
  %85 = fmul float %83, %84
  %86 = load float, ptr %20, align 4, !tbaa !17
  %87 = load float, ptr %20, align 4, !tbaa !17
  %88 = fmul float %86, %87
  %89 = fadd float %85, %88
  %90 = load ptr addrspace(1), ptr %9, align 8, !tbaa !15
  %91 = load i32, ptr %16, align 4, !tbaa !4
  %92 = load i32, ptr %10, align 4, !tbaa !4
  %93 = mul i32 %91, %92
  %94 = load i32, ptr %15, align 4, !tbaa !4
  %95 = add i32 %93, %94
  %96 = zext i32 %95 to i64
  %97 = getelementptr inbounds nuw float, ptr addrspace(1) %90, i64 %96
  store float %89, ptr addrspace(1) %97, align 4, !tbaa !17
  call void @llvm.lifetime.end.p0(ptr %21) #5
  call void @llvm.lifetime.end.p0(ptr %20) #5
  call void @llvm.lifetime.end.p0(ptr %19) #5
  call void @llvm.lifetime.end.p0(ptr %18) #5
  call void @llvm.lifetime.end.p0(ptr %17) #5
  call void @llvm.lifetime.end.p0(ptr %16) #5
  call void @llvm.lifetime.end.p0(ptr %15) #5
  ret void
}

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(argmem: readwrite)
declare void @llvm.lifetime.start.p0(ptr captures(none)) #2

; Function Attrs: convergent nounwind willreturn memory(none)
declare dso_local spir_func i64 @_Z13get_global_idj(i32 noundef) #3

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(argmem: readwrite)
declare void @llvm.lifetime.end.p0(ptr captures(none)) #2

attributes #0 = { convergent norecurse nounwind "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "uniform-work-group-size"="false" }
attributes #1 = { alwaysinline convergent norecurse nounwind "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "uniform-work-group-size"="false" }
attributes #2 = { nocallback nofree nosync nounwind willreturn memory(argmem: readwrite) }
attributes #3 = { convergent nounwind willreturn memory(none) "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" }
attributes #4 = { convergent nounwind "uniform-work-group-size"="false" }
attributes #5 = { nounwind }
attributes #6 = { convergent nounwind willreturn memory(none) }

!llvm.module.flags = !{!0, !1}
!opencl.ocl.version = !{!2}
!opencl.spir.version = !{!2}
!llvm.ident = !{!3}
!llvm.errno.tbaa = !{!4}

!0 = !{i32 1, !"wchar_size", i32 4}
!1 = !{i32 7, !"frame-pointer", i32 2}
!2 = !{i32 3, i32 0}
!3 = !{!"Debian clang version 22.1.8 (1~deb12u1)"}
!4 = !{!5, !5, i64 0}
!5 = !{!"int", !6, i64 0}
!6 = !{!"omnipotent char", !7, i64 0}
!7 = !{!"Simple C/C++ TBAA"}
!8 = !{i32 1, i32 1, i32 0, i32 0, i32 0, i32 0, i32 0}
!9 = !{!"none", !"none", !"none", !"none", !"none", !"none", !"none"}
!10 = !{!"uint*", !"float*", !"uint", !"float", !"float", !"float", !"uint"}
!11 = !{!"restrict", !"restrict", !"", !"", !"", !"", !""}
!12 = !{!13, !13, i64 0}
!13 = !{!"p1 int", !14, i64 0}
!14 = !{!"any pointer", !6, i64 0}
!15 = !{!16, !16, i64 0}
!16 = !{!"p1 float", !14, i64 0}
!17 = !{!18, !18, i64 0}
!18 = !{!"float", !6, i64 0}
