#include "tests/fuzz/random_program.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <type_traits>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"

namespace lockstep {
namespace {

struct GeneratedValue {
  std::string name;
  Shape shape;
  // Floats: every finite element is at most this large.
  double bound = 0;
  bool is_exact = true;
  bool has_special = false;  // NaN or infinity may occur
};

const std::vector<ElementType> kTypes = {
    ElementType::kF32,  ElementType::kF32, ElementType::kF32, ElementType::kF64,
    ElementType::kBF16, ElementType::kF16, ElementType::kS32, ElementType::kS32,
    ElementType::kS64,  ElementType::kS8,  ElementType::kU8,  ElementType::kU32,
    ElementType::kU64,  ElementType::kS16, ElementType::kPred};

// Up to here integers are exact in the type, and some of their sums too.
double ExactBound(ElementType type) {
  switch (type) {
    case ElementType::kF16:
      return 1 << 10;
    case ElementType::kBF16:
      return 1 << 7;
    case ElementType::kF64:
      return std::ldexp(1, 50);
    default:
      return 1 << 22;
  }
}
constexpr double kApproximateBound = 1e4;
constexpr int64_t kMaxElements = 4096;

class Generator {
 public:
  explicit Generator(Entropy entropy) : entropy_(entropy) {}

  RandomProgram Generate() {
    const int arguments = 1 + entropy_.Below(4);
    for (int i = 0; i < arguments; ++i) AddArgument(i);
    const int ops = 1 + entropy_.Below(24);
    for (int i = 0; i < ops; ++i) AddOp();
    Finish();
    return std::move(program_);
  }

 private:
  // -- text

  std::string NewName() { return absl::StrCat("%", next_name_++); }

  // Adds "NAME = TEXT" as a value.
  GeneratedValue& Define(const Shape& shape, const GeneratedValue& like,
                         absl::string_view text) {
    GeneratedValue value = like;
    value.name = NewName();
    value.shape = shape;
    absl::StrAppend(&body_, "  ", value.name, " = ", text, "\n");
    values_.push_back(std::move(value));
    return values_.back();
  }

  static std::string List(absl::Span<const int64_t> values) {
    return absl::StrCat("[", absl::StrJoin(values, ", "), "]");
  }
  static std::string Types(absl::Span<const GeneratedValue> operands,
                           const Shape& result) {
    return absl::StrCat(
        " : (",
        absl::StrJoin(operands, ", ",
                      [](std::string* out, const GeneratedValue& value) {
                        absl::StrAppend(out, value.shape.ToString());
                      }),
        ") -> ", result.ToString());
  }

  // -- shapes and values

  Dims DrawDims() {
    Dims dims;
    static const std::vector<int64_t> kSizes = {1, 2, 3,  4,  5,
                                                7, 8, 16, 17, 33};
    int64_t count = 1;
    for (int i = entropy_.Below(4); i > 0; --i) {
      const int64_t size = entropy_.OneIn(40) ? 0 : entropy_.Any(kSizes);
      if (count * size > kMaxElements) break;
      dims.push_back(size);
      count *= std::max<int64_t>(size, 1);
    }
    return dims;
  }

  template <typename T>
  void FillWithRandom(absl::Span<T> elements, GeneratedValue& value) {
    const bool with_special =
        IsFloat(value.shape.element_type()) && entropy_.OneIn(6);
    for (T& element : elements) {
      if constexpr (std::is_same_v<T, bool>) {
        element = entropy_.OneIn(2);
      } else if constexpr (std::is_integral_v<T>) {
        const int kind = entropy_.Below(8);
        element = kind == 0   ? std::numeric_limits<T>::max()
                  : kind == 1 ? std::numeric_limits<T>::min()
                              : static_cast<T>(entropy_.Below(17) - 8);
      } else {
        element = static_cast<T>(static_cast<float>(entropy_.Below(9) - 4));
        if (with_special && entropy_.OneIn(4)) {
          const float infinity = std::numeric_limits<float>::infinity();
          const float special[] = {infinity, -infinity, std::nanf(""), -0.0f};
          element = static_cast<T>(special[entropy_.Below(4)]);
          value.has_special = true;
        }
      }
    }
    value.bound = 4;
  }

