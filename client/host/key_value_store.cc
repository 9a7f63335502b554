#include "client/host/key_value_store.h"

#include <utility>

#include "client/host/host_session.h"
#include "runtime/base/status.h"

namespace lockstep {

absl::StatusOr<std::shared_ptr<KeyValueStore>> key_value_store() {
  ASSIGN_OR_RETURN(auto view, internal::HostSessionView("key_value_store"));
  KeyValueStore& store = view->worker().control_plane().key_value_store();
  return std::shared_ptr<KeyValueStore>(std::move(view), &store);
}

}  // namespace lockstep
