/** Tasks: made, counted before, listed, tried again, cancelled. */
import type { UpgradeDevice, UpgradeReach, UpgradeTask, UpgradeTaskFields } from '@gatehouse/contract/upgrades/calls'
import { isHigher, type UpgradeKind } from '@gatehouse/contract/upgrades/package'
import type { UpgradeFailure, UpgradeState } from '@gatehouse/contract/upgrades/states'
import type { Device } from '@gatehouse/contract/devices/calls'
import type { Platform } from '../../platform/context.ts'
import type { Database, Tx } from '../../platform/database.ts'
import { newId } from '../../platform/ids.ts'
import { InvalidRequest, NotFound } from '../../platform/refusal.ts'
import type { Scope } from '../../platform/session.ts'
import type { DevicesService } from '../devices/index.ts'
import type { UpgradesTables } from './schema.ts'
import * as data from './tasks-data.ts'
import { findVersionUnscoped, lockVersionUnscoped, type VersionRow } from './versions-data.ts'

export interface Tasks {
  list(scope: Scope, query: data.TaskQuery): Promise<{ total: number; content: UpgradeTask[]; page: number; size: number }>
  read(scope: Scope, id: string): Promise<UpgradeTask>
  devices(
    scope: Scope,
    id: string,
    query: data.TaskDeviceQuery,
  ): Promise<{ total: number; content: UpgradeDevice[]; page: number; size: number }>
  reach(scope: Scope, fields: UpgradeTaskFields): Promise<UpgradeReach>
  add(scope: Scope, fields: UpgradeTaskFields): Promise<string>
  /** Answers how many devices begin anew. */
  retry(scope: Scope, id: string, rowId: string | undefined): Promise<number>
  /** Answers how many devices are left as they are. */
  cancel(scope: Scope, id: string, rowId: string | undefined): Promise<number>
  /** Nobody has these devices any more. */
  forget(scope: Scope, deviceIds: readonly string[]): Promise<void>
}

const invalid = (path: string, rule: string): never => {
  throw new InvalidRequest([{ path, rule }])
}

interface Targets {
  devices: Device[]
  /** Codes no device of the park has. */
  unknown: string[]
}

/** What a device says it runs of a kind; of face models it says nothing before it is asked. */
const runningOf = (kind: string, { firmwareVersion }: Device): string => (kind === 'algorithm' ? '' : firmwareVersion)
const isNewest = ({ kind, versionNumber }: Pick<VersionRow, 'kind' | 'versionNumber'>, device: Device): boolean =>
  isHigher(versionNumber, runningOf(kind, device)) === false

