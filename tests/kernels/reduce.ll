; ModuleID = 'reduce.c'
source_filename = "reduce.c"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

@partial = internal addrspace(3) global [256 x i32] zeroinitializer, align 16
@llvm.compiler.used = appending global [2 x ptr] [ptr @reduce, ptr @reduce_dynamic], section "llvm.metadata"

; Function Attrs: nounwind uwtable
define dso_local void @reduce(ptr noundef %0, ptr noundef %1) #0 section "oarlock.kernel" {
  %3 = alloca ptr, align 8
  %4 = alloca ptr, align 8
  %5 = alloca i32, align 4
  %6 = alloca i32, align 4
  store ptr %0, ptr %3, align 8, !tbaa !9
  store ptr %1, ptr %4, align 8, !tbaa !9
  call void @llvm.lifetime.start.p0(ptr %5) #4
  %7 = call i32 @oarlock_local_id(i32 noundef 0)
  store i32 %7, ptr %5, align 4, !tbaa !5
  %8 = load ptr, ptr %3, align 8, !tbaa !9
  %9 = call i64 @oarlock_global_id(i32 noundef 0)
  %10 = getelementptr inbounds nuw i32, ptr %8, i64 %9
  %11 = load i32, ptr %10, align 4, !tbaa !5
  %12 = load i32, ptr %5, align 4, !tbaa !5
  %13 = zext i32 %12 to i64
  %14 = getelementptr inbounds nuw [256 x i32], ptr addrspace(3) @partial, i64 0, i64 %13
  store i32 %11, ptr addrspace(3) %14, align 4, !tbaa !5
  call void @llvm.lifetime.start.p0(ptr %6) #4
  store i32 128, ptr %6, align 4, !tbaa !5
  br label %15

15:                                               ; preds = %36, %2
  %16 = load i32, ptr %6, align 4, !tbaa !5
  %17 = icmp ugt i32 %16, 0
  br i1 %17, label %19, label %18

18:                                               ; preds = %15
  call void @llvm.lifetime.end.p0(ptr %6) #4
  br label %39

19:                                               ; preds = %15
  call void @oarlock_barrier() #5
  %20 = load i32, ptr %5, align 4, !tbaa !5
  %21 = load i32, ptr %6, align 4, !tbaa !5
  %22 = icmp ult i32 %20, %21
  br i1 %22, label %23, label %35

23:                                               ; preds = %19
  %24 = load i32, ptr %5, align 4, !tbaa !5
  %25 = load i32, ptr %6, align 4, !tbaa !5
  %26 = add i32 %24, %25
  %27 = zext i32 %26 to i64
  %28 = getelementptr inbounds nuw [256 x i32], ptr addrspace(3) @partial, i64 0, i64 %27
  %29 = load i32, ptr addrspace(3) %28, align 4, !tbaa !5
  %30 = load i32, ptr %5, align 4, !tbaa !5
  %31 = zext i32 %30 to i64
  %32 = getelementptr inbounds nuw [256 x i32], ptr addrspace(3) @partial, i64 0, i64 %31
  %33 = load i32, ptr addrspace(3) %32, align 4, !tbaa !5
  %34 = add nsw i32 %33, %29
  store i32 %34, ptr addrspace(3) %32, align 4, !tbaa !5
  br label %35

35:                                               ; preds = %23, %19
  br label %36

36:                                               ; preds = %35
  %37 = load i32, ptr %6, align 4, !tbaa !5
  %38 = udiv i32 %37, 2
  store i32 %38, ptr %6, align 4, !tbaa !5
  br label %15, !llvm.loop !12

39:                                               ; preds = %18
  %40 = load i32, ptr %5, align 4, !tbaa !5
  %41 = icmp eq i32 %40, 0
  br i1 %41, label %42, label %48

42:                                               ; preds = %39
  %43 = load i32, ptr addrspace(3) @partial, align 16, !tbaa !5
  %44 = load ptr, ptr %4, align 8, !tbaa !9
  %45 = call i32 @oarlock_group_id(i32 noundef 0)
  %46 = zext i32 %45 to i64
  %47 = getelementptr inbounds nuw i32, ptr %44, i64 %46
  store i32 %43, ptr %47, align 4, !tbaa !5
  br label %48

48:                                               ; preds = %42, %39
  call void @llvm.lifetime.end.p0(ptr %5) #4
  ret void
}

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(argmem: readwrite)
declare void @llvm.lifetime.start.p0(ptr captures(none)) #1

declare i32 @oarlock_local_id(i32 noundef) #2

declare i64 @oarlock_global_id(i32 noundef) #2

; Function Attrs: convergent
declare void @oarlock_barrier() #3

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(argmem: readwrite)
declare void @llvm.lifetime.end.p0(ptr captures(none)) #1

declare i32 @oarlock_group_id(i32 noundef) #2

