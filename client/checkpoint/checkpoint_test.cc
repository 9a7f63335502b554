// What several hosts do is in tests/multihost/checkpoint_test.cc.
#include "client/checkpoint/checkpoint.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/resource.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "client/checkpoint/save_plan.h"
#include "client/global_arrays/device_put.h"
#include "client/host/recording_view.h"
#include "client/trees/tree_map.h"
#include "client/trees/tree_structs_testing.h"
#include "runtime/checkpoint/folder_testing.h"
#include "runtime/mesh/mesh_testing.h"

namespace lockstep::internal {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Pair;
using ::testing::SizeIs;

Literal Pattern(ElementType type, const std::vector<int64_t>& dims,
                int first = 0) {
  Literal literal(Shape(type, dims));
  std::byte* bytes = literal.mutable_bytes();
  for (int64_t i = 0; i < literal.shape().byte_size(); ++i) {
    bytes[i] = static_cast<std::byte>(
        IsSmall(type) || type == ElementType::kPred ? (i + first) % 2
                                                    : (first + i) * 7 % 96);
  }
  return literal;
}

class CheckpointTest : public ::testing::Test {
 protected:
  CheckpointTest() : view_(RecordingView::Create(8)), folder_(NewFolder()) {}

  NamedSharding Over(std::vector<int64_t> dims, PartitionSpec spec,
                     std::vector<int32_t> ids = {}) const {
    int64_t size = 1;
    for (int64_t dim : dims) size *= dim;
    while (static_cast<int64_t>(ids.size()) < size) {
      ids.push_back(static_cast<int32_t>(ids.size()));
    }
    std::vector<std::string> names = {"x", "y"};
    names.resize(dims.size());
    return ShardingOf(
        MeshOf(view_->world(), ids, std::move(dims), std::move(names)),
        std::move(spec));
  }
  Array Put(const Literal& value, const NamedSharding& sharding) const {
    const auto array = device_put(Array(value), sharding, {.view = view_});
    EXPECT_TRUE(array.ok()) << array.status();
    return *array;
  }
  template <typename T>
  absl::Status Save(const T& tree) const {
    return save(folder_, tree, {.view = view_});
  }
  template <typename T, typename Shardings = Tree<NamedSharding>>
  auto Restore(const T& forms, const Shardings& shardings = {}) const {
    return restore(folder_, forms, shardings, {.view = view_});
  }
  std::vector<NamedSharding> Shardings() const {
    return {Over({8}, PartitionSpec("x")),
            Over({8}, PartitionSpec()),
            Over({2, 4}, PartitionSpec("y", "x")),
            Over({4, 2}, PartitionSpec(nullptr, "x")),
            Over({4, 2}, PartitionSpec(nullptr, AxisTuple{"y", "x"}),
                 {5, 0, 7, 2, 1, 4, 3, 6}),
            Over({2}, PartitionSpec("x"), {6, 3}),
            Over({1}, PartitionSpec(), {5})};
  }
  static void ExpectHas(const Array& array, const NamedSharding& sharding,
                        const Literal& value) {
    EXPECT_EQ(array.sharding(), Sharding(sharding));
    const HostTensor whole =
        HostTensor::Of(std::make_shared<const Literal>(value));
    const std::vector<ArrayShard> shards = array.addressable_shards();
    ASSERT_EQ(static_cast<int64_t>(shards.size()), sharding.mesh().size());
    for (size_t i = 0; i < shards.size(); ++i) {
      const HostTensor part =
          *TakeBox(whole, array.layout()->box(static_cast<int64_t>(i)));
      EXPECT_EQ(*shards[i].data->Fetch(), Literal::CopyOf(part.view));
    }
  }

