/**
 * Every call of the contract, sent by callers without permission: no token, an expired token, the wrong role, another park. Successful
 * calls are in `ladder-admitted`.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { PERMISSION_CODES, type Call } from '@gatehouse/contract'
import { holds } from '@gatehouse/contract/conditions'
import { identityCalls } from '@gatehouse/contract/identity/calls'
import { organisationCalls } from '@gatehouse/contract/organisation/calls'
import { updateEnabledUnscoped } from '@gatehouse/server/contexts/identity/users-data'
import { mountedCalls } from '@gatehouse/server/contexts'
import { sql } from '@gatehouse/server/platform/database/database'
import { grantToken, insertUser } from '@gatehouse/dev-env/accounts'
import type { Answer, Client, Credentials } from '@gatehouse/dev-env/client'
import { startWorld, type SessionOptions, type World } from '@gatehouse/dev-env/world'
import { changedTables, contentsOf } from '../support/contents.ts'
import { ALL_CALLS, ask, codesOf, credentialsFor, named } from '../support/all-calls.ts'
import { createFixtures, type Fixtures } from '../support/fixtures.ts'
import { requestFor, type Given } from '../support/requests.ts'
import { givenFor, nameOf, namingFieldsOf } from '../support/cases/all.ts'
import { until } from '../support/until.ts'

const guarded = ALL_CALLS.filter(({ permission }) => permission !== 'public')
const naming = ALL_CALLS.filter((call) => namingFieldsOf(call).length > 0)

let world: World
/** Fixtures in the first park, and in another one. */
let here: Fixtures
let elsewhere: Fixtures
/** A user of the other park with all permissions there, who has just typed their password. */
let guest: Client
/** Values for each call, created in the first park before any call is tried; the error where that failed. */
const made = new Map<Call, Given | Error>()
const given = (call: Call): Given => {
  const values = made.get(call)!
  if (values instanceof Error) throw values
  return values
}

beforeAll(async () => {
  world = await startWorld({ jobsAsleep: true })
  here = await createFixtures(world, world)
  elsewhere = await createFixtures(world, await world.addPark())
  guest = await world.session({ park: elsewhere.site.park, roleSign: 'operator' })
  for (const call of ALL_CALLS) made.set(call, await givenFor(call, here, world).catch((error: Error) => error))
}, 120_000)
afterAll(() => world?.stop())

/** Print jobs of the cases wait for a printer that does not answer: the server itself goes on trying. */
const RETRIED = ['print_job']

/** Whether figures count nothing, and name nothing that could have been counted. */
function isNothingCounted({ summary, rows }: { summary: object; rows: readonly object[] }): boolean {
  return [summary, ...rows.map((row) => ({ ...row, key: 0 }))].every((counts) =>
    Object.values(counts).every((value) => value === 0 || value === ''),
  )
}

/** Whether an answer reveals nothing: a refusal, a list without rows, or a count of nothing. */
function isEmptyHanded({ status, code, data }: Answer): boolean {
  if (status !== 200 || code !== 0) return true
  const { taken, allowed, summary, rows = [] } = (data ?? {}) as { taken?: number; allowed?: boolean; summary?: object; rows?: object[] }
  if (taken === 0 || allowed === false) return true
  if (summary !== undefined) return isNothingCounted({ summary, rows })
  const lists = Array.isArray(data) ? [data] : Object.values((data ?? {}) as object).filter((value) => Array.isArray(value))
  return lists.length > 0 && lists.every((list) => (list as unknown[]).length === 0)
}

describe('the contract', () => {
  test('is what the server mounts', () => {
    expect(
      mountedCalls(Object.values(world.server.contexts))
        .map(({ call }) => nameOf(call))
        .toSorted(),
    ).toEqual(ALL_CALLS.map(nameOf).toSorted())
  })

  test('asks every caller for something it can tell', () => {
    const known = new Set<string>([...PERMISSION_CODES, 'public', 'self', 'basic', 'device', 'installation'])
    expect(ALL_CALLS.filter(({ permission }) => !known.has(permission)).map(nameOf)).toEqual([])
  })
})

