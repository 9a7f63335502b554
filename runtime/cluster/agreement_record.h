#ifndef LOCKSTEP_RUNTIME_CLUSTER_AGREEMENT_RECORD_H_
#define LOCKSTEP_RUNTIME_CLUSTER_AGREEMENT_RECORD_H_

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "runtime/cluster/call.h"
#include "runtime/mesh/ids.h"

namespace lockstep::internal {

// What a participant submits before the first launch of an executable (spec
// M-18). A value type.
struct AgreementRecord {
  struct Field {
    std::string name;   // "program text", "options", "digest", ...
    std::string value;  // texts of several lines are compared line by line
    friend bool operator==(const Field&, const Field&) = default;
  };

  // Which agreement: of what its call's place makes one, so that hosts with
  // different programs meet.
  std::string key;
  LaunchKey call;
  Epoch epoch;                       // see AxisQuery
  std::string program;               // its name, for messages
  std::vector<HostId> participants;  // ascending
  std::vector<Field> fields;         // most telling first
  // Of the fields, when they are not here: hosts compare digests first.
  std::string digest;
  // Not OK: this host cannot take part (it does not compile here, say);
  // everybody's agreement ends with this as the cause.
  absl::Status error;
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_CLUSTER_AGREEMENT_RECORD_H_
