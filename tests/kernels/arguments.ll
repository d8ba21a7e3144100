; ModuleID = 'arguments.c'
source_filename = "arguments.c"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

%struct.large = type { i8, double, [5 x i16], i64 }

@llvm.compiler.used = appending global [17 x ptr] [ptr @take_i8, ptr @take_u8, ptr @take_i16, ptr @take_u16, ptr @take_i32, ptr @take_u32, ptr @take_i64, ptr @take_u64, ptr @take_i128, ptr @take_f16, ptr @take_f32, ptr @take_f64, ptr @take_bool, ptr @take_ptr, ptr @take_large, ptr @take_float4, ptr @take_many], section "llvm.metadata"

; Function Attrs: nounwind uwtable
define dso_local void @take_i8(ptr noundef %0, i8 noundef signext %1) #0 section "oarlock.kernel" {
  %3 = alloca ptr, align 8
  %4 = alloca i8, align 1
  store ptr %0, ptr %3, align 8, !tbaa !9
  store i8 %1, ptr %4, align 1, !tbaa !12
  %5 = load i8, ptr %4, align 1, !tbaa !12
  %6 = load ptr, ptr %3, align 8, !tbaa !9
  store i8 %5, ptr %6, align 1, !tbaa !12
  ret void
}

; Function Attrs: nounwind uwtable
define dso_local void @take_u8(ptr noundef %0, i8 noundef zeroext %1) #0 section "oarlock.kernel" {
  %3 = alloca ptr, align 8
  %4 = alloca i8, align 1
  store ptr %0, ptr %3, align 8, !tbaa !9
  store i8 %1, ptr %4, align 1, !tbaa !12
  %5 = load i8, ptr %4, align 1, !tbaa !12
  %6 = load ptr, ptr %3, align 8, !tbaa !9
  store i8 %5, ptr %6, align 1, !tbaa !12
  ret void
}

; Function Attrs: nounwind uwtable
define dso_local void @take_i16(ptr noundef %0, i16 noundef signext %1) #0 section "oarlock.kernel" {
  %3 = alloca ptr, align 8
  %4 = alloca i16, align 2
  store ptr %0, ptr %3, align 8, !tbaa !13
  store i16 %1, ptr %4, align 2, !tbaa !15
  %5 = load i16, ptr %4, align 2, !tbaa !15
  %6 = load ptr, ptr %3, align 8, !tbaa !13
  store i16 %5, ptr %6, align 2, !tbaa !15
  ret void
}

; Function Attrs: nounwind uwtable
define dso_local void @take_u16(ptr noundef %0, i16 noundef zeroext %1) #0 section "oarlock.kernel" {
  %3 = alloca ptr, align 8
  %4 = alloca i16, align 2
  store ptr %0, ptr %3, align 8, !tbaa !13
  store i16 %1, ptr %4, align 2, !tbaa !15
  %5 = load i16, ptr %4, align 2, !tbaa !15
  %6 = load ptr, ptr %3, align 8, !tbaa !13
  store i16 %5, ptr %6, align 2, !tbaa !15
  ret void
}

; Function Attrs: nounwind uwtable
define dso_local void @take_i32(ptr noundef %0, i32 noundef %1) #0 section "oarlock.kernel" {
  %3 = alloca ptr, align 8
  %4 = alloca i32, align 4
  store ptr %0, ptr %3, align 8, !tbaa !17
  store i32 %1, ptr %4, align 4, !tbaa !5
  %5 = load i32, ptr %4, align 4, !tbaa !5
  %6 = load ptr, ptr %3, align 8, !tbaa !17
  store i32 %5, ptr %6, align 4, !tbaa !5
  ret void
}

; Function Attrs: nounwind uwtable
define dso_local void @take_u32(ptr noundef %0, i32 noundef %1) #0 section "oarlock.kernel" {
  %3 = alloca ptr, align 8
  %4 = alloca i32, align 4
  store ptr %0, ptr %3, align 8, !tbaa !17
  store i32 %1, ptr %4, align 4, !tbaa !5
  %5 = load i32, ptr %4, align 4, !tbaa !5
  %6 = load ptr, ptr %3, align 8, !tbaa !17
  store i32 %5, ptr %6, align 4, !tbaa !5
  ret void
}

