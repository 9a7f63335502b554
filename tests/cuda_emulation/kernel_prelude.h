// Stands before the text of every program: the language that NVRTC adds to C++,
// for the compiler of the host. Includes nothing, since a test compiles
// thousands of programs.

#define __global__
#define __device__
#define __host__
#define __constant__
#define __managed__
#define __grid_constant__
#define __shared__ static thread_local
#define __forceinline__ inline __attribute__((always_inline))
#define __noinline__ __attribute__((noinline))
#define __launch_bounds__(...)
#define __align__(bytes) __attribute__((aligned(bytes)))

typedef __SIZE_TYPE__ size_t;
typedef __PTRDIFF_TYPE__ ptrdiff_t;
typedef __INTPTR_TYPE__ intptr_t;
typedef __UINTPTR_TYPE__ uintptr_t;

namespace lockstep_emulation {

static thread_local Registers registers;
static const Runtime* runtime;
inline Registers* CallersRegisters() { return &registers; }

template <class T>
struct IsPointer {
  static constexpr bool value = false;
};
template <class T>
struct IsPointer<T*> {
  static constexpr bool value = true;
};
template <class T>
struct Plain {
  typedef T type;
};
template <class T>
struct Plain<const T> {
  typedef T type;
};

template <int... i>
struct Numbers {};
#ifdef __clang__
template <class T, T... i>
struct NumbersOf {
  typedef Numbers<i...> type;
};
template <int n>
using FirstNumbers = typename __make_integer_seq<NumbersOf, int, n>::type;
#else
template <int n>
using FirstNumbers = Numbers<__integer_pack(n)...>;
#endif

template <class... A>
struct ParametersOf {
  static constexpr Parameter table[sizeof...(A) + 1] = {
      {sizeof(A), IsPointer<typename Plain<A>::type>::value}..., {0, false}};
};

template <class... A>
constexpr const Parameter* ParameterTable(void (*)(A...)) {
  return ParametersOf<A...>::table;
}
template <class... A>
constexpr int ParameterCount(void (*)(A...)) {
  return sizeof...(A);
}

template <auto kernel, class... A, int... i>
inline __attribute__((always_inline)) void CallWith(void (*)(A...),
                                                    void** parameters,
                                                    Numbers<i...>) {
  kernel(*static_cast<typename Plain<A>::type*>(parameters[i])...);
}

template <auto kernel, class... A>
inline __attribute__((always_inline)) void Call(void (*type)(A...),
                                                void** parameters) {
  CallWith<kernel>(type, parameters, FirstNumbers<sizeof...(A)>());
}

template <auto kernel>
void RunThread(void** parameters) {
  Call<kernel>(kernel, parameters);
}

template <auto kernel>
void RunBlock(void** parameters) {
  Registers& own = registers;
  Index size = own.block_size;
  for (unsigned z = 0; z < size.z; ++z) {
    for (unsigned y = 0; y < size.y; ++y) {
      for (unsigned x = 0; x < size.x; ++x) {
        own.thread = {x, y, z};
        Call<kernel>(kernel, parameters);
      }
    }
  }
}

inline unsigned Lane() {
  const Registers& own = registers;
  return ((own.thread.z * own.block_size.y + own.thread.y) * own.block_size.x +
          own.thread.x) %
         32;
}

template <class T>
inline T Shuffle(unsigned mask, T value, unsigned source) {
  unsigned long long bits = 0;
  __builtin_memcpy(&bits, &value, sizeof(T));
  bits = runtime->warp(kShuffle, mask, bits, source);
  __builtin_memcpy(&value, &bits, sizeof(T));
  return value;
}

}  // namespace lockstep_emulation

#define threadIdx (lockstep_emulation::registers.thread)
#define blockIdx (lockstep_emulation::registers.block)
#define blockDim (lockstep_emulation::registers.block_size)
#define gridDim (lockstep_emulation::registers.grid_size)
static constexpr int warpSize = 32;

// Vectors.

typedef lockstep_emulation::Index uint3;
#define LOCKSTEP_VECTORS(type, name, align2, align4)                    \
  struct name##1 { type x; };                                           \
  struct __attribute__((aligned(align2))) name##2 { type x, y; };       \
  struct __attribute__((aligned(align4))) name##4 { type x, y, z, w; }; \
  inline name##1 make_##name##1(type x) { return {x}; }                 \
  inline name##2 make_##name##2(type x, type y) { return {x, y}; }      \
  inline name##4 make_##name##4(type x, type y, type z, type w) {       \
    return {x, y, z, w};                                                \
  }
