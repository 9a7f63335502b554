#include "runtime/mesh/axis_resolution.h"

#include <algorithm>
#include <functional>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "runtime/base/status.h"

namespace lockstep::internal {
namespace {

constexpr size_t kMostHostsNamed = 10;

using Reports = std::vector<const AxisReport*>;

std::string NamesOf(const Reports& reports) {
  std::vector<std::string> names;
  for (const AxisReport* report : reports) {
    if (names.size() == kMostHostsNamed) break;
    names.push_back(absl::StrCat("host ", report->host.value(), " (",
                                 report->host_name, ")"));
  }
  std::string text = absl::StrJoin(names, ", ");
  if (reports.size() > names.size()) {
    absl::StrAppend(&text, " and ", reports.size() - names.size(), " more");
  }
  return text;
}

// One "hosts: text" per different text, in order of their first host; hosts
// without a text are left out.
std::string GroupedByText(
    const Reports& reports,
    const std::function<std::string(const AxisReport&)>& text_of) {
  std::vector<std::pair<std::string, Reports>> groups;
  for (const AxisReport* report : reports) {
    const std::string text = text_of(*report);
    if (text.empty()) continue;
    auto group = std::find_if(groups.begin(), groups.end(),
                              [&](const auto& g) { return g.first == text; });
    if (group == groups.end()) {
      group = groups.insert(groups.end(), {text, {}});
    }
    group->second.push_back(report);
  }
  return absl::StrJoin(groups, "; ", [](std::string* out, const auto& group) {
    absl::StrAppend(out, NamesOf(group.second), ": ", group.first);
  });
}

std::string DevicesText(const AxisReport& report) {
  if (!report.devices.has_value()) return "none";
  return absl::StrCat("[",
                      absl::StrJoin(*report.devices, ", ",
                                    [](std::string* out, GlobalDeviceId id) {
                                      absl::StrAppend(out, id.value());
                                    }),
                      "]");
}

absl::Status CheckAgreement(const Reports& reports) {
  for (const AxisReport* report : reports) {
    if (report->devices != reports[0]->devices) {
      return absl::FailedPreconditionError(
          absl::StrCat("pmap: hosts differ in devices: ",
                       GroupedByText(reports, DevicesText)));
    }
  }
  for (const AxisReport* report : reports) {
    if (report->body_replicas != reports[0]->body_replicas) {
      return absl::FailedPreconditionError(absl::StrCat(
          "pmap: hosts differ in the replicas that the mapped body needs: ",
          GroupedByText(reports, [](const AxisReport& r) {
            return r.body_replicas.has_value() ? absl::StrCat(*r.body_replicas)
                                               : "not known";
          })));
    }
  }
  return absl::OkStatus();
}

bool LeavesReplicasOpen(const AxisReport& report) {
  return !report.body_replicas.has_value() && !report.devices.has_value();
}

absl::Status CheckOnHost(const AxisReport& report, const WorldIndex& world) {
  ASSIGN_OR_RETURN(
      const int64_t global_axis_size,
      GlobalAxisSize(report.axis_size, report.devices, world, report.host));
  if (LeavesReplicasOpen(report)) return absl::OkStatus();
  return CheckReplicas(report.axis_size, global_axis_size,
                       report.body_replicas.value_or(1), report.devices, world,
                       report.host);
}

// On a host whose checks pass; the same on each of them.
absl::StatusOr<ResolvedAxis> ResolveOnHost(const AxisReport& report,
                                           const WorldIndex& world) {
  ResolvedAxis axis;
  ASSIGN_OR_RETURN(
      axis.global_axis_size,
      GlobalAxisSize(report.axis_size, report.devices, world, report.host));
  if (LeavesReplicasOpen(report)) {
    axis.num_replicas = axis.global_axis_size;
    for (const Device& device : world.devices()) {
      if (std::ssize(axis.assignment) == axis.num_replicas) break;
      axis.assignment.push_back(device.id);
    }
    return axis;
  }
  ASSIGN_OR_RETURN(
      ReplicaPlacement placement,
      ResolveDeviceAssignment(report.axis_size, axis.global_axis_size,
                              report.body_replicas.value_or(1), report.devices,
                              world, report.host));
  axis.num_replicas = placement.num_replicas;
  axis.assignment = std::move(placement.assignment);
  return axis;
}

}  // namespace

absl::StatusOr<ResolvedAxis> ResolveAxis(absl::Span<const AxisReport> reports,
                                         const WorldIndex& world) {
  if (reports.empty()) {
    return absl::InvalidArgumentError("pmap: no host takes part");
  }
  Reports sorted;
  for (const AxisReport& report : reports) sorted.push_back(&report);
  std::sort(sorted.begin(), sorted.end(),
            [](const AxisReport* a, const AxisReport* b) {
              return a->host < b->host;
            });
  RETURN_IF_ERROR(CheckAgreement(sorted));
  RETURN_IF_ERROR(ValidateDeviceList(sorted[0]->devices, world));

  absl::Status first_failure;
  const std::string failures =
      GroupedByText(sorted, [&](const AxisReport& report) {
        const absl::Status status = CheckOnHost(report, world);
        if (first_failure.ok()) first_failure = status;
        return std::string(status.message());
      });
  if (!first_failure.ok()) return absl::Status(first_failure.code(), failures);
  return ResolveOnHost(*sorted[0], world);
}

absl::Status CheckReport(const AxisReport& report, const AxisReport& first,
                         const WorldIndex& world) {
  RETURN_IF_ERROR(CheckAgreement({&first, &report}));
  RETURN_IF_ERROR(ValidateDeviceList(report.devices, world));
  return CheckOnHost(report, world);
}

}  // namespace lockstep::internal