; Function Attrs: nounwind uwtable
define dso_local void @take_i64(ptr noundef %0, i64 noundef %1) #0 section "oarlock.kernel" {
  %3 = alloca ptr, align 8
  %4 = alloca i64, align 8
  store ptr %0, ptr %3, align 8, !tbaa !19
  store i64 %1, ptr %4, align 8, !tbaa !21
  %5 = load i64, ptr %4, align 8, !tbaa !21
  %6 = load ptr, ptr %3, align 8, !tbaa !19
  store i64 %5, ptr %6, align 8, !tbaa !21
  ret void
}

; Function Attrs: nounwind uwtable
define dso_local void @take_u64(ptr noundef %0, i64 noundef %1) #0 section "oarlock.kernel" {
  %3 = alloca ptr, align 8
  %4 = alloca i64, align 8
  store ptr %0, ptr %3, align 8, !tbaa !19
  store i64 %1, ptr %4, align 8, !tbaa !21
  %5 = load i64, ptr %4, align 8, !tbaa !21
  %6 = load ptr, ptr %3, align 8, !tbaa !19
  store i64 %5, ptr %6, align 8, !tbaa !21
  ret void
}

; Function Attrs: nounwind uwtable
define dso_local void @take_i128(ptr noundef %0, i128 noundef %1) #0 section "oarlock.kernel" {
  %3 = alloca ptr, align 8
  %4 = alloca i128, align 16
  store ptr %0, ptr %3, align 8, !tbaa !23
  store i128 %1, ptr %4, align 16, !tbaa !25
  %5 = load i128, ptr %4, align 16, !tbaa !25
  %6 = load ptr, ptr %3, align 8, !tbaa !23
  store i128 %5, ptr %6, align 16, !tbaa !25
  ret void
}

; Function Attrs: nounwind uwtable
define dso_local void @take_f16(ptr noundef %0, half noundef %1) #0 section "oarlock.kernel" {
  %3 = alloca ptr, align 8
  %4 = alloca half, align 2
  store ptr %0, ptr %3, align 8, !tbaa !27
  store half %1, ptr %4, align 2, !tbaa !29
  %5 = load half, ptr %4, align 2, !tbaa !29
  %6 = load ptr, ptr %3, align 8, !tbaa !27
  store half %5, ptr %6, align 2, !tbaa !29
  ret void
}

; Function Attrs: nounwind uwtable
define dso_local void @take_f32(ptr noundef %0, float noundef %1) #0 section "oarlock.kernel" {
  %3 = alloca ptr, align 8
  %4 = alloca float, align 4
  store ptr %0, ptr %3, align 8, !tbaa !31
  store float %1, ptr %4, align 4, !tbaa !33
  %5 = load float, ptr %4, align 4, !tbaa !33
  %6 = load ptr, ptr %3, align 8, !tbaa !31
  store float %5, ptr %6, align 4, !tbaa !33
  ret void
}

; Function Attrs: nounwind uwtable
define dso_local void @take_f64(ptr noundef %0, double noundef %1) #0 section "oarlock.kernel" {
  %3 = alloca ptr, align 8
  %4 = alloca double, align 8
  store ptr %0, ptr %3, align 8, !tbaa !35
  store double %1, ptr %4, align 8, !tbaa !37
  %5 = load double, ptr %4, align 8, !tbaa !37
  %6 = load ptr, ptr %3, align 8, !tbaa !35
  store double %5, ptr %6, align 8, !tbaa !37
  ret void
}

; Function Attrs: nounwind uwtable
define dso_local void @take_bool(ptr noundef %0, i1 noundef zeroext %1) #0 section "oarlock.kernel" {
  %3 = alloca ptr, align 8
  %4 = alloca i8, align 1
  store ptr %0, ptr %3, align 8, !tbaa !39
  %5 = zext i1 %1 to i8
  store i8 %5, ptr %4, align 1, !tbaa !41
  %6 = load i8, ptr %4, align 1, !tbaa !41, !range !43, !noundef !44
  %7 = trunc i8 %6 to i1
  %8 = load ptr, ptr %3, align 8, !tbaa !39
  %9 = zext i1 %7 to i8
  store i8 %9, ptr %8, align 1, !tbaa !41
  ret void
}

