#include "client/bench/device_bench.h"

#include <deque>
#include <memory>
#include <optional>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "client/bench/bench_programs.h"
#include "client/bench/device_limits.h"
#include "client/bench/repeated_timing.h"
#include "runtime/base/status.h"
#include "runtime/devices/transfers.h"
#include "runtime/worker/local_control_plane.h"
#include "runtime/worker/worker.h"

namespace lockstep::internal {
namespace {

// Launches that are queued and not known to be over: results take memory.
constexpr size_t kMostLaunches = 8;

// One run of the measurements.
class Measuring {
 public:
  static absl::StatusOr<std::unique_ptr<Measuring>> Begin(
      const DeviceBenchOptions& options,
      const std::function<void(const std::string& name)>& begins) {
    Worker::Options worker_options;
    worker_options.backend = options.backend;
    worker_options.platform = options.platform;
    worker_options.cache_directory = options.cache_directory;
    worker_options.local_device_count = options.devices;
    worker_options.local_devices = options.local_devices;
    ASSIGN_OR_RETURN(auto worker,
                     Worker::Create(std::move(worker_options),
                                    std::make_unique<LocalControlPlane>()));
    return std::unique_ptr<Measuring>(
        new Measuring(options, begins, std::move(worker)));
  }

  absl::StatusOr<DeviceBench> Run() {
    LocalDevice& device = this->device();
    bench_.device = absl::StrCat(device.name(), " (", device.info().kind, ")");
    // GPUs need more than their cache holds; what a CPU does with one thread
    // ends sooner with less.
    const bool is_gpu = device.info().memory_bytes > 0;
    const int64_t side = options_.side > 0 ? options_.side
                         : is_gpu          ? 8192
                                           : 2048;
    RETURN_IF_ERROR(MeasureLaunch());
    RETURN_IF_ERROR(MeasureHostCopies(side * side * 4));
    for (const BenchProgram& program : MemoryPrograms(side)) {
      RETURN_IF_ERROR(MeasureBandwidth(program, side * side * 4));
    }
    const int64_t product_side = is_gpu ? side : std::min<int64_t>(side, 1024);
    for (const char* type : {"f32", "bf16"}) {
      RETURN_IF_ERROR(MeasureProduct(product_side, type, false));
      RETURN_IF_ERROR(MeasureProduct(product_side, type, true));
    }
    RETURN_IF_ERROR(MeasureCollectives());
    RETURN_IF_ERROR(worker_->Shutdown());
    if (bench_.measurements.empty()) {
      return absl::NotFoundError(absl::StrCat(
          "no measurement has \"", options_.filter, "\" in its name"));
    }
    return std::move(bench_);
  }

 private:
  Measuring(const DeviceBenchOptions& options,
            const std::function<void(const std::string& name)>& begins,
            std::unique_ptr<Worker> worker)
      : options_(options), begins_(begins), worker_(std::move(worker)) {}

  LocalDevice& device() const {
    return *worker_->local_device(GlobalDeviceId(0));
  }

  bool IsWanted(const std::string& name) const {
    return absl::StrContains(name, options_.filter);
  }
  bool Begins(const std::string& name) {
    if (!IsWanted(name)) return false;
    begins_(name);
    return true;
  }

  absl::StatusOr<std::shared_ptr<LoadedProgram>> Load(const std::string& name,
                                                      const std::string& text,
                                                      int devices = 1) {
    ProgramSpec spec;
    spec.name = name;
    spec.text = text;
    spec.assignment = DeviceAssignment::Iota(devices, 1);
    return Annotated(worker_->Load(std::move(spec)), name);
  }

  template <typename T>
  static absl::StatusOr<T> Annotated(absl::StatusOr<T> value,
                                     const std::string& name) {
    if (!value.ok()) return Annotate(value.status(), name);
    return value;
  }

  // One argument list, made on the device.
  absl::StatusOr<std::vector<std::shared_ptr<Buffer>>> MakeArguments(
      const BenchProgram& program) {
    std::vector<std::shared_ptr<Buffer>> arguments;
    for (const std::string& type : program.arguments) {
      ASSIGN_OR_RETURN(const auto maker,
                       Load("argument", ArgumentProgram(type)));
      ASSIGN_OR_RETURN(ShardLists made, worker_->Launch(maker, {{}}));
      RETURN_IF_ERROR(made[0][0]->Await());
      arguments.push_back(std::move(made[0][0]));
    }
    return arguments;
  }

