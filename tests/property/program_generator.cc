#include "tests/property/program_generator.h"

#include <algorithm>
#include <random>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/substitute.h"
#include "runtime/types/convert.h"

namespace lockstep {
namespace {

struct Tensor {
  std::string name;  // "%v3"
  std::string element;
  std::vector<int64_t> dims;

  std::string type() const {
    return absl::StrCat("tensor<", absl::StrJoin(dims, "x"),
                        dims.empty() ? "" : "x", element, ">");
  }
};

std::string List(const std::vector<int64_t>& values) {
  return absl::StrCat("[", absl::StrJoin(values, ", "), "]");
}

class Generator {
 public:
  Generator(uint64_t seed, ProgramStyle style)
      : random_(seed), is_exact_(style == ProgramStyle::kExact) {}

  std::string Generate() {
    std::string functions;
    const int callees = Below(3);
    for (int i = 0; i < callees; ++i) {
      absl::StrAppend(&functions, Function(absl::StrCat("f", i), true));
      callees_ = i + 1;
    }
    return absl::StrCat(Function("main", false), functions);
  }

 private:
  int Below(int limit) {
    return static_cast<int>(random_() % static_cast<uint64_t>(limit));
  }
  bool Flip() { return Below(2) == 0; }

  // Callees take and give tensor<4x3xf32>.
  std::string Function(const std::string& name, bool is_callee) {
    text_.clear();
    pool_.clear();
    next_ = 0;
    std::vector<Tensor> arguments = {{"%a0", "f32", {4, 3}}};
    if (!is_callee) {
      arguments.push_back({"%a1", "f32", {4}});
      arguments.push_back({"%a2", "i32", {4, 3}});
      arguments.push_back({"%a3", "f32", {2, 4, 3}});
      if (Below(4) == 0) arguments.push_back({"%a4", "f32", {0, 3}});
    }
    pool_ = arguments;
    Ops(is_callee ? 5 : 8 + Below(25), 2);
    std::vector<Tensor> results = {Find("f32", {4, 3})};
    if (!is_callee) {
      for (int i = 0; i < 3; ++i) results.push_back(Any());
    }
    const auto types = [](std::string* out, const Tensor& t) {
      absl::StrAppend(out, t.type());
    };
    const auto names = [](std::string* out, const Tensor& t) {
      absl::StrAppend(out, t.name);
    };
    return absl::StrCat(
        "func.func ", is_callee ? "private " : "", "@", name, "(",
        absl::StrJoin(arguments, ", ",
                      [](std::string* out, const Tensor& t) {
                        absl::StrAppend(out, t.name, ": ", t.type());
                      }),
        ") -> (", absl::StrJoin(results, ", ", types), ") {\n", text_,
        "  return ", absl::StrJoin(results, ", ", names), " : ",
        absl::StrJoin(results, ", ", types), "\n}\n");
  }

  const Tensor& Any() { return pool_[Below(static_cast<int>(pool_.size()))]; }

  // A tensor of this type; made when there is none, and sometimes otherwise.
  Tensor Find(const std::string& element, const std::vector<int64_t>& dims) {
    std::vector<Tensor> found;
    for (const Tensor& t : pool_) {
      if (t.element == element && t.dims == dims) found.push_back(t);
    }
    if (found.empty() || Below(6) == 0) return Constant(element, dims);
    // Late ones are more interesting.
    const int n = static_cast<int>(found.size());
    return found[std::max(Below(n), Below(n))];
  }
  Tensor AnyOf(const std::string& element) {
    for (int i = 0; i < 8; ++i) {
      const Tensor t = Any();
      if (t.element == element) return t;
    }
    return Find(element, {4, 3});
  }

  Tensor Emit(const std::string& element, std::vector<int64_t> dims,
              const std::string& right) {
    Tensor t = {absl::StrCat("%v", next_++), element, std::move(dims)};
    absl::StrAppend(&text_, "  ", t.name, " = ", right, "\n");
    pool_.push_back(t);
    return t;
  }

