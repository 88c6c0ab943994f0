/** What each screen of a large installation asks of the server, against the time it may take: 3 partners × 20 companies × 50 parks, 5,000 users, a million entries of the log. */
import type { Call } from '@gatehouse/contract'
import { recordCalls } from '@gatehouse/contract/records/calls'
import { statisticsCalls } from '@gatehouse/contract/statistics/calls'
import { calls } from '@gatehouse/contract/calls'
import { deviceCalls } from '@gatehouse/contract/devices/calls'
import { peopleCalls } from '@gatehouse/contract/people/calls'
import { createClient, logIn, type CallInput } from '@gatehouse/dev-env/client'
import { ADMIN, startWorld, type World } from '@gatehouse/dev-env/world'
import { COMPANIES_EACH, ENTRIES, PARKS_EACH, PARTNERS, USERS, insertInstallation } from './installation-rows.ts'
import type { BenchResult } from './result.ts'
import { idOfRow } from './row-ids.ts'

/** Milliseconds a screen may take of the server, and what is done once in a while. */
const SCREEN_LIMIT = 300
const RARE_LIMIT = 1_000
const WARM_UP = 3
const ROUNDS = 25
const DAY = 86_400_000

/** A person whom the log of reads names. */
const SEEN = idOfRow('person7')

const percentile = (values: readonly number[], share: number): number =>
  values.toSorted((a, b) => a - b)[Math.ceil(values.length * share) - 1]!

interface Screen {
  name: string
  limit: number
  /** All that the screen asks for as it opens. */
  open(round: number): Promise<unknown>
}

const {
  organisation,
  identity,
  users,
  roles,
  clients,
  own,
  areas,
  deviceLimits,
  parkSettings,
  system,
  dictionary,
  screenSettings,
  mapSettings,
  audit,
  customers,
} = calls

async function screensOf(world: World): Promise<Screen[]> {
  const client = createClient(world.url, world.client.credentials)
  const ask = <C extends Call>(call: C, input: CallInput<C>) => client.call(call, input)
  const screen = (name: string, open: (round: number) => Promise<unknown>, limit = SCREEN_LIMIT): Screen => ({ name, limit, open })

  const parks = await ask(organisation.parkList, { query: { size: 100 } })
  const [user] = (await ask(users.list, { query: {} })).content
  const [role] = (await ask(roles.list, { query: {} })).content
  const [apiUser] = (await ask(clients.list, { query: {} })).content
  const [entry] = (await ask(audit.operations, { query: {} })).content
  const now = world.clock.now()
  const year = { startTime: now - 360 * DAY, endTime: now }
  const page = await ask(audit.operations, { query: { ...year, size: 100 } })

  return [
    screen('login', () => logIn(createClient(world.url), ADMIN), RARE_LIMIT),
    screen(
      'park switch',
      async (round) => {
        await ask(organisation.choicePark, { body: { areaCode: parks.content[round % parks.content.length]!.areaCode } })
        await Promise.all([ask(organisation.parkInfo, {}), ask(identity.profile, {})])
        // Back home, where the log is.
        if (round === ROUNDS - 1) await ask(organisation.choicePark, { body: { areaCode: world.park.areaCode } })
      },
      RARE_LIMIT,
    ),
    screen('home', () =>
      Promise.all([
        ask(peopleCalls.summary, {}),
        ask(deviceCalls.summary, {}),
        ask(statisticsCalls.today, {}),
        ask(recordCalls.find, { body: {} }),
        ask(organisation.demo, {}),
        ask(customers.checkExpired, {}),
        ask(system.lastNotice, {}),
      ]),
    ),
    screen('users', () => ask(users.list, { query: {} })),
    screen('users, last page', () => ask(users.list, { query: { page: Math.ceil(USERS / 100), size: 100 } })),
    screen('users by name', () => ask(users.list, { query: { realName: 'Zhang 1' } })),
    screen('users by account', () => ask(users.list, { query: { account: 'er49' } })),
    screen('users by role', () => ask(users.list, { query: { roleId: role!.id } })),
    screen('users by organisation', (round) => ask(users.list, { query: { organisationId: parks.content[round]!.id } })),
    screen('users that are disabled', () => ask(users.list, { query: { state: 'disabled' } })),
    screen('user', () => ask(users.read, { params: { id: user!.id } })),
    screen('roles', () => ask(roles.list, { query: {} })),
    screen('role', () =>
      Promise.all([
        ask(roles.read, { params: { id: role!.id } }),
        ask(roles.permissions, { query: { id: role!.id } }),
        ask(roles.groups, {}),
      ]),
    ),
    screen('roles one may give', () => ask(roles.subRoles, { query: { organisationId: world.park.id } })),
    screen('API users', () => ask(clients.list, { query: {} })),
    screen('API user', () => ask(clients.read, { query: { id: apiUser!.id } })),
    screen('tree', () => ask(organisation.tree, {})),
    screen('parks to choose from', (round) => ask(organisation.parkList, { query: { page: round } })),
    screen('parks by name', () => ask(organisation.parkList, { query: { name: 'Company 7 Park 3' } })),
    screen('organisation', (round) => ask(areas.read, { params: { id: parks.content[round]!.id } })),
    screen('modules of an organisation', (round) => ask(areas.modules, { query: { id: parks.content[round]!.id } })),
    screen('log', () => ask(audit.operations, { query: {} })),
    screen('log of a year', () => ask(audit.operations, { query: year })),
    screen('log, further on', () =>
      ask(audit.operations, { query: { ...year, size: 100, ...(page.next !== undefined && { after: page.next }) } }),
    ),
    screen('log of all parks', () => ask(audit.operations, { query: { ...year, all: true } })),
    screen('log by module', () => ask(audit.operations, { query: { ...year, module: 'access' } })),
    screen('log by operator', () => ask(audit.operations, { query: { ...year, operator: 'Zhang 1' } })),
    screen('log by account', () => ask(audit.operations, { query: { ...year, account: 'user42' } })),
    screen('log by a name found often', () => ask(audit.operations, { query: { ...year, subject: 'Wang' } })),
    screen('log by a name found seldom', () => ask(audit.operations, { query: { ...year, subject: 'Wang 19992' } })),
    screen('log by a name nobody has', () => ask(audit.operations, { query: { ...year, subject: 'Nobody at all' } })),
    screen('log entry', () => ask(audit.operation, { params: { id: entry!.id } })),
    screen('log of reads', () => ask(audit.reads, { query: year })),
    screen('log of reads of a person', () => ask(audit.reads, { query: { ...year, subject: SEEN } })),
    screen('dictionary', () => ask(dictionary.read, {})),
    screen('device limits', () => ask(deviceLimits.list, { body: {} })),
    screen('settings of a park', () =>
      Promise.all([ask(parkSettings.updateConfig, {}), ask(parkSettings.accessControl, {}), ask(parkSettings.reentry, {})]),
    ),
    screen('settings of the installation', () =>
      Promise.all([
        ask(system.uiConfig, {}),
        ask(system.ownLook, {}),
        ask(system.thirdConfig, {}),
        ask(system.details, {}),
        ask(users.sleepingConfig, {}),
      ]),
    ),
    screen('domains', () => ask(system.domains, { query: {} })),
    screen('outgoing messages', () => ask(system.messages, { query: {} })),
    screen('notices', () => ask(system.notices, { query: {} })),
    screen('screens and map', () => Promise.all([ask(screenSettings.read, {}), ask(mapSettings.read, {})])),
    screen('profile', () => Promise.all([ask(identity.profile, {}), ask(own.sessions, {})])),
    screen('park', () => ask(organisation.parkInfo, {})),
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
