/** Create the installation that is kept for a release. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createClient } from '@gatehouse/dev-env/client'
import { ADMIN } from '@gatehouse/dev-env/world'
import { startPostgres } from '../run/postgres.ts'
import { liveOutput } from '../run/program.ts'
import { dumpDatabase } from './dump.ts'
import { factNames, readFact, type Asking, type Facts } from './facts.ts'
import { keepInstallation } from './folder.ts'
import { startFixtureInstallation, type FixtureInstallation } from './fixture-installation.ts'

/**
 * Start an installation with fixtures of the present source, and keep it for a release. Needs PostgreSQL and a pg_dump of the same version
 * or newer.
 */
export async function keepRelease(release: string): Promise<void> {
  const server = await startPostgres(liveOutput)
  process.env.DATABASE_URL = server.connectionString
  try {
    const installation = await startFixtureInstallation()
    try {
      await keep(release, installation)
    } finally {
      await installation.world.stop()
    }
  } finally {
    await server.stop()
  }
}

async function keep(release: string, { world, device }: FixtureInstallation): Promise<void> {
  const { modelId } = world.server.contexts.faces.service
  const asking: Asking = { administrator: world.client, device: createClient(world.url, { basic: [device.code, device.secret] }), modelId }
  const pictures = new Set<string>()
  const facts: Facts = {}
  for (const name of factNames) facts[name] = await readFact(name, asking, (path) => pictures.add(path))
  const keptAt = world.clock.now()
  await world.settled()
  await world.interrupted(async () =>
    keepInstallation({
      sql: dumpDatabase(world.connectionString),
      masterKey: readFileSync(join(world.dataDir, 'secrets', 'master.key'), 'utf8'),
      files: new Map([...pictures].toSorted().map((path) => [path, readFileSync(join(world.dataDir, path))])),
      expected: { release, keptAt, administrator: ADMIN, device: { code: device.code, secret: device.secret }, modelId, facts },
    }),
  )
}
