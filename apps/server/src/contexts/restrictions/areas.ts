/** Restriction areas: what they are called, their doors, and which rules hold at them. */
import type { z } from 'zod'
import {
  hasLimit,
  type OfflinePolicy,
  type RestrictionArea,
  type restrictionChangeFields,
  type restrictionFields,
  rulesOf,
} from '@gatehouse/contract/restrictions/calls'
import type { Platform } from '../../platform/context.ts'
import { violatedConstraint, type Database, type Tx } from '../../platform/database/database.ts'
import { newId } from '../../platform/database/ids.ts'
import { leftAsItWas } from '../../platform/http/left-out.ts'
import { Conflict, InvalidRequest, NotFound, Refusal, refuse } from '../../platform/http/refusal.ts'
import type { Scope } from '../../platform/session/session.ts'
import * as data from './areas-data.ts'
import type { RestrictionDependencies } from './dependencies.ts'
import { restrictionsChanged } from './events.ts'
import type { RestrictionTables } from './schema.ts'
import { countInside } from './states-data.ts'

/** What a new area is made of, and what there is of one. */
type NewArea = z.output<typeof restrictionFields>
type AreaFields = ReturnType<typeof rulesOf<NewArea>>
export type AreaChange = z.output<typeof restrictionChangeFields>

/** What a terminal of an area is told: to ask within so many milliseconds, and what to do when it cannot. */
export interface Asking {
  timeoutMs: number
  offline: OfflinePolicy
}

/** Milliseconds the server has to answer; somebody waits at the door. */
export const ASK_WITHIN_MS = 3_000

export interface AreaService {
  list(scope: Scope, filter: data.AreaFilter): Promise<{ total: number; content: RestrictionArea[]; page: number; size: number }>
  /** @throws NotFound */
  read(scope: Scope, id: string): Promise<RestrictionArea>
  /** @throws Refusal 900004, 510012 with the devices that are doors of another area; InvalidRequest for devices this park does not have */
  create(scope: Scope, given: NewArea): Promise<string>
  /** @throws as create; NotFound; Conflict where it is not at `version` any more */
  change(scope: Scope, id: string, version: number | undefined, fields: AreaChange): Promise<void>
  /** @throws NotFound; InvalidRequest where there is no limit to switch on */
  setFlowLimit(scope: Scope, id: string, isOn: boolean, limitCount: number | null | undefined): Promise<void>
  /** @throws NotFound */
  delete(scope: Scope, id: string): Promise<void>
  /** Devices of the park that are to ask the server before they open. */
  asking(scope: Scope): Promise<Map<string, Asking>>
  /** Takes devices out of all areas. */
  forgetDevices(scope: Scope, deviceIds: readonly string[]): Promise<void>
}

const distinct = (ids: readonly string[]): string[] => [...new Set(ids)].toSorted()
const isUuid = (id: string): boolean => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(id)

const valuesIn = ({ name, limitType, antiSneakBack, flowLimit, limitCount, offlinePolicy }: data.AreaRow) => ({
  name,
  limitType: limitType as RestrictionArea['limitType'],
  antiSneakBack,
  flowLimit,
  limitCount,
  offlinePolicy: offlinePolicy as OfflinePolicy,
})

type Doors = Pick<AreaFields, 'deviceIds' | 'exitDeviceIds'>
const FIELDS = ['deviceIds', 'exitDeviceIds'] as const

