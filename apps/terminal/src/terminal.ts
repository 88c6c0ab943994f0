/** One software face terminal, put together. */
import type { AddressInfo } from 'node:net'
import { FacePool, type EngineDescription } from '@gatehouse/face-engine'
import type { Manifest } from '@gatehouse/contract/device/protocol'
import { createFrameQueue } from './passage/camera.ts'
import { createDecider } from './passage/decision.ts'
import { createDoor, simulatedLock, type DoorOutput, type DoorState } from './passage/door.ts'
import { startDevice, type DeviceOptions } from './device/device.ts'
import type { LinkState } from './device/link.ts'
import { createPassage, type Verdict } from './passage/passage.ts'
import { serveEvents, type Broadcast } from './http/events.ts'
import { serveFrames } from './http/frame.ts'
import { servePage } from './http/page.ts'
import { createHttpServer } from './http/server.ts'
import { embedderOf } from './passage/embed.ts'
import { openStore } from './store/store.ts'

export { StoreUnusable } from './device/store.ts'
export type { LinkKind, LinkState } from './device/link.ts'
export type { DoorOutput, DoorState } from './passage/door.ts'
export type { Verdict } from './passage/passage.ts'

export const TERMINAL_VERSION = '0.1.0'

export interface TerminalOptions {
  /** Address of the Gatehouse server, such as `http://gate.example:8080`. */
  server: string
  code: string
  secret: string
  /** Folder for everything it keeps. */
  dataDir: string
  /** 8081 unless told; 0 takes a free one. */
  port?: number
  /** 127.0.0.1 unless told. */
  host?: string
  /** Take pictures from other machines too, and show them who passes. */
  allowFrames?: boolean
  /** An engine shared with others, which is then theirs to close. */
  pool?: Pick<FacePool, 'analyse' | 'ready' | 'close' | 'modelId' | 'description'>
  clock?: () => number
  log?: (sentence: string) => void
  door?: DoorOutput
  /** Milliseconds the door stays open after a passage. */
  doorOpenFor?: number
  /** Bytes the pictures waiting here may take. */
  pictureQuota?: number
  retry?: DeviceOptions['retry']
  /** Milliseconds without an acknowledgement after which records are sent again. */
  resendAfter?: number
}

/** What the terminal says of itself, without a word about anybody who passes. */
export interface TerminalState {
  version: string
  code: string
  /** Null until the server said who this is. */
  device: Pick<Manifest['settings'], 'deviceId' | 'name' | 'direction' | 'zone' | 'threshold' | 'liveness'> | null
  link: LinkState
  /** Server's clock minus this one's, in milliseconds. */
  clockOffset: number | null
  door: DoorState
  /** `renewing`: after a change of the engine, how many persons of how many it can recognise by now; null when all were tried. */
  held: { revision: string; persons: number; faces: number; failed: number; renewing: { ready: number; total: number } | null }
  queue: { records: number; pictures: number; picturesLost: number }
  /** `tellsLiving`: it can say whether a face is a living one. */
  engine: Pick<EngineDescription, 'kind' | 'modelId' | 'name'> & { tellsLiving: boolean; state: 'loading' | 'ready' | 'failed' }
  /** False after a record could not be written. */
  storageWorks: boolean
  /** Epoch milliseconds of the terminal. */
  time: number
}

export interface Terminal {
  port: number
  /** Address of its screen. */
  url: string
  state(): TerminalState
  /** Shows it a picture, as `POST /frame` does. */
  look(photo: Uint8Array): Promise<Verdict>
  /** Resolves when its engine has loaded. */
  ready(): Promise<void>
  stop(): Promise<void>
}

const HOUR = 3_600_000
/** Milliseconds within which changes of state reach the screen as one. */
const COALESCE = 50

/**
 * Starts a terminal. It serves its screen and decides at once; the server may come later.
 * @throws StoreUnusable when the data folder cannot be used, TypeError for an unusable server address, an Error of
 *   code EADDRINUSE when the port is taken
 */
