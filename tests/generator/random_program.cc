#include "tests/generator/random_program.h"

#include <algorithm>
#include <cmath>
#include <complex>
#include <iterator>
#include <limits>
#include <type_traits>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "tests/generator/op_families.h"
#include "tests/generator/program_builder.h"

namespace lockstep::internal {
namespace {

// Frequent ones several times.
constexpr void (*kFamilies[])(ProgramBuilder&) = {
    AddBinary,
    AddBinary,
    AddBinary,
    AddBinary,
    AddUnary,
    AddUnary,
    AddUnary,
    AddSelect,
    AddCompare,
    AddConvert,
    AddComplex,
    AddBroadcast,
    AddBroadcast,
    AddTranspose,
    AddReshape,
    AddSlice,
    AddPad,
    AddReverse,
    AddConcatenate,
    AddReduce,
    AddReduce,
    AddArgMax,
    AddDot,
    AddDot,
    AddIota,
    AddDynamicSlice,
    AddGather,
    AddScatter,
    AddSort,
    AddReduceWindow,
    AddSelectAndScatter,
    AddWhile,
    AddIf,
    AddCase,
    AddCall,
    AddClamp,
    AddSoftmax,
    AddLayerNorm,
    AddParameterUpdate,
};

template <typename T>
struct IsStdComplex : std::false_type {};
template <typename T>
struct IsStdComplex<std::complex<T>> : std::true_type {};

// Fills arguments and keeps what is known of them.
class ArgumentMaker {
 public:
  explicit ArgumentMaker(ProgramBuilder& builder) : builder_(builder) {}

  Literal Make(GeneratedValue& value) {
    Literal literal(value.shape);
    with_special_ = IsFloat(value.type()) && builder_.OneIn(6);
    DispatchElementType(value.type(), [&]<typename T>(std::type_identity<T>) {
      for (T& element : literal.mutable_data<T>()) {
        element = Element<T>(value);
      }
    });
    value.bound = 4;
    return literal;
  }

 private:
  int Small() { return builder_.Below(9) - 4; }

  template <typename T>
  T Element(GeneratedValue& value) {
    if constexpr (std::is_same_v<T, bool>) {
      return builder_.OneIn(2);
    } else if constexpr (std::is_integral_v<T>) {
      const int kind = builder_.Below(8);
      return kind == 0   ? std::numeric_limits<T>::max()
             : kind == 1 ? std::numeric_limits<T>::min()
                         : static_cast<T>(builder_.Below(17) - 8);
    } else if constexpr (IsStdComplex<T>::value) {
      const auto real = static_cast<typename T::value_type>(Small());
      return T(real, static_cast<typename T::value_type>(Small()));
    } else if constexpr (std::is_same_v<T, S4> || std::is_same_v<T, U4> ||
                         std::is_same_v<T, S2> || std::is_same_v<T, U2>) {
      return T(static_cast<typename T::Byte>(builder_.Below(16)));
    } else {
      if (with_special_ && builder_.OneIn(4)) {
        const float infinity = std::numeric_limits<float>::infinity();
        const float special[] = {infinity, -infinity, std::nanf(""), -0.0f};
        value.has_special = true;
        return static_cast<T>(special[builder_.Below(4)]);
      }
      return static_cast<T>(static_cast<float>(Small()));
    }
  }

  ProgramBuilder& builder_;
  bool with_special_ = false;
};

class Generator {
 public:
  Generator(Entropy& entropy, const RandomProgramOptions& options)
      : entropy_(entropy), options_(options) {}

  RandomProgram Generate() {
    for (int i = entropy_.Below(3); i > 0; --i) AddFunction();
    ProgramBuilder builder(entropy_, options_.max_elements);
    builder.functions() = functions_;
    std::vector<std::string> signature;
    const int count = 1 + entropy_.Below(4);
    for (int i = 0; i < count; ++i) {
      GeneratedValue value;
      value.name = absl::StrCat("%a", i);
      value.shape = Shape(builder.DrawType(), builder.DrawDims());
      program_.arguments.push_back(ArgumentMaker(builder).Make(value));
      signature.push_back(
          absl::StrCat(value.name, ": ", value.shape.ToString()));
      builder.Add(std::move(value));
    }
    AddOps(builder, 1 + entropy_.Below(options_.max_ops));
    Finish(builder, absl::StrJoin(signature, ", "));
    return std::move(program_);
  }

 private:
  // A function of one tensor, for those after it to call.
  void AddFunction() {
    ProgramBuilder builder(entropy_, options_.max_elements);
    builder.functions() = functions_;
    GeneratedFunction function;
    function.name = absl::StrCat("f", functions_.size());
    function.argument.name = "%a0";
    function.argument.shape = Shape(builder.DrawType(), builder.DrawDims());
    function.argument.bound = 4;
    function.argument.has_special = function.argument.is_float();
    builder.Add(function.argument);
    AddOps(builder, 1 + entropy_.Below(5));
    function.result = builder.values().back();
    absl::StrAppend(&callees_, "func.func private @", function.name,
                    "(%a0: ", function.argument.shape.ToString(), ") -> ",
                    function.result.shape.ToString(), " {\n", builder.text(),
                    "  return ", function.result.name, " : ",
                    function.result.shape.ToString(), "\n}\n");
    functions_.push_back(std::move(function));
  }

  void Finish(const ProgramBuilder& builder, const std::string& signature) {
    // The last value, and others from anywhere.
    const std::vector<GeneratedValue>& values = builder.values();
    std::vector<std::string> names, types;
    for (int i = entropy_.Below(6); i >= 0; --i) {
      const GeneratedValue& value =
          i == 0 ? values.back() : entropy_.Any(values);
      names.push_back(value.name);
      types.push_back(value.shape.ToString());
      ResultTolerance tolerance;
      tolerance.is_exact = value.is_exact;
      tolerance.absolute = 1e-3 * std::max(1.0, value.bound);
      program_.tolerances.push_back(tolerance);
    }
    program_.text = absl::StrCat(
        "func.func @main(", signature, ") -> (", absl::StrJoin(types, ", "),
        ") {\n", builder.text(), "  return ", absl::StrJoin(names, ", "), " : ",
        absl::StrJoin(types, ", "), "\n}\n", callees_);
  }

  Entropy& entropy_;
  const RandomProgramOptions options_;
  RandomProgram program_;
  std::vector<GeneratedFunction> functions_;
  std::string callees_;
};

}  // namespace

void AddOps(ProgramBuilder& builder, int count) {
  for (int i = 0; i < count; ++i) {
    kFamilies[builder.Below(std::size(kFamilies))](builder);
  }
}

RandomProgram MakeRandomProgram(Entropy entropy,
                                const RandomProgramOptions& options) {
  return Generator(entropy, options).Generate();
}

}  // namespace lockstep::internal
