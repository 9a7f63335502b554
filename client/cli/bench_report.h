#ifndef LOCKSTEP_CLIENT_CLI_BENCH_REPORT_H_
#define LOCKSTEP_CLIENT_CLI_BENCH_REPORT_H_

#include <string>

#include "client/bench/device_bench.h"

namespace lockstep::internal {

// What `lockstep bench` prints: one JSON object ("device", "measurements" with
// name, size, seconds, rate, unit, limit, limit_name, share; null for what is
// not known), or a table for people.
std::string BenchJson(const DeviceBench& bench);
std::string BenchTable(const DeviceBench& bench);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_CLIENT_CLI_BENCH_REPORT_H_
