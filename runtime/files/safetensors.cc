#include "runtime/files/safetensors.h"

#include <algorithm>
#include <cstring>
#include <nlohmann/json.hpp>
#include <set>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "runtime/base/status.h"
#include "runtime/files/durable_file.h"
#include "runtime/files/zip_format.h"
#include "runtime/types/canonical_elements.h"
#include "runtime/types/shape.h"

namespace lockstep {

using internal::Annotate;
using internal::AppendNumber;
using internal::CanonicalizeElements;
using internal::DurableFile;
using internal::NumberAt;
using internal::RegularFile;
using Json = nlohmann::json;

namespace {

constexpr int64_t kLengthSize = 8;
// The format's own limit.
// Runs of a part that are read by way of a window, in bytes.
constexpr int64_t kShortRun = int64_t{64} << 10;
constexpr int64_t kShortStride = int64_t{64} << 10;
constexpr int64_t kWindow = int64_t{1} << 20;
constexpr int64_t kLongestHeader = 100'000'000;
// Of values in the header that mean something.
constexpr int kDeepest = 4;
constexpr char kMetadata[] = "__metadata__";

struct Dtype {
  absl::string_view name;
  ElementType type;
};
constexpr Dtype kDtypes[] = {
    {"BOOL", ElementType::kPred},
    {"U8", ElementType::kU8},
    {"I8", ElementType::kS8},
    {"F8_E5M2", ElementType::kF8E5M2},
    {"F8_E4M3", ElementType::kF8E4M3FN},
    {"F8_E5M2FNUZ", ElementType::kF8E5M2FNUZ},
    {"F8_E4M3FNUZ", ElementType::kF8E4M3FNUZ},
    {"F8_E8M0", ElementType::kF8E8M0FNU},
    {"I16", ElementType::kS16},
    {"U16", ElementType::kU16},
    {"F16", ElementType::kF16},
    {"BF16", ElementType::kBF16},
    {"I32", ElementType::kS32},
    {"U32", ElementType::kU32},
    {"F32", ElementType::kF32},
    {"C64", ElementType::kC64},
    {"F64", ElementType::kF64},
    {"I64", ElementType::kS64},
    {"U64", ElementType::kU64},
};
constexpr absl::string_view kPackedDtypes[] = {"F4", "F6_E2M3", "F6_E3M2"};

absl::StatusOr<ElementType> TypeOf(absl::string_view name) {
  for (const Dtype& dtype : kDtypes) {
    if (dtype.name == name) return dtype.type;
  }
  for (const absl::string_view packed : kPackedDtypes) {
    if (packed == name) {
      return absl::UnimplementedError(
          absl::StrCat("elements of type ", name, " are not supported"));
    }
  }
  return absl::InvalidArgumentError(absl::StrCat(
      "expected a dtype such as \"F32\", found \"", name.substr(0, 40), "\""));
}

absl::StatusOr<absl::string_view> DtypeOf(ElementType type) {
  for (const Dtype& dtype : kDtypes) {
    if (dtype.type == type) return dtype.name;
  }
  return absl::UnimplementedError(absl::StrCat(
      "safetensors: elements of ", NumpyName(type), " are not supported"));
}

bool IsIndex(const Json& value) {
  return value.is_number_unsigned() &&
         value.get<uint64_t>() <= uint64_t{INT64_MAX};
}

// {"dtype": "F32", "shape": [2, 3], "data_offsets": [0, 24]}
absl::StatusOr<SafetensorsFile::Entry> EntryOf(const Json& value,
                                               int64_t data_begin,
                                               int64_t data_size) {
  const auto expected = [](absl::string_view what) {
    return absl::InvalidArgumentError(absl::StrCat("expected ", what));
  };
  if (!value.is_object() || value.size() != 3 || !value.contains("dtype") ||
      !value.contains("shape") || !value.contains("data_offsets")) {
    return expected("\"dtype\", \"shape\" and \"data_offsets\"");
  }
  const Json& dtype = value["dtype"];
  if (!dtype.is_string()) return expected("a string as \"dtype\"");
  ASSIGN_OR_RETURN(const ElementType type,
                   TypeOf(dtype.get_ref<const std::string&>()));
  const Json& sizes = value["shape"];
  if (!sizes.is_array() || !std::all_of(sizes.begin(), sizes.end(), IsIndex)) {
    return expected("a list of sizes as \"shape\"");
  }
  ASSIGN_OR_RETURN(const Shape shape,
                   Shape::Create(type, sizes.get<std::vector<int64_t>>()));
  const Json& offsets = value["data_offsets"];
  if (!offsets.is_array() || offsets.size() != 2 ||
      !std::all_of(offsets.begin(), offsets.end(), IsIndex)) {
    return expected("two numbers as \"data_offsets\"");
  }
  const auto begin = offsets[0].get<int64_t>();
  const auto end = offsets[1].get<int64_t>();
  if (begin > end || end > data_size) {
    return expected(absl::StrCat("data within the ", data_size,
                                 " bytes behind the header, found ", begin,
                                 " to ", end));
  }
  if (end - begin != shape.byte_size()) {
    return expected(absl::StrCat(shape.byte_size(), " bytes for ",
                                 shape.ToString(), ", found ", end - begin));
  }
  return SafetensorsFile::Entry{shape, data_begin + begin};
}

// Null: no JSON, or `duplicate` is a name that it has twice. The parser alone
// would take the last.
Json ParseUnique(absl::string_view text, std::string* duplicate) {
  std::vector<std::set<std::string>> names;
  return Json::parse(
      text.begin(), text.end(),
      [&](int depth, Json::parse_event_t event, Json& parsed) {
        if (depth > kDeepest) return false;
        const auto level = static_cast<size_t>(depth);
        if (event == Json::parse_event_t::object_start) {
          if (names.size() <= level) names.resize(level + 1);
          names[level].clear();
        }
        if (event == Json::parse_event_t::key &&
            !names[level - 1].insert(parsed.get<std::string>()).second) {
          *duplicate = parsed.get<std::string>();
        }
        return true;
      },
      /*allow_exceptions=*/false);
}

// As the file has them: larger elements first, so that all are aligned.
std::vector<std::pair<std::string, LiteralView>> InOrder(
    const std::map<std::string, LiteralView>& tensors) {
  std::vector<std::pair<std::string, LiteralView>> ordered(tensors.begin(),
                                                           tensors.end());
  std::stable_sort(ordered.begin(), ordered.end(),
                   [](const auto& a, const auto& b) {
                     return ByteSize(a.second.shape().element_type()) >
                            ByteSize(b.second.shape().element_type());
                   });
  return ordered;
}

absl::StatusOr<std::string> FormatHeader(
    absl::Span<const std::pair<std::string, LiteralView>> tensors,
    const std::map<std::string, std::string>& metadata) {
  nlohmann::ordered_json header = nlohmann::ordered_json::object();
  if (!metadata.empty()) header[kMetadata] = metadata;
  int64_t offset = 0;
  for (const auto& [name, tensor] : tensors) {
    if (name == kMetadata) {
      return absl::InvalidArgumentError(
          absl::StrCat("safetensors: a tensor cannot be named ", name));
    }
    const Shape& shape = tensor.shape();
    ASSIGN_OR_RETURN(const absl::string_view dtype,
                     DtypeOf(shape.element_type()));
    const int64_t end = offset + shape.byte_size();
    header[name] = {{"dtype", std::string(dtype)},
                    {"shape", std::vector<int64_t>(shape.dims().begin(),
                                                   shape.dims().end())},
                    {"data_offsets", {offset, end}}};
    offset = end;
  }
  try {
    std::string text = header.dump();
    while (text.size() % kLengthSize != 0) text.push_back(' ');
    return text;
  } catch (const nlohmann::json::type_error& error) {
    return absl::InvalidArgumentError(
        absl::StrCat("safetensors: a name is no UTF-8: ", error.what()));
  }
}

}  // namespace

absl::Status SafetensorsFile::Wrong(absl::string_view what) const {
  return absl::InvalidArgumentError(
      absl::StrCat(path_, ": safetensors: ", what));
}

absl::StatusOr<SafetensorsFile> SafetensorsFile::Open(const std::string& path) {
  ASSIGN_OR_RETURN(RegularFile opened, RegularFile::Open(path));
  SafetensorsFile file(path, std::move(opened));
  const int64_t size = file.file_.size();
  if (size < kLengthSize) {
    return file.Wrong(absl::StrCat("expected at least 8 bytes, found ", size));
  }
  std::string bytes(kLengthSize, '\0');
  RETURN_IF_ERROR(file.file_.ReadAt(
      0, reinterpret_cast<std::byte*>(bytes.data()), kLengthSize));
  const auto length = NumberAt<uint64_t>(bytes, 0);
  const int64_t most = std::min(kLongestHeader, size - kLengthSize);
  if (length > static_cast<uint64_t>(most)) {
    return file.Wrong(absl::StrCat("expected a header of at most ", most,
                                   " bytes, found ", length));
  }
  std::string text(length, '\0');
  RETURN_IF_ERROR(file.file_.ReadAt(kLengthSize,
                                    reinterpret_cast<std::byte*>(text.data()),
                                    static_cast<int64_t>(length)));
  const int64_t data_begin = kLengthSize + static_cast<int64_t>(length);
  RETURN_IF_ERROR(file.ParseHeader(text, data_begin));
  RETURN_IF_ERROR(file.CheckOffsets(data_begin));
  return file;
}

absl::Status SafetensorsFile::ParseHeader(absl::string_view text,
                                          int64_t data_begin) {
  std::string duplicate;
  const Json header = ParseUnique(text, &duplicate);
  if (text.substr(0, 1) != "{" || !header.is_object()) {
    return Wrong("expected a header in JSON that begins with '{'");
  }
  if (!duplicate.empty()) {
    return Wrong(absl::StrCat("expected every name once, found \"", duplicate,
                              "\" twice"));
  }
  for (const auto& [name, value] : header.items()) {
    if (name == kMetadata) {
      for (const auto& [key, word] : value.items()) {
        if (!value.is_object() || !word.is_string()) {
          return Wrong("expected strings in \"__metadata__\"");
        }
        metadata_[key] = word.get<std::string>();
      }
      continue;
    }
    absl::StatusOr<Entry> tensor =
        EntryOf(value, data_begin, file_.size() - data_begin);
    if (!tensor.ok()) {
      return Annotate(tensor.status(),
                      absl::StrCat(path_, ": safetensors: \"", name, "\""));
    }
    tensors_.emplace(name, *std::move(tensor));
  }
  return absl::OkStatus();
}

// The format asks for it: no byte is of two tensors, or of none.
absl::Status SafetensorsFile::CheckOffsets(int64_t data_begin) const {
  std::vector<const std::pair<const std::string, Entry>*> sorted;
  for (const auto& tensor : tensors_) sorted.push_back(&tensor);
  std::sort(sorted.begin(), sorted.end(), [](const auto* a, const auto* b) {
    const int64_t a_size = a->second.shape.byte_size();
    const int64_t b_size = b->second.shape.byte_size();
    return std::pair(a->second.offset, a_size) <
           std::pair(b->second.offset, b_size);
  });
  int64_t end = data_begin;
  for (const auto* named : sorted) {
    const auto& [name, tensor] = *named;
    if (tensor.offset != end) {
      return Wrong(absl::StrCat("\"", name, "\": expected its data at ",
                                end - data_begin,
                                ", where that before ends, "
                                "found it at ",
                                tensor.offset - data_begin));
    }
    end += tensor.shape.byte_size();
  }
  if (end == file_.size()) return absl::OkStatus();
  return Wrong(absl::StrCat("expected ", end - data_begin,
                            " bytes behind the header, found ",
                            file_.size() - data_begin));
}

absl::StatusOr<const SafetensorsFile::Entry*> SafetensorsFile::Find(
    absl::string_view name) const {
  const auto it = tensors_.find(name);
  if (it != tensors_.end()) return &it->second;
  return absl::NotFoundError(
      absl::StrCat(path_, ": safetensors: no tensor \"", name, "\""));
}

absl::StatusOr<Literal> SafetensorsFile::Read(absl::string_view name) const {
  ASSIGN_OR_RETURN(const Entry* const entry, Find(name));
  ASSIGN_OR_RETURN(Literal tensor, Literal::Allocate(entry->shape));
  RETURN_IF_ERROR(file_.ReadAt(entry->offset, tensor.mutable_bytes(),
                               tensor.shape().byte_size()));
  CanonicalizeElements(tensor.mutable_view());
  return tensor;
}

absl::StatusOr<Literal> SafetensorsFile::ReadBox(
    absl::string_view name, const internal::Box& box) const {
  ASSIGN_OR_RETURN(const Entry* const entry, Find(name));
  const absl::Span<const int64_t> dims = entry->shape.dims();
  ASSIGN_OR_RETURN(Literal part, Literal::Allocate(Shape(
                                     entry->shape.element_type(), box.sizes)));
  // What follows each other in the file: the trailing dimensions that the box
  // has whole, and a part of the one before.
  size_t outer = dims.size();
  int64_t run = ByteSize(entry->shape.element_type());
  bool is_whole = true;
  while (outer > 0 && is_whole) {
    --outer;
    run *= box.sizes[outer];
    is_whole = box.sizes[outer] == dims[outer];
  }
  std::byte* to = part.mutable_bytes();
  const std::byte* const end = to + part.shape().byte_size();
  const int64_t element = ByteSize(entry->shape.element_type());
  // From one run to the next, mostly: the dimensions inside of `outer`.
  int64_t stride = element;
  for (size_t dim = outer; dim < dims.size(); ++dim) stride *= dims[dim];
  // What lies between short runs costs less than a call for each.
  std::string window;
  int64_t window_begin = 0;
  std::vector<int64_t> index(box.starts.begin(), box.starts.end());
  while (to < end) {
    int64_t position = 0;
    for (size_t dim = 0; dim < dims.size(); ++dim) {
      position = position * dims[dim] + index[dim];
    }
    position *= element;
    if (run < kShortRun && stride <= kShortStride) {
      if (position < window_begin ||
          position + run > window_begin + static_cast<int64_t>(window.size())) {
        window_begin = position;
        window.resize(static_cast<size_t>(
            std::min(kWindow, entry->shape.byte_size() - position)));
        RETURN_IF_ERROR(
            file_.ReadAt(entry->offset + window_begin,
                         reinterpret_cast<std::byte*>(window.data()),
                         static_cast<int64_t>(window.size())));
      }
      std::memcpy(to, window.data() + (position - window_begin),
                  static_cast<size_t>(run));
    } else {
      RETURN_IF_ERROR(file_.ReadAt(entry->offset + position, to, run));
    }
    to += run;
    for (size_t dim = outer; dim-- > 0;) {
      if (++index[dim] < box.starts[dim] + box.sizes[dim]) break;
      index[dim] = box.starts[dim];
    }
  }
  CanonicalizeElements(part.mutable_view());
  return part;
}

absl::StatusOr<std::map<std::string, Literal>> ReadSafetensorsFile(
    const std::string& path) {
  ASSIGN_OR_RETURN(const SafetensorsFile file, SafetensorsFile::Open(path));
  std::map<std::string, Literal> tensors;
  for (const auto& [name, tensor] : file.tensors()) {
    ASSIGN_OR_RETURN(Literal value, file.Read(name));
    tensors.emplace(name, std::move(value));
  }
  return tensors;
}

absl::Status WriteSafetensorsFile(
    const std::string& path, const std::map<std::string, LiteralView>& tensors,
    const std::map<std::string, std::string>& metadata) {
  const auto ordered = InOrder(tensors);
  const absl::StatusOr<std::string> header = FormatHeader(ordered, metadata);
  if (!header.ok()) return Annotate(header.status(), path);
  std::string length;
  AppendNumber<uint64_t>(header->size(), &length);
  ASSIGN_OR_RETURN(DurableFile file, DurableFile::Create(path));
  RETURN_IF_ERROR(file.Write(length));
  RETURN_IF_ERROR(file.Write(*header));
  for (const auto& [name, tensor] : ordered) {
    RETURN_IF_ERROR(file.Write(tensor.byte_span()));
  }
  return file.Commit();
}

}  // namespace lockstep
