#include "coordinator/meetings/agreement_difference.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"

namespace lockstep::internal {
namespace {

constexpr size_t kShownBytes = 160;

// `text` around byte `center`, in quotes.
std::string Excerpt(absl::string_view text, size_t center) {
  if (text.size() <= kShownBytes) return absl::StrCat("'", text, "'");
  const size_t start =
      center < kShownBytes / 2
          ? 0
          : std::min(center - kShownBytes / 2, text.size() - kShownBytes);
  return absl::StrCat(start > 0 ? "'..." : "'", text.substr(start, kShownBytes),
                      start + kShownBytes < text.size() ? "...'" : "'");
}

size_t FirstDifference(absl::string_view a, absl::string_view b) {
  return std::mismatch(a.begin(), a.end(), b.begin(), b.end()).first -
         a.begin();
}

struct Group {
  std::vector<HostRef> hosts;
  const AgreementRecord* record;
};

std::string ValueDifference(const std::string& field, const std::string& a,
                            const std::string& b, const std::string& hosts_a,
                            const std::string& hosts_b) {
  const std::vector<absl::string_view> lines_a = absl::StrSplit(a, '\n');
  const std::vector<absl::string_view> lines_b = absl::StrSplit(b, '\n');
  size_t line = 0;
  while (line < lines_a.size() && line < lines_b.size() &&
         lines_a[line] == lines_b[line]) {
    ++line;
  }
  std::string where;
  if (lines_a.size() > 1 || lines_b.size() > 1) {
    where = absl::StrCat(", line ", line + 1);
  }
  const absl::string_view left =
      line < lines_a.size() ? lines_a[line] : "(the text has ended)";
  const absl::string_view right =
      line < lines_b.size() ? lines_b[line] : "(the text has ended)";
  const size_t column = FirstDifference(left, right);
  return absl::StrCat("first difference in ", field, where, ": ", hosts_a,
                      " has ", Excerpt(left, column), ", ", hosts_b, " has ",
                      Excerpt(right, column));
}

std::string ParticipantText(const AgreementRecord& record) {
  if (record.participants.empty()) return "all hosts";
  return absl::StrJoin(record.participants, ",",
                       [](std::string* out, HostId host) {
                         absl::StrAppend(out, host.value());
                       });
}

std::string FirstFieldDifference(const AgreementRecord& a,
                                 const AgreementRecord& b,
                                 const std::string& hosts_a,
                                 const std::string& hosts_b) {
  if (a.program != b.program) {
    return ValueDifference("program name", a.program, b.program, hosts_a,
                           hosts_b);
  }
  for (size_t i = 0; i < std::max(a.fields.size(), b.fields.size()); ++i) {
    const AgreementRecord::Field none{"(no field)", ""};
    const auto& field_a = i < a.fields.size() ? a.fields[i] : none;
    const auto& field_b = i < b.fields.size() ? b.fields[i] : none;
    if (field_a.name != field_b.name) {
      return ValueDifference("the list of fields", field_a.name, field_b.name,
                             hosts_a, hosts_b);
    }
    if (field_a.value != field_b.value) {
      return ValueDifference(field_a.name, field_a.value, field_b.value,
                             hosts_a, hosts_b);
    }
  }
  return ValueDifference("participants", ParticipantText(a), ParticipantText(b),
                         hosts_a, hosts_b);
}

}  // namespace

bool AreEqual(const AgreementRecord& a, const AgreementRecord& b) {
  return a.program == b.program && a.participants == b.participants &&
         a.fields == b.fields && a.digest == b.digest;
}

std::string AgreementDifference(std::vector<HostRecord> records) {
  // Records are in the order in which hosts came, which differs by run.
  std::sort(records.begin(), records.end(),
            [](const HostRecord& a, const HostRecord& b) {
              return a.host.id < b.host.id;
            });
  std::vector<Group> groups;
  for (const HostRecord& record : records) {
    auto group =
        std::find_if(groups.begin(), groups.end(), [&](const Group& group) {
          return AreEqual(*group.record, record.record);
        });
    if (group == groups.end()) {
      groups.push_back({{}, &record.record});
      group = groups.end() - 1;
    }
    group->hosts.push_back(record.host);
  }
  if (groups.size() < 2) return "";
  std::stable_sort(groups.begin(), groups.end(),
                   [](const Group& a, const Group& b) {
                     return a.hosts.size() > b.hosts.size();
                   });
  std::vector<std::string> texts;
  for (const Group& group : groups) {
    texts.push_back(absl::StrCat("[", HostList(group.hosts), "]"));
  }
  return absl::StrCat(
      "hosts with equal programs: ", absl::StrJoin(texts, " and "), "; ",
      FirstFieldDifference(*groups[0].record, *groups[1].record,
                           ToString(groups[0].hosts[0]),
                           ToString(groups[1].hosts[0])));
}

}  // namespace lockstep::internal
