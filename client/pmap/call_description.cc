#include "client/pmap/call_description.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "client/arrays/row_layout.h"
#include "runtime/base/status.h"

namespace lockstep::internal {
namespace {

bool IsMapped(const PmapOptions& options, const ArgumentLeafValue& leaf) {
  return !leaf.is_number && options.in_axes.AxisOf(leaf.argument).has_value();
}

std::string LeafText(const PmapOptions& options,
                     const ArgumentLeafValue& leaf) {
  const Shape& shape = leaf.value.shape();
  const MappedAxis axis = options.in_axes.AxisOf(leaf.argument);
  if (!IsMapped(options, leaf) || shape.rank() == 0) {
    return absl::StrCat(leaf.path, ": ", shape.ToString());
  }
  const int rank = static_cast<int>(shape.rank());
  const int dim = *axis < 0 ? *axis + rank : *axis;
  const bool is_there = dim >= 0 && dim < rank;
  return absl::StrCat(leaf.path, ": ",
                      (is_there ? RowShape(shape, dim) : shape).ToString());
}

uint64_t DigestOf(const std::string& text) {
  return XXH3_64bits(text.data(), text.size());
}

}  // namespace

CallDescription DescribeCall(const PmapOptions& options,
                             const SourceLocation& place,
                             const std::vector<ArgumentLeafValue>& leaves) {
  const std::string name = options.name.empty() ? "pmap" : options.name;
  std::string text = absl::StrCat(
      name, "(",
      absl::StrJoin(leaves, ", ",
                    [&](std::string* out, const auto& leaf) {
                      absl::StrAppend(out, LeafText(options, leaf));
                    }),
      ")");
  if (!options.axis_name.empty()) {
    absl::StrAppend(&text, " over '", options.axis_name, "'");
  }
  std::string compared = text;
  if (options.devices.has_value()) {
    const std::string devices = absl::StrJoin(
        *options.devices, ",", [](std::string* out, const Device& device) {
          absl::StrAppend(out, device.id.value());
        });
    absl::StrAppend(&text, " on devices ", devices);
    absl::StrAppend(&compared, " on ", devices);
  }
  if (!options.donate_argnums.empty()) {
    const std::string donated =
        absl::StrCat(" donating ", absl::StrJoin(options.donate_argnums, ", "));
    absl::StrAppend(&text, donated);
    absl::StrAppend(&compared, donated);
  }
  absl::StrAppend(&text, " at ", place.file_name(), ":", place.line());
  // Hosts may have been built in different folders.
  const absl::string_view file = place.file_name();
  absl::StrAppend(&compared, " at ", file.substr(file.rfind('/') + 1), ":",
                  place.line());
  return {DigestOf(compared), std::move(text)};
}

absl::StatusOr<CallDescription> WithReplicatedValues(
    CallDescription description, const PmapOptions& options,
    const std::vector<ArgumentLeafValue>& leaves) {
  std::string values;
  for (const ArgumentLeafValue& leaf : leaves) {
    if (IsMapped(options, leaf)) continue;
    const absl::StatusOr<Literal> value = leaf.value.Fetch();
    if (!value.ok()) {
      return Annotate(value.status(),
                      absl::StrCat(description.text, ": argument ", leaf.path));
    }
    const XXH128_hash_t digest = XXH3_128bits(
        value->bytes(), static_cast<size_t>(value->shape().byte_size()));
    absl::StrAppendFormat(&values, "%s%s = #%016x%016x",
                          values.empty() ? "" : ", ", leaf.path, digest.high64,
                          digest.low64);
  }
  if (values.empty()) return description;
  absl::StrAppend(&description.text, " with values ", values);
  description.digest ^= DigestOf(values);
  return description;
}

}  // namespace lockstep::internal
