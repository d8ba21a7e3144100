; ModuleID = 'saxpy.cl'
source_filename = "saxpy.cl"
target datalayout = "e-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024-G1"
target triple = "spir64"

; Function Attrs: convergent norecurse nounwind
define dso_local spir_kernel void @saxpy(ptr addrspace(1) noalias noundef align 4 %0, ptr addrspace(1) noalias noundef align 4 %1, float noundef %2) #0 !kernel_arg_addr_space !8 !kernel_arg_access_qual !9 !kernel_arg_type !10 !kernel_arg_base_type !10 !kernel_arg_type_qual !11 {
  %4 = alloca ptr addrspace(1), align 8
  %5 = alloca ptr addrspace(1), align 8
  %6 = alloca float, align 4
  store ptr addrspace(1) %0, ptr %4, align 8, !tbaa !12
  store ptr addrspace(1) %1, ptr %5, align 8, !tbaa !12
  store float %2, ptr %6, align 4, !tbaa !15
  %7 = load ptr addrspace(1), ptr %4, align 8, !tbaa !12
  %8 = load ptr addrspace(1), ptr %5, align 8, !tbaa !12
  %9 = load float, ptr %6, align 4, !tbaa !15
  call spir_func void @__clang_ocl_kern_imp_saxpy(ptr addrspace(1) noundef align 4 %7, ptr addrspace(1) noundef align 4 %8, float noundef %9) #5
  ret void
}

; Function Attrs: alwaysinline convergent norecurse nounwind
define dso_local spir_func void @__clang_ocl_kern_imp_saxpy(ptr addrspace(1) noalias noundef align 4 %0, ptr addrspace(1) noalias noundef align 4 %1, float noundef %2) #1 !kernel_arg_addr_space !8 !kernel_arg_access_qual !9 !kernel_arg_type !10 !kernel_arg_base_type !10 !kernel_arg_type_qual !11 {
  %4 = alloca ptr addrspace(1), align 8
  %5 = alloca ptr addrspace(1), align 8
  %6 = alloca float, align 4
  %7 = alloca i64, align 8
  store ptr addrspace(1) %0, ptr %4, align 8, !tbaa !12
  store ptr addrspace(1) %1, ptr %5, align 8, !tbaa !12
  store float %2, ptr %6, align 4, !tbaa !15
  call void @llvm.lifetime.start.p0(ptr %7) #6
  %8 = call spir_func i64 @_Z13get_global_idj(i32 noundef 0) #7
  store i64 %8, ptr %7, align 8, !tbaa !17
  %9 = load float, ptr %6, align 4, !tbaa !15
  %10 = load ptr addrspace(1), ptr %4, align 8, !tbaa !12
  %11 = load i64, ptr %7, align 8, !tbaa !17
  %12 = getelementptr inbounds nuw float, ptr addrspace(1) %10, i64 %11
  %13 = load float, ptr addrspace(1) %12, align 4, !tbaa !15
  %14 = load ptr addrspace(1), ptr %5, align 8, !tbaa !12
  %15 = load i64, ptr %7, align 8, !tbaa !17
  %16 = getelementptr inbounds nuw float, ptr addrspace(1) %14, i64 %15
  %17 = load float, ptr addrspace(1) %16, align 4, !tbaa !15
  %18 = call float @llvm.fmuladd.f32(float %9, float %13, float %17)
  %19 = load ptr addrspace(1), ptr %5, align 8, !tbaa !12
  %20 = load i64, ptr %7, align 8, !tbaa !17
  %21 = getelementptr inbounds nuw float, ptr addrspace(1) %19, i64 %20
  store float %18, ptr addrspace(1) %21, align 4, !tbaa !15
  call void @llvm.lifetime.end.p0(ptr %7) #6
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

attributes #0 = { convergent norecurse nounwind "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "uniform-work-group-size"="false" }
attributes #1 = { alwaysinline convergent norecurse nounwind "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "uniform-work-group-size"="false" }
attributes #2 = { nocallback nofree nosync nounwind willreturn memory(argmem: readwrite) }
attributes #3 = { convergent nounwind willreturn memory(none) "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" }
attributes #4 = { nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none) }
attributes #5 = { convergent nounwind "uniform-work-group-size"="false" }
attributes #6 = { nounwind }
attributes #7 = { convergent nounwind willreturn memory(none) }

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
!8 = !{i32 1, i32 1, i32 0}
!9 = !{!"none", !"none", !"none"}
!10 = !{!"float*", !"float*", !"float"}
!11 = !{!"restrict const", !"restrict", !""}
!12 = !{!13, !13, i64 0}
!13 = !{!"p1 float", !14, i64 0}
!14 = !{!"any pointer", !6, i64 0}
!15 = !{!16, !16, i64 0}
!16 = !{!"float", !6, i64 0}
!17 = !{!18, !18, i64 0}
!18 = !{!"long", !6, i64 0}
