#include "runtime/collectives/ucx/ucx_address.h"

#include <cstdint>
#include <cstring>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "xxhash.h"

namespace lockstep::internal {
namespace {

constexpr absl::string_view kMark = "ucx1";
constexpr size_t kHeadSize = 4 + sizeof(uint64_t);

}  // namespace

std::string SealUcxAddress(absl::string_view worker_address) {
  uint64_t checksum = XXH3_64bits(worker_address.data(), worker_address.size());
  return absl::StrCat(
      kMark,
      absl::string_view(reinterpret_cast<const char*>(&checksum),
                        sizeof(checksum)),
      worker_address);
}

absl::StatusOr<absl::string_view> OpenUcxAddress(absl::string_view address) {
  if (address.size() <= kHeadSize || !absl::StartsWith(address, kMark)) {
    return absl::InvalidArgumentError(
        absl::StrCat("expected an address that begins with '", kMark,
                     "', found ", address.size(), " bytes without it"));
  }
  uint64_t checksum = 0;
  std::memcpy(&checksum, address.data() + kMark.size(), sizeof(checksum));
  absl::string_view worker_address = address.substr(kHeadSize);
  if (checksum != XXH3_64bits(worker_address.data(), worker_address.size())) {
    return absl::InvalidArgumentError(
        absl::StrCat("address of ", address.size(), " bytes is damaged"));
  }
  return worker_address;
}

}  // namespace lockstep::internal
