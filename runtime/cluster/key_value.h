#ifndef LOCKSTEP_RUNTIME_CLUSTER_KEY_VALUE_H_
#define LOCKSTEP_RUNTIME_CLUSTER_KEY_VALUE_H_

#include <cstddef>
#include <cstdint>
#include <string>

#include "runtime/mesh/ids.h"

namespace lockstep::internal {

// The largest value of the key-value store.
inline constexpr size_t kMaxValueBytes = size_t{16} << 20;

struct KeyValue {
  std::string key;
  std::string value;
  int64_t revision = 0;  // of the last write
  friend bool operator==(const KeyValue&, const KeyValue&) = default;
};

struct KeyChange {
  std::string key;
  std::string value;  // empty when deleted
  bool is_deleted = false;
  int64_t revision = 0;
  friend bool operator==(const KeyChange&, const KeyChange&) = default;
};

struct PutOptions {
  bool overwrite = false;
  // Not 0: the key is removed when this incarnation ends.
  Incarnation lease = Incarnation();
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_CLUSTER_KEY_VALUE_H_
