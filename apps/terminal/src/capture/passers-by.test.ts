import { expect, test } from 'vitest'
import type { Capture } from './capture.ts'
import { createPassersBy, type PassersByParts } from './passers-by.ts'
import { paint, paintedPool, templateOf, whoseTemplate, type Painted, type Somebody } from './testing/painted.ts'

const SETTINGS = { zones: [], masks: [], leastFaceSize: 36, leastQuality: 0.3 }
const EVERY = 100

function watch(parts: Partial<PassersByParts> = {}) {
  const captures: Capture[] = []
  const passersBy = createPassersBy({
    pool: paintedPool(),
    settings: () => SETTINGS,
    isSameFace: (one, other) => whoseTemplate(one) === whoseTemplate(other),
    epochOf: (at) => 1_000_000 + at,
    take: (capture) => void captures.push(capture),
    ...parts,
  })
  let now = 0
  return {
    captures,
    who: () => captures.map(({ embedding }) => whoseTemplate(embedding)),
    /** Show pictures, 100 ms apart. */
    async show(pictures: readonly (readonly Painted[])[]) {
      for (const faces of pictures) await passersBy.look({ picture: await paint(faces), takenAt: (now += EVERY) })
    },
    end: passersBy.end,
  }
}

const steps = (count: number) => Array.from({ length: count }, (_, index) => index)
const walk = (who: Somebody, count = 12, from = 80) => steps(count).map((step) => [{ who, x: from + 20 * step, y: 180 }])
const nobody = (count: number) => steps(count).map(() => [])

test('somebody who walks by is captured once, while still in view, with the times and the picture', async () => {
  const { show, captures, who } = watch()
  await show(walk('red', 6))
  expect(who()).toEqual(['red'])
  await show([...walk('red', 10, 200), ...nobody(15)])
  expect(who()).toEqual(['red'])
  const [{ enteredAt, capturedAt, leftAt, quality, faceWidth, picture }] = captures as [Capture]
  expect(enteredAt).toBe(1_000_100)
  expect(capturedAt).toBeGreaterThanOrEqual(enteredAt)
  expect(leftAt).toBeGreaterThanOrEqual(capturedAt)
  expect(quality).toBeGreaterThan(0.8)
  expect(faceWidth).toBe(80)
  expect(Buffer.from(picture.subarray(8, 12)).toString()).toBe('WEBP')
})

test('the best picture is taken: the largest of those so far', async () => {
  const { show, captures } = watch()
  await show([50, 90, 60, 50, 50, 50].map((side) => [{ who: 'red' as const, x: 300, y: 180, side }]))
  expect(captures).toMatchObject([{ faceWidth: 90, capturedAt: 1_000_200 }])
})

test('two at once are two, also when they look alike', async () => {
  const { show, captures } = watch({ isSameFace: () => true })
  await show(
    steps(12).map((step) => [
      { who: 'red', x: 80 + 20 * step, y: 100 },
      { who: 'blue', x: 560 - 20 * step, y: 280 },
    ]),
  )
  expect(captures.map(({ embedding }) => whoseTemplate(embedding)).toSorted()).toEqual(['blue', 'red'])
})

test('somebody who was lost and comes back within seconds is the same passer-by, and later another', async () => {
  const { show, who } = watch()
  await show([...walk('red'), ...nobody(25), ...walk('red', 8, 400), ...walk('lime', 8)])
  expect(who()).toEqual(['red', 'lime'])
  await show([...nobody(70), ...walk('red', 8)])
  expect(who()).toEqual(['red', 'lime', 'red'])
})

test('somebody lost before the capture and found again is captured once', async () => {
  const { show, who } = watch()
  // Too short to be captured at once; elsewhere before the first track has ended.
  await show([...walk('red', 3), ...nobody(2), ...walk('red', 8, 450), ...nobody(20)])
  expect(who()).toEqual(['red'])
})

test('who leaves early is captured when gone, but nobody who was found in one picture only', async () => {
  const { show, who } = watch()
  await show([...walk('red', 2), ...nobody(3), ...walk('blue', 1), ...nobody(15)])
  expect(who()).toEqual(['red'])
})

test('at the end of the stream whoever is in view is captured', async () => {
  const { show, who, end } = watch()
  await show(walk('red', 3))
  expect(who()).toEqual([])
  await end()
  expect(who()).toEqual(['red'])
})

test('small faces, poor ones and those outside the zones are not captured', async () => {
  const settings = {
    ...SETTINGS,
    zones: [
      [
        { x: 0, y: 0 },
        { x: 0.5, y: 0 },
        { x: 0.5, y: 1 },
        { x: 0, y: 1 },
      ],
    ],
  }
  const pool = paintedPool((face, name) => (name === 'yellow' ? { ...face, yaw: 80 } : face))
  const { show, who, end } = watch({ settings: () => settings, pool })
  await show(
    steps(8).map(() => [
      { who: 'red', x: 60, y: 180 },
      { who: 'lime', x: 150, y: 180, side: 30 },
      { who: 'yellow', x: 240, y: 180 },
      { who: 'blue', x: 400, y: 180 },
    ]),
  )
  await end()
  expect(who()).toEqual(['red'])
})

test('what a thorough look takes for no face is not captured', async () => {
  const pool = paintedPool()
  const { show, who, end } = watch({
    pool: {
      analyse: async (photo, options) => {
        const analysis = await pool.analyse(photo, options)
        return options?.search === 'quick'
          ? analysis
          : { ...analysis, faces: analysis.faces.filter(({ embedding }) => whoseTemplate(embedding!) !== 'blue') }
      },
    },
  })
  await show(
    steps(10).map((step) => [
      { who: 'red', x: 80 + 20 * step, y: 100 },
      { who: 'blue', x: 500, y: 280 },
    ]),
  )
  await end()
  expect(who()).toEqual(['red'])
})

test('who was captured before a restart and is still in view is not captured again', async () => {
  const { show, who } = watch({ capturedBefore: [templateOf('red')] })
  await show([...walk('red', 8), ...walk('blue', 8)])
  expect(who()).toEqual(['blue'])
})

test('what could not be stored is stored later, nobody is lost and nobody twice', async () => {
  const stored: (Somebody | undefined)[] = []
  let isFull = true
  const { show, end } = watch({
    take({ embedding }) {
      if (isFull) throw new Error('the disk is full')
      stored.push(whoseTemplate(embedding))
    },
  })
  for (const picture of [...walk('red', 8), ...nobody(15)]) await show([picture]).catch(() => {})
  isFull = false
  await show([...nobody(1), ...walk('blue', 8)])
  await end()
  expect(stored.toSorted()).toEqual(['blue', 'red'])
})
