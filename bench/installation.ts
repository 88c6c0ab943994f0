/**
 * Measures the requests of each screen of a large installation against a time limit: 3 partners × 20 companies × 50 parks, 5,000 users, a
 * million entries of the log.
 */
import type { Call } from '@gatehouse/contract'
import { recordCalls } from '@gatehouse/contract/records/calls'
import { statisticsCalls } from '@gatehouse/contract/statistics/calls'
import { organisationCalls } from '@gatehouse/contract/organisation/calls'
import { identityCalls } from '@gatehouse/contract/identity/calls'
import { userCalls } from '@gatehouse/contract/identity/users'
import { roleCalls } from '@gatehouse/contract/identity/roles'
import { clientCalls } from '@gatehouse/contract/identity/clients'
import { ownCalls } from '@gatehouse/contract/identity/own'
import { areaCalls } from '@gatehouse/contract/organisation/areas'
import { deviceLimitCalls } from '@gatehouse/contract/organisation/limits'
import { parkSettingCalls } from '@gatehouse/contract/organisation/settings'
import { systemCalls } from '@gatehouse/contract/system/calls'
import { dictionaryCalls } from '@gatehouse/contract/system/dictionary'
import { screenCalls } from '@gatehouse/contract/system/screens'
import { mapCalls } from '@gatehouse/contract/system/map'
import { auditCalls } from '@gatehouse/contract/audit/calls'
import { customerCalls } from '@gatehouse/contract/people/customers'
import { deviceCalls } from '@gatehouse/contract/devices/calls'
import { peopleCalls } from '@gatehouse/contract/people/calls'
import { createClient, logIn, type CallInput } from '@gatehouse/dev-env/client'
import { ADMIN, startWorld, type World } from '@gatehouse/dev-env/world'
import { COMPANIES_EACH, ENTRIES, PARKS_EACH, PARTNERS, USERS, insertInstallation } from './installation-rows.ts'
import type { BenchResult } from './result.ts'
import { idOfRow } from './row-ids.ts'

/** Maximum milliseconds of the server for a screen, and for rare actions. */
const SCREEN_LIMIT = 300
const RARE_LIMIT = 1_000
const WARM_UP = 3
const ROUNDS = 25
const DAY = 86_400_000

/** A person named by the log of reads. */
const SEEN = idOfRow('person7')

const percentile = (values: readonly number[], share: number): number =>
  values.toSorted((a, b) => a - b)[Math.ceil(values.length * share) - 1]!

interface Screen {
  name: string
  limit: number
  /** Send all requests of the screen when it opens. */
  open(round: number): Promise<unknown>
}

