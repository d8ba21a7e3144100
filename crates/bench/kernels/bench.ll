; ModuleID = 'bench.cl'
source_filename = "bench.cl"
target datalayout = "e-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024-G1"
target triple = "spir64"

@reduce.t = internal addrspace(3) global [256 x float] undef, align 4

; Function Attrs: convergent norecurse nounwind
define dso_local spir_kernel void @empty() #0 !kernel_arg_addr_space !8 !kernel_arg_access_qual !8 !kernel_arg_type !8 !kernel_arg_base_type !8 !kernel_arg_type_qual !8 {
  call spir_func void @__clang_ocl_kern_imp_empty() #6
  ret void
}

; Function Attrs: alwaysinline convergent norecurse nounwind
define dso_local spir_func void @__clang_ocl_kern_imp_empty() #1 !kernel_arg_addr_space !8 !kernel_arg_access_qual !8 !kernel_arg_type !8 !kernel_arg_base_type !8 !kernel_arg_type_qual !8 {
  ret void
}

; Function Attrs: convergent norecurse nounwind
define dso_local spir_kernel void @saxpy(ptr addrspace(1) noalias noundef align 4 %0, ptr addrspace(1) noalias noundef align 4 %1, float noundef %2) #0 !kernel_arg_addr_space !9 !kernel_arg_access_qual !10 !kernel_arg_type !11 !kernel_arg_base_type !11 !kernel_arg_type_qual !12 {
  %4 = alloca ptr addrspace(1), align 8
  %5 = alloca ptr addrspace(1), align 8
  %6 = alloca float, align 4
  store ptr addrspace(1) %0, ptr %4, align 8, !tbaa !13
  store ptr addrspace(1) %1, ptr %5, align 8, !tbaa !13
  store float %2, ptr %6, align 4, !tbaa !16
  %7 = load ptr addrspace(1), ptr %4, align 8, !tbaa !13
  %8 = load ptr addrspace(1), ptr %5, align 8, !tbaa !13
  %9 = load float, ptr %6, align 4, !tbaa !16
  call spir_func void @__clang_ocl_kern_imp_saxpy(ptr addrspace(1) noundef align 4 %7, ptr addrspace(1) noundef align 4 %8, float noundef %9) #6
  ret void
}

; Function Attrs: alwaysinline convergent norecurse nounwind
define dso_local spir_func void @__clang_ocl_kern_imp_saxpy(ptr addrspace(1) noalias noundef align 4 %0, ptr addrspace(1) noalias noundef align 4 %1, float noundef %2) #1 !kernel_arg_addr_space !9 !kernel_arg_access_qual !10 !kernel_arg_type !11 !kernel_arg_base_type !11 !kernel_arg_type_qual !12 {
  %4 = alloca ptr addrspace(1), align 8
  %5 = alloca ptr addrspace(1), align 8
  %6 = alloca float, align 4
  %7 = alloca i64, align 8
  store ptr addrspace(1) %0, ptr %4, align 8, !tbaa !13
  store ptr addrspace(1) %1, ptr %5, align 8, !tbaa !13
  store float %2, ptr %6, align 4, !tbaa !16
  call void @llvm.lifetime.start.p0(ptr %7) #7
  %8 = call spir_func i64 @_Z13get_global_idj(i32 noundef 0) #8
  store i64 %8, ptr %7, align 8, !tbaa !18
  %9 = load float, ptr %6, align 4, !tbaa !16
  %10 = load ptr addrspace(1), ptr %4, align 8, !tbaa !13
  %11 = load i64, ptr %7, align 8, !tbaa !18
  %12 = getelementptr inbounds nuw float, ptr addrspace(1) %10, i64 %11
  %13 = load float, ptr addrspace(1) %12, align 4, !tbaa !16
  %14 = load ptr addrspace(1), ptr %5, align 8, !tbaa !13
  %15 = load i64, ptr %7, align 8, !tbaa !18
  %16 = getelementptr inbounds nuw float, ptr addrspace(1) %14, i64 %15
  %17 = load float, ptr addrspace(1) %16, align 4, !tbaa !16
  %18 = call float @llvm.fmuladd.f32(float %9, float %13, float %17)
  %19 = load ptr addrspace(1), ptr %5, align 8, !tbaa !13
  %20 = load i64, ptr %7, align 8, !tbaa !18
  %21 = getelementptr inbounds nuw float, ptr addrspace(1) %19, i64 %20
  store float %18, ptr addrspace(1) %21, align 4, !tbaa !16
  call void @llvm.lifetime.end.p0(ptr %7) #7
  ret void
}