  std::string ScalarText(const std::string& element) {
    if (element == "i1") return Flip() ? "true" : "false";
    if (element[0] == 'i') {
      constexpr const char* kIntegers[] = {"0", "1", "-1", "2", "3", "7"};
      return kIntegers[Below(6)];
    }
    if (is_exact_) {
      constexpr const char* kWhole[] = {"0.0", "1.0", "-1.0", "2.0", "3.0"};
      return kWhole[Below(5)];
    }
    constexpr const char* kFloats[] = {"0.0",  "-0.0", "1.0",
                                       "-1.0", "0.5",  "3.25"};
    return kFloats[Below(6)];
  }
  Tensor Constant(const std::string& element,
                  const std::vector<int64_t>& dims) {
    Tensor t = {"", element, dims};
    if (dims.empty() || Below(3) > 0) {
      return Emit(element, dims,
                  absl::StrCat("stablehlo.constant dense<", ScalarText(element),
                               "> : ", t.type()));
    }
    return Emit(element, dims,
                absl::StrCat("stablehlo.constant ",
                             absl::StrCat("dense<", Nested(element, dims, 0)),
                             "> : ", t.type()));
  }
  std::string Nested(const std::string& element,
                     const std::vector<int64_t>& dims, size_t dim) {
    if (dim == dims.size()) return ScalarText(element);
    std::vector<std::string> parts;
    for (int64_t i = 0; i < dims[dim]; ++i) {
      parts.push_back(Nested(element, dims, dim + 1));
    }
    return absl::StrCat("[", absl::StrJoin(parts, ", "), "]");
  }

  void Ops(int count, int depth) {
    for (int i = 0; i < count; ++i) Op(depth);
  }

  void Op(int depth) {
    switch (Below(20)) {
      case 0:
      case 1:
      case 2:
        return Unary();
      case 3:
      case 4:
      case 5:
      case 6:
        return Binary();
      case 7:
        return Select();
      case 8:
        return Convert();
      case 9:
      case 10:
        return Broadcast();
      case 11:
        return Reshape();
      case 12:
        return Transpose();
      case 13:
        return SliceOrPad();
      case 14:
      case 15:
        return Reduce();
      case 16:
        return Flip() ? Softmax() : LayerNorm();
      case 17:
        return Dot();
      case 18:
        return depth > 0 ? Control(depth) : Unary();
      default:
        return Other();
    }
  }

  void Unary() {
    constexpr const char* kFloat[] = {"negate", "exponential", "tanh", "abs",
                                      "floor",  "logistic",    "sqrt"};
    constexpr const char* kInteger[] = {"negate", "abs", "not", "sign"};
    constexpr const char* kExact[] = {"negate", "abs", "floor", "sign"};
    const Tensor x = Any();
    if (x.element == "i1") {
      Emit("i1", x.dims,
           absl::StrCat("stablehlo.not ", x.name, " : ", x.type()));
      return;
    }
    const char* op = x.element[0] == 'i' ? kInteger[Below(4)]
                     : is_exact_         ? kExact[Below(4)]
                                         : kFloat[Below(7)];
    Emit(x.element, x.dims,
         absl::StrCat("stablehlo.", op, " ", x.name, " : ", x.type()));
  }

  Tensor BinaryOf(const std::string& op, const Tensor& x, const Tensor& y) {
    return Emit(x.element, x.dims,
                absl::StrCat("stablehlo.", op, " ", x.name, ", ", y.name, " : ",
                             x.type()));
  }
  void Binary() {
    constexpr const char* kNumeric[] = {"add",      "subtract", "multiply",
                                        "maximum",  "minimum",  "divide",
                                        "remainder"};
    constexpr const char* kLogical[] = {"and", "or", "xor"};
    const Tensor x = Any();
    const Tensor y = Find(x.element, x.dims);
    const bool is_logical = x.element == "i1" || (x.element == "i32" && Flip());
    const bool divides = !is_exact_ || x.element[0] == 'i';
    const char* op =
        is_logical ? kLogical[Below(3)] : kNumeric[Below(divides ? 7 : 5)];
    Clamped(Flip() ? BinaryOf(op, x, y) : BinaryOf(op, y, x));
  }