  void AddArgument(int index) {
    const Shape shape(entropy_.Any(kTypes), DrawDims());
    Literal literal(shape);
    GeneratedValue value;
    value.name = absl::StrCat("%a", index);
    value.shape = shape;
    DispatchElementType(shape.element_type(), [&]<typename T>(
                                                  std::type_identity<T>) {
      if constexpr (std::is_integral_v<T> || std::is_same_v<T, F16> ||
                    std::is_same_v<T, BF16> || std::is_floating_point_v<T>) {
        FillWithRandom(literal.mutable_data<T>(), value);
      }
    });
    absl::StrAppend(&signature_, index == 0 ? "" : ", ", value.name, ": ",
                    shape.ToString());
    program_.arguments.push_back(std::move(literal));
    values_.push_back(std::move(value));
  }

  const GeneratedValue& Any() {
    // Later values more often: chains are longer.
    const int count = static_cast<int>(values_.size());
    const int recent = std::min(count, 4);
    return entropy_.OneIn(2) ? values_[entropy_.Below(count)]
                             : values_[count - 1 - entropy_.Below(recent)];
  }

  // A value of this shape, element type included: an existing one, or a
  // constant.
  GeneratedValue Like(const Shape& shape) {
    std::vector<const GeneratedValue*> candidates;
    for (const GeneratedValue& value : values_) {
      if (value.shape == shape) candidates.push_back(&value);
    }
    if (!candidates.empty() && !entropy_.OneIn(5)) {
      return *entropy_.Any(candidates);
    }
    return Constant(shape);
  }

  GeneratedValue Constant(const Shape& shape) {
    GeneratedValue like;
    like.bound = 4;
    std::string text = absl::StrCat(entropy_.Below(5));
    if (shape.element_type() == ElementType::kPred) {
      text = entropy_.OneIn(2) ? "true" : "false";
    } else if (IsFloat(shape.element_type())) {
      text += ".0";
    }
    return Define(shape, like,
                  absl::StrCat("stablehlo.constant dense<", text,
                               "> : ", shape.ToString()));
  }

  // -- ops

  void AddOp() {
    static constexpr void (Generator::* kOps[])() = {
        &Generator::AddBinary,       &Generator::AddBinary,
        &Generator::AddBinary,       &Generator::AddUnary,
        &Generator::AddUnary,        &Generator::AddSelect,
        &Generator::AddCompare,      &Generator::AddConvert,
        &Generator::AddBroadcast,    &Generator::AddBroadcast,
        &Generator::AddTranspose,    &Generator::AddReshape,
        &Generator::AddSlice,        &Generator::AddPad,
        &Generator::AddReverse,      &Generator::AddConcatenate,
        &Generator::AddReduce,       &Generator::AddReduce,
        &Generator::AddDot,          &Generator::AddIota,
        &Generator::AddDynamicSlice, &Generator::AddWhile,
        &Generator::AddIf,           &Generator::AddClamp,
    };
    (this->*kOps[entropy_.Below(std::size(kOps))])();
  }

  // Whether a float with this bound may be made; integers always.
  static bool Fits(const Shape& shape, double bound, bool is_exact) {
    if (!IsFloat(shape.element_type())) return true;
    return bound <= (is_exact ? ExactBound(shape.element_type())
                              : std::min(kApproximateBound,
                                         ExactBound(shape.element_type())));
  }
  static GeneratedValue Merged(const GeneratedValue& a,
                               const GeneratedValue& b) {
    GeneratedValue merged;
    merged.bound = std::max(a.bound, b.bound);
    merged.is_exact = a.is_exact && b.is_exact;
    merged.has_special = a.has_special || b.has_special;
    return merged;
  }

