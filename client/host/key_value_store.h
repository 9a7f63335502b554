#ifndef LOCKSTEP_CLIENT_HOST_KEY_VALUE_STORE_H_
#define LOCKSTEP_CLIENT_HOST_KEY_VALUE_STORE_H_

#include <memory>

#include "absl/status/statusor.h"
#include "runtime/cluster/key_value.h"            // IWYU pragma: export
#include "runtime/collectives/key_value_store.h"  // IWYU pragma: export

namespace lockstep {

using internal::KeyChange;
using internal::KeyValue;
using internal::KeyValueStore;
using internal::PutOptions;

// The store that the hosts of the cluster share, in the host view (spec M-22):
// what they tell each other outside of programs, such as addresses. It may be
// kept; after Shutdown this is FAILED_PRECONDITION, and so are its calls, where
// there were several hosts. Calls that wait end with UNAVAILABLE when the
// coordinator is lost. The incarnations of PutOptions::lease are those of
// live_hosts.
absl::StatusOr<std::shared_ptr<KeyValueStore>> key_value_store();

}  // namespace lockstep

#endif  // LOCKSTEP_CLIENT_HOST_KEY_VALUE_STORE_H_
