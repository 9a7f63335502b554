#include "runtime/backends/cuda/codegen/cuda_lines.h"

#include "gtest/gtest.h"

namespace lockstep::internal {
namespace {

TEST(CudaLinesTest, WhatIsTheSameEachTimeGoesInFrontOfItsLoops) {
  CudaLines lines;
  lines.Add("const f32 v0 = RoundBf16(a1);");
  lines.Add("#pragma unroll");
  lines.Open("for (int j = 0; j < 8; ++j)");
  lines.Add("const idx first = j * 8;");
  lines.Add("#pragma unroll");
  lines.Open("for (int lane = 0; lane < 8; ++lane)");
  lines.Add("const f32 v1 = LoadElement(p2[j].elements, lane);");
  lines.Add("const f32 v2 = Divide(v0, FromBf16(0x4600));");
  lines.Add("const f32 v3 = Rsqrt(v2);");
  lines.Add("const f32 v4 = Multiply(v1, v3);");
  lines.Add("StoreElement(q.elements, lane, v4);");
  lines.Close();
  lines.Close();
  EXPECT_EQ(lines.text(), R"(  const f32 v0 = RoundBf16(a1);
  const f32 v2 = Divide(v0, FromBf16(0x4600));
  const f32 v3 = Rsqrt(v2);
  #pragma unroll
  for (int j = 0; j < 8; ++j) {
    const idx first = j * 8;
    #pragma unroll
    for (int lane = 0; lane < 8; ++lane) {
      const f32 v1 = LoadElement(p2[j].elements, lane);
      const f32 v4 = Multiply(v1, v3);
      StoreElement(q.elements, lane, v4);
    }
  }
)");
}

TEST(CudaLinesTest, WhatChangesStays) {
  for (const char* change :
       {"a = v1;", "a += v1;", "a <<= 1;", "a[3] = v1;", "f32 a;"}) {
    CudaLines lines;
    lines.Open("for (idx i = 0; i < n; i += 4)");
    lines.Add("const f32 v0 = Add(a, v9);");
    lines.Add("const s32 v1 = s32(i);");
    lines.Open("if (i >= 3 && i == k && i <= m)");
    lines.Add(change);
    lines.Close();
    lines.Add("const f32 v2 = Add(k, m);");
    lines.Close();
    const std::string& text = lines.text();
    EXPECT_LT(text.find("v2 ="), text.find("for ("));
    EXPECT_GT(text.find("v0 ="), text.find("for (")) << change;
    EXPECT_GT(text.find("v1 ="), text.find("for ("));
  }
}

TEST(CudaLinesTest, ScalarsThatBranchesSetAreNoConstants) {
  CudaLines lines;
  lines.Open("for (int k = 0; k < 4; ++k)");
  lines.Add("f32 v5;");
  lines.Open("if (p)");
  lines.Add("v5 = v3;");
  lines.Close("else {");
  lines.Deepen();
  lines.Add("v5 = v4;");
  lines.Close();
  lines.Add("const f32 v6 = Add(v5, v3);");
  lines.Add("const f32 v7 = Add(v4, v3);");
  lines.Close();
  EXPECT_LT(lines.text().find("v7 ="), lines.text().find("for ("));
  EXPECT_GT(lines.text().find("v6 ="), lines.text().find("for ("));
}

TEST(CudaLinesTest, BlocksThatAreNoLoopsKeepAll) {
  CudaLines lines;
  lines.Open("if (p)");
  lines.Add("const f32 v1 = Add(v0, v0);");
  lines.Close();
  EXPECT_EQ(lines.text(), "  if (p) {\n    const f32 v1 = Add(v0, v0);\n  }\n");
}

}  // namespace
}  // namespace lockstep::internal