async function screensOf(world: World): Promise<Screen[]> {
  const client = createClient(world.url, world.client.credentials)
  const ask = <C extends Call>(call: C, input: CallInput<C>) => client.call(call, input)
  const screen = (name: string, open: (round: number) => Promise<unknown>, limit = SCREEN_LIMIT): Screen => ({ name, limit, open })

  const parks = await ask(organisationCalls.parkList, { query: { size: 100 } })
  const [user] = (await ask(userCalls.list, { query: {} })).content
  const [role] = (await ask(roleCalls.list, { query: {} })).content
  const [apiUser] = (await ask(clientCalls.list, { query: {} })).content
  const [entry] = (await ask(auditCalls.operations, { query: {} })).content
  const now = world.clock.now()
  const year = { startTime: now - 360 * DAY, endTime: now }
  const page = await ask(auditCalls.operations, { query: { ...year, size: 100 } })

  return [
    screen('login', () => logIn(createClient(world.url), ADMIN), RARE_LIMIT),
    screen(
      'park switch',
      async (round) => {
        await ask(organisationCalls.choicePark, { body: { areaCode: parks.content[round % parks.content.length]!.areaCode } })
        await Promise.all([ask(organisationCalls.parkInfo, {}), ask(identityCalls.profile, {})])
        // Back to the home park, which has the log.
        if (round === ROUNDS - 1) await ask(organisationCalls.choicePark, { body: { areaCode: world.park.areaCode } })
      },
      RARE_LIMIT,
    ),
    screen('home', () =>
      Promise.all([
        ask(peopleCalls.summary, {}),
        ask(deviceCalls.summary, {}),
        ask(statisticsCalls.today, {}),
        ask(recordCalls.find, { body: {} }),
        ask(organisationCalls.demo, {}),
        ask(customerCalls.checkExpired, {}),
        ask(systemCalls.lastNotice, {}),
      ]),
    ),
    screen('users', () => ask(userCalls.list, { query: {} })),
    screen('users, last page', () => ask(userCalls.list, { query: { page: Math.ceil(USERS / 100), size: 100 } })),
    screen('users by name', () => ask(userCalls.list, { query: { realName: 'Zhang 1' } })),
    screen('users by account', () => ask(userCalls.list, { query: { account: 'er49' } })),
    screen('users by role', () => ask(userCalls.list, { query: { roleId: role!.id } })),
    screen('users by organisation', (round) => ask(userCalls.list, { query: { organisationId: parks.content[round]!.id } })),
    screen('users that are disabled', () => ask(userCalls.list, { query: { state: 'disabled' } })),
    screen('user', () => ask(userCalls.read, { params: { id: user!.id } })),
    screen('roles', () => ask(roleCalls.list, { query: {} })),
    screen('role', () =>
      Promise.all([
        ask(roleCalls.read, { params: { id: role!.id } }),
        ask(roleCalls.permissions, { query: { id: role!.id } }),
        ask(roleCalls.groups, {}),
      ]),
    ),
    screen('roles one may give', () => ask(roleCalls.subRoles, { query: { organisationId: world.park.id } })),
    screen('API users', () => ask(clientCalls.list, { query: {} })),
    screen('API user', () => ask(clientCalls.read, { query: { id: apiUser!.id } })),
    screen('tree', () => ask(organisationCalls.tree, {})),
    screen('parks to choose from', (round) => ask(organisationCalls.parkList, { query: { page: round } })),
    screen('parks by name', () => ask(organisationCalls.parkList, { query: { name: 'Company 7 Park 3' } })),
    screen('organisation', (round) => ask(areaCalls.read, { params: { id: parks.content[round]!.id } })),
    screen('modules of an organisation', (round) => ask(areaCalls.modules, { query: { id: parks.content[round]!.id } })),
    screen('log', () => ask(auditCalls.operations, { query: {} })),
    screen('log of a year', () => ask(auditCalls.operations, { query: year })),
    screen('log, further on', () =>
      ask(auditCalls.operations, { query: { ...year, size: 100, ...(page.next !== undefined && { after: page.next }) } }),
    ),
    screen('log of all parks', () => ask(auditCalls.operations, { query: { ...year, all: true } })),
    screen('log by module', () => ask(auditCalls.operations, { query: { ...year, module: 'access' } })),
    screen('log by operator', () => ask(auditCalls.operations, { query: { ...year, operator: 'Zhang 1' } })),
    screen('log by account', () => ask(auditCalls.operations, { query: { ...year, account: 'user42' } })),
    screen('log by a name found often', () => ask(auditCalls.operations, { query: { ...year, subject: 'Wang' } })),
    screen('log by a name found seldom', () => ask(auditCalls.operations, { query: { ...year, subject: 'Wang 19992' } })),
    screen('log by a name nobody has', () => ask(auditCalls.operations, { query: { ...year, subject: 'Nobody at all' } })),
    screen('log entry', () => ask(auditCalls.operation, { params: { id: entry!.id } })),
    screen('log of reads', () => ask(auditCalls.reads, { query: year })),
    screen('log of reads of a person', () => ask(auditCalls.reads, { query: { ...year, subject: SEEN } })),
    screen('dictionary', () => ask(dictionaryCalls.read, {})),
    screen('device limits', () => ask(deviceLimitCalls.list, { body: {} })),
    screen('settings of a park', () =>
      Promise.all([ask(parkSettingCalls.updateConfig, {}), ask(parkSettingCalls.accessControl, {}), ask(parkSettingCalls.reentry, {})]),
    ),
    screen('settings of the installation', () =>
      Promise.all([
        ask(systemCalls.uiConfig, {}),
        ask(systemCalls.ownLook, {}),
        ask(systemCalls.thirdConfig, {}),
        ask(systemCalls.details, {}),
        ask(userCalls.sleepingConfig, {}),
      ]),
    ),
    screen('domains', () => ask(systemCalls.domains, { query: {} })),
    screen('outgoing messages', () => ask(systemCalls.messages, { query: {} })),
    screen('notices', () => ask(systemCalls.notices, { query: {} })),
    screen('screens and map', () => Promise.all([ask(screenCalls.read, {}), ask(mapCalls.read, {})])),
    screen('profile', () => Promise.all([ask(identityCalls.profile, {}), ask(ownCalls.sessions, {})])),
    screen('park', () => ask(organisationCalls.parkInfo, {})),
  ]
}

export async function run(): Promise<BenchResult[]> {
  const world = await startWorld({ checkAnswers: false })
  try {
    const filledFrom = performance.now()
    await world.interrupted(() => insertInstallation(world.connectionString, world.park.id))
    const results: BenchResult[] = [
      {
        name: `${PARTNERS * COMPANIES_EACH * PARKS_EACH} parks, ${USERS} users, ${ENTRIES} entries written`,
        value: (performance.now() - filledFrom) / 1_000,
        unit: 's',
      },
    ]
    for (const { name, limit, open } of await screensOf(world)) {
      const times: number[] = []
      for (let round = -WARM_UP; round < ROUNDS; round++) {
        const startedAt = performance.now()
        await open(Math.max(0, round))
        if (round >= 0) times.push(performance.now() - startedAt)
      }
      const p95 = percentile(times, 0.95)
      results.push({ name: `${name}, p50`, value: percentile(times, 0.5), unit: 'ms' })
      results.push({ name: `${name}, p95`, value: p95, unit: 'ms', ratioTo: `${limit} ms`, ratio: p95 / limit, goal: 1 })
    }
    return results
  } finally {
    await world.stop()
  }
}
