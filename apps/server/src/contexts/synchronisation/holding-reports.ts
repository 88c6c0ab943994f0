/** Stores the reports of devices, many devices in one statement. */
import type { DeviceHoldings } from '@gatehouse/contract/device/protocol-status'
import type { PersonException } from '@gatehouse/contract/device/protocol-persons'
import type { Platform } from '../../platform/context.ts'
import type { DeviceIdentity } from '../../platform/session/session.ts'
import { eventBatches } from '../../platform/events/batches.ts'
import { holdingsChanged } from './events.ts'
import { isUuid } from '../../platform/database/ids.ts'
import * as data from './data.ts'

export interface HoldingReports {
  /** Record what a device stores; of several reports the last counts. Written soon. */
  note(device: DeviceIdentity, holdings: DeviceHoldings): void
  /** Record all persons that a device stores and cannot recognise. Written when this resolves. @returns how many were recorded */
  noteExceptions(device: DeviceIdentity, cursor: number, exceptions: readonly PersonException[]): Promise<number>
  /** Resolve when everything recorded is written. */
  settled(): Promise<void>
  stop(): Promise<void>
}

const GATHER_MS = 100
const INTEGER_MAX = 2_147_483_647

export function createHoldingReports(platform: Platform): HoldingReports {
  let noted = new Map<string, data.ReportedHolding>()
  let timer: NodeJS.Timeout | undefined
  let writing: Promise<void> = Promise.resolve()

  async function write(): Promise<void> {
    clearTimeout(timer)
    timer = undefined
    const holdings = [...noted.values()]
    noted = new Map()
    if (holdings.length === 0) return
    try {
      await platform.transaction(async (tx) => {
        await data.saveHoldingsUnscoped(tx, holdings, platform.clock.now())
        for (const parkId of new Set(holdings.map((holding) => holding.parkId))) {
          const deviceIds = holdings.filter((holding) => holding.parkId === parkId).map(({ deviceId }) => deviceId)
          await platform.events.announceAll(
            tx,
            holdingsChanged,
            parkId,
            eventBatches(deviceIds).map((batch) => ({ deviceIds: batch })),
          )
        }
      })
    } catch (error) {
      platform.log.error({ err: error }, 'the reports of devices could not be stored')
      for (const holding of holdings) if (!noted.has(holding.deviceId)) noted.set(holding.deviceId, holding)
      timer ??= setTimeout(flush, GATHER_MS * 10)
    }
  }

  const flush = (): void => void (writing = writing.then(write))

  return {
    note(device, holdings) {
      noted.set(device.deviceId, {
        deviceId: device.deviceId,
        parkId: device.parkId,
        audienceId: isUuid(holdings.audience) ? holdings.audience : null,
        cursor: holdings.cursor,
        digest: holdings.digest,
        revision: holdings.revision,
        persons: Math.min(holdings.persons, INTEGER_MAX),
        failed: Math.min(holdings.failed, INTEGER_MAX),
        tellsErasures: holdings.erasure !== undefined,
        erasureId: holdings.erasure != null && isUuid(holdings.erasure) ? holdings.erasure : null,
      })
      timer ??= setTimeout(flush, GATHER_MS)
    },
    async noteExceptions(device, cursor, exceptions) {
      const exceptionsByPerson = new Map(
        exceptions.filter(({ personId }) => isUuid(personId)).map((exception) => [exception.personId, exception]),
      )
      await platform.transaction(async (tx) => {
        await data.replaceExceptions(
          { parkId: device.parkId },
          tx,
          device.deviceId,
          cursor,
          [...exceptionsByPerson.values()],
          platform.clock.now(),
        )
        await platform.events.announce(tx, holdingsChanged, device.parkId, { deviceIds: [device.deviceId] })
      })
      return exceptionsByPerson.size
    },
    async settled() {
      flush()
      await writing
    },
    async stop() {
      flush()
      await writing
      clearTimeout(timer)
    },
  }
}
