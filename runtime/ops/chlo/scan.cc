#include <cstring>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "runtime/ir/op_def.h"
#include "runtime/ops/assembly/assembly_forms.h"
#include "runtime/ops/checks/operand_checks.h"
#include "runtime/ops/checks/region_checks.h"
#include "runtime/ops/evaluation/evaluation.h"
#include "runtime/types/strided_copy.h"

namespace lockstep::internal {
namespace {

// Operands: inputs, then the carries' first values.
absl::StatusOr<int> InputCount(const Op& op) {
  ASSIGN_OR_RETURN(const std::vector<int64_t> sizes,
                   op.IntegersAttribute("operandSegmentSizes"));
  if (sizes.size() == 2 && sizes[0] >= 1 && sizes[1] >= 0 &&
      sizes[0] + sizes[1] == op.operand_count()) {
    return static_cast<int>(sizes[0]);
  }
  return op.Error(absl::StrCat("operandSegmentSizes: expected the numbers of ",
                               "inputs and of inits"));
}

Dims WithoutDim(const Shape& shape, int64_t dim) {
  Dims dims(shape.dims().begin(), shape.dims().end());
  dims.erase(dims.begin() + dim);
  return dims;
}

absl::StatusOr<std::vector<Type>> InferScan(const Op& op) {
  RETURN_IF_ERROR(CheckMinOperandCount(op, 1));
  RETURN_IF_ERROR(CheckRegionCount(op, 1));
  ASSIGN_OR_RETURN(const int inputs, InputCount(op));
  ASSIGN_OR_RETURN(const int64_t dim, op.IntegerAttribute("dimension"));
  const int64_t rank = op.operand(0)->shape().rank();
  RETURN_IF_ERROR(CheckDim(op, "dimension", dim, rank));
  const int64_t length = op.operand(0)->shape().dim(dim);
  std::vector<Type> arguments;
  for (int i = 0; i < op.operand_count(); ++i) {
    const Shape& shape = op.operand(i)->shape();
    if (i >= inputs) {
      arguments.push_back(shape);
      continue;
    }
    if (shape.rank() <= dim || shape.dim(dim) != length) {
      return op.Error(absl::StrCat("operand ", i, ": expected size ", length,
                                   " in dim ", dim, ", found ",
                                   shape.ToString()));
    }
    arguments.push_back(Shape(shape.element_type(), WithoutDim(shape, dim)));
  }
  RETURN_IF_ERROR(CheckRegionArguments(op, "body", op.region(), arguments));
  ASSIGN_OR_RETURN(std::vector<Type> types, ReturnedTypes(op, op.region()));
  const size_t carries = op.operands().size() - inputs;
  if (types.size() < carries) {
    return op.Error(absl::StrCat("body: expected at least ", carries,
                                 " results, found ", types.size()));
  }
  const size_t outputs = types.size() - carries;
  for (size_t i = 0; i < types.size(); ++i) {
    if (i >= outputs) {
      if (types[i] == arguments[inputs + i - outputs]) continue;
      return op.Error(absl::StrCat("body result ", i, ": expected the type of ",
                                   "its carry, found ", types[i].ToString()));
    }
    const Shape& slice = types[i].shape();
    if (!types[i].is_tensor() || slice.rank() < dim) {
      return op.Error(absl::StrCat("body result ", i, ": expected rank ", dim,
                                   " or more, found ", types[i].ToString()));
    }
    Dims dims(slice.dims().begin(), slice.dims().end());
    dims.insert(dims.begin() + dim, length);
    ASSIGN_OR_RETURN(Shape shape, ResultShape(op, slice.element_type(), dims));
    types[i] = std::move(shape);
  }
  return types;
}

// Where slice `index` along `dim` is, as strides of the other dims.
struct Slice {
  Dims dims, strides;
  int64_t offset;  // bytes
};
Slice SliceOf(const Shape& shape, int64_t dim, int64_t index) {
  Slice slice = {WithoutDim(shape, dim), shape.Strides(), 0};
  slice.offset = index * slice.strides[dim] * ByteSize(shape.element_type());
  slice.strides.erase(slice.strides.begin() + dim);
  return slice;
}

void CopyFromSlice(const LiteralView& from, int64_t dim, int64_t index,
                   Literal& to) {
  const Slice slice = SliceOf(from.shape(), dim, index);
  StridedCopy(ByteSize(from.shape().element_type()), slice.dims,
              {from.bytes() + slice.offset, slice.strides},
              {to.mutable_bytes(), to.shape().Strides()});
}

void CopyToSlice(const Literal& from, int64_t dim, int64_t index,
                 const MutableLiteralView& to) {
  const Slice slice = SliceOf(to.shape(), dim, index);
  StridedCopy(ByteSize(to.shape().element_type()), slice.dims,
              {from.bytes(), from.shape().Strides()},
              {to.bytes() + slice.offset, slice.strides});
}

absl::Status EvaluateScan(EvaluationContext& context, const Op& op,
                          absl::Span<const LiteralView> operands,
                          absl::Span<const MutableLiteralView> results) {
  ASSIGN_OR_RETURN(const int inputs, InputCount(op));
  ASSIGN_OR_RETURN(const int64_t dim, op.IntegerAttribute("dimension"));
  ASSIGN_OR_RETURN(const bool is_reverse,
                   op.BoolAttributeOr("is_reverse", false));
  const int64_t length = operands[0].shape().dim(dim);
  const size_t carries = operands.size() - inputs;
  const size_t outputs = results.size() - carries;
  std::vector<Literal> arguments, returned;
  for (const auto& argument : op.region().arguments()) {
    arguments.emplace_back(argument->shape());
  }
  for (const Value* value : op.region().terminator()->operands()) {
    returned.emplace_back(value->shape());
  }
  for (size_t i = 0; i < carries; ++i) {
    arguments[inputs + i] = Literal::CopyOf(operands[inputs + i]);
  }
  for (int64_t step = 0; step < length; ++step) {
    const int64_t index = is_reverse ? length - 1 - step : step;
    for (int i = 0; i < inputs; ++i) {
      CopyFromSlice(operands[i], dim, index, arguments[i]);
    }
    std::vector<MutableLiteralView> views;
    for (Literal& literal : returned) views.push_back(literal.mutable_view());
    RETURN_IF_ERROR(context.RunRegion(
        op.region(),
        std::vector<LiteralView>(arguments.begin(), arguments.end()), views));
    for (size_t i = 0; i < outputs; ++i) {
      CopyToSlice(returned[i], dim, index, results[i]);
    }
    for (size_t i = 0; i < carries; ++i) {
      std::swap(arguments[inputs + i], returned[outputs + i]);
    }
  }
  for (size_t i = 0; i < carries; ++i) {
    std::memcpy(results[outputs + i].bytes(), arguments[inputs + i].bytes(),
                results[outputs + i].byte_span().size());
  }
  return absl::OkStatus();
}

// "(%a) inits(%b) dimension=0 attributes {..} {^bb0(..): ..} : (T, U) -> (T,
// U)". Prints in the generic form.
absl::Status ParseScan(AssemblyReader& reader, OpState& state) {
  RETURN_IF_ERROR(ParseOperandsInParens(reader, state));
  const auto inputs = static_cast<int64_t>(state.operands.size());
  RETURN_IF_ERROR(reader.Expect("inits"));
  RETURN_IF_ERROR(ParseOperandsInParens(reader, state));
  const auto all = static_cast<int64_t>(state.operands.size());
  state.attributes.Set("operandSegmentSizes",
                       Attribute::DenseArray{"i32", {inputs, all - inputs}});
  RETURN_IF_ERROR(reader.Expect("dimension"));
  RETURN_IF_ERROR(reader.Expect("="));
  ASSIGN_OR_RETURN(const int64_t dim, reader.ParseInteger());
  state.attributes.Set("dimension", Attribute::I64(dim));
  if (reader.TryConsume("attributes")) {
    RETURN_IF_ERROR(reader.ParseOptionalAttributes(state.attributes));
  }
  ASSIGN_OR_RETURN(std::unique_ptr<Region> body, reader.ParseRegion({}));
  state.regions.push_back(std::move(body));
  return ParseColonFunctionType(reader, state);
}

// scan: runs the body along `dimension`, on a slice of every input and the
// carries of the step before; stacks its outputs, returns the last carries.
//   (I1) inputs. (I2) inits. (I3) dimension. (I4) is_reverse. (I5) body:
//   (slices.., carries..) -> (output slices.., carries..).
REGISTER_OP(OpDef("chlo.scan", OpKind::kMap)
                .Assembly({ParseScan, nullptr})
                .Infer(InferScan)
                .Evaluate(EvaluateScan));

}  // namespace
}  // namespace lockstep::internal