  const std::shared_ptr<RecordingView> view_;
  const std::string folder_;
};

TEST_F(CheckpointTest, EveryShardingIsRestoredAsEveryOther) {
  const Literal value = Pattern(ElementType::kF32, {8, 16});
  for (const NamedSharding& from : Shardings()) {
    ASSERT_TRUE(Save(Put(value, from)).ok());
    EXPECT_THAT(NamesIn(folder_), SizeIs(2)) << "the old files are gone";
    for (const NamedSharding& to : Shardings()) {
      const auto array = Restore(value.shape(), to);
      ASSERT_TRUE(array.ok()) << array.status();
      ExpectHas(*array, to, value);
    }
    const auto whole = Restore(Array(value));
    ASSERT_TRUE(whole.ok()) << whole.status();
    EXPECT_EQ(*whole->host_value(), value);
  }
}

TEST_F(CheckpointTest, CopiesAreWrittenOnce) {
  const Literal value = Pattern(ElementType::kF32, {64, 64});
  ASSERT_TRUE(Save(Put(value, Over({8}, PartitionSpec()))).ok());
  int64_t bytes = 0;
  for (const std::string& name : NamesIn(folder_)) {
    if (name != "manifest.json") {
      bytes += static_cast<int64_t>(
          std::filesystem::file_size(absl::StrCat(folder_, "/", name)));
    }
  }
  EXPECT_EQ(bytes, 64 * 64 * 4);
}

// Of eight shards, which several threads read.
TEST_F(CheckpointTest, LargeArraysComeBackAndTheirDamageIsNamed) {
  const Literal value = Pattern(ElementType::kF32, {4096, 1024});
  ASSERT_TRUE(Save(Put(value, Over({8}, PartitionSpec("x")))).ok());
  for (const PartitionSpec& spec :
       {PartitionSpec("x"), PartitionSpec(nullptr, "x"), PartitionSpec()}) {
    const auto array = Restore(value.shape(), Over({8}, spec));
    ASSERT_TRUE(array.ok()) << array.status();
    EXPECT_EQ(*array->Fetch(), value) << spec.ToString();
  }
  for (const std::string& name : NamesIn(folder_)) {
    if (name == "manifest.json") continue;
    std::fstream file(absl::StrCat(folder_, "/", name),
                      std::ios::in | std::ios::out | std::ios::binary);
    // In the third and in the last shard: the first of them is named.
    for (const int64_t offset : {int64_t{5} << 20, int64_t{15} << 20}) {
      file.seekp(offset);
      file.put('!');
    }
  }
  for (int i = 0; i < 5; ++i) {
    const absl::Status damaged =
        Restore(value.shape(), Over({8}, PartitionSpec("x"))).status();
    EXPECT_EQ(damaged.code(), absl::StatusCode::kDataLoss);
    EXPECT_THAT(std::string(damaged.message()), HasSubstr("(1024, 0)"));
  }
}

// What all hosts have, alternately small and large.
TEST(ChooseWritersTest, HostsWriteEquallyMuch) {
  const Mesh mesh = MeshOf(WorldOf(4, 2), {8}, {"x"});
  std::map<HostId, int64_t> bytes;
  for (int i = 0; i < 8; ++i) {
    const auto layout =
        *ArrayLayout::Create(ShardingOf(mesh, PartitionSpec()),
                             ElementType::kF32, {i % 2 == 0 ? 64 : 1 << 20});
    const std::vector<int64_t> writers = ChooseWriters(*layout, bytes);
    EXPECT_THAT(writers, SizeIs(1));
  }
  ASSERT_THAT(bytes, SizeIs(4));
  for (const auto& [host, count] : bytes) {
    EXPECT_GE(count, 4 << 20) << host.value();
    EXPECT_LT(count, 5 << 20) << host.value();
  }
  // Who alone has a part writes it.
  const auto rows = *ArrayLayout::Create(ShardingOf(mesh, PartitionSpec("x")),
                                         ElementType::kF32, {8});
  EXPECT_THAT(ChooseWriters(*rows, bytes), ElementsAre(0, 1, 2, 3, 4, 5, 6, 7));
}

TEST_F(CheckpointTest, SliceIsReadWithoutTheRest) {
  const Literal value = Pattern(ElementType::kF32, {8, 16});
  const auto sharding = Over({4, 2}, PartitionSpec("x", "y"));
  ASSERT_TRUE(
      Save(std::map<std::string, Array>{{"w", Put(value, sharding)}}).ok());
  const auto middle =
      restore_slice(folder_, "w", {IndexSlice(1, 7), IndexSlice(5, 11)});
  ASSERT_TRUE(middle.ok()) << middle.status();
  const auto whole = Array(value).ToVector<float>();
  std::vector<float> expected;
  for (int row = 1; row < 7; ++row) {
    for (int column = 5; column < 11; ++column) {
      expected.push_back((*whole)[row * 16 + column]);
    }
  }
  EXPECT_EQ(*middle->ToVector<float>(), expected);
  EXPECT_THAT(middle->shape().dims(), ElementsAre(6, 6));
  EXPECT_EQ(*restore_slice(folder_, "w", {IndexSlice::All(), IndexSlice::All()})
                 ->ToVector<float>(),
            *whole);
  // Of other parts nothing is read, so nothing is compared either.
  for (const auto& file : std::filesystem::directory_iterator(folder_)) {
    if (file.path().filename() != "manifest.json") {
      std::filesystem::resize_file(file.path(), 8 * 16 * 4 - 1);
    }
  }
  EXPECT_TRUE(
      restore_slice(folder_, "w", {IndexSlice(0, 1), IndexSlice(0, 1)}).ok());

  const absl::Status missing = restore_slice(folder_, "v", {}).status();
  EXPECT_EQ(missing.code(), absl::StatusCode::kNotFound);
  EXPECT_THAT(std::string(missing.message()),
              AllOf(HasSubstr("restore_slice"), HasSubstr("'v'"),
                    HasSubstr("found 'w'")));
  for (const ShardIndex& wrong :
       {ShardIndex{IndexSlice::All()},
        ShardIndex{IndexSlice(0, 9), IndexSlice::All()},
        ShardIndex{IndexSlice(5, 4), IndexSlice::All()},
        ShardIndex{IndexSlice(-3, -1), IndexSlice::All()}}) {
    const absl::Status status = restore_slice(folder_, "w", wrong).status();
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
    EXPECT_THAT(std::string(status.message()),
                AllOf(HasSubstr("array 'w'"), HasSubstr("float32 (8, 16)"),
                      HasSubstr(ShardIndexText(wrong))));
  }
  EXPECT_EQ(ShardIndexText({IndexSlice(-3, -1), IndexSlice::All()}),
            "(-3:-1, ALL)");
}

TEST_F(CheckpointTest, AllElementTypesAndEmptyArrays) {
  std::map<std::string, Literal> values;
  for (uint32_t number = 1; ElementTypeFromNumber(number).ok(); ++number) {
    const ElementType type = *ElementTypeFromNumber(number);
    const std::string name(NumpyName(type));
    values.emplace(name, Pattern(type, {8, 3}));
    values.emplace(name + "/empty", Literal(Shape(type, {8, 0})));
    values.emplace(name + "/scalar", Pattern(type, {}, 1));
  }
  const NamedSharding rows = Over({8}, PartitionSpec("x"));
  const NamedSharding same = Over({8}, PartitionSpec());
  std::map<std::string, Array> arrays;
  std::map<std::string, NamedSharding> shardings;
  for (const auto& [name, value] : values) {
    shardings.emplace(name, value.shape().rank() == 0 ? same : rows);
    arrays.emplace(name, Put(value, shardings.at(name)));
  }
  ASSERT_TRUE(Save(arrays).ok());
  const auto shapes = checkpoint_shapes(folder_);
  ASSERT_TRUE(shapes.ok()) << shapes.status();
  ASSERT_EQ(shapes->size(), values.size());
  const auto in_memory = Restore(*shapes);
  ASSERT_TRUE(in_memory.ok()) << in_memory.status();
  const auto on_devices = Restore(arrays, shardings);
  ASSERT_TRUE(on_devices.ok()) << on_devices.status();
  for (const auto& [name, value] : values) {
    EXPECT_EQ(*in_memory->at(name).Fetch(), value) << name;
    ExpectHas(on_devices->at(name), shardings.at(name), value);
  }
}

TEST_F(CheckpointTest, ContainersAreKept) {
  const NamedSharding rows = Over({2}, PartitionSpec("x"));
  const Array a = Put(Pattern(ElementType::kF32, {4}), rows);
  const Array b(Pattern(ElementType::kS32, {2}, 5));
  Model<Array> model;
  model.layers = {{a, b}, {b, {}}};
  model.named = {{"z", a}, {"y", b}};
  model.pair = {a, {b, b}};
  model.tree = Tree<Array>::Map({{"leaf", a}, {"none", Tree<Array>()}});
  model.inner.resize(1);
  model.steps = 3;
  ASSERT_TRUE(Save(model).ok());
  const auto restored = Restore(model);
  ASSERT_TRUE(restored.ok()) << restored.status();
  EXPECT_EQ(tree_structure(*restored), tree_structure(model));
  const auto expected = tree_leaves(model);
  const auto found = tree_leaves(*restored);
  ASSERT_EQ(found.size(), expected.size());
  for (size_t i = 0; i < found.size(); ++i) {
    EXPECT_EQ(*found[i].Fetch(), *expected[i].Fetch()) << i;
  }
  // A prefix: one sharding for the pair, nothing for the rest.
  const auto tuple = std::tuple(a, std::vector<Array>{b, b});
  ASSERT_TRUE(Save(tuple).ok());
  const auto moved =
      Restore(tuple, Tree<NamedSharding>::List({rows, Tree<NamedSharding>()}));
  ASSERT_TRUE(moved.ok()) << moved.status();
  EXPECT_EQ(std::get<0>(*moved).sharding(), Sharding(rows));
  EXPECT_EQ(std::get<1>(*moved)[1].sharding(), Sharding());
  const auto one = Restore(tuple, view_->world().devices()[3]);
  ASSERT_TRUE(one.ok()) << one.status();
  EXPECT_THAT(std::get<1>(*one)[0].devices(), ElementsAre(GlobalDeviceId(3)));
  // The containers may be others: paths are what counts.
  const auto list = Restore(Tree<Shape>::List(
      {a.shape(), Tree<Shape>::List({b.shape(), b.shape()})}));
  ASSERT_TRUE(list.ok()) << list.status();
  EXPECT_EQ(*(*list)[1][0].leaf().Fetch(), *b.Fetch());
}

TEST_F(CheckpointTest, SaysWhatDoesNotFit) {
  const Array w =
      Put(Pattern(ElementType::kF32, {8, 4}), Over({8}, PartitionSpec("x")));
  const auto form = [](const Shape& shape) {
    return std::map<std::string, Shape>{{"w", shape}};
  };
  const std::string manifest = folder_ + "/manifest.json";
  EXPECT_THAT(Restore(form(w.shape())).status().ToString(),
              AllOf(HasSubstr("NOT_FOUND: "), HasSubstr(manifest)));
  ASSERT_TRUE(Save(std::map<std::string, Array>{{"w", w}}).ok());
  EXPECT_EQ(Restore(form(Shape(ElementType::kF32, {8, 2}))).status(),
            absl::InvalidArgumentError(absl::StrCat(
                "restore: ", manifest,
                ": array 'w': expected float32 (8, 2), found float32 (8, 4)")));
  EXPECT_THAT(
      Restore(form(Shape(ElementType::kF64, {8, 4}))).status().ToString(),
      AllOf(HasSubstr("INVALID_ARGUMENT: "), HasSubstr("float64 (8, 4)")));
  EXPECT_EQ(Restore(std::map<std::string, Array>{{"w", w}, {"v", w}}).status(),
            absl::NotFoundError(absl::StrCat(
                "restore: ", manifest, ": expected the array 'v', found 'w'")));
  EXPECT_EQ(Restore(std::map<std::string, Array>{}).status(),
            absl::InvalidArgumentError(absl::StrCat(
                "restore: ", manifest,
                ": the array 'w' of the checkpoint is not in the tree; "
                "allow_unused leaves it out")));
  EXPECT_TRUE(restore(folder_, std::map<std::string, Array>{},
                      Tree<NamedSharding>(),
                      {.allow_unused = true, .view = view_})
                  .ok());
  EXPECT_THAT(Restore(form(w.shape()), Over({3}, PartitionSpec("x")))
                  .status()
                  .ToString(),
              AllOf(HasSubstr("INVALID_ARGUMENT: "), HasSubstr("'w'")));
  EXPECT_THAT(Restore(form(w.shape()),
                      std::vector<NamedSharding>{Over({8}, PartitionSpec())})
                  .status()
                  .ToString(),
              AllOf(HasSubstr("INVALID_ARGUMENT: "), HasSubstr("prefix")));
  const auto twice =
      Tree<Array>::Map({{"a/b", w}, {"a", Tree<Array>::Map({{"b", w}})}});
  EXPECT_EQ(Save(twice), absl::InvalidArgumentError(
                             "save: two leaves of the tree have the path "
                             "'a/b'"));
  EXPECT_THAT(Save(Array::Failed(absl::AbortedError("host 1 is lost"))),
              absl::AbortedError("save: array '': host 1 is lost"));
  EXPECT_TRUE(Restore(form(w.shape())).ok()) << "the one of before";
  EXPECT_THAT(NamesIn(folder_), SizeIs(2));
}

TEST_F(CheckpointTest, DamagedFilesAreNamed) {
  const Array w =
      Put(Pattern(ElementType::kF32, {8, 4}), Over({8}, PartitionSpec("x")));
  ASSERT_TRUE(Save(w).ok());
  std::string file;
  for (const std::string& name : NamesIn(folder_)) {
    if (name != "manifest.json") file = folder_ + "/" + name;
  }
  const std::string content = ContentOf(file);
  std::string changed = content;
  changed[100] ^= 4;
  WriteContent(file, changed);
  EXPECT_THAT(Restore(w).status().ToString(),
              AllOf(HasSubstr("DATA_LOSS: restore: "), HasSubstr(file)));
  WriteContent(file, content.substr(0, 100));
  EXPECT_THAT(Restore(w).status().ToString(),
              AllOf(HasSubstr("DATA_LOSS: restore: "), HasSubstr(file)));
  std::filesystem::remove(file);
  EXPECT_THAT(Restore(w).status().ToString(),
              AllOf(HasSubstr("NOT_FOUND: restore: "), HasSubstr(file)));
  std::filesystem::create_directory(file);
  EXPECT_THAT(Restore(w).status().ToString(),
              AllOf(HasSubstr("INVALID_ARGUMENT: restore: "), HasSubstr(file)));
}

TEST_F(CheckpointTest, LeftoversOfSavesThatWereKilledGo) {
  const Array w(Pattern(ElementType::kF32, {8}));
  for (const char* name :
       {"shards.0123456789abcdef.bin", "shards.0123456789abcdef.bin.7.0.tmp",
        "manifest.json.7.1.tmp", "mine.txt", "shards.txt", "shards.tmp"}) {
    WriteContent(absl::StrCat(folder_, "/", name), "x");
  }
  ASSERT_TRUE(Save(w).ok());
  std::set<std::string> names = NamesIn(folder_);
  EXPECT_THAT(names, SizeIs(5));
  EXPECT_TRUE(names.contains("mine.txt") && names.contains("shards.txt") &&
              names.contains("shards.tmp"));
}

TEST_F(CheckpointTest, AsynchronousSaveHasTheValuesOfItsCall) {
  const Literal value = Pattern(ElementType::kF32, {64, 64});
  const NamedSharding rows = Over({8}, PartitionSpec("x"));
  PendingSave pending = save_async(folder_, Put(value, rows), {.view = view_});
  EXPECT_EQ(Save(Array({1.f})),
            absl::FailedPreconditionError(absl::StrCat(
                "save: ", folder_,
                ": another save to this folder has not been awaited")));
  EXPECT_TRUE(absl::IsNotFound(Restore(value.shape()).status()));
  EXPECT_TRUE(pending.Await().ok());
  EXPECT_TRUE(pending.Await().ok());
  EXPECT_EQ(*Restore(value.shape())->Fetch(), value);
  {
    const PendingSave given_up =
        save_async(folder_, Array({1.f}), {.view = view_});
  }
  EXPECT_EQ(*Restore(value.shape())->Fetch(), value);
  EXPECT_THAT(NamesIn(folder_), SizeIs(2));
  EXPECT_TRUE(Save(Array({1.f})).ok());
  PendingSave moved = std::move(pending);
  EXPECT_TRUE(absl::IsFailedPrecondition(pending.Await()));  // NOLINT
}

TEST_F(CheckpointTest, FolderIsMade) {
  const std::string deep = folder_ + "/a/b";
  const Array w(Pattern(ElementType::kF32, {8}));
  ASSERT_TRUE(save(deep, w, {.view = view_}).ok());
  EXPECT_TRUE(restore(deep, w, Tree<NamedSharding>(), {.view = view_}).ok());
  const absl::Status status = save(deep + "/manifest.json", w, {.view = view_});
  EXPECT_THAT(status.ToString(), HasSubstr(deep + "/manifest.json"));
}

// Files of more than so many bytes cannot be written while this lives.
class FileSizeLimit {
 public:
  explicit FileSizeLimit(rlim_t bytes) : handler_(signal(SIGXFSZ, SIG_IGN)) {
    getrlimit(RLIMIT_FSIZE, &before_);
    rlimit limit = before_;
    limit.rlim_cur = bytes;
    setrlimit(RLIMIT_FSIZE, &limit);
  }
  ~FileSizeLimit() {
    setrlimit(RLIMIT_FSIZE, &before_);
    signal(SIGXFSZ, handler_);
  }

