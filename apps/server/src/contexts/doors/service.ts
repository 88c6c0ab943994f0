/** Doors under remote control: asked, answered, held by one person at a time, and shown to everybody else. */
import type { DataOf } from '@gatehouse/contract'
import type { DoorNow, DoorOutcome, DoorSetting, doorCalls } from '@gatehouse/contract/doors/calls'
import { doorStateOf, doorStatesOf, isToldDoorState, type DoorState } from '@gatehouse/contract/doors/state'
import { deviceModel, deviceOnlineStatus, doorControlErrorType, doorOperation, openDoorStatus } from '@gatehouse/contract/enums'
import type { Platform } from '../../platform/context.ts'
import type { Database, OpenTransaction, Tx } from '../../platform/database/database.ts'
import { newId } from '../../platform/database/ids.ts'
import { NotFound, refuse } from '../../platform/http/refusal.ts'
import type { Scope, Session } from '../../platform/session/session.ts'
import type { DevicesService } from '../devices/index.ts'
import type { Settings } from '../organisation/index.ts'
import * as data from './data.ts'
import type { DoorAnswer, DoorControl } from './door-control.ts'
import { DOORS_PER_EVENT, doorsChanged } from './events.ts'
import type { DoorsTables } from './schema.ts'
import { doorControlSetting } from './setting.ts'
import { createToldStates } from './told-states.ts'

/** An operation is answered within that time, or counts as timed out. */
const ANSWERED_MS = 10_000
/** After so long nobody answers a request any more: whoever sent it has ended. */
const FORGOTTEN_MS = 60_000
/** Doors one answer tells of. */
const STATES_MAX = 1_000

export interface DoorsNeeds {
  devices: Pick<DevicesService, 'some'>
  settings: Settings
  door(): DoorControl
}

type Asked = Awaited<ReturnType<DevicesService['some']>>[number]
export type OperateType = 1 | 2 | 3

export interface DoorsService {
  /** @throws NotFound; Refusal 400205 where the device takes no remote control now, 400206 while another user holds it */
  control(session: Session, deviceId: string, operateType: OperateType): Promise<DoorAnswer>
  /** The same at many doors; what stands in the way at one is its outcome. @throws NotFound where one of them is not of the park */
  controlMany(session: Session, deviceIds: readonly string[], operateType: OperateType): Promise<DoorOutcome[]>
  /** What is known of these doors, those of other parks left out; null: of all that are not simply closed. */
  states(scope: Scope, deviceIds: readonly string[] | null): Promise<DoorNow[]>
  requests(scope: Scope, query: data.RequestQuery): Promise<DataOf<typeof doorCalls.requests>>
  /** @param deviceId asks also whether this device wants every opening confirmed. @throws NotFound */
  setting(scope: Scope, deviceId: string | undefined): Promise<DoorSetting & { version: number }>
  saveSetting(scope: Scope, setting: DoorSetting, version: number | undefined): Promise<void>
  /** A device says in which state its door is. */
  told(device: { deviceId: string; parkId: string }, state: string): void
  /** Ends requests that were left open, and drops those older than `before`. @returns how many were dropped */
  upkeep(before: number): Promise<number>
  forget(scope: Scope, deviceIds: readonly string[]): Promise<void>
  erasePark(tx: OpenTransaction, scope: Scope): Promise<Record<string, number>>
  stop(): Promise<void>
}

const takesControl = ({ onlineStatus, model }: Asked): boolean =>
  onlineStatus === deviceOnlineStatus.online && model !== deviceModel.android

function statusOf({ isSuccess, errorType }: DoorAnswer): number {
  if (isSuccess) return openDoorStatus.success
  return errorType === doorControlErrorType.offline ? openDoorStatus.notConnected : openDoorStatus.failed
}

