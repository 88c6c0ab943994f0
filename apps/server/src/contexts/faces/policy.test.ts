/** How strictly a park compares: said as error rates, kept as a setting, followed by every door at once. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import fc from 'fast-check'
import { monitorPrecision } from '@gatehouse/contract/enums/alarms'
import { deviceProtocolCalls } from '@gatehouse/contract/device/protocol'
import { failReason } from '@gatehouse/contract/enums'
import { faceCalls } from '@gatehouse/contract/faces/calls'
import { facePolicyCalls, type FacePolicy } from '@gatehouse/contract/faces/policy'
import { specialCalls } from '@gatehouse/contract/people/special'
import { rateOfScore } from '@gatehouse/contract/score'
import { portraitVariant } from '@gatehouse/dev-env/portraits'
import { BUILTIN_ENGINE, DISTINCT_PORTRAITS, bytesOfEmbedding, recommendedScore } from '@gatehouse/face-engine'
import type { InputOf } from '@gatehouse/contract'
import { CallRefused, createClient } from '@gatehouse/dev-env/client'
import { startWorld, type Site, type World } from '@gatehouse/dev-env/world'

type Fields = InputOf<(typeof facePolicyCalls)['change']['body']>

let world: World
beforeAll(async () => {
  world = await startWorld({ terminals: 2 })
})
afterAll(() => world?.stop())

const { standard, strict, custom } = monitorPrecision
const fields = (change: Partial<Fields> = {}): Fields => ({
  door: { precision: standard },
  watchList: { precision: standard },
  search: { precision: standard },
  margin: 5,
  lookAlikeMargin: 10,
  photosWanted: 2,
  liveness: { mode: 'off' },
  ...change,
})
const read = (site: Site = world) => site.call(facePolicyCalls.read, {})
const change = (body: Fields, site: Site = world) => site.call(facePolicyCalls.change, { body })
const refusalOf = async (work: Promise<unknown>): Promise<CallRefused> => {
  const refusal = await work.then(
    () => null,
    (error: unknown) => error,
  )
  if (!(refusal instanceof CallRefused)) throw new Error(`not refused: ${String(refusal)}`)
  return refusal
}
const door = ({ purposes }: FacePolicy) => purposes.find(({ purpose }) => purpose === 'door')!
const settingsOf = async ({ code, secret }: { code: string; secret: string }) => {
  const { settings, revision } = await createClient(world.url, { basic: [code, secret] }).call(deviceProtocolCalls.manifest, {})
  return { settings, revision }
}

describe('a park that set nothing', () => {
  test('asks for what the model recommends, and says what that means', async () => {
    const site = await world.addPark()
    const policy = await read(site)
    expect(policy).toMatchObject({
      version: 0,
      margin: 5,
      lookAlikeMargin: 10,
      photosWanted: 2,
      liveness: { mode: 'off', threshold: null, available: false },
      modelId: BUILTIN_ENGINE.modelId,
      measured: true,
      templates: 0,
      persons: 0,
      personsWithFew: 0,
    })
    expect(door(policy)).toMatchObject({
      precision: standard,
      custom: null,
      score: Math.round(recommendedScore(BUILTIN_ENGINE.calibration, 'door') * 10) / 10,
      chanceOfStranger: 0,
    })
    for (const purpose of policy.purposes) {
      expect(purpose.falseMatchRate).toBeCloseTo(rateOfScore(purpose.score), 12)
      expect(purpose.presets.map(({ precision }) => precision)).toEqual([1, 2, 3, 4, 5])
      // Stricter lets fewer strangers in, and turns more away.
      const rates = purpose.presets.map(({ falseMatchRate }) => falseMatchRate)
      expect(rates).toEqual(rates.toSorted((one, other) => one - other))
    }
  })
})

describe('a policy', () => {
  test('is set as a whole, once for each version', async () => {
    const site = await world.addPark()
    const saved = await change(fields({ door: { precision: custom, custom: 81.5 }, margin: 5, photosWanted: 3 }), site)
    expect(door(saved)).toMatchObject({ precision: custom, custom: 81.5, score: 81.5, falseMatchRate: rateOfScore(81.5) })
    expect(saved).toMatchObject({ version: 1, margin: 5, photosWanted: 3 })
    expect(await read(site)).toEqual(saved)
    // A score of one's own is remembered while a preset is chosen.
    const preset = await change(fields({ door: { precision: strict }, version: 1 }), site)
    expect(door(preset)).toMatchObject({ precision: strict, custom: 81.5, score: 78 })
    const conflict = await refusalOf(change(fields({ door: { precision: strict }, margin: 9, version: 1 }), site))
    expect(conflict).toMatchObject({ status: 409, data: { fields: [{ path: 'margin', rule: 'conflict' }] } })
    expect(await read(site)).toEqual(preset)
    const both = await Promise.allSettled([4, 6].map((margin) => change(fields({ margin, version: 2 }), site)))
    expect(both.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
  })

  test('500009: a score is missing, or liveness is on with no threshold or an engine that cannot tell', async () => {
    const site = await world.addPark()
    expect(await refusalOf(change(fields({ search: { precision: custom } }), site))).toMatchObject({
      code: 500009,
      data: { fields: [{ path: 'search.custom' }] },
    })
    expect(await refusalOf(change(fields({ liveness: { mode: 'on', threshold: 0.5 } }), site))).toMatchObject({
      code: 500009,
      data: { fields: [{ path: 'liveness.mode' }] },
    })
    expect(await refusalOf(change(fields({ door: { precision: custom, custom: 101 } }), site))).toMatchObject({
      status: 400,
      data: { fields: [{ path: 'door.custom' }] },
    })
    expect(await read(site)).toMatchObject({ version: 0 })
    expect(await change(fields({ liveness: { mode: 'trial' } }), site)).toMatchObject({ liveness: { mode: 'trial', threshold: null } })
  })

  test('whatever is set is answered as it was set, with the rate of its score', async () => {
    const site = await world.addPark()
    const score = fc.double({ min: 1, max: 100, noNaN: true })
    await fc.assert(
      fc.asyncProperty(score, fc.double({ min: 0, max: 30, noNaN: true }), async (own, margin) => {
        const saved = await change(fields({ door: { precision: custom, custom: own }, margin }), site)
        expect(door(saved)).toMatchObject({ score: own, falseMatchRate: rateOfScore(own) })
        expect(saved.margin).toBe(margin)
      }),
      { numRuns: 20 },
    )
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
    const saved = await change(
      fields({ door: { precision: strict }, margin: 7, lookAlikeMargin: 12, liveness: { mode: 'trial', threshold: 0.4 } }),
    )
    // Settled means that each terminal holds the revision it should.
    await world.settled()
    for (const [place, device] of doors.entries()) {
      const { settings, revision } = await settingsOf(device)
      expect(settings).toMatchObject({
        threshold: door(saved).score,
        margin: 7,
        lookAlikeMargin: 12,
        liveness: { refuses: false, threshold: 0.4 },
      })
      expect(revision).not.toBe(before.manifests[place]!.revision)
    }
    expect(await digests()).toEqual(before.digests)
    expect(await settingsOf(elsewhere.device)).toEqual(before.elsewhere)
  })

  test('is what the server goes by for a face a terminal does not hold: threshold, the person’s own, and the lead', async () => {
    const site = await world.addPark()
    const device = await site.device()
    const terminal = createClient(world.url, { basic: [device.code, device.secret] })
    const service = world.server.contexts.faces.service
    const seen = await service.probe(await portraitVariant(DISTINCT_PORTRAITS[0], 1))
    const template = Buffer.from(bytesOfEmbedding(seen.embedding)).toString('base64')
    const identify = () => terminal.call(deviceProtocolCalls.identify, { body: { modelId: service.modelId, template } })
    const photo = await portraitVariant(DISTINCT_PORTRAITS[0], 0)
    const person = await site.person({ photo })
    await world.settled()
    const { score } = await identify()
    expect(await identify()).toMatchObject({ personId: person.id, failReason: failReason.noAccessStrategy })
    const unknown = { personId: null, failReason: failReason.notRegistered }
    await change(fields({ door: { precision: custom, custom: Math.min(100, score! + 0.1) } }), site)
    expect(await identify()).toMatchObject(unknown)
    await site.call(faceCalls.setThreshold, { params: { id: person.id }, body: { threshold: score! - 0.1 } })
    expect(await identify()).toMatchObject({ personId: person.id })
    // Somebody with the same face: nobody leads, unless no lead is asked for.
    await site.person({ photo })
    await site.call(faceCalls.setThreshold, { params: { id: person.id }, body: { threshold: null } })
    await change(fields(), site)
    await world.settled()
    expect(await identify()).toMatchObject(unknown)
    await change(fields({ margin: 0 }), site)
    expect((await identify()).personId).not.toBeNull()
  })

  test('names nobody of the watch list to a terminal: they are unknown there', async () => {
    const site = await world.addPark()
    const device = await site.device()
    const terminal = createClient(world.url, { basic: [device.code, device.secret] })
    const service = world.server.contexts.faces.service
    const seen = await service.probe(await portraitVariant(DISTINCT_PORTRAITS[0], 1))
    const template = Buffer.from(bytesOfEmbedding(seen.embedding)).toString('base64')
    const identify = () => terminal.call(deviceProtocolCalls.identify, { body: { modelId: service.modelId, template } })
    const nobody = await identify()
    const { id: groupId } = await site.call(specialCalls.createGroup, { body: { name: 'Watched' } })
    const { faceId } = await site.call(faceCalls.cache, { body: {}, file: await portraitVariant(DISTINCT_PORTRAITS[0], 0) })
    const { id } = await site.call(specialCalls.create, { body: { name: 'Moriarty', groupId, facePhotos: [faceId] } })
    await world.settled()
    const [nearest] = await service.search({ parkId: site.park.id }, service.modelId, Buffer.from(template, 'base64'), { limit: 1 })
    expect(nearest?.personId).toBe(id)
    expect(await identify()).toEqual(nobody)
  })

  test('what held when is kept, with the scores it stood for', async () => {
    const site = await world.addPark()
    const scope = { parkId: site.park.id }
    await change(fields({ door: { precision: custom, custom: 66 } }), site)
    await change(fields({ door: { precision: custom, custom: 77 } }), site)
    const told = await world.server.platform.history.between(scope, 'facePolicy', site.park.id, 0, Date.now() + 1000)
    expect(told.map(({ content }) => [content['door'], content['modelId']])).toEqual([
      [66, BUILTIN_ENGINE.modelId],
      [77, BUILTIN_ENGINE.modelId],
    ])
    expect(told.map(({ to }) => to === null)).toEqual([false, true])
  })

  test('is the same after the server was away', async () => {
    const saved = await change(fields({ door: { precision: custom, custom: 79 } }))
    await world.interrupted(async () => {})
    expect(await read()).toEqual(saved)
    expect(world.server.contexts.faces.service.policyOf({ parkId: world.park.id }).door).toBe(79)
  })
})
