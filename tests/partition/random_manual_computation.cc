#include "tests/partition/random_manual_computation.h"

#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "runtime/base/check.h"
#include "runtime/ir/op_builder.h"
#include "runtime/mesh/sharding/device_groups.h"
#include "runtime/mesh/sharding/tensor_sharding.h"

namespace lockstep::internal {
namespace {

using Rows = std::vector<std::vector<int64_t>>;

Attribute Table(const Rows& rows) {
  Literal literal(
      Shape(ElementType::kS64, {static_cast<int64_t>(rows.size()),
                                static_cast<int64_t>(rows[0].size())}));
  int64_t* next = literal.mutable_data<int64_t>().data();
  for (const std::vector<int64_t>& row : rows) {
    next = std::copy(row.begin(), row.end(), next);
  }
  return Attribute::FromLiteral(std::move(literal));
}

// Members, in order, of each group of devices along `axis`, one of them on.
Rows Ring(const std::string& axis, int64_t step, const ShardingMesh& mesh) {
  Rows pairs;
  for (const auto& group : DeviceGroups({AxisRef(axis)}, mesh)) {
    const auto size = static_cast<int64_t>(group.size());
    for (int64_t i = 0; i < size; ++i) {
      pairs.push_back({group[i], group[(i + step + size) % size]});
    }
  }
  return pairs;
}

// The body in the making.
class ManualBody {
 public:
  ManualBody(RandomShardings& random, Value& value, ManualMesh& mesh,
             Region& around)
      : random_(random),
        mesh_(mesh),
        around_(&around),
        value_(value),
        region_(MakeRegionWithin(around_)),
        builder_(region_.get()),
        axes_of_dims_(static_cast<size_t>(value.shape().rank())) {}

  Value* Build() {
    DrawAxes();
    Attribute::ShardingPerValue in{{Sharding()}};
    local_ = region_->AddArgument(LocalShape());
    for (int64_t i = random_.Below(4); i >= 0; --i) Step();
    Attribute::ShardingPerValue out{{Sharding()}};
    builder_.Terminate("sdy.return", {local_});
    Attribute::Array axes;
    for (const MeshAxis& axis : mesh_.mesh.axes()) {
      if (IsManual(axis.name)) {
        axes.elements.push_back(Attribute::String{axis.name});
      }
    }
    OpState state;
    state.name = "sdy.manual_computation";
    state.operands = {&value_};
    state.attributes.Set("in_shardings", std::move(in));
    state.attributes.Set("out_shardings", std::move(out));
    state.attributes.Set("manual_axes", std::move(axes));
    state.regions.push_back(std::move(region_));
    state.result_types = {value_.type()};
    const absl::StatusOr<Op*> op = around_.Build(std::move(state));
    LOCKSTEP_CHECK(op.ok());
    return (*op)->result();
  }

 private:
  bool IsManual(const std::string& axis) const {
    return std::count(manual_.begin(), manual_.end(), axis) > 0;
  }
  int64_t SizeOf(const std::string& axis) const {
    return mesh_.mesh.axes()[*mesh_.mesh.abstract().FindAxis(axis)].size;
  }

  // One at least; each perhaps splits a dim that it divides.
  void DrawAxes() {
    for (const MeshAxis& axis : mesh_.mesh.axes()) manual_.push_back(axis.name);
    random_.Shuffle(manual_);
    manual_.resize(static_cast<size_t>(
        1 + random_.Below(static_cast<int64_t>(manual_.size()))));
    Dims dims(value_.shape().dims().begin(), value_.shape().dims().end());
    for (const std::string& axis : manual_) {
      const int64_t dim = random_.Below(value_.shape().rank() + 1);
      if (dim == value_.shape().rank() || dims[dim] % SizeOf(axis) != 0) {
        continue;
      }
      dims[dim] /= SizeOf(axis);
      axes_of_dims_[dim].push_back(axis);
    }
  }

  Shape LocalShape() const {
    Dims dims(value_.shape().dims().begin(), value_.shape().dims().end());
    for (size_t dim = 0; dim < axes_of_dims_.size(); ++dim) {
      for (const std::string& axis : axes_of_dims_[dim]) {
        dims[dim] /= SizeOf(axis);
      }
    }
    return Shape(value_.shape().element_type(), dims);
  }

  TensorSharding Sharding() const {
    const bool is_whole = manual_.size() == mesh_.mesh.axes().size();
    TensorSharding sharding = UnshardedOn(
        std::string(mesh_.name), value_.shape().rank(), /*is_closed=*/is_whole);
    for (size_t dim = 0; dim < axes_of_dims_.size(); ++dim) {
      for (const std::string& axis : axes_of_dims_[dim]) {
        sharding.dims[dim].axes.emplace_back(axis);
      }
    }
    return sharding;
  }

