#ifndef LOCKSTEP_TESTS_PMAP_PMAP_SETTING_H_
#define LOCKSTEP_TESTS_PMAP_PMAP_SETTING_H_

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "client/arrays/view.h"
#include "client/pmap/pmap.h"
#include "runtime/types/literal.h"

namespace lockstep::internal {

// Eight devices as a caller of pmap sees them: all of them, or those of one
// host of several. Cases are written on the rows of all devices; Rows and the
// checks take the caller's part. What does not hold is collected, so that a
// case runs in a test and in a host's program alike. For one thread.
class PmapSetting {
 public:
  static constexpr int kDevices = 8;

  // The caller is `host` of `hosts` and passes that part of the rows; of one
  // host: all rows. A null view: this process, by Initialize.
  PmapSetting(std::shared_ptr<View> view, int hosts, int host)
      : view_(std::move(view)), hosts_(hosts), host_(host) {}

  bool has_all_rows() const { return hosts_ == 1; }

  PmapOptions Options(absl::string_view axis_name = "i") const;
  // With these devices, by id.
  PmapOptions On(const std::vector<int>& ids,
                 absl::string_view axis_name = "i") const;

  // The caller's part of the rows along `dim`.
  Array Rows(const Literal& whole, int64_t dim = 0) const;

  // The same values, up to rounding, of the same type and shape.
  void ExpectRows(const absl::StatusOr<Array>& found, const Literal& whole,
                  int64_t dim = 0);
  void ExpectWhole(const absl::StatusOr<Array>& found, const Literal& expected);
  // The same type, shape and bits.
  void ExpectBits(const Array& found, const Literal& expected);
  // On the caller. The message names each of `names`.
  void ExpectError(const absl::Status& found, absl::StatusCode code,
                   const std::vector<std::string>& names);
  void Expect(bool holds, absl::string_view what);

  const std::vector<std::string>& failures() const { return failures_; }

 private:
  const std::shared_ptr<View> view_;
  const int hosts_;
  const int host_;
  std::vector<std::string> failures_;
};

// After a test of JAX's tests/pmap_test.py.
struct PmapCase {
  std::string name;
  std::function<void(PmapSetting&)> run;
};

std::vector<PmapCase> CollectiveCases();
std::vector<PmapCase> MappingCases();
std::vector<PmapCase> NestedCases();
std::vector<PmapCase> IdentityCases();
// All of them, in one order.
std::vector<PmapCase> AllPmapCases();

// Values by index.
template <typename T, typename F>
Literal Vector(int64_t size, F&& at) {
  Literal literal(Shape(ElementTypeOf<T>::value, {size}));
  for (int64_t i = 0; i < size; ++i) {
    literal.mutable_data<T>()[i] = static_cast<T>(at(i));
  }
  return literal;
}
template <typename T, typename F>
Literal Matrix(int64_t rows, int64_t columns, F&& at) {
  Literal literal(Shape(ElementTypeOf<T>::value, {rows, columns}));
  for (int64_t i = 0; i < rows; ++i) {
    for (int64_t j = 0; j < columns; ++j) {
      literal.mutable_data<T>()[i * columns + j] = static_cast<T>(at(i, j));
    }
  }
  return literal;
}
template <typename T, typename F>
Literal Cube(int64_t a, int64_t b, int64_t c, F&& at) {
  Literal literal(Shape(ElementTypeOf<T>::value, {a, b, c}));
  for (int64_t i = 0; i < a * b * c; ++i) {
    literal.mutable_data<T>()[i] =
        static_cast<T>(at(i / (b * c), i / c % b, i % c));
  }
  return literal;
}

}  // namespace lockstep::internal

#endif  // LOCKSTEP_TESTS_PMAP_PMAP_SETTING_H_
