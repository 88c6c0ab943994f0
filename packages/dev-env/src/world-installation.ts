/** The installation a world runs: its settings, its data directory, the schedule of its jobs and its fresh database. */
import { generateKeyPairSync } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { FacePool } from '@gatehouse/face-engine'
import type { Config } from '@gatehouse/server/config'
import { sql } from '@gatehouse/server/platform/database/database'
import type { Job } from '@gatehouse/server/platform/jobs/jobs'
import { templateDatabase } from '@gatehouse/server/platform/postgres/scratch'
import { startServer } from '@gatehouse/server/server'
import { ADMIN } from './administrator.ts'
import type { WorldOptions } from './world-types.ts'

let loginKey: string | undefined

/** Store the first key under which passwords travel. It is made once in the process: a test must not wait for prime numbers. */
function putLoginKey(dataDir: string): void {
  loginKey ??= generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
  mkdirSync(join(dataDir, 'secrets'), { recursive: true, mode: 0o700 })
  writeFileSync(join(dataDir, 'secrets', 'login-key.pem'), loginKey, { mode: 0o600 })
}

export function temporaryDataDir(): string {
  const dataDir = mkdtempSync(join(tmpdir(), 'gatehouse-world-'))
  putLoginKey(dataDir)
  return dataDir
}

function builtConsole(): string {
  const folder = join(import.meta.dirname, '../../../apps/console/dist')
  if (!existsSync(join(folder, 'index.html'))) throw new Error('The console is not built; npm start builds it, and so does npm test.')
  return folder
}

export function configOf(dataDir: string, options: WorldOptions): Config {
  return {
    port: 0,
    host: '127.0.0.1',
    dataDir,
    databaseUrl: null,
    storage: null,
    mqttUrl: options.mqttUrl ?? null,
    mqttPort: 0,
    mqttPortGiven: true,
    mqttDeviceUrl: null,
    mqttTls: null,
    mqttTlsPort: 0,
    tls: null,
    trustProxy: ['loopback'],
    trustProxyGiven: false,
    proxyCertificateFiles: [],
    keyFile: null,
    adminPassword: ADMIN.password,
    sessionHours: 12,
    seed: 'none',
    consoleDir: options.console === true ? builtConsole() : null,
    modelDir: null,
    faceWorkers: 1,
    captureSearchBytes: 64e6,
    logLevel: options.logLevel ?? 'error',
    recordMonths: null,
    lite: false,
    privatised: true,
    upgradeService: false,
    // A browser test must not know the place of the piece, so it cannot drag it. The captcha's own tests turn it on.
    captcha: false,
    captchaWork: { cost: 16, bits: 2 },
    smtpUrl: null,
    mailFrom: 'Gatehouse <gatehouse@example.org>',
    // No test reaches a real provider of messages: nothing listens at port 9 of this machine.
    smsUrl: 'http://127.0.0.1:9',
    wechatUrl: 'http://127.0.0.1:9',
    upgradeKey: null,
    checkAnswers: options.checkAnswers ?? true,
    ...options.config,
  }
}

export const inHalfAYear = (minute: string, hour: string): string => `${minute} ${hour} 1 ${((new Date().getUTCMonth() + 6) % 12) + 1} *`

/** Return the schedule of a job. Nightly jobs are half a year away: what a test sees must not depend on the hour it runs at. */
export function scheduleOf({ schedule }: Job): string {
  const [minute, hour] = schedule.split(' ')
  const isNightly = /^\d+$/.test(hour!)
  return isNightly ? inHalfAYear(minute!, hour!) : schedule
}

/** Return a database as a first start leaves it, made once for a whole run. */
export function freshDatabase(facePool: FacePool): Promise<string> {
  return templateDatabase('a started installation', async (connectionString) => {
    const dataDir = temporaryDataDir()
    const server = await startServer({ config: configOf(dataDir, {}), connectionString, facePool, scheduleOf })
    // Each copy has a master key of its own, which cannot open what was sealed here.
    await sql`DELETE FROM login_key`.execute(server.platform.db)
    await sql`DELETE FROM data_key`.execute(server.platform.db)
    // Copies must not make up for jobs that have come due since.
    await sql`DELETE FROM scheduled_job`.execute(server.platform.db)
    await server.stop()
    rmSync(dataDir, { recursive: true, force: true })
  })
}
