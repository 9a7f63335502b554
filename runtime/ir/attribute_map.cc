#include <algorithm>

#include "runtime/ir/attribute.h"

namespace lockstep::internal {

AttributeMap::AttributeMap() = default;
AttributeMap::AttributeMap(const AttributeMap& other) = default;
AttributeMap::AttributeMap(AttributeMap&& other) noexcept = default;
AttributeMap& AttributeMap::operator=(const AttributeMap& other) = default;
AttributeMap& AttributeMap::operator=(AttributeMap&& other) noexcept = default;
AttributeMap::~AttributeMap() = default;

const Attribute* AttributeMap::Find(absl::string_view name) const {
  for (const Entry& entry : entries_) {
    if (entry.first == name) return &entry.second;
  }
  return nullptr;
}

void AttributeMap::Set(absl::string_view name, Attribute value) {
  for (Entry& entry : entries_) {
    if (entry.first == name) {
      entry.second = std::move(value);
      return;
    }
  }
  Append(name, std::move(value));
}

void AttributeMap::Append(absl::string_view name, Attribute value) {
  entries_.emplace_back(std::string(name), std::move(value));
}

void AttributeMap::Remove(absl::string_view name) {
  entries_.erase(
      std::remove_if(entries_.begin(), entries_.end(),
                     [&](const Entry& entry) { return entry.first == name; }),
      entries_.end());
}

bool AttributeMap::empty() const { return entries_.empty(); }
size_t AttributeMap::size() const { return entries_.size(); }
const std::vector<AttributeMap::Entry>& AttributeMap::entries() const {
  return entries_;
}

std::vector<const AttributeMap::Entry*> AttributeMap::Sorted() const {
  std::vector<const Entry*> sorted;
  sorted.reserve(entries_.size());
  for (const Entry& entry : entries_) sorted.push_back(&entry);
  std::sort(sorted.begin(), sorted.end(),
            [](const Entry* a, const Entry* b) { return a->first < b->first; });
  return sorted;
}

bool operator==(const AttributeMap& a, const AttributeMap& b) {
  if (a.size() != b.size()) return false;
  if (a.entries_ == b.entries_) return true;
  const auto x = a.Sorted();
  const auto y = b.Sorted();
  for (size_t i = 0; i < x.size(); ++i) {
    if (!(*x[i] == *y[i])) return false;
  }
  return true;
}

}  // namespace lockstep::internal
