/** The server has the last word on passages it is asked about. */
import { accessDeviceOf, decide, evidenceReported } from '@gatehouse/access-rules'
import { deviceProtocolCalls } from '@gatehouse/contract/device/protocol'
import { accessMethod, failReason } from '@gatehouse/contract/enums'
import { createClient } from '@gatehouse/dev-env/client'
import { startWorld, type World } from '@gatehouse/dev-env/world'
import { peopleCalls } from '@gatehouse/contract/people/calls'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

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
      await server.contexts.access.service.synchronisation.settled()
    }
    await settle()
    const device = createClient(world.url, { basic: [door.code, door.secret] })
    const ask = (wishes: object = {}) =>
      device.ask(deviceProtocolCalls.verify, { body: { personId: person.id, moment: Date.now(), method: accessMethod.face, score: 90, ...wishes } })

    expect((await ask()).data).toEqual({ allowed: true, failReason: null })
    expect((await ask({ score: 20 })).data).toEqual({ allowed: false, failReason: failReason.notRegistered })
    expect((await ask({ method: accessMethod.handprint, score: null })).data).toEqual({ allowed: false, failReason: failReason.handprintFailed })
    expect((await ask({ method: 99, score: null })).data).toMatchObject({ allowed: false })
    // An answer of long ago, asked for again, must not open a door today.
    expect((await ask({ moment: Date.now() - 3_600_000 })).data).toEqual({ allowed: false, failReason: failReason.cloudRefused })
    expect(await ask({ personId: door.id })).toMatchObject({ status: 404 })
    expect(await ask({ personId: 'nobody' })).toMatchObject({ status: 404 })

    // Known to the server at once, whatever the terminal still holds.
    await world.call(peopleCalls.status, { body: { ids: [person.id], status: 0 } })
    expect((await ask()).data).toEqual({ allowed: false, failReason: failReason.personReturned })
  })
})

test('a reported passage carries every factor of its method', () => {
  const settings = { deviceId: 'd', name: '', direction: 1, zone: 'UTC', threshold: 80, secondVerification: null, factorTimeoutMs: 10_000 }
  // The password of the device alone names nobody: no person is reported with it.
  for (const method of [...accessMethod.values].filter((value) => value !== accessMethod.devicePassword)) {
    const moment = Date.UTC(2026, 10, 20)
    const decision = decide({
      revision: 'r',
      device: accessDeviceOf(settings),
      moment,
      evidence: evidenceReported({ method, personId: 'p', score: 95, moment }),
      person: { id: 'p', enabled: true },
      strategies: [{ id: 's', timeRuleIds: ['t'], methods: [method] }],
      timeRules: new Map([['t', { id: 't', periods: [], allowedExceptionDates: ['2026-11-20'], forbiddenExceptionDates: [] }]]),
    })
    expect([method, decision.verdict]).toEqual([method, 'allowed'])
  }
})
