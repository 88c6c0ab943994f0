/** The recognition promises of a park: shown with their cost, stored as a setting, applied by every door at once. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { deviceProtocolCalls } from '@gatehouse/contract/device/protocol-calls'
import { failReason } from '@gatehouse/contract/enums'
import { faceCalls } from '@gatehouse/contract/faces/calls'
import { facePolicyCalls, type FacePolicy } from '@gatehouse/contract/faces/policy'
import { DEFAULT_PROMISES, scoreKept } from '@gatehouse/contract/faces/promise'
import { specialCalls } from '@gatehouse/contract/people/special'
import { rateOfScore, scoreOfRate } from '@gatehouse/contract/score'
import { portraitVariant } from '@gatehouse/dev-env/portraits'
import { BUILTIN_ENGINE, DISTINCT_PORTRAITS, bytesOfEmbedding, recommendedScore } from '@gatehouse/face-engine'
import type { InputOf } from '@gatehouse/contract'
import { createClient } from '@gatehouse/dev-env/client'
import { refusalOf } from '../../../../../tests/support/refusal.ts'
import { startWorld, type Site, type World } from '@gatehouse/dev-env/world'
import { newId } from '../../platform/database/ids.ts'
import { sql } from '../../platform/database/database.ts'
import { facesMigrations } from './schema.ts'

type Fields = InputOf<(typeof facePolicyCalls)['change']['body']>

let world: World
beforeAll(async () => {
  world = await startWorld({ terminals: 2 })
})
afterAll(() => world?.stop())

const { calibration } = BUILTIN_ENGINE
const fields = (change: Partial<Fields> = {}): Fields => ({
  ...DEFAULT_PROMISES,
  margin: 5,
  lookAlikeMargin: 10,
  photosWanted: 2,
  liveness: { mode: 'off' },
  ...change,
})
const read = (site: Site = world) => site.call(facePolicyCalls.read, {})
const change = (body: Fields, site: Site = world) => site.call(facePolicyCalls.change, { body })
const door = ({ purposes }: FacePolicy) => purposes.find(({ purpose }) => purpose === 'door')!
const settingsOf = async ({ code, secret }: { code: string; secret: string }) => {
  const { settings, revision } = await createClient(world.url, { basic: [code, secret] }).call(deviceProtocolCalls.manifest, {})
  return { settings, revision }
}
const database = () => world.server.platform.db

/** Create a door that asks the server about a person whom it does not store. */
async function showing(site: Site) {
  const device = await site.device()
  const terminal = createClient(world.url, { basic: [device.code, device.secret] })
  const service = world.server.contexts.faces.service
  const seen = await service.probe(await portraitVariant(DISTINCT_PORTRAITS[0], 1))
  const template = Buffer.from(bytesOfEmbedding(seen.embedding)).toString('base64')
  const identify = () => terminal.call(deviceProtocolCalls.identify, { body: { modelId: service.modelId, template } })
  return { service, template, identify }
}

/** Insert templates directly, since calls would require a photo for each. */
async function templates({ park }: Site, count: number): Promise<void> {
  const { platform, contexts } = world.server
  const ids = Array.from({ length: count }, () => newId())
  const now = new Date(platform.clock.now())
  await sql`INSERT INTO face (id, park_id, person_id, position, file_id, quality, created_at)
    SELECT id, ${park.id}::uuid, gen_random_uuid(), 0, gen_random_uuid(), '{}', ${now} FROM unnest(${ids}::uuid[]) AS made (id)`.execute(
    database(),
  )
  await sql`INSERT INTO face_template (face_id, park_id, model_id, template, made_at)
    SELECT id, ${park.id}::uuid, ${contexts.faces.service.modelId}, '', ${now} FROM unnest(${ids}::uuid[]) AS made (id)`.execute(database())
}

