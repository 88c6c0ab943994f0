/** What is under way in an installation: what was released to devices, and how the parts are. */
import type { DataOf } from '@gatehouse/contract'
import type { DeviceIssued, DeviceRelease, ServiceHealth, developmentCalls } from '@gatehouse/contract/development/calls'
import type { Platform } from '../../platform/context.ts'
import type { DeviceChannel } from '../../platform/broker/channel.ts'
import type { Scope } from '../../platform/session/session.ts'
import { createVitals } from '../../platform/vitals.ts'
import type { Released, SynchronisationContext } from '../synchronisation/index.ts'
import type { DevicesService } from '../devices/index.ts'
import { createHealth, type EngineLoad } from './health.ts'

export interface DevelopmentNeeds {
  synchronisation: Pick<SynchronisationContext, 'service' | 'status'>
  devices: DevicesService
  channel: () => DeviceChannel
  engine: () => EngineLoad
  /** Return when this node, since it started, last notified a device of its desired state. */
  sentAt: (deviceId: string) => number | null
}

type DeviceFilter = Parameters<DevicesService['list']>[1]

export interface DevelopmentService {
  released(scope: Scope, query: DeviceFilter): Promise<DataOf<typeof developmentCalls.released>>
  issued(scope: Scope, query: DeviceFilter): Promise<DataOf<typeof developmentCalls.issued>>
  health(): Promise<ServiceHealth>
}

function stateOf({ desired, reported }: Released): DeviceRelease['state'] {
  if (desired === null) return 'none'
  if (
    reported === null ||
    reported.audience !== desired.audience ||
    reported.cursor < desired.head ||
    reported.revision !== desired.revision
  )
    return 'behind'
  return reported.digest === desired.digest ? 'current' : 'differs'
}

/** Return when a device was reached. One that was not connected was not notified; it is notified when it comes back. */
const reached = (sentAt: number | null, onlineStatus: number, lastSeenAt: number | null): number | null =>
  sentAt !== null && onlineStatus === 0 && sentAt > (lastSeenAt ?? 0) ? null : sentAt

export function createDevelopmentService(
  platform: Platform,
  { synchronisation, devices, channel, engine, sentAt: toldAt }: DevelopmentNeeds,
): DevelopmentService {
  return {
    async released(scope, query) {
      const page = await devices.list(scope, query)
      const released = await synchronisation.service.released(
        scope,
        page.content.map(({ id }) => id),
      )
      const content = page.content.map(({ id, name, code, onlineStatus, lastSeenAt, onlineSince }): DeviceRelease => {
        const { desired, reported } = released.get(id)!
        return {
          id,
          name,
          code,
          onlineStatus,
          lastSeenAt,
          onlineSince,
          state: stateOf({ desired, reported }),
          // An audience without a change since it was made has no time.
          desiredAt: desired === null || desired.updatedAt === 0 ? null : desired.updatedAt,
          toldAt: reached(toldAt(id), onlineStatus, lastSeenAt),
          takenAt: reported?.at ?? null,
          desiredRevision: desired?.revision ?? '',
          heldRevision: reported?.revision ?? '',
          desiredCursor: desired?.head ?? 0,
          heldCursor: reported?.cursor ?? 0,
          digestEqual: desired !== null && reported?.digest === desired.digest,
          exceptions: reported?.failed ?? 0,
        }
      })
      return { ...page, content }
    },
    async issued(scope, query) {
      const page = await devices.list(scope, query)
      const content = page.content.map(
        ({
          id,
          name,
          code,
          groupName,
          onlineStatus,
          lastSeenAt,
          onlineSince,
          personsDesired,
          personsHeld,
          personsFailed,
        }): DeviceIssued => ({
          id,
          name,
          code,
          groupName,
          onlineStatus,
          lastSeenAt,
          onlineSince,
          personsDesired,
          personsHeld,
          personsFailed,
        }),
      )
      return { ...page, content }
    },
    // Created when called: the data folder is unknown while the server is only inspected.
    health: () =>
      createHealth({
        clock: platform.clock,
        vitals: createVitals(platform.db, platform.config.dataDir),
        channel,
        engine,
        connected: () => devices.connected(),
      })(),
  }
}
