#include "runtime/backends/cpu/codegen/window_kernel.h"

#include <functional>
#include <vector>

#include "runtime/backends/cpu/codegen/kernel_loops.h"
#include "runtime/backends/cpu/codegen/scalar_variables.h"
#include "runtime/backends/cpu/codegen/step_buffers.h"
#include "runtime/kernels/reduce_body.h"
#include "runtime/kernels/window_step.h"
#include "runtime/ops/geometry/window.h"

namespace lockstep::internal {
namespace {

// Windows up to this size are code without loops: then the loop over places is
// the innermost one.
constexpr int64_t kMaxUnrolled = 32;

class WindowBuilder {
 public:
  WindowBuilder(const KernelGraph& graph, const Window& window,
                const Shape& places, llvm::Module& module)
      : graph_(graph),
        window_(window),
        input_(graph.op->operand(0)->shape()),
        places_(places),
        space_(places.dims()),
        function_(module, graph),
        emitter_(function_, graph, space_),
        b_(function_.builder()) {
    int64_t size = 1;
    for (int64_t dim : window.sizes) {
      size = size > kMaxUnrolled || dim > kMaxUnrolled ? kMaxUnrolled + 1
                                                       : size * dim;
    }
    is_unrolled_ = size <= kMaxUnrolled;
  }

  int64_t Build() {
    const bool is_select = graph_.kind == KernelGraph::Kind::kSelect;
    if (is_select) targets_ = StepBuffers(function_, graph_).Address(0);
    std::vector<MergedLoop> outer, inner;
    const int64_t first_inner = FirstInnerDim(places_);
    for (int64_t dim = 0; dim < places_.rank(); ++dim) {
      if (places_.dim(dim) == 1) continue;
      (dim < first_inner ? outer : inner)
          .push_back({places_.dim(dim), dim, dim});
    }
    const int64_t count = EmitRangeLoop(function_, emitter_, outer, [&] {
      EmitLoops(function_, emitter_, inner,
                [&] { is_select ? EmitSelect() : EmitReduce(); });
    });
    function_.Finish();
    return count;
  }

 private:
  // An element of the window: its offset in the input, and whether it is one;
  // if not, the offset is that of another element. Null: always.
  struct Element {
    llvm::Value* offset;
    llvm::Value* is_inside;
  };
  using Body = std::function<void(const Element&)>;

  llvm::Value* PlaceOffset() {
    const TensorIndex index = space_.index();
    return emitter_.Materialize(Flatten(index, places_.dims(), space_.loops()));
  }
  bool SkipsPadding() const { return graph_.variant == kPaddingIsSkipped; }

  // Calls `body` for the window's elements at the current place, row-major.
  void EmitElements(const Body& body) {
    EmitDim(0, {function_.Int(0), nullptr}, body);
  }

  void EmitDim(int64_t dim, const Element& outer, const Body& body) {
    if (dim == input_.rank()) return body(outer);
    llvm::Value* place = emitter_.variable(dim);
    llvm::Value* first = function_.Int(-window_.padding[dim].first);
    if (place != nullptr) {
      first = b_.CreateNSWAdd(
          first, b_.CreateNSWMul(place, function_.Int(window_.strides[dim])));
    }
    const auto at = [&](llvm::Value* k) {
      EmitDim(dim + 1, Inside(dim, outer, first, k), body);
    };
    const int64_t size = window_.sizes[dim];
    if (is_unrolled_ || (size == 1 && !IsClipped(dim))) {
      for (int64_t k = 0; k < size; ++k) at(function_.Int(k));
      return;
    }
    llvm::Value* begin = function_.Int(0);
    llvm::Value* end = function_.Int(size);
    if (IsClipped(dim)) ClipLoop(dim, first, &begin, &end);
    function_.Loop(begin, end, 1, false, at);
  }

  bool CanLeave(int64_t dim) const {
    const int64_t low = window_.padding[dim].first;
    const int64_t last =
        (places_.dim(dim) - 1) * window_.strides[dim] +
        (window_.sizes[dim] - 1) * window_.window_dilations[dim] - low;
    return low > 0 ||
           last > (input_.dim(dim) - 1) * window_.base_dilations[dim];
  }
  // Whether the loop over the window is cut to what lies in the input.
  bool IsClipped(int64_t dim) const {
    return SkipsPadding() && !is_unrolled_ &&
           window_.base_dilations[dim] == 1 && CanLeave(dim);
  }

  void ClipLoop(int64_t dim, llvm::Value* first, llvm::Value** begin,
                llvm::Value** end) {
    const int64_t step = window_.window_dilations[dim];
    llvm::Value* steps = function_.Int(step);
    const auto limit = [&](llvm::Intrinsic::ID which, llvm::Value* distance,
                           llvm::Value* bound) {
      return b_.CreateBinaryIntrinsic(which, b_.CreateSDiv(distance, steps),
                                      bound);
    };
    // ceil(-first / step), and floor((size - 1 - first) / step) + 1.
    *begin = limit(llvm::Intrinsic::smax,
                   b_.CreateNSWSub(function_.Int(step - 1), first), *begin);
    *end =
        limit(llvm::Intrinsic::smin,
              b_.CreateNSWSub(function_.Int(input_.dim(dim) - 1 + step), first),
              *end);
  }

