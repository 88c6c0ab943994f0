import { describe, expect, onTestFinished, test } from 'vitest'
import { createDecider } from './decision.ts'
import type { Shown } from './inputs.ts'
import type { DeviceSettings, StrategyObject } from '@gatehouse/contract/device/protocol-manifest'
import type { PersonObject } from '@gatehouse/contract/device/protocol-persons'
import { scoreOf, type Calibration } from '@gatehouse/face-engine'
import { createServerClient } from '../device/server.ts'
import type { TakenPerson } from '../device/store.ts'
import { openStore } from '../store/store.ts'
import { embeddingFrom, MODEL, nudged, scratchFolder } from '../device/testing/folder.ts'
import { contactWith, DEVICE, idOf, manifestWith, OPEN_RULE, OPEN_STRATEGY, personWith, takenOf } from '../device/testing/objects.ts'
import { startTestServer } from '../device/testing/server.ts'

const NOON_FRIDAY = Date.parse('2026-11-20T12:00:00+08:00')
const OFFICE = { ...OPEN_RULE, id: 'office', periods: [{ weekday: 5, start: '09:00', end: '12:30' }] }

/** Distance 0.486 is a score of 80, 0.547 of 70, 0.617 of 60. */
const CURVE: Calibration = {
  curve: [
    { distance: 0.486, falseMatchRate: 1e-4, falseNonMatchRate: null },
    { distance: 0.547, falseMatchRate: 1e-3, falseNonMatchRate: null },
    { distance: 0.617, falseMatchRate: 1e-2, falseNonMatchRate: null },
  ],
  unlike: 1.4,
  recommended: { door: 5e-4, watchList: 1e-3, search: 1e-2 },
  measured: false,
  source: 'made up for the test',
}

const [ANN, BOB, CID] = [idOf('ann'), idOf('bob'), idOf('cid')] as const

function personTaken(id: string, seed: number | Float32Array, change: Partial<PersonObject> = {}): TakenPerson {
  return takenOf(personWith(id, typeof seed === 'number' ? embeddingFrom(seed) : seed, { name: `Name of ${id.slice(0, 3)}`, ...change }))
}

const shown = (embedding: Float32Array, seenAt: number, livenessScore?: number): Shown[] => [
  { input: { kind: 'face', face: { embedding, livenessScore } }, seenAt },
]

interface DecidingOptions extends Partial<DeviceSettings> {
  online?: boolean
  identifyWithin?: number
  /** Changes to Ann. */
  ann?: Partial<PersonObject>
  /** Further persons stored. */
  others?: TakenPerson[]
  /** Who passes by the strategy, and how. */
  authorised?: StrategyObject['authorisedObject']
  methods?: number[]
}

/** The deciding part of a terminal that stores Ann (may pass on Friday mornings), Bob (disabled) and Cid (no strategy). */
async function deciding({
  online = true,
  identifyWithin = 5_000,
  ann = {} as Partial<PersonObject>,
  others = [] as TakenPerson[],
  authorised,
  methods = [1],
  ...settings
}: DecidingOptions = {}) {
  const server = await startTestServer()
  const store = openStore({ folder: scratchFolder(), code: DEVICE.code, model: MODEL })
  onTestFinished(async () => {
    store.close()
    await server.stop()
  })
  const { holdings } = store
  const manifest = manifestWith({
    revision: 'r-7',
    strategies: [{ ...OPEN_STRATEGY, timeRuleIds: ['office'], methods, ...(authorised !== undefined && { authorisedObject: authorised }) }],
    timeRules: [OFFICE],
  })
  holdings.apply({ ...manifest, settings: { ...manifest.settings, ...settings } })
  holdings.take({
    persons: [
      personTaken(ANN, 1, ann),
      personTaken(BOB, 2, { enabled: false }),
      personTaken(CID, 3, { strategyIds: ['of another device'] }),
      ...others,
    ],
    exceptions: [],
    removed: [],
    position: null,
  })
  const decider = createDecider({
    holdings,
    engine: { modelId: MODEL.modelId, calibration: CURVE },
    client: createServerClient({ server: server.url, ...DEVICE }),
    online: () => online,
    identifyWithin,
  })
  const look = (embedding: Float32Array, livenessScore?: number) =>
    decider.decide(shown(embedding, NOON_FRIDAY, livenessScore), holdings.settings()!, NOON_FRIDAY)
  const show = (all: readonly Shown[]) => decider.decide(all, holdings.settings()!, NOON_FRIDAY)
  return {
    server,
    look,
    show,
    decide: (seed: number, moment = NOON_FRIDAY) => decider.decide(shown(embeddingFrom(seed), moment), holdings.settings()!, moment),
  }
}