; Function Attrs: nounwind uwtable
define dso_local void @take_ptr(ptr noundef %0, ptr noundef %1) #0 section "oarlock.kernel" {
  %3 = alloca ptr, align 8
  %4 = alloca ptr, align 8
  store ptr %0, ptr %3, align 8, !tbaa !45
  store ptr %1, ptr %4, align 8, !tbaa !47
  %5 = load ptr, ptr %4, align 8, !tbaa !47
  %6 = load ptr, ptr %3, align 8, !tbaa !45
  store ptr %5, ptr %6, align 8, !tbaa !47
  ret void
}

; Function Attrs: nounwind uwtable
define dso_local void @take_large(ptr noundef %0, ptr noundef byval(%struct.large) align 8 %1) #0 section "oarlock.kernel" {
  %3 = alloca ptr, align 8
  store ptr %0, ptr %3, align 8, !tbaa !48
  %4 = load ptr, ptr %3, align 8, !tbaa !48
  call void @llvm.memcpy.p0.p0.i64(ptr align 8 %4, ptr align 8 %1, i64 40, i1 false), !tbaa.struct !50
  ret void
}

; Function Attrs: nocallback nofree nounwind willreturn memory(argmem: readwrite)
declare void @llvm.memcpy.p0.p0.i64(ptr noalias writeonly captures(none), ptr noalias readonly captures(none), i64, i1 immarg) #1

; Function Attrs: nounwind uwtable
define dso_local void @take_float4(ptr noundef %0, <4 x float> noundef %1) #2 section "oarlock.kernel" {
  %3 = alloca ptr, align 8
  %4 = alloca <4 x float>, align 16
  store ptr %0, ptr %3, align 8, !tbaa !47
  store <4 x float> %1, ptr %4, align 16, !tbaa !12
  %5 = load <4 x float>, ptr %4, align 16, !tbaa !12
  %6 = load ptr, ptr %3, align 8, !tbaa !47
  store <4 x float> %5, ptr %6, align 16, !tbaa !12
  ret void
}