; Function Attrs: convergent norecurse nounwind
define dso_local spir_kernel void @mandel(ptr addrspace(1) noalias noundef align 4 %0, i32 noundef %1, i32 noundef %2, i32 noundef %3) #0 !kernel_arg_addr_space !20 !kernel_arg_access_qual !21 !kernel_arg_type !22 !kernel_arg_base_type !22 !kernel_arg_type_qual !23 {
  %5 = alloca ptr addrspace(1), align 8
  %6 = alloca i32, align 4
  %7 = alloca i32, align 4
  %8 = alloca i32, align 4
  store ptr addrspace(1) %0, ptr %5, align 8, !tbaa !24
  store i32 %1, ptr %6, align 4, !tbaa !4
  store i32 %2, ptr %7, align 4, !tbaa !4
  store i32 %3, ptr %8, align 4, !tbaa !4
  %9 = load ptr addrspace(1), ptr %5, align 8, !tbaa !24
  %10 = load i32, ptr %6, align 4, !tbaa !4
  %11 = load i32, ptr %7, align 4, !tbaa !4
  %12 = load i32, ptr %8, align 4, !tbaa !4
  call spir_func void @__clang_ocl_kern_imp_mandel(ptr addrspace(1) noundef align 4 %9, i32 noundef %10, i32 noundef %11, i32 noundef %12) #6
  ret void
}

; Function Attrs: alwaysinline convergent norecurse nounwind
define dso_local spir_func void @__clang_ocl_kern_imp_mandel(ptr addrspace(1) noalias noundef align 4 %0, i32 noundef %1, i32 noundef %2, i32 noundef %3) #1 !kernel_arg_addr_space !20 !kernel_arg_access_qual !21 !kernel_arg_type !22 !kernel_arg_base_type !22 !kernel_arg_type_qual !23 {
  %5 = alloca ptr addrspace(1), align 8
  %6 = alloca i32, align 4
  %7 = alloca i32, align 4
  %8 = alloca i32, align 4
  %9 = alloca i32, align 4
  %10 = alloca i32, align 4
  %11 = alloca float, align 4
  %12 = alloca float, align 4
  %13 = alloca float, align 4
  %14 = alloca float, align 4
  %15 = alloca i32, align 4
  %16 = alloca float, align 4
  store ptr addrspace(1) %0, ptr %5, align 8, !tbaa !24
  store i32 %1, ptr %6, align 4, !tbaa !4
  store i32 %2, ptr %7, align 4, !tbaa !4
  store i32 %3, ptr %8, align 4, !tbaa !4
  call void @llvm.lifetime.start.p0(ptr %9) #7
  %17 = call spir_func i64 @_Z13get_global_idj(i32 noundef 0) #8
  %18 = trunc i64 %17 to i32
  store i32 %18, ptr %9, align 4, !tbaa !4
  call void @llvm.lifetime.start.p0(ptr %10) #7
  %19 = call spir_func i64 @_Z13get_global_idj(i32 noundef 1) #8
  %20 = trunc i64 %19 to i32
  store i32 %20, ptr %10, align 4, !tbaa !4
  call void @llvm.lifetime.start.p0(ptr %11) #7
  %21 = load i32, ptr %9, align 4, !tbaa !4
  %22 = sitofp i32 %21 to float
  %23 = fmul float 2.500000e+00, %22
  %24 = load i32, ptr %6, align 4, !tbaa !4
  %25 = sitofp i32 %24 to float
  %26 = fdiv float %23, %25, !fpmath !26
  %27 = fadd float -2.000000e+00, %26
  store float %27, ptr %11, align 4, !tbaa !16
  call void @llvm.lifetime.start.p0(ptr %12) #7
  %28 = load i32, ptr %10, align 4, !tbaa !4
  %29 = sitofp i32 %28 to float
  %30 = fmul float 2.500000e+00, %29
  %31 = load i32, ptr %7, align 4, !tbaa !4
  %32 = sitofp i32 %31 to float
  %33 = fdiv float %30, %32, !fpmath !26
  %34 = fadd float -1.250000e+00, %33
  store float %34, ptr %12, align 4, !tbaa !16
  call void @llvm.lifetime.start.p0(ptr %13) #7
  store float 0.000000e+00, ptr %13, align 4, !tbaa !16
  call void @llvm.lifetime.start.p0(ptr %14) #7
  store float 0.000000e+00, ptr %14, align 4, !tbaa !16
  call void @llvm.lifetime.start.p0(ptr %15) #7
  store i32 0, ptr %15, align 4, !tbaa !4
  br label %35

