#include <algorithm>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "tests/generator/op_families.h"

namespace lockstep::internal {

void AddBroadcast(ProgramBuilder& builder) {
  const GeneratedValue a = builder.Any();
  Dims dims;
  std::vector<int64_t> positions;
  int64_t count = std::max<int64_t>(a.shape.element_count(), 1);
  const auto insert = [&] {
    while (builder.OneIn(3) && dims.size() < 5) {
      const int64_t size = 1 + builder.Below(6);
      if (count * size > builder.max_elements()) return;
      count *= size;
      dims.push_back(size);
    }
  };
  for (int64_t i = 0; i < a.shape.rank(); ++i) {
    insert();
    positions.push_back(static_cast<int64_t>(dims.size()));
    int64_t size = a.shape.dim(i);
    if (size == 1 && builder.OneIn(2)) {
      const int64_t grown = 1 + builder.Below(5);
      if (count * grown <= builder.max_elements()) size = grown;
      count *= size;
    }
    dims.push_back(size);
  }
  insert();
  const Shape result(a.type(), dims);
  builder.Define(
      result, a,
      absl::StrCat("stablehlo.broadcast_in_dim ", a.name,
                   ", dims = ", List(positions), Types({a}, result)));
}

void AddTranspose(ProgramBuilder& builder) {
  const GeneratedValue a = builder.Any();
  std::vector<int64_t> order;
  for (int64_t i = 0; i < a.shape.rank(); ++i) {
    order.insert(order.begin() + builder.Below(static_cast<int>(i) + 1), i);
  }
  Dims dims;
  for (int64_t i : order) dims.push_back(a.shape.dim(i));
  const Shape result(a.type(), dims);
  builder.Define(result, a,
                 absl::StrCat("stablehlo.transpose ", a.name,
                              ", dims = ", List(order), Types({a}, result)));
}

// Joins neighbours, splits even dimensions, adds and drops ones.
void AddReshape(ProgramBuilder& builder) {
  const GeneratedValue a = builder.Any();
  Dims dims;
  for (int64_t size : a.shape.dims()) {
    if (!dims.empty() && builder.OneIn(3)) {
      dims.back() *= size;
    } else if (size > 0 && size % 2 == 0 && builder.OneIn(3)) {
      dims.push_back(2);
      dims.push_back(size / 2);
    } else if (size != 1 || builder.OneIn(2)) {
      dims.push_back(size);
    }
    if (builder.OneIn(6)) dims.push_back(1);
  }
  const Shape result(a.type(), dims);
  builder.Define(
      result, a,
      absl::StrCat("stablehlo.reshape ", a.name, Types({a}, result)));
}

void AddSlice(ProgramBuilder& builder) {
  const GeneratedValue a = builder.Any();
  Dims dims;
  std::vector<std::string> ranges;
  for (int64_t size : a.shape.dims()) {
    const int64_t start = builder.Below(static_cast<int>(size) + 1);
    const int64_t limit =
        start + builder.Below(static_cast<int>(size - start) + 1);
    const int64_t stride = 1 + builder.Below(3);
    dims.push_back((limit - start + stride - 1) / stride);
    ranges.push_back(absl::StrCat(start, ":", limit, ":", stride));
  }
  const Shape result(a.type(), dims);
  builder.Define(
      result, a,
      absl::StrCat("stablehlo.slice ", a.name, " [",
                   absl::StrJoin(ranges, ", "), "]", Types({a}, result)));
}

void AddPad(ProgramBuilder& builder) {
  const GeneratedValue a = builder.Any();
  const GeneratedValue fill = builder.Like(Shape(a.type(), {}));
  std::vector<int64_t> low, high, interior;
  Dims dims;
  int64_t count = 1;
  for (int64_t size : a.shape.dims()) {
    low.push_back(builder.Below(4) - 1);
    high.push_back(builder.Below(4) - 1);
    interior.push_back(builder.Below(3));
    const int64_t padded = low.back() + high.back() + size +
                           std::max<int64_t>(size - 1, 0) * interior.back();
    if (padded < 0) return;
    dims.push_back(padded);
    count *= std::max<int64_t>(padded, 1);
  }
  if (count > builder.max_elements()) return;
  const Shape result(a.type(), dims);
  builder.Define(
      result, Merged(a, fill),
      absl::StrCat("stablehlo.pad ", Names({a, fill}), ", low = ", List(low),
                   ", high = ", List(high), ", interior = ", List(interior),
                   Types({a, fill}, result)));
}

void AddReverse(ProgramBuilder& builder) {
  const GeneratedValue a = builder.Any();
  builder.Define(a.shape, a,
                 absl::StrCat("stablehlo.reverse ", a.name, ", dims = ",
                              List(builder.DrawDimensions(a.shape)), " : ",
                              a.shape.ToString()));
}

void AddConcatenate(ProgramBuilder& builder) {
  const GeneratedValue a = builder.Any();
  if (a.shape.rank() == 0) return;
  const GeneratedValue b = builder.Like(a.shape);
  if (2 * a.shape.element_count() > builder.max_elements()) return;
  const int64_t dim = builder.Below(static_cast<int>(a.shape.rank()));
  Dims dims(a.shape.dims().begin(), a.shape.dims().end());
  dims[dim] *= 2;
  const Shape result(a.type(), dims);
  builder.Define(result, Merged(a, b),
                 absl::StrCat("stablehlo.concatenate ", Names({a, b}),
                              ", dim = ", dim, Types({a, b}, result)));
}

void AddIota(ProgramBuilder& builder) {
  const Shape shape(builder.OneIn(2) ? ElementType::kS32 : ElementType::kF32,
                    builder.DrawDims());
  if (shape.rank() == 0) return;
  GeneratedValue like;
  like.bound = 64;
  builder.Define(shape, like,
                 absl::StrCat("stablehlo.iota dim = ",
                              builder.Below(static_cast<int>(shape.rank())),
                              " : ", shape.ToString()));
}

}  // namespace lockstep::internal
