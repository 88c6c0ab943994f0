/** Tasks: made, counted before, listed, tried again, cancelled. */
import {
  namesTargets,
  type RunningVersion,
  type UpgradeDevice,
  type UpgradeReach,
  type UpgradeTargets,
  type UpgradeTask,
} from '@gatehouse/contract/upgrades/calls'
import { isHigher, type UpgradeKind } from '@gatehouse/contract/upgrades/package'
import type { UpgradeApproval, UpgradeFailure, UpgradeState } from '@gatehouse/contract/upgrades/states'
import { deviceOnlineStatus, updateType } from '@gatehouse/contract/enums/devices'
import type { Device } from '@gatehouse/contract/devices/calls'
import type { Platform } from '../../platform/context.ts'
import type { Database, Tx } from '../../platform/database/database.ts'
import { newId } from '../../platform/database/ids.ts'
import { InvalidRequest, NotFound } from '../../platform/http/refusal.ts'
import type { Scope, Session } from '../../platform/session/session.ts'
import type { DevicesService } from '../devices/index.ts'
import type { UpgradesTables } from './schema.ts'
import { isOffered } from './signed.ts'
import * as data from './tasks-data.ts'
import { findVersionUnscoped, lockVersionUnscoped, type VersionRow } from './versions-data.ts'

type VersionTargets = UpgradeTargets & { versionId: string }

export interface Tasks {
  list(session: Session, query: data.TaskQuery): Promise<{ total: number; content: UpgradeTask[]; page: number; size: number }>
  read(session: Session, id: string): Promise<UpgradeTask>
  devices(
    scope: Scope,
    id: string,
    query: data.TaskDeviceQuery,
  ): Promise<{ total: number; content: UpgradeDevice[]; page: number; size: number }>
  running(scope: Scope): Promise<RunningVersion[]>
  reach(scope: Scope, fields: VersionTargets): Promise<UpgradeReach>
  /**
   * Where nobody is named it is for all devices of the park. A forced one waits until a second person agrees.
   * @param type as the version says unless told
   * @throws InvalidRequest where all of them are terminals and the version is not signed
   */
  add(session: Session, fields: VersionTargets & { type?: UpgradeTask['type'] | undefined }): Promise<string>
  /** Answers how many devices begin. @throws InvalidRequest where nothing waits, or the caller asked for it */
  approve(session: Session, id: string): Promise<number>
  /** Answers how many devices are left as they are. @throws InvalidRequest where nothing waits */
  decline(session: Session, id: string): Promise<number>
  /** Answers how many devices begin anew, or wait for a second person to agree to that. */
  retry(session: Session, id: string, rowId: string | undefined): Promise<number>
  /** Answers how many devices are left as they are. */
  cancel(session: Session, id: string, rowId: string | undefined): Promise<number>
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