35:                                               ; preds = %49, %4
  %36 = load i32, ptr %15, align 4, !tbaa !4
  %37 = load i32, ptr %8, align 4, !tbaa !4
  %38 = icmp ult i32 %36, %37
  br i1 %38, label %39, label %47

39:                                               ; preds = %35
  %40 = load float, ptr %13, align 4, !tbaa !16
  %41 = load float, ptr %13, align 4, !tbaa !16
  %42 = load float, ptr %14, align 4, !tbaa !16
  %43 = load float, ptr %14, align 4, !tbaa !16
  %44 = fmul float %42, %43
  %45 = call float @llvm.fmuladd.f32(float %40, float %41, float %44)
  %46 = fcmp ole float %45, 4.000000e+00
  br label %47

47:                                               ; preds = %39, %35
  %48 = phi i1 [ false, %35 ], [ %46, %39 ]
  br i1 %48, label %49, label %67

49:                                               ; preds = %47
  call void @llvm.lifetime.start.p0(ptr %16) #7
  %50 = load float, ptr %13, align 4, !tbaa !16
  %51 = load float, ptr %13, align 4, !tbaa !16
  %52 = load float, ptr %14, align 4, !tbaa !16
  %53 = load float, ptr %14, align 4, !tbaa !16
  %54 = fmul float %52, %53
  %55 = fneg float %54
  %56 = call float @llvm.fmuladd.f32(float %50, float %51, float %55)
  %57 = load float, ptr %11, align 4, !tbaa !16
  %58 = fadd float %56, %57
  store float %58, ptr %16, align 4, !tbaa !16
  %59 = load float, ptr %13, align 4, !tbaa !16
  %60 = fmul float 2.000000e+00, %59
  %61 = load float, ptr %14, align 4, !tbaa !16
  %62 = load float, ptr %12, align 4, !tbaa !16
  %63 = call float @llvm.fmuladd.f32(float %60, float %61, float %62)
  store float %63, ptr %14, align 4, !tbaa !16
  %64 = load float, ptr %16, align 4, !tbaa !16
  store float %64, ptr %13, align 4, !tbaa !16
  %65 = load i32, ptr %15, align 4, !tbaa !4
  %66 = add i32 %65, 1
  store i32 %66, ptr %15, align 4, !tbaa !4
  call void @llvm.lifetime.end.p0(ptr %16) #7
  br label %35

67:                                               ; preds = %47
  %68 = load i32, ptr %15, align 4, !tbaa !4
  %69 = load ptr addrspace(1), ptr %5, align 8, !tbaa !24
  %70 = load i32, ptr %10, align 4, !tbaa !4
  %71 = load i32, ptr %6, align 4, !tbaa !4
  %72 = mul nsw i32 %70, %71
  %73 = load i32, ptr %9, align 4, !tbaa !4
  %74 = add nsw i32 %72, %73
  %75 = sext i32 %74 to i64
  %76 = getelementptr inbounds i32, ptr addrspace(1) %69, i64 %75
  store i32 %68, ptr addrspace(1) %76, align 4, !tbaa !4
  call void @llvm.lifetime.end.p0(ptr %15) #7
  call void @llvm.lifetime.end.p0(ptr %14) #7
  call void @llvm.lifetime.end.p0(ptr %13) #7
  call void @llvm.lifetime.end.p0(ptr %12) #7
  call void @llvm.lifetime.end.p0(ptr %11) #7
  call void @llvm.lifetime.end.p0(ptr %10) #7
  call void @llvm.lifetime.end.p0(ptr %9) #7
  ret void
}

