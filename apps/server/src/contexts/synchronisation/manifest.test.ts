/** What a device receives of the park's promise: it depends on what the device stores, and changes no more often than necessary. */
import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { BUILT_IN_SETTINGS } from '@gatehouse/contract/configuration/settings'
import type { OwnCurve } from '@gatehouse/contract/faces/own-curve'
import { scoreKept } from '@gatehouse/contract/faces/promise'
import type { Comparing } from '../faces/index.ts'
import { manifestOf, type DevicePolicy } from './manifest.ts'
import { ParkRegister } from './register.ts'
import type { ContactFacts, DeviceFacts, FaceFacts, PersonFacts, StrategyFacts } from './register-facts.ts'

const NOW = Date.UTC(2026, 10, 20)
const LOOSEST = 5e-4
const BY_ITSELF: Comparing = { loosest: LOOSEST, joins: () => false, curveOf: () => null }
const BY_MEAN: Comparing = { ...BY_ITSELF, joins: (photographs) => photographs > 1 }

/** Create a park with one door, which all people of a group may pass. */
function park({ promise = 10, authorisedObject }: { promise?: number; authorisedObject?: StrategyFacts['authorisedObject'] } = {}) {
  const register = new ParkRegister(randomUUID())
  const door: DeviceFacts = { id: randomUUID(), code: 'door', name: 'Door', direction: 1, groupId: null, released: true }
  const strategy: StrategyFacts = {
    id: randomUUID(),
    timeRuleIds: [],
    methods: [1],
    validFrom: null,
    validTo: null,
    ...(authorisedObject !== undefined && { authorisedObject }),
    personIds: [],
    groupIds: new Set(['everybody']),
    deviceIds: [door.id],
    deviceGroupIds: new Set(),
  }
  register.putStrategies([strategy.id], new Map([[strategy.id, strategy]]), new Map())
  register.putDevices([door])
  register.assign()
  const policy: DevicePolicy = {
    promises: { strangersPerThousand: promise, falseAlarmsPerDay: 1, wrongPerSearch: 1 },
    margin: 5,
    lookAlikeMargin: 10,
    liveness: null,
    livenessThreshold: null,
  }
  return {
    door,
    /** Add this many persons, with this many photos and contacts each. Return their ids. */
    come(count: number, photographs = 1, contacts = 0): string[] {
      const facts = new Map<string, { person: PersonFacts; faces: FaceFacts; contacts: readonly ContactFacts[] }>()
      for (let at = 0; at < count; at++) {
        const id = randomUUID()
        facts.set(id, {
          person: { id, name: 'Li', workNumber: null, enabled: true, groupId: 'everybody', validFrom: null, validTo: null },
          faces: { faceIds: Array.from({ length: photographs }, () => randomUUID()), threshold: null, lookAlikes: [] },
          contacts: Array.from({ length: contacts }, () => ({ id: randomUUID(), name: 'Wang', faceId: randomUUID() })),
        })
      }
      register.putPersons([...facts.keys()], facts, NOW, new Map())
      return [...facts.keys()]
    },
    go: (ids: string[]) => register.putPersons(ids, new Map(), NOW, new Map()),
    manifestFor: (comparing = BY_ITSELF, device = door) => manifestOf(register, device, 'UTC', policy, comparing).manifest,
  }
}

/** Return the lowest score that keeps a promise for this many templates. */
const kept = (templates: number, promise = 10) => scoreKept('door', promise, { templates }, LOOSEST)

describe('a device is told what is promised', () => {
  test('and a threshold that keeps it up to a step: the same settings while people come and go within it, others beyond', () => {
    const { come, go, manifestFor } = park()
    const first = manifestFor()
    const [one] = [come(99), come(1)][1]!
    expect(manifestFor()).toEqual(first)
    expect(first.settings.promise).toEqual({ strangersPerThousand: 10 })
    expect(first.settings.threshold).toBeGreaterThanOrEqual(kept(100))
    expect(first.settings.threshold).toBeLessThan(kept(100) + 0.1)

    const [beyond] = come(1)
    const second = manifestFor()
    expect(second.settings.threshold).toBeGreaterThanOrEqual(kept(200))
    expect(second.revision).not.toBe(first.revision)
    go([one!, beyond!])
    expect(manifestFor()).toEqual(first)
  })

  test('with photographs counted as the model of the device compares them', () => {
    const { come, manifestFor } = park()
    come(60, 2)
    expect(manifestFor(BY_MEAN).settings.threshold).toBeLessThan(kept(120))
    expect(manifestFor(BY_ITSELF).settings.threshold).toBeGreaterThanOrEqual(kept(120))
  })

  test('and how alike those are who may come there, with a threshold that keeps the promise among them', () => {
    const curve: OwnCurve = { score: 75, rate: 0.01, pointsPerTenfold: 12 }
    const { come, door, manifestFor } = park()
    come(60)
    const plain = manifestFor()
    const alike: Comparing = { ...BY_ITSELF, curveOf: (deviceId) => (deviceId === door.id ? curve : null) }
    const { settings, revision } = manifestFor(alike)
    expect(settings.promise).toEqual({ strangersPerThousand: 10, curve })
    const asked = scoreKept('door', 10, { templates: 100 }, LOOSEST, curve)
    expect(asked).toBeGreaterThan(kept(100) + 5)
    expect(settings.threshold).toBeGreaterThanOrEqual(asked)
    expect(settings.threshold).toBeLessThan(asked + 0.1)
    expect(revision).not.toBe(plain.revision)
    expect(manifestFor({ ...BY_ITSELF, curveOf: (deviceId) => (deviceId === door.id ? null : curve) })).toEqual(plain)
  })

  test('and contacts count where they pass, and nowhere else', () => {
    const thresholdOf = (authorisedObject: StrategyFacts['authorisedObject']) => {
      const { come, manifestFor } = park({ authorisedObject })
      come(60, 1, 1)
      return manifestFor().settings.threshold
    }
    expect(thresholdOf(undefined)).toBeLessThan(kept(120))
    expect(thresholdOf('contact')).toBeGreaterThanOrEqual(kept(120))
    expect(thresholdOf('both')).toBe(thresholdOf('contact'))
  })

  test('and never a threshold that former versions take nothing for but the same picture', () => {
    const { come, manifestFor } = park({ promise: 0.01 })
    come(101)
    expect(kept(200, 0.01)).toBeGreaterThan(100)
    expect(manifestFor().settings).toMatchObject({ promise: { strangersPerThousand: 0.01 }, threshold: 99 })
  })

  test('but not where it was given a threshold of its own, which holds however many come', () => {
    const { door, come, manifestFor } = park()
    const own = { ...door, configuration: { ...BUILT_IN_SETTINGS, threshold: 61 } }
    const first = manifestFor(BY_ITSELF, own)
    expect(first.settings.threshold).toBe(61)
    expect(first.settings).not.toHaveProperty('promise')
    come(500)
    expect(manifestFor(BY_ITSELF, own)).toEqual(first)
  })
})