export function createTasks(platform: Platform, devices: DevicesService): Tasks {
  const db = platform.db as unknown as Database<UpgradesTables>

  async function targetsOf(scope: Scope, { deviceIds, deviceGroupIds, deviceTypes, codes }: UpgradeTaskFields): Promise<Targets> {
    const groups = new Set(deviceGroupIds)
    if ((await devices.groupNames(scope, [...groups])).length < groups.size) throw new NotFound()
    const wanted = new Set([...deviceIds, ...(groups.size > 0 ? await devices.idsInGroups(scope, [...groups]) : [])])
    const all = await devices.all(scope)
    const known = new Set(all.map(({ id }) => id))
    if (deviceIds.some((id) => !known.has(id))) throw new NotFound()
    const named = new Map(codes.map((code) => [code.toLowerCase(), code]))
    const chosen = all.filter(({ id, type, code }) => wanted.has(id) || deviceTypes.includes(type) || named.has(code.toLowerCase()))
    for (const { code } of all) named.delete(code.toLowerCase())
    return { devices: chosen, unknown: [...named.values()] }
  }

  async function versionOf(id: string): Promise<VersionRow> {
    return (await findVersionUnscoped(db, id)) ?? invalid('versionId', 'unknown')
  }

  async function existing(scope: Scope, id: string): Promise<data.TaskRow> {
    const row = await data.findTask(scope, db, id)
    if (row === undefined) throw new NotFound()
    return row
  }

  async function presented(scope: Scope, rows: readonly data.TaskRow[]): Promise<UpgradeTask[]> {
    const counted = Map.groupBy(
      await data.countDevices(
        scope,
        db,
        rows.map(({ id }) => id),
      ),
      ({ taskId }) => taskId,
    )
    return rows.map(({ sha256: _, apkName: _name, size: _size, updateType, ...row }) => {
      const states = counted.get(row.id) ?? []
      const total = states.reduce((sum, { count }) => sum + count, 0)
      // Who has come to an end has no way before it, however far it was.
      const done = states.reduce((sum, { state, count, progress }) => sum + (state === 'inProgress' ? Number(progress) : 100 * count), 0)
      return {
        ...row,
        kind: row.kind as UpgradeKind,
        type: updateType as UpgradeTask['type'],
        status: row.status as UpgradeTask['status'],
        progress: total === 0 ? 100 : Math.floor(done / total),
        devices: total,
        counts: Object.fromEntries(states.map(({ state, count }) => [state, count])) as UpgradeTask['counts'],
        createdAt: row.createdAt as number,
      }
    })
  }

  /** Ends rows of whatever tasks. Tasks are held in the order of their ids, so that nobody waits for another in a circle. */
  async function end(
    tx: Tx<UpgradesTables>,
    scope: Scope,
    rows: readonly Pick<data.DeviceRow, 'id' | 'taskId'>[],
    state: UpgradeState,
    reason: UpgradeFailure | null,
  ): Promise<void> {
    const byTask = Map.groupBy(rows, ({ taskId }) => taskId)
    for (const taskId of [...byTask.keys()].toSorted()) {
      await data.lockTask(scope, tx, taskId)
      await data.endRows(
        scope,
        tx,
        byTask.get(taskId)!.map(({ id }) => id),
        state,
        reason,
        platform.clock.now(),
      )
      await data.settleTask(scope, tx, taskId)
    }
  }

  return {
    async list(scope, query) {
      const { content, total } = await data.listTasks(scope, db, query)
      return { total, content: await presented(scope, content), page: query.page, size: query.size }
    },
    read: async (scope, id) => (await presented(scope, [await existing(scope, id)]))[0]!,
    async devices(scope, id, query) {
      await existing(scope, id)
      const { content, total } = await data.listDevices(scope, db, id, query)
      const online = new Set(
        (
          await devices.some(
            scope,
            content.flatMap(({ deviceId }) => deviceId ?? []),
          )
        ).flatMap((device) => (device.onlineStatus === 1 ? [device.id] : [])),
      )
      const shown = content.map(({ taskId: _, ...row }) => ({
        ...row,
        state: row.state as UpgradeState,
        step: row.step as UpgradeDevice['step'],
        online: row.deviceId !== null && online.has(row.deviceId),
        startedAt: row.startedAt as number | null,
        endedAt: row.endedAt as number | null,
      }))
      return { total, content: shown, page: query.page, size: query.size }
    },
    async reach(scope, fields) {
      const version = await versionOf(fields.versionId)
      const { devices: chosen, unknown } = await targetsOf(scope, fields)
      const newest = chosen.filter((device) => isNewest(version, device))
      const open = await data.findOpen(
        scope,
        db,
        chosen.filter((device) => !newest.includes(device)).map(({ id }) => id),
        version.kind,
      )
      return {
        devices: chosen.length,
        online: chosen.filter(({ onlineStatus }) => onlineStatus === 1).length,
        alreadyNewest: newest.length,
        notRegistered: unknown.length,
        superseded: open.length,
      }
    },
    async add(scope, fields) {
      const version = await versionOf(fields.versionId)
      const { devices: chosen, unknown } = await targetsOf(scope, fields)
      if (chosen.length + unknown.length === 0) invalid('deviceIds', 'upgradeTargets')
      const { kind, apkName, versionNumber, content, md5, sha256, file, size } = version
      const updateType = fields.type ?? version.updateType
      const task: data.TaskValues = {
        id: newId(),
        versionId: version.id,
        kind,
        apkName,
        versionNumber,
        content,
        updateType,
        md5,
        sha256,
        file,
        size: Number(size),
      }
      const rows: data.DeviceValues[] = [
        ...chosen.map((device) => ({
          id: newId(),
          deviceId: device.id,
          code: device.code,
          name: device.name,
          state: isNewest(version, device) ? ('alreadyNewest' as const) : ('inProgress' as const),
          versionBefore: runningOf(kind, device),
        })),
        ...unknown.map((code) => ({ id: newId(), deviceId: null, code, name: code, state: 'notRegistered' as const, versionBefore: '' })),
      ]
      const starting = rows.filter(({ state }) => state === 'inProgress').flatMap(({ deviceId }) => deviceId ?? [])
      await platform.transaction(async (tx: Tx<UpgradesTables>) => {
        await data.lockTasks(scope, tx)
        if (!(await lockVersionUnscoped(tx, version.id, 'use'))) invalid('versionId', 'unknown')
        await end(tx, scope, await data.findOpen(scope, tx, starting, kind), 'failed', 'superseded')
        await data.insertTask(scope, tx, task, platform.clock.now())
        await data.insertDevices(scope, tx, task, rows, platform.clock.now())
        await data.settleTask(scope, tx, task.id)
        platform.audit.note({
          entity: 'upgradeTask',
          id: task.id,
          label: versionNumber,
          after: { kind, versionNumber, updateType, file, devices: rows.length },
        })
      })
      return task.id
    },
    async retry(scope, id, rowId) {
      return platform.transaction(async (tx: Tx<UpgradesTables>) => {
        await data.lockTasks(scope, tx)
        const { versionId, versionNumber, kind } = await existing(scope, id)
        if (versionId === null || !(await lockVersionUnscoped(tx, versionId, 'use'))) invalid('id', 'versionGone')
        const failed = await data.findRows(scope, tx, id, 'failed', rowId)
        if (rowId !== undefined && failed.length === 0) throw new NotFound()
        const there = new Set(
          (
            await devices.some(
              scope,
              failed.flatMap(({ deviceId }) => deviceId ?? []),
            )
          ).map((device) => device.id),
        )
        const [known, gone] = [
          failed.filter(({ deviceId }) => there.has(deviceId ?? '')),
          failed.filter(({ deviceId }) => !there.has(deviceId ?? '')),
        ]
        await end(tx, scope, await data.findOpen(scope, tx, [...there], kind), 'failed', 'superseded')
        await data.lockTask(scope, tx, id)
        await data.reopenRows(
          scope,
          tx,
          known.map((row) => row.id),
          platform.clock.now(),
        )
        await data.endRows(
          scope,
          tx,
          gone.map((row) => row.id),
          'notRegistered',
          null,
          platform.clock.now(),
        )
        await data.settleTask(scope, tx, id)
        platform.audit.note({ entity: 'upgradeTask', id, label: versionNumber, before: { retried: 0 }, after: { retried: known.length } })
        return known.length
      })
    },
    async cancel(scope, id, rowId) {
      return platform.transaction(async (tx: Tx<UpgradesTables>) => {
        const task = await data.lockTask(scope, tx, id)
        if (task === null) throw new NotFound()
        const open = await data.findRows(scope, tx, id, 'inProgress', rowId)
        if (rowId !== undefined && open.length === 0) throw new NotFound()
        // Whoever installs is past turning back.
        const ended = open.filter(({ step }) => step !== 'installing')
        await data.endRows(
          scope,
          tx,
          ended.map((row) => row.id),
          'failed',
          'cancelled',
          platform.clock.now(),
        )
        await data.settleTask(scope, tx, id)
        platform.audit.note({
          entity: 'upgradeTask',
          id,
          label: task.versionNumber,
          before: { cancelled: 0 },
          after: { cancelled: ended.length },
        })
        return ended.length
      })
    },
    async forget(scope, deviceIds) {
      await platform.transaction(async (tx: Tx<UpgradesTables>) =>
        end(tx, scope, await data.findOpen(scope, tx, deviceIds), 'notRegistered', null),
      )
    },
  }
}
