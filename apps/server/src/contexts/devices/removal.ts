/**
 * Devices that were deleted hold people until they are told. The hash of such a device's secret is kept: with it both can
 * prove who they are, and a device believes nobody else. It ends when the device has said that it let go of everything,
 * or after a year: who has not been switched on for so long is told by nobody any more, and a hash is no keepsake.
 */
import type { z } from 'zod'
import type { deviceProtocolCalls } from '@gatehouse/contract/device/protocol'
import { removalText } from '@gatehouse/contract/device/removal'
import type { Platform } from '../../platform/context.ts'
import type { Database } from '../../platform/database/database.ts'
import type { Job } from '../../platform/jobs/jobs.ts'
import { NotFound } from '../../platform/http/refusal.ts'
import { isProofOf, proofOf } from './proof.ts'
import * as data from './removal-data.ts'
import type { DevicesTables } from './schema.ts'

type Removal = typeof deviceProtocolCalls.removal

export interface Removals {
  /** @throws NotFound for whoever proves to be no deleted device */
  answer(asked: z.output<Removal['body']>): Promise<z.output<Removal['data']>>
  job: Job
}

const KEPT_MS = 365 * 86_400_000

export function createRemovals(platform: Platform): Removals {
  const db = platform.db as unknown as Database<DevicesTables>

  return {
    async answer({ code, nonce, proof, done }) {
      const removals = await data.findRemovalsUnscoped(db, code)
      const own = removals.find(({ secretHash }) => isProofOf(secretHash, removalText(done ? 'done' : 'asked', code, nonce), proof))
      if (own === undefined) throw new NotFound()
      const { deviceId, secretHash } = own
      if (done) {
        await data.deleteRemovalUnscoped(db, deviceId)
        platform.log.info({ device: code, deviceId }, 'a deleted device has let go of everything')
      }
      return { deviceId, proof: proofOf(secretHash, removalText('removed', code, nonce, deviceId)) }
    },
    job: {
      name: 'devices.endRemovals',
      schedule: '23 4 * * *',
      run: async () => ({
        outcome: 'success',
        counts: { secretsEnded: await data.deleteOldRemovalsUnscoped(db, platform.clock.now() - KEPT_MS) },
      }),
    },
  }
}
