#include "runtime/types/npy.h"

#include <cstring>

#include "runtime/base/status.h"
#include "runtime/types/npy_data.h"
#include "runtime/types/npy_header.h"

namespace lockstep {

using internal::FormatNpyHeader;
using internal::NpyHeader;
using internal::ParseNpyHeader;

absl::StatusOr<Literal> ParseNpy(absl::string_view bytes,
                                 std::optional<ElementType> opaque_type) {
  ASSIGN_OR_RETURN(const NpyHeader header, ParseNpyHeader(bytes, opaque_type));
  const absl::string_view data = bytes.substr(header.data_offset);
  return ReadNpyData(header, static_cast<int64_t>(data.size()),
                     [&](std::byte* target) {
                       std::memcpy(target, data.data(), data.size());
                       return absl::OkStatus();
                     });
}

std::string SerializeNpy(const LiteralView& literal) {
  std::string bytes = FormatNpyHeader(literal.shape());
  bytes.append(reinterpret_cast<const char*>(literal.bytes()),
               literal.shape().byte_size());
  return bytes;
}

}  // namespace lockstep
