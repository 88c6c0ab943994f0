/** One software face terminal, assembled from its parts. */
import type { AddressInfo } from 'node:net'
import { FacePool } from '@gatehouse/face-engine'
import { createAnnouncements } from './assembly/announcements.ts'
import { startCore } from './assembly/core.ts'
import { openDataFolder } from './assembly/data-folder.ts'
import { loadEngine } from './assembly/engine.ts'
import { openHttpSide } from './assembly/http-side.ts'
import { openVisitorMachine } from './assembly/visitor-machine.ts'
import type { TerminalOptions } from './assembly/options.ts'
import type { TerminalState } from './state.ts'
import { cameraAddress } from './camera/address.ts'
import { findFfmpeg } from './camera/ffmpeg.ts'
import { framesKeyOf } from './http/frames-key.ts'
import { urlHost } from './http/url-host.ts'
import { createFrameQueue } from './passage/camera.ts'
import type { Verdict } from './passage/passage.ts'
import { openCheckDetails } from './settings/check-details.ts'

export type { TerminalOptions } from './assembly/options.ts'
export type { TerminalState } from './state.ts'
export { CameraUnusable } from './camera/address.ts'
export { StoreUnusable } from './device/store.ts'
export type { LinkKind, LinkState } from './device/link.ts'
export type { DoorOutput, DoorState } from './door/door.ts'
export type { DisclosedVerdict } from './http/disclosure.ts'
export type { Verdict } from './passage/passage.ts'

export const TERMINAL_VERSION = '0.1.0'

/** Number of persons the terminal can store, with their faces in memory. */
const CAPACITY = 50_000

export interface Terminal {
  port: number
  /** Address of its screen. */
  url: string
  state(): TerminalState
  /** Process a picture, as `POST /frame` does. */
  look(photo: Uint8Array): Promise<Verdict>
  /** Switch the check details of its screen, as its console does. */
  showCheckDetails(on: boolean): void
  /** Return the revision of the server's secrets in force; null if there are none. */
  secretsRevision(): string | null
  /** Resolves when its engine has loaded. */
  ready(): Promise<void>
  /** Resolves when the pictures of all passages so far are cropped and stored. */
  settled(): Promise<void>
  stop(): Promise<void>
}

const HOUR = 3_600_000

/**
 * Start a terminal. It serves its screen and decides at once, even before the server is reached.
 * @throws StoreUnusable when the data folder cannot be used, CameraUnusable for an unusable camera address or if ffmpeg is not installed,
 *   TypeError for an unusable server address or key of frames, an Error of code EADDRINUSE when the port is taken
 */
export async function startTerminal(options: TerminalOptions): Promise<Terminal> {
  const { host = '127.0.0.1', allowFrames = false, clock = Date.now, version = TERMINAL_VERSION } = options
  const filmed = options.camera === undefined ? null : cameraAddress(options.camera)
  if (filmed) await findFfmpeg()
  const framesKey = allowFrames ? framesKeyOf(options.dataDir, options.framesKeyFile, options.log ?? (() => {})) : null
  const pool = options.pool ?? new FacePool({ workers: 1 })
  const folder = openDataFolder(options, pool.description, clock)
  const { store, log } = folder
  const engine = loadEngine(pool, log)
  const announcements = createAnnouncements()
  void engine.loading.then(announcements.stateChanged)
  const checkDetails = openCheckDetails(options.dataDir, log, announcements.stateChanged)
  const core = startCore({ options, version, capacity: CAPACITY, clock, folder, pool, engine, announcements })
  const queue = createFrameQueue()
  const pruning = setInterval(() => store.prune(), HOUR)
  pruning.unref()

  const { http, surroundings, services, attached, passage, codes, state } = await openHttpSide({
    options,
    version,
    capacity: CAPACITY,
    clock,
    folder,
    pool,
    engine,
    announcements,
    core,
    checkDetails,
    queue,
    cameraAddress: filmed,
    framesKey,
  })

  const stopVisitorMachine = openVisitorMachine(http, { options, clock, folder, pool, announcements, core, queue })

  async function stop(): Promise<void> {
    clearInterval(pruning)
    announcements.stop()
    services.stopReaders()
    await services.camera?.stop()
    await codes.settled()
    core.watch.stop()
    core.doorFacts.stop()
    core.decisions.secrets.stop()
    core.passage.stop()
    await http.close()
    await attached.stop()
    await surroundings.stop()
    await core.upgrades.stop()
    await stopVisitorMachine()
    await core.device.stop()
    core.door.stop()
    await engine.loading
    await core.passage.settled()
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
  return {
    port,
    url: `http://${urlHost(host)}:${port}/`,
    state,
    look: (photo) => queue.picture(() => passage.look(photo, { stream: false })),
    showCheckDetails: checkDetails.show,
    secretsRevision: () => core.decisions.secrets.current()?.revision ?? null,
    ready: () => engine.loading,
    settled: core.passage.settled,
    stop,
  }
}