; Function Attrs: nounwind uwtable
define dso_local void @take_many(ptr noundef %0, i8 noundef zeroext %1, i16 noundef zeroext %2, i8 noundef zeroext %3, i32 noundef %4, i8 noundef zeroext %5, i64 noundef %6, i8 noundef zeroext %7, float noundef %8, i8 noundef zeroext %9, double noundef %10, i8 noundef zeroext %11, i128 noundef %12, i8 noundef zeroext %13) #0 section "oarlock.kernel" {
  %15 = alloca ptr, align 8
  %16 = alloca i8, align 1
  %17 = alloca i16, align 2
  %18 = alloca i8, align 1
  %19 = alloca i32, align 4
  %20 = alloca i8, align 1
  %21 = alloca i64, align 8
  %22 = alloca i8, align 1
  %23 = alloca float, align 4
  %24 = alloca i8, align 1
  %25 = alloca double, align 8
  %26 = alloca i8, align 1
  %27 = alloca i128, align 16
  %28 = alloca i8, align 1
  %29 = alloca [13 x double], align 16
  %30 = alloca i32, align 4
  store ptr %0, ptr %15, align 8, !tbaa !35
  store i8 %1, ptr %16, align 1, !tbaa !12
  store i16 %2, ptr %17, align 2, !tbaa !15
  store i8 %3, ptr %18, align 1, !tbaa !12
  store i32 %4, ptr %19, align 4, !tbaa !5
  store i8 %5, ptr %20, align 1, !tbaa !12
  store i64 %6, ptr %21, align 8, !tbaa !21
  store i8 %7, ptr %22, align 1, !tbaa !12
  store float %8, ptr %23, align 4, !tbaa !33
  store i8 %9, ptr %24, align 1, !tbaa !12
  store double %10, ptr %25, align 8, !tbaa !37
  store i8 %11, ptr %26, align 1, !tbaa !12
  store i128 %12, ptr %27, align 16, !tbaa !25
  store i8 %13, ptr %28, align 1, !tbaa !12
  call void @llvm.lifetime.start.p0(ptr %29) #4
  %31 = load i8, ptr %16, align 1, !tbaa !12
  %32 = uitofp i8 %31 to double
  store double %32, ptr %29, align 8, !tbaa !37
  %33 = getelementptr inbounds double, ptr %29, i64 1
  %34 = load i16, ptr %17, align 2, !tbaa !15
  %35 = uitofp i16 %34 to double
  store double %35, ptr %33, align 8, !tbaa !37
  %36 = getelementptr inbounds double, ptr %29, i64 2
  %37 = load i8, ptr %18, align 1, !tbaa !12
  %38 = uitofp i8 %37 to double
  store double %38, ptr %36, align 8, !tbaa !37
  %39 = getelementptr inbounds double, ptr %29, i64 3
  %40 = load i32, ptr %19, align 4, !tbaa !5
  %41 = uitofp i32 %40 to double
  store double %41, ptr %39, align 8, !tbaa !37
  %42 = getelementptr inbounds double, ptr %29, i64 4
  %43 = load i8, ptr %20, align 1, !tbaa !12
  %44 = uitofp i8 %43 to double
  store double %44, ptr %42, align 8, !tbaa !37
  %45 = getelementptr inbounds double, ptr %29, i64 5
  %46 = load i64, ptr %21, align 8, !tbaa !21
  %47 = uitofp i64 %46 to double
  store double %47, ptr %45, align 8, !tbaa !37
  %48 = getelementptr inbounds double, ptr %29, i64 6
  %49 = load i8, ptr %22, align 1, !tbaa !12
  %50 = uitofp i8 %49 to double
  store double %50, ptr %48, align 8, !tbaa !37
  %51 = getelementptr inbounds double, ptr %29, i64 7
  %52 = load float, ptr %23, align 4, !tbaa !33
  %53 = fpext float %52 to double
  store double %53, ptr %51, align 8, !tbaa !37
  %54 = getelementptr inbounds double, ptr %29, i64 8
  %55 = load i8, ptr %24, align 1, !tbaa !12
  %56 = uitofp i8 %55 to double
  store double %56, ptr %54, align 8, !tbaa !37
  %57 = getelementptr inbounds double, ptr %29, i64 9
  %58 = load double, ptr %25, align 8, !tbaa !37
  store double %58, ptr %57, align 8, !tbaa !37
  %59 = getelementptr inbounds double, ptr %29, i64 10
  %60 = load i8, ptr %26, align 1, !tbaa !12
  %61 = uitofp i8 %60 to double
  store double %61, ptr %59, align 8, !tbaa !37
  %62 = getelementptr inbounds double, ptr %29, i64 11
  %63 = load i128, ptr %27, align 16, !tbaa !25
  %64 = sitofp i128 %63 to double
  store double %64, ptr %62, align 8, !tbaa !37
  %65 = getelementptr inbounds double, ptr %29, i64 12
  %66 = load i8, ptr %28, align 1, !tbaa !12
  %67 = uitofp i8 %66 to double
  store double %67, ptr %65, align 8, !tbaa !37
  call void @llvm.lifetime.start.p0(ptr %30) #4
  store i32 0, ptr %30, align 4, !tbaa !5
  br label %68

68:                                               ; preds = %81, %14
  %69 = load i32, ptr %30, align 4, !tbaa !5
  %70 = icmp slt i32 %69, 13
  br i1 %70, label %72, label %71

71:                                               ; preds = %68
  call void @llvm.lifetime.end.p0(ptr %30) #4
  br label %84

72:                                               ; preds = %68
  %73 = load i32, ptr %30, align 4, !tbaa !5
  %74 = sext i32 %73 to i64
  %75 = getelementptr inbounds [13 x double], ptr %29, i64 0, i64 %74
  %76 = load double, ptr %75, align 8, !tbaa !37
  %77 = load ptr, ptr %15, align 8, !tbaa !35
  %78 = load i32, ptr %30, align 4, !tbaa !5
  %79 = sext i32 %78 to i64
  %80 = getelementptr inbounds double, ptr %77, i64 %79
  store double %76, ptr %80, align 8, !tbaa !37
  br label %81

