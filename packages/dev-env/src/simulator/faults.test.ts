import { randomOf } from '@gatehouse/face-engine/portrait/random'
import { expect, test } from 'vitest'
import { createDeviceClock } from './clock.ts'
import { FAULTS, misfortuneOf, traitsOf, type Fault } from './faults.ts'

const ALL = new Set(Object.keys(FAULTS) as Fault[])
const PEOPLE = Array.from({ length: 500 }, (_, number) => `person ${number}`)

/** What can be told of a device from outside. */
function traits(seed: number, code: string, faults: ReadonlySet<Fault>) {
  const { line, modelId, store } = traitsOf(faults, code, 'model', randomOf(`${seed} ${code}`))
  const refused = PEOPLE.filter((id) => store.refuses?.(id, '') != null)
  return {
    slow: line?.latency,
    lossy: line?.breaks !== undefined,
    line: line !== undefined,
    modelId,
    gathered: store.gathered,
    recordLimit: store.recordLimit,
    refused,
  }
}

const fleet = (seed: number, faults: ReadonlySet<Fault>) =>
  Array.from({ length: 200 }, (_, number) => traits(seed, `SIM-${number}`, faults))

test('the same seed makes the same fleet, another one another', () => {
  expect(fleet(7, ALL)).toEqual(fleet(7, ALL))
  expect(fleet(8, ALL)).not.toEqual(fleet(7, ALL))
})

test('each fault meets some and not all, and none where none is wanted', () => {
  const all = fleet(7, ALL)
  for (const concerned of [
    all.filter(({ slow }) => slow !== undefined),
    all.filter(({ lossy }) => lossy),
    all.filter(({ recordLimit }) => recordLimit),
    all.filter(({ modelId }) => modelId !== 'model'),
  ]) {
    expect(concerned.length).toBeGreaterThan(0)
    expect(concerned.length).toBeLessThan(all.length / 2)
  }
  expect(all.every(({ refused }) => refused.length > 0 && refused.length < PEOPLE.length / 10)).toBe(true)
  expect(
    fleet(7, new Set()).every(
      (one) => !one.line && one.modelId === 'model' && one.gathered === 0 && one.recordLimit === undefined && one.refused.length === 0,
    ),
  ).toBe(true)
})

test('misfortunes come as often as told', () => {
  const random = randomOf('misfortunes')
  const met = Array.from({ length: 10_000 }, () => misfortuneOf(ALL, 0.1, random)).filter((misfortune) => misfortune !== null)
  expect(met.length).toBeGreaterThan(1_500)
  expect(met.length).toBeLessThan(2_300)
  expect(new Set(met.map(({ kind }) => kind))).toEqual(new Set(['cut', 'vanished']))
  expect(misfortuneOf(new Set(), 1, random)).toBeNull()
})

test('a clock is off, gains, and lives through days until it has caught up', () => {
  let truth = 1_000_000
  const clock = createDeviceClock({ offset: 5_000, gain: 0.01, truth: () => truth })
  expect(clock.now()).toBe(1_005_000)
  truth += 10_000
  expect(clock.now()).toBe(1_015_100)
  clock.liveThrough(86_400_000, 2_000)
  expect(clock.now()).toBe(1_015_100 - 86_400_000)
  truth += 1_000
  expect(clock.now()).toBe(1_016_110 - 43_200_000)
  truth += 1_000
  expect(clock.now()).toBe(1_017_120)
})
