; ModuleID = 'lifecycle.c'
source_filename = "lifecycle.c"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

@counter = dso_local global i32 5, align 4
@table = dso_local constant [4 x i32] [i32 1, i32 2, i32 3, i32 4], align 16
@order = dso_local global [8 x i32] zeroinitializer, align 16
@built = dso_local global i32 0, align 4
@log_of_end = dso_local global ptr null, align 8
@uninitialised = dso_local global [16 x i32] zeroinitializer, align 16
@llvm.global_ctors = appending global [4 x { i32, ptr, ptr }] [{ i32, ptr, ptr } { i32 300, ptr @third, ptr null }, { i32, ptr, ptr } { i32 101, ptr @first, ptr null }, { i32, ptr, ptr } { i32 65535, ptr @last, ptr null }, { i32, ptr, ptr } { i32 200, ptr @second, ptr null }]
@llvm.global_dtors = appending global [3 x { i32, ptr, ptr }] [{ i32, ptr, ptr } { i32 101, ptr @end_first_built, ptr null }, { i32, ptr, ptr } { i32 200, ptr @end_second_built, ptr null }, { i32, ptr, ptr } { i32 65535, ptr @end_last_built, ptr null }]
@llvm.compiler.used = appending global [3 x ptr] [ptr @watch, ptr @add, ptr @read_counter], section "llvm.metadata"

; Function Attrs: nounwind uwtable
define internal void @third() #0 {
  %1 = load volatile i32, ptr @built, align 4, !tbaa !5
  %2 = add nsw i32 %1, 1
  store volatile i32 %2, ptr @built, align 4, !tbaa !5
  %3 = sext i32 %1 to i64
  %4 = getelementptr inbounds [8 x i32], ptr @order, i64 0, i64 %3
  store volatile i32 3, ptr %4, align 4, !tbaa !5
  ret void
}

; Function Attrs: nounwind uwtable
define internal void @first() #0 {
  %1 = load volatile i32, ptr @built, align 4, !tbaa !5
  %2 = add nsw i32 %1, 1
  store volatile i32 %2, ptr @built, align 4, !tbaa !5
  %3 = sext i32 %1 to i64
  %4 = getelementptr inbounds [8 x i32], ptr @order, i64 0, i64 %3
  store volatile i32 1, ptr %4, align 4, !tbaa !5
  ret void
}

; Function Attrs: nounwind uwtable
define internal void @last() #0 {
  %1 = load volatile i32, ptr @built, align 4, !tbaa !5
  %2 = add nsw i32 %1, 1
  store volatile i32 %2, ptr @built, align 4, !tbaa !5
  %3 = sext i32 %1 to i64
  %4 = getelementptr inbounds [8 x i32], ptr @order, i64 0, i64 %3
  store volatile i32 4, ptr %4, align 4, !tbaa !5
  ret void
}

; Function Attrs: nounwind uwtable
define internal void @second() #0 {
  %1 = load volatile i32, ptr @built, align 4, !tbaa !5
  %2 = add nsw i32 %1, 1
  store volatile i32 %2, ptr @built, align 4, !tbaa !5
  %3 = sext i32 %1 to i64
  %4 = getelementptr inbounds [8 x i32], ptr @order, i64 0, i64 %3
  store volatile i32 2, ptr %4, align 4, !tbaa !5
  ret void
}

; Function Attrs: nounwind uwtable
define internal void @end_first_built() #0 {
  call void @append(i32 noundef 1)
  ret void
}

; Function Attrs: nounwind uwtable
define internal void @append(i32 noundef %0) #0 {
  %2 = alloca i32, align 4
  store i32 %0, ptr %2, align 4, !tbaa !5
  %3 = load ptr, ptr @log_of_end, align 8, !tbaa !9
  %4 = icmp ne ptr %3, null
  br i1 %4, label %5, label %14

5:                                                ; preds = %1
  %6 = load i32, ptr %2, align 4, !tbaa !5
  %7 = load ptr, ptr @log_of_end, align 8, !tbaa !9
  %8 = load ptr, ptr @log_of_end, align 8, !tbaa !9
  %9 = getelementptr inbounds i32, ptr %8, i64 0
  %10 = load i32, ptr %9, align 4, !tbaa !5
  %11 = add nsw i32 %10, 1
  store i32 %11, ptr %9, align 4, !tbaa !5
  %12 = sext i32 %11 to i64
  %13 = getelementptr inbounds i32, ptr %7, i64 %12
  store i32 %6, ptr %13, align 4, !tbaa !5
  br label %14

14:                                               ; preds = %5, %1
  ret void
}

; Function Attrs: nounwind uwtable
define internal void @end_second_built() #0 {
  call void @append(i32 noundef 2)
  ret void
}

; Function Attrs: nounwind uwtable
define internal void @end_last_built() #0 {
  call void @append(i32 noundef 4)
  ret void
}

; Function Attrs: nounwind uwtable
define dso_local void @watch(ptr noundef %0) #0 section "oarlock.kernel" {
  %2 = alloca ptr, align 8
  store ptr %0, ptr %2, align 8, !tbaa !9
  %3 = load ptr, ptr %2, align 8, !tbaa !9
  store ptr %3, ptr @log_of_end, align 8, !tbaa !9
  ret void
}

; Function Attrs: nounwind uwtable
define dso_local void @add(i32 noundef %0) #0 section "oarlock.kernel" {
  %2 = alloca i32, align 4
  store i32 %0, ptr %2, align 4, !tbaa !5
  %3 = load i32, ptr %2, align 4, !tbaa !5
  %4 = load i32, ptr @counter, align 4, !tbaa !5
  %5 = add nsw i32 %4, %3
  store i32 %5, ptr @counter, align 4, !tbaa !5
  ret void
}

; Function Attrs: nounwind uwtable
define dso_local void @read_counter(ptr noundef %0) #0 section "oarlock.kernel" {
  %2 = alloca ptr, align 8
  store ptr %0, ptr %2, align 8, !tbaa !9
  %3 = load i32, ptr @counter, align 4, !tbaa !5
  %4 = load ptr, ptr %2, align 8, !tbaa !9
  store i32 %3, ptr %4, align 4, !tbaa !5
  ret void
}

attributes #0 = { nounwind uwtable "min-legal-vector-width"="0" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cmov,+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }

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
