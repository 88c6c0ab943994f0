/** Doors under remote control: requests, states and settings. */
import type { DoorNow } from '@gatehouse/contract/doors/calls'
import { doorStateOf, isReportedDoorState, type DoorState } from '@gatehouse/contract/doors/state'
import { deviceOnlineStatus, doorControlErrorType } from '@gatehouse/contract/enums'
import type { Platform } from '../../platform/context.ts'
import { announceDoors, createDoorControlling, existingDevice } from './controlling.ts'
import * as data from './data.ts'
import { doorControlSetting } from './setting.ts'
import { createReportedStates } from './reported-states.ts'
import type { DoorsNeeds, DoorsService } from './service-types.ts'

/** A request without an answer for this long gets none: the server that sent it has stopped. */
const FORGOTTEN_MS = 60_000
/** Maximum of doors in one answer. */
const STATES_MAX = 1_000

export function createDoorsService(platform: Platform, needs: DoorsNeeds): DoorsService {
  const { devices, settings } = needs
  const controlling = createDoorControlling(platform, needs)
  const db = platform.db
  const reports = createReportedStates(platform, async (parkId, states) => {
    const scope = { parkId }
    await platform.transaction(async (tx) => {
      await data.putStates(scope, tx, states)
      await announceDoors(
        platform,
        tx,
        scope,
        states.map(({ deviceId }) => deviceId),
      )
    })
  })

  return {
    control: controlling.control,
    controlMany: controlling.controlMany,
    async states(scope, deviceIds) {
      const now = platform.clock.now()
      const ids = deviceIds ?? (await data.findMovedIds(scope, db, now, STATES_MAX))
      const rows = new Map((await data.findStates(scope, db, ids, now)).map((row) => [row.deviceId, row]))
      return (await devices.some(scope, ids)).map(({ id, onlineStatus }): DoorNow => {
        const row = rows.get(id)
        const isLocked = row !== undefined && row.userId !== null
        return {
          deviceId: id,
          state: doorStateOf({
            online: onlineStatus === deviceOnlineStatus.online,
            pending: row?.pending ?? null,
            reported: (row?.state ?? null) as DoorState | null,
          }),
          heldBy: isLocked ? { id: row.userId!, name: row.operator! } : null,
          heldUntil: isLocked ? row.until : null,
        }
      })
    },
    async requests(scope, query) {
      const { content, total } = await data.listRequests(scope, db, query)
      return {
        total,
        content,
        page: query.page,
        size: query.size,
      }
    },
    async setting(scope, deviceId) {
      const { holdSeconds, confirmFlag, version } = settings.show(scope.parkId, doorControlSetting)
      const asks = deviceId !== undefined && (await existingDevice(devices, scope, deviceId)).openDoorConfirm
      return { holdSeconds, confirmFlag: asks ? 1 : confirmFlag, version }
    },
    saveSetting: ({ parkId }, setting, version) => settings.write(parkId, doorControlSetting, setting, version),
    noteState({ deviceId, parkId }, state) {
      // A state of a later version, or one that doors do not report themselves, could not be shown.
      if (isReportedDoorState(state)) reports.add(parkId, { deviceId, state, at: platform.clock.now() })
    },
    async upkeep(before) {
      const now = platform.clock.now()
      const left = await data.failUnansweredUnscoped(db, now - FORGOTTEN_MS, doorControlErrorType.timeout, now)
      for (const [parkId, rows] of Map.groupBy(left, (row) => row.parkId))
        await platform.transaction((tx) =>
          announceDoors(
            platform,
            tx,
            { parkId },
            rows.map(({ deviceId }) => deviceId),
          ),
        )
      return data.deleteRequestsBeforeUnscoped(db, before)
    },
    forget: (scope, deviceIds) => data.deleteDoors(scope, db, deviceIds),
    erasePark: async (tx, scope) => ({ doorRequests: await data.deleteOfPark(scope, tx) }),
    async stop() {
      await controlling.settled()
      await reports.stop()
    },
  }
}
