#include "runtime/kernels/kernel_cache.h"

#include <unistd.h>

#include <atomic>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <system_error>
#include <utility>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"

namespace lockstep::internal {
namespace {

// Changes with the layout of the files.
constexpr char kMagic[8] = {'l', 's', 'k', 'r', 'n', 'l', '0', '1'};

// What a file begins with; the object follows.
struct Header {
  char magic[8];
  XXH128_hash_t key;
  int64_t iterations;
  uint64_t object_bytes;
  uint64_t checksum;
};

// Of all but itself.
uint64_t ChecksumOf(Header header, absl::string_view object) {
  header.checksum = 0;
  const uint64_t seed = XXH3_64bits(object.data(), object.size());
  return XXH3_64bits_withSeed(&header, sizeof(header), seed);
}

XXH128_hash_t HashOf(absl::string_view key) {
  return XXH3_128bits(key.data(), key.size());
}

}  // namespace

KernelCache::KernelCache(std::string directory)
    : directory_(std::move(directory)) {
  if (directory_.empty()) return;
  std::error_code ignored;
  std::filesystem::create_directories(directory_, ignored);
}

std::string KernelCache::PathOf(absl::string_view key) const {
  const XXH128_hash_t hash = HashOf(key);
  return absl::StrCat(directory_, "/",
                      absl::StrFormat("%016x%016x", hash.high64, hash.low64),
                      ".kernel");
}

std::optional<CachedKernel> KernelCache::Find(absl::string_view key) const {
  if (directory_.empty()) return std::nullopt;
  std::ifstream file(PathOf(key), std::ios::binary);
  if (!file) return std::nullopt;
  std::ostringstream content;
  content << file.rdbuf();
  const std::string bytes = content.str();
  Header header;
  if (bytes.size() < sizeof(header)) return std::nullopt;
  std::memcpy(&header, bytes.data(), sizeof(header));
  CachedKernel kernel = {header.iterations, bytes.substr(sizeof(header))};
  if (std::memcmp(header.magic, kMagic, sizeof(kMagic)) != 0 ||
      !XXH128_isEqual(header.key, HashOf(key)) || header.iterations <= 0 ||
      header.object_bytes != kernel.object.size() ||
      header.checksum != ChecksumOf(header, kernel.object)) {
    return std::nullopt;
  }
  return kernel;
}

void KernelCache::Insert(absl::string_view key,
                         const CachedKernel& kernel) const {
  if (directory_.empty()) return;
  Header header = {};
  std::memcpy(header.magic, kMagic, sizeof(kMagic));
  header.key = HashOf(key);
  header.iterations = kernel.iterations;
  header.object_bytes = kernel.object.size();
  header.checksum = ChecksumOf(header, kernel.object);
  static std::atomic<int> next{0};
  const std::string path = PathOf(key);
  const std::string temporary =
      absl::StrCat(path, ".", getpid(), ".", next.fetch_add(1));
  std::error_code ignored;
  {
    std::ofstream file(temporary, std::ios::binary);
    file.write(reinterpret_cast<const char*>(&header), sizeof(header));
    file.write(kernel.object.data(),
               static_cast<std::streamsize>(kernel.object.size()));
    if (!file.flush()) {
      file.close();
      std::filesystem::remove(temporary, ignored);
      return;
    }
  }
  std::filesystem::rename(temporary, path, ignored);
  if (ignored) std::filesystem::remove(temporary, ignored);
}

}  // namespace lockstep::internal
