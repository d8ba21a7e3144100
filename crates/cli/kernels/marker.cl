// A program that says which one it is. Two of them are made, alike but for the number they write.
//
// emit marker_a.ll: -target spir64 -cl-std=CL3.0 -O2 -Xclang -disable-llvm-passes -DMARKER=1111
// emit marker_b.ll: -target spir64 -cl-std=CL3.0 -O2 -Xclang -disable-llvm-passes -DMARKER=2222

kernel void mark(global uint *out) { *out = MARKER; }
