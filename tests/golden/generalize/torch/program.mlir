module {
  func.func @main(%x: !torch.vtensor<[2,12,16],f32>, %y: !torch.vtensor<[2,12,16],f32>) -> (!torch.vtensor<[24,16],f32>, !torch.vtensor<[3,2,192],f32>) {
    %int1 = torch.constant.int 1
    %int2 = torch.constant.int 2
    %int3 = torch.constant.int 3
    %int16 = torch.constant.int 16
    %int24 = torch.constant.int 24
    %int192 = torch.constant.int 192
    %int-1 = torch.constant.int -1
    %false = torch.constant.bool false
    %0 = torch.aten.add.Tensor %x, %y, %int1 : !torch.vtensor<[2,12,16],f32>, !torch.vtensor<[2,12,16],f32>, !torch.int -> !torch.vtensor<[2,12,16],f32>
    %1 = torch.prim.ListConstruct %int24, %int16 : (!torch.int, !torch.int) -> !torch.list<int>
    %2 = torch.aten.view %0, %1 : !torch.vtensor<[2,12,16],f32>, !torch.list<int> -> !torch.vtensor<[24,16],f32>
    // The list is one of two operations, and the size of x is computed as it is.
    %int0 = torch.constant.int 0
    %size = torch.aten.size.int %x, %int0 : !torch.vtensor<[2,12,16],f32>, !torch.int -> !torch.int
    %3 = torch.prim.ListConstruct %size, %int192 : (!torch.int, !torch.int) -> !torch.list<int>
    %4 = torch.aten.view %0, %3 : !torch.vtensor<[2,12,16],f32>, !torch.list<int> -> !torch.vtensor<[2,192],f32>
    %5 = torch.aten.reshape %2, %3 : !torch.vtensor<[24,16],f32>, !torch.list<int> -> !torch.vtensor<[2,192],f32>
    %6 = torch.aten.add.Tensor %4, %5, %int1 : !torch.vtensor<[2,192],f32>, !torch.vtensor<[2,192],f32>, !torch.int -> !torch.vtensor<[2,192],f32>
    %7 = torch.prim.ListConstruct %int3, %int2, %int-1 : (!torch.int, !torch.int, !torch.int) -> !torch.list<int>
    %8 = torch.aten.expand %6, %7, %false : !torch.vtensor<[2,192],f32>, !torch.list<int>, !torch.bool -> !torch.vtensor<[3,2,192],f32>
    return %2, %8 : !torch.vtensor<[24,16],f32>, !torch.vtensor<[3,2,192],f32>
  }
}
