/**
 * A whole world for integration tests, browser tests and benchmarks: a real server with broker on a database of its own, real terminals,
 * and builders that go through public calls. The caller that starts a world stops it.
 */
import { rmSync } from 'node:fs'
import type { FacePool } from '@gatehouse/face-engine'
import { scratchDatabase, startScratchServer } from '@gatehouse/server/platform/postgres/scratch'
import { systemClock } from '@gatehouse/server/platform/time/clock'
import { startServer } from '@gatehouse/server/server'
import { ADMIN } from './administrator.ts'
import { createClient } from './client.ts'
import { testingFacePool } from './face-memo.ts'
import { configOf, freshDatabase, inHalfAYear, scheduleOf, temporaryDataDir } from './world-installation.ts'
import { siteOf } from './world-parks.ts'
import { createWorldTerminals } from './world-terminals.ts'
import type { World, WorldOptions, WorldParts } from './world-types.ts'
import { createWorldView } from './world-view.ts'

export type { Made, MadeDevice, MadePerson, Site } from './site.ts'
export type { SessionOptions, World, WorldOptions, WorldTerminal } from './world-types.ts'

export { ADMIN }

let pool: { engine: FacePool; users: number } | null = null

/** One face engine for all worlds of the process: it takes a second and 250 MB. */
function takePool(): FacePool {
  pool ??= { engine: testingFacePool({ workers: 1 }), users: 0 }
  pool.users++
  return pool.engine
}

async function leavePool(): Promise<void> {
  if (pool === null || --pool.users > 0) return
  const { engine } = pool
  pool = null
  await engine.close()
}

/** Start a world. Inside a test run it uses the run's database server, otherwise one of its own. */
export async function startWorld(options: WorldOptions = {}): Promise<World> {
  const clock = options.clock ?? systemClock
  const scratch = await startScratchServer()
  const shared = takePool()
  const database = await scratchDatabase({ template: await freshDatabase(shared) })
  const dataDir = temporaryDataDir()
  const config = configOf(dataDir, options)
  const start = (facePool: FacePool) =>
    startServer({
      config,
      connectionString: database.connectionString,
      clock,
      facePool,
      scheduleOf: options.jobsAsleep ? () => inHalfAYear('0', '0') : scheduleOf,
      ticks: options.ticks,
      space: options.space,
      ...(options.connections !== undefined && { connections: options.connections }),
      ...(options.parsing && { parsing: options.parsing }),
      ...(options.onRestart && { onRestart: options.onRestart }),
    })
  const facePool = options.facePool ?? shared
  const server = await start(facePool)
  // A restarted server must be where its terminals and sessions look for it.
  Object.assign(config, { port: server.port, mqttPort: server.mqttPort })
  const { url } = server
  const authority = server.platform.transport.certificate?.current().certificate
  let number = 0
  const parts: WorldParts = {
    url,
    authority,
    clock,
    dataDir,
    connectionString: database.connectionString,
    nobody: createClient(url, null, authority),
    terminals: [],
    server,
    isRunning: true,
    facePool,
    start: () => start(parts.facePool),
    next: () => ++number,
  }
  const organisation = server.contexts.organisation.service
  const site = await siteOf(parts, organisation.parksBelow(organisation.root().id)[0]!)

  async function stop(): Promise<void> {
    await Promise.all(parts.terminals.slice().map((one) => one.stop()))
    await parts.server.stop()
    await database.drop()
    await leavePool()
    await scratch.stop()
    rmSync(dataDir, { recursive: true, force: true })
  }

  const world = createWorldView(parts, createWorldTerminals(parts), site, stop)
  for (let started = 0; started < (options.terminals ?? 0); started++) await world.terminal()
  return world
}