test('a known person within the permitted hours is allowed, with the checks that led there', async () => {
  const { decide, server } = await deciding()
  const outcome = await decide(1)
  expect(outcome).toMatchObject({
    verdict: 'allowed',
    failReason: null,
    personId: ANN,
    personName: 'Name of ann',
    score: 100,
    revision: 'r-7',
  })
  expect(outcome.checks.map(({ code, ok }) => [code, ok])).toContainEqual(['timeRule', true])
  expect(server.identifyCalls).toBe(0)
})

test('outside the permitted hours: 6, a disabled person: 902, one without a strategy: 19, each by name', async () => {
  const { decide } = await deciding()
  expect(await decide(1, NOON_FRIDAY + 3_600_000)).toMatchObject({ verdict: 'rejected', failReason: 6, personId: ANN })
  expect(await decide(2)).toMatchObject({ verdict: 'rejected', failReason: 902, personId: BOB })
  expect(await decide(3)).toMatchObject({ verdict: 'rejected', failReason: 19, personId: CID })
})

describe('a face nobody here knows', () => {
  test('is asked for at the server, which may know the person without a strategy', async () => {
    const { decide, server } = await deciding()
    server.identify = { personId: 'dan', personName: 'Dan', score: 91, failReason: 19 }
    expect(await decide(9)).toMatchObject({ verdict: 'rejected', failReason: 19, personId: 'dan', personName: 'Dan', score: 91 })
  })

  test('is a stranger when the server does not know it either', async () => {
    const { decide, server } = await deciding()
    expect(await decide(9)).toMatchObject({ verdict: 'rejected', failReason: 904, personId: null, personName: '' })
    expect(server.identifyCalls).toBe(1)
  })

  test('is a stranger offline, and when the server is silent', async () => {
    const offline = await deciding({ online: false })
    expect(await offline.decide(9)).toMatchObject({ failReason: 904, personId: null })
    expect(offline.server.identifyCalls).toBe(0)
    const gone = await deciding({ identifyWithin: 1 })
    gone.server.secret = 'changed'
    expect(await gone.decide(9)).toMatchObject({ failReason: 904, personId: null })
  })
})

