/**
 * The removal of the demo as background work: it resumes after a restart, and each step may be repeated. Things of users stay, together
 * with things of the demo that they depend on: groups that contain their persons or devices, time rules that their strategies follow.
 */
import type { Platform } from '../../platform/context.ts'
import { InvalidRequest, NotFound, Refusal } from '../../platform/http/refusal.ts'
import type { Scope } from '../../platform/session/session.ts'
import type { WorkRun } from '../../platform/jobs/work.ts'
import type { RecordsContext } from '../records/index.ts'
import type { StrategiesContext } from '../strategies/index.ts'
import { devicesDeleted, type DevicesService } from '../devices/index.ts'
import type { FacesService } from '../faces/index.ts'
import type { OrganisationService } from '../organisation/index.ts'
import type { GroupService, PeopleService } from '../people/index.ts'
import * as data from './data.ts'
import { restoreNames } from './names.ts'

export const REMOVAL = 'demo.remove'

export interface RemovalNeeds {
  organisation: Pick<OrganisationService, 'get' | 'change' | 'tree'>
  people: Pick<PeopleService, 'facts' | 'remove'>
  personGroups: Pick<GroupService, 'rows' | 'delete'>
  faces: Pick<FacesService, 'dropCached'>
  devices: Pick<DevicesService, 'facts' | 'delete' | 'groups' | 'groupRows'>
  strategies: StrategiesContext['strategies']
  timeRules: StrategiesContext['timeRules']
  removeRecords: RecordsContext['removeRecords']
  /** Resolves when everything that devices have sent so far is handled, its consequences included. */
  settled(): Promise<void>
}

/** Persons removed in one transaction. */
const PERSONS_AT_ONCE = 50

type Counts = Record<string, number>
interface GroupRow {
  id: string
  parentId: string | null
}

/** Return whether a deletion succeeded; false where a user's thing depends on the object, or it is already deleted. */
async function tried(work: Promise<unknown>): Promise<boolean> {
  try {
    await work
    return true
  } catch (error) {
    if (error instanceof Refusal || error instanceof InvalidRequest || error instanceof NotFound) return false
    throw error
  }
}

/** Delete the requested groups that are empty, from the lowest up. @returns their number */
async function deleteEmpty(
  rows: readonly GroupRow[],
  requestedIds: ReadonlySet<string>,
  remove: (id: string) => Promise<unknown>,
): Promise<number> {
  const childrenOf = Map.groupBy(rows, ({ parentId }) => parentId)
  let deleted = 0
  /** Delete the groups below a group and the group itself, as far as possible. @returns whether all are deleted */
  async function isGone(id: string): Promise<boolean> {
    let isLeaf = true
    for (const child of childrenOf.get(id) ?? []) if (!(await isGone(child.id))) isLeaf = false
    if (!isLeaf || !requestedIds.has(id) || !(await tried(remove(id)))) return false
    deleted++
    return true
  }
  for (const { id } of childrenOf.get(null) ?? []) await isGone(id)
  return deleted
}

export function createRemoval(platform: Platform, needs: RemovalNeeds): (run: WorkRun) => Promise<void> {
  const db = platform.db
  const { organisation, people, personGroups, faces, devices, strategies, timeRules, removeRecords } = needs

  async function removeStrategies(scope: Scope, ids: readonly string[]): Promise<Counts> {
    let removed = 0
    for (const id of ids) if (await tried(strategies.delete(scope, id))) removed++
    return { strategies: removed }
  }

  async function removeDevices(scope: Scope, ids: readonly string[]): Promise<Counts> {
    let count = 0
    for (const { id } of await devices.facts(scope, ids)) if (await tried(devices.delete(scope, [id]))) count++
    return { devices: count }
  }

  async function removePersons(scope: Scope, ids: readonly string[], onPart: () => Promise<void>): Promise<Counts> {
    const there = (await people.facts(scope, ids)).map(({ id }) => id)
    for (let start = 0; start < there.length; start += PERSONS_AT_ONCE) {
      await onPart()
      const some = there.slice(start, start + PERSONS_AT_ONCE)
      await platform.transaction((tx) => people.remove(tx, scope, some))
    }
    return { persons: there.length }
  }

  async function removeTimeRules(scope: Scope, ids: readonly string[]): Promise<Counts> {
    let removed = 0
    for (const id of ids) if (await tried(timeRules.delete(scope, [id]))) removed++
    return { timeRules: removed }
  }

  const removePersonGroups = async (scope: Scope, ids: readonly string[]): Promise<Counts> => ({
    personGroups: await deleteEmpty(await personGroups.rows(scope), new Set(ids), (id) => personGroups.delete(scope, id)),
  })
  const removeDeviceGroups = async (scope: Scope, ids: readonly string[]): Promise<Counts> => ({
    deviceGroups: await deleteEmpty(await devices.groupRows(scope), new Set(ids), (id) => devices.groups.delete(scope, id)),
  })

  /** Announce the deletion of the devices once more: a device's last message may have been noted after the deletion. */
  async function announceDeletionAgain(scope: Scope, deviceIds: string[]): Promise<void> {
    await needs.settled()
    if (deviceIds.length > 0)
      await platform.transaction((tx) => platform.events.announce(tx, devicesDeleted, scope.parkId, { deviceIds, codes: [] }))
    await needs.settled()
  }

  /** Erase the history of deleted things. */
  async function forgetDeleted(scope: Scope, ids: readonly string[]): Promise<void> {
    const rows = await Promise.all([personGroups.rows(scope), devices.groupRows(scope), timeRules.names(scope)])
    const kept = new Set(rows.flat().map(({ id }) => id))
    const deletedIds = ids.filter((id) => !kept.has(id))
    await platform.transaction((tx) => platform.history.forget(tx, scope, deletedIds))
  }

  return async ({ scope, progress }) => {
    const demo = await data.findDemo(scope, db)
    if (demo === undefined || demo.phase !== 'removing') return
    const things = await data.findThings(scope, db)
    const idsOf = (entity: string): string[] => things.get(entity) ?? []
    const [personIds, deviceIds] = [idsOf('person'), idsOf('device')]
    let done = 0
    const onPart = (): Promise<void> => progress({ done })
    const records = async (): Promise<Counts> => {
      // Records in transit are stored first; deleted devices send no more.
      await needs.settled()
      return { records: await removeRecords(scope, { personIds, deviceIds }, onPart) }
    }
    const steps: readonly (() => Promise<Counts>)[] = [
      () => removeStrategies(scope, idsOf('strategy')),
      () => removeDevices(scope, deviceIds),
      () => removePersons(scope, personIds, onPart),
      records,
      () => removePersonGroups(scope, idsOf('personGroup')),
      () => removeDeviceGroups(scope, idsOf('deviceGroup')),
      () => removeTimeRules(scope, idsOf('timeRule')),
    ]
    for (const step of steps) {
      await onPart()
      const counts = await step()
      await platform.transaction((tx) => data.noteRemoved(scope, tx, counts))
      done++
    }
    await faces.dropCached(scope, idsOf('face'))
    await restoreNames(organisation, demo.renamed)
    await announceDeletionAgain(scope, deviceIds)
    await forgetDeleted(scope, [...things.values()].flat())
    // Without this, released pictures stay until the hourly sweep.
    await platform.storage.sweep()
    await platform.transaction((tx) => data.endRemoval(scope, tx))
  }
}
