// RUN: parse
func.func @main() {
// ERROR @+1:42: expected an attribute value, found string that does not end on its line '\"a)'
  %0 = "stablehlo.iota"() <{a = "b", c = "a)
}
// -----
func.func @main() {
// ERROR @+1:3: expected an op or '}', found unexpected character '&'
  & stablehlo.add
}
// -----
// ERROR @+1:18: expected a symbol, found sign without a name '@'
func.func public @
// -----
// ERROR @+1:1: expected func.func or another op of a module, found 'hello'
hello world
// -----
// ERROR @+1:25: expected '}', found the end of the text in line 20
module attributes {a = 1
// -----
module {
  func.func @main() {
    return
  }
}
// ERROR @+1:1: expected the end of the text after the module, found 'func.func'
func.func @f() {
  return
}
// -----
module {
  // ERROR UNIMPLEMENTED @+1:3: modules in modules are not supported
  module @inner {
  }
}
// -----
// ERROR @+1:24: expected a definition of #nowhere, found none
module attributes {a = #nowhere} {}
// -----
// ERROR @+1:7: alias #b contains itself
#a = [#b]
#b = [#a]
module attributes {x = #a} {}
// -----
#a = 1
// ERROR @+1:1: alias #a is defined twice
#a = 2
// -----
// ERROR @+1:28: expected a matching bracket for '<', found none
module attributes {a = #x.y<[}>} {
}
// -----
// ERROR @+1:27: attribute a is given twice
module attributes {a = 1, a = 2} {}
// -----
func.func @main() {
  // ERROR @+1:14: expected a location, found '3'
  return loc(3)
}
// -----
// Definitions may follow resources.
// ERROR @+1:24: expected a definition of #b, found none
module attributes {a = #b} {}
{-# dialect_resources: { builtin: { w: "0x04000000" } } #-}
#a = 1
