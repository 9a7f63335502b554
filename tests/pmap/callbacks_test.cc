// Callbacks and prints of mapped functions on every backend (spec M-12): the
// host view of a cluster of one, with two devices. `cuda` has emulated GPUs.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstdio>
#include <map>
#include <memory>
#include <ostream>
#include <stdexcept>
#include <string>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/synchronization/mutex.h"
#include "client/arrays/array.h"
#include "client/host/host_view.h"
#include "client/pmap/pmap.h"
#include "client/tracer/ops.h"
#include "runtime/base/status.h"
#include "runtime/types/literal.h"
#include "runtime/worker/local_control_plane.h"
#include "runtime/worker/worker.h"

namespace lockstep::internal {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::UnorderedElementsAre;

constexpr int kDevices = 2;
constexpr char kHere[] = "callbacks_test.cc:";

struct On {
  std::string backend;
  std::string platform;

  friend void PrintTo(const On& on, std::ostream* out) {
    *out << on.backend << " on " << on.platform;
  }
};

// What callbacks saw, by device.
class Seen {
 public:
  void Add(const Literal& device, std::string what) {
    absl::MutexLock lock(&mutex_);
    seen_[device.data<int32_t>()[0]].push_back(std::move(what));
  }
  std::vector<std::string> Of(int device) const {
    absl::MutexLock lock(&mutex_);
    const auto it = seen_.find(device);
    return it == seen_.end() ? std::vector<std::string>() : it->second;
  }

 private:
  mutable absl::Mutex mutex_;
  std::map<int, std::vector<std::string>> seen_ ABSL_GUARDED_BY(mutex_);
};

Literal Plus(const Literal& x, float y) {
  Literal sum = x;
  for (float& value : sum.mutable_data<float>()) value += y;
  return sum;
}

Array Rows() { return Array({0.f, 1.f}); }

std::string Text(const absl::StatusOr<Array>& array) {
  if (!array.ok()) return StatusLine(array.status());
  const absl::StatusOr<std::string> text = array->ToString();
  return text.ok() ? *text : StatusLine(text.status());
}

class CallbacksTest : public ::testing::TestWithParam<On> {
 protected:
  static std::shared_ptr<View> MakeView(const std::string& cache = "") {
    Worker::Options options;
    options.backend = GetParam().backend;
    options.platform = GetParam().platform;
    options.cache_directory = cache;
    options.local_device_count = kDevices;
    options.info.name = "host0";
    auto worker = Worker::Create(std::move(options),
                                 std::make_unique<LocalControlPlane>());
    EXPECT_TRUE(worker.ok()) << worker.status();
    return std::make_shared<HostView>(*std::move(worker));
  }

  template <typename F>
  auto Map(F function, SourceLocation place = SourceLocation::current()) const {
    return pmap(function, {.axis_name = "i", .view = view_}, place);
  }

