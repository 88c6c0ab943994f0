/** The second verification: the server decides on passages that terminals ask about. */
import { evidenceReported } from '@gatehouse/access-rules'
import { deviceProtocolCalls } from '@gatehouse/contract/device/protocol-calls'
import { accessMethod, failReason } from '@gatehouse/contract/enums'
import { faceCalls } from '@gatehouse/contract/faces/calls'
import { scoreKept } from '@gatehouse/contract/faces/promise'
import { createClient } from '@gatehouse/dev-env/client'
import { startWorld, type World } from '@gatehouse/dev-env/world'
import { peopleCalls } from '@gatehouse/contract/people/calls'
import { specialCalls } from '@gatehouse/contract/people/special'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { peopleOf, seedPeople, UNLIKE } from '../faces/testing/people.ts'
import { decideAtServer } from './second-verification.ts'

describe('the server asked about a passage', () => {
  let world: World
  beforeAll(async () => {
    world = await startWorld()
  })
  afterAll(() => world?.stop())

  test('answers by what it knows now', async () => {
    const door = await world.device()
    const person = await world.person({ permittedAt: door })
    const { server } = world
    const settle = async () => {
      await server.platform.events.settled()
      await server.contexts.synchronisation.service.settled()
    }
    await settle()
    const device = createClient(world.url, { basic: [door.code, door.secret] })
    const ask = (fields: object = {}) =>
      device.ask(deviceProtocolCalls.verify, {
        body: { personId: person.id, moment: Date.now(), method: accessMethod.face, score: 90, ...fields },
      })

    expect((await ask()).data).toEqual({ allowed: true, failReason: null })
    expect((await ask({ score: 20 })).data).toEqual({ allowed: false, failReason: failReason.notRegistered })
    expect((await ask({ method: accessMethod.handprint, score: null })).data).toEqual({
      allowed: false,
      failReason: failReason.handprintFailed,
    })
    expect((await ask({ method: 99, score: null })).data).toMatchObject({ allowed: false })
    // A replayed old passage must not open a door today.
    expect((await ask({ moment: Date.now() - 3_600_000 })).data).toEqual({ allowed: false, failReason: failReason.cloudRefused })
    expect(await ask({ personId: door.id })).toMatchObject({ status: 404 })
    expect(await ask({ personId: 'nobody' })).toMatchObject({ status: 404 })

    // A person of the watch list passes nowhere, and no terminal learns that the person exists.
    const { id: groupId } = await world.call(specialCalls.createGroup, { body: { name: 'Watched' } })
    const { id: watched } = await world.call(specialCalls.create, { body: { name: 'Moriarty', groupId } })
    const answerFor = async (personId: string) => {
      const { status, code, message, data } = await ask({ personId })
      return { status, code, message, data }
    }
    expect(await answerFor(watched)).toEqual(await answerFor(door.id))

    // The person's own threshold applies where it is higher, and where it is lower only with `loosens`.
    const own = (threshold: number | null, loosens = false) =>
      world.call(faceCalls.setThreshold, { params: { id: person.id }, body: { threshold, loosens } })
    await own(95)
    expect((await ask()).data).toEqual({ allowed: false, failReason: failReason.notRegistered })
    await own(10, true)
    expect((await ask({ score: 20 })).data).toEqual({ allowed: true, failReason: null })
    await own(null)
    expect((await ask()).data).toEqual({ allowed: true, failReason: null })

    // Computed for the number of people the device should store, which requires less than the safe threshold for earlier versions.
    const group = await world.personGroup()
    await seedPeople(world, world, peopleOf(150, group, UNLIKE, 'unlike'))
    await world.strategy({ personGroups: [group], devices: [door] })
    const synchronisation = server.contexts.synchronisation.service
    synchronisation.mark({ parkId: world.park.id }, { everything: true })
    await settle()
    const { loosest } = server.contexts.faces.service.comparingAt({ parkId: world.park.id }, undefined)
    const kept = scoreKept('door', 10, { templates: 150 }, loosest)
    const { settings } = await synchronisation.manifest({ deviceId: door.id, code: door.code, parkId: world.park.id, released: true })
    expect(settings.threshold).toBeGreaterThan(kept + 1)
    expect((await ask({ score: kept + 0.01 })).data).toEqual({ allowed: true, failReason: null })
    expect((await ask({ score: kept - 0.01 })).data).toEqual({ allowed: false, failReason: failReason.notRegistered })

    // The server applies the change at once, whatever the terminal still has stored.
    await world.call(peopleCalls.status, { body: { ids: [person.id], status: 0 } })
    expect((await ask()).data).toEqual({ allowed: false, failReason: failReason.personReturned })
  })
})

test('a reported passage carries every factor of its method; lead and living face the device has judged', () => {
  const settings = {
    deviceId: 'd',
    name: '',
    direction: 1,
    zone: 'UTC',
    threshold: 80,
    secondVerification: null,
    factorTimeoutMs: 10_000,
    margin: 20,
    lookAlikeMargin: 30,
    liveness: { refuses: true, threshold: 0.6 },
  }
  // The device password alone identifies nobody: no person is reported with it.
  for (const method of [...accessMethod.values].filter((value) => value !== accessMethod.devicePassword)) {
    const moment = Date.UTC(2026, 10, 20)
    const strategies = [{ id: 's', timeRuleIds: ['t'], methods: [method], validFrom: null, validTo: null }]
    const timeRules = [
      { id: 't', name: '', periods: [], allowedExceptionDates: ['2026-11-20'], forbiddenExceptionDates: [], effectiveDate: null },
    ]
    const manifest = { revision: 'r', audience: 'a', settings, strategies, timeRules }
    const person = { id: 'p', enabled: true, lookAlikes: ['q'] }
    const evidence = evidenceReported({ method, personId: 'p', score: 95, moment })
    const decision = decideAtServer(manifest, person, () => true, moment, evidence, { templates: 1, loosest: 5e-4 })
    expect([method, decision.verdict]).toEqual([method, 'allowed'])
  }
})
