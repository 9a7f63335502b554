#include "runtime/collectives/hierarchical/wire_header.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <utility>
#include <vector>

#include "absl/strings/cord.h"
#include "absl/strings/str_cat.h"

static_assert(std::endian::native == std::endian::little,
              "headers are written as they lie in memory");

namespace lockstep::internal {
namespace {

constexpr uint32_t kMagic = 0x33534b4c;  // "LKS3"
// All fields of data but the texts.
constexpr size_t kMostFixedBytes = 192;
constexpr size_t kMaxDescriptionBytes = 512;
constexpr size_t kMaxMessageBytes = 2048;
constexpr size_t kMaxPayloads = 2;
constexpr size_t kMaxPayloadBytes = 256;

// Writer and Reader have the same methods, so that one function describes both
// directions.
class Writer {
 public:
  template <typename T>
  void Field(const T& value) {
    bytes_.append(reinterpret_cast<const char*>(&value), sizeof(T));
  }
  void Text(const std::string& text, size_t limit) {
    uint32_t size = static_cast<uint32_t>(std::min(text.size(), limit));
    Field(size);
    bytes_.append(text, 0, size);
  }
  bool ok() const { return true; }
  std::string Take() { return std::move(bytes_); }
  void Reserve(size_t bytes) { bytes_.reserve(bytes); }

 private:
  std::string bytes_;
};

class Reader {
 public:
  explicit Reader(absl::string_view bytes) : bytes_(bytes) {}
  template <typename T>
  void Field(T& value) {
    if (bytes_.size() < sizeof(T)) {
      ok_ = false;
      return;
    }
    std::memcpy(static_cast<void*>(&value), bytes_.data(), sizeof(T));
    bytes_.remove_prefix(sizeof(T));
  }
  void Text(std::string& text, size_t limit) {
    uint32_t size = 0;
    Field(size);
    if (size > limit || size > bytes_.size()) {
      ok_ = false;
      return;
    }
    text.assign(bytes_.data(), size);
    bytes_.remove_prefix(size);
  }
  bool ok() const { return ok_; }
  bool is_at_end() const { return bytes_.empty(); }

 private:
  absl::string_view bytes_;
  bool ok_ = true;
};

template <typename Codec, typename Header>
void CodeCall(Codec& codec, Header& header) {
  auto& call = header.call;
  codec.Field(header.type);
  codec.Field(header.source_incarnation);
  codec.Field(header.target_incarnation);
  codec.Field(header.device);
  codec.Field(call.epoch);
  codec.Field(call.launch_sequence);
  codec.Field(call.launch);
  for (auto& program : call.recent_programs) codec.Field(program);
  codec.Field(header.call_digest);
  codec.Field(call.number);
  codec.Field(call.digest);
  codec.Text(call.description, kMaxDescriptionBytes);
  codec.Text(header.call_text, kMaxDescriptionBytes);
}

template <typename Codec, typename Header>
void CodeData(Codec& codec, Header& header) {
  codec.Field(header.clique);
  codec.Field(header.kind);
  codec.Field(header.index);
  codec.Field(header.layout);
  codec.Field(header.payload_bytes);
}

void EncodeStatus(Writer& writer, const absl::Status& status) {
  writer.Field(static_cast<int32_t>(status.code()));
  writer.Text(std::string(status.message()), kMaxMessageBytes);
  std::vector<std::pair<std::string, std::string>> payloads;
  status.ForEachPayload([&](absl::string_view url, const absl::Cord& value) {
    if (payloads.size() < kMaxPayloads && url.size() <= kMaxPayloadBytes &&
        value.size() <= kMaxPayloadBytes) {
      payloads.emplace_back(url, value);
    }
  });
  writer.Field(static_cast<uint32_t>(payloads.size()));
  for (const auto& [url, value] : payloads) {
    writer.Text(url, kMaxPayloadBytes);
    writer.Text(value, kMaxPayloadBytes);
  }
}

absl::Status DecodeStatus(Reader& reader) {
  int32_t code = 0;
  std::string message;
  reader.Field(code);
  reader.Text(message, kMaxMessageBytes);
  absl::Status status(static_cast<absl::StatusCode>(code), message);
  uint32_t payloads = 0;
  reader.Field(payloads);
  for (uint32_t i = 0; i < payloads && reader.ok(); ++i) {
    std::string url, value;
    reader.Text(url, kMaxPayloadBytes);
    reader.Text(value, kMaxPayloadBytes);
    status.SetPayload(url, absl::Cord(value));
  }
  return status;
}

}  // namespace

std::string EncodeWireHeader(const WireHeader& header) {
  Writer writer;
  writer.Reserve(kMostFixedBytes + header.call.description.size() +
                 header.call_text.size());
  writer.Field(kMagic);
  CodeCall(writer, header);
  if (header.type == WireHeader::MessageType::kData) {
    CodeData(writer, header);
  } else {
    EncodeStatus(writer, header.status);
  }
  return writer.Take();
}

absl::StatusOr<WireHeader> DecodeWireHeader(absl::string_view bytes) {
  Reader reader(bytes);
  uint32_t magic = 0;
  reader.Field(magic);
  if (!reader.ok() || magic != kMagic) {
    return absl::InvalidArgumentError(
        absl::StrCat("message header of ", bytes.size(),
                     " bytes has magic number ", magic, ", expected ", kMagic));
  }
  WireHeader header;
  CodeCall(reader, header);
  if (header.type == WireHeader::MessageType::kData) {
    CodeData(reader, header);
  } else if (header.type == WireHeader::MessageType::kAbort) {
    header.status = DecodeStatus(reader);
  } else {
    return absl::InvalidArgumentError(absl::StrCat(
        "message header has unknown type ", static_cast<int>(header.type)));
  }
  if (!reader.ok() || !reader.is_at_end()) {
    return absl::InvalidArgumentError(
        absl::StrCat("message header of ", bytes.size(), " bytes is ",
                     reader.ok() ? "longer" : "shorter", " than its fields"));
  }
  if (header.type == WireHeader::MessageType::kAbort && header.status.ok()) {
    return absl::InvalidArgumentError("abort message carries no error");
  }
  return header;
}

}  // namespace lockstep::internal
