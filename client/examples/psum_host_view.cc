// x + psum(x, 'i') in the host view: every host runs this program, with
// LOCKSTEP_COORDINATOR, LOCKSTEP_RANK and LOCKSTEP_CPU_DEVICES set, and holds
// the rows of its own devices. Device d holds the number d.
#include <iostream>
#include <vector>

#include "client/lockstep.h"

namespace {

absl::Status Run() {
  absl::Status status = lockstep::Initialize();
  if (!status.ok()) return status;
  std::vector<int32_t> rows;
  for (const lockstep::Device& device : lockstep::local_devices()) {
    rows.push_back(device.id.value());
  }
  auto add_sum = lockstep::pmap(
      [](lockstep::Tensor x) { return x + lockstep::psum(x, "i"); },
      {.axis_name = "i"});
  absl::StatusOr<lockstep::Array> result = add_sum(rows);
  if (!result.ok()) return result.status();
  absl::StatusOr<std::string> text = result->ToString();
  if (!text.ok()) return text.status();
  std::cout << "host " << lockstep::host_id() << ": " << *text << std::endl;
  return lockstep::Shutdown();
}

}  // namespace

int main() {
  const absl::Status status = Run();
  if (status.ok()) return 0;
  std::cerr << "psum_host_view: " << status << std::endl;
  return 1;
}
