#include "runtime/ir/attribute_printer.h"

#include <algorithm>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "runtime/ir/elements_printer.h"
#include "runtime/mesh/sharding/axis_ref.h"
#include "runtime/mesh/sharding/sharding_text.h"

namespace lockstep::internal {
namespace {

bool IsBareName(absl::string_view name) {
  if (name.empty() || !(absl::ascii_isalpha(name[0]) || name[0] == '_')) {
    return false;
  }
  return std::all_of(name.begin(), name.end(), [](char c) {
    return absl::ascii_isalnum(c) || c == '_' || c == '$' || c == '.';
  });
}

void AppendName(absl::string_view name, std::string* out) {
  if (IsBareName(name)) {
    absl::StrAppend(out, name);
  } else {
    AppendQuoted(name, out);
  }
}

std::string IntegerText(int64_t value, absl::string_view type) {
  if (type == "ui64") return absl::StrCat(static_cast<uint64_t>(value));
  return absl::StrCat(value);
}

// Writes one attribute value. Inside #stablehlo structs, integers stand without
// their type.
class Writer {
 public:
  Writer(const PrintOptions& options, std::string* out)
      : options_(options), out_(*out) {}

  void Write(const Attribute& attribute) {
    std::visit([this](const auto& value) { WriteValue(value); },
               attribute.value());
  }

  void WriteEntries(const AttributeMap& map,
                    absl::Span<const absl::string_view> except) {
    bool first = true;
    for (const AttributeMap::Entry* entry : map.Sorted()) {
      if (std::find(except.begin(), except.end(), entry->first) !=
          except.end()) {
        continue;
      }
      if (!first) out_ += ", ";
      first = false;
      AppendName(entry->first, &out_);
      if (entry->second.As<Attribute::Unit>() != nullptr) continue;
      out_ += " = ";
      Write(entry->second);
    }
  }

 private:
  void WriteValue(const Attribute::Unit&) { out_ += "unit"; }
  void WriteValue(const Attribute::Bool& v) {
    out_ += v.value ? "true" : "false";
  }
  void WriteValue(const Attribute::Integer& v) {
    out_ += IntegerText(v.value, v.type);
    if (in_struct_ && v.type == "i64") return;
    absl::StrAppend(&out_, " : ", v.type);
  }
  void WriteValue(const Attribute::Float& v) {
    absl::StrAppend(&out_, FloatText(v.value, v.type), " : ", v.type);
  }
  void WriteValue(const Attribute::String& v) { AppendQuoted(v.value, &out_); }
  void WriteValue(const Attribute::Array& v) {
    out_ += "[";
    for (size_t i = 0; i < v.elements.size(); ++i) {
      if (i > 0) out_ += ", ";
      Write(v.elements[i]);
    }
    out_ += "]";
  }
  void WriteValue(const Attribute::Dictionary& v) {
    out_ += "{";
    WriteEntries(v.entries, {});
    out_ += "}";
  }
  void WriteValue(const Attribute::DenseArray& v) {
    absl::StrAppend(&out_, "array<", v.element_type);
    for (size_t i = 0; i < v.values.size(); ++i) {
      out_ += i == 0 ? ": " : ", ";
      out_ += v.element_type == "i1" ? (v.values[i] != 0 ? "true" : "false")
                                     : IntegerText(v.values[i], v.element_type);
    }
    out_ += ">";
  }
  void WriteValue(const Attribute::Elements& v) {
    AppendElements(v, options_.hex_above_elements, &out_);
  }
  void WriteValue(const Attribute::TypeValue& v) { out_ += v.text; }
  void WriteValue(const Attribute::Symbol& v) { AppendSymbol(v.name, &out_); }
  void WriteValue(const Attribute::Enum& v) {
    absl::StrAppend(&out_, "#stablehlo<", v.kind, " ", v.value, ">");
  }
  void WriteValue(const Attribute::Struct& v) {
    if (v.name == "sub_axis_info" && WriteSubAxis(v.fields)) return;
    const bool outer = in_struct_;
    in_struct_ = true;
    absl::StrAppend(&out_, "#stablehlo.", v.name, "<");
    WriteEntries(v.fields, {});
    out_ += ">";
    in_struct_ = outer;
  }
  // "(1)2"; false when these are not the fields of a sub-axis.
  bool WriteSubAxis(const AttributeMap& fields) {
    const Attribute* pre_size = fields.Find("pre_size");
    const Attribute* size = fields.Find("size");
    if (!in_struct_ || pre_size == nullptr || size == nullptr) return false;
    out_ += '(';
    Write(*pre_size);
    out_ += ')';
    Write(*size);
    return true;
  }
  void WriteValue(const Attribute::Place& v) {
    out_ += "loc(";
    AppendQuoted(v.file, &out_);
    absl::StrAppend(&out_, ":", v.line, ":", v.column, ")");
  }
  void WriteValue(const Attribute::Sharding& v) {
    out_ += ToSdyAttribute(v.value);
  }
  void WriteValue(const Attribute::ShardingPerValue& v) {
    out_ += ToSdyAttribute(v.values);
  }
  void WriteValue(const Attribute::AxisRefs& v) {
    absl::StrAppend(&out_, "#sdy.axis_ref_list<{", AxisRefsText(v.refs), "}>");
  }
  void WriteValue(const Attribute::Opaque& v) { out_ += v.text; }

  const PrintOptions& options_;
  std::string& out_;
  bool in_struct_ = false;
};

}  // namespace

void AppendAttribute(const Attribute& attribute, const PrintOptions& options,
                     std::string* out) {
  Writer(options, out).Write(attribute);
}

void AppendAttributes(const AttributeMap& attributes,
                      absl::Span<const absl::string_view> except,
                      const PrintOptions& options, std::string* out) {
  Writer(options, out).WriteEntries(attributes, except);
}

void AppendQuoted(absl::string_view text, std::string* out) {
  constexpr char kHex[] = "0123456789ABCDEF";
  out->push_back('"');
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\' || byte < 0x20 || byte >= 0x7F) {
      out->push_back('\\');
      out->push_back(kHex[byte >> 4]);
      out->push_back(kHex[byte & 15]);
    } else {
      out->push_back(c);
    }
  }
  out->push_back('"');
}

void AppendSymbol(absl::string_view name, std::string* out) {
  bool first = true;
  for (absl::string_view part : absl::StrSplit(name, "::")) {
    absl::StrAppend(out, first ? "@" : "::@");
    first = false;
    AppendName(part, out);
  }
}

std::string Print(const Attribute& attribute, const PrintOptions& options) {
  std::string out;
  AppendAttribute(attribute, options, &out);
  return out;
}

}  // namespace lockstep::internal