export function createAreaService(platform: Platform, { devices }: Pick<RestrictionDependencies, 'devices'>): AreaService {
  const db = platform.db as unknown as Database<RestrictionTables>

  async function present(scope: Scope, rows: readonly data.AreaRow[]): Promise<RestrictionArea[]> {
    const now = platform.clock.now()
    const [links, counts] = await Promise.all([
      data.findDevices(
        scope,
        db,
        rows.map(({ id }) => id),
      ),
      Promise.all(rows.map(({ id }) => countInside(scope, db, id, now))),
    ])
    const facts = new Map(
      (await devices.facts(scope, distinct(links.map(({ deviceId }) => deviceId)))).map((device) => [device.id, device]),
    )
    const named = (areaId: string, kind: string) =>
      links
        .flatMap((link) => (link.areaId === areaId && link.kind === kind && facts.has(link.deviceId) ? [facts.get(link.deviceId)!] : []))
        .map(({ id, name, direction }) => ({ id, name, direction }))
        .toSorted((one, other) => one.name.localeCompare(other.name))
    const doors = (inside: ReturnType<typeof named>, exits: ReturnType<typeof named>) => ({
      deviceIds: inside.map(({ id }) => id),
      exitDeviceIds: exits.map(({ id }) => id),
      devices: inside,
      exitDevices: exits,
    })
    return rows.map((row, index) => ({
      ...row,
      limitType: row.limitType as RestrictionArea['limitType'],
      offlinePolicy: row.offlinePolicy as OfflinePolicy,
      updatedAt: row.updatedAt as number,
      ...doors(named(row.id, 'door'), named(row.id, 'exit')),
      count: counts[index]!,
    }))
  }

  async function existing(scope: Scope, on: Database<RestrictionTables>, id: string, lock = false): Promise<data.AreaRow> {
    const row = isUuid(id) ? await (lock ? data.lockArea : data.findArea)(scope, on, id) : undefined
    if (row === undefined) throw new NotFound()
    return row
  }

  /**
   * What a change leaves out stays, whether or not it exists for whoever makes it.
   * @throws InvalidRequest for each field that names a device this park does not have, or one twice
   */
  async function assertDevices(scope: Scope, sent: Partial<Doors>, doors: Doors): Promise<void> {
    const issues = await Promise.all(
      FIELDS.map(async (field) => {
        const ids = distinct(sent[field] ?? [])
        if (ids.every(isUuid) && (await devices.facts(scope, ids)).length === ids.length) return []
        return [{ path: field, rule: 'unknown' }]
      }),
    )
    const twice = doors.exitDeviceIds.some((id) => doors.deviceIds.includes(id)) ? [{ path: 'exitDeviceIds', rule: 'invalid' }] : []
    const wrong = [...issues.flat(), ...twice]
    if (wrong.length > 0) throw new InvalidRequest(wrong)
  }

  /** @throws Refusal 510012 with the names of those that are */
  async function assertFree(scope: Scope, deviceIds: readonly string[], areaId: string | null): Promise<void> {
    const taken = await data.findDoorsOfOthers(scope, db, distinct(deviceIds), areaId)
    if (taken.length === 0) return
    const items = (await devices.facts(scope, taken)).map(({ name }) => name).toSorted()
    throw new Refusal(510012, { items, fields: [{ path: 'deviceIds', rule: 'code.510012' }] })
  }

  /** What two callers did at once the database finds. */
  function refused(scope: Scope, fields: AreaFields, areaId: string | null) {
    return async (error: unknown): Promise<never> => {
      const constraint = violatedConstraint(error)
      if (constraint === 'restriction_area_name') refuse(900004, 'name')
      if (constraint === 'restriction_device_door') await assertFree(scope, fields.deviceIds, areaId)
      throw error
    }
  }

  const devicesOf = ({ deviceIds, exitDeviceIds }: Doors) => [
    ...distinct(deviceIds).map((deviceId) => ({ deviceId, kind: 'door' as const })),
    ...distinct(exitDeviceIds).map((deviceId) => ({ deviceId, kind: 'exit' as const })),
  ]

  /** What the operation log tells of an area: its doors by their names. */
  async function logged(
    scope: Scope,
    { name, limitType, antiSneakBack, flowLimit, limitCount, offlinePolicy }: data.AreaValues,
    doors: Doors,
  ) {
    const names = async (ids: readonly string[]) => (await devices.facts(scope, distinct(ids))).map((device) => device.name).toSorted()
    const [deviceNames, exitDevices] = await Promise.all([names(doors.deviceIds), names(doors.exitDeviceIds)])
    return { name, limitType, antiSneakBack, flowLimit, limitCount, offlinePolicy, devices: deviceNames, exitDevices }
  }

  async function doorsOf(scope: Scope, areaId: string): Promise<Doors> {
    const links = await data.findDevices(scope, db, [areaId])
    const of = (kind: string) => links.flatMap((link) => (link.kind === kind ? [link.deviceId] : []))
    return { deviceIds: of('door'), exitDeviceIds: of('exit') }
  }

  const announce = (tx: Tx<RestrictionTables>, scope: Scope, areaIds: string[]) =>
    platform.events.announce(tx, restrictionsChanged, scope.parkId, { areaIds })

  return {
    async list(scope, filter) {
      const { deviceId } = filter
      if (deviceId !== undefined && !isUuid(deviceId)) throw new NotFound()
      const { content, total } = await data.listAreas(scope, db, filter)
      return { total, content: await present(scope, content), page: filter.page, size: filter.size }
    },
    read: async (scope, id) => (await present(scope, [await existing(scope, db, id)]))[0]!,
    async create(scope, given) {
      const fields = rulesOf(given)
      await assertDevices(scope, fields, fields)
      await assertFree(scope, fields.deviceIds, null)
      const after = await logged(scope, fields, fields)
      const id = newId()
      const now = platform.clock.now()
      await platform
        .transaction(async (tx: Tx<RestrictionTables>) => {
          await data.insertArea(scope, tx, id, fields, now)
          await data.putDevices(scope, tx, id, devicesOf(fields), now)
          platform.audit.note({ entity: 'restrictionArea', id, label: fields.name, after })
          await announce(tx, scope, [id])
        })
        .catch(refused(scope, fields, null))
      return id
    },
    async change(scope, id, version, change) {
      const row = await existing(scope, db, id)
      const stored = await doorsOf(scope, id)
      const fields: AreaFields = leftAsItWas({ ...valuesIn(row), ...stored }, change)
      if (!hasLimit(fields)) throw new InvalidRequest([{ path: 'limitCount', rule: 'required' }])
      await assertDevices(scope, change, fields)
      await assertFree(scope, fields.deviceIds, id)
      const [before, after] = [await logged(scope, row, stored), await logged(scope, fields, fields)]
      const now = platform.clock.now()
      await platform
        .transaction(async (tx: Tx<RestrictionTables>) => {
          if (!(await data.updateArea(scope, tx, id, fields, version ?? row.version, now))) throw new Conflict(['version'])
          await data.putDevices(scope, tx, id, devicesOf(fields), now)
          platform.audit.note({ entity: 'restrictionArea', id, label: fields.name, before, after })
          await announce(tx, scope, [id])
        })
        .catch(refused(scope, fields, id))
    },
    async setFlowLimit(scope, id, isOn, limitCount) {
      await platform.transaction(async (tx: Tx<RestrictionTables>) => {
        const row = await existing(scope, tx, id, true)
        const values = { ...row, flowLimit: isOn, limitCount: limitCount === undefined ? row.limitCount : limitCount }
        if (isOn && values.limitCount === null) throw new InvalidRequest([{ path: 'limitCount', rule: 'required' }])
        await data.updateArea(scope, tx, id, values, row.version, platform.clock.now())
        const told = ({ flowLimit, limitCount: count }: data.AreaValues) => ({ flowLimit, limitCount: count })
        platform.audit.note({ entity: 'restrictionArea', id, label: row.name, before: told(row), after: told(values) })
        await announce(tx, scope, [id])
      })
    },
    async delete(scope, id) {
      await platform.transaction(async (tx: Tx<RestrictionTables>) => {
        const row = await existing(scope, tx, id, true)
        await data.deleteArea(scope, tx, id)
        platform.audit.note({ entity: 'restrictionArea', id, label: row.name, before: { name: row.name } })
        await announce(tx, scope, [id])
      })
    },
    async asking(scope) {
      const rows = await data.findAsking(scope, db)
      return new Map(
        rows.map(({ deviceId, offlinePolicy }) => [deviceId, { timeoutMs: ASK_WITHIN_MS, offline: offlinePolicy as OfflinePolicy }]),
      )
    },
    async forgetDevices(scope, deviceIds) {
      await platform.transaction(async (tx: Tx<RestrictionTables>) => {
        const areaIds = await data.removeDevices(scope, tx, deviceIds)
        if (areaIds.length > 0) await announce(tx, scope, areaIds)
      })
    },
  }
}
