; ModuleID = 'ids.c'
source_filename = "ids.c"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

@items = dso_local global i32 0, align 4
@llvm.compiler.used = appending global [2 x ptr] [ptr @ids, ptr @count], section "llvm.metadata"

; Function Attrs: nounwind uwtable
define dso_local void @ids(ptr noundef %0) #0 section "oarlock.kernel" {
  %2 = alloca ptr, align 8
  %3 = alloca i64, align 8
  %4 = alloca i64, align 8
  %5 = alloca i64, align 8
  %6 = alloca i64, align 8
  %7 = alloca ptr, align 8
  %8 = alloca i32, align 4
  store ptr %0, ptr %2, align 8, !tbaa !9
  call void @llvm.lifetime.start.p0(ptr %3) #3
  %9 = call i64 @oarlock_global_id(i32 noundef 0)
  store i64 %9, ptr %3, align 8, !tbaa !12
  call void @llvm.lifetime.start.p0(ptr %4) #3
  %10 = call i64 @oarlock_global_id(i32 noundef 1)
  store i64 %10, ptr %4, align 8, !tbaa !12
  call void @llvm.lifetime.start.p0(ptr %5) #3
  %11 = call i64 @oarlock_global_id(i32 noundef 2)
  store i64 %11, ptr %5, align 8, !tbaa !12
  call void @llvm.lifetime.start.p0(ptr %6) #3
  %12 = load i64, ptr %5, align 8, !tbaa !12
  %13 = call i64 @oarlock_global_size(i32 noundef 1)
  %14 = mul i64 %12, %13
  %15 = load i64, ptr %4, align 8, !tbaa !12
  %16 = add i64 %14, %15
  %17 = call i64 @oarlock_global_size(i32 noundef 0)
  %18 = mul i64 %16, %17
  %19 = load i64, ptr %3, align 8, !tbaa !12
  %20 = add i64 %18, %19
  store i64 %20, ptr %6, align 8, !tbaa !12
  call void @llvm.lifetime.start.p0(ptr %7) #3
  %21 = load ptr, ptr %2, align 8, !tbaa !9
  %22 = load i64, ptr %6, align 8, !tbaa !12
  %23 = mul i64 %22, 10
  %24 = getelementptr inbounds nuw i32, ptr %21, i64 %23
  store ptr %24, ptr %7, align 8, !tbaa !9
  call void @llvm.lifetime.start.p0(ptr %8) #3
  store i32 0, ptr %8, align 4, !tbaa !5
  br label %25

25:                                               ; preds = %50, %1
  %26 = load i32, ptr %8, align 4, !tbaa !5
  %27 = icmp ult i32 %26, 3
  br i1 %27, label %29, label %28

28:                                               ; preds = %25
  call void @llvm.lifetime.end.p0(ptr %8) #3
  br label %53

29:                                               ; preds = %25
  %30 = load i32, ptr %8, align 4, !tbaa !5
  %31 = call i32 @oarlock_local_id(i32 noundef %30)
  %32 = load ptr, ptr %7, align 8, !tbaa !9
  %33 = load i32, ptr %8, align 4, !tbaa !5
  %34 = zext i32 %33 to i64
  %35 = getelementptr inbounds nuw i32, ptr %32, i64 %34
  store i32 %31, ptr %35, align 4, !tbaa !5
  %36 = load i32, ptr %8, align 4, !tbaa !5
  %37 = call i32 @oarlock_group_id(i32 noundef %36)
  %38 = load ptr, ptr %7, align 8, !tbaa !9
  %39 = load i32, ptr %8, align 4, !tbaa !5
  %40 = add i32 3, %39
  %41 = zext i32 %40 to i64
  %42 = getelementptr inbounds nuw i32, ptr %38, i64 %41
  store i32 %37, ptr %42, align 4, !tbaa !5
  %43 = load i32, ptr %8, align 4, !tbaa !5
  %44 = call i32 @oarlock_group_size(i32 noundef %43)
  %45 = load ptr, ptr %7, align 8, !tbaa !9
  %46 = load i32, ptr %8, align 4, !tbaa !5
  %47 = add i32 6, %46
  %48 = zext i32 %47 to i64
  %49 = getelementptr inbounds nuw i32, ptr %45, i64 %48
  store i32 %44, ptr %49, align 4, !tbaa !5
  br label %50

50:                                               ; preds = %29
  %51 = load i32, ptr %8, align 4, !tbaa !5
  %52 = add i32 %51, 1
  store i32 %52, ptr %8, align 4, !tbaa !5
  br label %25, !llvm.loop !14

53:                                               ; preds = %28
  %54 = load ptr, ptr %7, align 8, !tbaa !9
  %55 = getelementptr inbounds i32, ptr %54, i64 9
  %56 = load i32, ptr %55, align 4, !tbaa !5
  %57 = add nsw i32 %56, 1
  store i32 %57, ptr %55, align 4, !tbaa !5
  call void @llvm.lifetime.end.p0(ptr %7) #3
  call void @llvm.lifetime.end.p0(ptr %6) #3
  call void @llvm.lifetime.end.p0(ptr %5) #3
  call void @llvm.lifetime.end.p0(ptr %4) #3
  call void @llvm.lifetime.end.p0(ptr %3) #3
  ret void
}

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(argmem: readwrite)
declare void @llvm.lifetime.start.p0(ptr captures(none)) #1

declare i64 @oarlock_global_id(i32 noundef) #2

declare i64 @oarlock_global_size(i32 noundef) #2

declare i32 @oarlock_local_id(i32 noundef) #2

declare i32 @oarlock_group_id(i32 noundef) #2

declare i32 @oarlock_group_size(i32 noundef) #2

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(argmem: readwrite)
declare void @llvm.lifetime.end.p0(ptr captures(none)) #1

; Function Attrs: nounwind uwtable
define dso_local void @count() #0 section "oarlock.kernel" {
  %1 = alloca i32, align 4
  %2 = alloca i32, align 4
  store i32 1, ptr %1, align 4, !tbaa !5
  %3 = load i32, ptr %1, align 4
  %4 = atomicrmw add ptr @items, i32 %3 monotonic, align 4
  store i32 %4, ptr %2, align 4
  %5 = load i32, ptr %2, align 4, !tbaa !5
  ret void
}

attributes #0 = { nounwind uwtable "min-legal-vector-width"="0" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cmov,+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #1 = { nocallback nofree nosync nounwind willreturn memory(argmem: readwrite) }
attributes #2 = { "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cmov,+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #3 = { nounwind }

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
