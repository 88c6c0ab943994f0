/** A device with one of everything that can belong to one, for a user whose role is limited to other device groups. */
import { strategyCalls } from '@gatehouse/contract/strategies/calls'
import { clinicCalls } from '@gatehouse/contract/clinic/calls'
import { deviceCalls } from '@gatehouse/contract/devices/calls'
import { sql } from '@gatehouse/server/platform/database/database'
import { insertAccountUnscoped, insertRoleUnscoped } from '@gatehouse/server/contexts/identity/data'
import { grantToken } from '@gatehouse/dev-env/accounts'
import { createClient, type Client } from '@gatehouse/dev-env/client'
import type { World } from '@gatehouse/dev-env/world'
import { recordAt, type Fixtures } from './fixtures.ts'

export interface OutOfReach {
  /** Texts that identify it in an answer. */
  words: readonly string[]
  /** Ids by what they name. */
  ids: Readonly<Record<'device' | 'group' | 'sibling' | 'record' | 'request' | 'log' | 'absence' | 'alert' | 'event', string>>
}

const NAMES = { device: 'Reichenbach Vault', code: 'OUT-OF-REACH-7', group: 'Catacombs', sibling: 'Oubliettes', operator: 'Colonel Moran' }

/**
 * Create the device in a group above that of the fixtures, beside another group there.
 * @param erasureId a receipt that then names the device too
 */
export async function outOfReach(world: World, things: Fixtures, erasureId: string): Promise<OutOfReach> {
  const { site, deviceGroup, strategy, person, otherPerson } = things
  const { db } = world.server.platform
  const group = await site.deviceGroup(NAMES.group)
  const { id: sibling } = await site.call(deviceCalls.createGroup, { body: { name: NAMES.sibling, parentId: group.id } })
  await site.call(deviceCalls.changeGroup, { body: { id: deviceGroup.id, parentId: group.id } })
  const device = await site.device({ name: NAMES.device, code: NAMES.code, groupId: group.id })
  const { version, ...before } = await site.call(strategyCalls.read, { query: { id: strategy.id } })
  await site.call(strategyCalls.change, {
    body: {
      id: strategy.id,
      version,
      name: before.name,
      methods: before.methods,
      timeRuleIds: before.timeRuleIds,
      personIds: before.personIds,
      deviceIds: [...before.deviceIds, device.id],
      deviceGroupIds: [group.id],
    } as never,
  })
  await world.settled()
  const record = await recordAt(world, { site, device }, person, { epoch: 'out of reach', revision: 'none' })
  await site.call(clinicCalls.correct, { params: { id: record }, body: { actualPersonId: otherPerson.id } })
  const [request = '', log = '', absence = '', alert = '', event = ''] = Array.from({ length: 5 }, () => crypto.randomUUID())
  const parkId = site.park.id
  await sql`INSERT INTO door_request (id, park_id, device_id, device_name, user_id, account, operator, operate_type, status, requested_at)
    VALUES (${request}, ${parkId}, ${device.id}, ${NAMES.device}, ${crypto.randomUUID()}, 'moran', ${NAMES.operator}, 1, 0, now())`.execute(
    db,
  )
  await sql`INSERT INTO door_state (device_id, park_id, state, told, at) VALUES (${device.id}, ${parkId}, 'alwaysOpen', true,
    now())`.execute(db)
  await sql`INSERT INTO door_hold (device_id, park_id, user_id, operator, until)
    VALUES (${device.id}, ${parkId}, ${crypto.randomUUID()}, ${NAMES.operator}, now() + interval '1 day')`.execute(db)
  await sql`INSERT INTO device_log (id, park_id, device_id, device_name, operator, status, requested_at, finished_at, size)
    VALUES (${log}, ${parkId}, ${device.id}, ${NAMES.device}, ${NAMES.operator}, 3, now(), now(), 0)`.execute(db)
  await sql`INSERT INTO device_absence (id, park_id, device_id, since) VALUES (${absence}, ${parkId}, ${device.id}, now())`.execute(db)
  await sql`INSERT INTO device_resource_alert (id, park_id, device_id, kind, value, threshold, raised_at)
    VALUES (${alert}, ${parkId}, ${device.id}, 'cpu', 99, 90, now())`.execute(db)
  await insertEvent(world, { site, device: { id: device.id, name: NAMES.device } }, event)
  await sql`INSERT INTO erasure_place (erasure_id, park_id, position, place, name, device_id, state, count)
    VALUES (${erasureId}, ${parkId}, 1000, 'terminal', ${NAMES.device}, ${device.id}, 'pending', 1)`.execute(db)
  const ids = { device: device.id, group: group.id, sibling, record, request, log, absence, alert, event }
  return { words: [...Object.values(NAMES), ...Object.values(ids)], ids }
}

/** Store an event at the door of a device. */
export async function insertEvent(
  { server }: World,
  { site, device }: { site: { park: { id: string } }; device: { id: string; name: string } },
  id: string,
): Promise<void> {
  await sql`INSERT INTO device_event (id, park_id, device_id, device_name, device_type, type, level, occurred_at, received_at, status,
      operator, dealing_record)
    VALUES (${id}, ${site.park.id}, ${device.id}, ${device.name}, 1, 110, 3, now(), now(), 0, '', '')`.execute(server.platform.db)
}

/** Create a user with several roles. Return a session of theirs. @param roles each with the groups it is limited to; none: every device */
export async function withRoles(
  world: World,
  roles: readonly { permissions: readonly string[]; deviceGroupIds?: readonly string[]; roleSign?: string }[],
): Promise<Client & { userId: string }> {
  const { server, park, clock } = world
  const db = server.platform.db as unknown as Parameters<typeof insertRoleUnscoped>[0]
  const ids = roles.map(() => crypto.randomUUID() as string)
  for (const [at, role] of roles.entries())
    await insertRoleUnscoped(
      db,
      { id: ids[at]!, name: `Role ${ids[at]}`, roleSign: 'other', organisationId: park.id, ...role },
      clock.now(),
    )
  const userId = crypto.randomUUID()
  const account = { id: userId, account: `user-${userId}`, realName: 'Somebody', passwordHash: 'none', organisationId: park.id }
  await insertAccountUnscoped(db, account, ids, clock.now())
  const { bearer } = await grantToken(server, userId, park.id, { confirmed: true })
  return { ...createClient(world.url, { bearer }), userId }
}