describe('how strictly faces are compared', () => {
  const ann = embeddingFrom(1)
  const twin = (distance: number) => personTaken(idOf('eve'), nudged(ann, distance))
  const codes = (checks: readonly { code: string; ok: boolean }[]) => checks.map(({ code }) => code)

  test("scores are those of its own engine's curve", async () => {
    const { look } = await deciding({ threshold: 70 })
    expect(await look(nudged(ann, 0.547))).toMatchObject({ verdict: 'allowed', score: expect.closeTo(70, 4) })
    expect(await look(nudged(ann, 0.617))).toMatchObject({ verdict: 'rejected', failReason: 904, score: expect.closeTo(60, 4) })
  })

  test('whoever is as near to somebody else is let in as neither; with the lead asked for, as himself', async () => {
    const { look, server } = await deciding({ margin: 10, others: [twin(0.4)] })
    expect(await look(ann)).toMatchObject({ verdict: 'allowed', personId: ANN })
    const between = await look(nudged(ann, 0.19))
    expect(between).toMatchObject({ verdict: 'rejected', failReason: 2, personId: ANN })
    expect(between.checks.at(-1)).toMatchObject({ code: 'runnerUp', ok: false, margin: 10 })
    expect(server.identifyCalls).toBe(0)
  })

  test('look-alikes need the larger lead', async () => {
    const eve = idOf('eve')
    const strict = { margin: 5, lookAlikeMargin: 100, others: [twin(0.3)] }
    expect((await (await deciding({ ...strict, ann: { lookAlikes: [eve] } })).look(ann)).failReason).toBe(2)
    expect((await (await deciding({ ...strict, ann: { lookAlikes: ['somebody else'] } })).look(ann)).verdict).toBe('allowed')
  })

  test("a threshold of his own asks for more than the door's, and for less only where that is meant", async () => {
    const meantNothing = await deciding({ ann: { faceThreshold: 60 }, online: false })
    expect(await meantNothing.look(nudged(ann, 0.6))).toMatchObject({ verdict: 'rejected', failReason: 904, personId: null })
    const looser = await deciding({ ann: { faceThreshold: 60, faceThresholdLoosens: true } })
    expect(await looser.look(nudged(ann, 0.6))).toMatchObject({
      verdict: 'allowed',
      personId: ANN,
      checks: expect.arrayContaining([expect.objectContaining({ code: 'face', threshold: 60 })]),
    })
    const stricter = await deciding({ ann: { faceThreshold: 130 }, online: false })
    expect(await stricter.look(nudged(ann, 0.2))).toMatchObject({ verdict: 'rejected', failReason: 904, personId: null })
    expect((await stricter.look(nudged(ann, 0.1))).verdict).toBe('allowed')
  })

  test('whom a stricter threshold made a stranger the server does not bring back by the name', async () => {
    const { look, server } = await deciding({ ann: { faceThreshold: 130 } })
    server.identify = { personId: ANN, personName: 'Ann', score: 91, failReason: 19 }
    expect(await look(nudged(ann, 0.2))).toMatchObject({ verdict: 'rejected', failReason: 904, personId: null, personName: '' })
    expect(server.identifyCalls).toBe(1)
    server.identify = { personId: 'dan', personName: 'Dan', score: 91, failReason: 19 }
    expect(await look(nudged(ann, 0.2))).toMatchObject({ failReason: 19, personName: 'Dan' })
  })

  test('where a living face is demanded, a picture is rejected with 17, and so is every face without a score', async () => {
    const { look } = await deciding({ liveness: { refuses: true, threshold: 0.6 } })
    expect((await look(ann, 0.7)).verdict).toBe('allowed')
    expect(await look(ann, 0.5)).toMatchObject({ verdict: 'rejected', failReason: 17, personId: ANN, personName: 'Name of ann' })
    expect((await look(ann)).checks.at(-1)).toEqual({ code: 'liveness', ok: false, score: null, threshold: 0.6 })
  })

  test('a trial records the score and refuses nobody', async () => {
    const { look } = await deciding({ liveness: { refuses: false, threshold: null } })
    const outcome = await look(ann, 0.01)
    expect(outcome.verdict).toBe('allowed')
    expect(outcome.checks).toContainEqual({ code: 'liveness', ok: true, score: 0.01, threshold: null })
    expect(codes((await look(ann)).checks)).not.toContain('liveness')
  })
})

describe('passing by contacts: authorised object person, contact, both', () => {
  const mother = contactWith('mother', embeddingFrom(7), 'Wang Fang')
  const withMother = { ann: { contacts: [mother] } }
  const asMother = { personId: ANN, personName: 'Name of ann', contactId: 'mother', contactName: 'Wang Fang', score: 100 }
  const herself = { personId: ANN, contactId: null, contactName: '', score: 100 }

  test('where both may, each is let in, and the contact is named beside the person', async () => {
    const { decide } = await deciding({ ...withMother, authorised: 'both' })
    expect(await decide(7)).toMatchObject({ verdict: 'allowed', failReason: null, ...asMother })
    expect(await decide(1)).toMatchObject({ verdict: 'allowed', ...herself })
  })

  test("where contacts may, the person's own face opens nothing", async () => {
    const { decide } = await deciding({ ...withMother, authorised: 'contact' })
    expect(await decide(7)).toMatchObject({ verdict: 'allowed', ...asMother })
    expect(await decide(1)).toMatchObject({ verdict: 'rejected', failReason: 19, ...herself })
  })

  test('where persons may, a contact who is known opens nothing', async () => {
    for (const authorised of [undefined, 'person'] as const) {
      const { decide } = await deciding({ ...withMother, ...(authorised && { authorised }) })
      expect(await decide(7)).toMatchObject({ verdict: 'rejected', failReason: 19, ...asMother })
      expect(await decide(1)).toMatchObject({ verdict: 'allowed', ...herself })
    }
  })

  test('a contact of somebody who is disabled is refused with him', async () => {
    const { decide } = await deciding({ ann: { contacts: [mother], enabled: false }, authorised: 'both' })
    expect(await decide(7)).toMatchObject({ verdict: 'rejected', failReason: 902, ...asMother })
  })

  test('whoever is as near to another person as to the contact is let in as neither', async () => {
    const { look } = await deciding({
      ...withMother,
      authorised: 'both',
      margin: 10,
      others: [personTaken(idOf('eve'), nudged(embeddingFrom(7), 0.3))],
    })
    expect(await look(nudged(embeddingFrom(7), 0.14))).toMatchObject({ verdict: 'rejected', failReason: 2, personId: ANN })
    expect(await look(embeddingFrom(7))).toMatchObject({ verdict: 'allowed', ...asMother })
  })

  test('the server is asked about the contact, not about the person', async () => {
    const { decide, server } = await deciding({ ...withMother, authorised: 'both', secondVerification: { timeoutMs: 2_000 } })
    expect(await decide(7)).toMatchObject({ verdict: 'allowed', ...asMother })
    expect(server.verifyCalls).toEqual([{ personId: ANN, moment: NOON_FRIDAY, method: 1, score: scoreOf(CURVE, 0), contactId: 'mother' }])
  })
})