  void AddBinary() {
    const GeneratedValue a = Any();
    const GeneratedValue b = Like(a.shape);
    GeneratedValue like = Merged(a, b);
    std::vector<std::string> ops = {"maximum", "minimum"};
    if (a.shape.element_type() == ElementType::kPred) {
      ops.insert(ops.end(), {"and", "or", "xor", "add", "multiply"});
    } else if (IsInteger(a.shape.element_type())) {
      ops.insert(ops.end(),
                 {"add", "subtract", "multiply", "divide", "remainder", "and",
                  "or", "xor", "shift_left", "shift_right_logical",
                  "shift_right_arithmetic", "power"});
    } else {
      if (Fits(a.shape, a.bound + b.bound, like.is_exact)) {
        ops.insert(ops.end(), {"add", "subtract", "add"});
      }
      if (Fits(a.shape, a.bound * b.bound, like.is_exact)) {
        ops.push_back("multiply");
      }
    }
    const std::string op = entropy_.Any(ops);
    if (op == "multiply") {
      like.bound = a.bound * b.bound;
    } else if (op == "add" || op == "subtract") {
      like.bound = a.bound + b.bound;
    }
    Define(a.shape, like,
           absl::StrCat("stablehlo.", op, " ", a.name, ", ", b.name, " : ",
                        a.shape.ToString()));
  }

  void AddUnary() {
    const GeneratedValue a = Any();
    const ElementType type = a.shape.element_type();
    std::vector<std::string> ops;
    if (type == ElementType::kPred) {
      ops = {"not"};
    } else if (IsUnsignedInteger(type)) {
      ops = {"not", "popcnt", "count_leading_zeros", "negate"};
    } else if (IsInteger(type)) {
      ops = {"not", "popcnt", "count_leading_zeros", "negate", "abs", "sign"};
    } else {
      ops = {"negate", "abs"};
      if (a.is_exact) {
        ops.insert(ops.end(), {"sign", "floor", "ceil", "round_nearest_even",
                               "round_nearest_afz"});
      }
      if (type == ElementType::kF32 || type == ElementType::kF64) {
        ops.insert(ops.end(), {"tanh", "logistic", "tanh", "logistic"});
        if (a.bound <= 8) {
          ops.insert(ops.end(), {"exponential", "sine", "cosine",
                                 "exponential_minus_one"});
        }
      }
    }
    const std::string op = entropy_.Any(ops);
    GeneratedValue like = a;
    if (op == "tanh" || op == "logistic" || op == "sine" || op == "cosine") {
      like.bound = 1;
      like.is_exact = false;
    } else if (op == "exponential" || op == "exponential_minus_one") {
      like.bound = std::exp(a.bound) + 1;
      like.is_exact = false;
    }
    Define(
        a.shape, like,
        absl::StrCat("stablehlo.", op, " ", a.name, " : ", a.shape.ToString()));
  }

  // An exact value, for what decides.
  GeneratedValue AnyExact() {
    for (int i = 0; i < 8; ++i) {
      const GeneratedValue& value = Any();
      if (value.is_exact) return value;
    }
    return Constant(Shape(ElementType::kS32, {3}));
  }

  void AddCompare() {
    const GeneratedValue a = AnyExact();
    GeneratedValue b = Like(a.shape);
    if (!b.is_exact) b = Constant(a.shape);
    static const std::vector<std::string> kDirections = {"EQ", "NE", "LT",
                                                         "LE", "GT", "GE"};
    const Shape result(ElementType::kPred, a.shape.dims());
    Define(result, GeneratedValue(),
           absl::StrCat("stablehlo.compare ", entropy_.Any(kDirections), ", ",
                        a.name, ", ", b.name, Types({a, b}, result)));
  }

