#include "tests/robustness/hostile_text.h"

#include "absl/strings/str_cat.h"

namespace lockstep::internal {

std::string Repeated(int count, const std::function<std::string(int)>& f) {
  std::string all;
  for (int i = 0; i < count; ++i) absl::StrAppend(&all, f(i));
  return all;
}

std::string Repeated(int count, absl::string_view text) {
  return Repeated(count, [&](int) { return std::string(text); });
}

std::string Listed(int count, absl::string_view text) {
  return Repeated(
      count, [&](int i) { return absl::StrCat(i == 0 ? "" : ", ", text); });
}

std::string MainOnScalar(absl::string_view body) {
  return absl::StrCat(
      "func.func @main(%x: tensor<f32>, %p: tensor<i1>) -> tensor<f32> {\n",
      body, "\nreturn %r : tensor<f32>\n}\n");
}

}  // namespace lockstep::internal
