#include "runtime/executable/collective_overlap.h"

#include <algorithm>
#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "runtime/executable/collective_done_thunk.h"
#include "runtime/executable/collective_start_thunk.h"
#include "runtime/executable/collective_thunk.h"

namespace lockstep::internal {
namespace {

using Kind = OverlapUnit::Kind;

bool RunsCollectives(const Thunk& thunk) {
  return dynamic_cast<const CollectiveThunk*>(&thunk) != nullptr ||
         dynamic_cast<const CollectiveStartThunk*>(&thunk) != nullptr;
}

// Adds what the thunk and those nested in it use. Returns whether any of them
// runs collectives.
bool AddUses(const Thunk& thunk, OverlapUnit& unit) {
  bool runs_collectives = RunsCollectives(thunk);
  for (const BufferUse& use : thunk.buffer_uses()) {
    unit.bytes += use.slice.size;
    unit.uses.push_back(use);
  }
  for (const ThunkSequence* nested : thunk.nested()) {
    for (const std::unique_ptr<Thunk>& inner : nested->thunks()) {
      runs_collectives |= AddUses(*inner, unit);
    }
  }
  return runs_collectives;
}

OverlapUnit UnitOf(const Thunk& thunk) {
  OverlapUnit unit;
  const bool runs_collectives = AddUses(thunk, unit);
  const auto* collective = dynamic_cast<const CollectiveThunk*>(&thunk);
  if (collective != nullptr && !collective->waits_for_host()) {
    unit.kind = Kind::kCollective;
  } else if (runs_collectives) {
    unit.kind = Kind::kMeeting;
  }
  return unit;
}

bool HasCollective(const ThunkSequence& sequence) {
  return std::any_of(
      sequence.thunks().begin(), sequence.thunks().end(),
      [](const std::unique_ptr<Thunk>& thunk) {
        return dynamic_cast<const CollectiveThunk*>(thunk.get()) != nullptr;
      });
}

}  // namespace

ThunkSequence OverlapCollectives(ThunkSequence sequence,
                                 const OverlapPolicy& policy) {
  if (!HasCollective(sequence)) return sequence;
  std::vector<std::unique_ptr<Thunk>> thunks = sequence.Release();
  std::vector<OverlapUnit> units;
  for (const auto& thunk : thunks) units.push_back(UnitOf(*thunk));
  const std::vector<int> ends = PlanOverlap(units, policy);
  ThunkSequence result;
  // By position; those of one position in the order of their starts.
  std::multimap<int, std::unique_ptr<Thunk>> awaited;
  auto append_awaited = [&](int position) {
    auto [begin, end] = awaited.equal_range(position);
    for (auto it = begin; it != end; ++it) result.Append(std::move(it->second));
  };
  for (size_t i = 0; i < thunks.size(); ++i) {
    append_awaited(static_cast<int>(i));
    if (ends[i] == 0) {
      result.Append(std::move(thunks[i]));
      continue;
    }
    std::unique_ptr<CollectiveThunk> collective(
        static_cast<CollectiveThunk*>(thunks[i].release()));
    awaited.emplace(ends[i],
                    std::make_unique<CollectiveDoneThunk>(*collective));
    result.Append(
        std::make_unique<CollectiveStartThunk>(std::move(collective)));
  }
  append_awaited(static_cast<int>(thunks.size()));
  return result;
}

}  // namespace lockstep::internal
