// One list of several operations that need it differently once dims are free, and one that the program returns.
func.func @main(%x: !torch.vtensor<[4,6],f32>, %y: !torch.vtensor<[2],f32>, %z: !torch.vtensor<[1],f32>) -> (!torch.vtensor<[24],f32>, !torch.vtensor<[48],f32>, !torch.vtensor<[24],f32>, !torch.vtensor<[24],f32>, !torch.list<int>, !torch.vtensor<[4,6],f32>, !torch.vtensor<[16,36],f32>, !torch.vtensor<[24],f32>) {
  %i24 = torch.constant.int 24
  %i6 = torch.constant.int 6
  %i1 = torch.constant.int 1
  %i0 = torch.constant.int 0
  %false = torch.constant.bool false
  %none = torch.constant.none
  %l = torch.prim.ListConstruct %i24 : (!torch.int) -> !torch.list<int>
  %v = torch.aten.view %x, %l : !torch.vtensor<[4,6],f32>, !torch.list<int> -> !torch.vtensor<[24],f32>
  %r = torch.aten.repeat %y, %l : !torch.vtensor<[2],f32>, !torch.list<int> -> !torch.vtensor<[48],f32>
  %e = torch.aten.expand %z, %l, %false : !torch.vtensor<[1],f32>, !torch.list<int>, !torch.bool -> !torch.vtensor<[24],f32>
  %o = torch.aten.zeros %l, %none, %none, %none, %none : !torch.list<int>, !torch.none, !torch.none, !torch.none, !torch.none -> !torch.vtensor<[24],f32>
  // An item of it is computed.
  %size = torch.aten.size.int %x, %i0 : !torch.vtensor<[4,6],f32>, !torch.int -> !torch.int
  %m = torch.prim.ListConstruct %size, %i6 : (!torch.int, !torch.int) -> !torch.list<int>
  %w = torch.aten.view %v, %m : !torch.vtensor<[24],f32>, !torch.list<int> -> !torch.vtensor<[4,6],f32>
  %q = torch.aten.repeat %w, %m : !torch.vtensor<[4,6],f32>, !torch.list<int> -> !torch.vtensor<[16,36],f32>
  %f = torch.aten.full %m, %i1, %none, %none, %none, %none : !torch.list<int>, !torch.int, !torch.none, !torch.none, !torch.none, !torch.none -> !torch.vtensor<[4,6],f32>
  // All that takes this one needs it so.
  %n = torch.prim.ListConstruct %i24 : (!torch.int) -> !torch.list<int>
  %a = torch.aten.reshape %x, %n : !torch.vtensor<[4,6],f32>, !torch.list<int> -> !torch.vtensor<[24],f32>
  %b = torch.aten.view %f, %n : !torch.vtensor<[4,6],f32>, !torch.list<int> -> !torch.vtensor<[24],f32>
  %s = torch.aten.add.Tensor %a, %b, %i1 : !torch.vtensor<[24],f32>, !torch.vtensor<[24],f32>, !torch.int -> !torch.vtensor<[24],f32>
  return %v, %r, %e, %o, %l, %w, %q, %s : !torch.vtensor<[24],f32>, !torch.vtensor<[48],f32>, !torch.vtensor<[24],f32>, !torch.vtensor<[24],f32>, !torch.list<int>, !torch.vtensor<[4,6],f32>, !torch.vtensor<[16,36],f32>, !torch.vtensor<[24],f32>
}
