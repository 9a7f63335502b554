#include "runtime/backends/cpu/thunks/window_scan_thunk.h"

#include <algorithm>
#include <cstring>
#include <optional>
#include <utility>

#include "runtime/backends/cpu/threads/parallel_for.h"
#include "runtime/base/scratch_memory.h"
#include "runtime/base/status.h"
#include "runtime/kernels/scalar_support.h"
#include "runtime/kernels/scan_step.h"
#include "runtime/kernels/window_step.h"
#include "runtime/ops/geometry/window.h"
#include "runtime/ops/reduction_body.h"
#include "runtime/types/strided_copy.h"

namespace lockstep::internal {
namespace {

using Sweep = WindowScanThunk::Sweep;

// What a step of a scan costs beside a step of a window that is reduced by
// itself, which is vector code.
constexpr double kScanCost = 16;
constexpr int64_t kBytesPerPiece = int64_t{1} << 18;
constexpr int64_t kMaxPieces = 16;
// Columns are cut at multiples of it.
constexpr int64_t kColumns = 64;

bool IsAssociative(const std::string& op_name) {
  return IsCommutative(op_name);
}

// The passes for all dims that the window is larger than 1 in.
std::optional<std::vector<Sweep>> PassesOf(const Op& op) {
  const Shape& input = op.operand(0)->shape();
  const Shape& result = op.result()->shape();
  const auto window = WindowOf(op, input.rank());
  if (!window.ok() || input.element_count() == 0 ||
      result.element_count() == 0) {
    return std::nullopt;
  }
  std::vector<Sweep> passes;
  Dims dims(input.dims().begin(), input.dims().end());
  double direct = static_cast<double>(result.element_count());
  double scanned = 0;
  for (int64_t dim = 0; dim < input.rank(); ++dim) {
    Sweep pass;
    pass.window = window->sizes[dim];
    pass.stride = window->strides[dim];
    pass.size = dims[dim];
    pass.places = result.dim(dim);
    const auto [low, high] = window->padding[dim];
    pass.low = low;
    if (window->base_dilations[dim] != 1) return std::nullopt;
    if (pass.window == 1) {
      if (pass.stride != 1 || low != 0 || high != 0) return std::nullopt;
      continue;
    }
    if (window->window_dilations[dim] != 1) return std::nullopt;
    for (int64_t i = 0; i < dim; ++i) pass.outer *= dims[i];
    for (int64_t i = dim + 1; i < input.rank(); ++i) pass.inner *= dims[i];
    const bool sees_all = pass.stride == 1 && pass.window >= pass.size &&
                          pass.places == pass.size;
    if (sees_all && low == pass.window - 1) {
      pass.kind = Sweep::Kind::kBefore;
    } else if (sees_all && low == 0) {
      pass.kind = Sweep::Kind::kAfter;
    }
    const int64_t padded = pass.size + low + high;
    pass.blocks = (padded + pass.window - 1) / pass.window;
    const int64_t walked =
        pass.kind == Sweep::Kind::kSliding ? padded : pass.size;
    direct *= static_cast<double>(pass.window);
    scanned += static_cast<double>(pass.outer * pass.inner) *
               static_cast<double>(walked);
    dims[dim] = pass.places;
    passes.push_back(pass);
  }
  if (direct < kScanCost * scanned) return std::nullopt;
  return passes;
}

}  // namespace

std::unique_ptr<WindowScanThunk> WindowScanThunk::Create(
    const KernelRequest& request, KernelCompiler& compiler) {
  const Op& op = *request.op;
  if (!request.captures.empty() || op.operand_count() != 2 ||
      !CanEmitScalarRegion(op.region()) ||
      op.result()->shape().element_type() !=
          op.operand(0)->shape().element_type()) {
    return nullptr;
  }
  std::optional<std::vector<Sweep>> passes = PassesOf(op);
  if (!passes.has_value()) return nullptr;
  const Op* body = SingleOpBody(op.region());
  // A pass stores what the next one takes. Sums and products of halves are
  // rounded once in all, so they may take one pass only.
  const ElementType type = op.result()->shape().element_type();
  if ((type == ElementType::kF16 || type == ElementType::kBF16) &&
      (passes->size() > 1 || (*passes)[0].kind == Sweep::Kind::kSliding) &&
      (body == nullptr || body->name() == "stablehlo.add" ||
       body->name() == "stablehlo.multiply")) {
    return nullptr;
  }
  // A running reduction along one dim keeps the order of the elements. Only how
  // often it begins with init changes, which no program may depend on.
  const bool keeps_order =
      passes->size() == 1 && (*passes)[0].kind == Sweep::Kind::kBefore;
  if (body == nullptr ? !keeps_order
                      : !IsAssociative(body->name()) || !IsInitNeutral(op)) {
    return nullptr;
  }
  std::shared_ptr<const Kernel> scan =
      compiler.Add(ScanStep(op, op.region(), kRunningReduction));
  std::shared_ptr<const Kernel> combine;
  for (const Sweep& pass : *passes) {
    if (pass.kind != Sweep::Kind::kSliding) continue;
    combine = compiler.Add(ScanStep(op, op.region(), kCombineRows));
    if (combine == nullptr) return nullptr;
  }
  if (scan == nullptr) return nullptr;
  return std::unique_ptr<WindowScanThunk>(new WindowScanThunk(
      request, *std::move(passes), std::move(scan), std::move(combine)));
}

WindowScanThunk::WindowScanThunk(const KernelRequest& request,
                                 std::vector<Sweep> passes,
                                 std::shared_ptr<const Kernel> scan,
                                 std::shared_ptr<const Kernel> combine)
    : HostThunk(request.op->name(), request.op->location().ToString()),
      operand_(request.operands[0]),
      init_(request.operands[1]),
      result_(request.results[0]),
      element_size_(ByteSize(result_.shape.element_type())),
      passes_(std::move(passes)),
      scan_(std::move(scan)),
      combine_(std::move(combine)) {}

absl::Status WindowScanThunk::ExecuteOnHost(HostContext& context) const {
  const std::byte* from = context.buffers.Address(operand_.slice);
  const std::byte* init = context.buffers.Address(init_.slice);
  std::byte* result = context.buffers.Address(result_.slice);
  std::optional<ScratchMemory> held;
  for (size_t i = 0; i < passes_.size(); ++i) {
    const Sweep& pass = passes_[i];
    std::byte* to = result;
    std::optional<ScratchMemory> next;
    if (i + 1 < passes_.size()) {
      ASSIGN_OR_RETURN(
          next, ScratchMemory::Allocate(pass.outer * pass.places * pass.inner *
                                        element_size_));
      to = next->data();
    }
    RETURN_IF_ERROR(Run(pass, context.intra_op_threads, init, from, to));
    held = std::move(next);
    from = to;
  }
  return absl::OkStatus();
}

absl::Status WindowScanThunk::Run(const Sweep& pass, int threads,
                                  const std::byte* init, const std::byte* from,
                                  std::byte* to) const {
  if (pass.kind != Sweep::Kind::kSliding) {
    RunCumulative(pass, threads, init, from, to);
    return absl::OkStatus();
  }
  // A padded line and its running reductions from both sides.
  const int64_t rows = pass.blocks * pass.window + 1;
  const int64_t part =
      (3 * rows * pass.inner * element_size_ / ScratchMemory::kAlignment + 3) *
      ScratchMemory::kAlignment;
  const int64_t pieces =
      threads == 1 ? 1
                   : std::clamp<int64_t>(pass.outer * part / kBytesPerPiece, 1,
                                         std::min(pass.outer, kMaxPieces));
  ASSIGN_OR_RETURN(const ScratchMemory scratch,
                   ScratchMemory::Allocate(pieces * part));
  ParallelFor(threads, pieces, [&](int64_t piece) {
    for (int64_t line = pass.outer * piece / pieces;
         line < pass.outer * (piece + 1) / pieces; ++line) {
      SlideLine(pass, init, from, line, scratch.data() + piece * part, to);
    }
  });
  return absl::OkStatus();
}

void WindowScanThunk::RunCumulative(const Sweep& pass, int threads,
                                    const std::byte* init,
                                    const std::byte* from,
                                    std::byte* to) const {
  const bool is_backward = pass.kind == Sweep::Kind::kAfter;
  ScanShape shape;
  shape.rows = pass.size;
  shape.columns = pass.inner;
  shape.from = shape.to = is_backward ? (pass.size - 1) * pass.inner : 0;
  shape.from_row = shape.to_row = is_backward ? -pass.inner : pass.inner;
  shape.from_line = shape.to_line = pass.size * pass.inner;
  const int64_t bytes = pass.outer * pass.size * pass.inner * element_size_;
  const int64_t blocks = (pass.inner + kColumns - 1) / kColumns;
  const int64_t units = pass.outer > 1 ? pass.outer : blocks;
  const int64_t pieces = threads == 1
                             ? 1
                             : std::clamp<int64_t>(bytes / kBytesPerPiece, 1,
                                                   std::min(units, kMaxPieces));
  ParallelFor(threads, pieces, [&](int64_t piece) {
    const int64_t first = units * piece / pieces;
    const int64_t last = units * (piece + 1) / pieces;
    ScanShape part = shape;
    if (pass.outer == 1) {
      part.from += first * kColumns;
      part.to += first * kColumns;
      part.columns = std::min(last * kColumns, pass.inner) - first * kColumns;
    }
    char* buffers[] = {const_cast<char*>(reinterpret_cast<const char*>(from)),
                       const_cast<char*>(reinterpret_cast<const char*>(init)),
                       reinterpret_cast<char*>(to),
                       reinterpret_cast<char*>(&part)};
    pass.outer == 1 ? scan_->Run(buffers, 0, 1)
                    : scan_->Run(buffers, first, last);
  });
}

void WindowScanThunk::SlideLine(const Sweep& pass, const std::byte* init,
                                const std::byte* from, int64_t line,
                                std::byte* scratch, std::byte* to) const {
  const int64_t row = pass.inner * element_size_;
  const int64_t rows = pass.blocks * pass.window;
  const int64_t bytes = ((rows + 1) * row / ScratchMemory::kAlignment + 1) *
                        ScratchMemory::kAlignment;
  std::byte* padded = scratch;
  std::byte* ends = scratch + bytes;
  // Element i: what lies in i's block before i.
  std::byte* beginnings = scratch + 2 * bytes;
  FillElements(element_size_, init, padded, rows * pass.inner);
  const int64_t skipped = std::max<int64_t>(-pass.low, 0);
  const int64_t first = std::max<int64_t>(pass.low, 0);
  const int64_t copied = std::min(pass.size - skipped, rows - first);
  if (copied > 0) {
    std::memcpy(padded + first * row, from + (line * pass.size + skipped) * row,
                static_cast<size_t>(copied * row));
  }
  for (int64_t block = 0; block <= pass.blocks; ++block) {
    FillElements(element_size_, init, beginnings + block * pass.window * row,
                 pass.inner);
  }
  ScanShape shape;
  shape.columns = pass.inner;
  shape.from_line = shape.to_line = pass.window * pass.inner;
  const auto run = [&](const Kernel& kernel, const std::byte* x,
                       const std::byte* y, std::byte* z, int64_t lines) {
    char* buffers[] = {const_cast<char*>(reinterpret_cast<const char*>(x)),
                       const_cast<char*>(reinterpret_cast<const char*>(y)),
                       reinterpret_cast<char*>(z),
                       reinterpret_cast<char*>(&shape)};
    kernel.Run(buffers, 0, lines);
  };
  shape.rows = pass.window - 1;
  shape.from_row = shape.to_row = pass.inner;
  shape.to = pass.inner;
  run(*scan_, padded, init, beginnings, pass.blocks);
  shape.rows = pass.window;
  shape.from = shape.to = (pass.window - 1) * pass.inner;
  shape.from_row = shape.to_row = -pass.inner;
  run(*scan_, padded, init, ends, pass.blocks);
  shape = ScanShape();
  shape.other = pass.window * pass.inner;
  shape.to = line * pass.places * pass.inner;
  if (pass.stride == 1) {
    shape.rows = 1;
    shape.columns = pass.places * pass.inner;
  } else {
    shape.rows = pass.places;
    shape.columns = pass.inner;
    shape.from_row = shape.other_row = pass.stride * pass.inner;
    shape.to_row = pass.inner;
  }
  run(*combine_, ends, beginnings, to, 1);
}

}  // namespace lockstep::internal
