; ModuleID = 'local.cl'
source_filename = "local.cl"
target datalayout = "e-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024-G1"
target triple = "spir64"

; Function Attrs: convergent norecurse nounwind
define dso_local spir_kernel void @two_locals(ptr addrspace(1) noundef align 4 %0, ptr addrspace(1) noundef align 4 %1, ptr addrspace(3) noundef align 4 %2, ptr addrspace(3) noundef align 32 %3) #0 !kernel_arg_addr_space !8 !kernel_arg_access_qual !9 !kernel_arg_type !10 !kernel_arg_base_type !11 !kernel_arg_type_qual !12 {
  %5 = alloca ptr addrspace(1), align 8
  %6 = alloca ptr addrspace(1), align 8
  %7 = alloca ptr addrspace(3), align 8
  %8 = alloca ptr addrspace(3), align 8
  store ptr addrspace(1) %0, ptr %5, align 8, !tbaa !13
  store ptr addrspace(1) %1, ptr %6, align 8, !tbaa !13
  store ptr addrspace(3) %2, ptr %7, align 8, !tbaa !13
  store ptr addrspace(3) %3, ptr %8, align 8, !tbaa !16
  %9 = load ptr addrspace(1), ptr %5, align 8, !tbaa !13
  %10 = load ptr addrspace(1), ptr %6, align 8, !tbaa !13
  %11 = load ptr addrspace(3), ptr %7, align 8, !tbaa !13
  %12 = load ptr addrspace(3), ptr %8, align 8, !tbaa !16
  call spir_func void @__clang_ocl_kern_imp_two_locals(ptr addrspace(1) noundef align 4 %9, ptr addrspace(1) noundef align 4 %10, ptr addrspace(3) noundef align 4 %11, ptr addrspace(3) noundef align 32 %12) #5
  ret void
}

; Function Attrs: alwaysinline convergent norecurse nounwind
define dso_local spir_func void @__clang_ocl_kern_imp_two_locals(ptr addrspace(1) noundef align 4 %0, ptr addrspace(1) noundef align 4 %1, ptr addrspace(3) noundef align 4 %2, ptr addrspace(3) noundef align 32 %3) #1 !kernel_arg_addr_space !8 !kernel_arg_access_qual !9 !kernel_arg_type !10 !kernel_arg_base_type !11 !kernel_arg_type_qual !12 {
  %5 = alloca ptr addrspace(1), align 8
  %6 = alloca ptr addrspace(1), align 8
  %7 = alloca ptr addrspace(3), align 8
  %8 = alloca ptr addrspace(3), align 8
  %9 = alloca i64, align 8
  %10 = alloca i64, align 8
  %11 = alloca <4 x double>, align 32
  %12 = alloca i64, align 8
  store ptr addrspace(1) %0, ptr %5, align 8, !tbaa !13
  store ptr addrspace(1) %1, ptr %6, align 8, !tbaa !13
  store ptr addrspace(3) %2, ptr %7, align 8, !tbaa !13
  store ptr addrspace(3) %3, ptr %8, align 8, !tbaa !16
  call void @llvm.lifetime.start.p0(ptr %9) #6
  %13 = call spir_func i64 @_Z12get_local_idj(i32 noundef 0) #7
  store i64 %13, ptr %9, align 8, !tbaa !17
  call void @llvm.lifetime.start.p0(ptr %10) #6
  %14 = call spir_func i64 @_Z14get_local_sizej(i32 noundef 0) #7
  store i64 %14, ptr %10, align 8, !tbaa !17
  %15 = load ptr addrspace(1), ptr %5, align 8, !tbaa !13
  %16 = call spir_func i64 @_Z13get_global_idj(i32 noundef 0) #7
  %17 = getelementptr inbounds nuw i32, ptr addrspace(1) %15, i64 %16
  %18 = load i32, ptr addrspace(1) %17, align 4, !tbaa !4
  %19 = load ptr addrspace(3), ptr %7, align 8, !tbaa !13
  %20 = load i64, ptr %9, align 8, !tbaa !17
  %21 = getelementptr inbounds nuw i32, ptr addrspace(3) %19, i64 %20
  store i32 %18, ptr addrspace(3) %21, align 4, !tbaa !4
  %22 = load i64, ptr %9, align 8, !tbaa !17
  %23 = uitofp i64 %22 to double
  %24 = insertelement <4 x double> poison, double %23, i32 0
  %25 = load i64, ptr %9, align 8, !tbaa !17
  %26 = uitofp i64 %25 to double
  %27 = insertelement <4 x double> %24, double %26, i32 1
  %28 = load i64, ptr %9, align 8, !tbaa !17
  %29 = uitofp i64 %28 to double
  %30 = insertelement <4 x double> %27, double %29, i32 2
  %31 = load i64, ptr %9, align 8, !tbaa !17
  %32 = uitofp i64 %31 to double
  %33 = insertelement <4 x double> %30, double %32, i32 3
  store <4 x double> %33, ptr %11, align 32, !tbaa !19
  %34 = load <4 x double>, ptr %11, align 32, !tbaa !19
  %35 = load ptr addrspace(3), ptr %8, align 8, !tbaa !16
  %36 = load i64, ptr %9, align 8, !tbaa !17
  %37 = getelementptr inbounds nuw <4 x double>, ptr addrspace(3) %35, i64 %36
  store <4 x double> %34, ptr addrspace(3) %37, align 32, !tbaa !19
  call spir_func void @_Z7barrierj(i32 noundef 1) #8
  call void @llvm.lifetime.start.p0(ptr %12) #6
  %38 = load i64, ptr %10, align 8, !tbaa !17
  %39 = sub i64 %38, 1
  %40 = load i64, ptr %9, align 8, !tbaa !17
  %41 = sub i64 %39, %40
  store i64 %41, ptr %12, align 8, !tbaa !17
  %42 = load ptr addrspace(3), ptr %7, align 8, !tbaa !13
  %43 = load i64, ptr %12, align 8, !tbaa !17
  %44 = getelementptr inbounds nuw i32, ptr addrspace(3) %42, i64 %43
  %45 = load i32, ptr addrspace(3) %44, align 4, !tbaa !4
  %46 = load ptr addrspace(3), ptr %8, align 8, !tbaa !16
  %47 = load i64, ptr %12, align 8, !tbaa !17
  %48 = getelementptr inbounds nuw <4 x double>, ptr addrspace(3) %46, i64 %47
  %49 = load <4 x double>, ptr addrspace(3) %48, align 32
  %50 = extractelement <4 x double> %49, i64 3
  %51 = fptosi double %50 to i32
  %52 = add nsw i32 %45, %51
  %53 = load ptr addrspace(1), ptr %6, align 8, !tbaa !13
  %54 = call spir_func i64 @_Z13get_global_idj(i32 noundef 0) #7
  %55 = getelementptr inbounds nuw i32, ptr addrspace(1) %53, i64 %54
  store i32 %52, ptr addrspace(1) %55, align 4, !tbaa !4
  call void @llvm.lifetime.end.p0(ptr %12) #6
  call void @llvm.lifetime.end.p0(ptr %10) #6
  call void @llvm.lifetime.end.p0(ptr %9) #6
  ret void
}

