import type { Check } from '@gatehouse/access-rules'
import { recordedScore, scoreOfRate } from '@gatehouse/contract/score'
import { terminalSettingValues } from '@gatehouse/contract/configuration/settings'
import { deviceSettings, type DeviceSettings } from '@gatehouse/contract/device/protocol-manifest'
import { accessMethod } from '@gatehouse/contract/enums'
import { templatesRoundedUp } from '@gatehouse/contract/faces/promise'
import { scoreOf, type Calibration } from '@gatehouse/face-engine'
import { randomOf, type Random } from '@gatehouse/face-engine/portrait/random'
import { describe, expect, onTestFinished, test } from 'vitest'
import { holdingsWith } from '../console/at-the-door.ts'
import { openLocalPeople } from '../console/local-people.ts'
import { createServerClient } from '../device/server.ts'
import type { TakenPerson } from '../device/store.ts'
import { scratchFolder } from '../device/testing/folder.ts'
import { contactWith, DEVICE, idOf, manifestWith, OPEN_STRATEGY, personWith, takenOf } from '../device/testing/objects.ts'
import { openStore } from '../store/store.ts'
import { createDecider, type Decider } from './decision.ts'

/**
 * Faces are directions in space, and any two people are any two directions. Of all pairs of different people, a share of exactly t²/4 is no
 * farther apart than t, so error rates are known without measurements.
 */
const SPACE = { modelId: 'directions', dimensions: 3 }
const rateWithin = (distance: number) => distance ** 2 / 4
const distanceAt = (rate: number) => 2 * Math.sqrt(rate)
const DIRECTIONS: Calibration = {
  curve: Array.from({ length: 600 }, (_, step) => 10 ** (-7 + step / 100)).map((falseMatchRate) => ({
    distance: distanceAt(falseMatchRate),
    falseMatchRate,
    falseNonMatchRate: null,
  })),
  unlike: 2,
  recommended: { door: 0.05, watchList: 0.05, search: 0.05 },
  measured: false,
  source: 'the surface of a sphere',
}
const MOMENT = Date.parse('2026-11-20T12:00:00+08:00')

/** Return a random direction; all are equally likely. */
function somebody(random: Random): Float32Array {
  const height = random.between(-1, 1)
  const turn = random.between(0, 2 * Math.PI)
  const across = Math.sqrt(1 - height ** 2)
  return Float32Array.from([across * Math.cos(turn), across * Math.sin(turn), height])
}

/** Return a face at a distance from another, on the sphere. @param distance below 2 */
function away([x, y, z]: Float32Array, distance: number): Float32Array {
  const angle = 2 * Math.asin(distance / 2)
  // The axis that is farther from the face.
  const axis = Math.abs(x!) < 0.5 ? [1, 0, 0] : [0, 1, 0]
  const along = axis[0]! * x! + axis[1]! * y!
  const side = [axis[0]! - along * x!, axis[1]! - along * y!, -along * z!]
  const length = Math.hypot(...side)
  return Float32Array.from([x!, y!, z!], (value, place) => value * Math.cos(angle) + (side[place]! / length) * Math.sin(angle))
}

const nobodyIsAsked = createServerClient({ server: 'http://127.0.0.1:9', ...DEVICE })

/** A terminal's deciding part with directions as faces, offline. */
function doorThatPromises(change: Partial<DeviceSettings> = { promise: { strangersPerThousand: 10 } }) {
  const store = openStore({ folder: scratchFolder(), code: DEVICE.code, model: SPACE })
  onTestFinished(() => store.close())
  const people = openLocalPeople(store.database, store.vault, SPACE, () => {})
  const manifest = manifestWith({ strategies: [{ ...OPEN_STRATEGY, methods: [1, 5], authorisedObject: 'both' }] })
  store.holdings.apply({ ...manifest, settings: { ...manifest.settings, threshold: 62, ...change } })
  const decider: Decider = createDecider({
    holdings: holdingsWith(store.holdings, people),
    engine: { modelId: SPACE.modelId, calibration: DIRECTIONS },
    client: nobodyIsAsked,
    online: () => false,
  })
  return {
    people,
    come: (...persons: readonly TakenPerson[]) => store.holdings.take({ persons, exceptions: [], removed: [], position: null }),
    go: (...gone: readonly string[]) => store.holdings.take({ persons: [], exceptions: [], removed: gone, position: null }),
    look: (embedding: Float32Array, settings = store.holdings.settings()!) =>
      decider.decide([{ input: { kind: 'face', face: { embedding } }, seenAt: MOMENT }], settings, MOMENT),
    settings: () => store.holdings.settings()!,
    asked: (settings = store.holdings.settings()!) => decider.thresholds(settings),
  }
}

