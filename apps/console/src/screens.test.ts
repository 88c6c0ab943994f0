import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { PERMISSION_CODES, isUsed, permissionModules, type Language, type PermissionModule } from '@gatehouse/contract'
import { isBuilt } from '@gatehouse/contract/built'
import { holds, type Circumstances } from '@gatehouse/contract/conditions'
import { addresses, path } from './paths.ts'
import type { ScreenDeclarations, Surroundings } from './screenDeclaration.ts'
import { screenEntries, screens } from './screens.ts'
import { menuFor } from './shell/layout/menu.ts'

test('a path fills its parameters', () => {
  expect(path('staffDetails', { id: 'a/b' })).toBe('/staffDetails/a%2Fb')
  expect(path('home')).toBe('/home')
})

test('no address is used twice, and each parent is a screen that is a list', () => {
  expect(new Set(Object.values(addresses)).size).toBe(Object.keys(addresses).length)
  for (const [name, { parent }] of screenEntries) if (parent) expect(screens[parent].kind, name).toBe('list')
})

const source = import.meta.dirname
const filesNamed = (pattern: string): string[] => globSync(`{features,shell}/**/${pattern}`, { cwd: source })

test('every screen that is declared is there, under a name of its own', async () => {
  const modules = await Promise.all(
    filesNamed('screens.ts').map((file) => import(join(source, file)) as Promise<Record<string, ScreenDeclarations>>),
  )
  const declared = modules.flatMap((module) => Object.values(module)).flatMap((ofFeature) => Object.keys(ofFeature))
  expect(screenEntries.map(([name]) => name).toSorted()).toEqual(declared.toSorted())
})

test('the page of every screen is there, and there is no other', async () => {
  expect(filesNamed('*Page.tsx').toSorted()).toEqual([...new Set(screenEntries.map(([, { page }]) => page as string))].toSorted())
})

test('a list that is read before the code of its page is the one that the page asks for', () => {
  for (const [name, { list, page }] of screenEntries) {
    if (list === undefined) continue
    const [, call] = /\.(\w+Calls\.\w+)/.exec(list.call.toString()) ?? []
    expect(readFileSync(join(source, page), 'utf8'), name).toContain(`useList(${call},`)
  }
})

test('a screen follows one of the same group of the menu', () => {
  const following = screenEntries.filter(([, { after }]) => after !== undefined)
  expect(following.map(([, { after }]) => screens[after!].menu)).toEqual(following.map(([, { menu }]) => menu))
})

/** An installation in which everything that leads out of the console is set up. */
const around = { language: 'zh-CN', thirdParty: true, upgradeService: true, parking: { account: true, login: true } } as const
const circumstances: Circumstances = {
  roleSign: 'parkAdmin',
  atRoot: false,
  lite: false,
  privatised: false,
  customerManager: false,
  deviceUpgradeType: 0,
  masking: false,
}
/** Return the menu of a session with these permissions. */
const menuOf = (permissions: readonly string[], more: Partial<Circumstances> = {}, where: Surroundings = around) =>
  menuFor(
    ({ permission, condition }) =>
      (permission === null || permissions.includes(permission)) && holds(condition, { ...circumstances, ...more }),
    where,
  )
const namesOf = (sections: ReturnType<typeof menuFor>): string[] => sections.flatMap(({ entries, outside }) => [...entries, ...outside])

test('the menu shows the entries whose codes the session has, and no others [BEH-036]', () => {
  expect(
    menuOf(['person.list'])
      .map(({ group, entries }) => [group, entries])
      .filter(([group]) => group === 'person'),
  ).toEqual([['person', ['staffList', 'blacklist']]])
  const shown = new Set(namesOf(menuOf(['person.list', 'system.user'])))
  for (const [name, { menu, permission, condition }] of screenEntries)
    if (menu && permission && holds(condition, circumstances))
      expect(shown.has(name), name).toBe(['person.list', 'system.user'].includes(permission))
})

test('home is there for whoever has no permission at all [BEH-037]', () => {
  expect(menuOf([], {}, { ...around, thirdParty: false })[0]).toEqual({ group: 'top', entries: ['home'], outside: [] })
  expect(screens.home).toMatchObject({ permission: null, menu: 'top' })
})

test('the parking group needs its code and is hidden in English [BEH-048]', () => {
  const groups = (permissions: string[], language: Language) =>
    menuOf(permissions, {}, { ...around, language }).map(({ group }) => group as string)
  expect(menuOf(['carpark.parkAdmin']).find(({ group }) => group === 'parking')?.outside).toEqual(['parkingCreate', 'parkingManager'])
  expect(groups(['carpark.parkAdmin'], 'zh-TW')).toContain('parking')
  expect(groups(['carpark.parkAdmin'], 'en')).not.toContain('parking')
  expect(groups([], 'zh-CN')).not.toContain('parking')
})

test('what leads out stands in the menu only where it leads somewhere', () => {
  const outside = (where: Surroundings) => menuOf(PERMISSION_CODES, { lite: true }, where).flatMap((section) => section.outside)
  expect(outside({ language: 'zh-CN', thirdParty: false })).toEqual([])
  expect(outside({ language: 'zh-CN', thirdParty: false, parking: { account: false, login: true } })).toEqual(['parkingManager'])
  expect(outside({ language: 'zh-CN', thirdParty: false, parking: { account: true, login: false } })).toEqual(['parkingCreate'])
  expect(outside({ language: 'zh-CN', thirdParty: false, upgradeService: true })).toEqual(['deviceUpgrade'])
})