#define LOCKSTEP_VECTORS_AND_3(type, name, align2, align4) \
  LOCKSTEP_VECTORS(type, name, align2, align4)             \
  struct name##3 { type x, y, z; };                        \
  inline name##3 make_##name##3(type x, type y, type z) { return {x, y, z}; }
LOCKSTEP_VECTORS_AND_3(signed char, char, 2, 4)
LOCKSTEP_VECTORS_AND_3(unsigned char, uchar, 2, 4)
LOCKSTEP_VECTORS_AND_3(short, short, 4, 8)
LOCKSTEP_VECTORS_AND_3(unsigned short, ushort, 4, 8)
LOCKSTEP_VECTORS_AND_3(int, int, 8, 16)
LOCKSTEP_VECTORS(unsigned, uint, 8, 16)
inline uint3 make_uint3(unsigned x, unsigned y, unsigned z) {
  return {x, y, z};
}
LOCKSTEP_VECTORS_AND_3(long, long, 16, 16)
LOCKSTEP_VECTORS_AND_3(unsigned long, ulong, 16, 16)
LOCKSTEP_VECTORS_AND_3(long long, longlong, 16, 16)
LOCKSTEP_VECTORS_AND_3(unsigned long long, ulonglong, 16, 16)
LOCKSTEP_VECTORS_AND_3(float, float, 8, 16)
LOCKSTEP_VECTORS_AND_3(double, double, 16, 16)
#undef LOCKSTEP_VECTORS
#undef LOCKSTEP_VECTORS_AND_3

struct dim3 {
  unsigned x, y, z;
  constexpr dim3(unsigned x = 1, unsigned y = 1, unsigned z = 1)
      : x(x), y(y), z(z) {}
  constexpr dim3(uint3 v) : x(v.x), y(v.y), z(v.z) {}
};

// Threads of a block.

inline void __syncthreads() { lockstep_emulation::runtime->barrier(false); }
inline int __syncthreads_count(int predicate) {
  return lockstep_emulation::runtime->barrier(predicate != 0);
}
inline int __syncthreads_or(int predicate) {
  return __syncthreads_count(predicate) != 0;
}
inline int __syncthreads_and(int predicate) {
  return __syncthreads_count(!predicate) == 0;
}
inline void __syncwarp(unsigned mask = 0xffffffffu) {
  lockstep_emulation::runtime->warp(lockstep_emulation::kSyncWarp, mask, 0, 0);
}
inline unsigned __ballot_sync(unsigned mask, int predicate) {
  return static_cast<unsigned>(lockstep_emulation::runtime->warp(
      lockstep_emulation::kBallot, mask, predicate != 0, 0));
}
inline int __any_sync(unsigned mask, int predicate) {
  return __ballot_sync(mask, predicate) != 0;
}
inline int __all_sync(unsigned mask, int predicate) {
  return __ballot_sync(mask, !predicate) == 0;
}
// A thread may always be alone.
inline unsigned __activemask() { return 1u << lockstep_emulation::Lane(); }
inline void __threadfence() { __atomic_thread_fence(__ATOMIC_SEQ_CST); }
inline void __threadfence_block() { __atomic_thread_fence(__ATOMIC_SEQ_CST); }
inline void __threadfence_system() { __atomic_thread_fence(__ATOMIC_SEQ_CST); }
inline void __trap() { lockstep_emulation::runtime->trap("__trap()"); }
inline void __nanosleep(unsigned) {}
inline long long clock64() {
  return static_cast<long long>(__builtin_ia32_rdtsc());
}
inline void __builtin_assume(bool) {}