/** People with one face each. */
function crowd(random: Random, count: number, from = 0): TakenPerson[] {
  return Array.from({ length: count }, (_, at) => takenOf(personWith(idOf(`person ${from + at}`), somebody(random))))
}
const faceCheckOf = (checks: readonly Check[]) => checks.find((check) => check.code === 'face')
/** Return the score for a promise of ten strangers per thousand, of which half is aimed at. */
const keptFor = (templates: number) => scoreOfRate(10 / 1000 / 2 / templates)

describe('a door that promises', () => {
  const ANN = idOf('ann')
  const face = somebody(randomOf('ann'))
  const ann = takenOf(personWith(ANN, face))

  test('asks for more as people come and for less as they go, from one passage to the next', async () => {
    const random = randomOf('comers')
    const { come, go, look, asked } = doorThatPromises()
    come(ann, ...crowd(random, 49))
    for (const [already, all] of [
      [49, 50],
      [49, 150],
      [149, 300],
    ] as const) {
      come(...crowd(random, all - 1 - already, already))
      expect(asked()).toEqual({ face: expect.closeTo(keptFor(all), 9), templates: all })
      expect(faceCheckOf((await look(face)).checks)).toMatchObject({ ok: true, threshold: expect.closeTo(keptFor(all), 3), templates: all })
    }
    go(...Array.from({ length: 250 }, (_, at) => idOf(`person ${at}`)))
    expect(asked()).toEqual({ face: expect.closeTo(keptFor(50), 9), templates: 50 })
  })

  test('lets the same look in among few, not among many, and again when they have left', async () => {
    const random = randomOf('others')
    const { come, go, look } = doorThatPromises()
    come(ann, ...crowd(random, 49))
    const glance = away(face, distanceAt(10 / 1000 / 2 / 120))
    expect(await look(glance)).toMatchObject({ verdict: 'allowed', personId: ANN })
    come(...crowd(random, 250, 49))
    expect(await look(glance)).toMatchObject({ verdict: 'rejected', failReason: 904, personId: null })
    go(...Array.from({ length: 250 }, (_, at) => idOf(`person ${49 + at}`)))
    expect(await look(glance)).toMatchObject({ verdict: 'allowed', personId: ANN })
  })

  test('counts every face it compares: several of one person, those of contacts, those registered at the terminal', () => {
    const random = randomOf('faces')
    const { come, people, asked } = doorThatPromises()
    expect(asked()).toEqual({ face: expect.closeTo(scoreOfRate(10 / 1000 / 2), 9), templates: 0 })
    const second = personWith('second', somebody(random)).faces
    come(takenOf(personWith(ANN, face, { faces: [...personWith(ANN, face).faces, ...second] })))
    expect(asked().templates).toBe(2)
    come(takenOf(personWith(idOf('child'), somebody(random), { contacts: [contactWith('mother', somebody(random))] })))
    expect(asked().templates).toBe(4)
    const entry = { name: 'Loc', workNumber: '', card: '', password: '', validFrom: null, validTo: null }
    const { id } = people.add(entry, [{ picture: Buffer.from('a picture'), embedding: somebody(random) }])
    expect(asked()).toEqual({ face: expect.closeTo(keptFor(5), 9), templates: 5 })
    people.remove(id)
    come(takenOf(personWith(idOf('child'), somebody(random))))
    expect(asked().templates).toBe(3)
  })

  test('compares the portrait on an ID card, and whoever is named by a card, by the same threshold', async () => {
    const random = randomOf('cards')
    const credentials = { cards: ['7'], idNumber: '110', personalPassword: null, cardPassword: null, qrCodes: [], handprints: [] }
    const withCard = takenOf(personWith(ANN, face, { credentials }))
    const store = openStore({ folder: scratchFolder(), code: DEVICE.code, model: SPACE })
    onTestFinished(() => store.close())
    const manifest = manifestWith({ strategies: [{ ...OPEN_STRATEGY, methods: [accessMethod.cardAndFace, accessMethod.idVerification] }] })
    const settings = { ...manifest.settings, promise: { strangersPerThousand: 10 } }
    store.holdings.apply({ ...manifest, settings })
    const { decide } = createDecider({
      holdings: store.holdings,
      engine: { modelId: SPACE.modelId, calibration: DIRECTIONS },
      client: nobodyIsAsked,
      online: () => false,
    })
    const glance = away(face, distanceAt(10 / 1000 / 2 / 120))
    const seen = { input: { kind: 'face', face: { embedding: glance } }, seenAt: MOMENT } as const
    const byCard = () => decide([{ input: { kind: 'card', number: '7' }, seenAt: MOMENT }, seen], settings, MOMENT)
    const byPortrait = () => decide([{ input: { kind: 'idCard', number: '110', portrait: face }, seenAt: MOMENT }, seen], settings, MOMENT)
    store.holdings.take({ persons: [withCard, ...crowd(random, 49)], exceptions: [], removed: [], position: null })
    expect([await byCard(), await byPortrait()]).toMatchObject([{ verdict: 'allowed' }, { verdict: 'allowed', personId: ANN }])
    store.holdings.take({ persons: crowd(random, 250, 49), exceptions: [], removed: [], position: null })
    expect([await byCard(), await byPortrait()]).toMatchObject([
      { verdict: 'rejected', failReason: 2 },
      { verdict: 'rejected', checks: expect.arrayContaining([{ code: 'idPortrait', ok: false }]) },
    ])
  })

  test('asks more of whoever has a threshold of his own, less only where that is meant', async () => {
    const random = randomOf('own')
    const { come, look } = doorThatPromises()
    const others = crowd(random, 49)
    const usual = expect.closeTo(keptFor(50), 3)
    const glance = away(face, distanceAt(10 ** -3))
    const own = (change: Partial<TakenPerson>) => come({ ...ann, ...change }, ...others)
    own({ faceThreshold: 95 })
    expect(faceCheckOf((await look(face)).checks)).toMatchObject({ ok: true, threshold: 95, templates: 50, usual })
    own({ faceThreshold: 65 })
    expect(await look(glance)).toMatchObject({ verdict: 'rejected', failReason: 904 })
    expect(faceCheckOf((await look(face)).checks)).toMatchObject({ threshold: usual, templates: 50 })
    expect(faceCheckOf((await look(face)).checks)).not.toHaveProperty('usual')
    own({ faceThreshold: 65, faceThresholdLoosens: true })
    const { verdict, checks } = await look(glance)
    expect([verdict, faceCheckOf(checks)]).toMatchObject(['allowed', { threshold: 65, templates: 50, usual }])
  })

  test('tells a score whole where it explains, and at most 100 where it shows', async () => {
    const { come, look } = doorThatPromises()
    come(ann)
    const near = away(face, distanceAt(10 ** -6.5))
    const { score, checks } = await look(near)
    expect(score).toBe(100)
    expect(faceCheckOf(checks)?.score).toBeCloseTo(105, 1)
  })

  test('a threshold set at the terminal, or for it alone, stays what it is', async () => {
    const random = randomOf('fixed')
    const { come, look, settings, asked } = doorThatPromises()
    const own = () => ({ ...settings(), configuration: terminalSettingValues.parse({ threshold: 66 }) })
    come(ann)
    expect(asked(own())).toEqual({ face: 66 })
    come(...crowd(random, 200))
    expect(asked(own())).toEqual({ face: 66 })
    const check = faceCheckOf((await look(away(face, distanceAt(10 ** -3)), own())).checks)
    expect(check).toMatchObject({ ok: true, threshold: 66 })
    expect(check).not.toHaveProperty('templates')
  })
})