  // In an exact program, floats between -100 and 100.
  Tensor Clamped(const Tensor& x) {
    if (!is_exact_ || x.element == "i1" || x.element[0] == 'i') return x;
    const std::string scalar = Tensor{"", x.element, {}}.type();
    const Tensor low =
        Emit(x.element, {},
             absl::StrCat("stablehlo.constant dense<-100.0> : ", scalar));
    const Tensor high =
        Emit(x.element, {},
             absl::StrCat("stablehlo.constant dense<100.0> : ", scalar));
    return Emit(
        x.element, x.dims,
        absl::Substitute("stablehlo.clamp $0, $1, $2 : ($3, $4, $3) -> "
                         "$4",
                         low.name, x.name, high.name, scalar, x.type()));
  }

  void Select() {
    const Tensor x = Any();
    const Tensor y = Find(x.element, x.dims);
    const Tensor p =
        Emit("i1", x.dims,
             absl::Substitute("stablehlo.compare $0, $1, $2 : ($3, $3) -> $4",
                              Flip() ? "EQ" : "NE", x.name, y.name, x.type(),
                              Tensor{"", "i1", x.dims}.type()));
    Emit(x.element, x.dims,
         absl::Substitute("stablehlo.select $0, $1, $2 : $3, $4", p.name,
                          x.name, y.name, p.type(), x.type()));
  }

  void Convert() {
    constexpr const char* kElements[] = {"f32", "bf16", "i32", "f64", "i1"};
    const Tensor x = Any();
    const std::string element = kElements[Below(5)];
    Emit(element, x.dims,
         absl::Substitute("stablehlo.convert $0 : ($1) -> $2", x.name, x.type(),
                          Tensor{"", element, x.dims}.type()));
  }

  Tensor BroadcastTo(const Tensor& x, const std::vector<int64_t>& where,
                     const std::vector<int64_t>& dims) {
    return Emit(
        x.element, dims,
        absl::Substitute(
            "stablehlo.broadcast_in_dim $0, dims = $1 : ($2) -> $3", x.name,
            List(where), x.type(), Tensor{"", x.element, dims}.type()));
  }
  void Broadcast() {
    const Tensor x = Any();
    if (x.dims.size() > 2) return Unary();
    std::vector<int64_t> dims = x.dims;
    std::vector<int64_t> where(x.dims.size());
    const int position = Below(static_cast<int>(dims.size()) + 1);
    dims.insert(dims.begin() + position, 1 + Below(4));
    for (size_t i = 0; i < where.size(); ++i) {
      where[i] = static_cast<int64_t>(i) + (static_cast<int>(i) >= position);
    }
    BroadcastTo(x, where, dims);
  }

  Tensor ReshapeTo(const Tensor& x, const std::vector<int64_t>& dims) {
    return Emit(x.element, dims,
                absl::Substitute("stablehlo.reshape $0 : ($1) -> $2", x.name,
                                 x.type(), Tensor{"", x.element, dims}.type()));
  }
  void Reshape() {
    const Tensor x = Any();
    int64_t count = 1;
    for (int64_t dim : x.dims) count *= dim;
    if (x.dims.size() > 3 || Flip()) {
      ReshapeTo(x, {count});
    } else if (Flip() && x.dims.size() < 3) {
      std::vector<int64_t> dims = x.dims;
      dims.insert(dims.begin() + Below(static_cast<int>(dims.size()) + 1), 1);
      ReshapeTo(x, dims);
    } else {
      ReshapeTo(x, count % 3 == 0 ? std::vector<int64_t>{count / 3, 3}
                                  : std::vector<int64_t>{1, count});
    }
  }

