; ModuleID = 'reduction.cl'
source_filename = "reduction.cl"
target datalayout = "e-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024-G1"
target triple = "spir64"

; Function Attrs: convergent norecurse nounwind
define dso_local spir_kernel void @reduction(ptr addrspace(1) noalias noundef align 4 %0, ptr addrspace(1) noalias noundef align 4 %1, ptr addrspace(3) noundef align 4 %2) #0 !kernel_arg_addr_space !8 !kernel_arg_access_qual !9 !kernel_arg_type !10 !kernel_arg_base_type !10 !kernel_arg_type_qual !11 {
  %4 = alloca ptr addrspace(1), align 8
  %5 = alloca ptr addrspace(1), align 8
  %6 = alloca ptr addrspace(3), align 8
  store ptr addrspace(1) %0, ptr %4, align 8, !tbaa !12
  store ptr addrspace(1) %1, ptr %5, align 8, !tbaa !12
  store ptr addrspace(3) %2, ptr %6, align 8, !tbaa !12
  %7 = load ptr addrspace(1), ptr %4, align 8, !tbaa !12
  %8 = load ptr addrspace(1), ptr %5, align 8, !tbaa !12
  %9 = load ptr addrspace(3), ptr %6, align 8, !tbaa !12
  call spir_func void @__clang_ocl_kern_imp_reduction(ptr addrspace(1) noundef align 4 %7, ptr addrspace(1) noundef align 4 %8, ptr addrspace(3) noundef align 4 %9) #5
  ret void
}

; Function Attrs: alwaysinline convergent norecurse nounwind
define dso_local spir_func void @__clang_ocl_kern_imp_reduction(ptr addrspace(1) noalias noundef align 4 %0, ptr addrspace(1) noalias noundef align 4 %1, ptr addrspace(3) noundef align 4 %2) #1 !kernel_arg_addr_space !8 !kernel_arg_access_qual !9 !kernel_arg_type !10 !kernel_arg_base_type !10 !kernel_arg_type_qual !11 {
  %4 = alloca ptr addrspace(1), align 8
  %5 = alloca ptr addrspace(1), align 8
  %6 = alloca ptr addrspace(3), align 8
  %7 = alloca i64, align 8
  %8 = alloca i64, align 8
  store ptr addrspace(1) %0, ptr %4, align 8, !tbaa !12
  store ptr addrspace(1) %1, ptr %5, align 8, !tbaa !12
  store ptr addrspace(3) %2, ptr %6, align 8, !tbaa !12
  call void @llvm.lifetime.start.p0(ptr %7) #6
  %9 = call spir_func i64 @_Z12get_local_idj(i32 noundef 0) #7
  store i64 %9, ptr %7, align 8, !tbaa !15
  %10 = load ptr addrspace(1), ptr %4, align 8, !tbaa !12
  %11 = call spir_func i64 @_Z13get_global_idj(i32 noundef 0) #7
  %12 = getelementptr inbounds nuw float, ptr addrspace(1) %10, i64 %11
  %13 = load float, ptr addrspace(1) %12, align 4, !tbaa !17
  %14 = load ptr addrspace(3), ptr %6, align 8, !tbaa !12
  %15 = load i64, ptr %7, align 8, !tbaa !15
  %16 = getelementptr inbounds nuw float, ptr addrspace(3) %14, i64 %15
  store float %13, ptr addrspace(3) %16, align 4, !tbaa !17
  call spir_func void @_Z7barrierj(i32 noundef 1) #8
  call void @llvm.lifetime.start.p0(ptr %8) #6
  %17 = call spir_func i64 @_Z14get_local_sizej(i32 noundef 0) #7
  %18 = udiv i64 %17, 2
  store i64 %18, ptr %8, align 8, !tbaa !15
  br label %19

19:                                               ; preds = %40, %3
  %20 = load i64, ptr %8, align 8, !tbaa !15
  %21 = icmp ugt i64 %20, 0
  br i1 %21, label %23, label %22

22:                                               ; preds = %19
  call void @llvm.lifetime.end.p0(ptr %8) #6
  br label %43

23:                                               ; preds = %19
  %24 = load i64, ptr %7, align 8, !tbaa !15
  %25 = load i64, ptr %8, align 8, !tbaa !15
  %26 = icmp ult i64 %24, %25
  br i1 %26, label %27, label %39

