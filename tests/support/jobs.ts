/** Background jobs without waiting for their schedule. */
import type { World } from '@gatehouse/dev-env/world'
import { sql } from '../../apps/server/src/platform/database/database.ts'

/** Make a job due now; the server itself runs it. */
export async function runJob(world: Pick<World, 'server'>, name: string): Promise<void> {
  const { numAffectedRows } = await sql`UPDATE scheduled_job SET due_at = now() - interval '1 second' WHERE name = ${name}`.execute(
    world.server.platform.db,
  )
  if (numAffectedRows !== 1n) throw new Error(`there is no job ${name}`)
}
