#ifndef LOCKSTEP_RUNTIME_IR_ATTRIBUTE_H_
#define LOCKSTEP_RUNTIME_IR_ATTRIBUTE_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "runtime/ir/type.h"
#include "runtime/mesh/sharding/axis_ref.h"
#include "runtime/mesh/sharding/tensor_sharding.h"
#include "runtime/types/literal.h"

namespace lockstep::internal {

class Attribute;

// Attributes by name. Keeps the order of insertion; Set replaces in place.
// Equality ignores the order.
class AttributeMap {
 public:
  using Entry = std::pair<std::string, Attribute>;

  AttributeMap();
  AttributeMap(const AttributeMap& other);
  AttributeMap(AttributeMap&& other) noexcept;
  AttributeMap& operator=(const AttributeMap& other);
  AttributeMap& operator=(AttributeMap&& other) noexcept;
  ~AttributeMap();

  const Attribute* Find(absl::string_view name) const;
  void Set(absl::string_view name, Attribute value);
  // Set for a name that is known not to be there: does not look.
  void Append(absl::string_view name, Attribute value);
  void Remove(absl::string_view name);
  bool empty() const;
  size_t size() const;
  const std::vector<Entry>& entries() const;
  // The entries in the order of their names.
  std::vector<const Entry*> Sorted() const;
  friend bool operator==(const AttributeMap& a, const AttributeMap& b);

 private:
  std::vector<Entry> entries_;
};

// The value of an attribute: one of the structs below. Immutable, cheap to
// copy (copies share).
class Attribute {
 public:
  struct Unit {
    friend bool operator==(Unit, Unit) = default;
  };
  struct Bool {
    bool value;
    friend bool operator==(Bool, Bool) = default;
  };
  // `type` as written after the colon ("i64", "ui32", "index"); "i64" when
  // nothing was written.
  struct Integer {
    int64_t value;  // the bits, for ui64
    std::string type;
    friend bool operator==(const Integer&, const Integer&) = default;
  };
  struct Float {
    double value;
    std::string type;  // "f32"; "f64" when nothing was written
    friend bool operator==(const Float&, const Float&);  // by bits
  };
  struct String {
    std::string value;
    friend bool operator==(const String&, const String&) = default;
  };
  struct Array {
    std::vector<Attribute> elements;
    friend bool operator==(const Array&, const Array&);
  };
  struct Dictionary {
    AttributeMap entries;
    friend bool operator==(const Dictionary&, const Dictionary&);
  };
  // array<i64: 1, 2>, array<i1: true>.
  struct DenseArray {
    std::string element_type;
    std::vector<int64_t> values;
    friend bool operator==(const DenseArray&, const DenseArray&) = default;
  };
  // dense<..> : tensor<..>, dense_resource<..>. A splat holds one element.
  struct Elements {
    Shape shape;
    std::shared_ptr<const Literal> values;  // of `shape`, or a scalar if splat
    bool is_splat = false;
    // The full tensor.
    Literal ToLiteral() const;
    // The same tensor; a splat equals its full form.
    friend bool operator==(const Elements&, const Elements&);
  };
  struct TypeValue {
    std::string text;          // any type, as written ("(i32) -> i32")
    std::optional<Type> type;  // when it is one of ours
    friend bool operator==(const TypeValue&, const TypeValue&) = default;
  };
  // @f, @a::@b: "f", "a::b".
  struct Symbol {
    std::string name;
    friend bool operator==(const Symbol&, const Symbol&) = default;
  };
  // #stablehlo<precision DEFAULT>: kind "precision", value "DEFAULT". Kinds of
  // pretty forms are normalised to this (compare GE: comparison_direction GE).
  struct Enum {
    std::string kind;
    std::string value;
    friend bool operator==(const Enum&, const Enum&) = default;
  };
  // #stablehlo.gather<a = [1], b = 2>, #stablehlo.channel_handle<..>,
  // #stablehlo.replica_group_mesh_axes<..>: name "gather" and its fields.
  struct Struct {
    std::string name;
    AttributeMap fields;
    friend bool operator==(const Struct&, const Struct&);
  };
  // loc("f.py":3:8), as a value: the place that a location of any form says.
  struct Place {
    std::string file;
    int line = 0;
    int column = 0;
    friend bool operator==(const Place&, const Place&) = default;
  };
  // #sdy.sharding<@m, [{"x"}, {}]>.
  struct Sharding {
    TensorSharding value;
    friend bool operator==(const Sharding&, const Sharding&) = default;
  };
  // #sdy.sharding_per_value<[<@m, [{"x"}]>, <@m, []>]>: one for each result.
  struct ShardingPerValue {
    std::vector<TensorSharding> values;
    friend bool operator==(const ShardingPerValue&,
                           const ShardingPerValue&) = default;
  };
  // #sdy.axis_ref_list<{"x", "y":(2)2}>.
  struct AxisRefs {
    std::vector<AxisRef> refs;
    friend bool operator==(const AxisRefs&, const AxisRefs&) = default;
  };
  // Anything of other dialects, brackets balanced: "#test.opaque<[{}]>".
  struct Opaque {
    std::string text;
    friend bool operator==(const Opaque&, const Opaque&) = default;
  };

  using Variant =
      std::variant<Unit, Bool, Integer, Float, String, Array, Dictionary,
                   DenseArray, Elements, TypeValue, Symbol, Enum, Struct, Place,
                   Sharding, ShardingPerValue, AxisRefs, Opaque>;

  Attribute() : Attribute(Unit{}) {}
  template <typename T>
  Attribute(T value);  // NOLINT: any of the structs

  // The common ones.
  static Attribute I64(int64_t value) { return Integer{value, "i64"}; }
  static Attribute I32(int64_t value) { return Integer{value, "i32"}; }
  static Attribute I64Array(absl::Span<const int64_t> values);
  static Attribute FromLiteral(Literal literal);

  const Variant& value() const { return *value_; }
  template <typename T>
  const T* As() const {
    return std::get_if<T>(value_.get());
  }
  friend bool operator==(const Attribute& a, const Attribute& b);

 private:
  std::shared_ptr<const Variant> value_;
};

template <typename T>
Attribute::Attribute(T value)
    : value_(std::make_shared<const Variant>(std::move(value))) {}

// Accept every form in which programs write such a value: an integer or a
// one-element dense; DenseArray, a dense tensor of any rank (row-major) or an
// array of integers.
// The error says what was found.
absl::StatusOr<int64_t> IntegerOf(const Attribute& attribute);
absl::StatusOr<std::vector<int64_t>> IntegersOf(const Attribute& attribute);
absl::StatusOr<bool> BoolOf(const Attribute& attribute);  // Unit is true

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_IR_ATTRIBUTE_H_
