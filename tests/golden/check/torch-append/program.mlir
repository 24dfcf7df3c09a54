// SPDX-License-Identifier: Apache-2.0
func.func @main(%x: !torch.vtensor<[?,4],f32>, %w: !torch.vtensor<[?,4],f32>, %n: !torch.int) -> (!torch.vtensor<[?,4],f32>, !torch.int) {
  %true = torch.constant.bool true
  %int0 = torch.constant.int 0
  %l = torch.prim.ListConstruct %x, %w : (!torch.vtensor<[?,4],f32>, !torch.vtensor<[?,4],f32>) -> !torch.list<vtensor>
  torch.prim.Loop %n, %true, init() {
  ^bb0(%i: !torch.int):
    %q = torch.aten.append.t %l, %x : !torch.list<vtensor>, !torch.vtensor<[?,4],f32> -> !torch.list<vtensor>
    torch.prim.Loop.condition %true, iter()
  } : (!torch.int, !torch.bool) -> ()
  %1 = torch.aten.cat %l, %int0 : !torch.list<vtensor>, !torch.int -> !torch.vtensor<[?,4],f32>
  %2 = torch.aten.len.t %l : !torch.list<vtensor> -> !torch.int
  return %1, %2 : !torch.vtensor<[?,4],f32>, !torch.int
}
