/** The server is killed again and again while a terminal sends its records: nothing may be lost, nothing be there twice. */
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as delay } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { accessResult, verifyType } from '@gatehouse/contract/enums'
import { createClient, logIn } from '@gatehouse/dev-env/client'
import { deviceCalls } from '@gatehouse/contract/devices/calls'
import { BUILTIN_DIMENSIONS, BUILTIN_MODEL, FacePool } from '@gatehouse/face-engine'
import { randomOf } from '@gatehouse/face-engine/portrait/random'
import { scratchDatabase } from '@gatehouse/server/platform/postgres/scratch'
import { startTerminal } from '@gatehouse/terminal'
import { openStore } from '../../apps/terminal/src/device/store.ts'
import { killHard, query } from '../support/embedded-postgres.ts'
import { scratchFolder } from '../support/scratch-folder.ts'
import { until } from '../support/until.ts'

const ADMIN = { account: 'admin', password: 'Gate-house-7' }
const RECORDS = 4_000
const SEEDS = [1, 2, 3]

interface RunningServer {
  child: ChildProcess
  port: number
  mqttPort: number
}

/** @param ports 0 for any, else those it had before */
async function startServerProcess(connectionString: string, dataDir: string, ports: { port: number; mqttPort: number }): Promise<RunningServer> {
  const program = join(import.meta.dirname, '../support/server.process.ts')
  const env = { ...process.env, HOST: '127.0.0.1', DATA_DIR: dataDir, PORT: String(ports.port), MQTT_PORT: String(ports.mqttPort), ADMIN_PASSWORD: ADMIN.password, LOG_LEVEL: 'error' }
  const child = spawn(process.execPath, [program, connectionString], { env, stdio: ['ignore', 'pipe', 'inherit'] })
  for await (const line of createInterface(child.stdout)) if (line.startsWith('{"port"')) return { child, ...(JSON.parse(line) as { port: number; mqttPort: number }) }
  throw new Error(`the server did not start (exit code ${child.exitCode})`)
}

/** Records of passages that nobody has sent yet, in a terminal's own store. */
function fillStore(folder: string, code: string, deviceId: string): string[] {
  const store = openStore({ folder, code, model: { modelId: BUILTIN_MODEL, dimensions: BUILTIN_DIMENSIONS } })
  store.bind(deviceId)
  const ids = Array.from({ length: RECORDS }, (_, index) => {
    const record = {
      occurredAt: Date.now() - (RECORDS - index) * 1000,
      personId: null,
      personName: '',
      result: accessResult.rejected,
      failReason: 904,
      verifyType: verifyType.face,
      direction: 1,
      score: 12,
      checks: '[]',
      revision: '',
      hasPicture: false,
    }
    return store.outbox.append(deviceId, record).id
  })
  store.close()
  return ids
}

test.each(SEEDS)('a server killed during the uplink loses and doubles nothing (seed %i)', async (seed) => {
  const random = randomOf(`kill ${seed}`)
  const folder = scratchFolder()
  const { connectionString, drop } = await scratchDatabase()
  onTestFinished(drop)
  const dataDir = join(folder, 'server')
  let server = await startServerProcess(connectionString, dataDir, { port: 0, mqttPort: 0 })
  onTestFinished(async () => {
    if (server.child.exitCode === null && server.child.signalCode === null) await killHard(server.child)
  })
  const url = `http://127.0.0.1:${server.port}`

  const client = createClient(url)
  const { access_token: bearer } = await logIn(client, ADMIN)
  const device = await client.as({ bearer }).call(deviceCalls.create, { body: { code: 'KILL-1', name: 'Kill' } })
  const sent = fillStore(join(folder, 'terminal'), device.code, device.id)

  const pool = new FacePool({ workers: 1 })
  const terminal = await startTerminal({ server: url, ...device, dataDir: join(folder, 'terminal'), port: 0, pool, retry: { first: 50, limit: 200 }, resendAfter: 1_000 })
  let kills = 0
  const moments: number[] = []
  try {
    while (terminal.state().queue.records > 0 && kills < 25) {
      const left = terminal.state().queue.records
      await until('the uplink to move', () => terminal.state().queue.records < left, 60)
      if (terminal.state().queue.records === 0) break
      const moment = Math.floor(random.between(0, 120))
      await delay(moment)
      await killHard(server.child)
      kills++
      moments.push(moment)
      server = await startServerProcess(connectionString, dataDir, server)
    }
    await until('everything to be acknowledged', () => terminal.state().queue.records === 0, 120)
  } finally {
    await terminal.stop()
    await pool.close()
  }
  console.log(`seed ${seed}: killed ${kills} times, ${moments.join(', ')} ms after the uplink moved`)
  expect(kills).toBeGreaterThan(0)

  const stored = await query<{ id: string }>(connectionString, 'select id from access_record')
  expect(stored.length).toBe(RECORDS)
  expect(stored.map(({ id }) => id).toSorted()).toEqual(sent.toSorted())
  server.child.kill('SIGTERM')
  await once(server.child, 'exit')
})
