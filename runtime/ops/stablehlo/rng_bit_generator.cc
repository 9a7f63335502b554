#include <array>
#include <cstring>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "runtime/ir/op_def.h"
#include "runtime/ir/sharding_rule_builder.h"
#include "runtime/ops/assembly/assembly_forms.h"
#include "runtime/ops/checks/operand_checks.h"
#include "runtime/ops/checks/region_checks.h"
#include "runtime/ops/element_types.h"
#include "runtime/ops/evaluation/evaluation.h"
#include "runtime/ops/evaluation/random_bits.h"
#include "runtime/ops/random_algorithm.h"

namespace lockstep::internal {
namespace {

absl::Status VerifyRng(const Op& op) {
  RETURN_IF_ERROR(CheckOperandCount(op, 1));
  RETURN_IF_ERROR(CheckResultCount(op, 2));
  RETURN_IF_ERROR(CheckElementType(op, 0, OneType(ElementType::kU64)));
  RETURN_IF_ERROR(CheckRank(op, 0, 1));
  if (op.result(0)->type() != op.operand(0)->type()) {  // (C1)
    return op.Error(absl::StrCat("output_state: expected ",
                                 op.operand(0)->type().ToString(), ", found ",
                                 op.result(0)->type().ToString()));
  }
  ASSIGN_OR_RETURN(const bool is_philox, IsPhilox(op));
  const int64_t size = op.operand(0)->shape().dim(0);
  if (size != 2 && !(size == 3 && is_philox)) {  // (C2)
    return op.Error(absl::StrCat("initial_state: expected 2 ",
                                 is_philox ? "or 3 elements" : "elements",
                                 ", found ", size));
  }
  const Type& output = op.result(1)->type();
  if (!output.is_tensor() ||
      output.shape().element_type() == ElementType::kPred ||
      IsComplex(output.shape().element_type())) {
    return op.Error(absl::StrCat("output: expected an integer or float tensor",
                                 ", found ", output.ToString()));
  }
  if (IsSmall(output.shape().element_type())) {
    return op.Unimplemented(absl::StrCat("output of ", output.ToString()));
  }
  return absl::OkStatus();
}

std::array<uint32_t, 2> Halves(uint64_t bits) {
  return {static_cast<uint32_t>(bits), static_cast<uint32_t>(bits >> 32)};
}

// Writes the low bits of `bits` as element `i` of `size` bytes.
void Put(std::byte* output, int64_t i, int64_t size, uint64_t bits) {
  std::memcpy(output + i * size, &bits, size);
}

// Elements of 64 bits take a counter each. Narrower ones take the low bits of
// 32; two that are neighbours along ThreefryPairedDim share a counter. Returns
// how many counters were taken.
uint64_t FillThreefry(uint64_t key, uint64_t counter,
                      const MutableLiteralView& output) {
  const Shape& shape = output.shape();
  const int64_t size = ByteSize(shape.element_type());
  if (size == 8) {
    for (int64_t i = 0; i < shape.element_count(); ++i) {
      const auto [low, high] =
          Threefry2x32(Halves(counter + static_cast<uint64_t>(i)), Halves(key));
      Put(output.bytes(), i, size, uint64_t{high} << 32 | low);
    }
    return shape.element_count();
  }
  if (shape.rank() == 0) {
    Put(output.bytes(), 0, size, Threefry2x32(Halves(counter), Halves(key))[0]);
    return 1;
  }
  const int64_t split = ThreefryPairedDim(shape);
  const int64_t stride = shape.Strides()[split];
  const int64_t length = shape.dim(split);
  const int64_t pairs = (length + 1) / 2;
  if (shape.element_count() == 0) return 0;
  const int64_t outer = shape.element_count() / (length * stride);
  for (int64_t i = 0; i < outer * pairs * stride; ++i) {
    const auto bits =
        Threefry2x32(Halves(counter + static_cast<uint64_t>(i)), Halves(key));
    const int64_t pair = i / stride % pairs;
    const int64_t first =
        (i / stride / pairs * length + 2 * pair) * stride + i % stride;
    Put(output.bytes(), first, size, bits[0]);
    if (2 * pair + 1 < length) {
      Put(output.bytes(), first + stride, size, bits[1]);
    }
  }
  return outer * pairs * stride;
}

struct Counter128 {
  uint64_t low, high;
  Counter128 operator+(uint64_t n) const {
    const uint64_t sum = low + n;
    return {sum, high + (sum < low)};
  }
};

// A counter gives four elements of 32 bits or fewer, or two of 64. Returns the
// counter after the last one taken.
Counter128 FillPhilox(uint64_t key, Counter128 counter,
                      const MutableLiteralView& output) {
  const int64_t count = output.shape().element_count();
  const int64_t size = ByteSize(output.shape().element_type());
  const int64_t per_counter = size == 8 ? 2 : 4;
  const int64_t counters = (count + per_counter - 1) / per_counter;
  for (int64_t c = 0; c < counters; ++c) {
    const Counter128 at = counter + static_cast<uint64_t>(c);
    const auto low = Halves(at.low);
    const auto high = Halves(at.high);
    const auto bits =
        Philox4x32({low[0], low[1], high[0], high[1]}, Halves(key));
    for (int64_t j = 0; j < per_counter; ++j) {
      const int64_t i = c * per_counter + j;
      if (i >= count) break;
      Put(output.bytes(), i, size,
          size == 8 ? uint64_t{bits[2 * j + 1]} << 32 | bits[2 * j] : bits[j]);
    }
  }
  return counter + static_cast<uint64_t>(counters);
}

absl::Status EvaluateRng(EvaluationContext&, const Op& op,
                         absl::Span<const LiteralView> operands,
                         absl::Span<const MutableLiteralView> results) {
  ASSIGN_OR_RETURN(const bool is_philox, IsPhilox(op));
  const auto state = operands[0].data<uint64_t>();
  const auto next = results[0].data<uint64_t>();
  next[0] = state[0];
  if (is_philox) {
    const Counter128 counter = FillPhilox(
        state[0], {state[1], state[state.size() > 2 ? 2 : 0]}, results[1]);
    next[1] = counter.low;
    if (next.size() > 2) next[2] = counter.high;
  } else {
    next[1] = state[1] + FillThreefry(state[0], state[1], results[1]);
  }
  return absl::OkStatus();
}

// "%k, algorithm = THREE_FRY : (T) -> (T, U)".
absl::Status ParseRng(AssemblyReader& reader, OpState& state) {
  RETURN_IF_ERROR(ParseOperands(reader, state, 1));
  for (const char* token : {",", "algorithm", "="}) {
    RETURN_IF_ERROR(reader.Expect(token));
  }
  ASSIGN_OR_RETURN(std::string name, reader.ParseKeyword());
  state.attributes.Set("rng_algorithm",
                       Attribute::Enum{"rng_algorithm", std::move(name)});
  RETURN_IF_ERROR(reader.ParseOptionalAttributes(state.attributes));
  return ParseColonFunctionType(reader, state);
}

void PrintRng(const Op& op, AssemblyWriter& writer) {
  writer.Write(" ");
  writer.WriteOperands(op.operands());
  writer.Write(absl::StrCat(
      ", algorithm = ", op.EnumAttribute("rng_algorithm").value_or("DEFAULT")));
  writer.WriteAttributes(op.attributes(), {"rng_algorithm"});
  writer.Write(" : ");
  writer.WriteFunctionType(op);
}

absl::StatusOr<OpShardingRule> RngRule(const Op& op,
                                       const ShardingRuleOptions&) {
  const Shape& state = op.operand(0)->shape();
  const Shape& output = op.result(1)->shape();
  ShardingRuleBuilder rule(op);
  for (int64_t dim = 0; dim < state.rank(); ++dim) {
    rule.Add(state.dim(dim), FactorKind::kNeedReplication)
        .Operand(0, dim)
        .Result(0, dim)
        .Blocked();
  }
  for (int64_t dim = 0; dim < output.rank(); ++dim) {
    rule.Add(output.dim(dim)).Result(1, dim);
  }
  return rule.Build();
}

// rng_bit_generator: random bits and the state for the next ones. The state is
// a key and a counter: of 64 bits (THREE_FRY, PHILOX) or of 128 (PHILOX). Above
// a counter of 64 bits PHILOX has the key.
//   (I1) rng_algorithm. (I2) initial_state: 1-D ui64 tensor.
REGISTER_OP(OpDef("stablehlo.rng_bit_generator", OpKind::kRandom)
                .Assembly({ParseRng, PrintRng})
                .Verify(VerifyRng)
                .Evaluate(EvaluateRng)
                .Sharding(RngRule));

}  // namespace
}  // namespace lockstep::internal