; Function Attrs: convergent norecurse nounwind
define dso_local spir_kernel void @reduce(ptr addrspace(1) noalias noundef align 4 %0, ptr addrspace(1) noalias noundef align 4 %1) #0 !kernel_arg_addr_space !27 !kernel_arg_access_qual !28 !kernel_arg_type !29 !kernel_arg_base_type !29 !kernel_arg_type_qual !30 {
  %3 = alloca ptr addrspace(1), align 8
  %4 = alloca ptr addrspace(1), align 8
  store ptr addrspace(1) %0, ptr %3, align 8, !tbaa !13
  store ptr addrspace(1) %1, ptr %4, align 8, !tbaa !13
  %5 = load ptr addrspace(1), ptr %3, align 8, !tbaa !13
  %6 = load ptr addrspace(1), ptr %4, align 8, !tbaa !13
  call spir_func void @__clang_ocl_kern_imp_reduce(ptr addrspace(1) noundef align 4 %5, ptr addrspace(1) noundef align 4 %6) #6
  ret void
}

; Function Attrs: alwaysinline convergent norecurse nounwind
define dso_local spir_func void @__clang_ocl_kern_imp_reduce(ptr addrspace(1) noalias noundef align 4 %0, ptr addrspace(1) noalias noundef align 4 %1) #1 !kernel_arg_addr_space !27 !kernel_arg_access_qual !28 !kernel_arg_type !29 !kernel_arg_base_type !29 !kernel_arg_type_qual !30 {
  %3 = alloca ptr addrspace(1), align 8
  %4 = alloca ptr addrspace(1), align 8
  %5 = alloca i32, align 4
  %6 = alloca i32, align 4
  store ptr addrspace(1) %0, ptr %3, align 8, !tbaa !13
  store ptr addrspace(1) %1, ptr %4, align 8, !tbaa !13
  call void @llvm.lifetime.start.p0(ptr %5) #7
  %7 = call spir_func i64 @_Z12get_local_idj(i32 noundef 0) #8
  %8 = trunc i64 %7 to i32
  store i32 %8, ptr %5, align 4, !tbaa !4
  %9 = load ptr addrspace(1), ptr %3, align 8, !tbaa !13
  %10 = call spir_func i64 @_Z13get_global_idj(i32 noundef 0) #8
  %11 = getelementptr inbounds nuw float, ptr addrspace(1) %9, i64 %10
  %12 = load float, ptr addrspace(1) %11, align 4, !tbaa !16
  %13 = load i32, ptr %5, align 4, !tbaa !4
  %14 = sext i32 %13 to i64
  %15 = getelementptr inbounds [256 x float], ptr addrspace(3) @reduce.t, i64 0, i64 %14
  store float %12, ptr addrspace(3) %15, align 4, !tbaa !16
  call spir_func void @_Z7barrierj(i32 noundef 1) #9
  call void @llvm.lifetime.start.p0(ptr %6) #7
  store i32 128, ptr %6, align 4, !tbaa !4
  br label %16

16:                                               ; preds = %37, %2
  %17 = load i32, ptr %6, align 4, !tbaa !4
  %18 = icmp sgt i32 %17, 0
  br i1 %18, label %20, label %19

19:                                               ; preds = %16
  call void @llvm.lifetime.end.p0(ptr %6) #7
  br label %40

20:                                               ; preds = %16
  %21 = load i32, ptr %5, align 4, !tbaa !4
  %22 = load i32, ptr %6, align 4, !tbaa !4
  %23 = icmp slt i32 %21, %22
  br i1 %23, label %24, label %36

24:                                               ; preds = %20
  %25 = load i32, ptr %5, align 4, !tbaa !4
  %26 = load i32, ptr %6, align 4, !tbaa !4
  %27 = add nsw i32 %25, %26
  %28 = sext i32 %27 to i64
  %29 = getelementptr inbounds [256 x float], ptr addrspace(3) @reduce.t, i64 0, i64 %28
  %30 = load float, ptr addrspace(3) %29, align 4, !tbaa !16
  %31 = load i32, ptr %5, align 4, !tbaa !4
  %32 = sext i32 %31 to i64
  %33 = getelementptr inbounds [256 x float], ptr addrspace(3) @reduce.t, i64 0, i64 %32
  %34 = load float, ptr addrspace(3) %33, align 4, !tbaa !16
  %35 = fadd float %34, %30
  store float %35, ptr addrspace(3) %33, align 4, !tbaa !16
  br label %36

