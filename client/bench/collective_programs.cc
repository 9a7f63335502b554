#include "client/bench/collective_programs.h"

#include <cstdint>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/substitute.h"

namespace lockstep::internal {
namespace {

std::string TensorText(int64_t count, ElementType type) {
  return absl::StrCat("tensor<", count, "x", StablehloName(type), ">");
}

// "dense<[[0, 1, 2]]> : tensor<1x3xi64>".
std::string AllRanks(int ranks) {
  std::string group;
  for (int i = 0; i < ranks; ++i) absl::StrAppend(&group, i ? ", " : "", i);
  return absl::StrCat("dense<[[", group, "]]> : tensor<1x", ranks, "xi64>");
}

std::string ToTheNext(int ranks) {
  std::string pairs;
  for (int i = 0; i < ranks; ++i) {
    absl::StrAppend(&pairs, i ? ", " : "", "[", i, ", ", (i + 1) % ranks, "]");
  }
  return absl::StrCat("dense<[", pairs, "]> : tensor<", ranks, "x2xi64>");
}

// "stablehlo.all_gather" and its attributes.
std::pair<std::string, std::string> NameAndAttributes(const CollectiveCase& c) {
  const std::string groups =
      absl::StrCat("replica_groups = ", AllRanks(c.ranks));
  switch (c.kind.op) {
    case CollectiveKind::Op::kAllReduce:
      return {"stablehlo.all_reduce", groups};
    case CollectiveKind::Op::kAllGather:
      return {"stablehlo.all_gather",
              absl::StrCat("all_gather_dim = 0 : i64, ", groups)};
    case CollectiveKind::Op::kReduceScatter:
      return {"stablehlo.reduce_scatter",
              absl::StrCat(groups, ", scatter_dimension = 0 : i64")};
    case CollectiveKind::Op::kAllToAll:
      return {"stablehlo.all_to_all",
              absl::StrCat("concat_dimension = 0 : i64, ", groups,
                           ", split_count = ", c.ranks,
                           " : i64, split_dimension = 0 : i64")};
    case CollectiveKind::Op::kPermute:
      return {"stablehlo.collective_permute",
              absl::StrCat("source_target_pairs = ", ToTheNext(c.ranks))};
    case CollectiveKind::Op::kBroadcast:
      return {"stablehlo.collective_broadcast", groups};
  }
  return {};
}

std::string Region(const CollectiveCase& c) {
  if (c.kind.redop != "sum") return "";
  return absl::Substitute(R"( ({
        ^bb0(%a: tensor<$0>, %b: tensor<$0>):
          %s = stablehlo.add %a, %b : tensor<$0>
          stablehlo.return %s : tensor<$0>
        }))",
                          StablehloName(c.type));
}

std::string Module(const std::string& name, int ranks, std::string body) {
  return absl::StrCat(
      "module @", name, " attributes {mhlo.num_replicas = ", ranks,
      " : i32, mhlo.num_partitions = 1 : i32} {\n", body, "}\n");
}

}  // namespace

std::string CollectiveProgram(const CollectiveCase& c) {
  const std::string operand = TensorText(c.operand_count(), c.type);
  const std::string result = TensorText(c.result_count(), c.type);
  const auto [name, attributes] = NameAndAttributes(c);
  // The barrier gives the operand when there is the result before it. The first
  // one is made of an argument: a constant would be as large.
  std::string turn;
  for (int i = 0; i < kCollectivesPerTurn; ++i) {
    absl::StrAppend(&turn, "        %b", i,
                    ":2 = stablehlo.optimization_barrier %x, %y", i, " : ",
                    operand, ", ", result, "\n        %y", i + 1, " = \"", name,
                    "\"(%b", i, "#0) <{", attributes, "}>", Region(c), " : (",
                    operand, ") -> ", result, "\n");
  }
  return Module(c.kind.name, c.ranks,
                absl::Substitute(R"(
  func.func @main(%x: $0, %turns: tensor<i32>) -> $1 {
    %zero = stablehlo.constant dense<0> : tensor<i32>
    %one = stablehlo.constant dense<1> : tensor<i32>
    %z = stablehlo.convert %turns : (tensor<i32>) -> tensor<$2>
    %first = stablehlo.broadcast_in_dim %z, dims = [] : (tensor<$2>) -> $1
    %r:2 = stablehlo.while(%i = %zero, %y0 = %first) : tensor<i32>, $1
      cond {
        %p = stablehlo.compare LT, %i, %turns : (tensor<i32>, tensor<i32>) -> tensor<i1>
        stablehlo.return %p : tensor<i1>
      } do {
$3        %j = stablehlo.add %i, %one : tensor<i32>
        stablehlo.return %j, %y$4 : tensor<i32>, $1
      }
    return %r#1 : $1
  }
)",
                                 operand, result, StablehloName(c.type), turn,
                                 kCollectivesPerTurn));
}

std::string OperandProgram(const CollectiveCase& c) {
  return Module(
      "operand", c.ranks,
      absl::Substitute(R"(
  func.func @main() -> $0 {
    %step = stablehlo.constant dense<$2> : tensor<i32>
    %modulus = stablehlo.constant dense<$3> : tensor<i32>
    %id = stablehlo.replica_id : tensor<ui32>
    %rank = stablehlo.convert %id : (tensor<ui32>) -> tensor<i32>
    %first = stablehlo.multiply %rank, %step : tensor<i32>
    %f = stablehlo.broadcast_in_dim %first, dims = [] : (tensor<i32>) -> $1
    %m = stablehlo.broadcast_in_dim %modulus, dims = [] : (tensor<i32>) -> $1
    %i = stablehlo.iota dim = 0 : $1
    %s = stablehlo.add %i, %f : $1
    %v = stablehlo.remainder %s, %m : $1
    %y = stablehlo.convert %v : ($1) -> $0
    return %y : $0
  }
)",
                       TensorText(c.operand_count(), c.type),
                       TensorText(c.operand_count(), ElementType::kS32),
                       CollectiveCase::kRankStep, c.modulus()));
}

std::string NumberProgram(int ranks) {
  return Module("number", ranks, R"(
  func.func @main(%n: tensor<i32>) -> tensor<i32> {
    return %n : tensor<i32>
  }
)");
}

}  // namespace lockstep::internal
