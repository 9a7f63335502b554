#ifndef LOCKSTEP_TESTS_GENERATOR_PROGRAM_BUILDER_H_
#define LOCKSTEP_TESTS_GENERATOR_PROGRAM_BUILDER_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "runtime/types/shape.h"
#include "tests/generator/entropy.h"

namespace lockstep::internal {

// Also of 8 bits and fewer.
inline bool IsAnyFloat(ElementType type) {
  return IsFloat(type) || IsSmallFloat(type);
}

// What is known of a value before the program runs.
struct GeneratedValue {
  std::string name;
  Shape shape;
  // Floats and complex numbers: every finite part is at most this large.
  double bound = 0;
  bool is_exact = true;
  bool has_special = false;  // NaN or infinity may occur

  ElementType type() const { return shape.element_type(); }
  bool is_float() const { return IsAnyFloat(type()); }
  bool is_pred() const { return type() == ElementType::kPred; }
};

// A function of the program that others call; takes and gives one tensor.
struct GeneratedFunction {
  std::string name;
  GeneratedValue argument;  // no larger than its bound, and exact
  GeneratedValue result;
};

// The text of a function in the making, and the values that its next op may
// use. What goes through functions such as exp is approximate from there on,
// stays bounded and never decides anything; all else is exact: integers wrap,
// floats are small integers as long as the type holds them.
class ProgramBuilder {
 public:
  // Tensors have at most `max_elements` elements.
  ProgramBuilder(Entropy& entropy, int64_t max_elements)
      : entropy_(entropy), max_elements_(max_elements) {}

  Entropy& entropy() { return entropy_; }
  int Below(int limit) { return entropy_.Below(limit); }
  bool OneIn(int n) { return entropy_.OneIn(n); }
  int64_t max_elements() const { return max_elements_; }

  // -- text
  std::string NewName();
  void Append(absl::string_view text) { absl::StrAppend(&text_, text); }
  const std::string& text() const { return text_; }
  // Adds "NAME = TEXT" as a value with the properties of `like`.
  GeneratedValue Define(const Shape& shape, const GeneratedValue& like,
                        absl::string_view text);
  // Adds a value whose text is written.
  void Add(GeneratedValue value) { values_.push_back(std::move(value)); }

  // -- values
  const std::vector<GeneratedValue>& values() const { return values_; }
  // Later ones more often, so that chains are longer.
  const GeneratedValue& Any();
  GeneratedValue AnyExact();
  // One that `fits`; the first of a few tries, else a constant of `otherwise`.
  template <typename F>
  GeneratedValue AnyThat(F fits, const Shape& otherwise) {
    for (int i = 0; i < 8; ++i) {
      const GeneratedValue& value = Any();
      if (fits(value)) return value;
    }
    return Constant(otherwise);
  }
  // A value of this shape, element type included: an existing one, or a
  // constant.
  GeneratedValue Like(const Shape& shape);
  GeneratedValue ExactLike(const Shape& shape);
  GeneratedValue Constant(const Shape& shape);
  GeneratedValue Splat(const Shape& shape, int64_t value);
  GeneratedValue Index() { return Like(Shape(ElementType::kS32, {})); }
  // A float of at most `bound`: the value itself, or clamped to it.
  GeneratedValue Clamped(const GeneratedValue& value, double bound);

  // -- shapes
  ElementType DrawType();
  Dims DrawDims();
  // Some of the dimensions, in order.
  std::vector<int64_t> DrawDimensions(const Shape& shape);

  // -- regions
  // Values that are defined while it lives are not known afterwards. Nested
  // ones cost depth, of which there is little.
  class Scope {
   public:
    explicit Scope(ProgramBuilder& builder)
        : builder_(builder), outside_(builder.values_.size()) {
      ++builder.depth_;
    }
    ~Scope() {
      builder_.values_.resize(outside_);
      --builder_.depth_;
    }
    Scope(const Scope&) = delete;
    Scope& operator=(const Scope&) = delete;

   private:
    ProgramBuilder& builder_;
    const size_t outside_;
  };
  bool is_deep() const { return depth_ >= 2; }

  std::vector<GeneratedFunction>& functions() { return functions_; }

 private:
  Entropy& entropy_;
  const int64_t max_elements_;
  std::string text_;
  std::vector<GeneratedValue> values_;
  std::vector<GeneratedFunction> functions_;
  int next_name_ = 0;
  int depth_ = 0;
};

// Whether floats of this type and bound may be made; other types always. Exact
// ones must leave the type room for the sums of a few; small ones are exact.
bool Fits(ElementType type, double bound, bool is_exact);
// What holds of a value that is made of both.
GeneratedValue Merged(const GeneratedValue& a, const GeneratedValue& b);

// "[1, 2]".
std::string List(absl::Span<const int64_t> values);
// "%a, %b".
std::string Names(absl::Span<const GeneratedValue> values);
// " : (T, U) -> V".
std::string Types(absl::Span<const GeneratedValue> operands,
                  const Shape& result);
// The sizes of the other dimensions.
Dims Without(const Shape& shape, absl::Span<const int64_t> dims);
// The number of elements along some dimensions, at least 1.
int64_t CountAlong(const Shape& shape, absl::Span<const int64_t> dims);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_TESTS_GENERATOR_PROGRAM_BUILDER_H_
