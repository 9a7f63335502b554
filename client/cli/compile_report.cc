#include "client/cli/compile_report.h"

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "absl/strings/strip.h"
#include "runtime/base/quantity_text.h"
#include "runtime/executable/collective_done_thunk.h"
#include "runtime/executable/collective_start_thunk.h"
#include "runtime/ir/op_def.h"
#include "runtime/ops/lockstep/fusion.h"
#include "runtime/passes/op_cost.h"

namespace lockstep::internal {
namespace {

// Calls f for every op, those in regions of control flow too.
template <typename F>
void ForEachOp(const Region& region, const F& f) {
  for (const auto& op : region.ops()) {
    f(*op);
    if (op->name() == kFusionOp) continue;
    for (const auto& nested : op->regions()) ForEachOp(*nested, f);
  }
}

// "2 exponential, add, reduce": what is in a fusion, without its leaves.
std::string Content(const Op& fusion) {
  std::map<std::string, int> counts;
  for (const auto& op : fusion.region().ops()) {
    if (op.get() == fusion.region().terminator() || op->operand_count() == 0) {
      continue;
    }
    ++counts[op->name().substr(op->name().find('.') + 1)];
  }
  return absl::StrJoin(counts, ", ", [](std::string* out, const auto& entry) {
    if (entry.second > 1) absl::StrAppend(out, entry.second, " ");
    absl::StrAppend(out, entry.first);
  });
}

std::string ResultTypes(const Op& op) {
  return absl::StrJoin(op.results(), ", ",
                       [](std::string* out, const auto& result) {
                         absl::StrAppend(out, result->type().ToString());
                       });
}

void AppendFusions(const Module& module, std::string* out) {
  int fusions = 0;
  int fused = 0;
  int others = 0;
  std::string lines;
  for (const auto& function : module.functions()) {
    ForEachOp(function->body(), [&](const Op& op) {
      if (op.name() != kFusionOp) {
        others += op.result_count() > 0 && op.operand_count() > 0;
        return;
      }
      ++fusions;
      fused += static_cast<int>(op.region().ops().size()) - 1;
      const auto kind = FusionKindOf(op);
      absl::StrAppendFormat(&lines, "  %-6s %s -> %s\n         %d inputs; %s\n",
                            kind.ok() ? FusionKindName(*kind) : "?",
                            op.location().ToString(), ResultTypes(op),
                            op.operand_count(), Content(op));
    });
  }
  absl::StrAppend(out, "fusions: ", fusions, " of ", fused, " ops; ", others,
                  " other ops\n", lines);
}

// The thunks in the order of the dump, nested ones after their owner.
struct ListedThunk {
  const Thunk* thunk;
  int depth;
};
void ListThunks(const ThunkSequence& sequence, int depth,
                std::vector<ListedThunk>& list) {
  for (const auto& thunk : sequence.thunks()) {
    list.push_back({thunk.get(), depth});
    for (const ThunkSequence* nested : thunk->nested()) {
      ListThunks(*nested, depth + 1, list);
    }
  }
}

// The parts of the arena that thunks use, and from which to which.
struct ArenaUse {
  int first;
  int last;
};
using ArenaUses = std::map<std::pair<int64_t, int64_t>, std::vector<ArenaUse>>;

// A part that is written again begins anew.
ArenaUses UsesOfArena(const std::vector<ListedThunk>& thunks) {
  ArenaUses uses;
  for (int i = 0; i < static_cast<int>(thunks.size()); ++i) {
    for (const BufferUse& use : thunks[i].thunk->buffer_uses()) {
      if (use.slice.allocation != 0 || use.slice.size == 0) continue;
      auto& ranges = uses[{use.slice.offset, use.slice.size}];
      const bool begins = use.access == BufferUse::Access::kWrite &&
                          (ranges.empty() || ranges.back().last < i);
      if (ranges.empty() || begins) ranges.push_back({i, i});
      ranges.back().last = i;
    }
  }
  return uses;
}

int64_t PeakOf(const ArenaUses& uses, size_t thunks) {
  std::vector<int64_t> change(thunks + 1);
  for (const auto& [slice, ranges] : uses) {
    for (const ArenaUse& range : ranges) {
      change[range.first] += slice.second;
      change[range.last + 1] -= slice.second;
    }
  }
  int64_t live = 0;
  int64_t peak = 0;
  for (int64_t bytes : change) peak = std::max(peak, live += bytes);
  return peak;
}

void AppendAllocation(const Executable& executable, int position,
                      std::string* out) {
  const BufferAllocation& allocation = executable.allocations()[position];
  std::string what;
  switch (allocation.kind) {
    case BufferAllocation::Kind::kArena:
      return;
    case BufferAllocation::Kind::kConstant:
      what = absl::StrCat(
          "constant ", allocation.index, " ",
          executable.constants()[allocation.index]->shape().ToString());
      break;
    case BufferAllocation::Kind::kArgument:
      what = absl::StrCat(
          "argument ", allocation.index, " ",
          executable.argument_shapes()[allocation.index].ToString());
      break;
    case BufferAllocation::Kind::kResult:
      what =
          absl::StrCat("result ", allocation.index, " ",
                       executable.result_shapes()[allocation.index].ToString());
      break;
  }
  absl::StrAppendFormat(out, "  %-5s %10s  %s\n", absl::StrCat("a", position),
                        BytesText(allocation.size), what);
}

void AppendBuffers(const Executable& executable,
                   const std::vector<ListedThunk>& thunks, std::string* out) {
  const ArenaUses uses = UsesOfArena(thunks);
  absl::StrAppend(out, "buffers: arena ", BytesText(executable.arena_size()),
                  ", of which at most ", BytesText(PeakOf(uses, thunks.size())),
                  " at a time; ", BytesText(executable.launch_bytes()),
                  " per launch; ", BytesText(executable.constant_bytes()),
                  " of constants\n");
  for (const auto& [slice, ranges] : uses) {
    absl::StrAppendFormat(
        out, "  a0[%d,%d) %s, thunks %s\n", slice.first,
        slice.first + slice.second, BytesText(slice.second),
        absl::StrJoin(ranges, ", ", [](std::string* text, const ArenaUse& use) {
          absl::StrAppend(text, use.first);
          if (use.last > use.first) absl::StrAppend(text, "-", use.last);
        }));
  }
  const int count = static_cast<int>(executable.allocations().size());
  for (int i = 0; i < count; ++i) AppendAllocation(executable, i, out);
}

// The flops of the ops at each place in the program text. Ops of one place are
// taken in order.
absl::flat_hash_map<std::string, std::vector<double>> FlopsByLocation(
    const Module& module) {
  absl::flat_hash_map<std::string, std::vector<double>> flops;
  for (const auto& function : module.functions()) {
    ForEachOp(function->body(), [&](const Op& op) {
      if (op.result_count() == 0 || op.operand_count() == 0) return;
      flops[op.location().ToString()].push_back(EstimateCost(op).flops);
    });
  }
  return flops;
}

// Of each thunk that starts or awaits a collective, which thunk does the other:
// "awaited at 7", "started at 3".
std::vector<std::string> OverlapNotes(const std::vector<ListedThunk>& thunks) {
  std::vector<std::string> notes(thunks.size());
  // By ordinal of the collective.
  absl::flat_hash_map<int, size_t> starts;
  for (size_t i = 0; i < thunks.size(); ++i) {
    const Thunk* thunk = thunks[i].thunk;
    if (auto* start = dynamic_cast<const CollectiveStartThunk*>(thunk)) {
      starts[start->ordinal()] = i;
    } else if (auto* done = dynamic_cast<const CollectiveDoneThunk*>(thunk)) {
      const size_t start_position = starts[done->ordinal()];
      notes[i] = absl::StrCat(", started at ", start_position);
      notes[start_position] = absl::StrCat(", awaited at ", i);
    }
  }
  return notes;
}

void AppendThunks(const Module& module, const std::vector<ListedThunk>& thunks,
                  std::string* out) {
  auto flops = FlopsByLocation(module);
  absl::flat_hash_map<std::string, size_t> taken;
  const std::vector<std::string> notes = OverlapNotes(thunks);
  absl::StrAppend(out, "thunks: ", thunks.size(), "\n",
                  "     #       read    written      flops  what\n");
  for (size_t i = 0; i < thunks.size(); ++i) {
    const Thunk& thunk = *thunks[i].thunk;
    const bool is_done =
        dynamic_cast<const CollectiveDoneThunk*>(&thunk) != nullptr;
    int64_t read = 0;
    int64_t written = 0;
    for (const BufferUse& use : thunk.buffer_uses()) {
      if (is_done) break;  // the start has it
      (use.access == BufferUse::Access::kRead ? read : written) +=
          use.slice.size;
    }
    double work = 0;
    // A copy, and the end of a collective, come from an op that has a thunk of
    // its own.
    const std::vector<double>& here = flops[thunk.location()];
    size_t& next = taken[thunk.location()];
    if (thunk.kind() != "copy" && !is_done && next < here.size()) {
      work = here[next++];
    }
    std::string details = thunk.Details();
    if (!details.empty()) details = absl::StrCat(" {", details, "}");
    absl::StrAppendFormat(out, "%6d %10s %10s %10s  %s%s  %s%s%s\n",
                          static_cast<int>(i), BytesText(read),
                          BytesText(written), CountText(work),
                          std::string(2 * thunks[i].depth, ' '), thunk.kind(),
                          thunk.location(), notes[i], details);
  }
}

// The op of each place in the program text.
absl::flat_hash_map<std::string, std::string> OpsByLocation(
    const Module& module) {
  absl::flat_hash_map<std::string, std::string> ops;
  for (const auto& function : module.functions()) {
    ForEachOp(function->body(), [&](const Op& op) {
      ops.try_emplace(op.location().ToString(), op.name());
    });
  }
  return ops;
}

bool IsInLoop(const Op& op) {
  for (const Region* region = op.parent(); region != nullptr;
       region = region->enclosing()) {
    const Op* around = region->parent_op();
    if (around != nullptr && around->name() == "stablehlo.while") return true;
  }
  return false;
}

}  // namespace

std::string CollectiveReport(const Module& written, const Module& compiled) {
  const auto ops = OpsByLocation(written);
  std::string lines;
  double sent = 0;
  int count = 0;
  for (const auto& function : compiled.functions()) {
    ForEachOp(function->body(), [&](const Op& op) {
      if (op.def() == nullptr || op.def()->kind() != OpKind::kCollective) {
        return;
      }
      const double bytes = EstimateCost(op).bytes_sent;
      const std::string place = op.location().ToString();
      const auto found = ops.find(place);
      ++count;
      sent += bytes;
      absl::StrAppendFormat(
          &lines, "  %10s  %s for %s%s%s\n",
          BytesText(static_cast<int64_t>(bytes)),
          absl::StripPrefix(op.name(), "stablehlo."),
          found == ops.end() ? "" : absl::StrCat(found->second, " at "), place,
          IsInLoop(op) ? ", each time of the loop" : "");
    });
  }
  if (count == 0) return "collectives: none\n";
  return absl::StrCat("collectives: ", count, ", in which each device sends ",
                      BytesText(static_cast<int64_t>(sent)), "\n", lines);
}

std::string CompileReport(const Module& module, const Executable& executable) {
  std::vector<ListedThunk> thunks;
  ListThunks(executable.thunks(), 0, thunks);
  std::string out;
  AppendFusions(module, &out);
  AppendBuffers(executable, thunks, &out);
  AppendThunks(module, thunks, &out);
  return out;
}

}  // namespace lockstep::internal