  void Transpose() {
    const Tensor x = Any();
    std::vector<int64_t> permutation(x.dims.size());
    for (size_t i = 0; i < permutation.size(); ++i) permutation[i] = i;
    std::shuffle(permutation.begin(), permutation.end(), random_);
    std::vector<int64_t> dims;
    for (int64_t p : permutation) dims.push_back(x.dims[p]);
    Emit(x.element, dims,
         absl::Substitute("stablehlo.transpose $0, dims = $1 : ($2) -> $3",
                          x.name, List(permutation), x.type(),
                          Tensor{"", x.element, dims}.type()));
  }

  void SliceOrPad() {
    const Tensor x = Any();
    if (x.dims.empty() || std::count(x.dims.begin(), x.dims.end(), 0) > 0) {
      return Unary();
    }
    if (Flip()) {
      std::vector<std::string> ranges;
      std::vector<int64_t> dims;
      for (int64_t dim : x.dims) {
        const int64_t begin = Below(static_cast<int>(dim));
        const int64_t end = begin + 1 + Below(static_cast<int>(dim - begin));
        ranges.push_back(absl::StrCat(begin, ":", end));
        dims.push_back(end - begin);
      }
      Emit(x.element, dims,
           absl::Substitute("stablehlo.slice $0 [$1] : ($2) -> $3", x.name,
                            absl::StrJoin(ranges, ", "), x.type(),
                            Tensor{"", x.element, dims}.type()));
      return;
    }
    const Tensor value = Find(x.element, {});
    std::vector<int64_t> low, high, interior, dims;
    for (int64_t dim : x.dims) {
      low.push_back(Below(2));
      high.push_back(Below(2));
      interior.push_back(Below(2));
      dims.push_back(low.back() + high.back() + dim +
                     interior.back() * (dim - 1));
    }
    Emit(x.element, dims,
         absl::Substitute("stablehlo.pad $0, $1, low = $2, high = $3, "
                          "interior = $4 : ($5, $6) -> $7",
                          x.name, value.name, List(low), List(high),
                          List(interior), x.type(), value.type(),
                          Tensor{"", x.element, dims}.type()));
  }

  Tensor ReduceOf(const Tensor& x, const std::string& body,
                  const std::vector<int64_t>& reduced) {
    const char* zero = x.element == "i1"     ? "false"
                       : x.element[0] == 'i' ? "0"
                       : body == "maximum"   ? "-3.0e38"
                                             : "0.0";
    if (body == "maximum" && x.element == "bf16") zero = "-1.0e38";
    const Tensor init = Emit(x.element, {},
                             absl::StrCat("stablehlo.constant dense<", zero,
                                          "> : tensor<", x.element, ">"));
    std::vector<int64_t> dims;
    for (size_t i = 0; i < x.dims.size(); ++i) {
      if (std::count(reduced.begin(), reduced.end(), i) == 0) {
        dims.push_back(x.dims[i]);
      }
    }
    return Emit(
        x.element, dims,
        absl::Substitute("stablehlo.reduce($0 init: $1) applies "
                         "stablehlo.$2 across dimensions = $3 : "
                         "($4, $5) -> $6",
                         x.name, init.name, body, List(reduced), x.type(),
                         init.type(), Tensor{"", x.element, dims}.type()));
  }
  void Reduce() {
    const Tensor x = Any();
    std::vector<int64_t> reduced;
    for (size_t i = 0; i < x.dims.size(); ++i) {
      if (Flip()) reduced.push_back(i);
    }
    if (x.element == "f32" && Below(4) == 0) return ArgMax(x, reduced);
    const char* body = x.element == "i1" ? "or" : Flip() ? "add" : "maximum";
    Clamped(ReduceOf(x, body, reduced));
  }

