/** Which answers are stale after a change: an area of the contract, and the areas whose screens show something of it. */
import type { Area } from '@gatehouse/contract/calls'

/** Areas that name persons, count them, or are decided by what they are. */
const PERSONS = [
  'approvals',
  'cards',
  'clinic',
  'development',
  'devices',
  'enrolment',
  'faces',
  'imports',
  'organisation',
  'people',
  'privacy',
  'questions',
  'records',
  'relations',
  'restrictions',
  'statistics',
  'strategies',
  'synchronisation',
  'system',
] as const satisfies readonly Area[]

/**
 * For each area, the others that show something of it; `all` where nearly every screen does. An area that is not named here is taken to
 * show something of all others, and to be shown by all. The area itself and the operation log
 * (`audit`), in which each change leaves an entry, are stale after every change and not named. Where it is unclear whether an area
 * shows a change, it is named: an answer that is read in vain is cheaper than a stale one.
 */
const SHOWN_IN: Readonly<Partial<Record<Area, readonly Area[] | 'all'>>> = {
  // Somebody's own choice of what to be alerted of.
  alarms: [],
  // A change that is agreed to is made: of persons, devices, strategies, linked parks.
  approvals: 'all',
  // How long logs are kept stands beside what else is kept how long.
  audit: ['privacy', 'organisation'],
  // Cards and palms are a person's, go to devices, and decide who may pass.
  cards: PERSONS,
  // Photographs are set aside, pairs told apart, records marked as corrected.
  clinic: PERSONS,
  // Thresholds, door directions and screens of devices: how they are, what they hold, why somebody passed.
  configuration: [
    'development',
    'devices',
    'doors',
    'faces',
    'maintenance',
    'organisation',
    'questions',
    'records',
    'synchronisation',
    'upgrades',
  ],
  // Reads only.
  development: [],
  // What terminals ask; no screen does.
  device: 'all',
  // Doors are named, counted and chosen nearly everywhere.
  devices: 'all',
  // A door that was opened, or is held open, is a state of its device and leaves a record.
  doors: ['devices', 'maintenance', 'organisation', 'records', 'restrictions', 'statistics', 'system'],
  // Who is let in becomes a person.
  enrolment: PERSONS,
  // Tasks that change nothing of what they hand out.
  exports: [],
  // Photographs, thresholds and the engine: whether persons are ready, and what devices hold.
  faces: [...PERSONS, 'configuration', 'maintenance', 'upgrades'],
  // Accounts and roles: who may do something, and who is named as having done it.
  identity: 'all',
  // A run registers persons.
  imports: PERSONS,
  // Agents and logs of devices: how these are, and what they were last sent.
  maintenance: ['configuration', 'devices', 'doors', 'upgrades'],
  // Zone, modules, rules of a park, what is demonstrated: they decide what there is to see.
  organisation: 'all',
  people: PERSONS,
  // Consent lets photographs go, an erasure a person with all that is kept, exported files too; settings say what is demanded.
  privacy: [...PERSONS, 'exports'],
  // Reads only.
  questions: [],
  // A record that is deleted is counted nowhere; a second photograph becomes one of the person's.
  records: PERSONS,
  // Linked parks share persons and doors.
  relations: PERSONS,
  // Who is inside decides who may pass next.
  restrictions: ['devices', 'questions', 'records', 'statistics', 'synchronisation'],
  // Figures that were counted again.
  statistics: ['devices', 'organisation', 'system'],
  // Which persons go to which doors, and when.
  strategies: PERSONS,
  // Sent again: states of persons, devices, strategies and erasures.
  synchronisation: [...PERSONS, 'configuration'],
  // Addresses, domains, dictionary, notices, pictures, and what a data screen shows.
  system: ['devices', 'enrolment', 'identity', 'organisation', 'people', 'relations', 'statistics'],
  // Versions a device runs, the models faces are compared by.
  upgrades: ['configuration', 'development', 'devices', 'faces', 'maintenance', 'synchronisation'],
}

/** Areas that are always stale: the operation log. */
const ALWAYS: readonly string[] = ['audit']

/** Whether answers of an area may be stale after a change in another. */
export function isAffected(area: string, changed: string): boolean {
  const table: Readonly<Partial<Record<string, readonly string[] | 'all'>>> = SHOWN_IN
  const shown = table[changed] ?? 'all'
  return area === changed || ALWAYS.includes(area) || shown === 'all' || !(area in table) || shown.includes(area)
}