describe('one of two versions', () => {
  const ANN = idOf('ann')
  const face = somebody(randomOf('ann'))

  /** Settings as the server sends them. */
  const sentFor = (templates: number): Partial<DeviceSettings> => ({
    promise: { strangersPerThousand: 10 },
    threshold: Math.min(99, Math.ceil(10 * keptFor(templatesRoundedUp(templates))) / 10),
  })

  test('a terminal of the former one passes over the promise and goes by the threshold, which is never less', async () => {
    for (const count of [50, 150, 300]) {
      const random = randomOf(`former ${count}`)
      const { come, look, settings } = doorThatPromises(sentFor(count))
      come(takenOf(personWith(ANN, face)), ...crowd(random, count - 1))
      const former = deviceSettings.omit({ promise: true }).parse(settings())
      expect(former).not.toHaveProperty('promise')
      let between = 0
      for (let rate = 1e-3; rate > 1e-6; rate /= 1.1) {
        const glance = away(face, distanceAt(rate))
        const [then, now] = [await look(glance, former), await look(glance)]
        expect(faceCheckOf(then.checks)).toMatchObject({ threshold: former.threshold })
        expect(faceCheckOf(then.checks)).not.toHaveProperty('templates')
        if (then.verdict === 'allowed') expect(now.verdict).toBe('allowed')
        between += Number(now.verdict === 'allowed' && then.verdict !== 'allowed')
      }
      // A hundred faces are counted as fifty, two hundred as a hundred and fifty: the former requires a somewhat higher score.
      expect(between).toBeGreaterThan(0)
    }
  })

  test('under a server of the former one the threshold is what it was sent, however many come', async () => {
    const random = randomOf('former server')
    const { come, look, asked } = doorThatPromises({})
    come(takenOf(personWith(ANN, face)))
    expect(asked()).toEqual({ face: 62 })
    come(...crowd(random, 299))
    expect(asked()).toEqual({ face: 62 })
    const check = faceCheckOf((await look(away(face, distanceAt(rateWithin(0.1))))).checks)
    expect(check).toMatchObject({ ok: true, threshold: 62 })
    expect(check).not.toHaveProperty('templates')
  })
})