  async function targetsOf(scope: Scope, targets: UpgradeTargets): Promise<Targets> {
    if (!namesTargets(targets)) return { devices: await devices.all(scope), unknown: [] }
    const { deviceIds, deviceGroupIds, deviceTypes, codes } = targets
    const groups = new Set(deviceGroupIds)
    if ((await devices.groupNames(scope, [...groups])).length < groups.size) throw new NotFound()
    const wanted = new Set([...deviceIds, ...(groups.size > 0 ? await devices.idsInGroups(scope, [...groups]) : [])])
    const all = await devices.all(scope)
    const known = new Set(all.map(({ id }) => id))
    if (deviceIds.some((id) => !known.has(id))) throw new NotFound()
    const named = new Map(codes.map((code) => [code.toLowerCase(), code]))
    const chosen = all.filter(
      ({ id, type, code }) => wanted.has(id) || deviceTypes.some((one) => one === type) || named.has(code.toLowerCase()),
    )
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

  async function presented({ scope, userId }: Session, rows: readonly data.TaskRow[]): Promise<UpgradeTask[]> {
    const counted = Map.groupBy(
      await data.countDevices(
        scope,
        db,
        rows.map(({ id }) => id),
      ),
      ({ taskId }) => taskId,
    )
    return rows.map(({ sha256: _, apkName: _name, size: _size, askedById, updateType: type, ...row }) => {
      const states = counted.get(row.id) ?? []
      const total = states.reduce((sum, { count }) => sum + count, 0)
      // Who has come to an end has no way before it, however far it was.
      const done = states.reduce((sum, { state, count, progress }) => sum + (state === 'inProgress' ? Number(progress) : 100 * count), 0)
      return {
        ...row,
        kind: row.kind as UpgradeKind,
        type: type as UpgradeTask['type'],
        approval: row.approval as UpgradeApproval,
        own: askedById === userId,
        approvedAt: row.approvedAt as number | null,
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

  /** A task that waits for a second person, held until the transaction ends. */
  async function waiting(tx: Tx<UpgradesTables>, scope: Scope, id: string): Promise<data.TaskRow> {
    await data.lockTasks(scope, tx)
    const task = await data.lockTask(scope, tx, id)
    if (task === null) throw new NotFound()
    return task.approval === 'pending' ? task : invalid('', 'approvalOver')
  }

  /** Notes what was decided, and tells the operation log who asked. */
  async function decide(
    tx: Tx<UpgradesTables>,
    { scope, operator }: Session,
    { id, versionNumber, askedBy }: data.TaskRow,
    approval: 'given' | 'declined',
  ): Promise<void> {
    await data.noteApproval(scope, tx, id, { approval, approvedBy: operator }, platform.clock.now())
    platform.audit.note({
      entity: 'upgradeTask',
      id,
      label: versionNumber,
      before: { approval: 'pending', askedBy },
      after: { approval, askedBy, approvedBy: operator },
    })
  }

  return {
    async list(session, query) {
      const { content, total } = await data.listTasks(session.scope, db, query)
      return { total, content: await presented(session, content), page: query.page, size: query.size }
    },
    read: async (session, id) => (await presented(session, [await existing(session.scope, id)]))[0]!,
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
    async running(scope) {
      const byVersion = Map.groupBy(await devices.all(scope), ({ firmwareVersion }) => firmwareVersion)
      return [...byVersion]
        .map(([versionNumber, those]) => ({
          versionNumber,
          devices: those.length,
          online: those.filter(({ onlineStatus }) => onlineStatus === deviceOnlineStatus.online).length,
        }))
        .toSorted((one, other) => other.versionNumber.localeCompare(one.versionNumber, 'en', { numeric: true }))
    },
    async reach(scope, fields) {
      const version = await versionOf(fields.versionId)
      const { devices: chosen, unknown } = await targetsOf(scope, fields)
      const newest = chosen.filter((device) => isNewest(version, device))
      const unsigned = chosen.filter((device) => !newest.includes(device) && !isOffered(version, device))
      const open = await data.findOpen(
        scope,
        db,
        chosen.filter((device) => !newest.includes(device) && !unsigned.includes(device)).map(({ id }) => id),
        version.kind,
      )
      return {
        devices: chosen.length,
        online: chosen.filter(({ onlineStatus }) => onlineStatus === 1).length,
        alreadyNewest: newest.length,
        notRegistered: unknown.length,
        unsigned: unsigned.length,
        superseded: open.length,
      }
    },
    async add({ scope, userId, operator }, fields) {
      const version = await versionOf(fields.versionId)
      const { devices: chosen, unknown } = await targetsOf(scope, fields)
      if (chosen.length + unknown.length === 0) invalid('deviceIds', 'upgradeTargets')
      // Among others they are left out, each with the reason.
      if (unknown.length === 0 && chosen.every((device) => !isOffered(version, device))) invalid('deviceIds', 'terminalsTakeSigned')
      const { kind, apkName, versionNumber, content, md5, sha256, file, size, signed } = version
      const type = fields.type ?? version.updateType
      const isForced = type === updateType.forced
      const task: data.TaskValues = {
        id: newId(),
        versionId: version.id,
        kind,
        apkName,
        versionNumber,
        content,
        updateType: type,
        md5,
        sha256,
        file,
        size: Number(size),
        signed,
        approval: isForced ? 'pending' : 'none',
        askedById: userId,
        askedBy: operator,
      }
      const beginning = { step: isForced ? ('approval' as const) : ('waiting' as const), reason: null }
      const rows: data.DeviceValues[] = [
        ...chosen.map((device) => ({
          id: newId(),
          deviceId: device.id,
          code: device.code,
          name: device.name,
          versionBefore: runningOf(kind, device),
          ...beginning,
          ...(isNewest(version, device)
            ? { state: 'alreadyNewest' as const }
            : isOffered(version, device)
              ? { state: 'inProgress' as const }
              : { state: 'failed' as const, reason: 'unsigned' as const }),
        })),
        ...unknown.map((code) => ({
          id: newId(),
          deviceId: null,
          code,
          name: code,
          state: 'notRegistered' as const,
          versionBefore: '',
          ...beginning,
        })),
      ]
      // Of one that waits for a second person nothing is begun, and nothing is ended.
      const starting = isForced ? [] : rows.filter(({ state }) => state === 'inProgress').flatMap(({ deviceId }) => deviceId ?? [])
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
          after: { kind, versionNumber, updateType: type, file, signed, approval: task.approval, devices: rows.length },
        })
      })
      return task.id
    },
    async approve(session, id) {
      const { scope, userId } = session
      return platform.transaction(async (tx: Tx<UpgradesTables>) => {
        const task = await waiting(tx, scope, id)
        if (task.askedById === userId) invalid('', 'approvalOwn')
        const open = await data.findRows(scope, tx, id, 'inProgress')
        const deviceIds = open.flatMap(({ deviceId }) => deviceId ?? [])
        await end(tx, scope, await data.findOpen(scope, tx, deviceIds, task.kind), 'failed', 'superseded')
        await data.admitRows(
          scope,
          tx,
          open.map((row) => row.id),
          platform.clock.now(),
        )
        await decide(tx, session, task, 'given')
        return open.length
      })
    },
    async decline(session, id) {
      const { scope } = session
      return platform.transaction(async (tx: Tx<UpgradesTables>) => {
        const task = await waiting(tx, scope, id)
        const open = await data.findRows(scope, tx, id, 'inProgress')
        await end(tx, scope, open, 'failed', 'declined')
        await decide(tx, session, task, 'declined')
        return open.length
      })
    },
    async retry({ scope, userId, operator }, id, rowId) {
      return platform.transaction(async (tx: Tx<UpgradesTables>) => {
        await data.lockTasks(scope, tx)
        const { versionId, versionNumber, kind, signed, updateType: type, approval } = await existing(scope, id)
        if (versionId === null || !(await lockVersionUnscoped(tx, versionId, 'use'))) invalid('id', 'versionGone')
        const failed = await data.findRows(scope, tx, id, 'failed', rowId)
        if (rowId !== undefined && failed.length === 0) throw new NotFound()
        const there = new Map(
          (
            await devices.some(
              scope,
              failed.flatMap(({ deviceId }) => deviceId ?? []),
            )
          ).map((device) => [device.id, device]),
        )
        const gone = failed.filter(({ deviceId }) => !there.has(deviceId ?? ''))
        const known = failed.filter(({ deviceId }) => {
          const device = there.get(deviceId ?? '')
          return device !== undefined && isOffered({ signed }, device)
        })
        // What was agreed to once may be tried again; what was declined, or asked before anybody had to agree, is asked anew.
        const mustAsk = type === updateType.forced && approval !== 'given'
        const starting = mustAsk ? [] : known.flatMap(({ deviceId }) => deviceId ?? [])
        await end(tx, scope, await data.findOpen(scope, tx, starting, kind), 'failed', 'superseded')
        await data.lockTask(scope, tx, id)
        if (mustAsk && approval !== 'pending' && known.length > 0)
          await data.askApproval(scope, tx, id, { askedById: userId, askedBy: operator })
        await data.reopenRows(
          scope,
          tx,
          known.map((row) => row.id),
          mustAsk ? 'approval' : 'waiting',
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
    async cancel(session, id, rowId) {
      const { scope } = session
      return platform.transaction(async (tx: Tx<UpgradesTables>) => {
        const task = await data.lockTask(scope, tx, id)
        if (task === null) throw new NotFound()
        const open = await data.findRows(scope, tx, id, 'inProgress', rowId)
        if (rowId !== undefined && open.length === 0) throw new NotFound()
        // Whoever installs is past turning back.
        const ended = open.filter(({ step }) => step !== 'installing')
        await end(tx, scope, ended, 'failed', 'cancelled')
        platform.audit.note({
          entity: 'upgradeTask',
          id,
          label: task.versionNumber,
          before: { cancelled: 0 },
          after: { cancelled: ended.length },
        })
        // Where nothing is left to agree to, nobody is asked any more.
        if (task.approval === 'pending' && ended.length === open.length && rowId === undefined) await decide(tx, session, task, 'declined')
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