#define LOCKSTEP_SHUFFLES(T)                                                   \
  inline T __shfl_sync(unsigned mask, T value, int source, int width = 32) {   \
    unsigned lane = lockstep_emulation::Lane(), w = width;                     \
    unsigned from = (lane & ~(w - 1)) + (unsigned(source) & (w - 1));          \
    return lockstep_emulation::Shuffle(mask, value, from);                     \
  }                                                                            \
  inline T __shfl_up_sync(unsigned mask, T value, unsigned delta,              \
                          int width = 32) {                                    \
    unsigned lane = lockstep_emulation::Lane(), w = width;                     \
    bool is_inside = (lane & (w - 1)) >= delta;                                \
    return lockstep_emulation::Shuffle(mask, value,                            \
                                       is_inside ? lane - delta : lane);       \
  }                                                                            \
  inline T __shfl_down_sync(unsigned mask, T value, unsigned delta,            \
                            int width = 32) {                                  \
    unsigned lane = lockstep_emulation::Lane(), w = width;                     \
    bool is_inside = (lane & (w - 1)) + delta < w;                             \
    return lockstep_emulation::Shuffle(mask, value,                            \
                                       is_inside ? lane + delta : lane);       \
  }                                                                            \
  inline T __shfl_xor_sync(unsigned mask, T value, int bits, int width = 32) { \
    unsigned lane = lockstep_emulation::Lane(), w = width;                     \
    unsigned from = lane ^ unsigned(bits);                                     \
    bool is_inside = from < (lane & ~(w - 1)) + w;                             \
    return lockstep_emulation::Shuffle(mask, value, is_inside ? from : lane);  \
  }
LOCKSTEP_SHUFFLES(int)
LOCKSTEP_SHUFFLES(unsigned)
LOCKSTEP_SHUFFLES(long)
LOCKSTEP_SHUFFLES(unsigned long)
LOCKSTEP_SHUFFLES(long long)
LOCKSTEP_SHUFFLES(unsigned long long)
LOCKSTEP_SHUFFLES(float)
LOCKSTEP_SHUFFLES(double)
#undef LOCKSTEP_SHUFFLES

// Memory.

template <class T>
inline T __ldg(const T* from) {
  return *from;
}
template <class T>
inline T __ldcs(const T* from) {
  return *from;
}
template <class T>
inline T __ldcg(const T* from) {
  return *from;
}
template <class T>
inline T __ldca(const T* from) {
  return *from;
}
template <class T>
inline void __stcs(T* to, T value) {
  *to = value;
}
template <class T>
inline void __stcg(T* to, T value) {
  *to = value;
}
template <class T>
inline void __stwt(T* to, T value) {
  *to = value;
}

#define LOCKSTEP_ATOMIC_LOOP(T, name, expression)                             \
  inline T name(T* to, T value) {                                             \
    T old;                                                                    \
    __atomic_load(to, &old, __ATOMIC_RELAXED);                                \
    while (true) {                                                            \
      T next = expression;                                                    \
      if (__atomic_compare_exchange(to, &old, &next, false, __ATOMIC_RELAXED, \
                                    __ATOMIC_RELAXED)) {                      \
        return old;                                                           \
      }                                                                       \
    }                                                                         \
  }
#define LOCKSTEP_ATOMICS(T)                                                    \
  inline T atomicAdd(T* to, T value) {                                         \
    return __atomic_fetch_add(to, value, __ATOMIC_RELAXED);                    \
  }                                                                            \
  inline T atomicSub(T* to, T value) {                                         \
    return __atomic_fetch_sub(to, value, __ATOMIC_RELAXED);                    \
  }                                                                            \
  inline T atomicAnd(T* to, T value) {                                         \
    return __atomic_fetch_and(to, value, __ATOMIC_RELAXED);                    \
  }                                                                            \
  inline T atomicOr(T* to, T value) {                                          \
    return __atomic_fetch_or(to, value, __ATOMIC_RELAXED);                     \
  }                                                                            \
  inline T atomicXor(T* to, T value) {                                         \
    return __atomic_fetch_xor(to, value, __ATOMIC_RELAXED);                    \
  }                                                                            \
  inline T atomicExch(T* to, T value) {                                        \
    return __atomic_exchange_n(to, value, __ATOMIC_RELAXED);                   \
  }                                                                            \
  inline T atomicCAS(T* to, T expected, T value) {                             \
    __atomic_compare_exchange_n(to, &expected, value, false, __ATOMIC_RELAXED, \
                                __ATOMIC_RELAXED);                             \
    return expected;                                                           \
  }                                                                            \
  LOCKSTEP_ATOMIC_LOOP(T, atomicMin, value < old ? value : old)                \
  LOCKSTEP_ATOMIC_LOOP(T, atomicMax, value > old ? value : old)
