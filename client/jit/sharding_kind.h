#ifndef LOCKSTEP_CLIENT_JIT_SHARDING_KIND_H_
#define LOCKSTEP_CLIENT_JIT_SHARDING_KIND_H_

#include "absl/status/status.h"
#include "absl/strings/string_view.h"

namespace lockstep {

// Y-20: whether programs that are split by Shardy have shardings of this kind,
// by its name in JAX. UNIMPLEMENTED, with the name and with what to use:
// GSPMDSharding, PositionalSharding, PmapSharding, and "auto", which asks for
// an automatic partitioner. INVALID_ARGUMENT: a name that is none of these and
// not NamedSharding.
absl::Status CheckShardingKind(absl::string_view kind);

}  // namespace lockstep

#endif  // LOCKSTEP_CLIENT_JIT_SHARDING_KIND_H_