  void AddSelect() {
    const GeneratedValue a = Any();
    const GeneratedValue b = Like(a.shape);
    const Shape all(ElementType::kPred, a.shape.dims());
    const Shape one(ElementType::kPred, absl::Span<const int64_t>());
    const GeneratedValue p = Like(entropy_.OneIn(4) ? one : all);
    Define(a.shape, Merged(a, b),
           absl::StrCat("stablehlo.select ", p.name, ", ", a.name, ", ", b.name,
                        Types({p, a, b}, a.shape)));
  }

  void AddClamp() {
    const GeneratedValue x = Any();
    if (x.shape.element_type() == ElementType::kPred) return;
    const Shape scalar(x.shape.element_type(), absl::Span<const int64_t>());
    const GeneratedValue low = Like(entropy_.OneIn(2) ? scalar : x.shape);
    const GeneratedValue high = Like(low.shape);
    Define(x.shape, Merged(x, Merged(low, high)),
           absl::StrCat("stablehlo.clamp ", low.name, ", ", x.name, ", ",
                        high.name, Types({low, x, high}, x.shape)));
  }

  void AddConvert() {
    const GeneratedValue a = Any();
    const ElementType to = entropy_.Any(kTypes);
    const ElementType from = a.shape.element_type();
    GeneratedValue like = a;
    if (IsFloat(from)) {
      // What does not fit the integer, or decides how it rounds, is left out.
      if (!IsFloat(to) && (!a.is_exact || a.has_special || a.bound > 100)) {
        return;
      }
      if (IsUnsignedInteger(to)) return;  // of negative numbers
      if (IsFloat(to) && !Fits(Shape(to, {}), a.bound, a.is_exact)) return;
      if (!a.is_exact && ByteSize(to) < 4) return;
    } else if (IsFloat(to)) {
      if (from != ElementType::kPred && ByteSize(from) > 1) return;
      like.bound = from == ElementType::kPred ? 1 : 256;
      if (!Fits(Shape(to, {}), like.bound, true)) return;
    }
    const Shape result(to, a.shape.dims());
    Define(result, like,
           absl::StrCat("stablehlo.convert ", a.name, Types({a}, result)));
  }

  void AddBroadcast() {
    const GeneratedValue a = Any();
    Dims dims;
    std::vector<int64_t> positions;
    int64_t count = std::max<int64_t>(a.shape.element_count(), 1);
    const auto insert = [&] {
      while (entropy_.OneIn(3) && dims.size() < 5) {
        const int64_t size = 1 + entropy_.Below(6);
        if (count * size > kMaxElements) return;
        count *= size;
        dims.push_back(size);
      }
    };
    for (int64_t i = 0; i < a.shape.rank(); ++i) {
      insert();
      positions.push_back(static_cast<int64_t>(dims.size()));
      int64_t size = a.shape.dim(i);
      if (size == 1 && entropy_.OneIn(2)) {
        const int64_t grown = 1 + entropy_.Below(5);
        if (count * grown <= kMaxElements) size = grown;
        count *= size;
      }
      dims.push_back(size);
    }
    insert();
    const Shape result(a.shape.element_type(), dims);
    Define(result, a,
           absl::StrCat("stablehlo.broadcast_in_dim ", a.name,
                        ", dims = ", List(positions), Types({a}, result)));
  }

  void AddTranspose() {
    const GeneratedValue a = Any();
    std::vector<int64_t> order;
    for (int64_t i = 0; i < a.shape.rank(); ++i) {
      order.insert(order.begin() + entropy_.Below(static_cast<int>(i) + 1), i);
    }
    Dims dims;
    for (int64_t i : order) dims.push_back(a.shape.dim(i));
    const Shape result(a.shape.element_type(), dims);
    Define(result, a,
           absl::StrCat("stablehlo.transpose ", a.name,
                        ", dims = ", List(order), Types({a}, result)));
  }

