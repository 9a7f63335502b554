"""Loops whose bodies are small, on lockstep and on XLA, in one run.

    python3 tests/benchmark/small_loops.py bazel-bin/tests/benchmark/program_benchmark
        [--threads 1|2] [NAME...]

Needs JAX (as the peer, and as what exports the programs); lockstep does not. One
program for each cause of time per iteration: see PROGRAMS. Prints the milliseconds
of a launch of both, the least of rounds taken in turns, their ratio, and how far
the first results are apart.
"""

import argparse
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

import numpy as np

random = np.random.default_rng(0)


def normal(*shape, scale=1.0):
    return (random.standard_normal(shape) * scale).astype(np.float32)


def definite(n):
    a = normal(n, n)
    return (a @ a.T / n + np.eye(n)).astype(np.float32)


def recurrent_cell(w, u, xs):
    def step(h, x):
        h = jnp.tanh(h @ w + x @ u)
        return h, h
    return lax.scan(step, jnp.zeros(48), xs)


def kalman_filter(zs):
    f = jnp.array([[1, 0, .1, 0], [0, 1, 0, .1], [0, 0, 1, 0], [0, 0, 0, 1]], jnp.float32)
    h = jnp.eye(2, 4)
    def step(state, z):
        x, p = state
        x, p = f @ x, f @ p @ f.T + .01 * jnp.eye(4)
        s = h @ p @ h.T + .1 * jnp.eye(2)
        det = s[0, 0] * s[1, 1] - s[0, 1] * s[1, 0]
        k = p @ h.T @ (jnp.array([[s[1, 1], -s[0, 1]], [-s[1, 0], s[0, 0]]]) / det)
        x, p = x + k @ (z - h @ x), (jnp.eye(4) - k @ h) @ p
        return (x, p), x
    return lax.scan(step, (jnp.zeros(4), jnp.eye(4)), zs)


def edit_distance(a, b):
    def row(above, x):
        def cell(left, j):
            here = jnp.minimum(jnp.minimum(above[j + 1], left) + 1,
                               above[j] + (x != b[j]).astype(jnp.int32))
            return here, here
        first = above[0] + 1
        _, rest = lax.scan(cell, first, jnp.arange(b.shape[0]))
        return jnp.concatenate([first[None], rest]), None
    return lax.scan(row, jnp.arange(b.shape[0] + 1, dtype=jnp.int32), a)[0][-1]


def sieve():
    size = 20000
    def strike(i, is_prime):
        step = lambda s: (s[0] + i, s[1].at[s[0]].set(False))
        return lax.cond(
            is_prime[i],
            lambda p: lax.while_loop(lambda s: s[0] < size, step, (i * i, p))[1],
            lambda p: p, is_prime)
    return jnp.sum(lax.fori_loop(2, 142, strike, jnp.ones(size, bool)).astype(jnp.int32))


def biquad_filter(xs):
    def step(state, x):
        x1, x2, y1, y2 = state
        y = .2 * x + .3 * x1 + .2 * x2 + .5 * y1 - .2 * y2
        return (x, x1, y, y1), y
    zero = jnp.float32(0)
    return lax.scan(step, (zero,) * 4, xs)[1]


def runge_kutta(y):
    def slope(y):
        return jnp.stack([10 * (y[1] - y[0]), y[0] * (28 - y[2]) - y[1],
                          y[0] * y[1] - 8 / 3 * y[2]])
    def step(_, y):
        k1 = slope(y)
        k2 = slope(y + .0005 * k1)
        k3 = slope(y + .0005 * k2)
        k4 = slope(y + .001 * k3)
        return y + .001 / 6 * (k1 + 2 * k2 + 2 * k3 + k4)
    return lax.fori_loop(0, 2000, step, y)


def conjugate_gradients(a, b):
    def step(state):
        x, r, p, rr, i = state
        ap = a @ p
        alpha = rr / (p @ ap)
        x, r = x + alpha * p, r - alpha * ap
        new = r @ r
        return x, r, r + (new / rr) * p, new, i + 1
    start = (jnp.zeros_like(b), b, b, b @ b, 0)
    return lax.while_loop(lambda s: (s[4] < 100) & (s[3] > 0), step, start)[0]


def mandelbrot(c):
    def step(_, state):
        z, count = state
        z = jnp.where(jnp.abs(z) < 2, z * z + c, z)
        return z, count + (jnp.abs(z) < 2).astype(jnp.int32)
    return lax.fori_loop(0, 200, step, (jnp.zeros_like(c), jnp.zeros(c.shape, jnp.int32)))[1]


