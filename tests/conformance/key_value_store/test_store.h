#ifndef LOCKSTEP_TESTS_CONFORMANCE_KEY_VALUE_STORE_TEST_STORE_H_
#define LOCKSTEP_TESTS_CONFORMANCE_KEY_VALUE_STORE_TEST_STORE_H_

#include <memory>

#include "runtime/collectives/key_value_store.h"

namespace lockstep::internal {

// An implementation under test: what two hosts see of one store.
class TestStore {
 public:
  virtual ~TestStore() = default;
  virtual KeyValueStore& first() = 0;
  virtual KeyValueStore& second() = 0;
};

// A fresh, empty store. Each test binary links the suite with its own one.
std::unique_ptr<TestStore> MakeTestStore();

}  // namespace lockstep::internal

#endif  // LOCKSTEP_TESTS_CONFORMANCE_KEY_VALUE_STORE_TEST_STORE_H_
