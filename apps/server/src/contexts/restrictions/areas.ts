/** Restriction areas: their names, their doors and their rules. */
import type { z } from 'zod'
import {
  hasLimit,
  type OfflinePolicy,
  type RestrictionArea,
  type restrictionChangeFields,
  rulesOf,
} from '@gatehouse/contract/restrictions/calls'
import type { Platform } from '../../platform/context.ts'
import type { Database, Transaction } from '../../platform/database/database.ts'
import { newId } from '../../platform/database/ids.ts'
import { leftAsItWas } from '../../platform/http/left-out.ts'
import { Conflict, InvalidRequest, NotFound } from '../../platform/http/refusal.ts'
import type { Scope } from '../../platform/session/session.ts'
import { createAreaDevices, devicesOf, isUuid } from './area-devices.ts'
import { createAreaPresentation } from './area-presentation.ts'
import * as data from './areas-data.ts'
import type { RestrictionDependencies } from './dependencies.ts'
import { restrictionsChanged } from './events.ts'
import type { AreaFields, NewArea } from './areas-types.ts'

export type AreaChange = z.output<typeof restrictionChangeFields>

/** How a terminal of an area asks the server: how long it waits, and what it does without an answer. */
export interface Asking {
  timeoutMs: number
  offline: OfflinePolicy
}

/** How long a terminal waits for the server, in milliseconds: a person stands at the door. */
export const ASK_WITHIN_MS = 3_000

export interface AreaService {
  list(scope: Scope, filter: data.AreaFilter): Promise<{ total: number; content: RestrictionArea[]; page: number; size: number }>
  /** @throws NotFound */
  read(scope: Scope, id: string): Promise<RestrictionArea>
  /** @throws Refusal 900004, 510012 with the devices that are doors of another area; InvalidRequest for devices this park does not have */
  create(scope: Scope, newArea: NewArea): Promise<string>
  /** @throws as create; NotFound; Conflict where it is not at `version` any more */
  change(scope: Scope, id: string, version: number | undefined, fields: AreaChange): Promise<void>
  /**
   * Switch the limit on or off.
   * @param limitCount undefined: the stored one
   * @throws NotFound; InvalidRequest where there is no limit to switch on
   */
  setFlowLimit(scope: Scope, id: string, isOn: boolean, limitCount: number | null | undefined): Promise<void>
  /** @throws NotFound */
  delete(scope: Scope, id: string): Promise<void>
  /** Return the devices of the park that ask the server before they open. */
  asking(scope: Scope): Promise<Map<string, Asking>>
  /** Take devices out of all areas. */
  forgetDevices(scope: Scope, deviceIds: readonly string[]): Promise<void>
}

const valuesIn = ({ name, limitType, antiSneakBack, flowLimit, limitCount, offlinePolicy }: data.AreaRow) => ({
  name,
  limitType: limitType as RestrictionArea['limitType'],
  antiSneakBack,
  flowLimit,
  limitCount,
  offlinePolicy: offlinePolicy as OfflinePolicy,
})

export function createAreaService(platform: Platform, { devices }: Pick<RestrictionDependencies, 'devices'>): AreaService {
  const db = platform.db
  const { present, logged } = createAreaPresentation(platform, devices)
  const { assertDevices, assertFree, doorsOf, refused } = createAreaDevices(platform, devices)

  async function existing(scope: Scope, on: Database, id: string, lock = false): Promise<data.AreaRow> {
    const row = isUuid(id) ? await (lock ? data.lockArea : data.findArea)(scope, on, id) : undefined
    if (row === undefined) throw new NotFound()
    return row
  }

  const announce = (tx: Transaction, scope: Scope, areaIds: string[]) =>
    platform.events.announce(tx, restrictionsChanged, scope.parkId, { areaIds })

  return {
    async list(scope, filter) {
      const { deviceId } = filter
      if (deviceId !== undefined && !isUuid(deviceId)) throw new NotFound()
      const { content, total } = await data.listAreas(scope, db, filter)
      return { total, content: await present(scope, content), page: filter.page, size: filter.size }
    },
    read: async (scope, id) => (await present(scope, [await existing(scope, db, id)]))[0]!,
    async create(scope, newArea) {
      const fields = rulesOf(newArea)
      await assertDevices(scope, fields, fields)
      await assertFree(scope, fields.deviceIds, null)
      const after = await logged(scope, fields, fields)
      const id = newId()
      const now = platform.clock.now()
      await platform
        .transaction(async (tx) => {
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
        .transaction(async (tx) => {
          if (!(await data.updateArea(scope, tx, id, fields, version ?? row.version, now))) throw new Conflict(['version'])
          await data.putDevices(scope, tx, id, devicesOf(fields), now)
          platform.audit.note({ entity: 'restrictionArea', id, label: fields.name, before, after })
          await announce(tx, scope, [id])
        })
        .catch(refused(scope, fields, id))
    },
    async setFlowLimit(scope, id, isOn, limitCount) {
      await platform.transaction(async (tx) => {
        const row = await existing(scope, tx, id, true)
        const values = { ...row, flowLimit: isOn, limitCount: limitCount === undefined ? row.limitCount : limitCount }
        if (isOn && values.limitCount === null) throw new InvalidRequest([{ path: 'limitCount', rule: 'required' }])
        await data.updateArea(scope, tx, id, values, row.version, platform.clock.now())
        const loggedLimit = ({ flowLimit, limitCount: count }: data.AreaValues) => ({ flowLimit, limitCount: count })
        platform.audit.note({ entity: 'restrictionArea', id, label: row.name, before: loggedLimit(row), after: loggedLimit(values) })
        await announce(tx, scope, [id])
      })
    },
    async delete(scope, id) {
      await platform.transaction(async (tx) => {
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
      await platform.transaction(async (tx) => {
        const areaIds = await data.removeDevices(scope, tx, deviceIds)
        if (areaIds.length > 0) await announce(tx, scope, areaIds)
      })
    },
  }
}
