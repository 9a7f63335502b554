// One host of the host view that computes with arrays of global shape outside
// of programs. Joins the cluster by its environment and runs the scenario that
// its argument names; prints one line per result.
#include <signal.h>

#include <string>

#include "absl/strings/str_cat.h"
#include "client/lockstep.h"
#include "runtime/base/status.h"
#include "tests/multihost/array_scenarios.h"
#include "tests/multihost/scenario_program.h"

namespace lockstep::internal {
namespace {

// M-10: four devices on two hosts, arrays of (4, 4).
void Operations() {
  const Mesh mesh = MeshOf({2, 2});
  const NamedSharding both = ShardingOf(mesh, PartitionSpec("x", "y"));
  const Array x = *GlobalIota({4, 4}, both);
  const Array bias({10, 20, 30, 40});
  const auto print = [](const Array& array) {
    Print(process_allgather(array, {.tiled = true}));
  };
  PrintShards(x + 1);
  print(-(x * 2 + bias));
  print(x > 5);
  // Laid out in another way; in another order of the devices.
  const Array columns = *device_put(
      x, ShardingOf(MeshOf({4}, {3, 1, 2, 0}), PartitionSpec(nullptr, "x")));
  print(x - columns);
  // A number changes, the program does not.
  Array sum = x;
  for (int i = 0; i < 3; ++i) sum += i;
  print(sum);
  const absl::Status wrong = (x + Array({1, 2})).Await();
  Print(wrong);
  print(x + x);
}

// M-10: the same arrays; what devices of both hosts have is combined.
void Reductions() {
  const NamedSharding both =
      ShardingOf(MeshOf({2, 2}), PartitionSpec("x", "y"));
  const Array x = *GlobalIota({4, 4}, both);
  PrintShards(sum(x, 0));
  PrintShards(mean(x, 1, true));
  PrintShards(max(x));
  Print(any(x > 14));
  Print(sum(x, host_id()).Await());  // another dimension on each host
  Print(sum(x, 2).Await());
  Print(min(x + 3));
}

// M-10: parts of an array of hosts 0 and 1; host 2 has none of it. Hosts that
// are wrong, each time followed by a call that is right.
void Slices() {
  const Mesh mesh = MeshOf({4}, {0, 1, 2, 3});
  const Array x = *GlobalIota({4, 2}, ShardingOf(mesh, PartitionSpec("x")));
  const auto print = [](const Array& array) {
    const absl::Status status = array.Await();
    if (!status.ok()) return Print(StatusLine(status));
    if (array.addressable_shards().empty()) {
      return Print(ShapeText(array) + " elsewhere");
    }
    PrintShards(array);
  };
  const bool is_wrong = host_id() == 1;
  print(slice_in_dim(x, 1, 3));  // from both hosts
  print(slice_in_dim(x, 0, 4));
  print(slice_in_dim(x, 1, is_wrong ? 5 : 3));
  print(slice_in_dim(x, 1, 3));
  print(slice_in_dim(x, 0, is_wrong ? 5 : 4));
  print(index_in_dim(x, 1, 1));
  print(index_in_dim(x, 3, is_wrong ? 2 : 0));
  print(index_in_dim(x, 3));
  // Where nobody waits for it.
  print(index_in_dim(x, host_id() == 2 ? 4 : 0));
  print(x + index_in_dim(x, 0));
}

// An array on host 1; its rows, of which other hosts know nothing.
void OperationsElsewhere() {
  const Array there =
      *GlobalIota({4}, ShardingOf(MeshOf({2}, {2, 3}), PartitionSpec("x")));
  const Array half = (there + 1) / 2;
  Print(absl::StrCat(ShapeText(half), " ", NumpyName(half.dtype()), " ",
                     half.addressable_shards().size(), " here"));
  PrintShards(half);
  auto twice = pmap([](Tensor x) { return 2 * x; });
  const auto rows = twice(Iota({2}, 2 * host_id()));
  Print(host_id() == 1 ? *rows + 1 : *rows);
  Print(*twice(*rows));
}

// M-19: hosts call another operation.
void OtherOperations() {
  const Array x = *GlobalIota({4}, ShardingOf(MeshOf({4}), PartitionSpec("x")));
  Print((host_id() == 0 ? x + x : x - x).Await());
  PrintShards(x + x);
}

// Host 1 computes with what it has alone, in the words of what both compute.
void OperationsOfOneHost() {
  const Mesh own = MeshOf({2}, {2, 3});
  const Array x = *GlobalIota({4}, ShardingOf(MeshOf({4}), PartitionSpec("x")));
  const Array y = *GlobalIota({4}, ShardingOf(own, PartitionSpec("x")));
  Print((sum(slice_in_dim(x + x, 0, 2))).Await());
  const Array all = *device_put(x, ShardingOf(MeshOf({4}), PartitionSpec()));
  const Array z = y + y;
  Print((sum(slice_in_dim(z, 0, 2))).Await());
  const Array copy = *device_put(z, ShardingOf(own, PartitionSpec()));
  PrintShards(all + x);
  PrintShards(sum(x));
  PrintShards(slice_in_dim(x, 0, 2));
  PrintShards(*device_put(
      x, ShardingOf(MeshOf({4}, {3, 2, 1, 0}), PartitionSpec("x"))));
  Print(copy.Await());
}

// Host 1 is killed between two operations; the second one reshards.
void OperationsOfLostHost() {
  const Mesh mesh = MeshOf({6});
  const Array rows = *GlobalIota({6, 6}, ShardingOf(mesh, PartitionSpec("x")));
  const Array columns =
      *GlobalIota({6, 6}, ShardingOf(mesh, PartitionSpec(nullptr, "x")));
  Print((rows + columns).Await());
  if (host_id() == 1) raise(SIGKILL);
  const Array sum = rows + columns;
  Print(sum.Await());
  Print((-sum * 2).Await());
  const Array rest = *GlobalIota(
      {4}, ShardingOf(MeshOf({4}, {0, 1, 4, 5}), PartitionSpec("x")));
  PrintShards(rest + rest);
}

// M-10: an operation that fails on host 1 only, and others of its result. Host
// 0 knows its programs, and need not meet host 1 to make its calls.
void FailedOperand() {
  const NamedSharding rows = ShardingOf(MeshOf({4}), PartitionSpec("x"));
  const Array x = *GlobalIota({4}, rows);
  Print((-((x + 1) * 2)).Await());
  const Array y = host_id() == 1 ? x + Array({1, 2, 3}) : x + 1;
  const Array z = -(y * 2);
  Print(device_put(x, ShardingOf(MeshOf({4}), PartitionSpec())));
  Print(z.Await());
}

const ScenarioTable& Scenarios() {
  static const auto& scenarios = *new ScenarioTable{
      {"failed_operand", FailedOperand},
      {"operations", Operations},
      {"reductions", Reductions},
      {"slices", Slices},
      {"operations_elsewhere", OperationsElsewhere},
      {"other_operations", OtherOperations},
      {"operations_of_one_host", OperationsOfOneHost},
      {"operations_of_lost_host", OperationsOfLostHost},
  };
  return scenarios;
}

}  // namespace
}  // namespace lockstep::internal

int main(int argc, char** argv) {
  return lockstep::internal::RunScenario(argc, argv,
                                         lockstep::internal::Scenarios());
}