export async function startTerminal(options: TerminalOptions): Promise<Terminal> {
  const { code, secret, host = '127.0.0.1', allowFrames = false, clock = Date.now, log = () => {} } = options
  const pool = options.pool ?? new FacePool({ workers: 1 })
  const { description } = pool
  const { kind, modelId, name } = description
  const store = openStore({ folder: options.dataDir, code, model: description, clock, pictureQuota: options.pictureQuota })
  store.prune()
  const renewing = store.holdings.renewing()
  if (renewing) log(`The faces held are none of the face engine "${name}" (${modelId}): ${renewing.total} persons are fetched anew, and not recognised before.`)

  let engine: TerminalState['engine']['state'] = 'loading'
  const loading = pool.ready().then(
    () => void (engine = 'ready'),
    (error: unknown) => {
      engine = 'failed'
      log(`The face engine does not start: ${error instanceof Error ? error.message : String(error)}`)
    },
  )

  let broadcast: Broadcast | null = null
  let announcement: NodeJS.Timeout | undefined
  function announce(): void {
    if (announcement) return
    announcement = setTimeout(() => {
      announcement = undefined
      broadcast?.send('state', state())
    }, COALESCE)
    announcement.unref()
  }
  void loading.then(announce)

  const door = createDoor({ output: options.door ?? simulatedLock(), openFor: options.doorOpenFor ?? 5_000, onChange: announce, log })
  const device = startDevice({
    server: options.server,
    code,
    secret,
    store,
    modelId,
    version: TERMINAL_VERSION,
    clock,
    log,
    operateDoor: (operateType) => door.operate(operateType),
    embed: embedderOf(pool, loading),
    retry: options.retry,
    resendAfter: options.resendAfter,
    onChange: announce,
  })
  const decider = createDecider({ holdings: store.holdings, engine: description, client: device.client, online: device.isOnline })
  const passage = createPassage({
    pool,
    decider,
    store,
    device,
    door,
    clock,
    log,
    onVerdict(verdict) {
      broadcast?.send('verdict', verdict)
      announce()
    },
    onPicture: (recordId, image) => broadcast?.send('picture', { recordId, image: `data:image/webp;base64,${Buffer.from(image).toString('base64')}` }),
  })
  const queue = createFrameQueue()
  const pruning = setInterval(() => store.prune(), HOUR)
  pruning.unref()

  function state(): TerminalState {
    const { link, clockOffset, queue: waiting } = device.state()
    const { holdings } = store
    return {
      version: TERMINAL_VERSION,
      code,
      device: holdings.settings(),
      link,
      clockOffset,
      door: door.state(),
      held: { revision: holdings.revision(), ...holdings.counts(), faces: holdings.faces(), renewing: holdings.renewing() },
      queue: { ...waiting, picturesLost: passage.picturesLost() },
      engine: { kind, modelId, name, tellsLiving: description.livenessModelId !== null, state: engine },
      storageWorks: passage.storageWorks(),
      time: clock(),
    }
  }

  const http = createHttpServer(log)
  serveFrames(http, { queue, passage, allowFrames, engineWorks: () => engine !== 'failed' })
  broadcast = serveEvents(http, { allowFrames, first: () => [['state', state()]] })
  servePage(http)
  http.get('/state', async () => state())

  async function stop(): Promise<void> {
    clearInterval(pruning)
    clearTimeout(announcement)
    broadcast?.close()
    broadcast = null
    await http.close()
    await device.stop()
    door.stop()
    await loading
    await passage.settled()
    if (!options.pool) await pool.close()
    store.close()
  }

  try {
    await http.listen({ host, port: options.port ?? 8081 })
  } catch (error) {
    await stop()
    throw error
  }
  const { port } = http.server.address() as AddressInfo
  return { port, url: `http://${urlHost(host)}:${port}/`, state, look: (photo) => queue.picture(() => passage.look(photo, { stream: false })), ready: () => loading, stop }
}

/** A host as a browser on this machine can open it. */
function urlHost(host: string): string {
  if (host === '0.0.0.0' || host === '::') return 'localhost'
  return host.includes(':') ? `[${host}]` : host
}
