/** Every call of the contract, sent by a caller with the permission: it succeeds. Refusals are tested in `ladder`. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { isWrite, type Call } from '@gatehouse/contract'
import { clinicCalls } from '@gatehouse/contract/clinic/calls'
import { deviceProtocolCalls } from '@gatehouse/contract/device/protocol-calls'
import { faceCalls } from '@gatehouse/contract/faces/calls'
import { faceLivenessCalls } from '@gatehouse/contract/faces/liveness'
import { identityCalls } from '@gatehouse/contract/identity/calls'
import { startWorld, type World } from '@gatehouse/dev-env/world'
import { sql } from '@gatehouse/server/platform/database/database'
import { ALL_CALLS, ask, credentialsFor, named, sessionFor } from '../support/all-calls.ts'
import { createFixtures, namesSomething, type Fixtures } from '../support/fixtures.ts'
import { fieldsOf, givenFor, nameOf, caseOf } from '../support/cases/all.ts'

let world: World
/** A second park. */
let there: Fixtures
beforeAll(async () => {
  world = await startWorld()
  there = await createFixtures(world, await world.addPark())
})
afterAll(() => world?.stop())

/** Calls that pass authorization and are refused because of their subject, which a sample cannot provide. */
const LAST_WORDS: Record<string, [status: number, code: number]> = {
  // A password that is not encrypted.
  [nameOf(identityCalls.token)]: [400, 400],
  // The photo belongs to no person yet.
  [nameOf(deviceProtocolCalls.photo)]: [404, 404],
  [nameOf(faceCalls.setAside)]: [404, 404],
  // The record has no correction, and no terminal checked whether the face was a live one.
  [nameOf(clinicCalls.undo)]: [404, 404],
  [nameOf(faceLivenessCalls.addRecord)]: [400, 400],
  // The built-in engine cannot check for a live face.
  [nameOf(faceLivenessCalls.add)]: [400, 400],
}

/** Calls of users without an entry in the operation log: they change nothing worth recording, or nothing of what they are sent for here. */
const NOTES_NOTHING = new Set([
  // They request that something be sent, or tried again.
  'GET /asService/uface/v1/users/send/email',
  'GET /bizService/uface/v1/phone/getCode',
  'POST /bizService/uface/v1/system/message/test',
  'PUT /bizService/uface/v1/person/base/retrySend',
  'POST /bizService/uface/v1/person/relate/sync/status/retry',
  'GET /bizService/uface/v1/retry/syncDeviceData',
  'POST /bizService/uface/v1/retry/syncDeviceData',
  // They store something temporarily, or for the caller alone.
  'POST /bizService/uface/v1/upload/image',
  'POST /bizService/uface/v1/face/cache',
  'POST /visitorService/uface/v1/visitor/photo',
  'POST /visitorService/uface/v1/visitor/appointment/photo',
  'POST /asService/uface/v1/users/confirmation',
  'POST /asService/uface/v1/users/second/factor/begin',
  'POST /bizService/uface/v1/access/record/statistics/count',
  'POST /bizService/uface/v1/system/notice/{id}/read',
  'GET /asService/uface/v1/token/revoke',
  // The state is already as requested, or there is nothing to change: an enabled user, no other session, no demo, devices that are offline.
  'PUT /asService/uface/v1/users/{id}/enable',
  'DELETE /asService/uface/v1/users/sessions',
  'GET /bizService/uface/v1/system/bid/set',
  'POST /bizService/uface/v1/system/demo/remove',
  'POST /bizService/uface/v1/person/base/move',
  'POST /bizService/uface/v1/person/import/{id}/cancel',
  'PUT /visitorService/uface/v1/visitor/import/cancel',
  'POST /bizService/uface/v1/device/setting/copy',
  'POST /bizService/uface/v1/device/controlDoor/batch',
])

/** Return the number of things that the operation log reports as changed or touched by a call. */
async function notedOf({ url }: Call): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    SELECT coalesce(sum(jsonb_array_length(changes)), 0)::int AS count FROM operation_log WHERE url = ${url}`.execute(
    world.server.platform.db,
  )
  return rows[0]!.count
}

describe('with the right role in the right park', () => {
  test.each(named(ALL_CALLS))('%s comes through', async (_, call) => {
    // What a call changes or deletes, no other call needs.
    const spent = isWrite(call) && fieldsOf(call).some(namesSomething) && caseOf(call)?.given === undefined
    const things = spent
      ? await createFixtures(world, there.site, { face: fieldsOf(call).includes('facePhotos'), report: call.url.includes('/report/') })
      : there
    const client = await world.session({ park: there.site.park, ...sessionFor(world, call) })
    const credentials = call.permission === 'public' ? null : credentialsFor(call, things, client)
    const before = isWrite(call) ? await notedOf(call) : 0
    const answer = await ask(world, call, credentials, { areaCode: things.site.park.areaCode, ...(await givenFor(call, things, world)) })
    const [status, code] = caseOf(call)?.lastWord ?? LAST_WORDS[nameOf(call)] ?? (call.produces === 'file' ? [200, 200] : [200, 0])
    expect(answer, JSON.stringify(answer)).toMatchObject({ status, code })
    // What a terminal reports is not an operation of a user.
    if (isWrite(call) && code === 0 && call.permission !== 'device')
      expect((await notedOf(call)) > before, 'something of it stands in the operation log').toBe(!NOTES_NOTHING.has(nameOf(call)))
  })
})