def complex_map(c):
    return lax.fori_loop(0, 3000, lambda _, z: z * z * .5 + c / (1 + z), jnp.complex64(0))


def fibonacci():
    return lax.fori_loop(0, 5000, lambda _, s: (s[1], s[0] + s[1]),
                         (jnp.uint32(0), jnp.uint32(1)))


def random_walk(key):
    def step(state, _):
        key, x = state
        key, now = jax.random.split(key)
        x = x + jax.random.normal(now, (4,))
        return (key, x), x
    return lax.scan(step, (key, jnp.zeros(4)), None, length=300)[1]


def stacked_sums(xs):
    def step(c, x):
        c = .9 * c + x
        return c, (c, jnp.sum(c), jnp.max(c))
    return lax.scan(step, jnp.zeros(8), xs)


def branches(choices):
    def step(x, choice):
        x = lax.switch(choice, [lambda x: x * 1.5 + 1, lambda x: x * .5, lambda x: .25 - x], x)
        return x, x
    return lax.scan(step, jnp.float32(1), choices)[1]


PROGRAMS = {  # cause: function, arguments
    "products": (recurrent_cell, normal(48, 48, scale=.1), normal(16, 48, scale=.1), normal(500, 16)),
    "small matrices": (kalman_filter, normal(1000, 2)),
    "loops in loops": (edit_distance, random.integers(0, 4, 300, np.int32),
                       random.integers(0, 4, 300, np.int32)),
    "updates": (sieve,),
    "scalars": (biquad_filter, normal(5000)),
    "short vectors": (runge_kutta, normal(3)),
    "long vectors": (conjugate_gradients, definite(256), normal(256)),
    "complex vectors": (mandelbrot, (normal(64) + 1j * normal(64)).astype(np.complex64)),
    "complex scalars": (complex_map, np.complex64(.3 + .4j)),
    "integers": (fibonacci,),
    "random bits": (random_walk, np.array([1, 2], np.uint32)),
    "stacked results": (stacked_sums, normal(2000, 8)),
    "branches": (branches, random.integers(0, 3, 2000, np.int32)),
}


def apart(ours, theirs):
    ours, theirs = (np.asarray(x, np.complex128) for x in (ours, theirs))
    return np.linalg.norm(ours - theirs) / max(np.linalg.norm(theirs), 1e-30)


def least_of_theirs(compiled, arguments, launches):
    times = []
    for _ in range(launches):
        start = time.perf_counter()
        jax.block_until_ready(compiled(*arguments))
        times.append((time.perf_counter() - start) * 1e3)
    return min(times)


def compare(benchmark, cause, rounds=3, launches=15):
    function, *arguments = PROGRAMS[cause]
    lowered = jax.jit(function, keep_unused=True).lower(*arguments)
    compiled = lowered.compile()
    on_device = jax.device_put(arguments)
    first = jax.tree_util.tree_leaves(compiled(*on_device))[0]
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        (folder / "loop.mlir").write_text(lowered.as_text())
        command = [benchmark, folder / "loop.mlir", "--launches", str(launches),
                   "--first-result", folder / "first.npy"]
        for i, argument in enumerate(arguments):
            np.save(folder / f"{i}.npy", argument)
            command.append(folder / f"{i}.npy")
        ours, theirs = [], []
        for _ in range(rounds):
            theirs.append(least_of_theirs(compiled, on_device, launches))
            run = subprocess.run(command, capture_output=True, text=True)
            if run.returncode != 0:
                sys.exit(run.stderr)
            printed = dict(line.split() for line in run.stdout.splitlines())
            ours.append(float(printed["launch_ms_min"]))
        distance = apart(np.load(folder / "first.npy"), first)
    lockstep, xla = min(ours), min(theirs)
    print(f"{cause:16} lockstep {lockstep:8.3f} ms, XLA {xla:8.3f} ms, "
          f"ratio {lockstep / xla:5.2f}, apart by {distance:.1e}", flush=True)
    return lockstep / xla


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("program_benchmark")
    parser.add_argument("causes", nargs="*", default=list(PROGRAMS))
    parser.add_argument("--threads", type=int, default=0, help="0: all processors")
    flags = parser.parse_args()
    if flags.threads > 0:
        os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[:flags.threads])
    # Reads how many processors there are.
    import jax
    import jax.numpy as jnp
    from jax import lax
    jax.config.update("jax_default_matmul_precision", "highest")
    jax.config.update("jax_platforms", "cpu")
    ratios = [compare(flags.program_benchmark, cause) for cause in flags.causes]
    print(f"geometric mean of {len(ratios)}: {statistics.geometric_mean(ratios):.2f}, "
          f"largest {max(ratios):.2f}")