test('no entry, and no group, is about what is not built', () => {
  const sections = menuOf(PERMISSION_CODES, { roleSign: 'admin', atRoot: true, customerManager: true })
  expect(sections.map(({ group }) => group)).toEqual([
    'top',
    'record',
    'alert',
    'person',
    'visitor',
    'device',
    'access',
    'surveillance',
    'parking',
    'thirdParty',
    'park',
    'system',
    'operations',
  ])
  // Every screen that is built is offered, but for rules that linked parks would apply to visitors: visitors stay in their park.
  expect(screenEntries.filter(([, { unoffered }]) => unoffered).map(([name]) => name)).toEqual(['addAssociatedRuleVisitorDetail'])
})

test('a module is built where one of its codes opens a screen; to those that are always on nothing is asked', () => {
  const asked = new Set<string | null>(screenEntries.map(([, { permission }]) => permission))
  const modules = Object.entries(permissionModules) as [PermissionModule, readonly string[]][]
  for (const [module, codes] of modules) expect(isBuilt(module), module).toBe(codes.some((code) => asked.has(code)))
})

test(
  'the customer list stands in no menu, and opens by no address, unless the park has the customer-manager flag and the ' +
    'role is not other [BEH-046]',
  () => {
    const [{ permission, condition }, ...below] = [screens.customerList, screens.customerAdd, screens.customerDetails]
    const shows = (roleSign: string, customerManager: boolean) =>
      namesOf(menuOf([permission!], { roleSign, customerManager })).includes('customerList')
    const opens = (roleSign: string, customerManager: boolean) => holds(condition, { ...circumstances, roleSign, customerManager })
    for (const asked of [shows, opens]) {
      expect(['admin', 'operator', 'parkAdmin', 'other'].map((sign) => asked(sign, true))).toEqual([true, true, true, false])
      expect(['admin', 'operator', 'parkAdmin', 'other'].map((sign) => asked(sign, false))).toEqual([false, false, false, false])
    }
    expect(below.map((screen) => screen.condition)).toEqual([condition, condition])
  },
)

test('associated persons and stranger records stand in the menu, but in no lite one [BEH-049]', () => {
  const shown = (lite: boolean) => {
    const names = namesOf(menuOf(['person', 'access.record'], { lite }))
    return (['associatedPersonList', 'strangerRecords'] as const).map((name) => names.includes(name))
  }
  expect(shown(false)).toEqual([true, true])
  expect(shown(true)).toEqual([false, false])
  expect([screens.associatedPersonList.path, screens.strangerRecords.path]).toEqual(['/associatedPersonList', '/strangerRecords'])
})

test('device limits stand in the menu of admin and operator only [BEH-050]', () => {
  const shows = (roleSign: string) => namesOf(menuOf(PERMISSION_CODES, { roleSign, atRoot: true })).includes('deviceLimit')
  expect(['admin', 'operator', 'parkAdmin', 'other'].map(shows)).toEqual([true, true, false, false])
})

test('the upgrade link stands in lite menus, and in those of admin and operator where the profile says so [BEH-051]', () => {
  const shows = (more: Partial<Circumstances>) => namesOf(menuOf(['device.upgrade'], more)).includes('deviceUpgrade')
  expect(shows({})).toBe(false)
  expect(shows({ roleSign: 'admin', privatised: true })).toBe(false)
  expect(shows({ lite: true })).toBe(true)
  expect(['admin', 'operator', 'parkAdmin', 'other'].map((roleSign) => shows({ roleSign, deviceUpgradeType: 1 }))).toEqual([
    true,
    true,
    false,
    false,
  ])
  expect(namesOf(menuOf([], { lite: true }))).not.toContain('deviceUpgrade')
})

test('the third-party monitor stands in the menu of an installation that has one', () => {
  expect(namesOf(menuOf([]))).toContain('thirdPartyMonitor')
  expect(namesOf(menuOf([], {}, { ...around, thirdParty: false }))).not.toContain('thirdPartyMonitor')
})

test('every code that a screen asks for is one the product uses', () => {
  const asked = screenEntries.flatMap(([, { permission, besides = [] }]) => [...(permission === null ? [] : [permission]), ...besides])
  expect(asked.filter((code) => !isUsed(code))).toEqual([])
})

// The rule BEH-017 stays unproved until the other two exist.
test('of the three screens that open without a session, login, map and digitalsentinel, only the login exists so far', () => {
  expect(screenEntries.filter(([, { auth }]) => auth === 'none').map(([, screen]) => screen.path)).toEqual(['/login'])
  expect(Object.values<string>(addresses).filter((address) => ['/map', '/digitalsentinel'].includes(address))).toEqual([])
})

test('a detail page names the list it belongs to [BEH-027]', () => {
  const details = screenEntries.filter(([, { kind }]) => kind === 'detail')
  expect(details.length).toBeGreaterThan(2)
  for (const [name, { parent }] of details) expect(parent && screens[parent].kind, name).toBe('list')
})

test('details of people, devices, rules, the watch list and area monitors lead back to their lists [BEH-028]', () => {
  const pairs = {
    staffDetails: 'staffList',
    deviceDetails: 'deviceList',
    associatedPersonDetail: 'associatedPersonList',
    associatedRuleDetail: 'associatedRule',
    passStrategyDetail: 'passStrategy',
    timeRuleDetail: 'timeRule',
    blackDetails: 'blacklist',
    monitorDetail: 'areaManage',
  } as const
  for (const [detail, list] of Object.entries(pairs)) expect(screens[detail as keyof typeof pairs].parent, detail).toBe(list)
})
