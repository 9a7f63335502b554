#ifndef LOCKSTEP_CLIENT_CLUSTER_FOR_EACH_AT_ONCE_H_
#define LOCKSTEP_CLIENT_CLUSTER_FOR_EACH_AT_ONCE_H_

#include <cstddef>
#include <thread>
#include <vector>

#include "absl/status/status.h"

namespace lockstep::internal {

// Runs `work` for each item at the same time; the first error, by item.
template <typename Item, typename Work>
absl::Status ForEachAtOnce(std::vector<Item>& items, const Work& work) {
  std::vector<absl::Status> statuses(items.size());
  std::vector<std::thread> threads;
  for (size_t i = 1; i < items.size(); ++i) {
    threads.emplace_back([&, i] { statuses[i] = work(items[i]); });
  }
  if (!items.empty()) statuses[0] = work(items[0]);
  for (std::thread& thread : threads) thread.join();
  for (const absl::Status& status : statuses) {
    if (!status.ok()) return status;
  }
  return absl::OkStatus();
}

}  // namespace lockstep::internal

#endif  // LOCKSTEP_CLIENT_CLUSTER_FOR_EACH_AT_ONCE_H_
