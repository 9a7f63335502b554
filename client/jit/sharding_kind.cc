#include "client/jit/sharding_kind.h"

#include "absl/strings/str_cat.h"

namespace lockstep {
namespace {

struct UnsupportedKind {
  absl::string_view name;
  absl::string_view hint;
};
constexpr UnsupportedKind kUnsupported[] = {
    {"GSPMDSharding", "use a NamedSharding"},
    {"PositionalSharding",
     "use a NamedSharding, whose mesh has the devices in that order "
     "(device_ids)"},
    {"PmapSharding",
     "Shardy serves jit, not pmap: put the array under a NamedSharding "
     "(device_put)"},
    {"auto",
     "automatic partitioners are in progress: give a sharding, or null for "
     "what propagation finds"},
};

}  // namespace

absl::Status CheckShardingKind(absl::string_view kind) {
  if (kind == "NamedSharding") return absl::OkStatus();
  for (const UnsupportedKind& unsupported : kUnsupported) {
    if (kind != unsupported.name) continue;
    return absl::UnimplementedError(absl::StrCat(
        kind, " is not supported with Shardy: ", unsupported.hint));
  }
  return absl::InvalidArgumentError(
      absl::StrCat("expected the name of a kind of sharding, found ", kind));
}

}  // namespace lockstep