/** Return the probabilities of 0 to `trials` successes, each with this chance. */
function binomial(trials: number, chance: number): number[] {
  const odds = Math.log(chance) - Math.log1p(-chance)
  let log = trials * Math.log1p(-chance)
  return Array.from({ length: trials + 1 }, (_, successes) => {
    if (successes > 0) log += Math.log((trials - successes + 1) / successes) + odds
    return Math.exp(log)
  })
}
const sum = (chances: readonly number[]) => chances.reduce((total, chance) => total + chance, 0)

describe('of strangers who try', () => {
  const STRANGERS = 3_000
  /** Probability with which a correct program fails a test: one in a million. */
  const UNLIKELY = 1e-6

  async function letInBy(look: (embedding: Float32Array) => Promise<{ verdict: string }>, random: Random): Promise<number> {
    let count = 0
    for (let at = 0; at < STRANGERS; at++) count += Number((await look(somebody(random))).verdict === 'allowed')
    return count
  }

  test.each([50, 150, 300])('no more get in than is promised, and about half of it, among %i people', async (count) => {
    const random = randomOf(`strangers at ${count}`)
    const promising = doorThatPromises()
    promising.come(...crowd(random, count))
    const letIn = await letInBy(promising.look, random)
    // If the rate were more than ten per thousand, so few would occur once in a million times; if it were not half of ten, so many or so
    // few.
    const half = binomial(STRANGERS, 5 / 1000)
    expect(sum(half.slice(letIn))).toBeGreaterThan(UNLIKELY)
    expect(sum(half.slice(0, letIn + 1))).toBeGreaterThan(UNLIKELY)
    expect(letIn).toBeLessThanOrEqual(10 * (STRANGERS / 1000))
  })

  test('more get in with each who comes where the threshold is fixed at what is right for one', async () => {
    const random = randomOf('fixed for one')
    const fixed = doorThatPromises({ threshold: keptFor(1) })
    fixed.come(...crowd(random, 50))
    const among50 = await letInBy(fixed.look, random)
    fixed.come(...crowd(random, 250, 50))
    const among300 = await letInBy(fixed.look, random)
    expect(sum(binomial(STRANGERS, 10 / 1000).slice(among50))).toBeLessThan(UNLIKELY)
    expect(among300).toBeGreaterThan(2 * among50)
  })
})

test('the curve of these tests says what the sphere does', () => {
  for (const distance of [0.002, 0.01, 0.05, 0.1, 0.3])
    expect(scoreOf(DIRECTIONS, distance)).toBeCloseTo(scoreOfRate(rateWithin(distance)), 2)
  expect(recordedScore(scoreOf(DIRECTIONS, 0.0001))).toBe(100)
})
