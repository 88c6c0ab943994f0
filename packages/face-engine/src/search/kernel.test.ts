import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { boundOf } from './bound.ts'
import { compileKernel } from './build-kernel.ts'
import { KERNELS, kernelFile, startKernel } from './kernel.ts'
import { Rows } from './rows.ts'
import { squaredDistance } from './squared-distance.ts'
import { embeddingNumbers } from './testing/galleries.ts'

describe.each(KERNELS)('the %s kernel', (kind) => {
  test('is what its source compiles to', async () => {
    expect(Buffer.from(await compileKernel(kind)).equals(readFileSync(kernelFile(kind)))).toBe(true)
  })

  test('never takes a row for farther than it is', () => {
    const pairs = fc
      .integer({ min: 1, max: 70 })
      .chain((dimensions) => fc.tuple(embeddingNumbers(dimensions), embeddingNumbers(dimensions), fc.nat(63)))
    fc.assert(
      fc.property(pairs, ([first, second, row]) => {
        const [numbers, probe] = [Float32Array.from(first), Float32Array.from(second)]
        const rows = new Rows(numbers.length, Infinity)
        const chunk = rows.takeChunk()
        rows.put(chunk, row, numbers)
        const { scale, square, length, error } = rows.putProbe(probe)
        const bound = boundOf(squaredDistance(probe, numbers, 0))
        const found = startKernel(kind, rows.memory).scan(
          rows.addressOf(chunk),
          0,
          rows.probe,
          rows.width,
          scale,
          square,
          length,
          error,
          bound,
        )
        expect(found).toBe(((row & ~3) << 4) | (1 << (row & 3)))
      }),
      { numRuns: 500 },
    )
  })

  test('leaves a row out that is clearly farther', () => {
    const rows = new Rows(128, Infinity)
    const chunk = rows.takeChunk()
    rows.put(chunk, 5, new Float32Array(128).fill(0.1))
    const { scale, square, length, error } = rows.putProbe(new Float32Array(128).fill(-0.1))
    const scan = (bound: number) =>
      startKernel(kind, rows.memory).scan(rows.addressOf(chunk), 0, rows.probe, rows.width, scale, square, length, error, boundOf(bound))
    // 128 · 0.2² = 5.12
    expect([scan(5), scan(5.12)]).toEqual([-1, (4 << 4) | 0b10])
  })

  test('reads all memory', () => {
    const rows = new Rows(16, Infinity)
    new BigInt64Array(rows.memory.buffer, 0, 16).fill(3n)
    expect(startKernel(kind, rows.memory).readAll(64, 128)).toBe(24n)
  })
})

test('both kernels ask for a closer look at the same rows', () => {
  const galleries = fc
    .integer({ min: 1, max: 70 })
    .chain((dimensions) =>
      fc.tuple(
        fc.array(embeddingNumbers(dimensions), { minLength: 1, maxLength: 64 }),
        embeddingNumbers(dimensions),
        fc.double({ min: 0, max: 100, noNaN: true }),
      ),
    )
  fc.assert(
    fc.property(galleries, ([all, probed, bound]) => {
      const probe = Float32Array.from(probed)
      const rows = new Rows(probe.length, Infinity)
      const chunk = rows.takeChunk()
      for (const [row, numbers] of all.entries()) rows.put(chunk, row, Float32Array.from(numbers))
      const { scale, square, length, error } = rows.putProbe(probe)
      const looks = KERNELS.map((kind) => {
        const kernel = startKernel(kind, rows.memory)
        const found: number[] = []
        for (let from = 0; from < 64;) {
          const next = kernel.scan(rows.addressOf(chunk), from, rows.probe, rows.width, scale, square, length, error, boundOf(bound))
          found.push(next)
          from = next < 0 ? 64 : (next >> 4) + 4
        }
        return found
      })
      expect(looks[0]).toEqual(looks[1])
    }),
  )
})
