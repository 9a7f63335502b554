#ifndef LOCKSTEP_CLIENT_GLOBAL_ARRAYS_ARRAY_ASSEMBLY_H_
#define LOCKSTEP_CLIENT_GLOBAL_ARRAYS_ARRAY_ASSEMBLY_H_

#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "client/arrays/array.h"
#include "client/arrays/view.h"
#include "client/global_arrays/make_array.h"
#include "runtime/mesh/host_data_layout.h"
#include "runtime/mesh/named_sharding.h"
#include "runtime/types/host_tensor.h"

namespace lockstep::internal {

// What one caller brings of an array, before hosts have agreed on it.
struct ArrayParts {
  std::shared_ptr<const ArrayLayout> layout;
  // By addressable device, in the order of the mesh. Those of copies of one
  // part share their memory.
  std::vector<HostTensor> tensors;
  // In their place: what lies on the devices already.
  std::shared_ptr<Shards> shards;
  // What must be equal beside the parts.
  std::vector<AgreementRecord::Field> fields;
};

// The view of `options`; null there: that of this process, for the call `user`.
absl::StatusOr<std::shared_ptr<View>> ViewOf(const ArrayOptions& options,
                                             absl::string_view user);

// The devices of the mesh that the caller addresses, in the order of the mesh.
std::vector<GlobalDeviceId> AddressableDevices(const View& view,
                                               const Mesh& mesh);

// The shards within data of this host, or of everything, that is laid out so.
absl::StatusOr<ArrayParts> TakeShards(const Array& data,
                                      const HostDataLayout& where,
                                      const NamedSharding& sharding);

// "#0123..": of 128 bits, over shape and bits of the value.
std::string DigestText(const LiteralView& value);

// Makes the array of what this host brings, or carries its error to the others,
// when all hosts of the mesh agree. `call` is what the user called.
absl::StatusOr<Array> AssembleArray(const std::shared_ptr<View>& view,
                                    const std::string& call,
                                    const NamedSharding& sharding,
                                    absl::StatusOr<ArrayParts> parts,
                                    const ArrayOptions& options);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_CLIENT_GLOBAL_ARRAYS_ARRAY_ASSEMBLY_H_