  void AddReshape() {
    const GeneratedValue a = Any();
    // Joins neighbours, splits even dimensions, adds and drops ones.
    Dims dims;
    for (int64_t size : a.shape.dims()) {
      if (!dims.empty() && entropy_.OneIn(3)) {
        dims.back() *= size;
      } else if (size > 0 && size % 2 == 0 && entropy_.OneIn(3)) {
        dims.push_back(2);
        dims.push_back(size / 2);
      } else if (size != 1 || entropy_.OneIn(2)) {
        dims.push_back(size);
      }
      if (entropy_.OneIn(6)) dims.push_back(1);
    }
    const Shape result(a.shape.element_type(), dims);
    Define(result, a,
           absl::StrCat("stablehlo.reshape ", a.name, Types({a}, result)));
  }

  void AddSlice() {
    const GeneratedValue a = Any();
    Dims dims;
    std::vector<std::string> ranges;
    for (int64_t size : a.shape.dims()) {
      const int64_t start = entropy_.Below(static_cast<int>(size) + 1);
      const int64_t limit =
          start + entropy_.Below(static_cast<int>(size - start) + 1);
      const int64_t stride = 1 + entropy_.Below(3);
      dims.push_back((limit - start + stride - 1) / stride);
      ranges.push_back(absl::StrCat(start, ":", limit, ":", stride));
    }
    const Shape result(a.shape.element_type(), dims);
    Define(result, a,
           absl::StrCat("stablehlo.slice ", a.name, " [",
                        absl::StrJoin(ranges, ", "), "]", Types({a}, result)));
  }

  void AddPad() {
    const GeneratedValue a = Any();
    const GeneratedValue fill =
        Like(Shape(a.shape.element_type(), absl::Span<const int64_t>()));
    std::vector<int64_t> low, high, interior;
    Dims dims;
    int64_t count = 1;
    for (int64_t size : a.shape.dims()) {
      low.push_back(entropy_.Below(4) - 1);
      high.push_back(entropy_.Below(4) - 1);
      interior.push_back(entropy_.Below(3));
      const int64_t padded = low.back() + high.back() + size +
                             std::max<int64_t>(size - 1, 0) * interior.back();
      if (padded < 0) return;
      dims.push_back(padded);
      count *= std::max<int64_t>(padded, 1);
    }
    if (count > kMaxElements) return;
    const Shape result(a.shape.element_type(), dims);
    Define(result, Merged(a, fill),
           absl::StrCat("stablehlo.pad ", a.name, ", ", fill.name,
                        ", low = ", List(low), ", high = ", List(high),
                        ", interior = ", List(interior),
                        Types({a, fill}, result)));
  }

  std::vector<int64_t> DrawDimensions(const Shape& shape) {
    std::vector<int64_t> dims;
    for (int64_t i = 0; i < shape.rank(); ++i) {
      if (entropy_.OneIn(2)) dims.push_back(i);
    }
    return dims;
  }

  void AddReverse() {
    const GeneratedValue a = Any();
    Define(a.shape, a,
           absl::StrCat("stablehlo.reverse ", a.name,
                        ", dims = ", List(DrawDimensions(a.shape)), " : ",
                        a.shape.ToString()));
  }

  void AddConcatenate() {
    const GeneratedValue a = Any();
    if (a.shape.rank() == 0) return;
    const GeneratedValue b = Like(a.shape);
    if (2 * a.shape.element_count() > kMaxElements) return;
    const int64_t dim = entropy_.Below(static_cast<int>(a.shape.rank()));
    Dims dims(a.shape.dims().begin(), a.shape.dims().end());
    dims[dim] *= 2;
    const Shape result(a.shape.element_type(), dims);
    Define(result, Merged(a, b),
           absl::StrCat("stablehlo.concatenate ", a.name, ", ", b.name,
                        ", dim = ", dim, Types({a, b}, result)));
  }

