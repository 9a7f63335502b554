#include "runtime/backends/cpu/sorting/sort_keys.h"

#include <algorithm>
#include <array>
#include <type_traits>
#include <utility>

namespace lockstep::internal {
namespace {

// Below this, per byte of the key, a comparison sort is faster than passes over
// 256 buckets.
constexpr int64_t kMinRadix = 20;
// Up to so many elements are selected by looking at all others once.
constexpr int64_t kMaxHeap = 256;

// Unsigned integers in the order of a key's values.
template <typename Bits>
class KeyCode {
 public:
  static constexpr Bits kSign =
      static_cast<Bits>(Bits{1} << (8 * sizeof(Bits) - 1));

  explicit KeyCode(const SortKey& key)
      : key_(key),
        is_float_(IsFloat(key.type)),
        flip_(IsSignedInteger(key.type) ? kSign : Bits{0}),
        descending_(key.is_descending ? static_cast<Bits>(~Bits{0}) : Bits{0}) {
    switch (key.type) {
      case ElementType::kF16:
        infinity_ = static_cast<Bits>(0x7c00);
        break;
      case ElementType::kBF16:
        infinity_ = static_cast<Bits>(0x7f80);
        break;
      case ElementType::kF32:
        infinity_ = static_cast<Bits>(0x7f800000);
        break;
      default:
        infinity_ = static_cast<Bits>(0x7ff0000000000000);
    }
  }

  Bits Encode(Bits bits) {
    if (!is_float_) return static_cast<Bits>((bits ^ flip_) ^ descending_);
    const Bits magnitude = static_cast<Bits>(bits & ~kSign);
    if (magnitude > infinity_) {
      has_nan_ = true;
      if (key_.merges_nans) bits = static_cast<Bits>(~kSign);
    } else if (magnitude == 0 && key_.merges_zeros) {
      has_negative_zero_ = has_negative_zero_ || bits != 0;
      bits = 0;
    }
    bits = static_cast<Bits>((bits & kSign) != 0 ? ~bits : bits | kSign);
    return static_cast<Bits>(bits ^ descending_);
  }
  Bits Decode(Bits code) const {
    code = static_cast<Bits>(code ^ descending_);
    if (!is_float_) return static_cast<Bits>(code ^ flip_);
    return static_cast<Bits>((code & kSign) != 0 ? code & ~kSign : ~code);
  }
  // About what was encoded so far.
  bool IsOrdered() const { return !(has_nan_ && key_.excludes_nans); }
  bool IsInvertible() const {
    return !has_negative_zero_ && !(has_nan_ && key_.merges_nans);
  }

