// A client of the global view for tests that kill it: launches a chain that has
// no end, on all devices of the cluster at the address that is its argument.
// Ready when it has been at it for a while.
#include <iostream>
#include <vector>

#include "client/lockstep.h"
#include "client/process/ready_pipe.h"
#include "runtime/base/status.h"

namespace lockstep::internal {
namespace {

absl::Status Main(const std::string& address, ReadySignal& ready) {
  ASSIGN_OR_RETURN(const Client client, Client::Connect(address));
  auto step = client.pmap([](Tensor x) { return x + pmax(x, "i"); },
                          {.axis_name = "i"});
  absl::StatusOr<Array> x =
      Array(std::vector<float>(client.device_count(), 1.0f));
  // Results that nobody deletes, too.
  std::vector<Array> kept;
  for (int i = 0; x.ok(); ++i) {
    x = step(*x);
    if (x.ok() && i % 10 == 0 && kept.size() < 1000) kept.push_back(*x);
    if (i % 500 == 0 && x.ok()) RETURN_IF_ERROR(x->Await());
    if (i == 1000) ready.Ready("");
  }
  return x.status();
}

}  // namespace
}  // namespace lockstep::internal

int main(int argc, char** argv) {
  auto ready = lockstep::internal::ReadySignal::FromEnvironment();
  const absl::Status status =
      lockstep::internal::Main(argc > 1 ? argv[1] : "", ready);
  std::cerr << lockstep::internal::StatusLine(status) << std::endl;
  return 1;
}
