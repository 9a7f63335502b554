// Two sessions with a real coordinator over loopback.
#include <memory>
#include <string>
#include <thread>
#include <utility>

#include "coordinator/server.h"
#include "runtime/base/check.h"
#include "runtime/worker/session/coordinator_session.h"
#include "tests/conformance/key_value_store/test_store.h"

namespace lockstep::internal {
namespace {

std::unique_ptr<CoordinatorServer> StartServer() {
  CoordinatorServer::Options options;
  options.coordinator.expected_hosts = 2;
  options.coordinator.silence = absl::Seconds(60);
  options.tick = absl::Milliseconds(5);
  auto server = CoordinatorServer::Start(options);
  LOCKSTEP_CHECK(server.ok());
  return *std::move(server);
}

class SessionTestStore : public TestStore {
 public:
  SessionTestStore() : server_(StartServer()) {
    SessionOptions options;
    options.address = server_->address();
    first_ = MakeCoordinatorSession(options);
    second_ = MakeCoordinatorSession(options);
    std::thread other([this] { Join(*second_, "b", 2); });
    Join(*first_, "a", 1);
    other.join();
  }
  ~SessionTestStore() override {
    std::thread other([this] { second_->Leave({}).IgnoreError(); });
    first_->Leave({}).IgnoreError();
    other.join();
  }
  KeyValueStore& first() override { return first_->key_value_store(); }
  KeyValueStore& second() override { return second_->key_value_store(); }

 private:
  void Join(ControlPlane& session, const std::string& name,
            uint64_t incarnation) {
    WorkerInfo info;
    info.name = name;
    info.incarnation = Incarnation(incarnation);
    info.devices.resize(1);
    LOCKSTEP_CHECK(session.Join(info, &observer_).ok());
  }

  ControlPlaneObserver observer_;
  std::unique_ptr<CoordinatorServer> server_;
  std::unique_ptr<ControlPlane> first_;
  std::unique_ptr<ControlPlane> second_;
};

}  // namespace

std::unique_ptr<TestStore> MakeTestStore() {
  return std::make_unique<SessionTestStore>();
}

}  // namespace lockstep::internal
