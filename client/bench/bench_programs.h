#ifndef LOCKSTEP_CLIENT_BENCH_BENCH_PROGRAMS_H_
#define LOCKSTEP_CLIENT_BENCH_BENCH_PROGRAMS_H_

#include <cstdint>
#include <string>
#include <vector>

namespace lockstep::internal {

// A StableHLO program on one device, and what a launch of it does at least.
struct BenchProgram {
  std::string name;  // "softmax f32"
  std::string size;  // "8192x8192"
  std::string text;
  // Types of its arguments: "8192x8192xf32".
  std::vector<std::string> arguments;
  // Of memory, each argument read and each result written once; 0: what counts
  // is `operations`.
  double bytes = 0;
  double operations = 0;  // a multiplication and an addition are two
};

// Those that memory limits, on matrices of side x side: elementwise chains,
// broadcasts, rows (softmax, layer norm), sums, transposes.
std::vector<BenchProgram> MemoryPrograms(int64_t side);

// A product of two matrices of side x side, of type "f32" or "bf16".
BenchProgram MatrixProduct(int64_t side, const std::string& type);
// The same with a bias for each column and a relu behind it.
BenchProgram MatrixProductWithActivation(int64_t side, const std::string& type);

// One number plus one.
BenchProgram SmallestProgram();

// The sum of `bytes` bytes of f32 over `devices` replicas.
BenchProgram AllReduceProgram(int64_t bytes, int devices);

// Makes an argument of such a type: numbers between -1 and 1, no two
// neighbours the same.
std::string ArgumentProgram(const std::string& type);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_CLIENT_BENCH_BENCH_PROGRAMS_H_