describe('one human who is registered more than once: a contact of two children, one of the staff who is a contact', () => {
  const [EVE, STAFF] = [idOf('eve'), idOf('staff')] as const
  const face = embeddingFrom(7)
  /** A photograph of the mother, at a distance from her face at the door, and the human it is assigned to. */
  const mother = (id: string, distance: number, human: string | null = 'wang fang') => ({
    ...contactWith(id, nudged(face, distance), 'Wang Fang'),
    ...(human !== null && { human }),
  })
  const eve = (contact: ReturnType<typeof mother>, change: Partial<PersonObject> = {}, seed: number | Float32Array = 5) =>
    personTaken(EVE, seed, { contacts: [contact], ...change })
  const staff = (distance: number, change: Partial<PersonObject> = {}) =>
    personTaken(STAFF, nudged(face, distance), { human: 'wang fang', ...change })
  const closed = { strategyIds: ['of another device'] }
  /** A margin in points of score that no two of these faces keep. */
  const strict = { authorised: 'both' as const, margin: 30 }

  test('is let in for the child who may pass now; of several always for the same one, by whichever photograph comes nearer', async () => {
    for (const [ofAnn, ofEve] of [
      [0.1, 0.2],
      [0.2, 0.1],
    ] as const) {
      const both = await deciding({ ...strict, ann: { contacts: [mother('of-ann', ofAnn)] }, others: [eve(mother('of-eve', ofEve))] })
      expect(await both.look(face)).toMatchObject({ verdict: 'allowed', personId: ANN, contactId: 'of-ann', contactName: 'Wang Fang' })
      const hers = await deciding({
        ...strict,
        ann: { contacts: [mother('of-ann', ofAnn)], ...closed },
        others: [eve(mother('of-eve', ofEve))],
      })
      expect(await hers.look(face)).toMatchObject({ verdict: 'allowed', personId: EVE, contactId: 'of-eve' })
    }
  })

  test('where none may pass, the refusal is that of the photograph that comes nearest', async () => {
    const nearestIsEve = await deciding({
      ...strict,
      ann: { contacts: [mother('of-ann', 0.2)], enabled: false },
      others: [eve(mother('of-eve', 0.1), closed)],
    })
    expect(await nearestIsEve.look(face)).toMatchObject({ verdict: 'rejected', failReason: 19, personId: EVE, contactId: 'of-eve' })
    const nearestIsAnn = await deciding({
      ...strict,
      ann: { contacts: [mother('of-ann', 0.1)], enabled: false },
      others: [eve(mother('of-eve', 0.2), closed)],
    })
    expect(await nearestIsAnn.look(face)).toMatchObject({ verdict: 'rejected', failReason: 902, personId: ANN })
  })

  test('the own face comes before that of a contact, wherever both may pass; where the person may not, the contact does', async () => {
    const contactOfAnn = { ann: { contacts: [mother('of-ann', 0.1)] } }
    const asHerself = await deciding({ ...strict, ...contactOfAnn, others: [staff(0.2)] })
    expect(await asHerself.look(face)).toMatchObject({ verdict: 'allowed', personId: STAFF, contactId: null, contactName: '' })
    const asContact = await deciding({ ...strict, ...contactOfAnn, others: [staff(0.05, { enabled: false })] })
    expect(await asContact.look(face)).toMatchObject({ verdict: 'allowed', personId: ANN, contactId: 'of-ann' })
  })

  test('each photograph must do by itself: one that is too unlike lets nobody in', async () => {
    const { look } = await deciding({
      ...strict,
      ann: { contacts: [mother('of-ann', 0.1)], ...closed },
      others: [eve(mother('of-eve', 0.5))],
    })
    expect(await look(face)).toMatchObject({ verdict: 'rejected', failReason: 19, personId: ANN })
  })

  test('different humans compete as ever, contacts or not, said to be others or not said to be the same', async () => {
    for (const human of ['li na', null]) {
      const { look } = await deciding({
        ...strict,
        ann: { contacts: [mother('of-ann', 0.1)] },
        others: [eve(mother('of-eve', 0.2, human))],
      })
      expect(await look(face)).toMatchObject({
        verdict: 'rejected',
        failReason: 2,
        checks: expect.arrayContaining([expect.objectContaining({ code: 'runnerUp', ok: false })]),
      })
    }
    const silent = await deciding({
      ...strict,
      ann: { contacts: [mother('of-ann', 0.1, null)] },
      others: [eve(mother('of-eve', 0.2, null))],
    })
    expect(await silent.look(face)).toMatchObject({ verdict: 'rejected', failReason: 2 })
    const third = await deciding({
      ...strict,
      ann: { contacts: [mother('of-ann', 0.1)] },
      others: [eve(mother('of-eve', 0.2)), personTaken(idOf('fay'), nudged(face, 0.25))],
    })
    expect(await third.look(face)).toMatchObject({ verdict: 'rejected', failReason: 2 })
  })

  test('two persons are two humans, whatever is said of them', async () => {
    const { look } = await deciding({ ...strict, others: [staff(0.1), staff(0.2, { id: idOf('twin') })] })
    expect(await look(face)).toMatchObject({ verdict: 'rejected', failReason: 2, personId: STAFF })
    const besides = await deciding({
      ...strict,
      ann: { contacts: [mother('of-ann', 0.05)] },
      others: [staff(0.1), staff(0.2, { id: idOf('twin') })],
    })
    expect(await besides.look(face)).toMatchObject({ verdict: 'rejected', failReason: 2 })
  })

  test("the child's own face competes with the mother's, though a search tells of the nearer one only", async () => {
    const { look } = await deciding({
      ...strict,
      ann: { contacts: [mother('of-ann', 0.1)] },
      others: [eve(mother('of-eve', 0.15), closed, nudged(face, 0.2))],
    })
    expect(await look(face)).toMatchObject({ verdict: 'rejected', failReason: 2, personId: ANN })
  })

  test('the same photograph is the same human, whatever the server says of that', async () => {
    const { look } = await deciding({
      ...strict,
      ann: { contacts: [mother('of-ann', 0.1, null)], ...closed },
      others: [eve(mother('of-eve', 0.1, null))],
    })
    expect(await look(face)).toMatchObject({ verdict: 'allowed', personId: EVE, contactId: 'of-eve' })
  })

  test('she is told from others by any of many photographs of hers', async () => {
    const children = Array.from({ length: 30 }, (_, at) =>
      personTaken(idOf(`child ${at}`), 100 + at, { contacts: [mother(`of-${at}`, 0.1 + at / 1000)], ...(at < 29 && closed) }),
    )
    const { look } = await deciding({ ...strict, others: children })
    expect(await look(face)).toMatchObject({ verdict: 'allowed', personId: idOf('child 29'), contactId: 'of-29' })
  })

  test('a card says for whom: the contact of that child is meant, and an unlike photograph of her is no somebody else', async () => {
    const options = {
      ...strict,
      ann: {
        contacts: [mother('of-ann', 0.1)],
        credentials: { cards: ['1'], idNumber: null, personalPassword: null, cardPassword: null, qrCodes: [], handprints: [] },
      },
    }
    const cardOf = (number: string): Shown => ({ input: { kind: 'card', number }, seenAt: NOON_FRIDAY })
    const withCard = { credentials: { ...options.ann.credentials, cards: ['2'] } }
    const { look, show } = await deciding({ ...options, methods: [1, 5], others: [eve(mother('of-eve', 0.3), withCard)] })
    expect(await look(face)).toMatchObject({ verdict: 'allowed', personId: ANN })
    expect(await show([cardOf('2'), ...shown(face, NOON_FRIDAY)])).toMatchObject({ verdict: 'allowed', personId: EVE, contactId: 'of-eve' })
    const unlike = await deciding({ ...options, methods: [1, 5], others: [eve(mother('of-eve', 0.5), withCard)] })
    expect(await unlike.show([cardOf('2'), ...shown(face, NOON_FRIDAY)])).toMatchObject({
      verdict: 'rejected',
      failReason: 2,
      personId: EVE,
    })
  })

  test('a password typed beside her face says for whom', async () => {
    const passwordOf = (personalPassword: string) => ({
      cards: [],
      idNumber: null,
      personalPassword,
      cardPassword: null,
      qrCodes: [],
      handprints: [],
    })
    const { show } = await deciding({
      ...strict,
      methods: [10],
      ann: { contacts: [mother('of-ann', 0.1)], credentials: passwordOf('1111') },
      others: [eve(mother('of-eve', 0.2), { credentials: passwordOf('2222') })],
    })
    expect(await show(shown(face, NOON_FRIDAY))).toMatchObject({ verdict: 'pending', awaits: { factors: ['personalPassword'] } })
    for (const [password, personId] of [
      ['1111', ANN],
      ['2222', EVE],
    ] as const)
      expect(await show([...shown(face, NOON_FRIDAY), { input: { kind: 'password', password }, seenAt: NOON_FRIDAY }])).toMatchObject({
        verdict: 'allowed',
        personId,
      })
  })

  test('whom the server refuses for one child it is asked about for the next; the last word is that of the nearest', async () => {
    const options = {
      ...strict,
      secondVerification: { timeoutMs: 2_000 },
      ann: { contacts: [mother('of-ann', 0.2)] },
      others: [eve(mother('of-eve', 0.1))],
    }
    const { look, server } = await deciding(options)
    server.verify = ({ personId }) => (personId === ANN ? { allowed: false, failReason: 903 } : { allowed: true, failReason: null })
    expect(await look(face)).toMatchObject({ verdict: 'allowed', personId: EVE, contactId: 'of-eve' })
    expect(server.verifyCalls.map(({ personId }) => personId)).toEqual([ANN, EVE])
    server.verify = ({ personId }) => ({ allowed: false, failReason: personId === ANN ? 903 : 6 })
    expect(await look(face)).toMatchObject({ verdict: 'rejected', failReason: 6, personId: EVE })
    const silent = await deciding({ ...options, secondVerification: { timeoutMs: 100 } })
    silent.server.verifyAfter = 5_000
    expect(await silent.look(face)).toMatchObject({ verdict: 'rejected', failReason: 10, personId: EVE })
    expect(silent.server.verifyCalls).toHaveLength(1)
  })
})

