/** Which answers are stale after a change in an area of the contract: those of the areas whose screens show the changed data. */
import type { Area } from '@gatehouse/contract/calls'

/** Areas that name persons, count them, or depend on their data. */
const PERSONS = [
  'alarms',
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
  'visitors',
] as const satisfies readonly Area[]

/**
 * For each area, the other areas that show its data; `all` where nearly every screen does. An area without an entry counts as showing the
 * data of all other areas, and as shown by all of them. The area itself and the operation log (`audit`), in which each change makes an
 * entry, are stale after every change and not listed. In case of doubt an area is listed: an unnecessary read is cheaper than a stale
 * answer.
 */
const SHOWN_IN: Readonly<Partial<Record<Area, readonly Area[] | 'all'>>> = {
  // A user's own choice of alarms, what became of events at doors, and with which alarm captures are counted.
  alarms: ['surveillance'],
  // An approved change is carried out: of persons, devices, strategies, linked parks.
  approvals: 'all',
  // The retention of logs is shown beside other retention periods.
  audit: ['privacy', 'organisation'],
  // Cards and palms belong to persons, are sent to devices, and decide who may pass.
  cards: PERSONS,
  // Photographs are set aside, pairs of look-alikes are noted, records are marked as corrected.
  clinic: PERSONS,
  // Thresholds, door directions and screens of devices: the state of devices, the data stored on them, the reason why a person passed.
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
  // Calls of terminals, not of screens.
  device: 'all',
  // Doors are named, counted and chosen nearly everywhere.
  devices: 'all',
  // Opening a door, or holding it open, changes the state of its device and makes a record.
  doors: ['devices', 'maintenance', 'organisation', 'records', 'restrictions', 'statistics', 'system'],
  // An application that is passed becomes a person.
  enrolment: PERSONS,
  // Exports do not change the data that they export.
  exports: [],
  // Photographs, thresholds and the engine: whether persons can be recognised, and the data stored on devices.
  faces: [...PERSONS, 'configuration', 'maintenance', 'upgrades'],
  // Accounts and roles: who may do something, and the name of the user who did it.
  identity: 'all',
  // A run registers persons.
  imports: PERSONS,
  // Agents and logs of devices: the state of devices, and what was last sent to them.
  maintenance: ['alarms', 'configuration', 'devices', 'doors', 'upgrades'],
  // Time zone, modules, rules and demo data of a park: they decide what is shown.
  organisation: 'all',
  people: PERSONS,
  // Withdrawn consent deletes photographs, an erasure a person with all stored data and exported files; settings decide what is required.
  privacy: [...PERSONS, 'exports'],
  // Reads only.
  questions: [],
  // A deleted record is no longer counted; the picture of a record can become a photograph of its person.
  records: PERSONS,
  // Linked parks share persons and doors.
  relations: PERSONS,
  // The persons inside decide who may pass next.
  restrictions: ['devices', 'questions', 'records', 'statistics', 'synchronisation'],
  // Figures are counted again.
  statistics: ['devices', 'organisation', 'system'],
  // Which persons go to which doors, and when.
  strategies: PERSONS,
  // Sending again changes the states of persons, devices, strategies and erasures.
  synchronisation: [...PERSONS, 'configuration'],
  // Addresses, domains, dictionary, notices, pictures, and what a data screen shows.
  system: ['alarms', 'devices', 'enrolment', 'identity', 'organisation', 'people', 'relations', 'statistics', 'visitors'],
  // Versions that devices run, and the models that faces are compared with.
  upgrades: ['configuration', 'development', 'devices', 'faces', 'maintenance', 'synchronisation'],
  // A visitor who may pass is a person on devices, with a card, access rules and records; an accepted visit can wait for an approval.
  visitors: PERSONS,
}

/** Areas that are always stale: the operation log. */
const ALWAYS: readonly string[] = ['audit']

/** Return whether answers of an area may be stale after a change in another. */
export function isAffected(area: string, changed: string): boolean {
  const table: Readonly<Partial<Record<string, readonly string[] | 'all'>>> = SHOWN_IN
  const shown = table[changed] ?? 'all'
  return area === changed || ALWAYS.includes(area) || shown === 'all' || !(area in table) || shown.includes(area)
}