27:                                               ; preds = %23
  %28 = load ptr addrspace(3), ptr %6, align 8, !tbaa !12
  %29 = load i64, ptr %7, align 8, !tbaa !15
  %30 = load i64, ptr %8, align 8, !tbaa !15
  %31 = add i64 %29, %30
  %32 = getelementptr inbounds nuw float, ptr addrspace(3) %28, i64 %31
  %33 = load float, ptr addrspace(3) %32, align 4, !tbaa !17
  %34 = load ptr addrspace(3), ptr %6, align 8, !tbaa !12
  %35 = load i64, ptr %7, align 8, !tbaa !15
  %36 = getelementptr inbounds nuw float, ptr addrspace(3) %34, i64 %35
  %37 = load float, ptr addrspace(3) %36, align 4, !tbaa !17
  %38 = fadd float %37, %33
  store float %38, ptr addrspace(3) %36, align 4, !tbaa !17
  br label %39

39:                                               ; preds = %27, %23
  call spir_func void @_Z7barrierj(i32 noundef 1) #8
  br label %40

40:                                               ; preds = %39
  %41 = load i64, ptr %8, align 8, !tbaa !15
  %42 = udiv i64 %41, 2
  store i64 %42, ptr %8, align 8, !tbaa !15
  br label %19

43:                                               ; preds = %22
  %44 = load i64, ptr %7, align 8, !tbaa !15
  %45 = icmp eq i64 %44, 0
  br i1 %45, label %46, label %53

46:                                               ; preds = %43
  %47 = load ptr addrspace(3), ptr %6, align 8, !tbaa !12
  %48 = getelementptr inbounds float, ptr addrspace(3) %47, i64 0
  %49 = load float, ptr addrspace(3) %48, align 4, !tbaa !17
  %50 = load ptr addrspace(1), ptr %5, align 8, !tbaa !12
  %51 = call spir_func i64 @_Z12get_group_idj(i32 noundef 0) #7
  %52 = getelementptr inbounds nuw float, ptr addrspace(1) %50, i64 %51
  store float %49, ptr addrspace(1) %52, align 4, !tbaa !17
  br label %53

53:                                               ; preds = %46, %43
  call void @llvm.lifetime.end.p0(ptr %7) #6
  ret void
}

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(argmem: readwrite)
declare void @llvm.lifetime.start.p0(ptr captures(none)) #2

; Function Attrs: convergent nounwind willreturn memory(none)
declare dso_local spir_func i64 @_Z12get_local_idj(i32 noundef) #3

; Function Attrs: convergent nounwind willreturn memory(none)
declare dso_local spir_func i64 @_Z13get_global_idj(i32 noundef) #3

; Function Attrs: convergent nounwind
declare dso_local spir_func void @_Z7barrierj(i32 noundef) #4

; Function Attrs: convergent nounwind willreturn memory(none)
declare dso_local spir_func i64 @_Z14get_local_sizej(i32 noundef) #3

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(argmem: readwrite)
declare void @llvm.lifetime.end.p0(ptr captures(none)) #2

; Function Attrs: convergent nounwind willreturn memory(none)
declare dso_local spir_func i64 @_Z12get_group_idj(i32 noundef) #3

attributes #0 = { convergent norecurse nounwind "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "uniform-work-group-size"="false" }
attributes #1 = { alwaysinline convergent norecurse nounwind "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "uniform-work-group-size"="false" }
attributes #2 = { nocallback nofree nosync nounwind willreturn memory(argmem: readwrite) }
attributes #3 = { convergent nounwind willreturn memory(none) "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" }
attributes #4 = { convergent nounwind "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" }
attributes #5 = { convergent nounwind "uniform-work-group-size"="false" }
attributes #6 = { nounwind }
attributes #7 = { convergent nounwind willreturn memory(none) }
attributes #8 = { convergent nounwind }

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
!8 = !{i32 1, i32 1, i32 3}
!9 = !{!"none", !"none", !"none"}
!10 = !{!"float*", !"float*", !"float*"}
!11 = !{!"restrict const", !"restrict", !""}
!12 = !{!13, !13, i64 0}
!13 = !{!"p1 float", !14, i64 0}
!14 = !{!"any pointer", !6, i64 0}
!15 = !{!16, !16, i64 0}
!16 = !{!"long", !6, i64 0}
!17 = !{!18, !18, i64 0}
!18 = !{!"float", !6, i64 0}
