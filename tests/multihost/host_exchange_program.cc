// One host of the host view that exchanges values with others. Joins the
// cluster by its environment and runs the scenario that its argument names;
// prints one line per result.
#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include <cstdlib>
#include <iostream>
#include <map>
#include <numeric>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"
#include "client/lockstep.h"
#include "runtime/base/status.h"
#include "tests/multihost/scenario_program.h"

namespace lockstep::internal {
namespace {

void Print(const std::string& line) { std::cout << line << std::endl; }

// In one line.
std::string Text(const Array& array) {
  const auto text = array.ToString();
  if (!text.ok()) return StatusLine(text.status());
  return absl::StrReplaceAll(*text, {{"\n", ""}});
}

std::string Text(const std::string& text) { return text; }

std::string Text(const std::vector<Array>& arrays) {
  return absl::StrJoin(arrays, " | ", [](std::string* out, const Array& each) {
    absl::StrAppend(out, Text(each));
  });
}

std::string Text(const std::vector<std::string>& texts) {
  return absl::StrJoin(texts, "|");
}

std::string Text(const std::optional<Array>& array) {
  return array.has_value() ? Text(*array) : "none";
}

template <typename T>
void Print(const absl::StatusOr<T>& value) {
  Print(value.ok() ? Text(*value) : StatusLine(value.status()));
}

Array Iota(const std::vector<int64_t>& dims, int32_t first = 0) {
  Literal literal(Shape(ElementType::kS32, dims));
  const auto elements = literal.mutable_data<int32_t>();
  std::iota(elements.begin(), elements.end(), first);
  return Array(std::move(literal));
}

// Blocks until the test opens the other end of the pipe for this call.
void AwaitRelease(int call) {
  const char* path = std::getenv("LOCKSTEP_TEST_RELEASE");
  if (path == nullptr) std::abort();
  const int fd = open(absl::StrCat(path, call).c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0) std::abort();
  close(fd);
}

// Host h has h rows, host 0 none.
void Ragged() {
  const int me = host_id();
  Print(process_allgather_ragged(Iota({me, 2}, 10 * me)));
  Print(process_allgather_ragged(Iota({me == 2 ? 3 : 0})));
  Print(process_allgather_ragged(Array(Literal::Scalar(me))));
  Print(process_allgather_ragged(Iota({0})));
  const auto tree = process_allgather_ragged(Tree<Array>::Map(
      {{"rows", Array(std::vector<double>(me, 0.5))},
       {"name", bytes_to_array(absl::StrCat("host", std::string(me, '!')))}}));
  std::vector<std::string> texts;
  for (const Tree<Array>& each : *tree) {
    texts.push_back(absl::StrCat(Text((*tree)[texts.size()]["rows"].leaf()),
                                 *array_to_bytes(each["name"].leaf())));
  }
  Print(absl::StrJoin(texts, " "));
  // Of several sizes of rows.
  for (int64_t rows : {1000, 100000}) {
    const auto values = process_allgather_ragged(Iota({rows * me}, me));
    int good = 0;
    for (int host = 0; host < static_cast<int>(values->size()); ++host) {
      good += *(*values)[host].Fetch() == *Iota({rows * host}, host).Fetch();
    }
    Print(absl::StrCat(good, " good"));
  }
  Print(process_allgather_ragged(std::string(me, 'x')));
}

// Only dimension 0 may differ.
void RaggedDifferences() {
  const int me = host_id();
  Print(process_allgather_ragged(Iota({2, me == 1 ? 3 : 2})));
  Print(process_allgather_ragged(me == 1 ? Array({1.f, 2.f}) : Array({1})));
  Print(process_allgather_ragged(me == 1 ? Array(Literal::Scalar(1))
                                         : Array({1})));
  Print(process_allgather_ragged(
      me == 1 ? Array::Failed(absl::DataLossError("no such batch"))
              : Array({1})));
  Print(process_allgather_ragged(Iota({1}, me)));
}

void ToOneHost() {
  const int me = host_id();
  Print(gather_to_host(Iota({2}, 10 * me), 2));
  Print(gather_to_host(Array(Literal::Scalar(me)), 0));
  Print(gather_to_host(Iota({2}, 10 * me), 1, {.hosts = {0, 1, 2}}));
  Print(gather_to_host(Iota({1}), me == 1 ? 1 : 0));
  Print(gather_to_host(Iota({me == 1 ? 2 : 1}), 0));
  Print(gather_to_host(Iota({1}), 7));
  Print(gather_to_host(Iota({1}, me), 0));
}

// Host 1 has what the others get.
void FromOneHost() {
  const int me = host_id();
  const auto from_one = [&](std::vector<Array> values) {
    Print(scatter_from_host(me == 1 ? values : std::vector<Array>(), 1));
  };
  from_one({Array({1, 2}), Array({3, 4}), Array({5, 6})});
  from_one({Array(Literal::Scalar(0.5)), Array(Literal::Scalar(1.5)),
            Array(Literal::Scalar(-0.0))});
  from_one({Iota({50000, 2}), Iota({50000, 2}, 7), Iota({50000, 2}, 9)});
  from_one({Array({1}), Array({2})});
  from_one({Array({1}), Array({2}), Array({3, 4})});
  from_one({Array({1}), Array({2}), Array({3.f})});
  Print(scatter_from_host({Array({1}), Array({2}), Array({3})}, me));
  std::vector<Tree<Array>> trees;
  for (int host = 0; host < 3 && me == 1; ++host) {
    trees.push_back(Tree<Array>::Map(
        {{"text", bytes_to_array(absl::StrCat("for ", host))},
         {"b", Tree<Array>::List({Array({host, host}), Array()})}}));
  }
  const auto tree = scatter_from_host(trees, 1);
  Print(absl::StrCat(*array_to_bytes((*tree)["text"].leaf()), " ",
                     Text((*tree)["b"][0].leaf())));
  Print(scatter_from_host({Array({8}), Array({9}), Array({10})}, 0));
}

void Strings() {
  const std::string mine(host_id(), 'a');
  Print(broadcast_one_to_all(mine, host_id() == 2));
  Print(broadcast_one_to_all(host_id() == 0 ? std::string(10000, 'b') : mine));
  Print(broadcast_one_to_all(mine));
  Print(broadcast_one_to_all(mine, host_id() != 0));
  const auto tree = Tree<Array>::Map({{"text", bytes_to_array(mine)}});
  Print(StatusLine(broadcast_one_to_all(tree).status()));
}

// Host 1 does not come until the others have given up.
void LateHost() {
  const int me = host_id();
  const ExchangeOptions soon = {.deadline = absl::Seconds(2)};
  Print(process_allgather_ragged(Iota({me}), soon));
  for (int call = 0; call < 3; ++call) {
    if (me == 1) AwaitRelease(call);
    switch (call) {
      case 0:
        Print(process_allgather_ragged(Iota({me}), soon));
        break;
      case 1:
        Print(gather_to_host(Iota({1}), 0, soon));
        break;
      default:
        Print(process_allgather(Iota({1}), {.exchange = soon}));
    }
  }
  Print(
      process_allgather_ragged(Iota({1}, me), {.deadline = absl::Minutes(1)}));
}

// Host 1 is killed; the others go on without it.
void LostHost() {
  const Array mine = Iota({host_id()});
  Print(process_allgather_ragged(mine));
  if (host_id() == 1) raise(SIGKILL);
  Print(process_allgather_ragged(mine));
  Print(gather_to_host(Iota({1}), 1));
  Print(process_allgather_ragged(mine, {.hosts = {0, 2}}));
  Print(gather_to_host(Iota({1}, host_id()), 2, {.hosts = {0, 2}}));
  Print(scatter_from_host({Array({1}), Array({2})}, 0, {.hosts = {0, 2}}));
}

// An array over the devices of some hosts, as all of them see it.
absl::StatusOr<Array> OverFirstHosts(int hosts) {
  std::vector<Device> chosen;
  for (const Device& device : devices()) {
    if (device.host.value() < hosts) chosen.push_back(device);
  }
  const auto size = static_cast<int64_t>(chosen.size());
  ASSIGN_OR_RETURN(const Mesh mesh,
                   Mesh::Create({{size}, std::move(chosen)}, {"x"}));
  ASSIGN_OR_RETURN(const NamedSharding rows,
                   NamedSharding::Create(mesh, PartitionSpec("x")));
  return make_array_from_callback(
      {size}, rows,
      [](const ShardIndex& index) {
        return Array({static_cast<int32_t>(index[0].start())});
      },
      {.dtype = ElementType::kS32});
}

// An array is not on all hosts of the call, or not on those alone.
void PartsOfHosts() {
  const auto two = OverFirstHosts(2);
  Print(two.ok() ? process_allgather(*two, {.tiled = true}) : two.status());
  const auto one = OverFirstHosts(1);
  Print(one.ok() ? process_allgather(*one, {.tiled = true}) : one.status());
  if (host_id() == 0) return;
  Print(two.ok() ? process_allgather(
                       *two, {.tiled = true, .exchange = {.hosts = {1, 2}}})
                 : two.status());
}

// Only host 0 has the file.
void FileOfOneHost() {
  const std::string path =
      absl::StrCat(std::getenv("TEST_TMPDIR"), "/file_of_host_", host_id());
  if (host_id() == 0) {
    Print(StatusLine(save_safetensors(
        path, std::map<std::string, Array>{{"w", Iota({2})}})));
  }
  const auto load = [&]() -> absl::StatusOr<Array> {
    ASSIGN_OR_RETURN(const Mesh mesh, Mesh::Create({{2}, devices()}, {"x"}));
    ASSIGN_OR_RETURN(const NamedSharding rows,
                     NamedSharding::Create(mesh, PartitionSpec("x")));
    ASSIGN_OR_RETURN(auto arrays, load_safetensors(path, {{"w", rows}}));
    return process_allgather(arrays.at("w"), {.tiled = true});
  };
  Print(load());
  Print(process_allgather(Iota({1}, host_id())));
}

const ScenarioTable& Scenarios() {
  static const auto& scenarios = *new ScenarioTable{
      {"ragged", Ragged},
      {"ragged_differences", RaggedDifferences},
      {"to_one_host", ToOneHost},
      {"from_one_host", FromOneHost},
      {"strings", Strings},
      {"late_host", LateHost},
      {"lost_host", LostHost},
      {"parts_of_hosts", PartsOfHosts},
      {"file_of_one_host", FileOfOneHost},
  };
  return scenarios;
}

}  // namespace
}  // namespace lockstep::internal

int main(int argc, char** argv) {
  return lockstep::internal::RunScenario(argc, argv,
                                         lockstep::internal::Scenarios());
}
