#ifndef LOCKSTEP_CLIENT_GLOBAL_ARRAYS_RESHARD_H_
#define LOCKSTEP_CLIENT_GLOBAL_ARRAYS_RESHARD_H_

#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "client/arrays/array.h"
#include "client/arrays/view.h"

namespace lockstep::internal {

struct ReshardOptions {
  // As of PmapOptions.
  std::string sequence = {};
  // How long hosts wait for one that is late or stuck; zero: what the
  // coordinator says.
  absl::Duration patience = {};
};

// `x`, whose shards are of `view` and laid out by `from`, laid out by `to`,
// which has its shape: as one call of all hosts of both meshes. Between devices
// that have their parts already there is none. On a host of neither mesh there
// is none either, and the result has no shards. `from` is the layout of x, or
// one that says the same of its rows.
absl::StatusOr<Array> Reshard(const std::shared_ptr<View>& view, const Array& x,
                              const ArrayLayout& from,
                              std::shared_ptr<const ArrayLayout> to,
                              const ReshardOptions& options);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_CLIENT_GLOBAL_ARRAYS_RESHARD_H_
