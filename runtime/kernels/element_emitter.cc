#include "runtime/kernels/element_emitter.h"

#include <cstddef>
#include <optional>

#include "runtime/base/check.h"
#include "runtime/ir/op_def.h"
#include "runtime/kernels/unwritten_code.h"
#include "runtime/ops/geometry/indexed_windows.h"
#include "runtime/ops/geometry/window.h"

namespace lockstep::internal {

ElementEmitter::ElementEmitter(KernelCode& code, const KernelGraph& graph,
                               const LoopSpace& space)
    : code_(code),
      scalars_(code.scalar_builder()),
      space_(space),
      variables_(space.loops()) {
  for (size_t i = 0; i < graph.inputs.size(); ++i) {
    inputs_.try_emplace(graph.inputs[i], static_cast<int>(i));
  }
  BeginScope();
}

ElementEmitter::Key ElementEmitter::KeyOf(const Value* value,
                                          const TensorIndex& index) const {
  std::vector<int64_t> numbers;
  for (const LinearIndex& dim : index) {
    numbers.push_back(dim.constant);
    for (int64_t i = 0; i < space_.loops(); ++i) {
      numbers.push_back(space_.sizes()[i] == 1 ? 0 : dim.coefficients[i]);
    }
    numbers.push_back(static_cast<int64_t>(dim.terms.size()));
    for (const auto& [term, coefficient] : dim.terms) {
      numbers.push_back(term);
      numbers.push_back(coefficient);
    }
  }
  return {value, std::move(numbers)};
}

void ElementEmitter::Bind(const Value* value, const TensorIndex& index,
                          int scalar) {
  scopes_.back()[KeyOf(value, index)] = scalar;
}

int ElementEmitter::Emit(const Value* value, const TensorIndex& index) {
  const Key key = KeyOf(value, index);
  for (const auto& scope : scopes_) {
    auto it = scope.find(key);
    if (it != scope.end()) return it->second;
  }
  const int scalar = EmitUnknown(value, index);
  scopes_.back()[key] = scalar;
  return scalar;
}

int ElementEmitter::EmitUnknown(const Value* value, const TensorIndex& index) {
  const ElementType type = value->shape().element_type();
  auto input = inputs_.find(value);
  if (input != inputs_.end()) {
    const LinearIndex offset =
        Flatten(index, value->shape().dims(), space_.loops());
    if (loader_ != nullptr) {
      const std::optional<int> scalar =
          loader_(input->second, offset, conditions_ > 0);
      if (scalar.has_value()) return *scalar;
    }
    return code_.Load(input->second, type, Position(offset));
  }
  const Op* op = value->defining_op();
  LOCKSTEP_CHECK(op != nullptr);
  if (op->def()->kind() == OpKind::kElementwise) {
    return EmitElementwise(*op, index);
  }
  if (MapsIndices(*op)) {
    return Emit(op->operand(0), OperandIndex(*op, index, *this));
  }
  if (op->name() == "stablehlo.constant") return EmitConstant(*op, index);
  if (op->name() == "stablehlo.iota") return EmitIota(*op, index);
  if (op->name() == "stablehlo.pad") return EmitPad(*op, index);
  if (op->name() == "stablehlo.concatenate") {
    return EmitConcatenate(*op, index, 0, 0);
  }
  if (op->name() == "stablehlo.dynamic_slice") {
    return EmitDynamicSlice(*op, index);
  }
  if (op->name() == "stablehlo.gather") return EmitGather(*op, index);
  if (op->name() == "stablehlo.reduce_window") {
    return EmitReduceWindow(*op, index);
  }
  // A reduction's result away from where it was bound.
  is_ok_ = false;
  return scalars_.Constant(type, 0);
}

int ElementEmitter::EmitScoped(const Value* value, const TensorIndex& index) {
  BeginScope();
  ++conditions_;
  const int scalar = Emit(value, index);
  --conditions_;
  EndScope();
  return scalar;
}

int ElementEmitter::EmitConstant(const Op& op, const TensorIndex& index) {
  const auto* elements = op.attribute("value")->As<Attribute::Elements>();
  const ElementType type = elements->values->shape().element_type();
  const std::byte* bytes = elements->values->bytes();
  if (elements->is_splat || elements->shape.element_count() == 1) {
    return code_.LiteralScalar(type, bytes);
  }
  const LinearIndex flat =
      Flatten(index, elements->shape.dims(), space_.loops());
  if (flat.is_constant()) {
    return code_.LiteralScalar(type, bytes + flat.constant * ByteSize(type));
  }
  return code_.LoadConstant(
      type, {bytes, static_cast<size_t>(elements->shape.byte_size())},
      Position(flat));
}

int ElementEmitter::EmitElementwise(const Op& op, const TensorIndex& index) {
  std::vector<int> operands;
  for (const Value* operand : op.operands()) {
    const bool is_scalar = operand->shape().rank() == 0;
    operands.push_back(Emit(operand, is_scalar ? TensorIndex() : index));
  }
  return op.def()->emit()(scalars_, op, operands);
}

int ElementEmitter::EmitIota(const Op& op, const TensorIndex& index) {
  const int64_t dim = *op.IntegerAttribute("iota_dimension");
  const Shape& shape = op.result()->shape();
  const ElementType type =
      shape.dim(dim) < int64_t{1} << 31 ? ElementType::kS32 : ElementType::kS64;
  return scalars_.Convert(shape.element_type(),
                          code_.ScalarOf(Position(index[dim]), type));
}

int ElementEmitter::EmitInside(const Value* operand, TensorIndex place,
                               absl::Span<const DimCheck> checks, int outside) {
  if (checks.empty()) return Emit(operand, place);
  std::optional<int> is_inside;
  const auto require = [&](int predicate) {
    is_inside = is_inside.has_value() ? scalars_.Binary(BinaryScalarOp::kAnd,
                                                        *is_inside, predicate)
                                      : predicate;
  };
  for (const auto& [dim, size, step] : checks) {
    const Index position = Position(place[dim]);
    require(code_.IsWithin(position, (size - 1) * step + 1));
    if (step == 1) continue;
    require(code_.IsMultiple(position, step));
    place[dim] = NewTerm(code_.Divide(position, step));
  }
  return code_.Branch(
      *is_inside, [&] { return EmitScoped(operand, place); },
      [&] { return outside; });
}

int ElementEmitter::EmitPad(const Op& op, const TensorIndex& index) {
  const Shape& shape = op.operand(0)->shape();
  const int padding = Emit(op.operand(1), {});
  if (shape.element_count() == 0) return padding;
  const std::vector<int64_t> low = *op.IntegersAttribute("edge_padding_low");
  const std::vector<int64_t> high = *op.IntegersAttribute("edge_padding_high");
  const std::vector<int64_t> interior =
      *op.IntegersAttribute("interior_padding");
  TensorIndex place = index;
  std::vector<DimCheck> checks;
  for (int64_t i = 0; i < shape.rank(); ++i) {
    place[i].constant -= low[i];
    if (interior[i] == 0 && low[i] <= 0 && high[i] <= 0) continue;
    checks.push_back({i, shape.dim(i), interior[i] + 1});
  }
  return EmitInside(op.operand(0), std::move(place), checks, padding);
}

int ElementEmitter::EmitReduceWindow(const Op& op, const TensorIndex& index) {
  const Shape& shape = op.operand(0)->shape();
  const Window window = *WindowOf(op, shape.rank());
  const int init = Emit(op.operand(1), {});
  int accumulator = init;
  std::vector<int64_t> at(shape.rank(), 0);
  while (true) {
    TensorIndex place = index;
    std::vector<DimCheck> checks;
    for (int64_t i = 0; i < shape.rank(); ++i) {
      const int64_t first =
          at[i] * window.window_dilations[i] - window.padding[i].first;
      place[i].Multiply(window.strides[i]);
      place[i].constant += first;
      const int64_t last =
          first + (op.result()->shape().dim(i) - 1) * window.strides[i];
      const int64_t step = window.base_dilations[i];
      if (first < 0 || last >= shape.dim(i) || step != 1) {
        checks.push_back({i, shape.dim(i), step});
      }
    }
    const int element =
        EmitInside(op.operand(0), std::move(place), checks, init);
    accumulator = EmitRegion(op.region(), {accumulator, element})[0];
    int64_t dim = shape.rank() - 1;
    while (dim >= 0 && ++at[dim] == window.sizes[dim]) at[dim--] = 0;
    if (dim < 0) return accumulator;
  }
}

int ElementEmitter::EmitConcatenate(const Op& op, const TensorIndex& index,
                                    int first, int64_t start) {
  const int64_t dim = *op.IntegerAttribute("dimension");
  while (op.operand(first)->shape().dim(dim) == 0) ++first;
  TensorIndex inner = index;
  inner[dim].constant -= start;
  const int64_t end = start + op.operand(first)->shape().dim(dim);
  if (end == op.result()->shape().dim(dim)) {
    return EmitScoped(op.operand(first), inner);
  }
  return code_.Branch(
      code_.IsBelow(Position(index[dim]), end),
      [&] { return EmitScoped(op.operand(first), inner); },
      [&] { return EmitConcatenate(op, index, first + 1, end); });
}

int ElementEmitter::EmitDynamicSlice(const Op& op, const TensorIndex& index) {
  const Shape& shape = op.operand(0)->shape();
  TensorIndex inner = index;
  for (int64_t i = 0; i < shape.rank(); ++i) {
    const int64_t room = shape.dim(i) - op.result()->shape().dim(i);
    if (room == 0) continue;
    const int start = Emit(op.operand(static_cast<int>(i) + 1), {});
    inner[i].Add(NewTerm(code_.Clamp(start, room)));
  }
  return Emit(op.operand(0), inner);
}

int ElementEmitter::EmitGather(const Op& op, const TensorIndex& index) {
  const IndexedWindows windows = *GatherWindowsOf(op);
  const std::vector<int64_t> sizes = *op.IntegersAttribute("slice_sizes");
  const Shape& operand = op.operand(0)->shape();
  const Shape& indices = op.operand(1)->shape();
  const std::vector<int64_t> position_dims =
      windows.PositionDims(op.result()->shape().rank());
  // By dim of the indices; the index vector's dim comes later.
  TensorIndex place;
  for (int64_t dim = 0, next = 0; dim < indices.rank(); ++dim) {
    place.push_back(dim == windows.index_vector_dim
                        ? LinearIndex::Constant(space_.loops(), 0)
                        : index[position_dims[next++]]);
  }
  TensorIndex inner(operand.rank(), LinearIndex::Constant(space_.loops(), 0));
  for (size_t k = 0; k < windows.index_map.size(); ++k) {
    const int64_t dim = windows.index_map[k];
    if (windows.index_vector_dim < indices.rank()) {
      place[windows.index_vector_dim].constant = static_cast<int64_t>(k);
    }
    if (operand.dim(dim) == sizes[dim]) continue;
    inner[dim] = NewTerm(
        code_.Clamp(Emit(op.operand(1), place), operand.dim(dim) - sizes[dim]));
  }
  for (size_t i = 0; i < windows.operand_batching_dims.size(); ++i) {
    inner[windows.operand_batching_dims[i]] =
        place[windows.indices_batching_dims[i]];
  }
  const std::vector<int64_t> window_dims =
      windows.WindowOperandDims(operand.rank());
  for (size_t i = 0; i < window_dims.size(); ++i) {
    inner[window_dims[i]].Add(index[windows.window_dims[i]]);
  }
  return Emit(op.operand(0), inner);
}

std::vector<int> ElementEmitter::EmitRegion(const Region& region,
                                            absl::Span<const int> arguments) {
  absl::flat_hash_map<const Value*, int> values;
  for (size_t i = 0; i < arguments.size(); ++i) {
    values[region.arguments()[i].get()] = arguments[i];
  }
  for (const auto& op : region.ops()) {
    if (op.get() == region.terminator()) break;
    if (op->name() == "stablehlo.constant") {
      values[op->result()] = EmitConstant(*op, {});
      continue;
    }
    std::vector<int> operands;
    for (const Value* operand : op->operands()) {
      operands.push_back(values.at(operand));
    }
    values[op->result()] = op->def()->emit()(scalars_, *op, operands);
  }
  std::vector<int> results;
  for (const Value* value : region.terminator()->operands()) {
    results.push_back(values.at(value));
  }
  return results;
}

ElementEmitter::Index ElementEmitter::Position(const LinearIndex& index) {
  uses_.push_back(index);
  Index sum;
  const auto add = [&](Index value, int64_t coefficient) {
    if (!value.is_known() || coefficient == 0) return;
    const Index product =
        coefficient == 1 ? value : code_.Multiply(value, coefficient);
    sum = sum.is_known() ? code_.Add(sum, product) : product;
  };
  for (const auto& [term, coefficient] : index.terms) {
    add(terms_[term], coefficient);
  }
  for (size_t i = 0; i < variables_.size(); ++i) {
    add(variables_[i], index.coefficients[i]);
  }
  if (!sum.is_known()) return code_.IndexConstant(index.constant);
  if (index.constant == 0) return sum;
  return code_.Add(sum, code_.IndexConstant(index.constant));
}

LinearIndex ElementEmitter::NewTerm(Index value) {
  terms_.push_back(value);
  return LinearIndex::Term(space_.loops(), static_cast<int>(terms_.size()) - 1);
}

LinearIndex ElementEmitter::Divide(const LinearIndex& index, int64_t divisor) {
  return NewTerm(code_.Divide(Position(index), divisor));
}
LinearIndex ElementEmitter::Modulo(const LinearIndex& index, int64_t divisor) {
  return NewTerm(code_.Modulo(Position(index), divisor));
}

void ElementEmitter::WishSplit(int64_t loop, int64_t inner) {
  splits_.push_back({loop, inner});
}

bool RehearseLoops(const KernelGraph& graph, LoopSpace& space,
                   std::vector<LinearIndex>& uses,
                   const std::function<void(ElementEmitter&)>& emit) {
  // A kernel whose dimensions are split more often does with divisions.
  constexpr int kMaxRehearsals = 6;
  for (int attempt = 0; attempt < kMaxRehearsals; ++attempt) {
    UnwrittenCode code;
    ElementEmitter emitter(code, graph, space);
    for (int64_t i = 0; i < space.loops(); ++i) {
      emitter.set_variable(i, code.IndexConstant(0));
    }
    emit(emitter);
    if (!emitter.is_ok()) return false;
    uses = emitter.uses();
    if (emitter.splits().empty() || attempt + 1 == kMaxRehearsals) break;
    const auto [loop, inner] = emitter.splits()[0];
    space.Split(loop, inner);
  }
  return true;
}

}  // namespace lockstep::internal