/** Calls needed before a user can log in, and what a page shows then. No other call answers without credentials. */
const PUBLIC = [
  'GET /asService/uface/v1/users/login/config',
  'GET /asService/uface/v1/users/send/email',
  'GET /bizService/uface/v1/domain/logo',
  'GET /bizService/uface/v1/system/ui/background/config',
  'GET /bizService/uface/v1/system/ui/config',
  'POST /asService/uface/v1/users/forget/passwd',
  'POST /asService/uface/v1/users/login/captcha',
  'POST /asService/uface/v1/users/password/expire',
  'POST /bizService/uface/v1/person/enrolment/open',
  'POST /bizService/uface/v1/person/enrolment/submit',
  'POST /bizService/uface/v1/person/enrolment/submit/second',
  // The handshake of a device, which has no token before it: both sides prove their identity in the bodies.
  'POST /deviceService/uface/v1/challenge',
  // From a device that was deleted: it proves its identity in the body.
  'POST /deviceService/uface/v1/removal',
  // The other half of the handshake.
  'POST /deviceService/uface/v1/token',
  // The pages that links of visitors and hosts open; each needs the token of its link.
  'POST /visitorService/uface/v1/visitor/appointment/cancel',
  'POST /visitorService/uface/v1/visitor/appointment/host/accept',
  'POST /visitorService/uface/v1/visitor/appointment/host/open',
  'POST /visitorService/uface/v1/visitor/appointment/host/refuse',
  'POST /visitorService/uface/v1/visitor/appointment/open',
  'POST /visitorService/uface/v1/visitor/appointment/photo',
  'POST /visitorService/uface/v1/visitor/appointment/status',
  'POST /visitorService/uface/v1/visitor/appointment/submit',
  'PUT /asService/uface/v1/users/reset/password',
]

test('only these calls need no token', () => {
  expect(
    ALL_CALLS.filter((call) => !guarded.includes(call))
      .map(nameOf)
      .toSorted(),
  ).toEqual(PUBLIC)
})

describe('to whoever may not', () => {
  interface Rejected {
    who: string
    credentials: Credentials
    status: number
    code: number
  }
  /** Everything the server has stored before any call is tried. */
  let before: Map<string, string>
  let expired: Credentials
  let revoked: Credentials
  let disabled: Credentials
  let bystander: Client
  /** A user with all permissions who sees personal data masked. */
  let masked: Client
  const lacking = new Map<string, Credentials>()
  /** Administrators of parks: they have all permissions except those for the whole installation. */
  let administrators: Client[]
  let walked = 0

  beforeAll(async () => {
    const { park } = here.site
    const user = () => insertUser(world.server, { organisationId: park.id, permissions: PERMISSION_CODES, roleSign: 'parkAdmin' })
    expired = { bearer: (await grantToken(world.server, await user(), park.id, { hours: -1 })).bearer }
    const ended = await world.session()
    await ended.call(identityCalls.revoke, {})
    revoked = ended.credentials
    disabled = { bearer: (await grantToken(world.server, await disabledUser(await user()), park.id)).bearer }
    bystander = await world.session({ roleSign: 'other' })
    masked = await world.session({ masking: true })
    for (const permission of new Set(ALL_CALLS.flatMap(codesOf)))
      lacking.set(permission, (await world.session(everythingBut(permission))).credentials)
    administrators = await Promise.all(['parkAdmin', 'admin'].map((roleSign) => world.session({ roleSign })))
    await world.settled()
    await until('all passages of the cases to be counted', async () => {
      const [pending] = (await sql<{ count: number }>`SELECT count(*)::int FROM passage_pending`.execute(world.server.platform.db)).rows
      return pending!.count === 0
    })
    before = await contentsOf(world, RETRIED)
  }, 60_000)

  const everythingBut = (permission: string): SessionOptions => ({
    permissions: PERMISSION_CODES.filter((code) => code !== permission),
    // Operators of the installation may upgrade devices whatever their roles say.
    ...(permission === 'device.upgrade'
      ? { roleSign: 'parkAdmin' }
      : { roleSign: 'admin', organisationId: world.server.contexts.organisation.service.root().id }),
  })
  async function disabledUser(userId: string): Promise<string> {
    await updateEnabledUnscoped(world.server.platform.db as never, [userId], false, world.clock.now())
    return userId
  }
  /** Whether a call's condition excludes the bystander's role. */
  const keepsOut = ({ condition }: Call): boolean =>
    !holds(condition, {
      roleSign: 'other',
      atRoot: false,
      lite: false,
      privatised: true,
      deviceUpgradeType: 0,
      masking: false,
      customerManager: world.server.contexts.organisation.service.get(here.site.park.id)!.showCustomerManager,
    })

  function rejectedBy(call: Call): Rejected[] {
    const unknown = { status: 401, code: 100412 }
    const forbidden = { status: 403, code: 100510 }
    const nobody: Rejected = { who: 'nobody', credentials: null, ...unknown }
    const stranger: Rejected = { who: 'a client nobody knows', credentials: { basic: ['console', 'guessed'] }, ...unknown }
    if (call.permission === 'basic') return [nobody, stranger]
    if (call.permission === 'device')
      return [
        nobody,
        stranger,
        { who: 'a device with another one’s secret', credentials: { basic: [here.device.code, elsewhere.device.secret] }, ...unknown },
        { who: 'a person', credentials: bystander.credentials, ...unknown },
      ]
    return [
      nobody,
      { who: 'a made-up token', credentials: { bearer: 'made-up' }, ...unknown },
      { who: 'the browser itself', credentials: { basic: ['console', ''] }, ...unknown },
      { who: 'an expired token', credentials: expired, status: 401, code: 40120 },
      { who: 'a revoked token', credentials: revoked, ...unknown },
      { who: 'a disabled account', credentials: disabled, status: 403, code: 901 },
      ...codesOf(call).flatMap((code) => {
        const credentials = lacking.get(code)
        return credentials === undefined ? [] : [{ who: `a role without ${code}`, credentials, ...forbidden }]
      }),
      ...(call.permission === 'installation'
        ? administrators.map(({ credentials }) => ({ who: 'an administrator of a park', credentials, ...forbidden }))
        : []),
      ...(call.condition === 'unmasked' ? [{ who: 'somebody who sees data masked', credentials: masked.credentials, ...forbidden }] : []),
      ...(keepsOut(call) ? [{ who: 'a role that is kept out', credentials: bystander.credentials, ...forbidden }] : []),
    ]
  }

  test.each(named(guarded))('%s gives nothing', async (_, call) => {
    const rejections = rejectedBy(call)
    expect(rejections.length).toBeGreaterThan(1)
    for (const { who, credentials, status, code } of rejections) {
      const answer = await ask(world, call, credentials, given(call))
      expect(answer, `${who}: ${JSON.stringify(answer)}`).toMatchObject({ status, code })
      expect(answer.data, who).toBeUndefined()
    }
    walked++
  })

  test('and nothing has changed: every call is checked against permission and area [BEH-198]', async () => {
    expect(walked).toBe(guarded.length)
    await world.settled()
    expect(changedTables(before, await contentsOf(world, RETRIED))).toEqual([])
  })
})

