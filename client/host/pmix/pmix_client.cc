#include "client/host/pmix/pmix_client.h"

#include <dlfcn.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <optional>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/time/clock.h"
#include "runtime/base/status.h"

namespace lockstep::internal {
namespace {

// The binary interface of the PMIx standard, as much of it as is used.
using PmixStatus = int;
using PmixRank = uint32_t;
constexpr PmixStatus kSuccess = 0;
constexpr PmixStatus kTimedOut = -24;
constexpr PmixRank kAnyRank = std::numeric_limits<uint32_t>::max() - 1;
constexpr uint8_t kGlobalScope = 3;
constexpr uint16_t kString = 3;
constexpr uint16_t kInt = 6;
constexpr uint16_t kUint16 = 13;
constexpr uint16_t kUint32 = 14;

struct PmixProcess {
  char job[256];
  PmixRank rank;
};

struct PmixValue {
  uint16_t type;
  union {
    char* string;
    int integer;
    uint16_t uint16;
    uint32_t uint32;
    struct {
      void* pointers[3];
    } largest;
  } data;
};

struct PmixInfo {
  char key[512];
  uint32_t flags;
  PmixValue value;
};

static_assert(sizeof(PmixProcess) == 260);
static_assert(sizeof(PmixValue) == 32);
static_assert(sizeof(PmixInfo) == 552);

struct PmixLibrary {
  PmixStatus (*init)(PmixProcess*, PmixInfo*, size_t);
  PmixStatus (*finalize)(const PmixInfo*, size_t);
  PmixStatus (*put)(uint8_t, const char*, PmixValue*);
  PmixStatus (*commit)();
  PmixStatus (*get)(const PmixProcess*, const char*, const PmixInfo*, size_t,
                    PmixValue**);
  const char* (*error_string)(PmixStatus);
};

template <typename Function>
bool Find(void* library, const char* name, Function& function) {
  function = reinterpret_cast<Function>(dlsym(library, name));
  return function != nullptr;
}

// Stays open: PMIx has threads, and another user of it may be in this process.
absl::StatusOr<PmixLibrary> Open(const std::vector<std::string>& names) {
  void* library = nullptr;
  std::vector<std::string> errors;
  for (const std::string& name : names) {
    library = dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (library != nullptr) break;
    const char* const error = dlerror();
    errors.emplace_back(error == nullptr ? name : error);
  }
  if (library == nullptr) {
    return absl::UnavailableError(
        absl::StrCat("no library of PMIx: ", absl::StrJoin(errors, "; ")));
  }
  PmixLibrary pmix = {};
  if (!Find(library, "PMIx_Init", pmix.init) ||
      !Find(library, "PMIx_Finalize", pmix.finalize) ||
      !Find(library, "PMIx_Put", pmix.put) ||
      !Find(library, "PMIx_Commit", pmix.commit) ||
      !Find(library, "PMIx_Get", pmix.get) ||
      !Find(library, "PMIx_Error_string", pmix.error_string)) {
    return absl::UnavailableError(
        absl::StrCat("the library of PMIx lacks a function: ", dlerror()));
  }
  return pmix;
}

PmixInfo TimeoutInfo(absl::Duration timeout) {
  PmixInfo info = {};
  std::strcpy(info.key, "pmix.timeout");
  info.value.type = kInt;
  // 0 would be for ever.
  info.value.data.integer = static_cast<int>(
      std::clamp<int64_t>(absl::ToInt64Seconds(timeout), 1, 1 << 30));
  return info;
}

class LibraryPmixClient final : public PmixClient {
 public:
  LibraryPmixClient(const PmixLibrary& pmix, const PmixProcess& self)
      : pmix_(pmix), self_(self) {}
  ~LibraryPmixClient() override { pmix_.finalize(nullptr, 0); }

  absl::StatusOr<Place> FindPlace() override {
    Place place;
    place.rank = static_cast<int>(self_.rank);
    ASSIGN_OR_RETURN(place.count, Number(kAnyRank, "pmix.job.size"));
    ASSIGN_OR_RETURN(place.local_count, Number(kAnyRank, "pmix.local.size"));
    ASSIGN_OR_RETURN(place.local_rank, Number(self_.rank, "pmix.lrank"));
    return place;
  }

  absl::Status Publish(const std::string& key,
                       const std::string& value) override {
    std::string copy = value;
    PmixValue text = {};
    text.type = kString;
    text.data.string = copy.data();
    PmixStatus status = pmix_.put(kGlobalScope, key.c_str(), &text);
    if (status == kSuccess) status = pmix_.commit();
    if (status == kSuccess) return absl::OkStatus();
    return Failed(absl::StrCat("publishing ", key), status);
  }

  absl::StatusOr<std::string> Read(int rank, const std::string& key,
                                   absl::Duration timeout) override {
    const PmixInfo info = TimeoutInfo(timeout);
    std::string text;
    RETURN_IF_ERROR(
        Get(static_cast<PmixRank>(rank), key, &info, [&](PmixValue& value) {
          if (value.type != kString || value.data.string == nullptr) {
            return false;
          }
          text = value.data.string;
          std::free(value.data.string);
          return true;
        }));
    return text;
  }

 private:
  absl::Status Failed(absl::string_view what, PmixStatus status) const {
    const std::string message =
        absl::StrCat("PMIx: ", what, ": ", pmix_.error_string(status));
    return status == kTimedOut ? absl::DeadlineExceededError(message)
                               : absl::UnavailableError(message);
  }

  // Hands the value to `take`, which says whether it is of the right type.
  template <typename Take>
  absl::Status Get(PmixRank rank, const std::string& key, const PmixInfo* info,
                   const Take& take) {
    PmixProcess process = self_;
    process.rank = rank;
    const std::string what = absl::StrCat(
        "reading ", key, " of ",
        rank == kAnyRank ? "the job" : absl::StrCat("rank ", rank));
    PmixValue* value = nullptr;
    const PmixStatus status =
        pmix_.get(&process, key.c_str(), info, info == nullptr ? 0 : 1, &value);
    if (status != kSuccess || value == nullptr) return Failed(what, status);
    const bool is_taken = take(*value);
    const uint16_t type = value->type;
    std::free(value);
    if (is_taken) return absl::OkStatus();
    return absl::UnavailableError(
        absl::StrCat("PMIx: ", what, ": found a value of type ", type));
  }

  absl::StatusOr<int> Number(PmixRank rank, const std::string& key) {
    int number = 0;
    RETURN_IF_ERROR(Get(rank, key, nullptr, [&](const PmixValue& value) {
      if (value.type == kUint32) number = static_cast<int>(value.data.uint32);
      if (value.type == kUint16) number = value.data.uint16;
      return value.type == kUint32 || value.type == kUint16;
    }));
    return number;
  }

  const PmixLibrary pmix_;
  const PmixProcess self_;
};

}  // namespace

absl::StatusOr<std::unique_ptr<PmixClient>> PmixClient::Connect(
    const std::vector<std::string>& libraries) {
  ASSIGN_OR_RETURN(const PmixLibrary pmix, Open(libraries));
  PmixProcess self = {};
  const PmixStatus status = pmix.init(&self, nullptr, 0);
  if (status != kSuccess) {
    return absl::UnavailableError(
        absl::StrCat("PMIx: no launcher answers: ", pmix.error_string(status)));
  }
  return std::make_unique<LibraryPmixClient>(pmix, self);
}

}  // namespace lockstep::internal