  void AddReduce() {
    const GeneratedValue a = Any();
    const std::vector<int64_t> reduced = DrawDimensions(a.shape);
    Dims dims;
    int64_t count = 1;
    for (int64_t i = 0; i < a.shape.rank(); ++i) {
      const bool is_reduced =
          std::find(reduced.begin(), reduced.end(), i) != reduced.end();
      if (is_reduced) {
        count *= std::max<int64_t>(a.shape.dim(i), 1);
      } else {
        dims.push_back(a.shape.dim(i));
      }
    }
    const ElementType type = a.shape.element_type();
    std::vector<std::string> ops = {"maximum", "minimum"};
    GeneratedValue like = a;
    const double sum = (a.bound + 4) * static_cast<double>(count + 1);
    if (IsFloat(type)) {
      if (Fits(a.shape, sum, a.is_exact)) {
        ops.insert(ops.end(), {"add", "add"});
      }
    } else {
      ops.insert(ops.end(), {"add", "and", "or"});
      if (type != ElementType::kPred) ops.push_back("multiply");
    }
    const std::string op = entropy_.Any(ops);
    if (op == "add") like.bound = sum;
    const Shape scalar(type, absl::Span<const int64_t>());
    const GeneratedValue init = Constant(scalar);
    like.bound = std::max(like.bound, init.bound);
    const Shape result(type, dims);
    Define(result, like,
           absl::StrCat("stablehlo.reduce(", a.name, " init: ", init.name,
                        ") applies stablehlo.", op, " across dimensions = ",
                        List(reduced), Types({a, init}, result)));
  }

  void AddDot() {
    const GeneratedValue a = Any();
    if (a.shape.rank() < 1 || a.shape.rank() > 3) return;
    const int64_t batch = a.shape.rank() == 3 ? 1 : 0;
    const int64_t depth = a.shape.dim(batch);
    const int64_t columns = 1 + entropy_.Below(9);
    Dims rhs_dims;
    if (batch == 1) rhs_dims.push_back(a.shape.dim(0));
    rhs_dims.push_back(depth);
    rhs_dims.push_back(columns);
    const GeneratedValue b = Like(Shape(a.shape.element_type(), rhs_dims));
    GeneratedValue like = Merged(a, b);
    like.bound = a.bound * b.bound * static_cast<double>(depth + 1);
    if (!Fits(a.shape, like.bound, like.is_exact)) return;
    Dims dims;
    for (int64_t i = 0; i < a.shape.rank(); ++i) {
      if (i != batch) dims.push_back(a.shape.dim(i));
    }
    dims.push_back(columns);
    const Shape result(a.shape.element_type(), dims);
    if (result.element_count() > kMaxElements) return;
    Define(result, like,
           absl::StrCat("stablehlo.dot_general ", a.name, ", ", b.name,
                        batch == 1 ? ", batching_dims = [0] x [0]" : "",
                        ", contracting_dims = [", batch, "] x [", batch, "]",
                        Types({a, b}, result)));
  }

  void AddIota() {
    const Shape shape(entropy_.OneIn(2) ? ElementType::kS32 : ElementType::kF32,
                      DrawDims());
    if (shape.rank() == 0) return;
    GeneratedValue like;
    like.bound = 64;
    Define(shape, like,
           absl::StrCat("stablehlo.iota dim = ",
                        entropy_.Below(static_cast<int>(shape.rank())), " : ",
                        shape.ToString()));
  }

  void AddDynamicSlice() {
    const GeneratedValue a = Any();
    if (a.shape.rank() == 0) return;
    const Shape index(ElementType::kS32, absl::Span<const int64_t>());
    std::vector<GeneratedValue> operands = {a};
    Dims sizes;
    for (int64_t size : a.shape.dims()) {
      operands.push_back(Like(index));
      sizes.push_back(entropy_.Below(static_cast<int>(size) + 1));
    }
    const Shape window(a.shape.element_type(), sizes);
    const auto names = [](std::string* out, const GeneratedValue& value) {
      absl::StrAppend(out, value.name);
    };
    if (entropy_.OneIn(2)) {
      Define(window, a,
             absl::StrCat("stablehlo.dynamic_slice ",
                          absl::StrJoin(operands, ", ", names),
                          ", sizes = ", List(sizes), Types(operands, window)));
      return;
    }
    const GeneratedValue update = Like(window);
    operands.insert(operands.begin() + 1, update);
    Define(a.shape, Merged(a, update),
           absl::StrCat("stablehlo.dynamic_update_slice ",
                        absl::StrJoin(operands, ", ", names),
                        Types(operands, a.shape)));
  }