describe('a park that set nothing', () => {
  test('promises ten strangers of a thousand, and says what that means', async () => {
    const policy = await read(await world.addPark())
    expect(policy).toMatchObject({
      version: 0,
      margin: 5,
      lookAlikeMargin: 10,
      photosWanted: 2,
      liveness: { mode: 'off', threshold: null, available: false },
      modelId: BUILTIN_ENGINE.modelId,
      measured: true,
      persons: 0,
      personsWithFew: 0,
      doorsByFaceAlone: 0,
      drawnOnly: false,
    })
    expect(policy.purposes.map(({ purpose, promise, former }) => [purpose, promise, former])).toEqual([
      ['door', 10, null],
      ['watchList', 1, null],
      ['search', 1, null],
    ])
    // However few templates are compared, no door is looser than recommended.
    expect(door(policy)).toMatchObject({ templates: 0, score: recommendedScore(calibration, 'door'), supported: true })
  })

  test('asks for more with each face its doors know, and says what each offer costs', async () => {
    const site = await world.addPark()
    await templates(site, 400)
    const policy = await read(site)
    expect(door(policy)).toMatchObject({ templates: 400, score: scoreKept('door', 10, { templates: 400 }, 5e-4) })
    for (const { falseMatchRate, score, offers, loosest } of policy.purposes) {
      expect(falseMatchRate).toBeCloseTo(rateOfScore(score), 12)
      expect(falseMatchRate).toBeLessThanOrEqual(loosest)
      // A stricter promise admits fewer strangers and refuses more registered people.
      const rates = offers.map((offer) => offer.falseMatchRate)
      expect(rates).toEqual(rates.toSorted((one, other) => other - one))
      const missed = offers.map((offer) => offer.falseNonMatchRate ?? 1)
      expect(missed).toEqual(missed.toSorted((one, other) => one - other))
    }
    const [ten, one, tenth] = door(policy).offers
    expect([ten, one, tenth].map((offer) => offer!.promise)).toEqual([10, 1, 0.1])
    expect(ten!.falseNonMatchRateOfTwo!).toBeLessThan(ten!.falseNonMatchRate! * 0.7)
    // One in ten thousand strangers among 400 faces is rarer than was ever measured with this model.
    expect(one!.supported).toBe(true)
    expect(tenth).toMatchObject({ supported: false, falseNonMatchRate: null })
  })
})

