#ifndef LOCKSTEP_COORDINATOR_MEETINGS_AGREEMENT_DIFFERENCE_H_
#define LOCKSTEP_COORDINATOR_MEETINGS_AGREEMENT_DIFFERENCE_H_

#include <string>
#include <vector>

#include "runtime/cluster/agreement_record.h"
#include "runtime/cluster/host_ref.h"

namespace lockstep::internal {

struct HostRecord {
  HostRef host;
  AgreementRecord record;
};

// Whether two hosts mean the same: participants (none: all hosts) and fields;
// not the key.
bool AreEqual(const AgreementRecord& a, const AgreementRecord& b);

// Empty when all records are equal. Else the hosts grouped by equal record, the
// largest group first, and the first field in which the first two groups
// differ, with both values; of a text of several lines, the first line that
// differs. The same text whatever the order of the records.
std::string AgreementDifference(std::vector<HostRecord> records);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_COORDINATOR_MEETINGS_AGREEMENT_DIFFERENCE_H_
