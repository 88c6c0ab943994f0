/** The address of every screen of the console in a furnished park. */
import type { Call } from '@gatehouse/contract'
import { associatedRuleCalls } from '@gatehouse/contract/strategies/associated-rules'
import { pendingChangeCalls, writtenRuleCalls } from '@gatehouse/contract/approvals/written-rules'
import { cardCalls } from '@gatehouse/contract/cards/calls'
import { configurationCalls } from '@gatehouse/contract/configuration/calls'
import { enrolmentCalls } from '@gatehouse/contract/enrolment/calls'
import { clientCalls } from '@gatehouse/contract/identity/clients'
import { roleCalls } from '@gatehouse/contract/identity/roles'
import { userCalls } from '@gatehouse/contract/identity/users'
import { importCalls } from '@gatehouse/contract/imports/calls'
import { parkSettingCalls } from '@gatehouse/contract/organisation/settings'
import { associatedPersonCalls } from '@gatehouse/contract/people/relation'
import { specialCalls } from '@gatehouse/contract/people/special'
import { privacyCalls } from '@gatehouse/contract/privacy/calls'
import { restrictionCalls } from '@gatehouse/contract/restrictions/calls'
import { upgradeCalls } from '@gatehouse/contract/upgrades/calls'
import type { World } from '@gatehouse/dev-env/world'
import type { Screen, ScreenName } from '../../apps/console/src/screens.ts'
import { furnish, type Furnished } from './furnished.ts'
import { givenFor } from './rungs/all.ts'

const DAY = 86_400_000

/** What a parameter of a screen names: something of the furnished park, or a sample of what a call reads. */
type Meaning = Call | ((things: Furnished, world: World) => string | Promise<string>)

/** By screen, and by parameter: those of the path first, the others follow in the query. */
const MEANINGS: Partial<Record<ScreenName, Record<string, Meaning>>> = {
  staffDetails: { id: ({ person }) => person.id },
  customerDetails: {
    id: async ({ site, group }, { clock }) =>
      (await site.person({ kind: 'customer', groupId: group.id, validTo: clock.now() + 30 * DAY })).id,
  },
  blackDetails: { id: specialCalls.read },
  staffImportDetail: { id: importCalls.read },
  erasureDetails: {
    id: async ({ site }) =>
      (await site.call(privacyCalls.erase, { body: { personIds: [(await site.person()).id], reason: 'Requested' } })).erasureIds[0]!,
  },
  deviceDetails: { deviceId: ({ device }) => device.id },
  deviceConfigDetail: { id: ({ device }) => device.id },
  clientUpgradeDetail: { id: upgradeCalls.task },
  deviceUpgradeDetail: { id: upgradeCalls.task },
  passStrategyDetail: { id: ({ strategy }) => strategy.id },
  syncStatus: { id: ({ strategy }) => strategy.id },
  timeRuleDetail: { id: ({ timeRule }) => timeRule.id },
  writtenRuleDetail: { id: writtenRuleCalls.read },
  accessRestrictionDetail: { id: restrictionCalls.read },
  accessRestrictionPersonList: { id: restrictionCalls.read },
  accessRestrictionMuster: { id: restrictionCalls.read },
  associatedPersonDetail: { id: associatedPersonCalls.read },
  associatedRuleDetail: { id: associatedRuleCalls.read },
  associatedRuleSyncStatus: { id: associatedRuleCalls.read },
  associatedRuleVisitorDetail: { id: associatedRuleCalls.read },
  faceReportDetail: { id: ({ reportId }) => reportId },
  roleDetail: { id: roleCalls.read },
  regionDetail: { id: ({ site }) => site.park.id },
}

/** A list shows at least one row of what these calls read. */
const SAMPLES: readonly Call[] = [
  userCalls.read,
  clientCalls.read,
  configurationCalls.template,
  enrolmentCalls.revokeLink,
  enrolmentCalls.decide,
  cardCalls.revoke,
  pendingChangeCalls.read,
]

/** What is behind the `#`, by screen: a function that throws for a screen with a parameter of which no meaning is told. */
export async function furnishScreens(world: World): Promise<(name: ScreenName, screen: Screen) => string> {
  await world.call(parkSettingCalls.saveUpdateConfig, {
    body: { staffFaceRegisterFlag: 0, customerFaceRegisterFlag: 0, showCustomerManagerFlag: 1 },
  })
  const things = await furnish(world, world)
  const made = new Map<Meaning, string>()
  const idOf = async (meaning: Meaning): Promise<string> => {
    const id = typeof meaning === 'function' ? await meaning(things, world) : String((await givenFor(meaning, things, world))['id'])
    made.set(meaning, id)
    return id
  }
  for (const call of SAMPLES) await givenFor(call, things, world)
  const filled = new Map<string, Record<string, string>>()
  for (const [name, parameters] of Object.entries(MEANINGS)) {
    const values: Record<string, string> = {}
    for (const [parameter, meaning] of Object.entries(parameters)) values[parameter] = made.get(meaning) ?? (await idOf(meaning))
    filled.set(name, values)
  }
  await world.settled()
  return (name, { path, kind }) => addressOf(name, path, kind, filled.get(name))
}

function addressOf(name: string, path: string, kind: string, values: Record<string, string> | undefined): string {
  const rest = { ...values }
  const at = path.replace(/\{(\w+)\}/g, (_, parameter: string) => {
    const value = rest[parameter]
    if (value === undefined)
      throw new Error(`what does {${parameter}} of the screen ${name} name? Say so in tests/support/screen-addresses.ts`)
    delete rest[parameter]
    return encodeURIComponent(value)
  })
  if (kind === 'detail' && values === undefined)
    throw new Error(`what does the screen ${name} show one of? Say so in tests/support/screen-addresses.ts`)
  const query = new URLSearchParams(rest).toString()
  return query === '' ? at : `${at}?${query}`
}
