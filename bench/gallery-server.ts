/**
 * The server as it is installed, as a process of its own at the addresses of a world that is interrupted, and a device that sends requests
 * to it.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { createInterface } from 'node:readline'
import { json } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import type { DataOf } from '@gatehouse/contract'
import { deviceProtocolCalls } from '@gatehouse/contract/device/protocol-calls'
import type { World } from '@gatehouse/dev-env/world'
import { bytesOfEmbedding } from '@gatehouse/face-engine'

export interface Usage {
  /** Resident megabytes, now and at the peak. */
  memory: number
  peak: number
  /** Processor seconds, all threads together: the same however busy the machine is. */
  processor: number
}

export interface ServerProcess {
  /** Return the usage; null where the system does not report it. */
  usage(): Usage | null
  stop(): Promise<void>
}

export type Identified = DataOf<(typeof deviceProtocolCalls)['identify']>

/** Of `/proc`, the same on every Linux. */
const TICKS_PER_SECOND = 100
const MAIN = fileURLToPath(import.meta.resolve('@gatehouse/server/main'))

/** Start a server; resolve when it accepts requests. @param modelDir null: the built-in engine */
export async function startProcess(world: World, modelDir: string | null): Promise<ServerProcess> {
  const { port, mqttPort } = world.server
  const env = {
    ...process.env,
    HOST: '127.0.0.1',
    PORT: String(port),
    MQTT_PORT: String(mqttPort),
    DATA_DIR: world.dataDir,
    DATABASE_URL: world.connectionString,
    LOG_LEVEL: 'error',
    SEED: 'none',
    MODEL_DIR: modelDir ?? '',
  }
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', MAIN], { env, stdio: ['ignore', 'pipe', 'inherit'] })
  const lines: string[] = []
  const listening = Promise.withResolvers<void>()
  createInterface(child.stdout).on('line', (line) => {
    lines.push(line)
    if (line.startsWith('Gatehouse answers')) listening.resolve()
  })
  child.once('exit', () => listening.reject(new Error(`the server did not start: ${lines.join('\n')}`)))
  await listening.promise
  return {
    usage: () => usageOf(child.pid!),
    async stop() {
      const ended = once(child, 'exit')
      child.kill('SIGTERM')
      await ended
    },
  }
}

/** Return the usage of a running process. */
function usageOf(pid: number): Usage | null {
  const folder = `/proc/${pid}`
  if (!existsSync(folder)) return null
  const status = readFileSync(`${folder}/status`, 'utf8')
  const megabytes = (name: string) => (Number(new RegExp(`${name}:\\s+(\\d+) kB`).exec(status)![1]) * 1024) / 1e6
  // After the name in parentheses, the 12th and 13th field: user time and system time.
  const ticks = readFileSync(`${folder}/stat`, 'utf8').split(') ')[1]!.split(' ').slice(11, 13)
  return {
    memory: megabytes('VmRSS'),
    peak: megabytes('VmHWM'),
    processor: ticks.reduce((sum, text) => sum + Number(text), 0) / TICKS_PER_SECOND,
  }
}

/** Return functions that send requests as a device does, over connections that stay open. */
export function createAsking(url: string, { code, secret }: { code: string; secret: string }, modelId: string) {
  const agent = new Agent({ keepAlive: true })
  const headers = { authorization: `Basic ${Buffer.from(`${code}:${secret}`).toString('base64')}`, 'content-type': 'application/json' }
  return {
    /** The cheapest possible call. */
    async nothing(): Promise<void> {
      const outgoing = request(`${url}/healthz`, { agent })
      outgoing.end()
      const [answer] = (await once(outgoing, 'response')) as [Parameters<typeof json>[0]]
      await json(answer)
    },
    async identify(embedding: Float32Array): Promise<Identified> {
      const outgoing = request(url + deviceProtocolCalls.identify.url, { method: 'POST', agent, headers })
      outgoing.end(JSON.stringify({ modelId, template: Buffer.from(bytesOfEmbedding(embedding)).toString('base64') }))
      const [answer] = (await once(outgoing, 'response')) as [Parameters<typeof json>[0]]
      const { code: answered, data } = (await json(answer)) as { code: number; data: Identified }
      if (answered !== 0) throw new Error(`identify answers ${answered}`)
      return data
    },
    close: () => agent.destroy(),
  }
}