; Function Attrs: nounwind uwtable
define dso_local void @reduce_dynamic(ptr noundef %0, ptr noundef %1) #0 section "oarlock.kernel" {
  %3 = alloca ptr, align 8
  %4 = alloca ptr, align 8
  %5 = alloca ptr, align 8
  %6 = alloca i32, align 4
  %7 = alloca i32, align 4
  store ptr %0, ptr %3, align 8, !tbaa !9
  store ptr %1, ptr %4, align 8, !tbaa !9
  call void @llvm.lifetime.start.p0(ptr %5) #4
  %8 = call ptr @oarlock_group_memory()
  store ptr %8, ptr %5, align 8, !tbaa !9
  call void @llvm.lifetime.start.p0(ptr %6) #4
  %9 = call i32 @oarlock_local_id(i32 noundef 0)
  store i32 %9, ptr %6, align 4, !tbaa !5
  %10 = load ptr, ptr %3, align 8, !tbaa !9
  %11 = call i64 @oarlock_global_id(i32 noundef 0)
  %12 = getelementptr inbounds nuw i32, ptr %10, i64 %11
  %13 = load i32, ptr %12, align 4, !tbaa !5
  %14 = load ptr, ptr %5, align 8, !tbaa !9
  %15 = load i32, ptr %6, align 4, !tbaa !5
  %16 = zext i32 %15 to i64
  %17 = getelementptr inbounds nuw i32, ptr %14, i64 %16
  store i32 %13, ptr %17, align 4, !tbaa !5
  call void @llvm.lifetime.start.p0(ptr %7) #4
  %18 = call i32 @oarlock_group_size(i32 noundef 0)
  %19 = udiv i32 %18, 2
  store i32 %19, ptr %7, align 4, !tbaa !5
  br label %20

20:                                               ; preds = %43, %2
  %21 = load i32, ptr %7, align 4, !tbaa !5
  %22 = icmp ugt i32 %21, 0
  br i1 %22, label %24, label %23

23:                                               ; preds = %20
  call void @llvm.lifetime.end.p0(ptr %7) #4
  br label %46

24:                                               ; preds = %20
  call void @oarlock_barrier() #5
  %25 = load i32, ptr %6, align 4, !tbaa !5
  %26 = load i32, ptr %7, align 4, !tbaa !5
  %27 = icmp ult i32 %25, %26
  br i1 %27, label %28, label %42

28:                                               ; preds = %24
  %29 = load ptr, ptr %5, align 8, !tbaa !9
  %30 = load i32, ptr %6, align 4, !tbaa !5
  %31 = load i32, ptr %7, align 4, !tbaa !5
  %32 = add i32 %30, %31
  %33 = zext i32 %32 to i64
  %34 = getelementptr inbounds nuw i32, ptr %29, i64 %33
  %35 = load i32, ptr %34, align 4, !tbaa !5
  %36 = load ptr, ptr %5, align 8, !tbaa !9
  %37 = load i32, ptr %6, align 4, !tbaa !5
  %38 = zext i32 %37 to i64
  %39 = getelementptr inbounds nuw i32, ptr %36, i64 %38
  %40 = load i32, ptr %39, align 4, !tbaa !5
  %41 = add nsw i32 %40, %35
  store i32 %41, ptr %39, align 4, !tbaa !5
  br label %42

42:                                               ; preds = %28, %24
  br label %43

43:                                               ; preds = %42
  %44 = load i32, ptr %7, align 4, !tbaa !5
  %45 = udiv i32 %44, 2
  store i32 %45, ptr %7, align 4, !tbaa !5
  br label %20, !llvm.loop !14

46:                                               ; preds = %23
  %47 = load i32, ptr %6, align 4, !tbaa !5
  %48 = icmp eq i32 %47, 0
  br i1 %48, label %49, label %57

49:                                               ; preds = %46
  %50 = load ptr, ptr %5, align 8, !tbaa !9
  %51 = getelementptr inbounds i32, ptr %50, i64 0
  %52 = load i32, ptr %51, align 4, !tbaa !5
  %53 = load ptr, ptr %4, align 8, !tbaa !9
  %54 = call i32 @oarlock_group_id(i32 noundef 0)
  %55 = zext i32 %54 to i64
  %56 = getelementptr inbounds nuw i32, ptr %53, i64 %55
  store i32 %52, ptr %56, align 4, !tbaa !5
  br label %57

57:                                               ; preds = %49, %46
  call void @llvm.lifetime.end.p0(ptr %6) #4
  call void @llvm.lifetime.end.p0(ptr %5) #4
  ret void
}

declare ptr @oarlock_group_memory() #2

declare i32 @oarlock_group_size(i32 noundef) #2

attributes #0 = { nounwind uwtable "min-legal-vector-width"="0" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cmov,+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #1 = { nocallback nofree nosync nounwind willreturn memory(argmem: readwrite) }
attributes #2 = { "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cmov,+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #3 = { convergent "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cmov,+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #4 = { nounwind }
attributes #5 = { convergent }

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
!12 = distinct !{!12, !13}
!13 = !{!"llvm.loop.mustprogress"}
!14 = distinct !{!14, !13}
