// SPDX-License-Identifier: Apache-2.0
func.func @main(%x: !torch.vtensor<[?,4],f32>, %w: !torch.vtensor<[?,4],f32>, %n: !torch.int) -> (!torch.vtensor<[?,4],f32>, !torch.int, !torch.vtensor<[?,4],f32>) {
  %true = torch.constant.bool true
  %int0 = torch.constant.int 0
  %int1 = torch.constant.int 1
  %int3 = torch.constant.int 3
  %0:2 = torch.prim.Loop %n, %true, init(%x, %int0) {
  ^bb0(%i: !torch.int, %y: !torch.vtensor<[?,4],f32>, %k: !torch.int):
    %1 = torch.aten.relu %y : !torch.vtensor<[?,4],f32> -> !torch.vtensor<[?,4],f32>
    %k2 = torch.aten.add.int %k, %int1 : !torch.int, !torch.int -> !torch.int
    torch.prim.Loop.condition %true, iter(%1, %k2 : !torch.vtensor<[?,4],f32>, !torch.int)
  } : (!torch.int, !torch.bool, !torch.vtensor<[?,4],f32>, !torch.int) -> (!torch.vtensor<[?,4],f32>, !torch.int)
  %2 = torch.prim.Loop %int3, %true, init(%x) {
  ^bb0(%i: !torch.int, %y: !torch.vtensor<[?,4],f32>):
    %l = torch.prim.ListConstruct %y, %w : (!torch.vtensor<[?,4],f32>, !torch.vtensor<[?,4],f32>) -> !torch.list<vtensor>
    %1 = torch.aten.cat %l, %int0 : !torch.list<vtensor>, !torch.int -> !torch.vtensor<[?,4],f32>
    torch.prim.Loop.condition %true, iter(%1 : !torch.vtensor<[?,4],f32>)
  } : (!torch.int, !torch.bool, !torch.vtensor<[?,4],f32>) -> !torch.vtensor<[?,4],f32>
  return %0#0, %0#1, %2 : !torch.vtensor<[?,4],f32>, !torch.int, !torch.vtensor<[?,4],f32>
}