  // A few steps of an element-wise op.
  void AddWhile() {
    const GeneratedValue a = Any();
    if (IsFloat(a.shape.element_type()) && !Fits(a.shape, 8 * a.bound, true)) {
      return;
    }
    const GeneratedValue b = Like(a.shape);
    if (!b.is_exact || b.bound > a.bound) return;
    const Shape count(ElementType::kS32, absl::Span<const int64_t>());
    const GeneratedValue start = Constant(count);
    const GeneratedValue end = Constant(count);
    const GeneratedValue one = Define(
        count, GeneratedValue(), "stablehlo.constant dense<1> : tensor<i32>");
    const char* op = entropy_.OneIn(2) ? "maximum" : "add";
    const std::string type = a.shape.ToString();
    const std::string name = NewName();
    absl::StrAppend(
        &body_, "  ", name, ":2 = stablehlo.while(%i = ", start.name,
        ", %v = ", a.name, ") : tensor<i32>, ", type,
        "\n  cond {\n    %p = stablehlo.compare LT, %i, ", end.name,
        " : (tensor<i32>, tensor<i32>) -> tensor<i1>\n"
        "    stablehlo.return %p : tensor<i1>\n  } do {\n"
        "    %j = stablehlo.add %i, ",
        one.name, " : tensor<i32>\n    %w = stablehlo.", op, " %v, ", b.name,
        " : ", type, "\n    stablehlo.return %j, %w : tensor<i32>, ", type,
        "\n  }\n");
    GeneratedValue result = Merged(a, b);
    result.name = name + "#1";
    result.shape = a.shape;
    result.bound = 8 * a.bound;
    values_.push_back(std::move(result));
  }

  void AddIf() {
    const GeneratedValue a = Any();
    const GeneratedValue b = Like(a.shape);
    const GeneratedValue p =
        Like(Shape(ElementType::kPred, absl::Span<const int64_t>()));
    const std::string type = a.shape.ToString();
    Define(
        a.shape, Merged(a, b),
        absl::StrCat("\"stablehlo.if\"(", p.name, ") ({\n    stablehlo.return ",
                     a.name, " : ", type, "\n  }, {\n    %c = stablehlo.",
                     "maximum ", a.name, ", ", b.name, " : ", type,
                     "\n    stablehlo.return %c : ", type,
                     "\n  }) : (tensor<i1>) -> ", type));
  }

  void Finish() {
    const int count =
        std::min(1 + entropy_.Below(4), static_cast<int>(values_.size()));
    std::vector<std::string> names, types;
    for (int i = 0; i < count; ++i) {
      const GeneratedValue& value = values_[values_.size() - 1 - i];
      names.push_back(value.name);
      types.push_back(value.shape.ToString());
      ResultTolerance tolerance;
      tolerance.is_exact = value.is_exact;
      tolerance.absolute = 1e-3 * std::max(1.0, value.bound);
      program_.tolerances.push_back(tolerance);
    }
    program_.text = absl::StrCat("func.func @main(", signature_, ") -> (",
                                 absl::StrJoin(types, ", "), ") {\n", body_,
                                 "  return ", absl::StrJoin(names, ", "), " : ",
                                 absl::StrJoin(types, ", "), "\n}\n");
  }

  Entropy entropy_;
  RandomProgram program_;
  std::vector<GeneratedValue> values_;
  std::string signature_;
  std::string body_;
  int next_name_ = 0;
};

}  // namespace

RandomProgram MakeRandomProgram(Entropy entropy) {
  return Generator(entropy).Generate();
}

}  // namespace lockstep