  // Does nothing where what is drawn does not fit.
  void Step() {
    const std::string axis =
        manual_[random_.Below(static_cast<int64_t>(manual_.size()))];
    const auto splits = [&](const std::vector<std::string>& axes) {
      return !axes.empty() && axes.back() == axis;
    };
    const auto found =
        std::find_if(axes_of_dims_.begin(), axes_of_dims_.end(), splits);
    const int64_t dim = found - axes_of_dims_.begin();
    const int64_t other = random_.Below(value_.shape().rank() + 1);
    const bool fits = other < value_.shape().rank() &&
                      local_->shape().dim(other) % SizeOf(axis) == 0;
    if (random_.Below(3) == 0) {
      SendAround(axis);
    } else if (found != axes_of_dims_.end()) {
      found->pop_back();
      if (fits && other != dim) {
        Move(axis, dim, other);
        axes_of_dims_[other].push_back(axis);
      } else {
        Gather(axis, dim);
      }
    } else if (!IsUsed(axis) && HasLargest()) {
      if (fits) {
        Reduce("stablehlo.reduce_scatter", axis,
               {{"scatter_dimension", Attribute::I64(other)}});
        axes_of_dims_[other].push_back(axis);
      } else {
        Reduce("stablehlo.all_reduce", axis, {});
      }
    }
  }

  bool IsUsed(const std::string& axis) const {
    return std::any_of(axes_of_dims_.begin(), axes_of_dims_.end(),
                       [&](const std::vector<std::string>& axes) {
                         return std::count(axes.begin(), axes.end(), axis) > 0;
                       });
  }
  bool HasLargest() const {
    const ElementType type = value_.shape().element_type();
    return IsFloat(type) || (IsInteger(type) && BitWidth(type) >= 8);
  }

  void SendAround(const std::string& axis) {
    for (const int64_t step : {1, -1}) {
      Add("stablehlo.collective_permute",
          {{"source_target_pairs", Table(Ring(axis, step, mesh_.mesh))}}, {});
    }
  }
  void Gather(const std::string& axis, int64_t dim) {
    Add("stablehlo.all_gather",
        {{"all_gather_dim", Attribute::I64(dim)},
         {"replica_groups", Groups(axis)},
         {"use_global_device_ids", Attribute::Unit()}},
        {});
  }
  void Move(const std::string& axis, int64_t from, int64_t to) {
    Add("stablehlo.all_to_all",
        {{"split_dimension", Attribute::I64(to)},
         {"concat_dimension", Attribute::I64(from)},
         {"split_count", Attribute::I64(SizeOf(axis))},
         {"replica_groups", Groups(axis)}},
        {});
  }
  // Of equal values.
  void Reduce(absl::string_view name, const std::string& axis,
              std::vector<std::pair<absl::string_view, Attribute>> attributes) {
    attributes.push_back({"replica_groups", Groups(axis)});
    attributes.push_back({"use_global_device_ids", Attribute::Unit()});
    std::unique_ptr<Region> body = MakeRegionWithin(builder_);
    const Shape scalar(value_.shape().element_type(), {});
    Value* const a = body->AddArgument(scalar);
    Value* const b = body->AddArgument(scalar);
    OpBuilder inside(body.get());
    OpState larger;
    larger.name = "stablehlo.maximum";
    larger.operands = {a, b};
    const absl::StatusOr<Op*> op = inside.Build(std::move(larger));
    LOCKSTEP_CHECK(op.ok());
    inside.Terminate("stablehlo.return", {(*op)->result()});
    Add(name, std::move(attributes), std::move(body));
  }

  Attribute Groups(const std::string& axis) const {
    return Table(DeviceGroups({AxisRef(axis)}, mesh_.mesh));
  }

  void Add(absl::string_view name,
           std::vector<std::pair<absl::string_view, Attribute>> attributes,
           std::unique_ptr<Region> body) {
    OpState state;
    state.name = std::string(name);
    state.operands = {local_};
    for (auto& [key, attribute] : attributes) {
      state.attributes.Set(key, std::move(attribute));
    }
    Attribute::Struct channel{"channel_handle", {}};
    channel.fields.Append("handle", Attribute::I64(mesh_.next_channel++));
    channel.fields.Append("type", Attribute::I64(1));
    state.attributes.Set("channel_handle", std::move(channel));
    if (body != nullptr) state.regions.push_back(std::move(body));
    const absl::StatusOr<Op*> op = builder_.Build(std::move(state));
    LOCKSTEP_CHECK(op.ok());
    local_ = (*op)->result();
  }

  RandomShardings& random_;
  ManualMesh& mesh_;
  OpBuilder around_;
  Value& value_;
  std::unique_ptr<Region> region_;
  OpBuilder builder_;
  std::vector<std::string> manual_;
  std::vector<std::vector<std::string>> axes_of_dims_;  // major to minor
  Value* local_ = nullptr;
};

}  // namespace

Value* AddManualComputation(RandomShardings& random, Value& value,
                            ManualMesh& mesh, Region& region) {
  return ManualBody(random, value, mesh, region).Build();
}

}  // namespace lockstep::internal
