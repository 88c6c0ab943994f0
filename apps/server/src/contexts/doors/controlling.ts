/** Operates doors remotely: each is locked by one user at a time. */
import type { DoorOutcome } from '@gatehouse/contract/doors/calls'
import { doorStatesOf } from '@gatehouse/contract/doors/state'
import { deviceModel, deviceOnlineStatus, doorControlErrorType, doorOperation, openDoorStatus } from '@gatehouse/contract/enums'
import type { Platform } from '../../platform/context.ts'
import type { Transaction } from '../../platform/database/database.ts'
import { newId } from '../../platform/database/ids.ts'
import { NotFound, refuse } from '../../platform/http/refusal.ts'
import type { Actor, Scope } from '../../platform/session/session.ts'
import type { DevicesService } from '../devices/index.ts'
import * as data from './data.ts'
import type { DoorAnswer } from './door-control.ts'
import { DOORS_PER_EVENT, doorsChanged } from './events.ts'
import type { DoorsService, OperateType, DoorsNeeds } from './service-types.ts'
import { doorControlSetting } from './setting.ts'

/** An operation without an answer within this time counts as timed out. */
const ANSWERED_MS = 10_000

export type FoundDevice = Awaited<ReturnType<DevicesService['some']>>[number]

const takesControl = ({ onlineStatus, model }: FoundDevice): boolean =>
  onlineStatus === deviceOnlineStatus.online && model !== deviceModel.android

function statusOf({ isSuccess, errorType }: DoorAnswer): number {
  if (isSuccess) return openDoorStatus.success
  return errorType === doorControlErrorType.offline ? openDoorStatus.notConnected : openDoorStatus.failed
}

interface StartedRequest {
  device: FoundDevice
  requestId: string
  operateType: OperateType
  askedAt: number
}

/** Return no requests if other users have locked all doors: in a batch that is the outcome of each door. */
function noneIfAllLocked(error: unknown): never[] {
  if ((error as { code?: unknown }).code === 400206) return []
  throw error
}

/** @throws NotFound */
export async function existingDevice(devices: DoorsNeeds['devices'], scope: Scope, deviceId: string): Promise<FoundDevice> {
  const [device] = await devices.some(scope, [deviceId])
  if (device === undefined) throw new NotFound()
  return device
}

export async function announceDoors(
  platform: Pick<Platform, 'events'>,
  tx: Transaction,
  { parkId }: Scope,
  deviceIds: readonly string[],
): Promise<void> {
  const payloads = Array.from({ length: Math.ceil(deviceIds.length / DOORS_PER_EVENT) }, (_, part) => ({
    deviceIds: deviceIds.slice(part * DOORS_PER_EVENT, (part + 1) * DOORS_PER_EVENT),
  }))
  await platform.events.announceAll(tx, doorsChanged, parkId, payloads)
}

export interface DoorControlling extends Pick<DoorsService, 'control' | 'controlMany'> {
  /** Resolve when the outcomes of all operations sent are stored. */
  settled(): Promise<void>
}

export function createDoorControlling(platform: Platform, { devices, settings, door }: DoorsNeeds): DoorControlling {
  /** Operations in progress, so that a stopping server stores their outcomes first. */
  const pending = new Set<Promise<unknown>>()
  const holdMs = ({ parkId }: Scope): number => settings.read(parkId, doorControlSetting).holdSeconds * 1000

  /**
   * Lock the doors for the user and store the requests; return those of doors that nobody else has locked.
   * @throws Refusal 400206 if all are locked
   */
  async function start(scope: Scope, actor: Actor, requested: readonly FoundDevice[], operateType: OperateType): Promise<StartedRequest[]> {
    const askedAt = platform.clock.now()
    return platform.transaction(async (tx) => {
      const locked = new Set(
        await data.takeHolds(scope, tx, requested.map(({ id }) => id).toSorted(), actor, askedAt, askedAt + ANSWERED_MS + holdMs(scope)),
      )
      const started = requested
        .filter(({ id }) => locked.has(id))
        .map((device): StartedRequest => ({ device, requestId: newId(), operateType, askedAt }))
      if (started.length === 0) refuse(400206)
      await data.insertRequests(
        scope,
        tx,
        started.map(({ device, requestId: id }) => ({ id, deviceId: device.id, deviceName: device.name, operateType })),
        actor,
        askedAt,
      )
      await announceDoors(
        platform,
        tx,
        scope,
        started.map(({ device }) => device.id),
      )
      return started
    })
  }

  function carryOut(scope: Scope, actor: Actor, started: StartedRequest): Promise<DoorAnswer> {
    const work: Promise<DoorAnswer> = askAndNote(scope, actor, started).finally(() => pending.delete(work))
    pending.add(work)
    return work
  }

  /** Send an operation to a door, and store the outcome. */
  async function askAndNote(
    scope: Scope,
    { userId }: Actor,
    { device, requestId, operateType, askedAt }: StartedRequest,
  ): Promise<DoorAnswer> {
    const answer = await door().control(device, operateType)
    const now = platform.clock.now()
    await platform.transaction(async (tx) => {
      await data.updateRequest(scope, tx, requestId, { status: statusOf(answer), errorType: answer.errorType }, now)
      await data.endHold(scope, tx, device.id, userId, now + holdMs(scope))
      if (answer.isSuccess)
        await data.assumeState(
          scope,
          tx,
          { deviceId: device.id, state: doorStatesOf[operateType].done, at: now },
          { askedAt, passes: operateType === doorOperation.open },
        )
      // Every operation is logged, whatever its outcome.
      platform.audit.note({ entity: 'device', id: device.id, label: device.name, before: {}, after: { operateType, ...answer } })
      await announceDoors(platform, tx, scope, [device.id])
    })
    return answer
  }

  return {
    async control(scope, actor, deviceId, operateType) {
      const device = await existingDevice(devices, scope, deviceId)
      // Refused before sending: the device is offline, or an Android device, which takes no remote control.
      if (!takesControl(device)) refuse(400205)
      const [started] = await start(scope, actor, [device], operateType)
      return carryOut(scope, actor, started!)
    },
    async controlMany(scope, actor, deviceIds, operateType) {
      const ids = [...new Set(deviceIds)]
      const byId = new Map((await devices.some(scope, ids)).map((device) => [device.id, device]))
      if (byId.size < ids.length) throw new NotFound()
      const requested = ids.map((id) => byId.get(id)!)
      const able = requested.filter(takesControl)
      const started = new Map(
        (able.length === 0 ? [] : await start(scope, actor, able, operateType).catch(noneIfAllLocked)).map((one) => [one.device.id, one]),
      )
      return Promise.all(
        requested.map(async (device): Promise<DoorOutcome> => {
          const named = { deviceId: device.id, deviceName: device.name }
          const own = started.get(device.id)
          if (own === undefined) return { ...named, isSuccess: false, errorType: null, code: takesControl(device) ? 400206 : 400205 }
          return { ...named, ...(await carryOut(scope, actor, own)), code: null }
        }),
      )
    },
    async settled() {
      await Promise.allSettled(pending)
    },
  }
}
