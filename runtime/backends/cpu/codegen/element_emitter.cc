#include "runtime/backends/cpu/codegen/element_emitter.h"

#include "runtime/base/check.h"
#include "runtime/ir/op_def.h"
#include "runtime/ops/indexed_windows.h"
#include "runtime/ops/window.h"

namespace lockstep::internal {

ElementEmitter::ElementEmitter(KernelFunction& function,
                               const KernelGraph& graph, const LoopSpace& space)
    : function_(function),
      b_(function.builder()),
      scalars_(function.scalars()),
      space_(space),
      variables_(space.loops(), nullptr) {
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
    return function_.Load(input->second, type, Materialize(offset));
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
  const int scalar = Emit(value, index);
  EndScope();
  return scalar;
}

int ElementEmitter::EmitConstant(const Op& op, const TensorIndex& index) {
  const auto* elements = op.attribute("value")->As<Attribute::Elements>();
  const ElementType type = elements->values->shape().element_type();
  const std::byte* bytes = elements->values->bytes();
  if (elements->is_splat || elements->shape.element_count() == 1) {
    return scalars_.Add(scalars_.Literal(type, bytes));
  }
  const LinearIndex flat =
      Flatten(index, elements->shape.dims(), space_.loops());
  if (flat.is_constant()) {
    return scalars_.Add(
        scalars_.Literal(type, bytes + flat.constant * ByteSize(type)));
  }
  // A table of raw bytes.
  llvm::Constant* data = llvm::ConstantDataArray::getRaw(
      llvm::StringRef(reinterpret_cast<const char*>(bytes),
                      static_cast<size_t>(elements->shape.byte_size())),
      static_cast<uint64_t>(elements->shape.byte_size()), b_.getInt8Ty());
  auto* table = new llvm::GlobalVariable(
      *b_.GetInsertBlock()->getModule(), data->getType(), true,
      llvm::GlobalValue::PrivateLinkage, data);
  table->setAlignment(llvm::Align(64));
  llvm::Type* memory = scalars_.MemoryType(type);
  llvm::Value* offset = Materialize(flat);
  if (IsComplex(type)) offset = b_.CreateMul(offset, b_.getInt64(2));
  llvm::Value* address = b_.CreateInBoundsGEP(memory, table, {offset});
  llvm::Value* real = b_.CreateLoad(memory, address);
  llvm::Value* imaginary = nullptr;
  if (IsComplex(type)) {
    imaginary = b_.CreateLoad(
        memory, b_.CreateConstInBoundsGEP1_64(memory, address, 1));
  }
  return scalars_.Add(scalars_.FromMemory(type, real, imaginary));
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
  llvm::Value* position = Materialize(index[dim]);
  ElementType type = ElementType::kS64;
  if (shape.dim(dim) < int64_t{1} << 31) {
    position = b_.CreateTrunc(position, b_.getInt32Ty());
    type = ElementType::kS32;
  }
  return scalars_.Convert(shape.element_type(), scalars_.Add({type, position}));
}

int ElementEmitter::EmitInside(const Value* operand, TensorIndex place,
                               absl::Span<const DimCheck> checks, int outside) {
  if (checks.empty()) return Emit(operand, place);
  llvm::Value* is_inside = b_.getTrue();
  for (const auto& [dim, size, step] : checks) {
    llvm::Value* position = Materialize(place[dim]);
    llvm::Value* fits =
        b_.CreateICmpULT(position, b_.getInt64((size - 1) * step + 1));
    is_inside = b_.CreateAnd(is_inside, fits);
    if (step == 1) continue;
    llvm::Value* rest = b_.CreateURem(position, b_.getInt64(step));
    is_inside = b_.CreateAnd(is_inside, b_.CreateICmpEQ(rest, b_.getInt64(0)));
    place[dim] = NewTerm(b_.CreateUDiv(position, b_.getInt64(step)));
  }
  return function_.Branch(
      is_inside, [&] { return EmitScoped(operand, place); },
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
  llvm::Value* is_here =
      b_.CreateICmpSLT(Materialize(index[dim]), b_.getInt64(end));
  return function_.Branch(
      is_here, [&] { return EmitScoped(op.operand(first), inner); },
      [&] { return EmitConcatenate(op, index, first + 1, end); });
}

LinearIndex ElementEmitter::ClampedStart(int scalar, int64_t room) {
  const ScalarValue start = scalars_.Get(scalar);
  llvm::Value* position;
  if (IsSignedInteger(start.type)) {
    position = b_.CreateSExt(start.value, b_.getInt64Ty());
    position = b_.CreateBinaryIntrinsic(llvm::Intrinsic::smax, position,
                                        b_.getInt64(0));
  } else {
    position = b_.CreateZExt(start.value, b_.getInt64Ty());
  }
  return NewTerm(b_.CreateBinaryIntrinsic(llvm::Intrinsic::umin, position,
                                          b_.getInt64(room)));
}

int ElementEmitter::EmitDynamicSlice(const Op& op, const TensorIndex& index) {
  const Shape& shape = op.operand(0)->shape();
  TensorIndex inner = index;
  for (int64_t i = 0; i < shape.rank(); ++i) {
    const int64_t room = shape.dim(i) - op.result()->shape().dim(i);
    if (room == 0) continue;
    const int start = Emit(op.operand(static_cast<int>(i) + 1), {});
    inner[i].Add(ClampedStart(start, room));
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
    inner[dim] =
        ClampedStart(Emit(op.operand(1), place), operand.dim(dim) - sizes[dim]);
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

llvm::Value* ElementEmitter::Materialize(const LinearIndex& index) {
  uses_.push_back(index);
  llvm::Value* sum = nullptr;
  const auto add = [&](llvm::Value* value, int64_t coefficient) {
    if (value == nullptr || coefficient == 0) return;
    llvm::Value* product =
        coefficient == 1 ? value
                         : b_.CreateNSWMul(value, b_.getInt64(coefficient));
    sum = sum == nullptr ? product : b_.CreateNSWAdd(sum, product);
  };
  for (const auto& [term, coefficient] : index.terms) {
    add(terms_[term], coefficient);
  }
  for (size_t i = 0; i < variables_.size(); ++i) {
    add(variables_[i], index.coefficients[i]);
  }
  if (sum == nullptr) return b_.getInt64(index.constant);
  if (index.constant == 0) return sum;
  return b_.CreateNSWAdd(sum, b_.getInt64(index.constant));
}

LinearIndex ElementEmitter::NewTerm(llvm::Value* value) {
  terms_.push_back(value);
  return LinearIndex::Term(space_.loops(), static_cast<int>(terms_.size()) - 1);
}

LinearIndex ElementEmitter::Divide(const LinearIndex& index, int64_t divisor) {
  return NewTerm(b_.CreateUDiv(Materialize(index), b_.getInt64(divisor)));
}
LinearIndex ElementEmitter::Modulo(const LinearIndex& index, int64_t divisor) {
  return NewTerm(b_.CreateURem(Materialize(index), b_.getInt64(divisor)));
}

void ElementEmitter::WishSplit(int64_t loop, int64_t inner) {
  splits_.push_back({loop, inner});
}

}  // namespace lockstep::internal
