#ifndef LOCKSTEP_TESTS_CUDA_EMULATION_SAMPLE_PROGRAMS_H_
#define LOCKSTEP_TESTS_CUDA_EMULATION_SAMPLE_PROGRAMS_H_

namespace lockstep::internal::cuda {

// Programs that both compilers accept: the emulation and the real NVRTC.
inline constexpr char kAdd[] = R"(
extern "C" __global__ void __launch_bounds__(256)
add(const float* __restrict__ a, const float* __restrict__ b, float* c, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) c[i] = __fmaf_rn(a[i], 2.0f, b[i]);
}
)";

inline constexpr char kSum[] = R"(
__device__ __forceinline__ float WarpSum(float x) {
  for (int distance = 16; distance > 0; distance /= 2) {
    x += __shfl_down_sync(0xffffffffu, x, distance);
  }
  return x;
}
extern "C" __global__ void sum(const float* in, float* out, int n) {
  __shared__ float sums[32];
  float x = 0.0f;
  for (int i = threadIdx.x; i < n; i += blockDim.x) x += in[i];
  x = WarpSum(x);
  if (threadIdx.x % warpSize == 0) sums[threadIdx.x / 32] = x;
  __syncthreads();
  if (threadIdx.x < 32) {
    x = threadIdx.x < (blockDim.x + 31) / 32 ? sums[threadIdx.x] : 0.0f;
    x = WarpSum(x);
    if (threadIdx.x == 0) out[blockIdx.x] = x;
  }
}
)";

inline constexpr char kTranspose[] = R"(
extern "C" __global__ void transpose(const int* in, int* out, int rows,
                                     int columns) {
  __shared__ int tile[32][33];
  int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
  for (int i = 0; i < 32; i += 8) {
    if (x < columns && y + i < rows) {
      tile[threadIdx.y + i][threadIdx.x] = in[(y + i) * columns + x];
    }
  }
  __syncthreads();
  x = blockIdx.y * 32 + threadIdx.x;
  y = blockIdx.x * 32 + threadIdx.y;
  for (int i = 0; i < 32; i += 8) {
    if (x < rows && y + i < columns) {
      out[(y + i) * rows + x] = tile[threadIdx.x][threadIdx.y + i];
    }
  }
}
)";

inline constexpr char kWarps[] = R"(
extern "C" __global__ void warps(unsigned* ballot, int* up, int* xored,
                                 double* broadcast, int* count) {
  unsigned t = threadIdx.x;
  ballot[t] = __ballot_sync(0xffffffffu, t % 3 == 0);
  up[t] = __shfl_up_sync(0xffffffffu, int(t), 1, 8);
  xored[t] = __shfl_xor_sync(0xffffffffu, int(t), 5);
  broadcast[t] = __shfl_sync(0xffffffffu, t * 0.5, 3);
  count[t] = __syncthreads_count(t % 2);
  if (t < 16) {
    __syncwarp(0xffffu);
    up[t] += __any_sync(0xffffu, t == 3) + __all_sync(0xffffu, t < 16);
  }
}
)";

inline constexpr char kAtomics[] = R"(
extern "C" __global__ void atomics(int* sum, float* floats, unsigned* max,
                                   unsigned long long* cas) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  atomicAdd(sum, i);
  atomicAdd(floats, 0.5f);
  atomicMax(max, static_cast<unsigned>(i));
  unsigned long long seen = *cas, expected;
  do {
    expected = seen;
    seen = atomicCAS(cas, expected, expected + 2);
  } while (seen != expected);
}
)";

inline constexpr char kMathematics[] = R"(
struct Pair { int a; float b; };
__constant__ float kTable[3] = {1.0f, 2.0f, 4.0f};
extern "C" __global__ void mathematics(float* f, double* d, long long* l,
                                       Pair pair) {
  f[0] = expf(1.0f) + exp(0.0f);
  f[1] = rsqrtf(4.0f) + fmaxf(1.0f, 2.0f) + max(1.5f, 0.5f);
  f[2] = __uint_as_float(0x3f800000u) + __int_as_float(__float_as_int(2.0f));
  f[3] = erff(0.5f) + tanhf(0.25f) + pow(2.0f, 3.0f) + kTable[2];
  float4 v = make_float4(1, 2, 3, 4);
  reinterpret_cast<float4*>(f)[1] = v;
  f[8] = pair.a + pair.b;
  d[0] = pow(2.0, 0.5) + fma(2.0, 3.0, 1.0) + rsqrt(16.0);
  d[1] = __longlong_as_double(__double_as_longlong(1.25)) + __dmul_rn(3.0, 2.0);
  l[0] = __clz(1) + __clzll(1) + __popc(7u) + __popcll(15ull) + __ffs(8);
  l[1] = __umulhi(0x80000000u, 4u) + __mulhi(-2, 3) + __float2int_rn(2.5f);
  l[2] = __double2ll_rz(-3.7) + __float2int_rz(1e20f) + min(3, 4) + abs(-5);
}
)";

// Rows in dynamic shared memory, of as many floats as the launch says.
inline constexpr char kReverse[] = R"(
extern "C" __global__ void reverse(float* data) {
  extern __shared__ float row[];
  row[threadIdx.x] = data[threadIdx.x];
  __syncthreads();
  data[threadIdx.x] = row[blockDim.x - 1 - threadIdx.x];
}
)";

}  // namespace lockstep::internal::cuda

#endif  // LOCKSTEP_TESTS_CUDA_EMULATION_SAMPLE_PROGRAMS_H_
