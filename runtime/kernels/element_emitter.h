#ifndef LOCKSTEP_RUNTIME_KERNELS_ELEMENT_EMITTER_H_
#define LOCKSTEP_RUNTIME_KERNELS_ELEMENT_EMITTER_H_

#include <functional>
#include <optional>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "runtime/kernels/index_map.h"
#include "runtime/kernels/kernel_code.h"
#include "runtime/kernels/kernel_graph.h"
#include "runtime/kernels/loop_space.h"

namespace lockstep::internal {

// Emits the code for single elements of the values of a graph, from the loads
// of the inputs on. An element that is asked for twice at the same place is
// computed once.
class ElementEmitter : public IndexArithmetic {
 public:
  using Index = KernelCode::Index;

  // All outlive it.
  ElementEmitter(KernelCode& code, const KernelGraph& graph,
                 const LoopSpace& space);

  // The scalar of a load of an input at this position, for loads that do not go
  // through KernelCode::Load. `is_conditional`: it only runs for some elements.
  using Loader = std::function<std::optional<int>(
      int buffer, const LinearIndex& offset, bool is_conditional)>;
  // Is asked before each load; null: none is.
  void set_loader(Loader loader) { loader_ = std::move(loader); }

  // The variable of a loop; one that is not known counts as 0 (of a merged loop
  // all but the last are not).
  void set_variable(int64_t loop, Index variable) {
    variables_[loop] = variable;
  }
  Index variable(int64_t loop) const { return variables_[loop]; }
  // Values emitted from here to EndScope are known until then only: for the
  // bodies of loops and branches.
  void BeginScope() { scopes_.emplace_back(); }
  void EndScope() { scopes_.pop_back(); }
  // `value`, at the place `index` and no other, is this scalar. Until the end
  // of the scope.
  void Bind(const Value* value, const TensorIndex& index, int scalar);

  // The scalar of `value` at `index`.
  int Emit(const Value* value, const TensorIndex& index);
  // The first result of a scalar region for these arguments, and the others.
  std::vector<int> EmitRegion(const Region& region,
                              absl::Span<const int> arguments);
  Index Position(const LinearIndex& index);

  // False once something could not be emitted; the code is then useless.
  bool is_ok() const { return is_ok_; }
  // The indices that were used, and which loops should be two.
  const std::vector<LinearIndex>& uses() const { return uses_; }
  const std::vector<std::pair<int64_t, int64_t>>& splits() const {
    return splits_;
  }

  absl::Span<const int64_t> loop_sizes() const override {
    return space_.sizes();
  }
  LinearIndex Divide(const LinearIndex& index, int64_t divisor) override;
  LinearIndex Modulo(const LinearIndex& index, int64_t divisor) override;
  void WishSplit(int64_t loop, int64_t inner) override;

 private:
  using Key = std::pair<const Value*, std::vector<int64_t>>;

  Key KeyOf(const Value* value, const TensorIndex& index) const;
  int EmitUnknown(const Value* value, const TensorIndex& index);
  int EmitConstant(const Op& op, const TensorIndex& index);
  int EmitElementwise(const Op& op, const TensorIndex& index);
  int EmitIota(const Op& op, const TensorIndex& index);
  int EmitPad(const Op& op, const TensorIndex& index);
  int EmitConcatenate(const Op& op, const TensorIndex& index, int first,
                      int64_t start);
  int EmitDynamicSlice(const Op& op, const TensorIndex& index);
  int EmitGather(const Op& op, const TensorIndex& index);
  int EmitReduceWindow(const Op& op, const TensorIndex& index);
  // `operand` where `place` falls on one of its elements, else `outside`. Of
  // the dims in `checks` the `size` elements lie `step` apart; in the others
  // every place is an element.
  struct DimCheck {
    int64_t dim;
    int64_t size;
    int64_t step;
  };
  int EmitInside(const Value* operand, TensorIndex place,
                 absl::Span<const DimCheck> checks, int outside);
  int EmitScoped(const Value* value, const TensorIndex& index);
  LinearIndex NewTerm(Index value);

  KernelCode& code_;
  ScalarBuilder& scalars_;
  const LoopSpace& space_;
  absl::flat_hash_map<const Value*, int> inputs_;
  std::vector<Index> variables_;
  std::vector<Index> terms_;
  std::vector<absl::flat_hash_map<Key, int>> scopes_;
  std::vector<LinearIndex> uses_;
  std::vector<std::pair<int64_t, int64_t>> splits_;
  Loader loader_;
  int conditions_ = 0;
  bool is_ok_ = true;
};

// Makes `space` the loops that `emit` wants: lets it emit into code that is
// thrown away until no dimension has to be split. `uses` receives the indices
// that it used. False when it cannot be emitted.
bool RehearseLoops(const KernelGraph& graph, LoopSpace& space,
                   std::vector<LinearIndex>& uses,
                   const std::function<void(ElementEmitter&)>& emit);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_KERNELS_ELEMENT_EMITTER_H_
