#include "client/visualization/shard_grid.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "client/arrays/view.h"
#include "runtime/base/status.h"

namespace lockstep::internal {
namespace {

// Longer lists of devices are cut.
constexpr size_t kShownDevices = 8;

// Of a terminal with 256 colours, as backgrounds of black text; the same of the
// document.
constexpr int kTerminalColors[] = {153, 222, 157, 217, 189, 229, 159, 182};
constexpr const char* kSvgColors[] = {"#afd7ff", "#ffd787", "#afffaf",
                                      "#ffafaf", "#d7d7ff", "#ffffaf",
                                      "#afffff", "#d7afd7"};
constexpr int kColorCount = 8;

// The start in a dimension; the whole dimension starts at 0.
int64_t StartOf(const IndexSlice& slice) {
  return slice == IndexSlice() ? 0 : slice.start();
}

// "CPU 0,1"; "device 0" where the device is not known.
std::string DevicesText(const std::vector<GlobalDeviceId>& ids,
                        const Device* first) {
  std::vector<std::string> texts;
  for (GlobalDeviceId id : ids) {
    if (texts.size() == kShownDevices) break;
    texts.push_back(absl::StrCat(id.value()));
  }
  return absl::StrCat(
      first == nullptr ? "device" : absl::AsciiStrToUpper(first->platform), " ",
      absl::StrJoin(texts, ","),
      ids.size() > kShownDevices
          ? absl::StrCat(" and ", ids.size() - kShownDevices, " more")
          : "");
}

// What is known of the devices of an array.
class DeviceTable {
 public:
  explicit DeviceTable(const Array& array) {
    if (array.layout() != nullptr) {
      for (const Device& device : array.layout()->mesh().devices()) {
        devices_.emplace(device.id, device);
      }
    } else if (const auto view = array.shards()->live_view()) {
      const World world = view->world();
      for (GlobalDeviceId id : array.devices()) {
        if (const Device* device = world.Find(id))
          devices_.emplace(id, *device);
      }
    }
    for (const auto& [id, device] : devices_) hosts_.insert(device.host);
  }

  const Device* Find(GlobalDeviceId id) const {
    const auto it = devices_.find(id);
    return it == devices_.end() ? nullptr : &it->second;
  }
  bool has_several_hosts() const { return hosts_.size() > 1; }
  // The place of the host among them.
  int Place(HostId host) const {
    return static_cast<int>(std::distance(hosts_.begin(), hosts_.find(host)));
  }

