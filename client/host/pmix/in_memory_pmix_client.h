#ifndef LOCKSTEP_CLIENT_HOST_PMIX_IN_MEMORY_PMIX_CLIENT_H_
#define LOCKSTEP_CLIENT_HOST_PMIX_IN_MEMORY_PMIX_CLIENT_H_

#include <map>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "client/host/pmix/pmix_client.h"

namespace lockstep::internal {

// For tests: what the processes of a job publish, by rank and key.
using PmixTable = std::map<std::pair<int, std::string>, std::string>;

// A process of a job in this one. Does not wait. One thread.
class InMemoryPmixClient final : public PmixClient {
 public:
  // `table` outlives it.
  InMemoryPmixClient(const Place& place, PmixTable& table)
      : place_(place), table_(table) {}

  absl::StatusOr<Place> FindPlace() override { return place_; }
  absl::Status Publish(const std::string& key,
                       const std::string& value) override {
    table_[{place_.rank, key}] = value;
    return absl::OkStatus();
  }
  absl::StatusOr<std::string> Read(int rank, const std::string& key,
                                   absl::Duration) override {
    const auto it = table_.find({rank, key});
    if (it != table_.end()) return it->second;
    return absl::DeadlineExceededError(
        absl::StrCat("reading ", key, " of rank ", rank));
  }

 private:
  const Place place_;
  PmixTable& table_;
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_CLIENT_HOST_PMIX_IN_MEMORY_PMIX_CLIENT_H_
