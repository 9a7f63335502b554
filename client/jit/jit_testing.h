#ifndef LOCKSTEP_CLIENT_JIT_JIT_TESTING_H_
#define LOCKSTEP_CLIENT_JIT_JIT_TESTING_H_

// For tests of jit and shard_map: meshes of a view, arrays, texts.

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/ascii.h"
#include "client/arrays/array.h"
#include "client/arrays/view.h"
#include "runtime/mesh/mesh.h"

namespace lockstep {

inline Mesh MeshOf(const internal::View& view, std::vector<int64_t> dims,
                   std::vector<std::string> names) {
  std::vector<Device> devices = view.world().devices();
  return *Mesh::Create({std::move(dims), std::move(devices)}, std::move(names));
}

inline Mesh DataModel(const internal::View& view) {
  return MeshOf(view, {4, 2}, {"data", "model"});
}

inline Array Counting(const std::vector<int64_t>& dims) {
  int64_t size = 1;
  for (int64_t dim : dims) size *= dim;
  std::vector<float> values;
  for (int64_t i = 0; i < size; ++i) {
    values.push_back(static_cast<float>(i % 7) - 3);
  }
  return *Array::FromValues(dims, values);
}

inline std::vector<float> Floats(const absl::StatusOr<Array>& array) {
  if (!array.ok()) {
    ADD_FAILURE() << array.status();
    return {};
  }
  const auto values = array->ToVector<float>();
  if (!values.ok()) {
    ADD_FAILURE() << values.status();
    return {};
  }
  return *values;
}

// Every run of white space is one space.
inline std::string Collapsed(std::string text) {
  absl::RemoveExtraAsciiWhitespace(&text);
  for (char& c : text) {
    if (absl::ascii_isspace(c)) c = ' ';
  }
  return text;
}

}  // namespace lockstep

#endif  // LOCKSTEP_CLIENT_JIT_JIT_TESTING_H_