  absl::StatusOr<double> SecondsPerLaunch(
      const std::shared_ptr<LoadedProgram>& program,
      const ShardLists& arguments) {
    return SecondsPerTurn([&](int turns) -> absl::Status {
      std::deque<ShardLists> under_way;
      for (int i = 0; i < turns; ++i) {
        if (under_way.size() == kMostLaunches) {
          RETURN_IF_ERROR(AwaitAll(under_way.front()));
          under_way.pop_front();
        }
        ASSIGN_OR_RETURN(under_way.emplace_back(),
                         worker_->Launch(program, arguments));
      }
      for (const ShardLists& results : under_way) {
        RETURN_IF_ERROR(AwaitAll(results));
      }
      return absl::OkStatus();
    });
  }

  static absl::Status AwaitAll(const ShardLists& lists) {
    for (const auto& list : lists) {
      for (const auto& buffer : list) RETURN_IF_ERROR(buffer->Await());
    }
    return absl::OkStatus();
  }

  // What could be reached; nullopt: not known.
  struct Limit {
    std::optional<double> rate;
    std::string name;
  };

  // As operations, bytes or launches in a second, by what counts.
  void Add(const BenchProgram& program, double seconds, const Limit& limit) {
    Measurement measured = {.name = program.name,
                            .size = program.size,
                            .seconds = seconds,
                            .amount = 1,
                            .unit = "launches/s",
                            .limit = limit.rate,
                            .limit_name = limit.rate ? limit.name : ""};
    if (program.operations > 0) {
      measured.amount = program.operations;
      measured.unit = "TFLOP/s";
    } else if (program.bytes > 0) {
      measured.amount = program.bytes;
      measured.unit = "GB/s";
    }
    bench_.measurements.push_back(std::move(measured));
  }

  absl::StatusOr<Limit> CopyLimit(int64_t bytes) {
    if (!copy_rate_) {
      ASSIGN_OR_RETURN(copy_rate_, CopyRate(device(), bytes));
    }
    return Limit{copy_rate_, "copy within the device"};
  }

  absl::Status MeasureLaunch() {
    const BenchProgram program = SmallestProgram();
    if (!Begins(program.name)) return absl::OkStatus();
    ASSIGN_OR_RETURN(const auto loaded, Load(program.name, program.text));
    ASSIGN_OR_RETURN(auto arguments, MakeArguments(program));
    ASSIGN_OR_RETURN(const double seconds,
                     SecondsPerLaunch(loaded, {std::move(arguments)}));
    ASSIGN_OR_RETURN(const std::optional<double> limit,
                     EventsPerSecond(device()));
    Add(program, seconds, {limit, "moments of the queue"});
    return absl::OkStatus();
  }

  absl::Status MeasureHostCopies(int64_t bytes) {
    BenchProgram from_host;
    from_host.name = "copy from host";
    from_host.size = absl::StrCat(bytes >> 20, " MiB");
    from_host.bytes = static_cast<double>(bytes);
    BenchProgram to_host = from_host;
    to_host.name = "copy to host";
    if (!IsWanted(from_host.name) && !IsWanted(to_host.name)) {
      return absl::OkStatus();
    }
    ASSIGN_OR_RETURN(const std::optional<HostCopyRates> limits,
                     PinnedCopyRates(device(), bytes));
    ASSIGN_OR_RETURN(const auto memory, device().Allocate(bytes));
    std::vector<std::byte> host(static_cast<size_t>(bytes), std::byte{1});
    DeviceQueue& queue = device().transfer_queue();
    FirstFailure scope;
    const auto measure = [&](const BenchProgram& program,
                             std::optional<double> limit,
                             absl::FunctionRef<void()> copy) -> absl::Status {
      if (!Begins(program.name)) return absl::OkStatus();
      ASSIGN_OR_RETURN(const double seconds,
                       SecondsPerTurn([&](int turns) -> absl::Status {
                         for (int i = 0; i < turns; ++i) copy();
                         const auto event = queue.Record(scope);
                         if (event != nullptr) RETURN_IF_ERROR(event->Await());
                         return scope.status();
                       }));
      Add(program, seconds, {limit, "pinned copy by the driver"});
      return absl::OkStatus();
    };
    RETURN_IF_ERROR(measure(
        from_host, limits ? std::optional(limits->to_device) : std::nullopt,
        [&] { queue.CopyFromHost(scope, memory->address(), host.data()); }));
    return measure(
        to_host, limits ? std::optional(limits->to_host) : std::nullopt,
        [&] { queue.CopyToHost(scope, host.data(), memory->address()); });
  }

