/** How long captures of a camera are kept, by the settings of the device, and how many of those who passed it were not kept. */
import { localDate } from '@gatehouse/access-rules'
import type { DataOf } from '@gatehouse/contract'
import { BUILT_IN_SETTINGS, type TerminalSettings } from '@gatehouse/contract/configuration/settings'
import { CAPTURE_DAYS } from '@gatehouse/contract/limits'
import type { captureCalls } from '@gatehouse/contract/surveillance/captures'
import type { Platform } from '../../platform/context.ts'
import type { Transaction } from '../../platform/database/database.ts'
import { seesWatchList, type Scope } from '../../platform/session/session.ts'
import type { ConfigurationService } from '../configuration/index.ts'
import type { OrganisationService } from '../organisation/index.ts'
import { cameraOf } from './captures-camera.ts'
import * as data from './captures-keeping-data.ts'
import type { CaptureDependencies } from './captures-types.ts'

export interface Keeping {
  keeping: TerminalSettings['captureKeeping']
  /** Hours for which a capture is kept. */
  hours: number
}

export interface CaptureKeeping {
  of(scope: Scope, deviceId: string): Promise<Keeping>
  /** Return what is set for each of these devices; one that exists no more is as the park sets. */
  ofAll(scope: Scope, deviceIds: readonly string[]): Promise<ReadonlyMap<string, Keeping>>
  /** Count those who passed a camera that keeps nobody who matches no task. */
  count(tx: Transaction, scope: Scope, deviceId: string, counted: { passed: number; kept: number }): Promise<void>
  /**
   * Who may not see the watch list is not told how many were kept: some of them may be on it.
   * @throws NotFound where the device is no camera
   */
  read(scope: Scope, deviceId: string): Promise<DataOf<typeof captureCalls.kept>>
}

const HOURS = CAPTURE_DAYS * 24
/** Days and cuts that are answered. */
const DAYS = 7
const LOSSES = 20

export function createCaptureKeeping(
  { db, clock }: Pick<Platform, 'db' | 'clock'>,
  {
    configuration,
    organisation,
    devices,
  }: Pick<CaptureDependencies, 'devices'> & {
    configuration: Pick<ConfigurationService, 'configured'>
    organisation: Pick<OrganisationService, 'park'>
  },
): CaptureKeeping {
  async function ofAll(scope: Scope, deviceIds: readonly string[]): Promise<Map<string, Keeping>> {
    const configured = await configuration.configured(scope, deviceIds)
    return new Map(
      deviceIds.map((id) => {
        const { captureKeeping: keeping, captureHours } = configured.get(id)?.configuration ?? BUILT_IN_SETTINGS
        return [id, { keeping, hours: keeping === 'hours' ? captureHours : HOURS }] as const
      }),
    )
  }
  const of = async (scope: Scope, deviceId: string): Promise<Keeping> => (await ofAll(scope, [deviceId])).get(deviceId)!

  return {
    of,
    ofAll,
    async count(tx, scope, deviceId, counted) {
      if (counted.passed === 0) return
      const day = localDate(clock.now(), organisation.park(scope).zone)
      await data.countPassing(scope, tx, { deviceId, day, ...counted })
    },
    async read(scope, deviceId) {
      const { id } = await cameraOf({ devices }, scope, deviceId)
      const [set, days, losses] = await Promise.all([
        of(scope, id),
        data.findPassing(scope, db, id, DAYS),
        data.findLosses(scope, db, id, LOSSES),
      ])
      return { ...set, days: set.keeping === 'matchedOnly' && seesWatchList(scope) ? days : [], losses }
    },
  }
}
