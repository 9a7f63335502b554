#include "runtime/conformance/unsupported_reason.h"

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"

namespace lockstep::internal {
namespace {

// The rest of the word that begins after `marker`; "" when it is not there.
std::string WordAfter(absl::string_view text, absl::string_view marker) {
  const size_t at = text.find(marker);
  if (at == absl::string_view::npos) return "";
  text.remove_prefix(at + marker.size());
  return std::string(text.substr(0, text.find_first_of(" ,:;\"')")));
}

// "stablehlo.add" in "m.mlir:1:2: stablehlo.add: ..." and in "op stablehlo.add
// is not supported"; else "".
std::string OpIn(absl::string_view message) {
  for (absl::string_view piece : absl::StrSplit(message, ": ")) {
    if (absl::StartsWith(piece, "op ") &&
        absl::EndsWith(piece, " is not supported")) {
      return WordAfter(piece, "op ");
    }
    const size_t dot = piece.find('.');
    if (dot == absl::string_view::npos || dot == 0) continue;
    if (piece.find_first_of(" /:<>(\"") != absl::string_view::npos) continue;
    return std::string(piece);
  }
  return "";
}

// "i4" in "tensor<2x3xi4>" or "complex<i4>".
std::string ElementTypeIn(absl::string_view message) {
  const size_t begin = message.find("tensor<");
  if (begin == absl::string_view::npos) return "";
  absl::string_view type = message.substr(begin + 7);
  type = type.substr(0, type.find_first_of(">:"));
  while (true) {
    const size_t x = type.find('x');
    if (x == absl::string_view::npos) break;
    const absl::string_view size = type.substr(0, x);
    if (size.find_first_not_of("0123456789?") != absl::string_view::npos) break;
    type.remove_prefix(x + 1);
  }
  return std::string(type.substr(0, type.find(',')));
}

}  // namespace

UnsupportedReason ReasonOf(absl::string_view message) {
  UnsupportedReason found;
  found.op = OpIn(message);
  const auto reason = [&](std::string text) {
    found.reason = std::move(text);
    return found;
  };
  const std::string target = WordAfter(message, "no target @");
  if (!target.empty()) return reason("custom call " + target);
  if (absl::StrContains(message, "quant.") ||
      absl::StrContains(message, "uniform_") ||
      absl::StrContains(message, "quantized")) {
    return reason("quantized");
  }
  if (absl::StrContains(message, "dynamic dim") ||
      absl::StrContains(message, "dynamic size") ||
      absl::StrContains(message, "dynamic shape") ||
      absl::StrContains(message, "<?") || absl::StrContains(message, "x?")) {
    return reason("dynamic shape");
  }
  if (absl::StrContains(message, "dense_resource")) {
    return reason("dense_resource without data");
  }
  if (absl::StrContains(message, "element type")) {
    return reason(absl::StrCat("element type ", ElementTypeIn(message)));
  }
  if (absl::StrContains(message, "infeed")) {
    return reason("op stablehlo.infeed");
  }
  if (!found.op.empty()) return reason("op " + found.op);
  return reason("other");
}

}  // namespace lockstep::internal