LOCKSTEP_ATOMICS(int)
LOCKSTEP_ATOMICS(unsigned)
LOCKSTEP_ATOMICS(long long)
LOCKSTEP_ATOMICS(unsigned long long)
LOCKSTEP_ATOMIC_LOOP(float, atomicAdd, old + value)
LOCKSTEP_ATOMIC_LOOP(double, atomicAdd, old + value)
LOCKSTEP_ATOMIC_LOOP(float, atomicExch, value)
LOCKSTEP_ATOMIC_LOOP(unsigned, atomicInc, old >= value ? 0u : old + 1)
LOCKSTEP_ATOMIC_LOOP(unsigned, atomicDec,
                     old == 0 || old > value ? value : old - 1)
inline unsigned short atomicCAS(unsigned short* to, unsigned short expected,
                                unsigned short value) {
  __atomic_compare_exchange_n(to, &expected, value, false, __ATOMIC_RELAXED,
                              __ATOMIC_RELAXED);
  return expected;
}
#undef LOCKSTEP_ATOMICS
#undef LOCKSTEP_ATOMIC_LOOP

// Bits and integers.

#define LOCKSTEP_BITS(To, name, From)         \
  inline To name(From from) {                 \
    To to;                                    \
    __builtin_memcpy(&to, &from, sizeof(to)); \
    return to;                                \
  }
LOCKSTEP_BITS(int, __float_as_int, float)
LOCKSTEP_BITS(unsigned, __float_as_uint, float)
LOCKSTEP_BITS(float, __int_as_float, int)
LOCKSTEP_BITS(float, __uint_as_float, unsigned)
LOCKSTEP_BITS(long long, __double_as_longlong, double)
LOCKSTEP_BITS(double, __longlong_as_double, long long)
#undef LOCKSTEP_BITS
inline int __double2hiint(double x) {
  return int(__double_as_longlong(x) >> 32);
}
inline int __double2loint(double x) { return int(__double_as_longlong(x)); }
inline double __hiloint2double(int high, int low) {
  return __longlong_as_double(
      (long long)(((unsigned long long)(unsigned)high << 32) | (unsigned)low));
}
inline int __clz(int x) { return x == 0 ? 32 : __builtin_clz(unsigned(x)); }
inline int __clzll(long long x) {
  return x == 0 ? 64 : __builtin_clzll((unsigned long long)x);
}
inline int __popc(unsigned x) { return __builtin_popcount(x); }
inline int __popcll(unsigned long long x) { return __builtin_popcountll(x); }
inline int __ffs(int x) { return __builtin_ffs(x); }
inline int __ffsll(long long x) { return __builtin_ffsll(x); }
inline unsigned __brev(unsigned x) {
  unsigned result = 0;
  for (int i = 0; i < 32; ++i) result |= ((x >> i) & 1u) << (31 - i);
  return result;
}
inline unsigned long long __brevll(unsigned long long x) {
  return ((unsigned long long)__brev(unsigned(x)) << 32) |
         __brev(unsigned(x >> 32));
}
inline unsigned __byte_perm(unsigned x, unsigned y, unsigned selector) {
  unsigned long long bytes = ((unsigned long long)y << 32) | x;
  unsigned result = 0;
  for (int i = 0; i < 4; ++i) {
    unsigned byte = unsigned(bytes >> (8 * ((selector >> (4 * i)) & 7))) & 255u;
    result |= byte << (8 * i);
  }
  return result;
}
inline unsigned __funnelshift_l(unsigned low, unsigned high, unsigned shift) {
  return unsigned(((((unsigned long long)high << 32) | low) << (shift & 31)) >>
                  32);
}
inline unsigned __funnelshift_r(unsigned low, unsigned high, unsigned shift) {
  return unsigned((((unsigned long long)high << 32) | low) >> (shift & 31));
}
inline int __mul24(int a, int b) { return ((a << 8) >> 8) * ((b << 8) >> 8); }
inline unsigned __umul24(unsigned a, unsigned b) {
  return (a & 0xffffffu) * (b & 0xffffffu);
}
inline int __mulhi(int a, int b) { return int(((long long)a * b) >> 32); }
inline unsigned __umulhi(unsigned a, unsigned b) {
  return unsigned(((unsigned long long)a * b) >> 32);
}
inline long long __mul64hi(long long a, long long b) {
  return (long long)(((__int128)a * b) >> 64);
}
inline unsigned long long __umul64hi(unsigned long long a,
                                     unsigned long long b) {
  return (unsigned long long)(((unsigned __int128)a * b) >> 64);
}

