#include "runtime/mesh/sharding/gspmd_sharding.h"

#include <numeric>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "runtime/base/check.h"
#include "runtime/base/status.h"
#include "runtime/mesh/sharding/text_scanner.h"

namespace lockstep::internal {
namespace {

using Kind = GspmdSharding::Kind;

struct KindName {
  absl::string_view name;
  Kind kind;
};
constexpr KindName kKinds[] = {
    {"replicated", Kind::kReplicated},
    {"manual", Kind::kManual},
    {"unknown", Kind::kUnknown},
    {"unreduced", Kind::kUnreduced},
};

struct SubgroupName {
  absl::string_view name;
  GspmdSubgroup subgroup;
};
constexpr SubgroupName kSubgroups[] = {
    {"replicated", GspmdSubgroup::kReplicated},
    {"manual", GspmdSubgroup::kManual},
    {"unreduced", GspmdSubgroup::kUnreduced},
};

absl::StatusOr<GspmdSubgroup> ReadSubgroup(TextScanner& scanner) {
  for (const auto& [name, subgroup] : kSubgroups) {
    if (scanner.Consume(name)) return subgroup;
  }
  return scanner.Expected("'replicated', 'manual' or 'unreduced'");
}

absl::StatusOr<std::vector<GspmdSubgroup>> ReadSubgroups(TextScanner& scanner) {
  if (scanner.Consume("last_tile_dim_replicate")) {
    return std::vector<GspmdSubgroup>{GspmdSubgroup::kReplicated};
  }
  std::vector<GspmdSubgroup> subgroups;
  if (!scanner.Consume("last_tile_dims")) return subgroups;
  RETURN_IF_ERROR(scanner.Expect("="));
  RETURN_IF_ERROR(scanner.List("{", "}", [&]() -> absl::Status {
    ASSIGN_OR_RETURN(const GspmdSubgroup subgroup, ReadSubgroup(scanner));
    subgroups.push_back(subgroup);
    return absl::OkStatus();
  }));
  return subgroups;
}

absl::StatusOr<TileAssignment> At(const TextScanner& start,
                                  absl::StatusOr<TileAssignment> tiles) {
  return tiles.ok() ? std::move(tiles) : start.Error(tiles.status().message());
}

// `start` is where the tiles begin.
absl::StatusOr<TileAssignment> ReadIotaTiles(TextScanner& scanner,
                                             const TextScanner& start,
                                             std::vector<int64_t> dims) {
  ASSIGN_OR_RETURN(const std::vector<int64_t> reshape_dims,
                   scanner.Integers("[", "]"));
  std::vector<int64_t> transpose_perm(reshape_dims.size());
  std::iota(transpose_perm.begin(), transpose_perm.end(), 0);
  if (scanner.Consume("T")) {
    ASSIGN_OR_RETURN(transpose_perm, scanner.Integers("(", ")"));
  }
  return At(start, TileAssignment::FromIota(std::move(dims), reshape_dims,
                                            transpose_perm));
}

absl::StatusOr<TileAssignment> ReadListedTiles(TextScanner& scanner,
                                               const TextScanner& start,
                                               std::vector<int64_t> dims) {
  std::vector<int64_t> devices;
  do {
    ASSIGN_OR_RETURN(const int64_t device, scanner.Integer());
    devices.push_back(device);
  } while (scanner.Consume(","));
  return At(start,
            TileAssignment::FromDevices(std::move(dims), std::move(devices)));
}

absl::StatusOr<GspmdSharding> ReadTiled(TextScanner& scanner) {
  const TextScanner start = scanner;
  ASSIGN_OR_RETURN(std::vector<int64_t> dims, scanner.Integers("[", "]"));
  ASSIGN_OR_RETURN(TileAssignment tiles,
                   scanner.Consume("<=")
                       ? ReadIotaTiles(scanner, start, std::move(dims))
                       : ReadListedTiles(scanner, start, std::move(dims)));
  ASSIGN_OR_RETURN(std::vector<GspmdSubgroup> subgroups,
                   ReadSubgroups(scanner));
  if (subgroups.size() > tiles.dims().size()) {
    return start.Error(
        absl::StrCat("found ", subgroups.size(), " subgroups, but only ",
                     tiles.dims().size(), " dimensions of tiles"));
  }
  return GspmdSharding::Tiled(std::move(tiles), std::move(subgroups));
}

absl::StatusOr<GspmdSharding> ReadKind(TextScanner& scanner) {
  if (scanner.Consume("devices")) {
    RETURN_IF_ERROR(scanner.Expect("="));
    return ReadTiled(scanner);
  }
  if (scanner.Consume("maximal")) {
    RETURN_IF_ERROR(scanner.Expect("device"));
    RETURN_IF_ERROR(scanner.Expect("="));
    const TextScanner start = scanner;
    ASSIGN_OR_RETURN(const int64_t device, scanner.Integer());
    if (device < 0) return start.Expected("a device");
    return GspmdSharding::Maximal(device);
  }
  for (const auto& [name, kind] : kKinds) {
    if (scanner.Consume(name)) return GspmdSharding(kind);
  }
  return scanner.Expected(
      "'devices=', 'maximal', 'replicated', 'manual', 'unknown' or "
      "'unreduced'");
}

absl::StatusOr<GspmdSharding> ReadSharding(TextScanner& scanner) {
  RETURN_IF_ERROR(scanner.Expect("{"));
  ASSIGN_OR_RETURN(GspmdSharding sharding, ReadKind(scanner));
  if (scanner.Consume("metadata")) {
    RETURN_IF_ERROR(scanner.Expect("="));
    RETURN_IF_ERROR(scanner.SkipBraces());
  }
  const bool is_shard_as = scanner.Consume("shard_as");
  if (is_shard_as || scanner.Consume("shard_like")) {
    ASSIGN_OR_RETURN(const int64_t id, scanner.Integer());
    sharding.set_shard_group({.id = id, .is_shard_as = is_shard_as});
  }
  RETURN_IF_ERROR(scanner.Expect("}"));
  return sharding;
}

absl::string_view NameOf(GspmdSubgroup subgroup) {
  for (const SubgroupName& entry : kSubgroups) {
    if (entry.subgroup == subgroup) return entry.name;
  }
  return "";
}

absl::string_view NameOf(Kind kind) {
  for (const KindName& entry : kKinds) {
    if (entry.kind == kind) return entry.name;
  }
  return "";
}

std::string SubgroupsText(absl::Span<const GspmdSubgroup> subgroups) {
  if (subgroups.empty()) return "";
  if (subgroups.size() == 1 && subgroups[0] == GspmdSubgroup::kReplicated) {
    return " last_tile_dim_replicate";
  }
  return absl::StrCat(
      " last_tile_dims={",
      absl::StrJoin(subgroups, ", ",
                    [](std::string* out, GspmdSubgroup subgroup) {
                      absl::StrAppend(out, NameOf(subgroup));
                    }),
      "}");
}

}  // namespace

GspmdSharding GspmdSharding::Maximal(int64_t device) {
  GspmdSharding sharding(Kind::kMaximal);
  sharding.device_ = device;
  return sharding;
}

GspmdSharding GspmdSharding::Tiled(TileAssignment tiles,
                                   std::vector<GspmdSubgroup> subgroups) {
  LOCKSTEP_CHECK(subgroups.size() <= tiles.dims().size());
  GspmdSharding sharding(Kind::kTiled);
  sharding.tiles_ = std::move(tiles);
  sharding.subgroups_ = std::move(subgroups);
  return sharding;
}

absl::StatusOr<GspmdSharding> GspmdSharding::Parse(absl::string_view text) {
  TextScanner scanner(text);
  ASSIGN_OR_RETURN(GspmdSharding sharding, ReadSharding(scanner));
  RETURN_IF_ERROR(scanner.ExpectEnd());
  return sharding;
}

absl::StatusOr<std::vector<GspmdSharding>> GspmdSharding::ParseTuple(
    absl::string_view text) {
  TextScanner scanner(text);
  TextScanner inner = scanner;
  const bool is_tuple =
      inner.Consume("{") && (inner.Peek() == '{' || inner.Peek() == '}');
  std::vector<GspmdSharding> shardings;
  const auto read = [&]() -> absl::Status {
    ASSIGN_OR_RETURN(GspmdSharding sharding, ReadSharding(scanner));
    shardings.push_back(std::move(sharding));
    return absl::OkStatus();
  };
  RETURN_IF_ERROR(is_tuple ? scanner.List("{", "}", read) : read());
  RETURN_IF_ERROR(scanner.ExpectEnd());
  return shardings;
}

int64_t GspmdSharding::rank() const {
  return static_cast<int64_t>(tile_dims().size());
}

absl::Span<const int64_t> GspmdSharding::tile_dims() const {
  absl::Span<const int64_t> dims = tiles_->dims();
  dims.remove_suffix(subgroups_.size());
  return dims;
}

std::string GspmdSharding::ToString() const {
  std::string text;
  switch (kind_) {
    case Kind::kTiled:
      text = absl::StrCat("devices=", tiles_->ToString(),
                          SubgroupsText(subgroups_));
      break;
    case Kind::kMaximal:
      text = absl::StrCat("maximal device=", device_);
      break;
    default:
      text = std::string(NameOf(kind_));
  }
  if (shard_group_.has_value()) {
    absl::StrAppend(&text,
                    shard_group_->is_shard_as ? " shard_as " : " shard_like ",
                    shard_group_->id);
  }
  return absl::StrCat("{", text, "}");
}

std::string GspmdTupleText(absl::Span<const GspmdSharding> shardings) {
  return absl::StrCat(
      "{",
      absl::StrJoin(shardings, ", ",
                    [](std::string* out, const GspmdSharding& sharding) {
                      absl::StrAppend(out, sharding.ToString());
                    }),
      "}");
}

}  // namespace lockstep::internal