  absl::Status MeasureBandwidth(const BenchProgram& program, int64_t bytes) {
    if (!Begins(program.name)) return absl::OkStatus();
    ASSIGN_OR_RETURN(const Limit limit, CopyLimit(bytes));
    ASSIGN_OR_RETURN(const auto loaded, Load(program.name, program.text));
    ASSIGN_OR_RETURN(auto arguments, MakeArguments(program));
    ASSIGN_OR_RETURN(const double seconds,
                     SecondsPerLaunch(loaded, {std::move(arguments)}));
    Add(program, seconds, limit);
    return absl::OkStatus();
  }

  absl::Status MeasureProduct(int64_t side, const std::string& type,
                              bool has_activation) {
    const BenchProgram program = has_activation
                                     ? MatrixProductWithActivation(side, type)
                                     : MatrixProduct(side, type);
    if (!Begins(program.name)) return absl::OkStatus();
    ASSIGN_OR_RETURN(const auto loaded, Load(program.name, program.text));
    ASSIGN_OR_RETURN(const auto arguments, MakeArguments(program));
    ASSIGN_OR_RETURN(const double seconds,
                     SecondsPerLaunch(loaded, {arguments}));
    MatrixOperands operands;
    ASSIGN_OR_RETURN(operands.lhs, arguments[0]->Memory());
    ASSIGN_OR_RETURN(operands.rhs, arguments[1]->Memory());
    if (has_activation) {
      ASSIGN_OR_RETURN(operands.bias, arguments[2]->Memory());
    }
    ASSIGN_OR_RETURN(const std::optional<double> limit,
                     CublasLtRate(device(), side, type, operands));
    Add(program, seconds, {limit, "cuBLASLt"});
    return absl::OkStatus();
  }

  absl::Status MeasureCollectives() {
    const int devices = worker_->world().device_count();
    if (devices < 2) return absl::OkStatus();
    for (const int64_t mebibytes : {1, 64}) {
      const int64_t bytes = mebibytes << 20;
      const BenchProgram program = AllReduceProgram(bytes, devices);
      if (!Begins(program.name)) continue;
      ASSIGN_OR_RETURN(const auto loaded,
                       Load(program.name, program.text, devices));
      ShardLists arguments;
      for (int i = 0; i < devices; ++i) {
        const Shape& shape = loaded->argument_shapes()[0];
        ASSIGN_OR_RETURN(arguments.emplace_back().emplace_back(),
                         worker_->Put(Literal(shape), GlobalDeviceId(i)));
      }
      ASSIGN_OR_RETURN(const double seconds,
                       SecondsPerLaunch(loaded, arguments));
      ASSIGN_OR_RETURN(const Limit limit, CopyLimit(bytes));
      Add(program, seconds, limit);
    }
    return absl::OkStatus();
  }

  const DeviceBenchOptions& options_;
  const std::function<void(const std::string& name)>& begins_;
  const std::unique_ptr<Worker> worker_;
  DeviceBench bench_;
  std::optional<double> copy_rate_;  // once it was needed
};

}  // namespace

absl::StatusOr<DeviceBench> MeasureDevice(
    const DeviceBenchOptions& options,
    const std::function<void(const std::string& name)>& begins) {
  ASSIGN_OR_RETURN(const auto measuring, Measuring::Begin(options, begins));
  return measuring->Run();
}

}  // namespace lockstep::internal
