#include "tests/benchmark/transformer_text.h"

#include "absl/strings/str_cat.h"
#include "absl/strings/substitute.h"

namespace lockstep::internal {
namespace {

constexpr char kX[] = "tensor<8x128x256xf32>";
constexpr char kRow[] = "tensor<8x128xf32>";
constexpr char kThin[] = "tensor<8x128x1xf32>";
constexpr char kScores[] = "tensor<8x8x128x128xf32>";
constexpr char kHeads[] = "tensor<8x8x128x32xf32>";

class TransformerWriter {
 public:
  std::string Write(int layers) {
    std::string x = "%x";
    for (int i = 0; i < layers; ++i) x = Layer(x);
    return absl::StrCat("func.func @main(%x: ", kX, arguments_, ") -> ", kX,
                        " {\n", text_, "  return ", x, " : ", kX, "\n}\n");
  }

 private:
  std::string Argument(const std::string& type) {
    const std::string name = absl::StrCat("%w", next_++);
    absl::StrAppend(&arguments_, ", ", name, ": ", type);
    return name;
  }
  std::string Emit(const std::string& right) {
    const std::string name = absl::StrCat("%", next_++);
    absl::StrAppend(&text_, "  ", name, " = stablehlo.", right, "\n");
    return name;
  }
  std::string Splat(const char* value, const std::string& type) {
    return Emit(absl::StrCat("constant dense<", value, "> : ", type));
  }
  std::string Unary(const char* op, const std::string& x, const char* type) {
    return Emit(absl::StrCat(op, " ", x, " : ", type));
  }
  std::string Binary(const char* op, const std::string& x, const std::string& y,
                     const char* type) {
    return Emit(absl::StrCat(op, " ", x, ", ", y, " : ", type));
  }
  std::string Broadcast(const std::string& x, const char* dims,
                        const std::string& from, const char* to) {
    return Emit(absl::Substitute("broadcast_in_dim $0, dims = $1 : ($2) -> $3",
                                 x, dims, from, to));
  }
  std::string Scaled(const std::string& x, const char* number,
                     const char* type) {
    return Binary(
        "multiply", x,
        Broadcast(Splat(number, "tensor<f32>"), "[]", "tensor<f32>", type),
        type);
  }
  std::string RowSum(const std::string& x) {
    const std::string zero = Splat("0.0", "tensor<f32>");
    const std::string sum = Emit(absl::Substitute(
        "reduce($0 init: $1) applies stablehlo.add across dimensions = [2] : "
        "($2, tensor<f32>) -> $3",
        x, zero, kX, kRow));
    return Broadcast(sum, "[0, 1]", kRow, kThin);
  }
  std::string Vector(const char* size, const char* type) {
    const std::string vector = absl::StrCat("tensor<", size, "xf32>");
    return Broadcast(Argument(vector), "[2]", vector, type);
  }

  std::string LayerNorm(const std::string& x) {
    const std::string mean = Scaled(RowSum(x), "3.906250e-03", kThin);
    const std::string centred =
        Binary("subtract", x, Broadcast(mean, "[0, 1, 2]", kThin, kX), kX);
    const std::string variance =
        Scaled(RowSum(Binary("multiply", centred, centred, kX)), "3.906250e-03",
               kThin);
    const std::string inverse = Unary("rsqrt", variance, kThin);
    const std::string scaled = Binary(
        "multiply", centred, Broadcast(inverse, "[0, 1, 2]", kThin, kX), kX);
    return Binary("add", Binary("multiply", scaled, Vector("256", kX), kX),
                  Vector("256", kX), kX);
  }

  std::string Dense(const std::string& x, const char* from, const char* to) {
    const std::string x_type = absl::StrCat("tensor<8x128x", from, "xf32>");
    const std::string y_type = absl::StrCat("tensor<8x128x", to, "xf32>");
    const std::string w_type = absl::StrCat("tensor<", from, "x", to, "xf32>");
    const std::string product = Emit(absl::Substitute(
        "dot_general $0, $1, contracting_dims = [2] x [0] : ($2, $3) -> $4", x,
        Argument(w_type), x_type, w_type, y_type));
    return Binary("add", product, Vector(to, y_type.c_str()), y_type.c_str());
  }