36:                                               ; preds = %24, %20
  call spir_func void @_Z7barrierj(i32 noundef 1) #9
  br label %37

37:                                               ; preds = %36
  %38 = load i32, ptr %6, align 4, !tbaa !4
  %39 = ashr i32 %38, 1
  store i32 %39, ptr %6, align 4, !tbaa !4
  br label %16

40:                                               ; preds = %19
  %41 = load i32, ptr %5, align 4, !tbaa !4
  %42 = icmp eq i32 %41, 0
  br i1 %42, label %43, label %48

43:                                               ; preds = %40
  %44 = load float, ptr addrspace(3) @reduce.t, align 4, !tbaa !16
  %45 = load ptr addrspace(1), ptr %4, align 8, !tbaa !13
  %46 = call spir_func i64 @_Z12get_group_idj(i32 noundef 0) #8
  %47 = getelementptr inbounds nuw float, ptr addrspace(1) %45, i64 %46
  store float %44, ptr addrspace(1) %47, align 4, !tbaa !16
  br label %48

48:                                               ; preds = %43, %40
  call void @llvm.lifetime.end.p0(ptr %5) #7
  ret void
}

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(argmem: readwrite)
declare void @llvm.lifetime.start.p0(ptr captures(none)) #2

; Function Attrs: convergent nounwind willreturn memory(none)
declare dso_local spir_func i64 @_Z13get_global_idj(i32 noundef) #3

; Function Attrs: nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
declare float @llvm.fmuladd.f32(float, float, float) #4

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(argmem: readwrite)
declare void @llvm.lifetime.end.p0(ptr captures(none)) #2

; Function Attrs: convergent nounwind willreturn memory(none)
declare dso_local spir_func i64 @_Z12get_local_idj(i32 noundef) #3

; Function Attrs: convergent nounwind
declare dso_local spir_func void @_Z7barrierj(i32 noundef) #5

; Function Attrs: convergent nounwind willreturn memory(none)
declare dso_local spir_func i64 @_Z12get_group_idj(i32 noundef) #3

attributes #0 = { convergent norecurse nounwind "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "uniform-work-group-size"="false" }
attributes #1 = { alwaysinline convergent norecurse nounwind "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "uniform-work-group-size"="false" }
attributes #2 = { nocallback nofree nosync nounwind willreturn memory(argmem: readwrite) }
attributes #3 = { convergent nounwind willreturn memory(none) "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" }
attributes #4 = { nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none) }
attributes #5 = { convergent nounwind "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" }
attributes #6 = { convergent nounwind "uniform-work-group-size"="false" }
attributes #7 = { nounwind }
attributes #8 = { convergent nounwind willreturn memory(none) }
attributes #9 = { convergent nounwind }

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
!8 = !{}
!9 = !{i32 1, i32 1, i32 0}
!10 = !{!"none", !"none", !"none"}
!11 = !{!"float*", !"float*", !"float"}
!12 = !{!"restrict const", !"restrict", !""}
!13 = !{!14, !14, i64 0}
!14 = !{!"p1 float", !15, i64 0}
!15 = !{!"any pointer", !6, i64 0}
!16 = !{!17, !17, i64 0}
!17 = !{!"float", !6, i64 0}
!18 = !{!19, !19, i64 0}
!19 = !{!"long", !6, i64 0}
!20 = !{i32 1, i32 0, i32 0, i32 0}
!21 = !{!"none", !"none", !"none", !"none"}
!22 = !{!"uint*", !"int", !"int", !"int"}
!23 = !{!"restrict", !"", !"", !""}
!24 = !{!25, !25, i64 0}
!25 = !{!"p1 int", !15, i64 0}
!26 = !{float 2.500000e+00}
!27 = !{i32 1, i32 1}
!28 = !{!"none", !"none"}
!29 = !{!"float*", !"float*"}
!30 = !{!"restrict const", !"restrict"}