describe('a policy', () => {
  test('is set as a whole, once for each version', async () => {
    const site = await world.addPark()
    const saved = await change(fields({ strangersPerThousand: 2.5, falseAlarmsPerDay: 3, wrongPerSearch: 4, photosWanted: 3 }), site)
    expect(saved.purposes.map(({ promise }) => promise)).toEqual([2.5, 3, 4])
    expect(saved).toMatchObject({ version: 1, margin: 5, photosWanted: 3 })
    expect(await read(site)).toEqual(saved)
    const conflict = await refusalOf(change(fields({ strangersPerThousand: 2.5, falseAlarmsPerDay: 3, margin: 9, version: 0 }), site))
    expect(conflict).toMatchObject({ status: 409 })
    expect((conflict.data as { fields: object[] }).fields).toEqual([
      { path: 'wrongPerSearch', rule: 'conflict' },
      { path: 'margin', rule: 'conflict' },
      { path: 'photosWanted', rule: 'conflict' },
    ])
    expect(await read(site)).toEqual(saved)
    const both = await Promise.allSettled([4, 6].map((margin) => change(fields({ margin, version: 1 }), site)))
    expect(both.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
  })

  test('is refused at the field where a promise is none, or liveness is on with no threshold or an engine that cannot tell', async () => {
    const site = await world.addPark()
    for (const field of ['strangersPerThousand', 'falseAlarmsPerDay', 'wrongPerSearch'])
      for (const value of [0, 101])
        expect(await refusalOf(change(fields({ [field]: value }), site))).toMatchObject({
          status: 400,
          data: { fields: [{ path: field }] },
        })
    expect(await refusalOf(change(fields({ liveness: { mode: 'on', threshold: 0.5 } }), site))).toMatchObject({
      code: 500009,
      data: { fields: [{ path: 'liveness.mode' }] },
    })
    expect(await refusalOf(change({ ...fields(), door: { precision: 3 } } as never, site))).toMatchObject({ status: 400 })
    expect(await read(site)).toMatchObject({ version: 0 })
    expect(await change(fields({ liveness: { mode: 'trial' } }), site)).toMatchObject({ liveness: { mode: 'trial', threshold: null } })
  })

  test('reaches every terminal of the park as one new manifest, and nobody is sent again', async () => {
    const doors = world.terminals.map(({ device }) => device)
    await world.person({ permittedAt: doors })
    const site = await world.addPark()
    const elsewhere = await world.terminal(await site.device())
    await world.settled()
    const digests = () =>
      Promise.all(
        doors
          .map(({ code, secret }) => createClient(world.url, { basic: [code, secret] }))
          .map(async (client) => {
            const { audience } = await client.call(deviceProtocolCalls.manifest, {})
            return client.call(deviceProtocolCalls.digest, { params: { audience } })
          }),
      )
    const before = {
      digests: await digests(),
      manifests: await Promise.all(doors.map(settingsOf)),
      elsewhere: await settingsOf(elsewhere.device),
    }
    await change(fields({ strangersPerThousand: 1, margin: 7, lookAlikeMargin: 12, liveness: { mode: 'trial', threshold: 0.4 } }))
    // Once settled, each terminal has its current revision.
    await world.settled()
    for (const [place, device] of doors.entries()) {
      const { settings, revision } = await settingsOf(device)
      expect(settings).toMatchObject({
        promise: { strangersPerThousand: 1 },
        margin: 7,
        lookAlikeMargin: 12,
        liveness: { refuses: false, threshold: 0.4 },
      })
      // For devices that do not support promises: the threshold keeps the promise among a hundred faces.
      expect(settings.threshold).toBeGreaterThanOrEqual(scoreOfRate(1 / 1000 / 2 / 100))
      expect(settings.threshold).toBeLessThan(scoreOfRate(1 / 1000 / 2 / 100) + 0.1)
      expect(revision).not.toBe(before.manifests[place]!.revision)
    }
    expect(await digests()).toEqual(before.digests)
    expect(await settingsOf(elsewhere.device)).toEqual(before.elsewhere)
    await change(fields())
  })

  test('is what the server goes by for a face a terminal does not hold: threshold, the person’s own, and the lead', async () => {
    const site = await world.addPark()
    const { identify } = await showing(site)
    const photo = await portraitVariant(DISTINCT_PORTRAITS[0], 0)
    const person = await site.person({ photo })
    await world.settled()
    const { score } = await identify()
    expect(await identify()).toMatchObject({ personId: person.id, failReason: failReason.noAccessStrategy })
    const unknown = { personId: null, failReason: failReason.notRegistered }
    const own = (threshold: number | null) => site.call(faceCalls.setThreshold, { params: { id: person.id }, body: { threshold } })
    await own(score! + 0.1)
    expect(await identify()).toMatchObject(unknown)
    await own(score! - 0.1)
    expect(await identify()).toMatchObject({ personId: person.id })
    // A person with the same face: neither has a lead, unless none is required.
    await site.person({ photo })
    await own(null)
    await change(fields(), site)
    await world.settled()
    expect(await identify()).toMatchObject(unknown)
    await change(fields({ margin: 0 }), site)
    expect((await identify()).personId).not.toBeNull()
  })

  test('names nobody of the watch list to a terminal: they are unknown there', async () => {
    const site = await world.addPark()
    const { service, template, identify } = await showing(site)
    const nobody = await identify()
    const { id: groupId } = await site.call(specialCalls.createGroup, { body: { name: 'Watched' } })
    const { faceId } = await site.call(faceCalls.cache, { body: {}, file: await portraitVariant(DISTINCT_PORTRAITS[0], 0) })
    const { id } = await site.call(specialCalls.create, { body: { name: 'Moriarty', groupId, facePhotos: [faceId] } })
    await world.settled()
    const [nearest] = await service.search({ parkId: site.park.id }, service.modelId, Buffer.from(template, 'base64'), { limit: 1 })
    expect(nearest?.personId).toBe(id)
    expect(await identify()).toEqual(nobody)
  })

  test('what held when is kept', async () => {
    const site = await world.addPark()
    const scope = { parkId: site.park.id }
    await change(fields({ strangersPerThousand: 6 }), site)
    await change(fields({ strangersPerThousand: 7 }), site)
    const revisions = await world.server.platform.history.between(scope, 'facePolicy', site.park.id, 0, Date.now() + 1000)
    expect(revisions.map(({ content }) => [content['promises'], content['modelId']])).toEqual(
      [6, 7].map((strangersPerThousand) => [{ ...DEFAULT_PROMISES, strangersPerThousand }, BUILTIN_ENGINE.modelId]),
    )
    expect(revisions.map(({ to }) => to === null)).toEqual([false, true])
  })

  test('is the same after the server was away', async () => {
    const saved = await change(fields({ strangersPerThousand: 3 }))
    await world.interrupted(async () => {})
    expect(await read()).toEqual(saved)
    expect(world.server.contexts.faces.service.policyOf({ parkId: world.park.id }).promises.strangersPerThousand).toBe(3)
  })
})

describe('a park from before there were promises', () => {
  /** Insert rows of the earlier version and run the migration on them. */
  async function translated(rows: { precision: number; custom: number | null }[], withoutRow: Site): Promise<Site[]> {
    const sites = await Promise.all(rows.map(() => world.addPark()))
    await templates(withoutRow, 3)
    const db = database()
    const { up } = facesMigrations.find(({ name }) => name === '20261129T0530-faces-promises')!
    await db.transaction().execute(async (tx) => {
      await sql`ALTER TABLE face_policy DROP COLUMN door_promise, DROP COLUMN watch_list_promise, DROP COLUMN search_promise`.execute(tx)
      await sql`UPDATE face_policy SET door_precision = 3, watch_list_precision = 3, search_precision = 3`.execute(tx)
      for (const [at, { precision, custom }] of rows.entries())
        await sql`INSERT INTO face_policy (park_id, door_precision, door_custom, watch_list_precision, search_precision, margin,
          look_alike_margin,
            photos_wanted, liveness_mode, version, updated_at)
          VALUES (${sites[at]!.park.id}, ${precision}, ${custom}, 3, ${precision === 6 ? 3 : precision}, 5, 10, 2, 'off', 4,
          now())`.execute(tx)
      await up(tx.withoutPlugins(), () => Promise.reject(new Error('nothing is sealed here')))
    })
    return sites
  }

  test('promises as much more or less as it was stricter or looser, shows what held, and is done with it once it is saved', async () => {
    const untouched = await world.addPark()
    const sites = await translated(
      [
        { precision: 1, custom: null },
        { precision: 2, custom: 66 },
        { precision: 3, custom: null },
        { precision: 5, custom: null },
        { precision: 6, custom: 62.5 },
        { precision: 6, custom: 79 },
        { precision: 6, custom: 90 },
      ],
      untouched,
    )
    const policies = await Promise.all([...sites, untouched].map((site) => read(site)))
    expect(policies.map((policy) => door(policy).promise)).toEqual([0.1, 1, 10, 10, 10, 1, 0.1, 10])
    expect(policies.map((policy) => door(policy).former!.score)).toEqual([83, 78, 73, 63, 62.5, 79, 90, 73])
    expect(policies[0]!.purposes.map(({ promise }) => promise)).toEqual([0.1, 1, 0.01])
    // Three faces, each mistaken for a stranger once in two thousand times.
    expect(door(policies[7]!).former).toMatchObject({ mistakes: expect.closeTo(1.5, 2) as number })
    const { version } = policies[7]!
    const saved = await change(fields({ version }), untouched)
    expect(saved.purposes.map(({ former }) => former)).toEqual([null, null, null])
    expect(await read(untouched)).toEqual(saved)
  })
})
