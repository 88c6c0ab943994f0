/**
 * Deleted devices store persons until they are notified of their deletion. The hash of the secret of such a device is
 * kept: with it server and device prove who they are, and the device accepts no other notice. The hash is deleted when
 * the device has reported that it deleted everything, or after a year: a device that was off for so long is no longer
 * notified, and a hash is not kept without need.
 */
import type { z } from 'zod'
import type { deviceProtocolCalls } from '@gatehouse/contract/device/protocol-calls'
import { removalText } from '@gatehouse/contract/device/removal'
import type { Platform } from '../../platform/context.ts'
import type { Job } from '../../platform/jobs/jobs.ts'
import { NotFound } from '../../platform/http/refusal.ts'
import { isProofOf, proofOf } from './proof.ts'
import * as data from './removal-data.ts'

type Removal = typeof deviceProtocolCalls.removal

export interface Removals {
  /** @throws NotFound if the request does not prove to be from a deleted device */
  answer(body: z.output<Removal['body']>): Promise<z.output<Removal['data']>>
  job: Job
}

const KEPT_MS = 365 * 86_400_000

export function createRemovals(platform: Platform): Removals {
  const db = platform.db

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