describe('with ids of another park', () => {
  /** Tables that requests themselves write to: logs, and what a device of the other park reports about itself. */
  // The key of a park is created at its first use, by any caller: it reveals nothing.
  const TRACES = [...RETRIED, 'data_key', 'operation_log', 'read_log', 'sync_exception', 'outbox', 'outbox_head', 'event_consumer']
  let before: Map<string, string>
  beforeAll(async () => {
    await world.settled()
    before = await contentsOf(world, TRACES)
  })

  test.each(named(naming))('%s gives nothing away', async (_, call) => {
    const answer = await ask(world, call, credentialsFor(call, elsewhere, guest), given(call))
    expect(isEmptyHanded(answer), JSON.stringify(answer)).toBe(true)
    expect([200, 400, 404]).toContain(answer.status)
  })

  test('a session cannot be moved to a park its user does not see', async () => {
    expect(await guest.ask(organisationCalls.choicePark, { body: { areaCode: here.site.park.areaCode } })).toMatchObject({
      status: 200,
      code: 100413,
    })
  })

  test('and nothing has changed there or here', async () => {
    await world.settled()
    expect(changedTables(before, await contentsOf(world, TRACES))).toEqual([])
  })
})

/** Placeholder for an id while a request is only inspected. */
const MARK = 'an id'

describe('with an id of another park among one’s own', () => {
  // One by one, so that a checked id does not hide one that is not checked.
  const single = naming.flatMap((call) => {
    // An optional field of a list that the sample leaves out is covered by the call's own tests.
    const names = namingFieldsOf(call).filter((field) => JSON.stringify(requestFor(call, { [field]: MARK })).includes(MARK))
    return names.length > 1 ? names.map((field): [string, string, Call] => [nameOf(call), field, call]) : []
  })
  test.each(single)('%s does not take a foreign %s', async (_, field, call) => {
    const own = await givenFor(call, elsewhere, world)
    const answer = await ask(world, call, credentialsFor(call, elsewhere, guest), { ...own, [field]: given(call)[field] })
    expect(isEmptyHanded(answer), JSON.stringify(answer)).toBe(true)
  })
})