 private:
  rlimit before_;
  const sighandler_t handler_;
};

TEST_F(CheckpointTest, DiskThatIsFullLeavesThePreviousCheckpoint) {
  const Literal value = Pattern(ElementType::kF32, {8});
  ASSERT_TRUE(Save(Array(value)).ok());
  const std::set<std::string> names = NamesIn(folder_);
  std::vector<Array> many(200, Array(value));
  // The shards do not fit; the manifest does not, but they do.
  for (rlim_t bytes : {1000, 10000}) {
    absl::Status status;
    {
      const FileSizeLimit limit(bytes);
      status = Save(many);
      const absl::Status later =
          save_async(folder_, many, {.view = view_}).Await();
      EXPECT_EQ(later.code(), status.code());
    }
    EXPECT_FALSE(status.ok());
    EXPECT_THAT(status.message(),
                AllOf(HasSubstr(folder_), HasSubstr("cannot write")));
    EXPECT_EQ(NamesIn(folder_), names);
    EXPECT_EQ(*Restore(value.shape())->Fetch(), value);
  }
}

TEST_F(CheckpointTest, WhatTheThreadOfASaveFindsIsItsError) {
  const Array w(Pattern(ElementType::kF32, {8}));
  const FileSizeLimit limit(1);
  // The thread may find it before or after save_async returns.
  for (int i = 0; i < 100; ++i) {
    const absl::Status later = save_async(folder_, w, {.view = view_}).Await();
    ASSERT_THAT(std::string(later.message()),
                AllOf(HasSubstr(folder_), HasSubstr("cannot write")));
  }
  EXPECT_THAT(NamesIn(folder_), SizeIs(0));
}

}  // namespace
}  // namespace lockstep::internal
