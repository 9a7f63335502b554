#include "runtime/backends/cuda/cuda_kernel_compiler.h"

#include <algorithm>
#include <atomic>
#include <optional>
#include <thread>
#include <utility>

#include "absl/strings/str_cat.h"
#include "runtime/backends/cuda/codegen/kernel_program.h"
#include "runtime/backends/cuda/codegen/nvrtc_compiler.h"
#include "runtime/base/status.h"
#include "runtime/kernels/kernels_in_use.h"

namespace lockstep::internal {

CudaKernelCompiler::CudaKernelCompiler(std::string cache_directory,
                                       std::string target, std::string compiler)
    : cache_(std::move(cache_directory)),
      target_(std::move(target)),
      compiler_(std::move(compiler)) {}

std::shared_ptr<const CudaKernel> CudaKernelCompiler::Add(
    const KernelGraph& graph) {
  auto [it, is_new] = added_.try_emplace(graph.fingerprint);
  if (!is_new) return it->second;
  it->second = KernelsInUse<CudaKernel>::Get().Find(graph.fingerprint);
  if (it->second != nullptr) return it->second;
  std::optional<KernelProgram> program = WriteKernel(graph);
  if (!program.has_value()) return nullptr;
  Pending pending;
  pending.fingerprint = graph.fingerprint;
  pending.text = std::move(program->text);
  program->text.clear();
  pending.kernel = std::make_shared<CudaKernel>(*std::move(program));
  it->second = pending.kernel;
  pending_.push_back(std::move(pending));
  return it->second;
}

std::string CudaKernelCompiler::CacheKey(const Pending& pending) const {
  return absl::StrCat(compiler_, "\n", target_, "\n", pending.text);
}

absl::Status CudaKernelCompiler::Compile(const Pending& pending) const {
  if (auto cached = cache_.Find(CacheKey(pending))) {
    pending.kernel->set_code(std::move(cached->object));
    return absl::OkStatus();
  }
  ASSIGN_OR_RETURN(std::string code, CompileCudaText(pending.text, target_));
  cache_.Insert(CacheKey(pending),
                {pending.kernel->program().launches[0].blocks, code});
  pending.kernel->set_code(std::move(code));
  return absl::OkStatus();
}

absl::Status CudaKernelCompiler::Finish() {
  std::vector<absl::Status> outcomes(pending_.size());
  std::atomic<size_t> next = 0;
  const auto work = [&] {
    for (size_t i; (i = next.fetch_add(1)) < pending_.size();) {
      outcomes[i] = Compile(pending_[i]);
    }
  };
  std::vector<std::thread> helpers;
  const size_t cores = std::max(1u, std::thread::hardware_concurrency());
  for (size_t i = 1; i < std::min(cores, pending_.size()); ++i) {
    helpers.emplace_back(work);
  }
  work();
  for (std::thread& helper : helpers) helper.join();
  for (size_t i = 0; i < pending_.size(); ++i) {
    RETURN_IF_ERROR(outcomes[i]);
    KernelsInUse<CudaKernel>::Get().Insert(pending_[i].fingerprint,
                                           pending_[i].kernel);
  }
  pending_.clear();
  return absl::OkStatus();
}

}  // namespace lockstep::internal