  Element Inside(int64_t dim, const Element& outer, llvm::Value* first,
                 llvm::Value* k) {
    llvm::Value* position = b_.CreateNSWAdd(
        first,
        b_.CreateNSWMul(k, function_.Int(window_.window_dilations[dim])));
    Element element = outer;
    const auto require = [&](llvm::Value* predicate) {
      element.is_inside = element.is_inside == nullptr
                              ? predicate
                              : b_.CreateAnd(element.is_inside, predicate);
    };
    const int64_t dilation = window_.base_dilations[dim];
    if (CanLeave(dim) && !IsClipped(dim)) {
      const int64_t last = (input_.dim(dim) - 1) * dilation;
      llvm::Value* nearest = b_.CreateBinaryIntrinsic(
          llvm::Intrinsic::smin,
          b_.CreateBinaryIntrinsic(llvm::Intrinsic::smax, position,
                                   function_.Int(0)),
          function_.Int(last));
      require(b_.CreateICmpEQ(nearest, position));
      position = nearest;
    }
    if (dilation != 1) {
      llvm::Value* step = function_.Int(dilation);
      llvm::Value* index = b_.CreateUDiv(position, step);
      require(b_.CreateICmpEQ(b_.CreateNSWMul(index, step), position));
      position = index;
    }
    element.offset = b_.CreateNSWAdd(
        b_.CreateNSWMul(element.offset, function_.Int(input_.dim(dim))),
        position);
    return element;
  }

  int Pred(llvm::Value* predicate) {
    return function_.scalars().Add({ElementType::kPred, predicate});
  }

  void EmitReduce() {
    LlvmScalarBuilder& scalars = function_.scalars();
    const ReduceBody reduce(*graph_.op);
    const int count = reduce.count();
    std::vector<int> inits;
    for (int i = 0; i < count; ++i) {
      inits.push_back(emitter_.Emit(graph_.op->operand(count + i), {}));
    }
    ScalarVariables accumulators(function_);
    accumulators.Set(reduce.Init(function_, emitter_));
    EmitElements([&](const Element& element) {
      std::vector<int> elements;
      for (int i = 0; i < count; ++i) {
        const int loaded = function_.Load(
            i, graph_.op->operand(i)->shape().element_type(), element.offset);
        elements.push_back(
            element.is_inside == nullptr
                ? loaded
                : scalars.Select(Pred(element.is_inside), loaded, inits[i]));
      }
      const std::vector<int> before = accumulators.Get();
      std::vector<int> after =
          reduce.Combine(function_, emitter_, before, elements);
      if (SkipsPadding() && element.is_inside != nullptr) {
        for (int i = 0; i < count; ++i) {
          after[i] =
              scalars.Select(Pred(element.is_inside), after[i], before[i]);
        }
      }
      accumulators.Set(after);
    });
    const std::vector<int> results =
        reduce.Finish(function_, accumulators.Get());
    llvm::Value* place = PlaceOffset();
    for (int i = 0; i < count; ++i) {
      function_.Store(static_cast<int>(graph_.inputs.size()) + i,
                      graph_.outputs[i]->shape().element_type(), place,
                      results[i]);
    }
  }

  void EmitSelect() {
    LlvmScalarBuilder& scalars = function_.scalars();
    const ElementType type = input_.element_type();
    ScalarVariables kept(function_);
    // What is kept so far, and where it lies.
    kept.Set({function_.Load(0, type, function_.Int(0)),
              scalars.Add({ElementType::kS64, function_.Int(-1)})});
    EmitElements([&](const Element& element) {
      const std::vector<int> before = kept.Get();
      const int candidate = function_.Load(0, type, element.offset);
      const int stays =
          emitter_.EmitRegion(*graph_.body, {before[0], candidate})[0];
      llvm::Value* is_first =
          b_.CreateICmpSLT(scalars.Get(before[1]).value, function_.Int(0));
      llvm::Value* takes =
          b_.CreateOr(is_first, b_.CreateNot(scalars.Get(stays).value));
      if (element.is_inside != nullptr) {
        takes = b_.CreateAnd(takes, element.is_inside);
      }
      kept.Set({scalars.Select(Pred(takes), candidate, before[0]),
                scalars.Select(Pred(takes),
                               scalars.Add({ElementType::kS64, element.offset}),
                               before[1])});
    });
    llvm::Value* first = b_.CreateNSWMul(
        function_.begin(), function_.Int(PlacesPerIteration(places_)));
    b_.CreateStore(
        scalars.Get(kept.Get()[1]).value,
        b_.CreateInBoundsGEP(b_.getInt64Ty(), targets_,
                             {b_.CreateNSWSub(PlaceOffset(), first)}));
  }

  const KernelGraph& graph_;
  const Window& window_;
  const Shape& input_;
  const Shape& places_;
  const LoopSpace space_;
  KernelFunction function_;
  LlvmElementEmitter emitter_;
  llvm::IRBuilder<>& b_;
  bool is_unrolled_;
  llvm::Value* targets_ = nullptr;
};

}  // namespace

int64_t BuildWindowKernel(const KernelGraph& graph, llvm::Module& module) {
  const Op& op = *graph.op;
  const auto window = WindowOf(op, op.operand(0)->shape().rank());
  if (!window.ok()) return 0;
  const bool is_select = graph.kind == KernelGraph::Kind::kSelect;
  const Shape& places =
      is_select ? op.operand(1)->shape() : op.result()->shape();
  return WindowBuilder(graph, *window, places, module).Build();
}

}  // namespace lockstep::internal
