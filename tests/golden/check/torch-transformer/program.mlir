// A block of a transformer as torch-mlir has it: the heads are split by a view whose sizes come from the argument.
#map = affine_map<()[s0, s1] -> (s0, s1 * 8, 64)>
module @module {
  func.func @main(%x: !torch.vtensor<[?,?,64],f32>, %w: !torch.vtensor<[192,64],f32>, %mask: !torch.vtensor<[?,?],f32>) -> !torch.vtensor<[?,?,64],f32> {
    %s0 = torch.symbolic_int "s0" {min_val = 1, max_val = 64} : !torch.int
    %s1 = torch.symbolic_int "s1" {min_val = 1, max_val = 9223372036854775807} : !torch.int
    torch.bind_symbolic_shape %x, [%s0, %s1], #map : !torch.vtensor<[?,?,64],f32>
    %none = torch.constant.none
    %0 = torch.aten.linear %x, %w, %none : !torch.vtensor<[?,?,64],f32>, !torch.vtensor<[192,64],f32>, !torch.none -> !torch.vtensor<[?,?,192],f32>
    %int64 = torch.constant.int 64
    %int-1 = torch.constant.int -1
    %1 = torch.aten.split.Tensor %0, %int64, %int-1 : !torch.vtensor<[?,?,192],f32>, !torch.int, !torch.int -> !torch.list<vtensor>
    %2:3 = torch.prim.ListUnpack %1 : !torch.list<vtensor> -> !torch.vtensor<[?,?,64],f32>, !torch.vtensor<[?,?,64],f32>, !torch.vtensor<*,f32>
    %int0 = torch.constant.int 0
    %int1 = torch.constant.int 1
    %int2 = torch.constant.int 2
    %int4 = torch.constant.int 4
    %int16 = torch.constant.int 16
    %b = torch.aten.size.int %x, %int0 : !torch.vtensor<[?,?,64],f32>, !torch.int -> !torch.int
    %shape = torch.prim.ListConstruct %b, %int-1, %int4, %int16 : (!torch.int, !torch.int, !torch.int, !torch.int) -> !torch.list<int>
    %3 = torch.aten.view %2#0, %shape : !torch.vtensor<[?,?,64],f32>, !torch.list<int> -> !torch.vtensor<[?,?,4,16],f32>
    %4 = torch.aten.view %2#1, %shape : !torch.vtensor<[?,?,64],f32>, !torch.list<int> -> !torch.vtensor<[?,?,4,16],f32>
    %5 = torch.aten.view %2#2, %shape : !torch.vtensor<*,f32>, !torch.list<int> -> !torch.vtensor<*,f32>
    %6 = torch.aten.transpose.int %3, %int1, %int2 : !torch.vtensor<[?,?,4,16],f32>, !torch.int, !torch.int -> !torch.vtensor<[?,4,?,16],f32>
    %7 = torch.aten.transpose.int %4, %int1, %int2 : !torch.vtensor<[?,?,4,16],f32>, !torch.int, !torch.int -> !torch.vtensor<[?,4,?,16],f32>
    %8 = torch.aten.transpose.int %5, %int1, %int2 : !torch.vtensor<*,f32>, !torch.int, !torch.int -> !torch.vtensor<*,f32>
    %float0 = torch.constant.float 0.000000e+00
    %false = torch.constant.bool false
    %9:2 = torch.operator "torch.aten._scaled_dot_product_flash_attention_for_cpu"(%6, %7, %8, %float0, %false, %mask, %none) : (!torch.vtensor<[?,4,?,16],f32>, !torch.vtensor<[?,4,?,16],f32>, !torch.vtensor<*,f32>, !torch.float, !torch.bool, !torch.vtensor<[?,?],f32>, !torch.none) -> (!torch.vtensor<[?,4,?,16],f32>, !torch.vtensor<[?,4,?],f32>)
    %10 = torch.aten.transpose.int %9#0, %int1, %int2 : !torch.vtensor<[?,4,?,16],f32>, !torch.int, !torch.int -> !torch.vtensor<[?,?,4,16],f32>
    %11 = torch.prim.ListConstruct %b, %int-1, %int64 : (!torch.int, !torch.int, !torch.int) -> !torch.list<int>
    %12 = torch.aten.reshape %10, %11 : !torch.vtensor<[?,?,4,16],f32>, !torch.list<int> -> !torch.vtensor<[?,?,64],f32>
    %13 = torch.aten.add.Tensor %x, %12, %int1 : !torch.vtensor<[?,?,64],f32>, !torch.vtensor<[?,?,64],f32>, !torch.int -> !torch.vtensor<[?,?,64],f32>
    return %13 : !torch.vtensor<[?,?,64],f32>
  }
}
