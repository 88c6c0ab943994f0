/** Starts today's server on the installation kept for a release. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import pg from 'pg'
import type { FacePool } from '@gatehouse/face-engine'
import { readConfig } from '@gatehouse/server/config'
import { scratchDatabase } from '@gatehouse/server/platform/postgres/scratch'
import { startServer, type Server } from '@gatehouse/server/server'
import type { KeptInstallation } from './folder.ts'

const HOUR = 3_600_000

export interface Restored {
  connectionString: string
  /** Start the server of the present source, which performs the upgrade. Its clock is an hour after the installation was kept. */
  upgrade(facePool: FacePool): Promise<Server>
  /** Stop the server and remove database and files. */
  remove(): Promise<void>
}

/** Restore database, key and pictures of an installation. Needs a started scratch server. */
export async function restoreInstallation({ sql, masterKey, files, expected }: KeptInstallation): Promise<Restored> {
  const database = await scratchDatabase()
  const { connectionString } = database
  const dataDir = mkdtempSync(join(tmpdir(), 'gatehouse-release-'))
  for (const [path, bytes] of new Map([...files, ['secrets/master.key', Buffer.from(masterKey)]])) {
    mkdirSync(dirname(join(dataDir, path)), { recursive: true, mode: 0o700 })
    writeFileSync(join(dataDir, path), bytes, { mode: 0o600 })
  }
  const client = new pg.Client(connectionString)
  await client.connect()
  await client.query(sql).finally(() => client.end())

  let server: Server | undefined
  return {
    connectionString,
    async upgrade(facePool) {
      const env = {
        DATA_DIR: dataDir,
        HOST: '127.0.0.1',
        PORT: '0',
        MQTT_PORT: '0',
        LOG_LEVEL: 'error',
        CAPTCHA: 'off',
        CHECK_ANSWERS: 'on',
      }
      const config = { ...readConfig(env), consoleDir: null, modelDir: null }
      server = await startServer({ config, connectionString, facePool, clock: { now: () => expected.keptAt + HOUR } })
      return server
    },
    async remove() {
      await server?.stop()
      await database.drop()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}
