#include "runtime/kernels/kernel_cache.h"

#include <filesystem>
#include <fstream>
#include <string>

#include "gtest/gtest.h"

namespace lockstep::internal {
namespace {

std::string EmptyDirectory(const std::string& name) {
  const std::string path = ::testing::TempDir() + "/" + name;
  std::filesystem::remove_all(path);
  return path;
}

TEST(KernelCache, WhatWasInsertedIsFoundByAnotherCacheOnTheDirectory) {
  const std::string directory = EmptyDirectory("found");
  KernelCache(directory).Insert("key", {7, "object"});
  const auto found = KernelCache(directory).Find("key");
  ASSERT_TRUE(found.has_value());
  EXPECT_EQ(found->iterations, 7);
  EXPECT_EQ(found->object, "object");
  EXPECT_FALSE(KernelCache(directory).Find("other").has_value());
}

TEST(KernelCache, WithoutADirectoryNothingIsKept) {
  const KernelCache cache("");
  cache.Insert("key", {7, "object"});
  EXPECT_FALSE(cache.Find("key").has_value());
}

TEST(KernelCache, FilesThatAreTornOrChangedAreNotFound) {
  const KernelCache cache(EmptyDirectory("torn"));
  cache.Insert("key", {7, "object"});
  const std::string path = cache.PathOf("key");
  const auto size = std::filesystem::file_size(path);
  for (uintmax_t position = 0; position < size; ++position) {
    cache.Insert("key", {7, "object"});
    {
      std::fstream file(path, std::ios::in | std::ios::out | std::ios::binary);
      file.seekg(static_cast<std::streamoff>(position));
      const char byte = static_cast<char>(file.get());
      file.seekp(static_cast<std::streamoff>(position));
      file.put(static_cast<char>(byte ^ 0x55));
    }
    EXPECT_FALSE(cache.Find("key").has_value()) << position;
  }
  for (uintmax_t length = 0; length < size; ++length) {
    cache.Insert("key", {7, "object"});
    std::filesystem::resize_file(path, length);
    EXPECT_FALSE(cache.Find("key").has_value()) << length;
  }
  cache.Insert("key", {7, "object"});
  EXPECT_TRUE(cache.Find("key").has_value());
}

TEST(KernelCache, ADirectoryThatCannotBeMadeKeepsNothing) {
  const std::string file = EmptyDirectory("file");
  std::ofstream(file) << "not a directory";
  const KernelCache cache(file + "/below");
  cache.Insert("key", {7, "object"});
  EXPECT_FALSE(cache.Find("key").has_value());
}

}  // namespace
}  // namespace lockstep::internal
