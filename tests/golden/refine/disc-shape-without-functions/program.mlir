// Only operations of a module.
func.func @shape_constraint_graph() {
  return
}
"my.func"() {sym_name = "f"} : () -> ()
