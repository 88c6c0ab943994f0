/**
 * The screens as plain data: their addresses, who may open them, and their place in the menu. Each feature declares its own; they are
 * collected here. The inventory and the tests read them under Node; `pages.ts` adds the page of each. Titles: `shell:title.<name>`.
 */
import { showsParking } from '@gatehouse/contract/conditions'
import type { ParkInfo } from '@gatehouse/contract/organisation/calls'
import { alarmsScreens } from './features/alarms/screens.ts'
import { approvalsScreens } from './features/approvals/screens.ts'
import { auditScreens } from './features/audit/screens.ts'
import { cardsScreens } from './features/cards/screens.ts'
import { configurationScreens } from './features/configuration/screens.ts'
import { developmentScreens } from './features/development/screens.ts'
import { devicesScreens } from './features/devices/screens.ts'
import { enrolmentScreens } from './features/enrolment/screens.ts'
import { exportsScreens } from './features/exports/screens.ts'
import { facesScreens } from './features/faces/screens.ts'
import { homeScreens } from './features/home/screens.ts'
import { identityScreens } from './features/identity/screens.ts'
import { importsScreens } from './features/imports/screens.ts'
import { organisationScreens } from './features/organisation/screens.ts'
import { peopleScreens } from './features/people/screens.ts'
import { printersScreens } from './features/printers/screens.ts'
import { privacyScreens } from './features/privacy/screens.ts'
import { questionsScreens } from './features/questions/screens.ts'
import { recordsScreens } from './features/records/screens.ts'
import { relationsScreens } from './features/relations/screens.ts'
import { restrictionsScreens } from './features/restrictions/screens.ts'
import { dataScreens } from './features/screens/screens.ts'
import { statisticsScreens } from './features/statistics/screens.ts'
import { strategiesScreens } from './features/strategies/screens.ts'
import { surveillanceScreens } from './features/surveillance/screens.ts'
import { synchronisationScreens } from './features/synchronisation/screens.ts'
import { systemScreens } from './features/system/screens.ts'
import { upgradesScreens } from './features/upgrades/screens.ts'
import { visitorsScreens } from './features/visitors/screens.ts'
import { MENU_GROUPS, type MenuGroup, type OutsideEntry, type ScreenDeclaration } from './screenDeclaration.ts'
import { shellScreens } from './shell/screens.ts'

/** Return an entry that is shown where its address is set up. */
const parking = (link: keyof ParkInfo['parking']) =>
  ({
    permission: 'carpark.parkAdmin',
    menu: 'parking',
    shows: ({ language, parking: has }) => showsParking(language) && has?.[link] === true,
  }) as const satisfies OutsideEntry

/** Labels: `shell:outside.<name>`. */
export const outsideEntries = {
  deviceUpgrade: {
    permission: 'device.upgrade',
    condition: 'deviceUpgrade',
    menu: 'device',
    shows: ({ upgradeService }) => upgradeService === true,
  },
  parkingCreate: parking('account'),
  parkingManager: parking('login'),
  thirdPartyMonitor: { permission: null, menu: 'thirdParty', shows: ({ thirdParty }) => thirdParty },
} as const satisfies Record<string, OutsideEntry>
export type OutsideName = keyof typeof outsideEntries

/** One line for each feature, in the order of their entries within a group of the menu. */
const declared = {
  ...shellScreens,
  ...homeScreens,
  ...recordsScreens,
  ...statisticsScreens,
  ...alarmsScreens,
  ...peopleScreens,
  ...enrolmentScreens,
  ...importsScreens,
  ...visitorsScreens,
  ...devicesScreens,
  ...configurationScreens,
  ...upgradesScreens,
  ...cardsScreens,
  ...strategiesScreens,
  ...synchronisationScreens,
  ...restrictionsScreens,
  ...questionsScreens,
  ...approvalsScreens,
  ...relationsScreens,
  ...surveillanceScreens,
  ...privacyScreens,
  ...identityScreens,
  ...organisationScreens,
  ...printersScreens,
  ...dataScreens,
  ...auditScreens,
  ...systemScreens,
  ...exportsScreens,
  ...facesScreens,
  ...developmentScreens,
}
export type ScreenName = keyof typeof declared

/** The values of most screens. */
const USUAL = { layout: 'shell', auth: 'login', permission: null } as const satisfies Partial<ScreenDeclaration>
export type Screen = ScreenDeclaration<ScreenName> & Required<Pick<ScreenDeclaration, keyof typeof USUAL>>

// With its type argument the call does not compile where a screen refers to one that does not exist.
const collected = Object.entries<ScreenDeclaration<ScreenName>>(declared).map(
  ([name, screen]) => [name as ScreenName, { ...USUAL, ...screen }] satisfies [ScreenName, Screen],
)

export const screens = Object.fromEntries(collected) as { [Name in ScreenName]: Screen & Pick<(typeof declared)[Name], 'path'> }

/** Return the group of the menu that leads to a screen, by its own entry or by that of the page it belongs to. */
export function groupOf(name: ScreenName): MenuGroup | 'top' | undefined {
  const { menu, parent } = screens[name]
  return menu ?? (parent && groupOf(parent))
}
/** Return the place of a screen's group. Home, and screens that no entry leads to, come first. */
const placeOf = (name: ScreenName): number => (MENU_GROUPS as readonly unknown[]).indexOf(groupOf(name))

/** Every screen with its name, in the order of the menu. */
export const screenEntries: readonly [ScreenName, Screen][] = collected
  .toSorted(([one], [other]) => placeOf(one) - placeOf(other))
  .filter(([, { after }]) => after === undefined)
  .flatMap((entry) => [entry, ...collected.filter(([, { after }]) => after === entry[0])])
