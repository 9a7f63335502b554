// Checkpoints that workers of the global view write and read themselves.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <stdlib.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "client/lockstep.h"
#include "tests/multihost/lockstep_command.h"
#include "tests/multihost/process_cluster.h"

namespace lockstep::internal {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::SizeIs;
using Arrays = std::map<std::string, Array>;

class GlobalViewCheckpointTest : public ::testing::Test {
 protected:
  GlobalViewCheckpointTest()
      : directory_(::testing::TempDir() + "/checkpoints.XXXXXX") {
    EXPECT_NE(mkdtemp(directory_.data()), nullptr);
    // As messages name it.
    directory_ = std::filesystem::canonical(directory_);
  }
  ~GlobalViewCheckpointTest() override {
    client_.reset();
    cluster_.reset();
    std::filesystem::remove_all(directory_);
  }

  // The folder exists for the workers, which make it.
  std::string Folder() const { return directory_ + "/permitted/step"; }
  std::string Permitted() const { return directory_ + "/permitted"; }

  void Start(int hosts, int devices_per_host, bool is_permitted = true) {
    client_.reset();
    cluster_.reset();
    ProcessCluster::Options options;
    options.hosts = hosts;
    options.devices_per_host = devices_per_host;
    if (is_permitted) options.worker_flags = {"--checkpoint-dir", Permitted()};
    cluster_.emplace(options);
    auto client = Client::Connect(cluster_->address());
    ASSERT_TRUE(client.ok()) << client.status();
    client_.emplace(*std::move(client));
  }

  NamedSharding On(std::vector<int64_t> dims, PartitionSpec spec) const {
    std::vector<Device> devices = client_->devices();
    int64_t count = 1;
    for (int64_t dim : dims) count *= dim;
    devices.resize(static_cast<size_t>(count));
    return *NamedSharding::Create(
        *Mesh::Create({std::move(dims), std::move(devices)}, {"x", "y"}),
        std::move(spec));
  }
  Array Put(const Array& value, const NamedSharding& sharding) const {
    const auto array = client_->device_put(value, sharding);
    EXPECT_TRUE(array.ok()) << array.status();
    return array.value_or(Array());
  }
  absl::Status Save(const Arrays& arrays) const {
    return save(Folder(), arrays, {.view = client_->view()});
  }
  template <typename Shardings>
  absl::StatusOr<Arrays> Restore(const std::map<std::string, Shape>& forms,
                                 const Shardings& shardings) const {
    return restore(Folder(), forms, shardings, {.view = client_->view()});
  }
  std::vector<std::string> Files() const {
    std::vector<std::string> names;
    for (const auto& each : std::filesystem::directory_iterator(Folder())) {
      names.push_back(each.path().filename());
    }
    return names;
  }
  std::string AShardFile() const {
    for (const std::string& name : Files()) {
      if (absl::StartsWith(name, "shards.")) return Folder() + "/" + name;
    }
    ADD_FAILURE() << "no file with shards";
    return "";
  }

