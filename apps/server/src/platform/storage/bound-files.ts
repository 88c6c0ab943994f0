/** Seals files again that are from before sealed bytes were bound to their names. */
import type { Platform } from '../context.ts'
import type { Job } from '../jobs/jobs.ts'

/** Milliseconds of one run, which ends well before the next one starts. */
const RUN_MS = 4 * 60_000

/** Return the job, which runs every ten minutes and has nothing to do once all files are done; may run on several nodes. */
export const boundFiles = ({ storage }: Pick<Platform, 'storage'>): Job => ({
  name: 'platform.bindFiles',
  schedule: '*/10 * * * *',
  async run() {
    const startedAt = performance.now()
    let filesBound = 0
    for (let done = -1; done !== 0 && performance.now() - startedAt < RUN_MS; filesBound += done) done = await storage.bindFormer()
    return { outcome: 'success', counts: { filesBound } }
  },
})
