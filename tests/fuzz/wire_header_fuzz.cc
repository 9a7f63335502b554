// Whatever the bytes: a header or INVALID_ARGUMENT. A header that was decoded
// is encoded and decoded again.
#include "runtime/base/check.h"
#include "runtime/collectives/hierarchical/wire_header.h"
#include "tests/fuzz/mutation_driver.h"

using lockstep::internal::DecodeWireHeader;
using lockstep::internal::EncodeWireHeader;
using lockstep::internal::WireHeader;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const absl::StatusOr<WireHeader> header = DecodeWireHeader(
      absl::string_view(reinterpret_cast<const char*>(data), size));
  if (!header.ok()) {
    LOCKSTEP_CHECK(header.status().code() ==
                   absl::StatusCode::kInvalidArgument);
    return 0;
  }
  const absl::StatusOr<WireHeader> again =
      DecodeWireHeader(EncodeWireHeader(*header));
  LOCKSTEP_CHECK(again.ok());
  LOCKSTEP_CHECK(again->call.description == header->call.description);
  LOCKSTEP_CHECK(again->payload_bytes == header->payload_bytes);
  LOCKSTEP_CHECK(again->status.code() == header->status.code());
  return 0;
}

FuzzSeeds MakeFuzzSeeds() {
  FuzzSeeds seeds;
  WireHeader header;
  header.call.description = "all_reduce #3 of launch 5";
  header.payload_bytes = 64;
  seeds.inputs.push_back(EncodeWireHeader(header));
  header.type = WireHeader::MessageType::kAbort;
  header.status = absl::AbortedError("host 3 is lost");
  header.status.SetPayload("lockstep/origin", absl::Cord("3 17 gpu03"));
  seeds.inputs.push_back(EncodeWireHeader(header));
  seeds.words = {"LKS1", std::string("\xff\xff\xff\xff", 4),
                 std::string(8, '\0'), std::string("\1\0\0\0", 4)};
  return seeds;
}