  const std::shared_ptr<View> view_ = MakeView();
};

INSTANTIATE_TEST_SUITE_P(
    Backends, CallbacksTest,
    ::testing::Values(On{"cpu", "cpu"}, On{"interpreter", "cpu"},
                      On{"cpu", "fake"}, On{"cuda", "cuda"}),
    [](const auto& info) {
      return absl::StrCat(info.param.backend, "_on_", info.param.platform);
    });

TEST_P(CallbacksTest, EachDeviceHasItsOwnValues_M12) {
  Seen seen;
  const auto f = Map([&](Tensor x) {
    return pure_callback(
        [&](const Literal& x, const Literal& device) {
          seen.Add(device, ToString(x));
          return Plus(x, 10);
        },
        x.shape(), {x * 2, axis_index("i")});
  });
  EXPECT_EQ(Text(f(Rows())), "[10. 12.]");
  EXPECT_THAT(seen.Of(0), ElementsAre("0.0"));
  EXPECT_THAT(seen.Of(1), ElementsAre("2.0"));
  // What is compiled calls again.
  EXPECT_EQ(Text(f(Array({5.f, 6.f}))), "[20. 22.]");
  EXPECT_THAT(seen.Of(0), ElementsAre("0.0", "10.0"));
}

TEST_P(CallbacksTest, OrderedOnesKeepTheOrderOfTheProgram_M12) {
  Seen seen;
  const auto f = Map([&](Tensor x) {
    const Tensor device = axis_index("i");
    const auto say = [&](const std::string& what, const Tensor& value) {
      debug_callback(
          [&seen, what](const LiteralList& values) {
            seen.Add(values[0], absl::StrCat(what, ToString(values[1])));
          },
          {device, value}, {.ordered = true});
    };
    say("first ", x);
    const Tensor total = psum(x, "i");
    const TensorList end =
        while_loop([](const TensorList& v) { return v[0] < 3; },
                   [&](const TensorList& v) {
                     say("loop ", v[0]);
                     const Tensor sum = psum(v[1], "i");
                     say("sum ", sum);
                     return TensorList{v[0] + 1, sum};
                   },
                   {constant(0), total});
    const TensorList branch = cond(
        x < 1,
        [&] {
          say("below ", x);
          return TensorList{x};
        },
        [&] {
          say("above ", x);
          return TensorList{x};
        });
    say("last ", end[1]);
    return branch[0] + end[1];
  });
  EXPECT_EQ(Text(f(Rows())), "[8. 9.]");
  EXPECT_THAT(seen.Of(0),
              ElementsAre("first 0.0", "loop 0", "sum 2.0", "loop 1", "sum 4.0",
                          "loop 2", "sum 8.0", "below 0.0", "last 8.0"));
  EXPECT_THAT(seen.Of(1),
              ElementsAre("first 1.0", "loop 0", "sum 2.0", "loop 1", "sum 4.0",
                          "loop 2", "sum 8.0", "above 1.0", "last 8.0"));
}

// A program is its text, and so is machine code on disk; functions are not.
TEST_P(CallbacksTest, EqualProgramsHaveFunctionsOfTheirOwn_M12) {
  const auto mapped = [](const std::shared_ptr<View>& view, float y) {
    return pmap(
        [y](Tensor x) {
          return sqrt(
              pure_callback([y](const Literal& x) { return Plus(x, y); },
                            x.shape(), {x * x}));
        },
        {.view = view});
  };
  const std::string cache =
      absl::StrCat(::testing::TempDir(), "/callbacks_", GetParam().backend);
  const std::shared_ptr<View> first = MakeView(cache);
  const auto f = mapped(first, 0);
  const auto g = mapped(first, 3);
  const Array x({1.f, 1.f});
  EXPECT_EQ(Text(f(x)), "[1. 1.]");
  EXPECT_EQ(Text(g(x)), "[2. 2.]");
  EXPECT_EQ(Text(f(x)), "[1. 1.]");
  EXPECT_EQ(Text(mapped(MakeView(cache), 8)(x)), "[3. 3.]");
}

TEST_P(CallbacksTest, OnlyPureOnesAreLeftOut_M12) {
  Seen seen;
  const auto f = Map([&](Tensor x) {
    const Tensor device = axis_index("i");
    const auto say = [&seen](const std::string& what) {
      return [&seen, what](const Literal& device) {
        seen.Add(device, what);
        return Literal::Scalar(1);
      };
    };
    const Shape scalar(ElementType::kS32, {});
    pure_callback(say("unused"), scalar, {device});
    const Tensor kept = pure_callback(say("never"), scalar, {device});
    while_loop([](const TensorList& v) { return v[0] < 2; },
               [&](const TensorList& v) {
                 pure_callback(say("unused in a loop"), scalar, {device});
                 io_callback(say("io"), scalar, {device});
                 io_callback(say("io"), scalar, {device});
                 return TensorList{v[0] + 1};
               },
               {constant(0)});
    // Not called where the program does not come.
    while_loop([](const TensorList& v) { return v[0] < 0; },
               [&](const TensorList& v) {
                 debug_callback([](const LiteralList&) {}, {v[0]});
                 const Tensor one =
                     pure_callback(say("not there"), scalar, {device});
                 return TensorList{v[0] + one};
               },
               {constant(0)});
    return x + 0 * kept;
  });
  ASSERT_EQ(Text(f(Rows())), "[0. 1.]");
  const std::vector<std::string> io(4, "io");
  for (int device = 0; device < kDevices; ++device) {
    std::vector<std::string> others;
    std::vector<std::string> found;
    for (const std::string& what : seen.Of(device)) {
      (what == "io" ? found : others).push_back(what);
    }
    EXPECT_EQ(found, io);
    EXPECT_THAT(others, ::testing::IsSubsetOf({"never"}));
  }
}

TEST_P(CallbacksTest, AnErrorIsThatOfTheLaunch_M12) {
  Seen seen;
  const auto f = Map([&](Tensor x) {
    const Tensor y = io_callback(
        [](const Literal& x) -> absl::StatusOr<Literal> {
          if (x.data<float>()[0] == 1) return absl::DataLossError("torn");
          return x;
        },
        x.shape(), {x});
    const Tensor sum = psum(y, "i");
    debug_callback([&](const Literal& device) { seen.Add(device, "after"); },
                   {axis_index("i")});
    return sum;
  });
  const std::string error = Text(f(Rows()));
  EXPECT_THAT(error, AllOf(HasSubstr("DATA_LOSS: "), HasSubstr(kHere),
                           HasSubstr(": io_callback: torn")));
  EXPECT_THAT(seen.Of(0), IsEmpty());
  EXPECT_THAT(seen.Of(1), IsEmpty());
  EXPECT_EQ(Text(f(Array({2.f, 3.f}))), "[5. 5.]");
  EXPECT_THAT(seen.Of(1), ElementsAre("after"));
}

TEST_P(CallbacksTest, ExceptionsAndWrongShapesAreErrorsToo_M12) {
  const auto throwing = Map([](Tensor x) {
    return io_callback(
        [](const Literal&) -> Literal { throw std::runtime_error("broken"); },
        x.shape(), {x});
  });
  EXPECT_THAT(Text(throwing(Rows())),
              AllOf(HasSubstr("UNKNOWN: "), HasSubstr(kHere),
                    HasSubstr("io_callback: the callback threw \"broken\"")));
  const auto wrong = Map([](Tensor x) {
    return io_callback(
        [](const Literal&) { return Literal::FromValues<float>({1}, {1}); },
        x.shape(), {x});
  });
  EXPECT_THAT(Text(wrong(Rows())),
              AllOf(HasSubstr("INVALID_ARGUMENT: "),
                    HasSubstr("the callback gave tensor<1xf32> as result 0, "
                              "expected tensor<f32>")));
}

// The values of the other device may be on their way to the host by then.
TEST_P(CallbacksTest, AnErrorComesWheneverItLikes_M12) {
  const auto f = Map([](Tensor x) {
    return io_callback(
        [](const Literal& x) -> absl::StatusOr<Literal> {
          if (x.data<float>()[0] == 1) return absl::DataLossError("torn");
          return x;
        },
        x.shape(), {x});
  });
  for (int i = 0; i < 30; ++i) {
    EXPECT_THAT(Text(f(Rows())), HasSubstr("DATA_LOSS: "));
  }
}

TEST_P(CallbacksTest, ALaunchWithinACallbackIsRefused_M12) {
  const auto inner = Map([](Tensor x) { return x + 1; });
  const auto f = Map([&](Tensor x) {
    return io_callback(
        [&](const Literal& x) -> absl::StatusOr<Literal> {
          const auto y = inner(Rows());
          if (!y.ok()) return y.status();
          return x;
        },
        x.shape(), {x});
  });
  EXPECT_THAT(Text(f(Rows())),
              AllOf(HasSubstr("FAILED_PRECONDITION: "),
                    HasSubstr("a callback cannot launch programs")));
  EXPECT_EQ(Text(inner(Rows())), "[1. 2.]");
}

TEST_P(CallbacksTest, OneMayWaitForThatOfAnotherDevice_M12) {
  absl::Mutex mutex;
  int arrived = 0;
  const auto f = Map([&](Tensor x) {
    return io_callback(
        [&](const Literal& x) -> absl::StatusOr<Literal> {
          absl::MutexLock lock(&mutex);
          ++arrived;
          const auto all = [&] { return arrived >= kDevices; };
          if (!mutex.AwaitWithTimeout(absl::Condition(&all),
                                      absl::Seconds(60))) {
            return absl::DeadlineExceededError("alone");
          }
          return x;
        },
        x.shape(), {x});
  });
  EXPECT_EQ(Text(f(Rows())), "[0. 1.]");
}

TEST_P(CallbacksTest, AFunctionWhoseResultsAreConstantsCallsToo_M12) {
  Seen seen;
  const auto f = Map([&](Tensor x) {
    debug_callback([&](const Literal& device,
                       const Literal& x) { seen.Add(device, ToString(x)); },
                   {axis_index("i"), x});
    return constant(7);
  });
  EXPECT_EQ(Text(f(Rows())), "[7 7]");
  EXPECT_THAT(seen.Of(1), ElementsAre("1.0"));
}

TEST_P(CallbacksTest, ManyResultsOfAllTypesAndNoOperands_M12) {
  const LiteralList values = {Literal::Scalar(true),
                              Literal::FromValues<int64_t>({2}, {1, -1}),
                              Literal(Shape(ElementType::kF32, {0, 3})),
                              Literal::FromValues<double>({1, 1}, {.5})};
  std::vector<Shape> shapes;
  for (const Literal& value : values) shapes.push_back(value.shape());
  const auto f = Map([&](Tensor x) {
    TensorList all = io_callback([&] { return values; }, shapes, {});
    all.push_back(x);
    return all;
  });
  const auto y = f(Rows());
  ASSERT_TRUE(y.ok()) << y.status();
  EXPECT_EQ(Text((*y)[0]), "[ True  True]");
  EXPECT_EQ(Text((*y)[1]), "[[ 1 -1]\n [ 1 -1]]");
  EXPECT_EQ((*y)[2].shape(), Shape(ElementType::kF32, {kDevices, 0, 3}));
  EXPECT_EQ(Text((*y)[3]), "[[[0.5]]\n\n [[0.5]]]");
}

TEST_P(CallbacksTest, PrintsALineForEachDevice_M12) {
  const auto f = Map([](Tensor x) {
    debug_print("{device}: {{x}} is {}, twice {}", x, x + x);
    return x;
  });
  ::testing::internal::CaptureStdout();
  const std::string text = Text(f(Rows()));
  const std::string out = ::testing::internal::GetCapturedStdout();
  EXPECT_EQ(text, "[0. 1.]");
  EXPECT_THAT(absl::StrSplit(out, '\n'),
              UnorderedElementsAre("0: {x} is 0.0, twice 0.0",
                                   "1: {x} is 1.0, twice 2.0", ""));
}

// Standard output as messages, one for each write, while this lives.
class WritesOfStdout {
 public:
  WritesOfStdout() : old_(dup(STDOUT_FILENO)) {
    std::fflush(stdout);
    EXPECT_EQ(socketpair(AF_UNIX, SOCK_SEQPACKET, 0, ends_), 0);
    EXPECT_EQ(dup2(ends_[1], STDOUT_FILENO), STDOUT_FILENO);
  }
  ~WritesOfStdout() {
    std::fflush(stdout);
    dup2(old_, STDOUT_FILENO);
    for (const int file : {old_, ends_[0], ends_[1]}) close(file);
  }
  std::vector<std::string> Take() {
    std::vector<std::string> writes;
    std::string message(1 << 16, '\0');
    while (true) {
      const ssize_t size =
          recv(ends_[0], message.data(), message.size(), MSG_DONTWAIT);
      if (size <= 0) return writes;
      writes.push_back(message.substr(0, static_cast<size_t>(size)));
    }
  }

 private:
  const int old_;
  int ends_[2] = {-1, -1};
};

TEST_P(CallbacksTest, APrintIsOneWrite_M12) {
  constexpr int64_t kSize = 1000;  // more text than stdout has room for
  const auto f = Map([](Tensor x) {
    debug_print("x is {}", broadcast_to(x, {kSize}) + 0.125);
    return x;
  });
  std::vector<std::string> writes;
  std::string text;
  {
    WritesOfStdout out;
    std::fputs("before; ", stdout);
    text = Text(f(Rows()));
    writes = out.Take();
  }
  EXPECT_EQ(text, "[0. 1.]");
  ASSERT_EQ(writes.size(), 1u + kDevices);
  EXPECT_EQ(writes[0], "before; ");
  for (int device = 1; device <= kDevices; ++device) {
    EXPECT_THAT(writes[device], ::testing::StartsWith("x is ["));
    EXPECT_THAT(writes[device], ::testing::EndsWith("]\n"));
    EXPECT_GT(writes[device].size(), 5u * kSize);
  }
}

}  // namespace
}  // namespace lockstep::internal
