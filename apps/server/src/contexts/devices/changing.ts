/** Changes devices, moves them into groups and deletes them. */
import type { Platform } from '../../platform/context.ts'
import { isReferenced, type Transaction } from '../../platform/database/database.ts'
import { Conflict, InvalidRequest } from '../../platform/http/refusal.ts'
import { leftAsItWas } from '../../platform/http/left-out.ts'
import type { Scope } from '../../platform/session/session.ts'
import type { DeviceAdmission } from './admission.ts'
import * as data from './data.ts'
import type { DeviceDirectory } from './directory.ts'
import { devicesChanged, devicesDeleted } from './events.ts'
import { groupNamed, type DeviceGroups } from './groups.ts'
import { existingDevices } from './queries.ts'
import { refusedFor, databaseFault, type Admit } from './register.ts'
import { findSettings } from './release-data.ts'
import type { DevicesService } from './service-types.ts'
import { issuesOf, logged, valuesOf } from './values.ts'

interface Parts {
  directory: DeviceDirectory
  groups: DeviceGroups
  admission: DeviceAdmission
  admit: Admit
}

export function createDeviceChanging(
  platform: Platform,
  { directory, groups, admission, admit }: Parts,
): Pick<DevicesService, 'change' | 'moving' | 'move' | 'delete'> {
  const db = platform.db

  /** Return the devices and the group of a move. @throws as `move` */
  async function movable(scope: Scope, ids: readonly string[], groupId: string | null) {
    const rows = await existingDevices(scope, db, ids)
    const group = groupNamed(scope, await groups.list(scope), groupId)
    if (group === undefined) throw new InvalidRequest([{ path: 'groupId', rule: 'unknown' }])
    return { rows, group }
  }

  return {
    async change(scope, id, version, change) {
      const [[row], secrets, all] = await Promise.all([
        existingDevices(scope, db, [id]),
        data.findSecrets(scope, db, id),
        groups.list(scope),
      ])
      const before = { ...row!, ...(secrets ?? { password: null, devicePassword: null }) }
      const { name, type, model, groupId } = before
      const fields = { ...change, ...leftAsItWas({ name, type, model, groupId }, change) }
      const group = groupNamed(scope, all, fields.groupId)
      const issues = issuesOf(fields, group, before)
      if (issues.length > 0) throw refusedFor(issues.map((issue) => ({ path: issue.field, issue })))
      const values = await valuesOf(platform.crypto, scope, id, fields, group ?? null, before)
      const transaction: Platform['transaction'] =
        change.groupId === undefined ? platform.transaction : (work) => admission.move(scope, [id], change.groupId!, work)
      await transaction(async (tx) => {
        if (values.type !== before.type) await admit(tx, scope, values.type, 'changed')
        if (!(await data.updateDevice(scope, tx, id, values, version ?? before.version, platform.clock.now()))) {
          const differing = (['name', 'type', 'model', 'groupId', 'direction'] as const).filter((key) => before[key] !== values[key])
          throw new Conflict(differing.length > 0 ? differing : ['version'])
        }
        const loggedBefore = logged({ ...before, ip: values.ip === undefined ? undefined : before.ip }, before.groupName)
        platform.audit.note({ entity: 'device', id, label: values.name, before: loggedBefore, after: logged(values, group?.name ?? null) })
        await platform.history.noteAll(tx, scope, 'device', [id], () => findSettings(scope, tx, [id]))
        await platform.events.announce(tx, devicesChanged, scope.parkId, { deviceIds: [id] })
      }).catch((error: unknown) => {
        const issue = databaseFault(error)
        throw issue === undefined ? error : refusedFor([{ path: issue.field, issue }])
      })
    },
    async moving(scope, ids, groupId) {
      const { rows } = await movable(scope, ids, groupId)
      return rows.flatMap((row) => (row.groupId === groupId || row.releasedAt === null ? [] : [{ id: row.id, name: row.name, groupId }]))
    },
    async move(scope, ids, groupId) {
      const { rows, group } = await movable(scope, ids, groupId)
      const deviceIds = [...new Set(ids)]
      await admission
        .move(scope, ids, groupId, async (tx: Transaction) => {
          await data.moveDevices(scope, tx, deviceIds, groupId, platform.clock.now())
          for (const { id, name, groupName } of rows)
            platform.audit.note({ entity: 'device', id, label: name, before: { group: groupName }, after: { group: group?.name ?? null } })
          await platform.history.noteAll(tx, scope, 'device', deviceIds, () => findSettings(scope, tx, deviceIds))
          await platform.events.announce(tx, devicesChanged, scope.parkId, { deviceIds })
        })
        .catch((error: unknown) => {
          // The group was deleted meanwhile.
          throw isReferenced(error) ? new InvalidRequest([{ path: 'groupId', rule: 'unknown' }]) : error
        })
      return deviceIds.length
    },
    async delete(scope, ids) {
      const rows = await existingDevices(scope, db, ids)
      const deviceIds = [...new Set(ids)]
      await platform.transaction(async (tx) => {
        const codes = await data.deleteDevices(scope, tx, deviceIds, platform.clock.now())
        for (const { id, code, name, type, model } of rows)
          platform.audit.note({ entity: 'device', id, label: name, before: { code, name, type, model } })
        await platform.history.noteAll(tx, scope, 'device', deviceIds, async () => new Map())
        await platform.events.announce(tx, devicesDeleted, scope.parkId, { deviceIds, codes })
      })
      await directory.refresh(scope, deviceIds)
      return deviceIds.length
    },
  }
}