  // The largest element and where it is along some dim: a reduction of two
  // tensors.
  void ArgMax(const Tensor& x, const std::vector<int64_t>& reduced) {
    if (reduced.empty()) return Unary();
    const Tensor places =
        Emit("i32", x.dims,
             absl::StrCat("stablehlo.iota dim = ", reduced[0], " : ",
                          Tensor{"", "i32", x.dims}.type()));
    const Tensor low =
        Emit("f32", {}, "stablehlo.constant dense<-3.0e38> : tensor<f32>");
    const Tensor zero =
        Emit("i32", {}, "stablehlo.constant dense<0> : tensor<i32>");
    std::vector<int64_t> dims;
    for (size_t i = 0; i < x.dims.size(); ++i) {
      if (std::count(reduced.begin(), reduced.end(), i) == 0) {
        dims.push_back(x.dims[i]);
      }
    }
    Tensor largest = {absl::StrCat("%v", next_++), "f32", dims};
    Tensor place = {largest.name + "#1", "i32", dims};
    absl::StrAppend(
        &text_,
        absl::Substitute(
            "  $0:2 = \"stablehlo.reduce\"($1, $2, $3, $4) ({\n"
            "  ^bb0(%r0: tensor<f32>, %r1: tensor<i32>, %r2: tensor<f32>, "
            "%r3: tensor<i32>):\n"
            "    %r4 = stablehlo.compare GE, %r0, %r2 : (tensor<f32>, "
            "tensor<f32>) -> tensor<i1>\n"
            "    %r5 = stablehlo.select %r4, %r0, %r2 : tensor<i1>, "
            "tensor<f32>\n"
            "    %r6 = stablehlo.select %r4, %r1, %r3 : tensor<i1>, "
            "tensor<i32>\n"
            "    stablehlo.return %r5, %r6 : tensor<f32>, tensor<i32>\n",
            largest.name, x.name, places.name, low.name, zero.name),
        absl::Substitute("  }) {dimensions = array<i64: $0>} : ($1, $2, "
                         "tensor<f32>, tensor<i32>) -> ($3, $4)\n",
                         absl::StrJoin(reduced, ", "), x.type(), places.type(),
                         largest.type(), place.type()));
    largest.name += "#0";
    pool_.push_back(largest);
    pool_.push_back(place);
  }

  // Of the last dim, as JAX writes it: the row values keep a dim of size 1.
  Tensor BackToRows(const Tensor& row, const Tensor& x, bool keeps_dim) {
    std::vector<int64_t> where(row.dims.size());
    for (size_t i = 0; i < where.size(); ++i) where[i] = i;
    if (!keeps_dim) return BroadcastTo(row, where, x.dims);
    std::vector<int64_t> kept = row.dims;
    kept.push_back(1);
    const Tensor thin = BroadcastTo(row, where, kept);
    where.push_back(static_cast<int64_t>(where.size()));
    return BroadcastTo(thin, where, x.dims);
  }
  void Softmax() {
    const Tensor x = AnyOf("f32");
    if (x.dims.empty()) return Unary();
    const int64_t last = static_cast<int64_t>(x.dims.size()) - 1;
    const bool keeps_dim = Flip();
    const Tensor maximum = ReduceOf(x, "maximum", {last});
    const Tensor shifted =
        BinaryOf("subtract", x, BackToRows(maximum, x, keeps_dim));
    const Tensor e =
        Emit("f32", x.dims,
             absl::StrCat("stablehlo.", is_exact_ ? "abs" : "exponential", " ",
                          shifted.name, " : ", x.type()));
    const Tensor sum = Clamped(ReduceOf(e, "add", {last}));
    Clamped(BinaryOf(is_exact_ ? "subtract" : "divide", e,
                     BackToRows(sum, x, keeps_dim)));
  }
  void LayerNorm() {
    const Tensor x = AnyOf("f32");
    if (x.dims.empty()) return Unary();
    const int64_t last = static_cast<int64_t>(x.dims.size()) - 1;
    const bool keeps_dim = Flip();
    const Tensor sum = Clamped(ReduceOf(x, "add", {last}));
    const Tensor count = Constant("f32", sum.dims);
    const Tensor mean = BinaryOf(is_exact_ ? "subtract" : "divide", sum, count);
    const Tensor centred =
        BinaryOf("subtract", x, BackToRows(mean, x, keeps_dim));
    const Tensor square = Clamped(BinaryOf("multiply", centred, centred));
    const Tensor variance = Clamped(ReduceOf(square, "add", {last}));
    const Tensor inverse =
        Emit("f32", variance.dims,
             absl::StrCat("stablehlo.", is_exact_ ? "sign" : "rsqrt", " ",
                          variance.name, " : ", variance.type()));
    Clamped(BinaryOf("multiply", centred, BackToRows(inverse, x, keeps_dim)));
  }

