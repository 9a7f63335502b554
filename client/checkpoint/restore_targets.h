#ifndef LOCKSTEP_CLIENT_CHECKPOINT_RESTORE_TARGETS_H_
#define LOCKSTEP_CLIENT_CHECKPOINT_RESTORE_TARGETS_H_

#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "client/arrays/array.h"
#include "client/arrays/checkpoint_hosts.h"
#include "client/checkpoint/call_hosts.h"
#include "client/checkpoint/checkpoint.h"
#include "client/trees/tree.h"
#include "runtime/checkpoint/manifest.h"
#include "runtime/mesh/named_sharding.h"
#include "runtime/types/box.h"
#include "runtime/types/literal.h"
#include "runtime/types/shape.h"

namespace lockstep::internal {

// One array that is to be restored.
struct Target {
  std::string path;
  Shape shape;
  std::optional<NamedSharding> sharding;  // none: in host memory
};

// By leaf. INVALID_ARGUMENT: `shardings` is no prefix.
absl::StatusOr<std::vector<Target>> TargetsOf(
    const Tree<ArrayForm>& forms, const Tree<NamedSharding>& shardings);

// "'a', 'b'", for messages; long lists are cut.
std::string PathsText(absl::Span<const ManifestArray> arrays);

// The checkpoint has these arrays, of these shapes, and, unless that is
// allowed, no other.
absl::Status CheckTargets(const Manifest& manifest,
                          absl::Span<const Target> targets, bool allow_unused);

// The manifest in a folder, and its text, as hosts see it.
absl::StatusOr<Manifest> ReadManifestByHosts(
    const CallHosts::HostFolder& folder, const CallHosts& hosts,
    std::string* text);

// A part of an array of that manifest, by way of a device.
absl::StatusOr<Literal> ReadBoxByHosts(const CallHosts::HostFolder& folder,
                                       const CallHosts& hosts,
                                       const std::string& manifest,
                                       const ManifestArray& array,
                                       const Box& box);

// By target, where hosts, driven by this caller, read the files. Values in host
// memory come by way of a device.
absl::StatusOr<std::vector<Array>> RestoreByHosts(
    const CallHosts::HostFolder& folder, const CallHosts& hosts,
    absl::Span<const Target> targets, const RestoreOptions& options);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_CLIENT_CHECKPOINT_RESTORE_TARGETS_H_
