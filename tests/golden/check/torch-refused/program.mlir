// Each function is refused at one line, or is not: symbols of two functions are apart.
func.func @inner(%a: !torch.vtensor<[4,8],f32>, %b: !torch.vtensor<[4,8],f32>) -> !torch.vtensor<*,f32> {
  %0 = torch.aten.mm %a, %b : !torch.vtensor<[4,8],f32>, !torch.vtensor<[4,8],f32> -> !torch.vtensor<*,f32>
  return %0 : !torch.vtensor<*,f32>
}
func.func @bind(%a: !torch.vtensor<[?,?],f32>) -> !torch.vtensor<*,f32> {
  %s0 = torch.symbolic_int "s0" {min_val = 2, max_val = 8} : !torch.int
  torch.bind_symbolic_shape %a, [%s0], affine_map<()[s0] -> (s0, s0)> : !torch.vtensor<[?,?],f32>
  %int0 = torch.constant.int 0
  %int1 = torch.constant.int 1
  %0 = torch.aten.unsqueeze %a, %int0 : !torch.vtensor<[?,?],f32>, !torch.int -> !torch.vtensor<*,f32>
  torch.bind_symbolic_shape %0, [%s0], affine_map<()[s0] -> (1, s0 floordiv 2, s0)> : !torch.vtensor<*,f32>
  return %0 : !torch.vtensor<*,f32>
}
func.func @other(%a: !torch.vtensor<[?],f32>) -> !torch.vtensor<*,f32> {
  %s0 = torch.symbolic_int "s0" {min_val = 1, max_val = 1} : !torch.int
  %s1 = torch.symbolic_int "3*s0" {min_val = 3, max_val = 3} : !torch.int
  torch.bind_symbolic_shape %a, [%s1], affine_map<()[s0] -> (s0)> : !torch.vtensor<[?],f32>
  %int-1 = torch.constant.int -1
  %int2 = torch.constant.int 2
  %l = torch.prim.ListConstruct %int2, %int-1 : (!torch.int, !torch.int) -> !torch.list<int>
  %0 = torch.aten.view %a, %l : !torch.vtensor<[?],f32>, !torch.list<int> -> !torch.vtensor<*,f32>
  return %0 : !torch.vtensor<*,f32>
}
