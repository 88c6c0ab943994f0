/** A server that can be killed and started again at the same addresses. */
import { killProgram, startProgram, type Program } from './program.ts'
import { steadyPort } from './proxy.ts'

export const SERVER_HOST = '127.0.0.1'
export const ADMIN = { account: 'admin', password: 'Gate-house-7' }

export interface ServerProcessOptions {
  connectionString: string
  dataDir: string
  log: string
  /** URL of an external broker; absent: the embedded one. */
  mqttUrl?: string
  /** Folder of a set of face models; absent or null: the built-in engine. */
  modelDir?: string | null
}

export interface ServerProcess {
  url: string
  port: number
  mqttPort: number
  kill(): Promise<void>
  /** Start it again; resolve when it accepts requests. @param on another database, folder or engine than before */
  start(on?: Partial<Pick<ServerProcessOptions, 'connectionString' | 'dataDir' | 'modelDir'>>): Promise<void>
}

/** Start a server on ports that stay free for it while it is down. */
export async function startServerProcess(options: ServerProcessOptions): Promise<ServerProcess> {
  const place = { ...options }
  const [port, mqttPort] = [await steadyPort(), await steadyPort()]
  let running: Program<{ port: number; mqttPort: number }> | null = null

  async function start(on: Partial<ServerProcessOptions> = {}): Promise<void> {
    Object.assign(place, on)
    const env = {
      HOST: SERVER_HOST,
      PORT: String(port),
      MQTT_PORT: String(mqttPort),
      DATA_DIR: place.dataDir,
      ADMIN_PASSWORD: ADMIN.password,
      LOG_LEVEL: 'warn',
      // The seed of the tests' random numbers has this name too.
      SEED: 'none',
      ...(place.mqttUrl !== undefined && { MQTT_URL: place.mqttUrl }),
      MODEL_DIR: place.modelDir ?? '',
    }
    running = await startProgram('server', { args: [place.connectionString], env, log: place.log })
  }

  await start()
  return {
    url: `http://${SERVER_HOST}:${port}`,
    port,
    mqttPort: running!.answer.mqttPort,
    start,
    kill: async () => {
      if (running !== null) await killProgram(running.child)
    },
  }
}
