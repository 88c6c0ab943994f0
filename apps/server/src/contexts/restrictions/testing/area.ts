/** An area with doors, for tests: passages are asked about and recorded as terminals do it. */
import { deviceProtocolCalls } from '@gatehouse/contract/device/protocol-calls'
import type { RecordObject } from '@gatehouse/contract/device/protocol-records'
import { accessMethod, accessResult, failReason } from '@gatehouse/contract/enums'
import { restrictionCalls } from '@gatehouse/contract/restrictions/calls'
import { createClient, type Client } from '@gatehouse/dev-env/client'
import type { Made, MadeDevice, MadePerson, World } from '@gatehouse/dev-env/world'
import type { InputOf } from '@gatehouse/contract'
import { passage, sentBy } from '../../records/testing/records.ts'

export const IN = 1
export const OUT = 2

export interface TestDoor extends MadeDevice {
  direction: number
  client: Client
  /** Numbers of the records sent so far. */
  seq: number
}

export type AreaOptions = Partial<InputOf<(typeof restrictionCalls)['create']['body']>>

export interface TestArea extends Made {
  /** In, out. */
  doors: readonly [TestDoor, TestDoor]
  count(): Promise<number>
}

/** What a test does at the doors of a world. */
export function atDoors(world: World) {
  let areas = 0

  async function door(direction: 1 | 2): Promise<TestDoor> {
    const device = await world.device({ direction })
    return { ...device, direction, client: createClient(world.url, { basic: [device.code, device.secret] }), seq: 0 }
  }

  async function settled(): Promise<void> {
    await world.server.platform.events.settled()
    await world.server.contexts.synchronisation.service.settled()
  }

  async function area(options: AreaOptions = {}, doors?: readonly [TestDoor, TestDoor]): Promise<TestArea> {
    const own = doors ?? ([await door(IN), await door(OUT)] as const)
    const name = options.name ?? `Area ${++areas}`
    const body = {
      name,
      limitType: 'antiSneakBack' as const,
      deviceIds: own.map(({ id }) => id),
      antiSneakBack: true,
      flowLimit: false,
      ...options,
    }
    const { id } = await world.call(restrictionCalls.create, { body })
    return { id, name, doors: own, count: async () => (await world.call(restrictionCalls.occupancy, { params: { id } })).count }
  }

  const permitted = async (count: number, doors: readonly TestDoor[]): Promise<MadePerson[]> => {
    const persons: MadePerson[] = []
    for (let made = 0; made < count; made++) persons.push(await world.person())
    await world.strategy({ persons, devices: doors, timeRules: [await world.timeRule()] })
    await settled()
    return persons
  }

  /** Ask as a terminal does. */
  const ask = (at: TestDoor, person: Made, moment = world.clock.now()) =>
    at.client.call(deviceProtocolCalls.verify, { body: { personId: person.id, moment, method: accessMethod.face, score: 95 } })

  /** Records a passage, let in by default; waits until it is taken over. */
  async function record(
    at: TestDoor,
    person: Made,
    moment: number,
    options: Partial<RecordObject> = {},
    sentAt = world.clock.now(),
  ): Promise<void> {
    const made = passage(++at.seq, { occurredAt: moment, personId: person.id, direction: at.direction, ...options })
    await world.server.contexts.records.ingest({ deviceId: at.id, parkId: world.park.id }, sentBy([made], { sentAt }))
    await world.server.platform.events.settled()
  }

  /** Refused by the terminal, whatever the server said. */
  const REFUSED = { result: accessResult.rejected, failReason: failReason.cloudCheckTimedOut }

  /** Asks, and records what came of it. */
  async function pass(
    at: TestDoor,
    person: Made,
  ): Promise<{ allowed: boolean; failReason: number | null; restriction?: string | null | undefined }> {
    const moment = world.clock.now()
    const answer = await ask(at, person, moment)
    await record(at, person, moment, answer.allowed ? {} : { result: accessResult.rejected, failReason: answer.failReason })
    return answer
  }

  const personsOf = async (of: Made, options: { status?: 0 | 1; personName?: string } = {}) =>
    (await world.call(restrictionCalls.persons, { body: { restrictionId: of.id, size: 100, ...options } })).content

  return { door, area, permitted, settled, ask, record, pass, personsOf, REFUSED }
}
