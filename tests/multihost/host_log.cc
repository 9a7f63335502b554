#include "tests/multihost/host_log.h"

#include <fstream>
#include <iterator>

#include "absl/strings/numbers.h"
#include "absl/strings/str_split.h"

namespace lockstep::internal {
namespace {

HostLog::Event Parse(absl::string_view line) {
  HostLog::Event event;
  const std::vector<std::string> time_and_text =
      absl::StrSplit(line, absl::MaxSplits(' ', 1));
  int64_t micros = 0;
  if (time_and_text.size() < 2 ||
      !absl::SimpleAtoi(time_and_text[0], &micros)) {
    event.text = std::string(line);
    return event;
  }
  event.time = absl::FromUnixMicros(micros);
  event.text = time_and_text[1];
  const std::vector<std::string> words = absl::StrSplit(event.text, ' ');
  event.kind = words[0];
  if (words.size() > 1 && !absl::SimpleAtoi(words[1], &event.batch)) {
    event.batch = 0;
  }
  const size_t place = event.kind == "failed" ? 2 : 3;
  int64_t millis = 0;
  if ((event.kind == "failed" || event.kind == "differ") &&
      words.size() > place && absl::SimpleAtoi(words[place], &millis)) {
    event.took = absl::Milliseconds(millis);
  }
  return event;
}

}  // namespace

std::vector<HostLog::Event> HostLog::Read() {
  std::ifstream file(path_, std::ios::binary);
  file.seekg(static_cast<std::streamoff>(offset_));
  std::string text((std::istreambuf_iterator<char>(file)), {});
  // A line that is being written comes with the next Read.
  const size_t end = text.rfind('\n');
  if (end == std::string::npos) return {};
  text.resize(end);
  offset_ += end + 1;
  std::vector<Event> fresh;
  for (absl::string_view line : absl::StrSplit(text, '\n')) {
    fresh.push_back(Parse(line));
  }
  events_.insert(events_.end(), fresh.begin(), fresh.end());
  return fresh;
}

}  // namespace lockstep::internal