// Mathematics: the functions of libm, under the names for float and double and
// overloaded.

extern "C" {
int printf(const char* format, ...);
void* memcpy(void* to, const void* from, size_t bytes);
void* memset(void* to, int value, size_t bytes);
int abs(int);
long labs(long);
long long llabs(long long);
double fma(double, double, double);
float fmaf(float, float, float);
double frexp(double, int*);
float frexpf(float, int*);
double ldexp(double, int);
float ldexpf(float, int);
double scalbn(double, int);
float scalbnf(float, int);
double modf(double, double*);
float modff(float, float*);
void sincos(double, double*, double*);
void sincosf(float, float*, float*);
double lgamma_r(double, int*);
float lgammaf_r(float, int*);
int ilogb(double);
int ilogbf(float);
long lrint(double);
long lrintf(float);
long lround(double);
long lroundf(float);
long long llrint(double);
long long llrintf(float);
long long llround(double);
long long llroundf(float);
double remquo(double, double, int*);
float remquof(float, float, int*);
double jn(int, double);
double yn(int, double);
float jnf(int, float);
float ynf(int, float);
}

#define LOCKSTEP_MATH_1(name)      \
  extern "C" double name(double);  \
  extern "C" float name##f(float); \
  inline float name(float x) { return name##f(x); }
#define LOCKSTEP_MATH_2(name)             \
  extern "C" double name(double, double); \
  extern "C" float name##f(float, float); \
  inline float name(float x, float y) { return name##f(x, y); }
LOCKSTEP_MATH_1(acos)
LOCKSTEP_MATH_1(acosh)
LOCKSTEP_MATH_1(asin)
LOCKSTEP_MATH_1(asinh)
LOCKSTEP_MATH_1(atan)
LOCKSTEP_MATH_1(atanh)
LOCKSTEP_MATH_1(cbrt)
LOCKSTEP_MATH_1(ceil)
LOCKSTEP_MATH_1(cos)
LOCKSTEP_MATH_1(cosh)
LOCKSTEP_MATH_1(erf)
LOCKSTEP_MATH_1(erfc)
LOCKSTEP_MATH_1(exp)
LOCKSTEP_MATH_1(exp2)
LOCKSTEP_MATH_1(expm1)
LOCKSTEP_MATH_1(fabs)
LOCKSTEP_MATH_1(floor)
LOCKSTEP_MATH_1(j0)
LOCKSTEP_MATH_1(j1)
LOCKSTEP_MATH_1(lgamma)
LOCKSTEP_MATH_1(log)
LOCKSTEP_MATH_1(log10)
LOCKSTEP_MATH_1(log1p)
LOCKSTEP_MATH_1(log2)
LOCKSTEP_MATH_1(logb)
LOCKSTEP_MATH_1(nearbyint)
LOCKSTEP_MATH_1(rint)
LOCKSTEP_MATH_1(round)
LOCKSTEP_MATH_1(sin)
LOCKSTEP_MATH_1(sinh)
LOCKSTEP_MATH_1(sqrt)
LOCKSTEP_MATH_1(tan)
LOCKSTEP_MATH_1(tanh)
LOCKSTEP_MATH_1(tgamma)
LOCKSTEP_MATH_1(trunc)
LOCKSTEP_MATH_1(y0)
LOCKSTEP_MATH_1(y1)
LOCKSTEP_MATH_2(atan2)
LOCKSTEP_MATH_2(copysign)
LOCKSTEP_MATH_2(fdim)
LOCKSTEP_MATH_2(fmax)
LOCKSTEP_MATH_2(fmin)
LOCKSTEP_MATH_2(fmod)
LOCKSTEP_MATH_2(hypot)
LOCKSTEP_MATH_2(nextafter)
LOCKSTEP_MATH_2(pow)
LOCKSTEP_MATH_2(remainder)
#undef LOCKSTEP_MATH_1
#undef LOCKSTEP_MATH_2

inline float fma(float x, float y, float z) { return fmaf(x, y, z); }
inline float frexp(float x, int* e) { return frexpf(x, e); }
inline float ldexp(float x, int e) { return ldexpf(x, e); }
inline float scalbn(float x, int e) { return scalbnf(x, e); }
inline float modf(float x, float* whole) { return modff(x, whole); }
inline void sincos(float x, float* s, float* c) { sincosf(x, s, c); }
inline int ilogb(float x) { return ilogbf(x); }
inline long lrint(float x) { return lrintf(x); }
inline long lround(float x) { return lroundf(x); }
inline long long llrint(float x) { return llrintf(x); }
inline long long llround(float x) { return llroundf(x); }
inline long abs(long x) { return labs(x); }
inline long long abs(long long x) { return llabs(x); }
inline float abs(float x) { return fabsf(x); }
inline double abs(double x) { return fabs(x); }
inline bool isnan(float x) { return __builtin_isnan(x); }
inline bool isnan(double x) { return __builtin_isnan(x); }
inline bool isinf(float x) { return __builtin_isinf(x); }
inline bool isinf(double x) { return __builtin_isinf(x); }
inline bool isfinite(float x) { return __builtin_isfinite(x); }
inline bool isfinite(double x) { return __builtin_isfinite(x); }
inline bool signbit(float x) { return __builtin_signbit(x); }
inline bool signbit(double x) { return __builtin_signbit(x); }
inline float nanf(const char* text) { return __builtin_nanf(""); }
inline double nan(const char* text) { return __builtin_nan(""); }

inline float rsqrtf(float x) { return float(1.0 / sqrt(double(x))); }
inline double rsqrt(double x) { return 1.0 / sqrt(x); }
inline float rsqrt(float x) { return rsqrtf(x); }
inline float rcbrtf(float x) { return float(1.0 / cbrt(double(x))); }
inline double rcbrt(double x) { return 1.0 / cbrt(x); }
inline float exp10f(float x) { return float(pow(10.0, double(x))); }
inline double exp10(double x) { return pow(10.0, x); }
inline float sinpif(float x) {
  return float(sin(3.14159265358979323846 * fmod(double(x), 2.0)));
}
inline float cospif(float x) {
  return float(cos(3.14159265358979323846 * fmod(double(x), 2.0)));
}
inline double sinpi(double x) {
  return sin(3.14159265358979323846 * fmod(x, 2.0));
}
inline double cospi(double x) {
  return cos(3.14159265358979323846 * fmod(x, 2.0));
}
inline float rhypotf(float x, float y) {
  return float(1.0 / hypot(double(x), double(y)));
}
inline float fdividef(float x, float y) { return x / y; }
inline float __saturatef(float x) {
  return x > 0.0f ? (x < 1.0f ? x : 1.0f) : 0.0f;
}

#define LOCKSTEP_MIN_MAX(T)                        \
  inline T min(T a, T b) { return b < a ? b : a; } \
  inline T max(T a, T b) { return a < b ? b : a; }
LOCKSTEP_MIN_MAX(int)
LOCKSTEP_MIN_MAX(unsigned)
LOCKSTEP_MIN_MAX(long)
LOCKSTEP_MIN_MAX(unsigned long)
LOCKSTEP_MIN_MAX(long long)
LOCKSTEP_MIN_MAX(unsigned long long)
#undef LOCKSTEP_MIN_MAX
inline float min(float a, float b) { return fminf(a, b); }
inline float max(float a, float b) { return fmaxf(a, b); }
inline double min(double a, double b) { return fmin(a, b); }
inline double max(double a, double b) { return fmax(a, b); }

// Operations that no compiler contracts or reorders.

#define LOCKSTEP_ROUNDED(T, letter)                       \
  inline T __##letter##add_rn(T a, T b) { return a + b; } \
  inline T __##letter##sub_rn(T a, T b) { return a - b; } \
  inline T __##letter##mul_rn(T a, T b) { return a * b; }
LOCKSTEP_ROUNDED(float, f)
LOCKSTEP_ROUNDED(double, d)
#undef LOCKSTEP_ROUNDED
inline float __fdiv_rn(float a, float b) { return a / b; }
inline double __ddiv_rn(double a, double b) { return a / b; }
inline float __frcp_rn(float a) { return 1.0f / a; }
inline double __drcp_rn(double a) { return 1.0 / a; }
inline float __fsqrt_rn(float a) { return sqrtf(a); }
inline double __dsqrt_rn(double a) { return sqrt(a); }
inline float __frsqrt_rn(float a) { return rsqrtf(a); }
inline float __fmaf_rn(float a, float b, float c) { return fmaf(a, b, c); }
inline double __fma_rn(double a, double b, double c) { return fma(a, b, c); }

// Approximations, here exact.

inline float __expf(float x) { return expf(x); }
inline float __exp10f(float x) { return exp10f(x); }
inline float __logf(float x) { return logf(x); }
inline float __log2f(float x) { return log2f(x); }
inline float __log10f(float x) { return log10f(x); }
inline float __sinf(float x) { return sinf(x); }
inline float __cosf(float x) { return cosf(x); }
inline float __tanf(float x) { return tanf(x); }
inline float __powf(float x, float y) { return powf(x, y); }
inline float __fdividef(float x, float y) { return x / y; }

// Conversions, which saturate on the device.

#define LOCKSTEP_TO_INTEGER(From, name, To, low, high, how) \
  inline To name(From x) {                                  \
    From y = how(x);                                        \
    if (y != y) return 0;                                   \
    if (y <= From(low)) return low;                         \
    if (y >= From(high)) return high;                       \
    return static_cast<To>(y);                              \
  }
#define LOCKSTEP_TO_INTEGERS(From, prefix)                                     \
  LOCKSTEP_TO_INTEGER(From, prefix##2int_rn, int, (-2147483647 - 1),           \
                      2147483647, rint)                                        \
  LOCKSTEP_TO_INTEGER(From, prefix##2int_rz, int, (-2147483647 - 1),           \
                      2147483647, trunc)                                       \
  LOCKSTEP_TO_INTEGER(From, prefix##2int_rd, int, (-2147483647 - 1),           \
                      2147483647, floor)                                       \
  LOCKSTEP_TO_INTEGER(From, prefix##2int_ru, int, (-2147483647 - 1),           \
                      2147483647, ceil)                                        \
  LOCKSTEP_TO_INTEGER(From, prefix##2uint_rn, unsigned, 0u, 4294967295u, rint) \
  LOCKSTEP_TO_INTEGER(From, prefix##2uint_rz, unsigned, 0u, 4294967295u,       \
                      trunc)                                                   \
  LOCKSTEP_TO_INTEGER(From, prefix##2ll_rn, long long,                         \
                      (-9223372036854775807ll - 1), 9223372036854775807ll,     \
                      rint)                                                    \
  LOCKSTEP_TO_INTEGER(From, prefix##2ll_rz, long long,                         \
                      (-9223372036854775807ll - 1), 9223372036854775807ll,     \
                      trunc)                                                   \
  LOCKSTEP_TO_INTEGER(From, prefix##2ull_rn, unsigned long long, 0ull,         \
                      18446744073709551615ull, rint)                           \
  LOCKSTEP_TO_INTEGER(From, prefix##2ull_rz, unsigned long long, 0ull,         \
                      18446744073709551615ull, trunc)
LOCKSTEP_TO_INTEGERS(float, __float)
LOCKSTEP_TO_INTEGERS(double, __double)
#undef LOCKSTEP_TO_INTEGERS
#undef LOCKSTEP_TO_INTEGER
inline float __int2float_rn(int x) { return float(x); }
inline float __uint2float_rn(unsigned x) { return float(x); }
inline float __ll2float_rn(long long x) { return float(x); }
inline float __ull2float_rn(unsigned long long x) { return float(x); }
inline double __int2double_rn(int x) { return double(x); }
inline double __uint2double_rn(unsigned x) { return double(x); }
inline double __ll2double_rn(long long x) { return double(x); }
inline double __ull2double_rn(unsigned long long x) { return double(x); }
inline float __double2float_rn(double x) { return float(x); }

#define LOCKSTEP_EMULATED_KERNEL(kernel, run, max_threads) \
  {#kernel, lockstep_emulation::run<kernel>,               \
   lockstep_emulation::ParameterTable(kernel),             \
   lockstep_emulation::ParameterCount(kernel), max_threads}
