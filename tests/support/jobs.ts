/** Background jobs without waiting for their schedule. */
import type { World } from '@gatehouse/dev-env/world'
import { sql } from '../../apps/server/src/platform/database/database.ts'

/** Puts a job into its queue, as its schedule would; the server's own worker takes it. */
export async function runJob(world: Pick<World, 'server'>, name: string): Promise<void> {
  await sql`INSERT INTO jobs.job (name) VALUES (${name})`.execute(world.server.platform.db)
}
