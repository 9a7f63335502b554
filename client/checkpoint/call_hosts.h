#ifndef LOCKSTEP_CLIENT_CHECKPOINT_CALL_HOSTS_H_
#define LOCKSTEP_CLIENT_CHECKPOINT_CALL_HOSTS_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "client/arrays/checkpoint_hosts.h"
#include "client/arrays/view.h"
#include "runtime/cluster/agreement_record.h"
#include "runtime/mesh/device_info.h"
#include "runtime/mesh/ids.h"

namespace lockstep::internal {

// The hosts that take part in a call, as one caller sees them. A value type.
class CallHosts {
 public:
  // None: all hosts of the cluster that are alive.
  CallHosts(std::shared_ptr<View> view, std::set<HostId> hosts);

  const std::shared_ptr<View>& view() const { return view_; }
  const std::set<HostId>& hosts() const { return hosts_; }
  // The caller's is among them; true in the global view.
  bool has_caller() const;
  // Besides the caller's, in the host view: those that may have to be met.
  bool has_others() const;
  // The caller's is the first of them; true in the global view.
  bool is_caller_first() const;

  // One of the first host. FAILED_PRECONDITION: it has none.
  absl::StatusOr<Device> FirstDevice() const;

  // A folder that these hosts write and read in the place of their caller.
  struct HostFolder {
    CheckpointHosts* hosts = nullptr;
    std::string path;  // absolute
  };
  // None: the caller does. Errors as of CheckpointHosts::MayUse.
  absl::StatusOr<std::optional<HostFolder>> FindHostFolder(
      const std::string& folder) const;

  // As View::Agree, of a call of these hosts.
  absl::Status Agree(const std::string& call, uint64_t digest,
                     const std::string& sequence,
                     std::vector<AgreementRecord::Field> fields,
                     const absl::Status& error) const;

 private:
  std::shared_ptr<View> view_;
  std::set<HostId> hosts_;
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_CLIENT_CHECKPOINT_CALL_HOSTS_H_
