#include "tests/cuda_emulation/module.h"

#include <dlfcn.h>
#include <link.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>

#include "tests/cuda_emulation/block_runner.h"
#include "tests/cuda_emulation/cubin.h"
#include "tests/cuda_emulation/fault_guard.h"
#include "tests/cuda_emulation/memory_map.h"

namespace lockstep::internal::cuda {
namespace {

using lockstep_emulation::Index;
using lockstep_emulation::Kernel;
using lockstep_emulation::Program;
using lockstep_emulation::Registers;

constexpr int kGarbage = 0xff;

// A name of its own for each: dlopen knows libraries by their names.
std::string NewPath() {
  static std::atomic<int> count{0};
  const char* folder = std::getenv("TEST_TMPDIR");
  if (folder == nullptr) folder = std::getenv("TMPDIR");
  return std::string(folder == nullptr ? "/tmp" : folder) +
         "/lockstep-module-" + std::to_string(getpid()) + "-" +
         std::to_string(count++) + ".so";
}

size_t UnitsOf(size_t bytes) {
  return (bytes + sizeof(AlignedUnit) - 1) / sizeof(AlignedUnit);
}

struct ThreadVariables {
  const void* symbol;  // In the library.
  const std::byte* begin = nullptr;
  size_t bytes = 0;
};

// Fills in `data`, the calling thread's variables of the library of its symbol.
int FindThreadVariables(dl_phdr_info* info, size_t, void* data) {
  auto* variables = static_cast<ThreadVariables*>(data);
  auto symbol = reinterpret_cast<uintptr_t>(variables->symbol);
  bool is_inside = false;
  size_t bytes = 0;
  for (int i = 0; i < info->dlpi_phnum; ++i) {
    const auto& header = info->dlpi_phdr[i];
    uintptr_t begin = info->dlpi_addr + header.p_vaddr;
    if (header.p_type == PT_TLS) bytes = header.p_memsz;
    if (header.p_type == PT_LOAD && symbol >= begin &&
        symbol < begin + header.p_memsz) {
      is_inside = true;
    }
  }
  if (!is_inside) return 0;
  variables->begin = static_cast<const std::byte*>(info->dlpi_tls_data);
  variables->bytes = bytes;
  return 1;
}

}  // namespace

std::shared_ptr<EmulatedModule> EmulatedModule::Load(const void* image) {
  CubinHeader header;
  std::memcpy(&header, image, sizeof(header));
  if (header.magic != CubinHeader::kMagic) return nullptr;
  std::string path = NewPath();
  std::ofstream file(path, std::ios::binary);
  file.write(static_cast<const char*>(image) + sizeof(header),
             static_cast<std::streamsize>(header.size));
  file.close();
  void* library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  unlink(path.c_str());
  if (library == nullptr) {
    std::fprintf(stderr, "cuda_emulation: %s\n", dlerror());
    return nullptr;
  }
  auto* program =
      static_cast<const Program*>(dlsym(library, "lockstep_emulated_program"));
  if (program == nullptr) {
    dlclose(library);
    return nullptr;
  }
  *program->runtime = BlockRunner::runtime();
  return std::shared_ptr<EmulatedModule>(new EmulatedModule(library, program));
}

EmulatedModule::EmulatedModule(void* library, const Program* program)
    : library_(library), program_(program) {
  FindSharedMemory();
}

EmulatedModule::~EmulatedModule() { dlclose(library_); }

void EmulatedModule::FindSharedMemory() {
  // Its address must be asked for first: the variables are made on first use.
  auto* registers = reinterpret_cast<const std::byte*>(program_->registers());
  ThreadVariables variables{.symbol = program_};
  dl_iterate_phdr(FindThreadVariables, &variables);
  if (variables.begin == nullptr || registers < variables.begin) return;
  thread_bytes_ = variables.bytes;
  registers_at_ = static_cast<size_t>(registers - variables.begin);
  shared_bytes_ = thread_bytes_ - sizeof(Registers);
}

void EmulatedModule::SpoilSharedMemory() const {
  if (shared_bytes_ == 0) return;
  auto* registers = reinterpret_cast<std::byte*>(program_->registers());
  std::memset(registers - registers_at_, kGarbage, registers_at_);
  std::memset(registers + sizeof(Registers), kGarbage,
              thread_bytes_ - registers_at_ - sizeof(Registers));
}

const Kernel* EmulatedModule::Find(const std::string& name) const {
  for (int i = 0; i < program_->kernel_count; ++i) {
    if (name == program_->kernels[i].name) return &program_->kernels[i];
  }
  return nullptr;
}

EmulatedKernelLaunch::EmulatedKernelLaunch(
    std::shared_ptr<const EmulatedFunction> function, Index grid, Index block,
    size_t shared_bytes, void** parameters)
    : function(std::move(function)),
      grid(grid),
      block(block),
      shared_bytes(shared_bytes) {
  const Kernel& kernel = *this->function->kernel;
  for (int i = 0; i < kernel.parameter_count; ++i) {
    value_begins.push_back(values.size());
    values.resize(values.size() + UnitsOf(kernel.parameters[i].size));
    std::memcpy(&values[value_begins.back()], parameters[i],
                kernel.parameters[i].size);
  }
}

namespace {

// What a launch needs while it runs; owned by who calls FaultGuard::Run.
struct RunningLaunch {
  const EmulatedKernelLaunch* launch;
  std::vector<void*> parameters;
  std::vector<AlignedUnit> dynamic_shared;
  std::string failure;
};

void RunBlocks(void* data) {
  auto& running = *static_cast<RunningLaunch*>(data);
  const EmulatedKernelLaunch& launch = *running.launch;
  const EmulatedModule& module = *launch.function->module;
  const Kernel& kernel = *launch.function->kernel;
  Registers& registers = *module.program().registers();
  registers.block_size = launch.block;
  registers.grid_size = launch.grid;
  std::vector<AlignedUnit>& dynamic_shared = running.dynamic_shared;
  registers.dynamic_shared = dynamic_shared.data();
  AlignedUnit garbage;
  std::memset(&garbage, kGarbage, sizeof(garbage));
  Index& at = registers.block;
  for (at.z = 0; at.z < launch.grid.z; ++at.z) {
    for (at.y = 0; at.y < launch.grid.y; ++at.y) {
      for (at.x = 0; at.x < launch.grid.x; ++at.x) {
        module.SpoilSharedMemory();
        std::fill(dynamic_shared.begin(), dynamic_shared.end(), garbage);
        if (!module.program().uses_barriers) {
          kernel.run(running.parameters.data());
          continue;
        }
        running.failure = BlockRunner::OfThisThread().Run(
            kernel, running.parameters.data(), registers);
        if (!running.failure.empty()) return;
      }
    }
  }
}

}  // namespace

CUresult EmulatedKernelLaunch::Run() const {
  const Kernel& kernel = *function->kernel;
  std::vector<AlignedUnit> own = values;
  RunningLaunch running{
      .launch = this, .parameters = {}, .dynamic_shared = {}, .failure = ""};
  running.dynamic_shared.resize(UnitsOf(shared_bytes));
  for (int i = 0; i < kernel.parameter_count; ++i) {
    void* value = &own[value_begins[static_cast<size_t>(i)]];
    if (kernel.parameters[i].is_pointer) {
      void* pointer = nullptr;
      std::memcpy(&pointer, value, sizeof(pointer));
      pointer = MemoryMap::Get().KernelPointer(pointer);
      std::memcpy(value, &pointer, sizeof(pointer));
    }
    running.parameters.push_back(value);
  }
  FaultGuard::Outcome outcome = FaultGuard::Run(RunBlocks, &running);
  if (!running.failure.empty()) {
    outcome = {CUDA_ERROR_LAUNCH_FAILED, running.failure};
  }
  if (outcome.result != CUDA_SUCCESS) {
    const Registers& registers = *function->module->program().registers();
    std::fprintf(stderr,
                 "cuda_emulation: kernel %s, block (%u, %u, %u), thread (%u, "
                 "%u, %u): %s\n",
                 kernel.name, registers.block.x, registers.block.y,
                 registers.block.z, registers.thread.x, registers.thread.y,
                 registers.thread.z, outcome.why.c_str());
  }
  return outcome.result;
}

}  // namespace lockstep::internal::cuda
