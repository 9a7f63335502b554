#include "runtime/collectives/in_memory_key_value_store.h"
#include "tests/conformance/key_value_store/test_store.h"

namespace lockstep::internal {
namespace {

class InMemoryTestStore : public TestStore {
 public:
  KeyValueStore& first() override { return store_; }
  KeyValueStore& second() override { return store_; }

 private:
  InMemoryKeyValueStore store_{"host 0"};
};

}  // namespace

std::unique_ptr<TestStore> MakeTestStore() {
  return std::make_unique<InMemoryTestStore>();
}

}  // namespace lockstep::internal