export function createDoorsService(platform: Platform, { devices, settings, door }: DoorsNeeds): DoorsService {
  const db = platform.db as unknown as Database<DoorsTables>
  const told = createToldStates(platform, async (parkId, states) => {
    const scope = { parkId }
    await platform.transaction(async (tx: Tx<DoorsTables>) => {
      await data.putStates(scope, tx, states)
      await announce(
        tx,
        scope,
        states.map(({ deviceId }) => deviceId),
      )
    })
  })
  const holdMs = ({ parkId }: Scope): number => settings.read(parkId, doorControlSetting).holdSeconds * 1000

  async function oneOf(scope: Scope, deviceId: string): Promise<Asked> {
    const [device] = await devices.some(scope, [deviceId])
    if (device === undefined) throw new NotFound()
    return device
  }

  async function announce(tx: Tx<DoorsTables>, { parkId }: Scope, deviceIds: readonly string[]): Promise<void> {
    const payloads = Array.from({ length: Math.ceil(deviceIds.length / DOORS_PER_EVENT) }, (_, part) => ({
      deviceIds: deviceIds.slice(part * DOORS_PER_EVENT, (part + 1) * DOORS_PER_EVENT),
    }))
    await platform.events.announceAll(tx as OpenTransaction, doorsChanged, parkId, payloads)
  }

  interface Begun {
    device: Asked
    requestId: string
    operateType: OperateType
    askedAt: number
  }

  /** Takes the doors and notes that they are asked. @returns those nobody else holds; none of them: refused */
  async function begin(session: Session, asked: readonly Asked[], operateType: OperateType): Promise<Begun[]> {
    const { scope } = session
    const askedAt = platform.clock.now()
    return platform.transaction(async (tx: Tx<DoorsTables>) => {
      const taken = new Set(
        await data.takeHolds(scope, tx, asked.map(({ id }) => id).toSorted(), session, askedAt, askedAt + ANSWERED_MS + holdMs(scope)),
      )
      const begun = asked.filter(({ id }) => taken.has(id)).map((device): Begun => ({ device, requestId: newId(), operateType, askedAt }))
      if (begun.length === 0) refuse(400206)
      await data.insertRequests(
        scope,
        tx,
        begun.map(({ device, requestId: id }) => ({ id, deviceId: device.id, deviceName: device.name, operateType })),
        session,
        askedAt,
      )
      await announce(
        tx,
        scope,
        begun.map(({ device }) => device.id),
      )
      return begun
    })
  }

  /** What is under way, so that a server that ends notes it before. */
  const underWay = new Set<Promise<unknown>>()

  function carryOut(session: Session, begun: Begun): Promise<DoorAnswer> {
    const work: Promise<DoorAnswer> = askAndNote(session, begun).finally(() => underWay.delete(work))
    underWay.add(work)
    return work
  }

  /** Asks the door, and notes what came of it. */
  async function askAndNote({ scope, userId }: Session, { device, requestId, operateType, askedAt }: Begun): Promise<DoorAnswer> {
    const answer = await door().control(device, operateType)
    const now = platform.clock.now()
    await platform.transaction(async (tx: Tx<DoorsTables>) => {
      await data.updateRequest(scope, tx, requestId, { status: statusOf(answer), errorType: answer.errorType }, now)
      await data.endHold(scope, tx, device.id, userId, now + holdMs(scope))
      if (answer.isSuccess)
        await data.assumeState(
          scope,
          tx,
          { deviceId: device.id, state: doorStatesOf[operateType].done, at: now },
          { askedAt, passes: operateType === doorOperation.open },
        )
      // Who opened which door, whatever became of it.
      platform.audit.note({ entity: 'device', id: device.id, label: device.name, before: {}, after: { operateType, ...answer } })
      await announce(tx, scope, [device.id])
    })
    return answer
  }

  return {
    async control(session, deviceId, operateType) {
      const device = await oneOf(session.scope, deviceId)
      // Known beforehand: offline, or an Android device, which takes no remote control.
      if (!takesControl(device)) refuse(400205)
      const [begun] = await begin(session, [device], operateType)
      return carryOut(session, begun!)
    },
    async controlMany(session, deviceIds, operateType) {
      const ids = [...new Set(deviceIds)]
      const byId = new Map((await devices.some(session.scope, ids)).map((device) => [device.id, device]))
      if (byId.size < ids.length) throw new NotFound()
      const asked = ids.map((id) => byId.get(id)!)
      const able = asked.filter(takesControl)
      const begun = new Map(
        (able.length === 0 ? [] : await begin(session, able, operateType).catch(noneTaken)).map((one) => [one.device.id, one]),
      )
      return Promise.all(
        asked.map(async (device): Promise<DoorOutcome> => {
          const named = { deviceId: device.id, deviceName: device.name }
          const own = begun.get(device.id)
          if (own === undefined) return { ...named, isSuccess: false, errorType: null, code: takesControl(device) ? 400206 : 400205 }
          return { ...named, ...(await carryOut(session, own)), code: null }
        }),
      )
    },
    async states(scope, deviceIds) {
      const now = platform.clock.now()
      const ids = deviceIds ?? (await data.findMovedIds(scope, db, now, STATES_MAX))
      const known = new Map((await data.findStates(scope, db, ids, now)).map((row) => [row.deviceId, row]))
      return (await devices.some(scope, ids)).map(({ id, onlineStatus }): DoorNow => {
        const row = known.get(id)
        const isHeld = row !== undefined && row.userId !== null
        return {
          deviceId: id,
          state: doorStateOf({
            online: onlineStatus === deviceOnlineStatus.online,
            pending: row?.pending ?? null,
            told: (row?.state ?? null) as DoorState | null,
          }),
          heldBy: isHeld ? { id: row.userId!, name: row.operator! } : null,
          heldUntil: isHeld ? row.until : null,
        }
      })
    },
    async requests(scope, query) {
      const { content, total } = await data.listRequests(scope, db, query)
      return {
        total,
        content: content.map((row) => ({ ...row, time: row.time as number, answeredAt: row.answeredAt as number | null })),
        page: query.page,
        size: query.size,
      }
    },
    async setting(scope, deviceId) {
      const { holdSeconds, confirmFlag, version } = settings.show(scope.parkId, doorControlSetting)
      const asks = deviceId !== undefined && (await oneOf(scope, deviceId)).openDoorConfirm
      return { holdSeconds, confirmFlag: asks ? 1 : confirmFlag, version }
    },
    saveSetting: ({ parkId }, setting, version) => settings.write(parkId, doorControlSetting, setting, version),
    told({ deviceId, parkId }, state) {
      // Of a later version, or not a door's own state: nobody could show it.
      if (isToldDoorState(state)) told.add(parkId, { deviceId, state, at: platform.clock.now() })
    },
    async upkeep(before) {
      const now = platform.clock.now()
      const left = await data.failUnansweredUnscoped(db, now - FORGOTTEN_MS, doorControlErrorType.timeout, now)
      for (const [parkId, rows] of Map.groupBy(left, (row) => row.parkId))
        await platform.transaction((tx: Tx<DoorsTables>) =>
          announce(
            tx,
            { parkId },
            rows.map(({ deviceId }) => deviceId),
          ),
        )
      return data.deleteRequestsBeforeUnscoped(db, before)
    },
    forget: (scope, deviceIds) => data.deleteDoors(scope, db, deviceIds),
    erasePark: async (tx, scope) => ({ doorRequests: await data.deleteOfPark(scope, tx as unknown as Tx<DoorsTables>) }),
    async stop() {
      await Promise.allSettled(underWay)
      await told.stop()
    },
  }
}

/** Others hold all of them: in a batch that is the outcome of each. */
function noneTaken(error: unknown): never[] {
  if ((error as { code?: unknown }).code === 400206) return []
  throw error
}
