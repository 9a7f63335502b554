#ifndef LOCKSTEP_COORDINATOR_BASE_HOST_SET_H_
#define LOCKSTEP_COORDINATOR_BASE_HOST_SET_H_

#include <algorithm>
#include <cstddef>
#include <initializer_list>
#include <memory>
#include <utility>
#include <vector>

#include "runtime/mesh/ids.h"

namespace lockstep::internal {

// Some hosts, in order. Copies share the ids, and sets that were copied from
// each other compare in no time: in a large cluster the same set comes with
// every message. A value type; never changes.
class HostSet {
 public:
  HostSet() : HostSet(std::vector<HostId>()) {}
  HostSet(std::initializer_list<HostId> hosts)
      : HostSet(std::vector<HostId>(hosts)) {}
  explicit HostSet(std::vector<HostId> hosts) {
    std::sort(hosts.begin(), hosts.end());
    hosts.erase(std::unique(hosts.begin(), hosts.end()), hosts.end());
    hosts_ = std::make_shared<const std::vector<HostId>>(std::move(hosts));
  }

  auto begin() const { return hosts_->begin(); }
  auto end() const { return hosts_->end(); }
  size_t size() const { return hosts_->size(); }
  bool empty() const { return hosts_->empty(); }
  bool contains(HostId host) const {
    return std::binary_search(begin(), end(), host);
  }
  bool Intersects(const HostSet& other) const {
    return std::any_of(begin(), end(),
                       [&](HostId host) { return other.contains(host); });
  }
  // Whether these are its ids, in this order.
  bool IsSameAs(const std::vector<HostId>& hosts) const {
    return *hosts_ == hosts;
  }
  HostSet With(HostId host) const {
    std::vector<HostId> hosts = *hosts_;
    hosts.push_back(host);
    return HostSet(std::move(hosts));
  }

  HostSet Without(HostId host) const {
    std::vector<HostId> hosts = *hosts_;
    std::erase(hosts, host);
    return HostSet(std::move(hosts));
  }

  friend bool operator==(const HostSet& a, const HostSet& b) {
    return a.hosts_ == b.hosts_ || *a.hosts_ == *b.hosts_;
  }

 private:
  std::shared_ptr<const std::vector<HostId>> hosts_;
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_COORDINATOR_BASE_HOST_SET_H_