 private:
  const SortKey& key_;
  const bool is_float_;
  const Bits flip_;
  const Bits descending_;
  Bits infinity_ = 0;
  bool has_nan_ = false;
  bool has_negative_zero_ = false;
};

// Calls f with a value of the unsigned type of the key's width.
template <typename F>
auto DispatchWidth(ElementType type, F f) {
  switch (ByteSize(type)) {
    case 1:
      return f(uint8_t());
    case 2:
      return f(uint16_t());
    case 4:
      return f(uint32_t());
    default:
      return f(uint64_t());
  }
}

// A key and the position of its element.
struct NarrowEntry {
  uint64_t bits;  // key, position
  static NarrowEntry Of(uint64_t key, uint32_t position) {
    return {key << 32 | position};
  }
  uint64_t key() const { return bits >> 32; }
  uint32_t position() const { return static_cast<uint32_t>(bits); }
  friend bool operator<(const NarrowEntry& a, const NarrowEntry& b) {
    return a.bits < b.bits;
  }
};
struct WideEntry {
  uint64_t bits;
  uint32_t place;
  static WideEntry Of(uint64_t key, uint32_t position) {
    return {key, position};
  }
  uint64_t key() const { return bits; }
  uint32_t position() const { return place; }
  friend bool operator<(const WideEntry& a, const WideEntry& b) {
    return a.bits != b.bits ? a.bits < b.bits : a.place < b.place;
  }
};

template <typename T>
uint64_t KeyOf(const T& entry) {
  if constexpr (std::is_integral_v<T>) {
    return entry;
  } else {
    return entry.key();
  }
}

// Sorts by the low `bytes` bytes of the keys, one after the other; what all
// keys share is left out. Returns which of both memories holds the result.
template <typename T>
T* RadixSort(T* from, T* to, int64_t size, int bytes) {
  std::array<std::array<uint32_t, 256>, 8> counts;
  std::fill_n(counts.begin(), bytes, std::array<uint32_t, 256>());
  for (int64_t i = 0; i < size; ++i) {
    uint64_t key = KeyOf(from[i]);
    for (int byte = 0; byte < bytes; ++byte, key >>= 8) {
      ++counts[byte][key & 255];
    }
  }
  for (int byte = 0; byte < bytes; ++byte) {
    std::array<uint32_t, 256>& places = counts[byte];
    const int shift = 8 * byte;
    if (places[KeyOf(from[0]) >> shift & 255] == size) continue;
    uint32_t sum = 0;
    for (uint32_t& place : places) sum += std::exchange(place, sum);
    for (int64_t i = 0; i < size; ++i) {
      to[places[KeyOf(from[i]) >> shift & 255]++] = from[i];
    }
    std::swap(from, to);
  }
  return from;
}

template <typename T>
T* Sort(T* from, T* to, int64_t size, int bytes) {
  if (size >= kMinRadix * bytes) return RadixSort(from, to, size, bytes);
  std::sort(from, from + size);
  return from;
}

// Calls sink(i, code) for the elements at positions[i], or i when null. False
// when a key cannot order them.
template <typename Sink>
bool EncodeLane(const SortKey& key, const SortLane& lane, int64_t size,
                const uint32_t* positions, Sink sink) {
  return DispatchWidth(key.type, [&]<typename Bits>(Bits) {
    const Bits* data = reinterpret_cast<const Bits*>(lane.data);
    KeyCode<Bits> code(key);
    for (int64_t i = 0; i < size; ++i) {
      const int64_t at = positions == nullptr ? i : positions[i];
      sink(i, code.Encode(data[at * lane.stride]));
    }
    return code.IsOrdered();
  });
}

// Reorders `order` (from the first to the last element, if `is_first`) by keys
// whose codes have `bytes` bytes together.
template <typename Entry>
bool SortByWord(absl::Span<const SortKey> keys,
                const std::vector<SortLane>& lanes, int64_t size, int bytes,
                std::byte* scratch, bool is_first, uint32_t* order) {
  Entry* entries = reinterpret_cast<Entry*>(scratch);
  bool is_ordered = true;
  for (size_t k = 0; k < keys.size(); ++k) {
    const int shift = 8 * static_cast<int>(ByteSize(keys[k].type));
    const auto add = [&](int64_t i, uint64_t code) {
      if (k > 0) code |= entries[i].key() << shift;
      entries[i] = Entry::Of(code, static_cast<uint32_t>(i));
    };
    is_ordered = EncodeLane(keys[k], lanes[keys[k].operand], size,
                            is_first ? nullptr : order, add) &&
                 is_ordered;
  }
  if (!is_ordered) return false;
  Entry* sorted = Sort(entries, entries + size, size, bytes);
  if (is_first) {
    for (int64_t i = 0; i < size; ++i) order[i] = sorted[i].position();
    return true;
  }
  Entry* other = sorted == entries ? entries + size : entries;
  uint32_t* next = reinterpret_cast<uint32_t*>(other);
  for (int64_t i = 0; i < size; ++i) next[i] = order[sorted[i].position()];
  std::copy(next, next + size, order);
  return true;
}

}  // namespace

int64_t SortScratchBytes(const std::vector<SortKey>& keys, int64_t size) {
  int64_t bytes = 0;
  for (const SortKey& key : keys) bytes += ByteSize(key.type);
  const size_t entry = bytes > 4   ? sizeof(WideEntry)
                       : bytes > 0 ? sizeof(NarrowEntry)
                                   : sizeof(uint32_t);
  return 2 * size * static_cast<int64_t>(entry);
}

bool SortByKeys(const std::vector<SortKey>& keys,
                const std::vector<SortLane>& lanes, int64_t size,
                std::byte* scratch, uint32_t* order) {
  bool is_first = true;
  // Words of neighbouring keys, the least significant first: all are stable.
  for (size_t end = keys.size(); end > 0;) {
    size_t begin = end;
    int bytes = 0;
    while (begin > 0 && bytes + ByteSize(keys[begin - 1].type) <= 8) {
      bytes += static_cast<int>(ByteSize(keys[--begin].type));
    }
    const auto word = absl::MakeConstSpan(keys).subspan(begin, end - begin);
    const bool is_ordered =
        bytes <= 4 ? SortByWord<NarrowEntry>(word, lanes, size, bytes, scratch,
                                             is_first, order)
                   : SortByWord<WideEntry>(word, lanes, size, bytes, scratch,
                                           is_first, order);
    if (!is_ordered) return false;
    is_first = false;
    end = begin;
  }
  return true;
}

bool SortElements(const SortKey& key, const SortLane& lane, int64_t size,
                  std::byte* scratch, std::byte* to, int64_t to_stride) {
  return DispatchWidth(key.type, [&]<typename Bits>(Bits) {
    const Bits* data = reinterpret_cast<const Bits*>(lane.data);
    Bits* codes = reinterpret_cast<Bits*>(scratch);
    KeyCode<Bits> code(key);
    for (int64_t i = 0; i < size; ++i) {
      codes[i] = code.Encode(data[i * lane.stride]);
    }
    if (!code.IsOrdered() || !code.IsInvertible()) return false;
    const Bits* sorted = Sort(codes, codes + size, size, sizeof(Bits));
    Bits* target = reinterpret_cast<Bits*>(to);
    for (int64_t i = 0; i < size; ++i) {
      target[i * to_stride] = code.Decode(sorted[i]);
    }
    return true;
  });
}

void SelectByKey(const SortKey& key, const SortLane& lane, int64_t size,
                 int64_t count, std::byte* scratch, uint32_t* order) {
  const auto select = [&]<typename Entry>(Entry) {
    Entry* entries = reinterpret_cast<Entry*>(scratch);
    const Entry* sorted = entries;
    if (count <= kMaxHeap && count < size / 2) {
      // The largest of those that are kept is the first one.
      EncodeLane(key, lane, size, nullptr, [&](int64_t i, uint64_t code) {
        const Entry entry = Entry::Of(code, static_cast<uint32_t>(i));
        if (i < count) {
          entries[i] = entry;
          std::push_heap(entries, entries + i + 1);
        } else if (entry < entries[0]) {
          std::pop_heap(entries, entries + count);
          entries[count - 1] = entry;
          std::push_heap(entries, entries + count);
        }
      });
      std::sort_heap(entries, entries + count);
    } else {
      EncodeLane(key, lane, size, nullptr, [&](int64_t i, uint64_t code) {
        entries[i] = Entry::Of(code, static_cast<uint32_t>(i));
      });
      sorted = Sort(entries, entries + size, size,
                    static_cast<int>(ByteSize(key.type)));
    }
    for (int64_t i = 0; i < count; ++i) order[i] = sorted[i].position();
  };
  ByteSize(key.type) <= 4 ? select(NarrowEntry()) : select(WideEntry());
}

}  // namespace lockstep::internal