  void Dot() {
    const Tensor x = AnyOf("f32");
    if (x.dims.empty()) return Unary();
    const int dim = Below(static_cast<int>(x.dims.size()));
    const Tensor y = Find("f32", {x.dims[dim], 2});
    std::vector<int64_t> dims = x.dims;
    dims.erase(dims.begin() + dim);
    dims.push_back(2);
    Clamped(Emit("f32", dims,
                 absl::Substitute(
                     "stablehlo.dot_general $0, $1, contracting_dims = [$2] x "
                     "[0] : ($3, $4) -> $5",
                     x.name, y.name, dim, x.type(), y.type(),
                     Tensor{"", "f32", dims}.type())));
  }

  void Other() {
    switch (Below(4)) {
      case 0: {
        const Tensor t = {"", Flip() ? "f32" : "i32", {4, 3}};
        Emit(t.element, t.dims,
             absl::StrCat("stablehlo.iota dim = ", Below(2), " : ", t.type()));
        return;
      }
      case 1: {
        const Tensor x = Any();
        if (x.dims.empty() || x.dims[0] > 4) return Unary();
        const Tensor y = Find(x.element, x.dims);
        std::vector<int64_t> dims = x.dims;
        dims[0] *= 2;
        Emit(x.element, dims,
             absl::Substitute(
                 "stablehlo.concatenate $0, $1, dim = 0 : ($2, $2) -> $3",
                 x.name, y.name, x.type(), Tensor{"", x.element, dims}.type()));
        return;
      }
      case 2: {
        if (callees_ == 0) return Unary();
        const Tensor x = Find("f32", {4, 3});
        Emit("f32", {4, 3},
             absl::Substitute("func.call @f$0($1) : ($2) -> $2",
                              Below(callees_), x.name, x.type()));
        return;
      }
      default:
        return DynamicSlice();
    }
  }

  void DynamicSlice() {
    const Tensor x = Find("f32", {2, 4, 3});
    const Tensor i = Find("i32", {});
    const Tensor zero = Constant("i32", {});
    const Tensor part = Emit(
        "f32", {1, 4, 3},
        absl::Substitute("stablehlo.dynamic_slice $0, $1, $2, $2, sizes = [1, "
                         "4, 3] : ($3, tensor<i32>, tensor<i32>, tensor<i32>) "
                         "-> tensor<1x4x3xf32>",
                         x.name, i.name, zero.name, x.type()));
    if (Flip()) return;
    const Tensor changed = Clamped(BinaryOf("add", part, part));
    Emit("f32", x.dims,
         absl::Substitute("stablehlo.dynamic_update_slice $0, $1, $2, $3, $3 "
                          ": ($4, tensor<1x4x3xf32>, tensor<i32>, tensor<i32>, "
                          "tensor<i32>) -> $4",
                          x.name, changed.name, i.name, zero.name, x.type()));
  }

  // Values of the region are known in it only.
  template <typename F>
  void InRegion(F f) {
    const size_t outside = pool_.size();
    f();
    pool_.resize(outside);
  }

