#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "client/tracer/ops.h"
#include "runtime/types/convert.h"
#include "tests/pmap/pmap_setting.h"

namespace lockstep::internal {
namespace {

constexpr int kN = PmapSetting::kDevices;
constexpr auto kInvalid = absl::StatusCode::kInvalidArgument;

Literal Iota() {
  return Vector<float>(kN, [](int64_t r) { return r; });
}

void MismatchedAxisSizes(PmapSetting& s) {
  auto f = pmap([](Tensor x, Tensor y) { return x + y; }, s.Options());
  const auto status = f(s.Rows(Iota()), Array({1.f, 2.f, 3.f})).status();
  s.ExpectError(status, kInvalid, {"leading size 3"});
}

void AxesMustBeAsManyAsArguments(PmapSetting& s) {
  PmapOptions options = s.Options();
  options.in_axes = {0, 0, 0};
  auto f = pmap([](Tensor x, Tensor y) { return x + y; }, options);
  s.ExpectError(f(s.Rows(Iota()), s.Rows(Iota())).status(), kInvalid,
                {"in_axes has 3 entries, expected 2"});
  options = s.Options();
  options.out_axes = {0, 0, 0};
  auto g = pmap([](Tensor x) { return std::pair(x, x); }, options);
  s.ExpectError(g(s.Rows(Iota())).status(), kInvalid,
                {"out_axes has 3 entries, expected 2"});
}

void PartiallyMapped(PmapSetting& s) {
  PmapOptions options = s.Options();
  options.in_axes = {std::nullopt, 0};
  auto f = pmap([](Tensor x, Tensor y) { return x; }, options);
  auto g = pmap([](Tensor x, Tensor y) { return x - psum(y, "i"); }, options);
  const Array x(Literal::Scalar(3.f));
  const Array y = s.Rows(Iota());
  s.ExpectRows(f(x, y), Vector<float>(kN, [](int64_t) { return 3; }));
  s.ExpectRows(g(x, y), Vector<float>(kN, [](int64_t) { return 3 - 28; }));
}

void DeviceCountError(PmapSetting& s) {
  if (!s.has_all_rows()) return;
  auto f = pmap([](Tensor x) { return 2 * x; }, s.Options());
  s.ExpectError(f(Vector<float>(kN + 1, [](int64_t r) { return r; })).status(),
                kInvalid, {"9", "8"});
}

void WrongNumberOfRowsOfAHost(PmapSetting& s) {
  if (s.has_all_rows()) return;
  auto f = pmap([](Tensor x) { return 2 * x; }, s.Options());
  const Literal rows = Vector<float>(kN - 1, [](int64_t r) { return r; });
  s.ExpectError(f(rows).status(), kInvalid, {"7", "4"});
  auto constant = pmap([](Tensor x) { return 3; }, s.Options());
  s.ExpectError(
      constant(Vector<float>(100, [](int64_t r) { return r; })).status(),
      kInvalid, {"100", "4"});
}

void ConstantsOfTheProgram(PmapSetting& s) {
  auto f = pmap([](Tensor x) { return x + 15; }, s.Options());
  s.ExpectRows(f(s.Rows(Vector<int32_t>(kN, [](int64_t r) { return r; }))),
               Vector<int32_t>(kN, [](int64_t r) { return r + 15; }));
}

// J-5.
void ConstantResults(PmapSetting& s) {
  auto f = pmap([](Tensor x) { return 3; }, s.Options());
  s.ExpectRows(f(s.Rows(Iota())),
               Vector<int32_t>(kN, [](int64_t) { return 3; }));
  auto both = pmap([](Tensor x) { return std::pair(x, 2.5); }, s.Options());
  const auto y = both(s.Rows(Iota()));
  if (!y.ok()) return s.ExpectError(y.status(), absl::StatusCode::kOk, {});
  s.ExpectRows(y->second, Vector<float>(kN, [](int64_t) { return 2.5f; }));
  if (!s.has_all_rows()) return;
  s.ExpectWhole(f(Vector<float>(100, [](int64_t r) { return r; })),
                Vector<int32_t>(100, [](int64_t) { return 3; }));
}

void ConstantResultOnDevices(PmapSetting& s) {
  auto f = pmap([](Tensor x) { return 3; }, s.On({7, 5, 1, 0, 2, 6}));
  const Literal rows = Vector<float>(6, [](int64_t r) { return r; });
  s.ExpectRows(f(s.Rows(rows)), Vector<int32_t>(6, [](int64_t) { return 3; }));
}

void ConstantCollective(PmapSetting& s) {
  auto f = pmap([](Tensor x) { return psum(1, "i"); }, s.Options());
  s.ExpectRows(f(s.Rows(Iota())),
               Vector<int32_t>(kN, [](int64_t) { return kN; }));
}

void ManyArguments(PmapSetting& s) {
  auto f = pmap(
      [](std::vector<Tensor> x) {
        Tensor total = x[0];
        for (size_t i = 1; i < x.size(); ++i) total += x[i];
        return total;
      },
      s.Options());
  s.ExpectRows(f(std::vector<Array>(500, s.Rows(Iota()))),
               Vector<float>(kN, [](int64_t r) { return 500 * r; }));
}

// The numbers from `first` on, as far as the type has them.
Literal NumbersOf(ElementType type, int64_t first, int64_t count) {
  Literal numbers(Shape(type, {count}));
  ConvertElements(Vector<double>(count, [&](int64_t i) { return first + i; }),
                  numbers.mutable_view());
  return numbers;
}

// The same bits of every type: to devices and back, mapped and not, and from
// device to device.
void Types(PmapSetting& s) {
  PmapOptions options = s.Options();
  options.in_axes = {0, std::nullopt};
  options.out_axes = {0, 0, std::nullopt};
  auto f = pmap(
      [](Tensor x, Tensor whole) {
        std::vector<std::pair<int64_t, int64_t>> around;
        for (int64_t r = 0; r < kN; ++r) around.emplace_back(r, (r + 1) % kN);
        return std::tuple(x, ppermute(x, "i", around), whole);
      },
      options);
  for (uint32_t n = 1; ElementTypeFromNumber(n).ok(); ++n) {
    const ElementType type = *ElementTypeFromNumber(n);
    const Literal x = NumbersOf(type, 0, kN), whole = NumbersOf(type, 1, 3);
    const auto y = f(s.Rows(x), whole);
    if (!y.ok()) {
      s.ExpectError(y.status(), absl::StatusCode::kOk, {});
      continue;
    }
    Literal moved(x.shape());
    const int64_t size = ByteSize(type);
    std::rotate_copy(x.bytes(), x.bytes() + (kN - 1) * size,
                     x.bytes() + kN * size, moved.mutable_bytes());
    const auto& [same, permuted, unmapped] = *y;
    s.ExpectBits(same, *s.Rows(x).Fetch());
    s.ExpectBits(permuted, *s.Rows(moved).Fetch());
    s.ExpectBits(unmapped, whole);
  }
}

void BranchOnTheIndex(PmapSetting& s) {
  auto f = pmap(
      [](Tensor x) {
        const Tensor first = axis_index("i") == 0;
        return cond(
            first, [&] { return TensorList{x + 100}; },
            [&] { return TensorList{x * 2}; })[0];
      },
      s.Options());
  s.ExpectRows(f(s.Rows(Iota())), Vector<float>(kN, [](int64_t r) {
                 return r == 0 ? 100 : 2 * r;
               }));
}

void AllDevices(PmapSetting& s) {
  auto f = pmap([](Tensor x) { return x - psum(x, "i"); },
                s.On({0, 1, 2, 3, 4, 5, 6, 7}));
  s.ExpectRows(f(s.Rows(Iota())),
               Vector<float>(kN, [](int64_t r) { return r - 28; }));
}

void SomeDevicesInAnyOrder(PmapSetting& s) {
  auto f = pmap([](Tensor x) { return x + 10 * axis_index("i"); },
                s.On({3, 0, 7, 5}));
  const Literal x = Vector<int32_t>(4, [](int64_t r) { return r; });
  s.ExpectRows(f(s.Rows(x)),
               Vector<int32_t>(4, [](int64_t r) { return 11 * r; }));
}

void OneDevice(PmapSetting& s) {
  if (!s.has_all_rows()) return;
  const Literal x = Cube<float>(
      1, 20, 20, [](int64_t, int64_t a, int64_t b) { return (a + 2 * b) % 5; });
  const auto square = [](Tensor m) { return dot(m, transpose(m)); };
  const auto first = pmap(square, s.On({0}))(x);
  const auto second = pmap(square, s.On({1}))(x);
  if (!first.ok()) {
    return s.ExpectError(first.status(), absl::StatusCode::kOk, {});
  }
  s.ExpectWhole(second, *first->Fetch());
}

void NoDevices(PmapSetting& s) {
  auto f = pmap([](Tensor x) { return psum(x, "i"); }, s.On({}));
  s.ExpectError(f(s.Rows(Iota())).status(), kInvalid, {"devices"});
}

void RowsThatDoNotFitTheDevices(PmapSetting& s) {
  auto f = pmap([](Tensor x) { return psum(x, "i"); },
                s.On({0, 1, 2, 3, 4, 5, 6, 7}));
  s.ExpectError(f(Array({1.f})).status(), kInvalid,
                {"axis size 1", s.has_all_rows() ? "8 devices" : "4 devices"});
  s.ExpectError(f(Vector<float>(kN + 1, [](int64_t r) { return r; })).status(),
                kInvalid, {"axis size 9"});
}

void AxesOfArguments(PmapSetting& s) {
  PmapOptions options = s.Options();
  options.in_axes = {1, 2};
  auto f = pmap([](Tensor x, Tensor y) { return tanh(x + y); }, options);
  const auto x = [](int64_t a, int64_t d, int64_t b) {
    return .01 * (32 * a + 4 * d + b);
  };
  const auto y = [](int64_t a, int64_t b, int64_t d) {
    return .01 * (32 * a + 8 * b + d);
  };
  s.ExpectRows(f(s.Rows(Cube<float>(2, kN, 4, x), 1),
                 s.Rows(Cube<float>(2, 4, kN, y), 2)),
               Cube<float>(kN, 2, 4, [&](int64_t d, int64_t a, int64_t b) {
                 return std::tanh(x(a, d, b) + y(a, b, d));
               }));
}

void AxesOfResults(PmapSetting& s) {
  PmapOptions options = s.Options();
  options.in_axes = {1, std::nullopt};
  options.out_axes = {2, std::nullopt};
  auto f =
      pmap([](Tensor x, Tensor y) { return std::pair(x + y, y * 2); }, options);
  const auto x = [](int64_t a, int64_t d, int64_t b) {
    return 32 * a + 4 * d + b;
  };
  const auto y = [](int64_t a, int64_t b) { return 4 * a + b; };
  const auto result =
      f(s.Rows(Cube<float>(2, kN, 4, x), 1), Matrix<float>(2, 4, y));
  if (!result.ok()) {
    return s.ExpectError(result.status(), absl::StatusCode::kOk, {});
  }
  s.ExpectRows(result->first,
               Cube<float>(2, 4, kN,
                           [&](int64_t a, int64_t b, int64_t d) {
                             return x(a, d, b) + y(a, b);
                           }),
               2);
  s.ExpectWhole(result->second, Matrix<float>(2, 4, [&](int64_t a, int64_t b) {
                  return 2 * y(a, b);
                }));
}

void ResultsInAMap(PmapSetting& s) {
  auto f = pmap(
      [](Tensor x) {
        return std::map<std::string, Tensor>{{"a", x}, {"b", x * 2}};
      },
      s.Options());
  const auto y = f(s.Rows(Iota()));
  if (!y.ok()) return s.ExpectError(y.status(), absl::StatusCode::kOk, {});
  s.ExpectRows(y->at("a"), Iota());
  s.ExpectRows(y->at("b"), Vector<float>(kN, [](int64_t r) { return 2 * r; }));
}

// Results on devices are arguments of the next call, of the same map and of
// others, with other axes and on other devices.
void ResultsAsArguments(PmapSetting& s) {
  auto twice = pmap([](Tensor x) { return x * 2; }, s.Options());
  absl::StatusOr<Array> x = twice(s.Rows(Iota()));
  if (x.ok()) x = twice(*x);
  s.ExpectRows(x, Vector<float>(kN, [](int64_t r) { return 4 * r; }));
  if (!x.ok()) return;
  auto reversed = pmap([](Tensor v) { return v + axis_index("i"); },
                       s.On({3, 2, 1, 0, 7, 6, 5, 4}));
  s.ExpectRows(reversed(*x),
               Vector<float>(kN, [](int64_t r) { return 5 * r; }));
  PmapOptions options = s.Options();
  options.out_axes = 1;
  auto stack = pmap([](Tensor v) { return v + arange(2); }, options);
  const auto y = stack(*x);
  if (!y.ok()) return s.ExpectError(y.status(), absl::StatusCode::kOk, {});
  s.ExpectRows(
      y, Matrix<float>(2, kN, [](int64_t a, int64_t d) { return 4 * d + a; }),
      1);
  options.in_axes = 1;
  options.out_axes = 0;
  auto unstack = pmap([](Tensor v) { return sum(v); }, options);
  s.ExpectRows(unstack(*y),
               Vector<float>(kN, [](int64_t r) { return 8 * r + 1; }));
}

// The same leaves in other containers are another program.
void FormsOfArguments(PmapSetting& s) {
  auto f = pmap([](auto x) { return x; }, s.Options());
  const Array a = s.Rows(Iota());
  const Array b = s.Rows(Vector<float>(kN, [](int64_t r) { return -r; }));
  const Literal second = Vector<float>(kN, [](int64_t r) { return -r; });
  const auto list = f(std::vector<Array>{a, b});
  const auto pair = f(std::pair(a, b));
  const auto map = f(std::map<std::string, Array>{{"0", a}, {"1", b}});
  s.Expect(list.ok() && pair.ok() && map.ok(), "three forms");
  if (!list.ok() || !pair.ok() || !map.ok()) return;
  s.ExpectRows(list->at(1), second);
  s.ExpectRows(pair->second, second);
  s.ExpectRows(map->at("1"), second);
}

void NumbersAsArguments(PmapSetting& s) {
  auto f = pmap([](Tensor x, Tensor a) { return x * a; }, s.Options());
  s.ExpectRows(f(s.Rows(Iota()), 2.0),
               Vector<float>(kN, [](int64_t r) { return 2 * r; }));
  s.ExpectRows(f(s.Rows(Iota()), 3),
               Vector<float>(kN, [](int64_t r) { return 3 * r; }));
  s.ExpectRows(
      f(s.Rows(Vector<BF16>(kN, [](int64_t r) { return BF16(1.f * r); })), 2.0),
      Vector<BF16>(kN, [](int64_t r) { return BF16(2.f * r); }));
  s.ExpectRows(f(s.Rows(Vector<int32_t>(kN, [](int64_t r) { return r; })), .5),
               Vector<float>(kN, [](int64_t r) { return .5f * r; }));
}

void Exceptions(PmapSetting& s) {
  auto f = pmap(
      [](Tensor x) -> Tensor { throw std::runtime_error("no such model"); },
      s.Options());
  s.ExpectError(f(s.Rows(Iota())).status(), absl::StatusCode::kUnknown,
                {"no such model"});
  auto g = pmap([](Tensor x) { return psum(x, "i"); }, s.Options());
  s.ExpectRows(g(s.Rows(Iota())),
               Vector<float>(kN, [](int64_t) { return 28; }));
}

}  // namespace

std::vector<PmapCase> MappingCases() {
  return {{"MismatchedAxisSizes", MismatchedAxisSizes},
          {"AxesMustBeAsManyAsArguments", AxesMustBeAsManyAsArguments},
          {"PartiallyMapped", PartiallyMapped},
          {"DeviceCountError", DeviceCountError},
          {"WrongNumberOfRowsOfAHost", WrongNumberOfRowsOfAHost},
          {"ConstantsOfTheProgram", ConstantsOfTheProgram},
          {"ConstantResults", ConstantResults},
          {"ConstantResultOnDevices", ConstantResultOnDevices},
          {"ConstantCollective", ConstantCollective},
          {"ManyArguments", ManyArguments},
          {"Types", Types},
          {"BranchOnTheIndex", BranchOnTheIndex},
          {"AllDevices", AllDevices},
          {"SomeDevicesInAnyOrder", SomeDevicesInAnyOrder},
          {"OneDevice", OneDevice},
          {"NoDevices", NoDevices},
          {"RowsThatDoNotFitTheDevices", RowsThatDoNotFitTheDevices},
          {"AxesOfArguments", AxesOfArguments},
          {"AxesOfResults", AxesOfResults},
          {"ResultsInAMap", ResultsInAMap},
          {"ResultsAsArguments", ResultsAsArguments},
          {"FormsOfArguments", FormsOfArguments},
          {"NumbersAsArguments", NumbersAsArguments},
          {"Exceptions", Exceptions}};
}

}  // namespace lockstep::internal
