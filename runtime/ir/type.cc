#include "runtime/ir/type.h"

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "runtime/base/check.h"

namespace lockstep::internal {

Type Type::Token() {
  Type type;
  type.kind_ = Kind::kToken;
  return type;
}

Type Type::Tuple(std::vector<Type> elements) {
  Type type;
  type.kind_ = Kind::kTuple;
  type.elements_ = std::move(elements);
  return type;
}

std::string Type::ToString() const {
  switch (kind_) {
    case Kind::kTensor:
      return shape_.ToString();
    case Kind::kToken:
      return "!stablehlo.token";
    case Kind::kTuple:
      return absl::StrCat("tuple<",
                          absl::StrJoin(elements_, ", ",
                                        [](std::string* out, const Type& type) {
                                          out->append(type.ToString());
                                        }),
                          ">");
  }
  LOCKSTEP_CHECK(false);
  return "";
}

}  // namespace lockstep::internal