81:                                               ; preds = %72
  %82 = load i32, ptr %30, align 4, !tbaa !5
  %83 = add nsw i32 %82, 1
  store i32 %83, ptr %30, align 4, !tbaa !5
  br label %68, !llvm.loop !53

84:                                               ; preds = %71
  call void @llvm.lifetime.end.p0(ptr %29) #4
  ret void
}

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(argmem: readwrite)
declare void @llvm.lifetime.start.p0(ptr captures(none)) #3

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(argmem: readwrite)
declare void @llvm.lifetime.end.p0(ptr captures(none)) #3

attributes #0 = { nounwind uwtable "min-legal-vector-width"="0" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cmov,+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #1 = { nocallback nofree nounwind willreturn memory(argmem: readwrite) }
attributes #2 = { nounwind uwtable "min-legal-vector-width"="128" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cmov,+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #3 = { nocallback nofree nosync nounwind willreturn memory(argmem: readwrite) }
attributes #4 = { nounwind }

!llvm.module.flags = !{!0, !1, !2, !3}
!llvm.ident = !{!4}
!llvm.errno.tbaa = !{!5}

!0 = !{i32 1, !"wchar_size", i32 4}
!1 = !{i32 8, !"PIC Level", i32 2}
!2 = !{i32 7, !"PIE Level", i32 2}
!3 = !{i32 7, !"uwtable", i32 2}
!4 = !{!"Debian clang version 22.1.8 (1~deb12u1)"}
!5 = !{!6, !6, i64 0}
!6 = !{!"int", !7, i64 0}
!7 = !{!"omnipotent char", !8, i64 0}
!8 = !{!"Simple C/C++ TBAA"}
!9 = !{!10, !10, i64 0}
!10 = !{!"p1 omnipotent char", !11, i64 0}
!11 = !{!"any pointer", !7, i64 0}
!12 = !{!7, !7, i64 0}
!13 = !{!14, !14, i64 0}
!14 = !{!"p1 short", !11, i64 0}
!15 = !{!16, !16, i64 0}
!16 = !{!"short", !7, i64 0}
!17 = !{!18, !18, i64 0}
!18 = !{!"p1 int", !11, i64 0}
!19 = !{!20, !20, i64 0}
!20 = !{!"p1 long", !11, i64 0}
!21 = !{!22, !22, i64 0}
!22 = !{!"long", !7, i64 0}
!23 = !{!24, !24, i64 0}
!24 = !{!"p1 __int128", !11, i64 0}
!25 = !{!26, !26, i64 0}
!26 = !{!"__int128", !7, i64 0}
!27 = !{!28, !28, i64 0}
!28 = !{!"p1 _Float16", !11, i64 0}
!29 = !{!30, !30, i64 0}
!30 = !{!"_Float16", !7, i64 0}
!31 = !{!32, !32, i64 0}
!32 = !{!"p1 float", !11, i64 0}
!33 = !{!34, !34, i64 0}
!34 = !{!"float", !7, i64 0}
!35 = !{!36, !36, i64 0}
!36 = !{!"p1 double", !11, i64 0}
!37 = !{!38, !38, i64 0}
!38 = !{!"double", !7, i64 0}
!39 = !{!40, !40, i64 0}
!40 = !{!"p1 _Bool", !11, i64 0}
!41 = !{!42, !42, i64 0}
!42 = !{!"_Bool", !7, i64 0}
!43 = !{i8 0, i8 2}
!44 = !{}
!45 = !{!46, !46, i64 0}
!46 = !{!"any p2 pointer", !11, i64 0}
!47 = !{!11, !11, i64 0}
!48 = !{!49, !49, i64 0}
!49 = !{!"p1 _ZTS5large", !11, i64 0}
!50 = !{i64 0, i64 1, !12, i64 8, i64 8, !37, i64 16, i64 10, !12, i64 32, i64 8, !51}
!51 = !{!52, !52, i64 0}
!52 = !{!"long long", !7, i64 0}
!53 = distinct !{!53, !54}
!54 = !{!"llvm.loop.mustprogress"}
