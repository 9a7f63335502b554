// How fast programs become executables: reading, verifying, passes, splitting
// among devices, and all of it for the cpu backend, with code made anew and
// with code from disk. Medians of several runs; memcpy of the same text stands
// beside reading.
#include <stdlib.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "absl/time/clock.h"
#include "runtime/backends/backend_registry.h"
#include "runtime/frontend/parser.h"
#include "runtime/ir/printer.h"
#include "runtime/ir/shardings.h"
#include "runtime/ir/verifier.h"
#include "runtime/mesh/sharding/tensor_sharding.h"
#include "runtime/passes/partition/partition_module.h"
#include "runtime/passes/pipelines.h"
#include "runtime/worker/program_compiler.h"
#include "tests/benchmark/transformer_text.h"

namespace lockstep::internal {
namespace {

double Seconds(const std::function<void()>& work) {
  const absl::Time start = absl::Now();
  work();
  return absl::ToDoubleSeconds(absl::Now() - start);
}

double MedianSeconds(int runs, const std::function<void()>& work) {
  std::vector<double> seconds;
  for (int i = 0; i < runs; ++i) seconds.push_back(Seconds(work));
  std::nth_element(seconds.begin(), seconds.begin() + runs / 2, seconds.end());
  return seconds[runs / 2];
}

std::unique_ptr<Module> Read(const std::string& text) {
  auto module = ParseAndVerify(text, "benchmark");
  if (module.ok()) return *std::move(module);
  std::fprintf(stderr, "%s\n", module.status().ToString().c_str());
  std::exit(1);
}

size_t CountOps(const Region& region) {
  size_t count = region.ops().size();
  for (const auto& op : region.ops()) {
    for (const auto& nested : op->regions()) count += CountOps(*nested);
  }
  return count;
}
size_t CountOps(const Module& module) {
  size_t count = 0;
  for (const auto& function : module.functions()) {
    count += CountOps(function->body());
  }
  return count;
}

void MeasureReading(const char* what, const std::string& text, int runs) {
  const double read = MedianSeconds(runs, [&] { Read(text); });
  std::string copy(text.size(), ' ');
  const double copied = MedianSeconds(
      runs, [&] { std::memcpy(copy.data(), text.data(), text.size()); });
  const double megabytes = static_cast<double>(text.size()) / 1e6;
  std::printf("%-34s %8.1f MB %9.1f ms %8.0f MB/s  (memcpy %.0f MB/s)\n", what,
              megabytes, 1e3 * read, megabytes / read, megabytes / copied);
}

void MeasurePasses(int layers, int runs) {
  const std::string text = TransformerText(layers);
  const double read = MedianSeconds(runs, [&] { Read(text); });
  std::vector<double> totals;
  std::vector<std::pair<std::string, double>> passes;
  size_t before = 0;
  size_t after = 0;
  for (int i = 0; i < runs; ++i) {
    const std::unique_ptr<Module> module = Read(text);
    before = CountOps(*module);
    passes.clear();
    absl::Time last = absl::Now();
    PassManager::Options options;
    options.after_pass = [&](absl::string_view pass, const Module&) {
      const absl::Time now = absl::Now();
      passes.emplace_back(pass, absl::ToDoubleSeconds(now - last));
      last = now;
    };
    PassManager manager(options);
    AddOptimizationPasses(manager);
    totals.push_back(Seconds([&] {
      if (!manager.Run(*module).ok()) std::exit(1);
    }));
    after = module->functions()[0]->body().ops().size();
  }
  std::sort(totals.begin(), totals.end());
  std::printf(
      "\ntransformer of %d layers: %zu ops, read in %.1f ms, passes %.1f ms, "
      "%zu ops left\n",
      layers, before, 1e3 * read, 1e3 * totals[totals.size() / 2], after);
  for (const auto& [pass, seconds] : passes) {
    std::printf("  %-34s %9.2f ms\n", pass.c_str(), 1e3 * seconds);
  }
}

double CompileSeconds(const std::string& text,
                      const std::string& cache_directory,
                      int32_t partitions = 1) {
  ProgramSpec spec;
  spec.name = "benchmark";
  spec.text = text;
  spec.assignment = DeviceAssignment::Iota(1, partitions);
  Backend* const backend = *FindBackend("cpu");
  // What was compiled is freed at the end: no kernel is left in memory.
  return Seconds([&] {
    auto compiled =
        CompileProgram(spec, *backend, {.cache_directory = cache_directory});
    if (compiled.ok()) return;
    std::fprintf(stderr, "%s\n", compiled.status().ToString().c_str());
    std::exit(1);
  });
}

void MeasureCompiling(int layers, int runs) {
  const std::string text = TransformerText(layers);
  std::string directory =
      (std::filesystem::temp_directory_path() / "lockstep-XXXXXX").string();
  if (mkdtemp(directory.data()) == nullptr) std::exit(1);
  const double first = CompileSeconds(text, directory);
  const auto median = [&](const std::string& cache) {
    std::vector<double> seconds;
    for (int i = 0; i < runs; ++i) {
      seconds.push_back(CompileSeconds(text, cache));
    }
    std::nth_element(seconds.begin(), seconds.begin() + runs / 2,
                     seconds.end());
    return seconds[runs / 2];
  };
  const double cold = median("");
  const double warm = median(directory);
  std::filesystem::remove_all(directory);
  std::printf(
      "\ntransformer of %d layers, %zu ops, for the cpu backend: first %.0f ms "
      "(starts LLVM), cold %.0f ms, from the disk cache %.0f ms\n",
      layers, CountOps(*Read(text)), 1e3 * first, 1e3 * cold, 1e3 * warm);
}

// The transformer over a mesh of data x seq x model. Weights are split in four
// ways that change from layer to layer, so that no two layers are alike.
std::string ShardedTransformer(int layers, int data, int seq, int model) {
  const std::unique_ptr<Module> module = Read(TransformerText(layers));
  const AbstractMesh axes =
      *AbstractMesh::Create({{"data", data}, {"seq", seq}, {"model", model}});
  if (!module->meshes().Add("mesh", *ShardingMesh::Create(axes)).ok()) {
    std::exit(1);
  }
  const PartitionSpec ways[] = {
      PartitionSpec(nullptr, "model"), PartitionSpec("model", nullptr),
      PartitionSpec("data", "model"), PartitionSpec("model", "data")};
  Function& entry = **module->EntryFunction();
  const std::vector<Type> types = entry.argument_types();
  for (size_t i = 0; i < types.size(); ++i) {
    const int64_t rank = types[i].shape().rank();
    if (rank == 1) continue;
    const PartitionSpec& spec =
        rank == 3 ? PartitionSpec("data", "seq") : ways[(i / 2 + i / 16) % 4];
    SetSharding(entry.argument_attributes()[i],
                *ShardingOfSpec(std::string("mesh"), spec, rank));
  }
  return Print(*module);
}

void MeasurePartitioning(int layers, int runs, int data, int seq, int model) {
  const std::string text = ShardedTransformer(layers, data, seq, model);
  std::vector<double> totals;
  std::vector<std::pair<std::string, double>> passes;
  size_t before = 0;
  size_t after = 0;
  for (int i = 0; i < runs; ++i) {
    const std::unique_ptr<Module> module = Read(text);
    before = CountOps(*module);
    passes.clear();
    absl::Time last = absl::Now();
    totals.push_back(Seconds([&] {
      const auto layout =
          PartitionModule(*module, [&](absl::string_view pass, const Module&) {
            const absl::Time now = absl::Now();
            passes.emplace_back(pass, absl::ToDoubleSeconds(now - last));
            last = now;
          });
      if (layout.ok()) return;
      std::fprintf(stderr, "%s\n", layout.status().ToString().c_str());
      std::exit(1);
    }));
    after = CountOps(*module);
  }
  std::sort(totals.begin(), totals.end());
  const int devices = data * seq * model;
  const double compiled = CompileSeconds(text, "", devices);
  std::printf(
      "\ntransformer of %d layers on %d devices: %zu ops, split in %.0f ms "
      "(%zu ops of shards), compiled for the cpu backend in %.0f ms\n",
      layers, devices, before, 1e3 * totals[totals.size() / 2], after,
      1e3 * compiled);
  for (const auto& [pass, seconds] : passes) {
    std::printf("  %-34s %9.2f ms\n", pass.c_str(), 1e3 * seconds);
  }
}

}  // namespace
}  // namespace lockstep::internal

int main() {
  using namespace lockstep::internal;
  MeasureReading("read, constants as hex", HexConstantsText(64), 5);
  MeasureReading("read, a transformer of 50 layers", TransformerText(50), 5);
  MeasureCompiling(29, 5);
  MeasurePasses(35, 5);
  MeasurePasses(1200, 3);
  MeasurePartitioning(29, 3, 2, 2, 2);
  MeasurePartitioning(29, 3, 8, 16, 8);
  MeasurePartitioning(116, 3, 8, 16, 8);
}