  std::string Heads(const std::string& x) {
    const std::string split = Emit(
        absl::Substitute("reshape $0 : ($1) -> tensor<8x128x8x32xf32>", x, kX));
    return Emit(
        absl::Substitute("transpose $0, dims = [0, 2, 1, 3] : "
                         "(tensor<8x128x8x32xf32>) -> $1",
                         split, kHeads));
  }

  std::string Softmax(const std::string& x) {
    const char* const rows = "tensor<8x8x128xf32>";
    const auto reduce = [&](const std::string& of, const char* init,
                            const char* body) {
      const std::string start = Splat(init, "tensor<f32>");
      return Emit(absl::Substitute(
          "reduce($0 init: $1) applies stablehlo.$2 across dimensions = [3] : "
          "($3, tensor<f32>) -> $4",
          of, start, body, kScores, rows));
    };
    const auto back = [&](const std::string& row) {
      const char* const thin = "tensor<8x8x128x1xf32>";
      return Broadcast(Broadcast(row, "[0, 1, 2]", rows, thin), "[0, 1, 2, 3]",
                       thin, kScores);
    };
    const std::string maximum = reduce(x, "0xFF800000", "maximum");
    const std::string e = Unary(
        "exponential", Binary("subtract", x, back(maximum), kScores), kScores);
    return Binary("divide", e, back(reduce(e, "0.0", "add")), kScores);
  }

  std::string Attention(const std::string& x) {
    const std::string q = Heads(Dense(x, "256", "256"));
    const std::string k = Heads(Dense(x, "256", "256"));
    const std::string v = Heads(Dense(x, "256", "256"));
    const std::string scores = Emit(
        absl::Substitute("dot_general $0, $1, batching_dims = [0, 1] x [0, 1], "
                         "contracting_dims = [3] x [3] : ($2, $2) -> $3",
                         q, k, kHeads, kScores));
    const std::string mixed = Emit(absl::Substitute(
        "dot_general $0, $1, batching_dims = [0, 1] x [0, 1], "
        "contracting_dims = [3] x [2] : ($2, $3) -> $3",
        Softmax(Scaled(scores, "0.176776692", kScores)), v, kScores, kHeads));
    const std::string joined = Emit(absl::Substitute(
        "transpose $0, dims = [0, 2, 1, 3] : ($1) -> tensor<8x128x8x32xf32>",
        mixed, kHeads));
    return Dense(
        Emit(absl::Substitute("reshape $0 : (tensor<8x128x8x32xf32>) -> $1",
                              joined, kX)),
        "256", "256");
  }

  std::string Layer(const std::string& x) {
    const std::string y = Binary("add", x, Attention(LayerNorm(x)), kX);
    const char* const wide = "tensor<8x128x1024xf32>";
    const std::string h = Dense(LayerNorm(y), "256", "1024");
    const std::string gate =
        Unary("logistic", Scaled(h, "1.702000e+00", wide), wide);
    return Binary("add", y,
                  Dense(Binary("multiply", h, gate, wide), "1024", "256"), kX);
  }

  std::string arguments_;
  std::string text_;
  int next_ = 0;
};

}  // namespace

std::string TransformerText(int layers) {
  return TransformerWriter().Write(layers);
}

std::string HexConstantsText(int megabytes) {
  constexpr int kElements = 131072;  // 8 hex digits each
  std::string blob;
  for (int i = 0; i < kElements; ++i) {
    absl::StrAppend(&blob, absl::Hex(0x3F800000u + 2654435761u * i % 65536,
                                     absl::kZeroPad8));
  }
  std::string text = "func.func @main() -> tensor<131072xf32> {\n";
  for (int i = 0; i < megabytes; ++i) {
    absl::StrAppend(&text, "  %", i, " = stablehlo.constant dense<\"0x", blob,
                    "\"> : tensor<131072xf32>\n");
  }
  absl::StrAppend(&text, "  return %0 : tensor<131072xf32>\n}\n");
  return text;
}

}  // namespace lockstep::internal
