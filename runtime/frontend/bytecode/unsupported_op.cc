#include "runtime/frontend/bytecode/unsupported_op.h"

#include <string>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"

namespace lockstep::internal {
namespace {

constexpr absl::string_view kDialectsOfPrograms[] = {"chlo.", "func.", "mhlo.",
                                                     "stablehlo."};

}  // namespace

absl::Status UnsupportedOp(const Location& location, absl::string_view name) {
  std::string text = absl::StrCat("op ", name, " is not supported");
  for (const absl::string_view dialect : kDialectsOfPrograms) {
    if (!absl::StartsWith(name, dialect)) continue;
    absl::StrAppend(&text,
                    ": expected portable bytecode, whose ops are of vhlo, as "
                    "StableHLO's serialize_portable_artifact and jax.export "
                    "write it, or the text of the module");
  }
  return ErrorAt(location, absl::StatusCode::kUnimplemented, text);
}

}  // namespace lockstep::internal