; Function Attrs: convergent norecurse nounwind
define dso_local spir_kernel void @where_they_lie(ptr addrspace(1) noundef align 8 %0, ptr addrspace(3) noundef align 1 %1, ptr addrspace(3) noundef align 32 %2, ptr addrspace(3) noundef align 4 %3) #0 !kernel_arg_addr_space !20 !kernel_arg_access_qual !9 !kernel_arg_type !21 !kernel_arg_base_type !22 !kernel_arg_type_qual !23 {
  %5 = alloca ptr addrspace(1), align 8
  %6 = alloca ptr addrspace(3), align 8
  %7 = alloca ptr addrspace(3), align 8
  %8 = alloca ptr addrspace(3), align 8
  store ptr addrspace(1) %0, ptr %5, align 8, !tbaa !24
  store ptr addrspace(3) %1, ptr %6, align 8, !tbaa !26
  store ptr addrspace(3) %2, ptr %7, align 8, !tbaa !16
  store ptr addrspace(3) %3, ptr %8, align 8, !tbaa !13
  %9 = load ptr addrspace(1), ptr %5, align 8, !tbaa !24
  %10 = load ptr addrspace(3), ptr %6, align 8, !tbaa !26
  %11 = load ptr addrspace(3), ptr %7, align 8, !tbaa !16
  %12 = load ptr addrspace(3), ptr %8, align 8, !tbaa !13
  call spir_func void @__clang_ocl_kern_imp_where_they_lie(ptr addrspace(1) noundef align 8 %9, ptr addrspace(3) noundef align 1 %10, ptr addrspace(3) noundef align 32 %11, ptr addrspace(3) noundef align 4 %12) #5
  ret void
}