 private:
  std::map<GlobalDeviceId, Device> devices_;
  std::set<HostId> hosts_;
};

ShardCell CellOf(const std::vector<GlobalDeviceId>& ids,
                 const DeviceTable& devices, int place) {
  const Device* const first = devices.Find(ids[0]);
  ShardCell cell{{DevicesText(ids, first)}, place};
  if (first == nullptr || !devices.has_several_hosts()) return cell;
  std::set<HostId> hosts;
  for (GlobalDeviceId id : ids) hosts.insert(devices.Find(id)->host);
  cell.lines.push_back(
      absl::StrCat(hosts.size() == 1 ? "host " : "hosts ",
                   absl::StrJoin(hosts, ",", [](std::string* out, HostId host) {
                     absl::StrAppend(out, host.value());
                   })));
  cell.color = devices.Place(first->host);
  return cell;
}

// In the middle of so many columns. The text is ASCII.
std::string Centered(const std::string& text, size_t width) {
  const size_t before = (width - text.size()) / 2;
  return absl::StrCat(std::string(before, ' '), text,
                      std::string(width - text.size() - before, ' '));
}

// "├─────┼─────┤".
std::string Rule(const char* left, const char* middle, const char* right,
                 int64_t columns, size_t width) {
  std::string line;
  for (size_t i = 0; i < width; ++i) line += "─";
  return absl::StrCat(
      left, absl::StrJoin(std::vector<std::string>(columns, line), middle),
      right, "\n");
}

}  // namespace

absl::StatusOr<ShardGrid> ShardGrid::Of(const Array& array) {
  RETURN_IF_ERROR(array.CheckUsable());
  ShardGrid grid;
  const std::vector<ArrayShard> shards = array.global_shards();
  if (shards.empty()) {
    grid.cells = {
        {{array.layout() == nullptr && array.shards() == nullptr ? "host memory"
                                                                 : "no device"},
         0}};
    return grid;
  }
  // By dimension: where the parts start.
  std::vector<std::set<int64_t>> starts(array.rank());
  for (const ArrayShard& shard : shards) {
    for (int64_t i = 0; i < array.rank(); ++i) {
      starts[i].insert(StartOf(shard.index[i]));
    }
  }
  std::vector<int64_t> split;
  for (int64_t i = 0; i < array.rank(); ++i) {
    if (starts[i].size() > 1) split.push_back(i);
  }
  if (split.size() > 2) {
    return absl::InvalidArgumentError(absl::StrCat(
        "visualize_array_sharding: ", split.size(), " dimensions of ",
        array.sharding().ToString(), " are split; a picture has two of them"));
  }
  // A matrix stands upright; what has one dimension lies.
  const bool is_matrix = split.size() == 2 || array.rank() == 2;
  const int64_t row_dim = split.size() == 2   ? split[0]
                          : array.rank() == 2 ? 0
                                              : -1;
  const int64_t column_dim = split.size() == 2   ? split[1]
                             : array.rank() == 2 ? 1
                             : !split.empty()    ? split[0]
                                                 : -1;
  const auto place = [&](const ArrayShard& shard, int64_t dim) -> int64_t {
    if (dim < 0) return 0;
    const auto it = starts[dim].find(StartOf(shard.index[dim]));
    return std::distance(starts[dim].begin(), it);
  };
  if (is_matrix) grid.rows = static_cast<int64_t>(starts[row_dim].size());
  if (column_dim >= 0) {
    grid.columns = static_cast<int64_t>(starts[column_dim].size());
  }
  std::vector<std::vector<GlobalDeviceId>> holders(grid.rows * grid.columns);
  for (const ArrayShard& shard : shards) {
    holders[place(shard, is_matrix ? row_dim : -1) * grid.columns +
            place(shard, column_dim)]
        .push_back(shard.device);
  }
  const DeviceTable devices(array);
  for (size_t i = 0; i < holders.size(); ++i) {
    grid.cells.push_back(CellOf(holders[i], devices, static_cast<int>(i)));
  }
  return grid;
}

std::string ShardGrid::ToText(bool has_colors) const {
  size_t width = 0;
  size_t height = 1;
  for (const ShardCell& cell : cells) {
    height = std::max(height, cell.lines.size());
    for (const std::string& line : cell.lines) {
      width = std::max(width, line.size() + 2);
    }
  }
  std::string text = Rule("┌", "┬", "┐", columns, width);
  for (int64_t row = 0; row < rows; ++row) {
    if (row > 0) text += Rule("├", "┼", "┤", columns, width);
    for (size_t line = 0; line < height; ++line) {
      for (int64_t column = 0; column < columns; ++column) {
        const ShardCell& cell = cells[row * columns + column];
        const std::string content =
            Centered(line < cell.lines.size() ? cell.lines[line] : "", width);
        text += "│";
        if (has_colors) {
          absl::StrAppend(&text, "\x1b[30;48;5;",
                          kTerminalColors[cell.color % kColorCount], "m",
                          content, "\x1b[0m");
        } else {
          text += content;
        }
      }
      text += "│\n";
    }
  }
  return text + Rule("└", "┴", "┘", columns, width);
}

std::string ShardGrid::ToSvg() const {
  constexpr int64_t kHeight = 48;
  constexpr int64_t kLine = 16;
  size_t longest = 8;
  for (const ShardCell& cell : cells) {
    for (const std::string& line : cell.lines) {
      longest = std::max(longest, line.size());
    }
  }
  const int64_t width = 8 * static_cast<int64_t>(longest) + 16;
  std::string svg =
      absl::StrCat("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"",
                   columns * width + 2, "\" height=\"", rows * kHeight + 2,
                   "\" font-family=\"monospace\" font-size=\"13\" "
                   "text-anchor=\"middle\">\n");
  for (int64_t i = 0; i < rows * columns; ++i) {
    const ShardCell& cell = cells[i];
    const int64_t x = 1 + i % columns * width;
    const int64_t y = 1 + i / columns * kHeight;
    absl::StrAppend(&svg, "  <rect x=\"", x, "\" y=\"", y, "\" width=\"", width,
                    "\" height=\"", kHeight, "\" fill=\"",
                    kSvgColors[cell.color % kColorCount],
                    "\" stroke=\"black\"/>\n");
    const auto lines = static_cast<int64_t>(cell.lines.size());
    for (int64_t line = 0; line < lines; ++line) {
      absl::StrAppend(
          &svg, "  <text x=\"", x + width / 2, "\" y=\"",
          y + kHeight / 2 + 4 + line * kLine - (lines - 1) * kLine / 2, "\">",
          cell.lines[line], "</text>\n");
    }
  }
  return svg + "</svg>\n";
}

}  // namespace lockstep::internal
