#include "runtime/checkpoint/manifest.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <algorithm>
#include <limits>
#include <nlohmann/json.hpp>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "runtime/base/regular_file.h"
#include "runtime/base/status.h"
#include "runtime/checkpoint/checkpoint_folder.h"
#include "runtime/mesh/python_text.h"

namespace lockstep::internal {
namespace {

using Json = nlohmann::ordered_json;

constexpr char kFormat[] = "lockstep checkpoint";
constexpr int64_t kVersion = 1;
constexpr int64_t kLargestBlock = int64_t{1} << 26;
constexpr int kChecksumDigits = 16;

std::string DigestOf(absl::string_view text) {
  const XXH128_hash_t digest = XXH3_128bits(text.data(), text.size());
  return absl::StrFormat("%016x%016x", digest.high64, digest.low64);
}

std::string LastLine(absl::string_view before) {
  return absl::StrCat("{\"checksum\":\"", DigestOf(before), "\"}\n");
}

std::string ChecksumsText(absl::Span<const uint64_t> checksums) {
  std::string text;
  text.reserve(checksums.size() * kChecksumDigits);
  for (uint64_t checksum : checksums) {
    absl::StrAppend(&text, absl::Hex(checksum, absl::kZeroPad16));
  }
  return text;
}

std::vector<int64_t> DimsOf(const Shape& shape) {
  return {shape.dims().begin(), shape.dims().end()};
}

Json ArrayJson(const ManifestArray& array) {
  Json shards = Json::array();
  for (const ManifestShard& shard : array.shards) {
    shards.push_back({{"start", shard.starts},
                      {"file", shard.file},
                      {"offset", shard.offset},
                      {"size", array.shard_shape.byte_size()},
                      {"checksums", ChecksumsText(shard.checksums)}});
  }
  return {{"path", array.path},
          {"type", std::string(StablehloName(array.shape.element_type()))},
          {"shape", DimsOf(array.shape)},
          {"shard_shape", DimsOf(array.shard_shape)},
          {"shards", std::move(shards)}};
}

absl::Status Wrong(absl::string_view what) {
  return absl::InvalidArgumentError(what);
}

// Null when the value is no object, or has no such member.
const Json* Member(const Json& value, const char* name) {
  const auto it = value.is_object() ? value.find(name) : value.end();
  return value.is_object() && it != value.end() ? &*it : nullptr;
}

absl::StatusOr<std::string> StringOf(const Json& value, const char* name) {
  const Json* const member = Member(value, name);
  if (member == nullptr || !member->is_string()) {
    return Wrong(absl::StrCat("expected a string as \"", name, "\""));
  }
  return member->get_ref<const std::string&>();
}

bool IsSize(const Json& value) {
  return value.is_number_unsigned() &&
         value.get<uint64_t>() <= uint64_t{std::numeric_limits<int64_t>::max()};
}

absl::StatusOr<int64_t> SizeOf(const Json& value, const char* name) {
  const Json* const member = Member(value, name);
  if (member == nullptr || !IsSize(*member)) {
    return Wrong(absl::StrCat("expected a size as \"", name, "\""));
  }
  return member->get<int64_t>();
}

absl::StatusOr<std::vector<int64_t>> SizesOf(const Json& value,
                                             const char* name) {
  const Json* const member = Member(value, name);
  if (member == nullptr || !member->is_array() ||
      !std::all_of(member->begin(), member->end(), IsSize)) {
    return Wrong(absl::StrCat("expected a list of sizes as \"", name, "\""));
  }
  return member->get<std::vector<int64_t>>();
}

int64_t BlockCount(int64_t bytes, int64_t block_bytes) {
  return bytes / block_bytes + (bytes % block_bytes == 0 ? 0 : 1);
}

absl::StatusOr<std::vector<uint64_t>> ChecksumsOf(const Json& value,
                                                  int64_t count) {
  ASSIGN_OR_RETURN(const std::string text, StringOf(value, "checksums"));
  if (text.size() % kChecksumDigits != 0 ||
      static_cast<int64_t>(text.size() / kChecksumDigits) != count) {
    return Wrong(absl::StrCat("expected ", count, " checksums of ",
                              kChecksumDigits, " digits, found ", text.size(),
                              " digits"));
  }
  std::vector<uint64_t> checksums;
  checksums.reserve(count);
  for (size_t i = 0; i < text.size(); i += kChecksumDigits) {
    const auto digits = absl::string_view(text).substr(i, kChecksumDigits);
    const bool is_hex = std::all_of(digits.begin(), digits.end(), [](char c) {
      return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f');
    });
    uint64_t& checksum = checksums.emplace_back();
    if (!is_hex || !absl::SimpleHexAtoi(digits, &checksum)) {
      return Wrong(absl::StrCat("expected checksums, found '", digits, "'"));
    }
  }
  return checksums;
}

absl::StatusOr<ManifestShard> ShardOf(const Json& value,
                                      const ManifestArray& array,
                                      int64_t block_bytes) {
  ManifestShard shard;
  ASSIGN_OR_RETURN(shard.starts, SizesOf(value, "start"));
  bool is_in_grid =
      static_cast<int64_t>(shard.starts.size()) == array.shape.rank();
  for (int64_t i = 0; is_in_grid && i < array.shape.rank(); ++i) {
    is_in_grid = shard.starts[i] < array.shape.dim(i) &&
                 shard.starts[i] % array.shard_shape.dim(i) == 0;
  }
  if (!is_in_grid) {
    return Wrong(absl::StrCat("expected the start of a shard of ",
                              TupleText(array.shard_shape.dims()), " in ",
                              TupleText(array.shape.dims()), ", found ",
                              TupleText(shard.starts)));
  }
  ASSIGN_OR_RETURN(shard.file, StringOf(value, "file"));
  if (!IsShardFileName(shard.file)) {
    return Wrong(absl::StrCat("expected a name such as '", NewShardFileName(),
                              "' as \"file\", found '",
                              shard.file.substr(0, 80), "'"));
  }
  const int64_t bytes = array.shard_shape.byte_size();
  ASSIGN_OR_RETURN(const int64_t size, SizeOf(value, "size"));
  if (size != bytes) {
    return Wrong(absl::StrCat("expected ", bytes, " bytes for ",
                              FormText(array.shard_shape), ", found ", size));
  }
  ASSIGN_OR_RETURN(shard.offset, SizeOf(value, "offset"));
  if (shard.offset > std::numeric_limits<int64_t>::max() - bytes) {
    return Wrong(absl::StrCat("the offset ", shard.offset, " is too large"));
  }
  ASSIGN_OR_RETURN(shard.checksums,
                   ChecksumsOf(value, BlockCount(bytes, block_bytes)));
  return shard;
}

absl::Status ReadShards(const Json& value, int64_t block_bytes,
                        ManifestArray& array) {
  const Json* const shards = Member(value, "shards");
  if (shards == nullptr || !shards->is_array()) {
    return Wrong("expected a list as \"shards\"");
  }
  if (array.shape.element_count() == 0 && !shards->empty()) {
    return Wrong("expected no shard of an array without elements");
  }
  for (const Json& each : *shards) {
    ASSIGN_OR_RETURN(array.shards.emplace_back(),
                     ShardOf(each, array, block_bytes));
    const size_t count = array.shards.size();
    if (count > 1 &&
        array.shards[count - 2].starts >= array.shards[count - 1].starts) {
      return Wrong(absl::StrCat("expected shards in order, each once, found ",
                                TupleText(array.shards[count - 2].starts),
                                " before ",
                                TupleText(array.shards[count - 1].starts)));
    }
  }
  return absl::OkStatus();
}

absl::StatusOr<ManifestArray> ArrayOf(const Json& value, int64_t block_bytes) {
  ManifestArray array;
  ASSIGN_OR_RETURN(array.path, StringOf(value, "path"));
  const auto read = [&]() -> absl::Status {
    ASSIGN_OR_RETURN(const std::string type_name, StringOf(value, "type"));
    const absl::StatusOr<ElementType> type = ParseStablehloName(type_name);
    if (!type.ok()) {
      return Wrong(absl::StrCat("expected an element type, found '",
                                type_name.substr(0, 40), "'"));
    }
    ASSIGN_OR_RETURN(const std::vector<int64_t> dims, SizesOf(value, "shape"));
    ASSIGN_OR_RETURN(array.shape, Shape::Create(*type, dims));
    ASSIGN_OR_RETURN(const std::vector<int64_t> shard_dims,
                     SizesOf(value, "shard_shape"));
    ASSIGN_OR_RETURN(array.shard_shape, ShardShapeIn(array.shape, shard_dims));
    return ReadShards(value, block_bytes, array);
  };
  const absl::Status status = read();
  if (status.ok()) return array;
  return Annotate(status,
                  absl::StrCat("array '", array.path.substr(0, 200), "'"));
}

// The first line: INVALID_ARGUMENT for another version.
absl::StatusOr<Json> HeaderOf(absl::string_view line) {
  Json header = Json::parse(line.begin(), line.end(), nullptr, false);
  const Json* const format = Member(header, "format");
  const Json* const version = Member(header, "version");
  if (format == nullptr || *format != kFormat || version == nullptr ||
      !version->is_number_integer()) {
    return absl::DataLossError(absl::StrCat("expected {\"format\":\"", kFormat,
                                            "\",\"version\":", kVersion,
                                            ",..} in the first line"));
  }
  if (*version != kVersion) {
    return Wrong(absl::StrCat("version ", version->dump(),
                              " of the format, expected ", kVersion));
  }
  return header;
}

// `text` up to its last line, which must have the checksum of that.
absl::StatusOr<absl::string_view> CheckedBody(absl::string_view text) {
  const size_t size = LastLine("").size();
  const size_t body = text.size() < size ? 0 : text.size() - size;
  if (!absl::StartsWith(text.substr(body), "{\"checksum\":\"") ||
      !absl::EndsWith(text, "\"}\n")) {
    return absl::DataLossError(absl::StrCat(
        "expected a last line with a checksum; the file is not whole: it ends "
        "after ",
        text.size(), " bytes"));
  }
  const std::string expected = LastLine(text.substr(0, body));
  if (text.substr(body) == expected) return text.substr(0, body);
  return absl::DataLossError(
      absl::StrCat("the file was changed: its checksum is ",
                   expected.substr(0, expected.size() - 1), ", it says ",
                   text.substr(body, size - 1)));
}

absl::StatusOr<Manifest> ParseBody(absl::string_view body, const Json& header) {
  Manifest manifest;
  ASSIGN_OR_RETURN(manifest.block_bytes, SizeOf(header, "block_bytes"));
  if (manifest.block_bytes < 1 || manifest.block_bytes > kLargestBlock) {
    return Wrong(absl::StrCat("expected \"block_bytes\" from 1 to ",
                              kLargestBlock, ", found ", manifest.block_bytes));
  }
  ASSIGN_OR_RETURN(const int64_t count, SizeOf(header, "arrays"));
  body.remove_prefix(body.find('\n') + 1);
  for (int64_t line = 2; !body.empty(); ++line) {
    const absl::string_view text = body.substr(0, body.find('\n'));
    body.remove_prefix(std::min(text.size() + 1, body.size()));
    absl::StatusOr<ManifestArray> array =
        ArrayOf(Json::parse(text.begin(), text.end(), nullptr, false),
                manifest.block_bytes);
    if (!array.ok()) {
      return Annotate(array.status(), absl::StrCat("line ", line));
    }
    if (!manifest.arrays.empty() &&
        manifest.arrays.back().path >= array->path) {
      return Wrong(absl::StrCat("line ", line,
                                ": expected arrays in order, each once, found "
                                "'",
                                array->path.substr(0, 200), "' behind '",
                                manifest.arrays.back().path.substr(0, 200),
                                "'"));
    }
    manifest.arrays.push_back(*std::move(array));
  }
  if (static_cast<int64_t>(manifest.arrays.size()) != count) {
    return Wrong(absl::StrCat("expected ", count, " arrays, found ",
                              manifest.arrays.size()));
  }
  return manifest;
}

// Of the grid, of which every shard is in the array.
int64_t ShardCount(const ManifestArray& array) {
  if (array.shape.element_count() == 0) return 0;
  return array.shape.element_count() / array.shard_shape.element_count();
}

}  // namespace

std::string FormText(const Shape& shape) {
  return absl::StrCat(NumpyName(shape.element_type()), " ",
                      TupleText(shape.dims()));
}

Box ManifestArray::BoxOf(const ManifestShard& shard) const {
  return {shard.starts, DimsOf(shard_shape)};
}

const ManifestArray* Manifest::Find(absl::string_view path) const {
  const auto it =
      std::lower_bound(arrays.begin(), arrays.end(), path,
                       [](const ManifestArray& array, absl::string_view p) {
                         return array.path < p;
                       });
  return it != arrays.end() && it->path == path ? &*it : nullptr;
}

absl::StatusOr<Shape> ShardShapeIn(const Shape& shape,
                                   absl::Span<const int64_t> shard_dims) {
  ASSIGN_OR_RETURN(Shape shard,
                   Shape::Create(shape.element_type(), shard_dims));
  bool is_grid = shard.rank() == shape.rank();
  for (int64_t i = 0; is_grid && i < shape.rank(); ++i) {
    is_grid = shard.dim(i) == 0 ? shape.dim(i) == 0
                                : shape.dim(i) % shard.dim(i) == 0;
  }
  if (is_grid) return shard;
  return Wrong(absl::StrCat("expected shards that divide ",
                            TupleText(shape.dims()), ", found ",
                            TupleText(shard_dims)));
}

absl::StatusOr<std::string> FormatManifest(const Manifest& manifest) {
  const Json header = {{"format", kFormat},
                       {"version", kVersion},
                       {"block_bytes", manifest.block_bytes},
                       {"arrays", manifest.arrays.size()}};
  std::string text = absl::StrCat(header.dump(), "\n");
  for (const ManifestArray& array : manifest.arrays) {
    try {
      absl::StrAppend(&text, ArrayJson(array).dump(), "\n");
    } catch (const Json::type_error& error) {
      return Wrong(
          absl::StrCat("the path of an array is no UTF-8: ", error.what()));
    }
    if (static_cast<int64_t>(text.size()) > kLargestManifest) {
      return absl::ResourceExhaustedError(absl::StrCat(
          "the manifest would have more than ", kLargestManifest, " bytes"));
    }
  }
  return absl::StrCat(text, LastLine(text));
}

absl::StatusOr<Manifest> ParseManifest(absl::string_view text,
                                       absl::string_view file) {
  const absl::StatusOr<Json> header = HeaderOf(text.substr(0, text.find('\n')));
  if (!header.ok()) return Annotate(header.status(), file);
  const absl::StatusOr<absl::string_view> body = CheckedBody(text);
  if (!body.ok()) return Annotate(body.status(), file);
  absl::StatusOr<Manifest> manifest = ParseBody(*body, *header);
  if (!manifest.ok()) return Annotate(manifest.status(), file);
  return manifest;
}

absl::Status CheckIsComplete(const Manifest& manifest) {
  for (const ManifestArray& array : manifest.arrays) {
    const auto found = static_cast<int64_t>(array.shards.size());
    if (found == ShardCount(array)) continue;
    return Wrong(absl::StrCat("array '", array.path.substr(0, 200),
                              "': expected ", ShardCount(array), " shards of ",
                              FormText(array.shard_shape), " for ",
                              FormText(array.shape), ", found ", found));
  }
  return absl::OkStatus();
}

absl::StatusOr<Manifest> MergeManifests(absl::Span<const Manifest> parts) {
  if (parts.empty()) return absl::InternalError("no manifest to merge");
  Manifest merged = parts[0];
  for (const Manifest& part : parts.subspan(1)) {
    if (part.arrays.size() != merged.arrays.size()) {
      return absl::InternalError("manifests of other arrays");
    }
    for (size_t i = 0; i < part.arrays.size(); ++i) {
      ManifestArray& array = merged.arrays[i];
      const ManifestArray& other = part.arrays[i];
      if (other.path != array.path || other.shape != array.shape ||
          other.shard_shape != array.shard_shape) {
        return absl::InternalError(
            absl::StrCat("manifests differ in array '", array.path, "'"));
      }
      array.shards.insert(array.shards.end(), other.shards.begin(),
                          other.shards.end());
    }
  }
  for (ManifestArray& array : merged.arrays) {
    std::sort(array.shards.begin(), array.shards.end(),
              [](const ManifestShard& a, const ManifestShard& b) {
                return a.starts < b.starts;
              });
  }
  return merged;
}

absl::StatusOr<Manifest> ReadManifest(const std::string& folder,
                                      std::string* text) {
  const std::string file = absl::StrCat(folder, "/", kManifestName);
  ASSIGN_OR_RETURN(std::string found, ReadRegularFile(file, kLargestManifest));
  ASSIGN_OR_RETURN(Manifest manifest, ParseManifest(found, file));
  const absl::Status complete = CheckIsComplete(manifest);
  if (!complete.ok()) return Annotate(complete, file);
  if (text != nullptr) *text = std::move(found);
  return manifest;
}

}  // namespace lockstep::internal
