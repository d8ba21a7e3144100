; ModuleID = 'spin.c'
source_filename = "spin.c"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

@llvm.compiler.used = appending global [2 x ptr] [ptr @spin, ptr @step], section "llvm.metadata"

; Function Attrs: nounwind uwtable
define dso_local void @spin(ptr noundef %0, i64 noundef %1) #0 section "oarlock.kernel" {
  %3 = alloca ptr, align 8
  %4 = alloca i64, align 8
  %5 = alloca i64, align 8
  %6 = alloca i32, align 4
  %7 = alloca i32, align 4
  store ptr %0, ptr %3, align 8, !tbaa !9
  store i64 %1, ptr %4, align 8, !tbaa !12
  call void @llvm.lifetime.start.p0(ptr %5) #2
  store volatile i64 0, ptr %5, align 8, !tbaa !12
  br label %8

8:                                                ; preds = %14, %2
  %9 = load volatile i64, ptr %5, align 8, !tbaa !12
  %10 = load i64, ptr %4, align 8, !tbaa !12
  %11 = icmp slt i64 %9, %10
  br i1 %11, label %13, label %12

12:                                               ; preds = %8
  call void @llvm.lifetime.end.p0(ptr %5) #2
  br label %17

13:                                               ; preds = %8
  br label %14

14:                                               ; preds = %13
  %15 = load volatile i64, ptr %5, align 8, !tbaa !12
  %16 = add nsw i64 %15, 1
  store volatile i64 %16, ptr %5, align 8, !tbaa !12
  br label %8, !llvm.loop !14

17:                                               ; preds = %12
  %18 = load ptr, ptr %3, align 8, !tbaa !9
  store i32 1, ptr %6, align 4, !tbaa !5
  %19 = load i32, ptr %6, align 4
  %20 = atomicrmw add ptr %18, i32 %19 seq_cst, align 4
  store i32 %20, ptr %7, align 4
  %21 = load i32, ptr %7, align 4, !tbaa !5
  ret void
}

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(argmem: readwrite)
declare void @llvm.lifetime.start.p0(ptr captures(none)) #1

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(argmem: readwrite)
declare void @llvm.lifetime.end.p0(ptr captures(none)) #1

; Function Attrs: nounwind uwtable
define dso_local void @step(ptr noundef %0, i32 noundef %1) #0 section "oarlock.kernel" {
  %3 = alloca ptr, align 8
  %4 = alloca i32, align 4
  %5 = alloca i32, align 4
  store ptr %0, ptr %3, align 8, !tbaa !9
  store i32 %1, ptr %4, align 4, !tbaa !5
  call void @llvm.lifetime.start.p0(ptr %5) #2
  store volatile i32 0, ptr %5, align 4, !tbaa !5
  br label %6

6:                                                ; preds = %11, %2
  %7 = load volatile i32, ptr %5, align 4, !tbaa !5
  %8 = icmp slt i32 %7, 1000
  br i1 %8, label %10, label %9

9:                                                ; preds = %6
  call void @llvm.lifetime.end.p0(ptr %5) #2
  br label %14

10:                                               ; preds = %6
  br label %11

11:                                               ; preds = %10
  %12 = load volatile i32, ptr %5, align 4, !tbaa !5
  %13 = add nsw i32 %12, 1
  store volatile i32 %13, ptr %5, align 4, !tbaa !5
  br label %6, !llvm.loop !16

14:                                               ; preds = %9
  %15 = load ptr, ptr %3, align 8, !tbaa !9
  %16 = load i32, ptr %15, align 4, !tbaa !5
  %17 = load i32, ptr %4, align 4, !tbaa !5
  %18 = icmp eq i32 %16, %17
  br i1 %18, label %19, label %23

19:                                               ; preds = %14
  %20 = load i32, ptr %4, align 4, !tbaa !5
  %21 = add nsw i32 %20, 1
  %22 = load ptr, ptr %3, align 8, !tbaa !9
  store i32 %21, ptr %22, align 4, !tbaa !5
  br label %23

23:                                               ; preds = %19, %14
  ret void
}

attributes #0 = { nounwind uwtable "min-legal-vector-width"="0" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cmov,+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #1 = { nocallback nofree nosync nounwind willreturn memory(argmem: readwrite) }
attributes #2 = { nounwind }

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
!10 = !{!"p1 int", !11, i64 0}
!11 = !{!"any pointer", !7, i64 0}
!12 = !{!13, !13, i64 0}
!13 = !{!"long", !7, i64 0}
!14 = distinct !{!14, !15}
!15 = !{!"llvm.loop.mustprogress"}
!16 = distinct !{!16, !15}