  void Control(int depth) {
    const Tensor x = Find("f32", {4, 3});
    Tensor result = {absl::StrCat("%v", next_++), "f32", {4, 3}};
    if (Flip()) {
      const Tensor p = Find("i1", {});
      absl::StrAppend(&text_, "  ", result.name, " = \"stablehlo.if\"(", p.name,
                      ") ({\n");
      for (int branch = 0; branch < 2; ++branch) {
        if (branch == 1) absl::StrAppend(&text_, "  }, {\n");
        InRegion([&] {
          Ops(1 + Below(5), depth - 1);
          const Tensor end = Find("f32", {4, 3});
          absl::StrAppend(&text_, "  stablehlo.return ", end.name, " : ",
                          end.type(), "\n");
        });
      }
      absl::StrAppend(&text_, "  }) : (tensor<i1>) -> ", result.type(), "\n");
      pool_.push_back(result);
      return;
    }
    const Tensor zero =
        Emit("i32", {}, "stablehlo.constant dense<0> : tensor<i32>");
    const std::string i = absl::StrCat("%i", next_++);
    const std::string c = absl::StrCat("%c", next_++);
    absl::StrAppend(&text_, "  ", result.name, ":2 = stablehlo.while(", c,
                    " = ", x.name, ", ", i, " = ", zero.name, ") : ", x.type(),
                    ", tensor<i32> cond {\n");
    InRegion([&] {
      const Tensor limit = Emit("i32", {},
                                absl::StrCat("stablehlo.constant dense<",
                                             Below(4), "> : tensor<i32>"));
      absl::StrAppend(&text_, "  %p", next_, " = stablehlo.compare LT, ", i,
                      ", ", limit.name,
                      " : (tensor<i32>, tensor<i32>) -> tensor<i1>\n",
                      "  stablehlo.return %p", next_, " : tensor<i1>\n");
      ++next_;
    });
    absl::StrAppend(&text_, "  } do {\n");
    InRegion([&] {
      pool_.push_back({c, "f32", {4, 3}});
      pool_.push_back({i, "i32", {}});
      Ops(2 + Below(8), depth - 1);
      const Tensor end = Find("f32", {4, 3});
      const Tensor one =
          Emit("i32", {}, "stablehlo.constant dense<1> : tensor<i32>");
      const Tensor next = BinaryOf("add", {i, "i32", {}}, one);
      absl::StrAppend(&text_, "  stablehlo.return ", end.name, ", ", next.name,
                      " : ", end.type(), ", tensor<i32>\n");
    });
    absl::StrAppend(&text_, "  }\n");
    result.name += "#0";
    pool_.push_back(result);
  }

  std::mt19937_64 random_;
  const bool is_exact_;
  std::string text_;
  std::vector<Tensor> pool_;
  int next_ = 0;
  int callees_ = 0;
};

}  // namespace

std::string GenerateProgram(uint64_t seed, ProgramStyle style) {
  return Generator(seed, style).Generate();
}

std::vector<Literal> GenerateArguments(const Module& module, uint64_t seed,
                                       ProgramStyle style) {
  std::mt19937_64 random(seed);
  const bool is_exact = style == ProgramStyle::kExact;
  std::vector<Literal> arguments;
  for (const Type& type : (*module.EntryFunction())->argument_types()) {
    Literal values(Shape(ElementType::kF64, type.shape().dims()));
    for (double& value : values.mutable_data<double>()) {
      const auto whole = static_cast<double>(
          static_cast<int64_t>(random() % (is_exact ? 17 : 4001)) -
          (is_exact ? 8 : 2000));
      value = is_exact ? whole : whole / 256.0;
    }
    Literal argument(type.shape());
    ConvertElements(values, argument.mutable_view());
    arguments.push_back(std::move(argument));
  }
  return arguments;
}

}  // namespace lockstep
