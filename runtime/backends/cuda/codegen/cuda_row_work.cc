#include "runtime/backends/cuda/codegen/cuda_row_work.h"

#include <algorithm>
#include <cstddef>

#include "absl/algorithm/container.h"
#include "runtime/kernels/argument_reduction.h"

namespace lockstep::internal {

CudaRowWork::CudaRowWork(const KernelGraph& graph)
    : graph_(graph), loads_(graph), space_({}), reduces_of_pass_(1) {
  ReductionDepth depth(graph);
  for (const Value* output : graph.outputs) depth.Of(output);
  reduces_.reserve(depth.reduces().size());
  for (const Op* op : depth.reduces()) {
    const size_t pass = static_cast<size_t>(depth.Of(op->result()));
    reduces_of_pass_.resize(std::max(reduces_of_pass_.size(), pass + 1));
    reduces_of_pass_[pass].push_back(&reduces_.emplace_back(*op));
  }
  const Op& first = reduces_[0].op();
  full_ = first.operand(0)->shape();
  kept_ = first.result()->shape();
  is_reduced_.resize(static_cast<size_t>(full_.rank()), false);
  const std::vector<int64_t> reduced = *first.IntegersAttribute("dimensions");
  for (int64_t dim : reduced) is_reduced_[dim] = true;
  space_ = LoopSpace(full_.dims());
}

bool CudaRowWork::Plan() {
  for (const Value* output : graph_.outputs) {
    if (!IsFull(output) && output->shape().dims() != kept_.dims()) return false;
  }
  std::vector<LinearIndex> uses;
  if (!RehearseLoops(graph_, space_, uses, [&](ElementEmitter& emitter) {
        loads_.Record(emitter);
        Rehearse(emitter);
      })) {
    return false;
  }
  std::vector<int64_t> kept_order, reduced_order;
  for (int64_t i = 0; i < space_.loops(); ++i) {
    (is_reduced_[space_.dim_of(i)] ? reduced_order : kept_order).push_back(i);
  }
  kept_loops_ = MergeLoops(space_.sizes(), kept_order, uses);
  accesses_.reduced_loops = MergeLoops(space_.sizes(), reduced_order, uses);
  for (const MergedLoop& loop : kept_loops_) rows_ *= loop.size;
  for (const MergedLoop& loop : accesses_.reduced_loops) {
    accesses_.length *= loop.size;
  }
  FindAccesses();
  plan_ = PlanRows(Sizes());
  return true;
}

TensorIndex CudaRowWork::KeptOf(const TensorIndex& full) const {
  TensorIndex kept;
  for (size_t i = 0; i < full.size(); ++i) {
    if (!is_reduced_[i]) kept.push_back(full[i]);
  }
  return kept;
}

// By passes: what one of them has loaded another one loads again.
void CudaRowWork::Rehearse(ElementEmitter& emitter) {
  const TensorIndex full = space_.index();
  const TensorIndex kept = KeptOf(full);
  for (int pass = 1; pass <= passes(); ++pass) {
    loads_.set_pass(pass);
    std::vector<int> elements;
    emitter.BeginScope();
    for (const ReduceBody* reduce : reduces_of(pass)) {
      for (int i = 0; i < reduce->count(); ++i) {
        elements.push_back(emitter.Emit(reduce->op().operand(i), full));
      }
    }
    emitter.EndScope();
    size_t next = 0;
    for (const ReduceBody* reduce : reduces_of(pass)) {
      for (int i = 0; i < reduce->count(); ++i) {
        emitter.Emit(reduce->op().operand(reduce->count() + i), {});
        emitter.Bind(reduce->op().result(i), kept, elements[next++]);
      }
    }
  }
  loads_.set_pass(passes() + 1);
  for (const Value* output : graph_.outputs) {
    const TensorIndex& index = IsFull(output) ? full : kept;
    emitter.Emit(output, index);
    emitter.Position(Flatten(index, output->shape().dims(), space_.loops()));
  }
}

void CudaRowWork::FindAccesses() {
  accesses_.full_index = space_.index();
  accesses_.loops = kept_loops_;
  accesses_.loops.insert(accesses_.loops.end(), accesses_.reduced_loops.begin(),
                         accesses_.reduced_loops.end());
  accesses_.loads = loads_.loads();
  RowPasses row_passes(graph_, full_.dims());
  for (int pass = 1; pass <= passes(); ++pass) {
    for (const ReduceBody* reduce : reduces_of(pass)) {
      for (int i = 0; i < reduce->count(); ++i) {
        row_passes.Need(reduce->op().operand(i), pass);
      }
    }
  }
  for (size_t i = 0; i < graph_.outputs.size(); ++i) {
    const Value* output = graph_.outputs[i];
    if (!IsFull(output)) continue;
    row_passes.Need(output, passes() + 1);
    accesses_.stores.push_back(
        {static_cast<int>(graph_.inputs.size() + i),
         Flatten(accesses_.full_index, output->shape().dims(), space_.loops()),
         output->shape().element_type(), false, passes() + 1, passes() + 1});
  }
  accesses_.spills = row_passes.Spills();
}

RowSizes CudaRowWork::Sizes() const {
  RowSizes sizes;
  sizes.rows = rows_;
  sizes.length = accesses_.length;
  sizes.is_read_once = passes() == 1 && accesses_.stores.empty();
  sizes.are_columns = AreColumns();
  sizes.keeps_order = !absl::c_all_of(reduces_, [](const ReduceBody& reduce) {
    return reduce.is_commutative();
  });
  // Parts of a row may be combined first only where the body is known.
  sizes.must_go_in_order =
      sizes.keeps_order && MatchArgumentReduction(graph_) == nullptr;
  if (sizes.are_columns || sizes.keeps_order ||
      accesses_.reduced_loops.empty()) {
    return sizes;
  }
  sizes.width =
      PackWidth(accesses_.loads, accesses_.stores, accesses_.loops, false);
  const int64_t loop = accesses_.reduced_loops.back().last;
  int64_t loaded = 0, kept = 0;
  for (const CudaAccess& load : accesses_.loads) {
    if (IsPackable(load, loop, sizes.width, accesses_.loops) &&
        (load.first_pass == 1 || load.last_pass > load.first_pass)) {
      loaded += sizes.width * ByteSize(load.type);
    }
  }
  for (const RowSpill& spill : accesses_.spills) {
    kept += sizes.width *
            std::max<int64_t>(4, ByteSize(spill.value->shape().element_type()));
  }
  sizes.group_bytes = std::max({loaded, kept, 2 * int64_t{sizes.width}});
  return sizes;
}

// Whether neighbouring rows lie side by side in memory.
bool CudaRowWork::AreColumns() const {
  if (kept_loops_.empty() || kept_loops_.back().size < 8) return false;
  for (int64_t i = kept_loops_.back().last + 1; i < space_.loops(); ++i) {
    if (space_.sizes()[i] != 1) return false;
  }
  return true;
}

}  // namespace lockstep::internal