  std::string directory_;
  std::optional<ProcessCluster> cluster_;
  std::optional<Client> client_;
};

Array Counting(std::vector<int64_t> dims, float first = 0) {
  int64_t count = 1;
  for (int64_t dim : dims) count *= dim;
  std::vector<float> values;
  for (int64_t i = 0; i < count; ++i) values.push_back(first + i);
  return *Array::FromValues<float>(dims, values);
}

std::string MessageOf(const absl::Status& status, absl::StatusCode code) {
  EXPECT_EQ(status.code(), code) << status;
  return std::string(status.message());
}

TEST_F(GlobalViewCheckpointTest,
       WorkersOfAnEmbeddedClusterHaveTheFolderTheyAreGiven) {
  setenv("LOCKSTEP_BINARY", LockstepPath().c_str(), 1);
  auto client = Client::Embedded(
      {.hosts = 2, .devices_per_host = 1, .checkpoint_directory = Permitted()});
  ASSERT_TRUE(client.ok()) << client.status();
  client_.emplace(*std::move(client));
  const NamedSharding sharding = On({2, 1}, PartitionSpec("x"));
  const Arrays values = {{"w", Put(Counting({4}), sharding)}};
  ASSERT_EQ(Save(values), absl::OkStatus());
  const auto restored = Restore({{"w", values.at("w").shape()}}, sharding);
  ASSERT_TRUE(restored.ok()) << restored.status();
}

TEST_F(GlobalViewCheckpointTest, WorkersWriteAndReadTheirOwnShards) {
  Start(4, 2);
  auto twice = client_->pmap([](Tensor x) { return 2.f * x; });
  const auto rows = twice(Counting({8, 3}));
  ASSERT_TRUE(rows.ok()) << rows.status();
  const std::map<std::string, Array> values = {
      {"grid", Counting({8, 6})}, {"columns", Counting({2, 8}, 100)},
      {"same", Counting({5})},    {"rows", Array(*rows->Fetch())},
      {"step", Array({7})},       {"empty", Counting({0, 3})}};
  Arrays arrays = values;
  arrays["grid"] = Put(values.at("grid"), On({4, 2}, PartitionSpec("x", "y")));
  arrays["columns"] =
      Put(values.at("columns"),
          On({2, 4}, PartitionSpec(nullptr, AxisTuple{"y", "x"})));
  arrays["same"] = Put(values.at("same"), On({8, 1}, PartitionSpec()));
  arrays["rows"] = *rows;
  arrays["empty"] = Put(values.at("empty"), On({8, 1}, PartitionSpec("x")));
  const absl::Status saved = Save(arrays);
  ASSERT_TRUE(saved.ok()) << saved;
  EXPECT_THAT(Files(), SizeIs(5)) << "the manifest, and a file of each host";

  const auto shapes = checkpoint_shapes(Folder());
  ASSERT_TRUE(shapes.ok()) << shapes.status();
  // On fewer hosts, other meshes, and in the memory of the client.
  Start(3, 2);
  const std::map<std::string, std::optional<NamedSharding>> shardings = {
      {"grid", On({2, 3}, PartitionSpec("x", "y"))},
      {"columns", On({2, 1}, PartitionSpec(nullptr, "x"))},
      {"same", On({6, 1}, PartitionSpec())},
      {"rows", On({1, 1}, PartitionSpec())},
      {"empty", On({3, 1}, PartitionSpec(nullptr, "x"))},
      {"step", std::nullopt}};
  const auto restored = Restore(*shapes, shardings);
  ASSERT_TRUE(restored.ok()) << restored.status();
  for (const auto& [name, value] : values) {
    EXPECT_EQ(*restored->at(name).Fetch(), *value.Fetch()) << name;
    const auto& sharding = shardings.at(name);
    EXPECT_EQ(restored->at(name).sharding(),
              sharding.has_value() ? Sharding(*sharding) : Sharding())
        << name;
  }
  // Programs take them, and the next save replaces the checkpoint.
  const Array sum = restored->at("grid") + restored->at("grid");
  const absl::Status again = Save({{"sum", sum}});
  ASSERT_TRUE(again.ok()) << again;
  EXPECT_THAT(Files(), SizeIs(4));
  const auto slice =
      restore_slice(Folder(), "sum", {IndexSlice(7, 8), IndexSlice(1, 3)});
  ASSERT_TRUE(slice.ok()) << slice.status();
  EXPECT_EQ(*slice->ToString(), "[[86. 88.]]");
}

TEST_F(GlobalViewCheckpointTest, ArraysMayBeDonatedOnceTheyAreCopied) {
  Start(2, 2);
  const NamedSharding sharding = On({4, 1}, PartitionSpec("x"));
  const Array value = Counting({8, 2});
  const Array x = Put(value, sharding);
  PendingSave pending =
      save_async(Folder(), Arrays{{"x", x}}, {.view = client_->view()});
  EXPECT_THAT(
      MessageOf(Save({{"x", value}}), absl::StatusCode::kFailedPrecondition),
      HasSubstr("has not been awaited"));
  auto next = client_->jit([](Tensor x) { return x + 1.f; },
                           {.in_shardings = {sharding},
                            .out_shardings = sharding,
                            .donate_argnums = {0}});
  const auto y = next(x);
  ASSERT_TRUE(y.ok()) << y.status();
  const absl::Status saved = pending.Await();
  ASSERT_TRUE(saved.ok()) << saved;
  const auto restored = Restore({{"x", x.shape()}}, sharding);
  ASSERT_TRUE(restored.ok()) << restored.status();
  EXPECT_EQ(*restored->at("x").Fetch(), *value.Fetch());
  // One that is given up leaves nothing.
  {
    const PendingSave unused = save_async(
        Folder(), Arrays{{"x", restored->at("x")}}, {.view = client_->view()});
  }
  EXPECT_THAT(Files(), SizeIs(3));
}

TEST_F(GlobalViewCheckpointTest, AHostThatIsLostWhileSavingIsNamed) {
  Start(2, 2);
  const NamedSharding sharding = On({4, 1}, PartitionSpec("x"));
  const Array before = Put(Counting({8, 2}), sharding);
  ASSERT_TRUE(Save({{"x", before}}).ok());
  const std::vector<std::string> files = Files();
  const Array after = Put(Counting({8, 2}, 50), sharding);
  ASSERT_TRUE(after.Await().ok());
  cluster_->worker(1).Signal(SIGSTOP);
  absl::Status status;
  std::thread saving([&] { status = Save({{"x", after}}); });
  cluster_->worker(1).Signal(SIGKILL);
  saving.join();
  EXPECT_THAT(MessageOf(status, absl::StatusCode::kAborted),
              AllOf(HasSubstr("save"), HasSubstr("host 1 (worker-1)")));
  EXPECT_THAT(Files(), ::testing::UnorderedElementsAreArray(files));
  const auto x = restore_slice(Folder(), "x", {IndexSlice(0, 1), IndexSlice()});
  ASSERT_TRUE(x.ok()) << x.status();
  EXPECT_EQ(*x->ToString(), "[[0. 1.]]");
  // What needs nothing of that host goes on without it.
  const absl::Status without = Save({{"step", Array({7.f})}});
  ASSERT_TRUE(without.ok()) << without;
  const auto restored =
      Restore({{"step", Shape(ElementType::kF32, {1})}}, Tree<NamedSharding>());
  ASSERT_TRUE(restored.ok()) << restored.status();
  EXPECT_EQ(*restored->at("step").ToString(), "[7.]");
}

TEST_F(GlobalViewCheckpointTest,
       FilesThatAreWrongAreNamedAndNothingIsRestored) {
  Start(2, 2);
  const NamedSharding sharding = On({4, 1}, PartitionSpec("x"));
  const std::map<std::string, Shape> forms = {
      {"x", Shape(ElementType::kF32, {8, 2})}};
  EXPECT_THAT(
      MessageOf(Restore(forms, sharding).status(), absl::StatusCode::kNotFound),
      AllOf(HasSubstr(Folder()), HasSubstr("host 0")));
  ASSERT_TRUE(Save({{"x", Put(Counting({8, 2}), sharding)}}).ok());
  EXPECT_THAT(MessageOf(Restore(
                            std::map<std::string, Shape>{
                                {"y", Shape(ElementType::kF32, {8, 2})}},
                            sharding)
                            .status(),
                        absl::StatusCode::kNotFound),
              AllOf(HasSubstr("'y'"), HasSubstr("'x'")));
  const std::string file = AShardFile();
  {
    std::fstream changed(file, std::ios::in | std::ios::out);
    changed.seekp(5);
    changed.put('\x55');
  }
  EXPECT_THAT(
      MessageOf(Restore(forms, sharding).status(), absl::StatusCode::kDataLoss),
      AllOf(HasSubstr(file), HasSubstr("'x'"), HasSubstr("host ")));
  std::filesystem::resize_file(file, 8);
  EXPECT_THAT(
      MessageOf(Restore(forms, sharding).status(), absl::StatusCode::kDataLoss),
      AllOf(HasSubstr(file), HasSubstr("found 8")));
  std::filesystem::remove(file);
  EXPECT_THAT(
      MessageOf(Restore(forms, sharding).status(), absl::StatusCode::kNotFound),
      HasSubstr(file));
  std::filesystem::resize_file(Folder() + "/manifest.json", 40);
  EXPECT_THAT(
      MessageOf(Restore(forms, sharding).status(), absl::StatusCode::kDataLoss),
      HasSubstr("manifest.json"));
}

TEST_F(GlobalViewCheckpointTest, WorkersReadWhatTheirCallerNeedNotSee) {
  Start(2, 2);
  const ReadOptions by_workers = {.view = client_->view()};
  EXPECT_THAT(MessageOf(checkpoint_shapes(Folder(), by_workers).status(),
                        absl::StatusCode::kNotFound),
              AllOf(HasSubstr(Folder()), HasSubstr("host 0")));
  const Array value = Counting({8, 6});
  ASSERT_TRUE(
      Save({{"x", Put(value, On({2, 2}, PartitionSpec("x", "y")))}}).ok());
  const auto shapes = checkpoint_shapes(Folder(), by_workers);
  ASSERT_TRUE(shapes.ok()) << shapes.status();
  EXPECT_THAT(*shapes, ::testing::ElementsAre(::testing::Pair(
                           "x", Shape(ElementType::kF32, {8, 6}))));
  const auto slice_of = [&](const ShardIndex& index) {
    return restore_slice(Folder(), "x", index, by_workers);
  };
  const auto middle = slice_of({IndexSlice(3, 5), IndexSlice(2, 4)});
  ASSERT_TRUE(middle.ok()) << middle.status();
  EXPECT_EQ(*middle->ToString(), "[[20. 21.]\n [26. 27.]]");
  EXPECT_EQ(*slice_of({IndexSlice(), IndexSlice()})->Fetch(), *value.Fetch());
  EXPECT_EQ(slice_of({IndexSlice(4, 4), IndexSlice()})->shape(),
            Shape(ElementType::kF32, {0, 6}));
  EXPECT_THAT(MessageOf(slice_of({IndexSlice(7, 9), IndexSlice()}).status(),
                        absl::StatusCode::kInvalidArgument),
              AllOf(HasSubstr("'x'"), HasSubstr("(7:9, ALL)")));
  // They are asked: the caller would find this one.
  const std::string outside = directory_ + "/outside";
  std::filesystem::copy(Folder(), outside);
  EXPECT_TRUE(checkpoint_shapes(outside).ok());
  EXPECT_THAT(MessageOf(checkpoint_shapes(outside, by_workers).status(),
                        absl::StatusCode::kFailedPrecondition),
              AllOf(HasSubstr(outside), HasSubstr(Permitted())));
  std::filesystem::remove(AShardFile());
  EXPECT_THAT(MessageOf(slice_of({IndexSlice(), IndexSlice()}).status(),
                        absl::StatusCode::kNotFound),
              AllOf(HasSubstr("restore_slice"), HasSubstr("host 0"),
                    HasSubstr("shards.")));
}

TEST_F(GlobalViewCheckpointTest, WorkersUseNoFolderOutsideTheirOwn) {
  Start(2, 1);
  const Array x = Put(Counting({2}), On({2, 1}, PartitionSpec("x")));
  const std::string outside = directory_ + "/outside";
  EXPECT_THAT(
      MessageOf(save(outside, Arrays{{"x", x}}, {.view = client_->view()}),
                absl::StatusCode::kFailedPrecondition),
      AllOf(HasSubstr(outside), HasSubstr(Permitted()), HasSubstr("host ")));
  EXPECT_FALSE(std::filesystem::exists(outside));
  EXPECT_THAT(MessageOf(save("", Arrays{{"x", x}}, {.view = client_->view()}),
                        absl::StatusCode::kInvalidArgument),
              HasSubstr("''"));
  // Without one, the client writes and reads.
  Start(2, 1, /*is_permitted=*/false);
  const Array y = Put(Counting({2}), On({2, 1}, PartitionSpec("x")));
  const absl::Status saved = Save({{"y", y}});
  ASSERT_TRUE(saved.ok()) << saved;
  EXPECT_THAT(Files(), SizeIs(2)) << "the caller writes all";
}

}  // namespace
}  // namespace lockstep::internal