; Function Attrs: alwaysinline convergent norecurse nounwind
define dso_local spir_func void @__clang_ocl_kern_imp_where_they_lie(ptr addrspace(1) noundef align 8 %0, ptr addrspace(3) noundef align 1 %1, ptr addrspace(3) noundef align 32 %2, ptr addrspace(3) noundef align 4 %3) #1 !kernel_arg_addr_space !20 !kernel_arg_access_qual !9 !kernel_arg_type !21 !kernel_arg_base_type !22 !kernel_arg_type_qual !23 {
  %5 = alloca ptr addrspace(1), align 8
  %6 = alloca ptr addrspace(3), align 8
  %7 = alloca ptr addrspace(3), align 8
  %8 = alloca ptr addrspace(3), align 8
  store ptr addrspace(1) %0, ptr %5, align 8, !tbaa !24
  store ptr addrspace(3) %1, ptr %6, align 8, !tbaa !26
  store ptr addrspace(3) %2, ptr %7, align 8, !tbaa !16
  store ptr addrspace(3) %3, ptr %8, align 8, !tbaa !13
  %9 = call spir_func i64 @_Z12get_local_idj(i32 noundef 0) #7
  %10 = icmp eq i64 %9, 0
  br i1 %10, label %11, label %31

11:                                               ; preds = %4
  %12 = load ptr addrspace(3), ptr %7, align 8, !tbaa !16
  %13 = ptrtoint ptr addrspace(3) %12 to i64
  %14 = load ptr addrspace(3), ptr %6, align 8, !tbaa !26
  %15 = ptrtoint ptr addrspace(3) %14 to i64
  %16 = sub i64 %13, %15
  %17 = load ptr addrspace(1), ptr %5, align 8, !tbaa !24
  %18 = getelementptr inbounds i64, ptr addrspace(1) %17, i64 0
  store i64 %16, ptr addrspace(1) %18, align 8, !tbaa !17
  %19 = load ptr addrspace(3), ptr %8, align 8, !tbaa !13
  %20 = ptrtoint ptr addrspace(3) %19 to i64
  %21 = load ptr addrspace(3), ptr %6, align 8, !tbaa !26
  %22 = ptrtoint ptr addrspace(3) %21 to i64
  %23 = sub i64 %20, %22
  %24 = load ptr addrspace(1), ptr %5, align 8, !tbaa !24
  %25 = getelementptr inbounds i64, ptr addrspace(1) %24, i64 1
  store i64 %23, ptr addrspace(1) %25, align 8, !tbaa !17
  %26 = load ptr addrspace(3), ptr %6, align 8, !tbaa !26
  %27 = ptrtoint ptr addrspace(3) %26 to i64
  %28 = urem i64 %27, 128
  %29 = load ptr addrspace(1), ptr %5, align 8, !tbaa !24
  %30 = getelementptr inbounds i64, ptr addrspace(1) %29, i64 2
  store i64 %28, ptr addrspace(1) %30, align 8, !tbaa !17
  br label %31

31:                                               ; preds = %11, %4
  ret void
}

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(argmem: readwrite)
declare void @llvm.lifetime.start.p0(ptr captures(none)) #2

; Function Attrs: convergent nounwind willreturn memory(none)
declare dso_local spir_func i64 @_Z12get_local_idj(i32 noundef) #3

; Function Attrs: convergent nounwind willreturn memory(none)
declare dso_local spir_func i64 @_Z14get_local_sizej(i32 noundef) #3

; Function Attrs: convergent nounwind willreturn memory(none)
declare dso_local spir_func i64 @_Z13get_global_idj(i32 noundef) #3

; Function Attrs: convergent nounwind
declare dso_local spir_func void @_Z7barrierj(i32 noundef) #4

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(argmem: readwrite)
declare void @llvm.lifetime.end.p0(ptr captures(none)) #2

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
!2 = !{i32 2, i32 0}
!3 = !{!"Debian clang version 22.1.8 (1~deb12u1)"}
!4 = !{!5, !5, i64 0}
!5 = !{!"int", !6, i64 0}
!6 = !{!"omnipotent char", !7, i64 0}
!7 = !{!"Simple C/C++ TBAA"}
!8 = !{i32 1, i32 1, i32 3, i32 3}
!9 = !{!"none", !"none", !"none", !"none"}
!10 = !{!"int*", !"int*", !"int*", !"double4*"}
!11 = !{!"int*", !"int*", !"int*", !"double __attribute__((ext_vector_type(4)))*"}
!12 = !{!"const", !"", !"", !""}
!13 = !{!14, !14, i64 0}
!14 = !{!"p1 int", !15, i64 0}
!15 = !{!"any pointer", !6, i64 0}
!16 = !{!15, !15, i64 0}
!17 = !{!18, !18, i64 0}
!18 = !{!"long", !6, i64 0}
!19 = !{!6, !6, i64 0}
!20 = !{i32 1, i32 3, i32 3, i32 3}
!21 = !{!"ulong*", !"char*", !"double4*", !"int*"}
!22 = !{!"ulong*", !"char*", !"double __attribute__((ext_vector_type(4)))*", !"int*"}
!23 = !{!"", !"", !"", !""}
!24 = !{!25, !25, i64 0}
!25 = !{!"p1 long", !15, i64 0}
!26 = !{!27, !27, i64 0}
!27 = !{!"p1 omnipotent char", !15, i64 0}
