func.func @good(%x: !torch.vtensor<[?,2,3],f32>, %h: !torch.vtensor<[1,2,5],f32>, %w: !torch.vtensor<[20,3],f32>, %u: !torch.vtensor<[20,5],f32>) -> !torch.vtensor<[?,?,?],f32> {
  %true = torch.constant.bool true
  %false = torch.constant.bool false
  %int1 = torch.constant.int 1
  %f = torch.constant.float 0.0
  %hx = torch.prim.ListConstruct %h, %h : (!torch.vtensor<[1,2,5],f32>, !torch.vtensor<[1,2,5],f32>) -> !torch.list<vtensor>
  %p = torch.prim.ListConstruct %w, %u : (!torch.vtensor<[20,3],f32>, !torch.vtensor<[20,5],f32>) -> !torch.list<vtensor>
  %0:3 = torch.aten.lstm.input %x, %hx, %p, %false, %int1, %f, %false, %false, %false : !torch.vtensor<[?,2,3],f32>, !torch.list<vtensor>, !torch.list<vtensor>, !torch.bool, !torch.int, !torch.float, !torch.bool, !torch.bool, !torch.bool -> !torch.vtensor<[?,?,?],f32>, !torch.vtensor<[?,?,?],f32>, !torch.vtensor<[?,?,?],f32>
  return %0#0 : !torch.vtensor<[?,?,?],f32>
}
// The layer takes 4, and is given 3.
func.func @contracted(%x: !torch.vtensor<[?,2,3],f32>, %h: !torch.vtensor<[1,2,5],f32>, %w: !torch.vtensor<[20,4],f32>, %u: !torch.vtensor<[20,5],f32>) -> !torch.vtensor<[?,?,?],f32> {
  %true = torch.constant.bool true
  %false = torch.constant.bool false
  %int1 = torch.constant.int 1
  %f = torch.constant.float 0.0
  %hx = torch.prim.ListConstruct %h, %h : (!torch.vtensor<[1,2,5],f32>, !torch.vtensor<[1,2,5],f32>) -> !torch.list<vtensor>
  %p = torch.prim.ListConstruct %w, %u : (!torch.vtensor<[20,4],f32>, !torch.vtensor<[20,5],f32>) -> !torch.list<vtensor>
  %0:3 = torch.aten.lstm.input %x, %hx, %p, %false, %int1, %f, %false, %false, %false : !torch.vtensor<[?,2,3],f32>, !torch.list<vtensor>, !torch.list<vtensor>, !torch.bool, !torch.int, !torch.float, !torch.bool, !torch.bool, !torch.bool -> !torch.vtensor<[?,?,?],f32>, !torch.vtensor<[?,?,?],f32>, !torch.vtensor<[?,?,?],f32>
  return %0#0 : !torch.vtensor<[?,?,?],f32>
}
func.func @weights_are_missing(%x: !torch.vtensor<[?,2,3],f32>, %h: !torch.vtensor<[1,2,5],f32>, %w: !torch.vtensor<[20,3],f32>, %u: !torch.vtensor<[20,5],f32>) -> !torch.vtensor<[?,?,?],f32> {
  %true = torch.constant.bool true
  %false = torch.constant.bool false
  %int1 = torch.constant.int 1
  %f = torch.constant.float 0.0
  %hx = torch.prim.ListConstruct %h, %h : (!torch.vtensor<[1,2,5],f32>, !torch.vtensor<[1,2,5],f32>) -> !torch.list<vtensor>
  %p = torch.prim.ListConstruct %w, %u : (!torch.vtensor<[20,3],f32>, !torch.vtensor<[20,5],f32>) -> !torch.list<vtensor>
  %0:3 = torch.aten.lstm.input %x, %hx, %p, %true, %int1, %f, %false, %false, %false : !torch.vtensor<[?,2,3],f32>, !torch.list<vtensor>, !torch.list<vtensor>, !torch.bool, !torch.int, !torch.float, !torch.bool, !torch.bool, !torch.bool -> !torch.vtensor<[?,?,?],f32>, !torch.vtensor<[?,?,?],f32>, !torch.vtensor<[?,?,?],f32>
  return %0#0 : !torch.vtensor<[?,?,?],f32>
}
func.func @layers_are_too_many(%x: !torch.vtensor<[?,2,3],f32>, %h: !torch.vtensor<[1,2,5],f32>, %w: !torch.vtensor<[20,3],f32>, %u: !torch.vtensor<[20,5],f32>) -> !torch.vtensor<[?,?,?],f32> {
  %true = torch.constant.bool true
  %false = torch.constant.bool false
  %layers = torch.constant.int 9223372036854775807
  %f = torch.constant.float 0.0
  %hx = torch.prim.ListConstruct %h, %h : (!torch.vtensor<[1,2,5],f32>, !torch.vtensor<[1,2,5],f32>) -> !torch.list<vtensor>
  %p = torch.prim.ListConstruct %w, %u : (!torch.vtensor<[20,3],f32>, !torch.vtensor<[20,5],f32>) -> !torch.list<vtensor>
  %0:3 = torch.aten.lstm.input %x, %hx, %p, %false, %layers, %f, %false, %true, %false : !torch.vtensor<[?,2,3],f32>, !torch.list<vtensor>, !torch.list<vtensor>, !torch.bool, !torch.int, !torch.float, !torch.bool, !torch.bool, !torch.bool -> !torch.vtensor<[?,?,?],f32>, !torch.vtensor<[?,?,?],f32>, !torch.vtensor<[?,?,?],f32>
  return %0#0 : !torch.vtensor<[?,?,?],f32>
}