describe('second verification: the server has the last word', () => {
  const asking = { secondVerification: { timeoutMs: 2_000 } }

  test('it is asked once the terminal would let somebody in, with person, moment, method and score', async () => {
    const { decide, server } = await deciding(asking)
    expect(await decide(1)).toMatchObject({ verdict: 'allowed', failReason: null, personId: ANN })
    expect(server.verifyCalls).toEqual([{ personId: ANN, moment: NOON_FRIDAY, method: 1, score: scoreOf(CURVE, 0) }])
    expect(await decide(2)).toMatchObject({ verdict: 'rejected', failReason: 902 })
    expect(server.verifyCalls).toHaveLength(1)
  })

  test('its refusal counts, with its reason or 14 where it gave none, and the person stays named', async () => {
    const { decide, server } = await deciding(asking)
    server.verify = { allowed: false, failReason: 903 }
    expect(await decide(1)).toMatchObject({ verdict: 'rejected', failReason: 903, personId: ANN, personName: 'Name of ann' })
    server.verify = { allowed: false, failReason: null }
    expect(await decide(1)).toMatchObject({ verdict: 'rejected', failReason: 14, personId: ANN })
  })

  test('offline it cannot be asked: 9, without a call', async () => {
    const { decide, server } = await deciding({ ...asking, online: false })
    expect(await decide(1)).toMatchObject({ verdict: 'rejected', failReason: 9, personId: ANN })
    expect(server.verifyCalls).toEqual([])
  })

  test('no answer within the time: 10; a fault at the server: 15', async () => {
    const silent = await deciding({ secondVerification: { timeoutMs: 100 } })
    silent.server.verifyAfter = 5_000
    expect(await silent.decide(1)).toMatchObject({ verdict: 'rejected', failReason: 10, personId: ANN })
    const faulty = await deciding(asking)
    faulty.server.verifyAfter = null
    expect(await faulty.decide(1)).toMatchObject({ verdict: 'rejected', failReason: 15, personId: ANN })
  })
})
