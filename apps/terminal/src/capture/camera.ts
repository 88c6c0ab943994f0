/**
 * A capture camera, the second role of this program: faces that pass before a network camera, a camera of a browser, or in pictures, are
 * captured and sent to the server, which compares them. The camera itself compares nobody.
 */
import type { AddressInfo } from 'node:net'
import { distanceOf, distanceOfScore, FacePool, recommendedScore, type EngineDescription } from '@gatehouse/face-engine'
import { openDataFolder } from '../assembly/data-folder.ts'
import { loadEngine } from '../assembly/engine.ts'
import { createBackoff } from '../async/backoff.ts'
import { cameraAddress, type CameraAddress } from '../camera/address.ts'
import { RETRY, SILENCE } from '../camera/attach.ts'
import { findFfmpeg } from '../camera/ffmpeg.ts'
import { startSource, type CameraSource } from '../camera/source.ts'
import { serveViewers } from '../camera/viewers.ts'
import { framesKeyOf } from '../http/frames-key.ts'
import { createHttpServer } from '../http/server.ts'
import { urlHost } from '../http/url-host.ts'
import { createFrameQueue } from '../passage/camera.ts'
import { dropMeta, readMeta, writeMeta } from '../store/meta.ts'
import type { TerminalStore } from '../store/store.ts'
import { serveCaptureConsole } from './console.ts'
import { startCaptureDevice } from './device.ts'
import { takeFolder } from './folder.ts'
import { createCaptureKeeping } from './keeping.ts'
import type { CaptureCamera, CaptureCameraOptions, CaptureCameraState } from './options.ts'
import { serveCapturePage } from './page.ts'
import { createPassersBy } from './passers-by.ts'
import { createPassingCaptures, type PassingCaptures } from './passing.ts'
import { serveCaptureCalls } from './routes.ts'
import { openCaptureSettings } from './settings.ts'
import { capturesOf } from './stills.ts'
import { createCaptureStore } from './storing.ts'
import { createStream, type Stream } from './stream.ts'

export type { CaptureCamera, CaptureCameraOptions, CaptureCameraState } from './options.ts'

/** Most pictures a second that are taken from a camera. */
const PICTURES_PER_SECOND = 25
/** Milliseconds before the start within which somebody was captured who may still be in view. */
const RESTART = 30_000
/** Milliseconds between two pictures for the page. */
const SHOWN_EVERY = 120
/** Name under which the picture of the folder that is being taken is stored. */
const PICTURE = 'capturePicture'
/** Name under which it is stored how many captures were lost. */
const LOST = 'lostCaptures'

/**
 * Start a capture camera. It captures at once, even before the server is reached.
 * @throws StoreUnusable when the data folder cannot be used, CameraUnusable for an unusable camera address or folder or if ffmpeg is not
 *   installed, TypeError for an unusable server address or key of frames, an Error of code EADDRINUSE when the port is taken
 */
export async function startCaptureCamera(options: CaptureCameraOptions & { version: string }): Promise<CaptureCamera> {
  const { host = '127.0.0.1', allowFrames = false, clock = Date.now, version, code } = options
  const address = options.camera === undefined ? null : cameraAddress(options.camera)
  if (address) await findFfmpeg()
  const framesKey = allowFrames ? framesKeyOf(options.dataDir, options.framesKeyFile, options.log ?? (() => {})) : null
  const pool = options.pool ?? new FacePool({ workers: 1 })
  const { modelId } = pool
  const folder = openDataFolder(options, pool.description, clock)
  const { store, log, settings } = folder
  const engine = loadEngine(pool, log)
  const captureSettings = openCaptureSettings(options.dataDir, log)
  let secrets: Awaited<ReturnType<typeof serveCaptureConsole>> | null = null
  const keeping = createCaptureKeeping(store, clock)
  let passing: PassingCaptures | null = null
  const device = startCaptureDevice({
    options,
    version,
    modelId,
    clock,
    folder,
    onChange() {
      settings.refresh()
      secrets?.refresh()
      passing?.connectionChanged()
      keeping.forget()
    },
  })
  passing = passingWith(device, { modelId, clock, mark: markOf(store.database, LOST), retryAfter: options.retry?.first, log })
  const captures = createCaptureStore(device, store.numbered, pool.description, passing, keeping.isMatchedOnly)
  const queue = createFrameQueue()
  const engineWorks = () => engine.state() === 'ready'
  const stills = { pool, settings: captureSettings.current }
  const stream = createStream({
    queue,
    passersBy: createPassersBy({
      ...stills,
      isSameFace: sameFaceOf(pool.description),
      epochOf: (takenAt) => Math.round(clock() - (performance.now() - takenAt)),
      capturedBefore: captures.embeddingsSince(clock() - RESTART),
      take: captures.take,
    }),
    engineWorks,
    log,
  })

  const http = createHttpServer({
    log,
    allowFrames,
    allowConsole: options.allowConsole ?? false,
    allowHosts: options.allowHosts ?? [],
    framesKey,
  })
  let source: FilmSource | null = null
  const state = (): CaptureCameraState => {
    const sent = store.holdings.settings()
    const { kind, name } = pool.description
    return {
      version,
      code,
      device: sent && { deviceId: sent.deviceId, name: sent.name, zone: sent.zone },
      link: device.state().link,
      engine: { kind, modelId, name, state: engine.state() },
      camera: source?.state() ?? null,
      stream: stream.state(),
      ...captures.state(),
      time: clock(),
    }
  }
  const capturesIn = (picture: Uint8Array) => capturesOf(stills, picture, clock())
  serveCaptureCalls(http, { queue, stream, engineWorks, capturesOf: capturesIn, take: captures.take, state })
  serveCapturePage(http)
  secrets = await serveCaptureConsole(http, {
    folder,
    device,
    captureSettings,
    clock,
    sayOnce: options.log ?? (() => {}),
    log,
  })
  if (address) source = filmWith({ http, address, options, stream, clock, log })
  const pictures =
    options.folder === undefined
      ? null
      : takeFolder({
          folder: options.folder,
          async capturesOf(picture) {
            await engine.loading
            return queue.picture(() => capturesIn(picture))
          },
          take: (capture, mark) => captures.take(capture, () => writeMeta(store.database, PICTURE, mark)),
          mark: markOf(store.database, PICTURE),
          keepsTaken: () => !keeping.isMatchedOnly(),
          every: options.folderEvery,
          log,
        })

  async function stop(): Promise<void> {
    keeping.stop()
    await source?.stop()
    await pictures?.stop()
    await stream.stop()
    await http.close()
    secrets?.stop()
    await passing?.stop()
    await device.stop()
    await engine.loading
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
  return { port, url: `http://${urlHost(host)}:${port}/`, state, ready: () => engine.loading, stop }
}

/** Whether two templates are as near as the engine recommends for a watch list: few are compared, and a face may be cut off by the edge. */
function sameFaceOf({ modelId, calibration }: EngineDescription): (one: Float32Array, other: Float32Array) => boolean {
  const within = distanceOfScore(calibration, recommendedScore(calibration, 'watchList'))
  return (one, other) => distanceOf({ modelId, embedding: one }, { modelId, embedding: other }) <= within
}

/** Return a single value of the store, by its name. */
const markOf = (database: TerminalStore['database'], name: string) => ({
  read: () => readMeta(database, name),
  write: (text: string) => writeMeta(database, name, text),
  clear: () => dropMeta(database, name),
})

const passingWith = (
  { client, isOnline }: ReturnType<typeof startCaptureDevice>,
  parts: Omit<Parameters<typeof createPassingCaptures>[0], 'client' | 'isOnline'>,
): PassingCaptures => createPassingCaptures({ client, isOnline, ...parts })

interface FilmParts {
  http: Parameters<typeof serveViewers>[0]
  address: CameraAddress
  options: Pick<CaptureCameraOptions, 'cameraSilence' | 'retry'>
  stream: Pick<Stream, 'take'>
  clock: () => number
  log: (sentence: string) => void
}

interface FilmSource extends Pick<CameraSource, 'stop'> {
  state(): NonNullable<CaptureCameraState['camera']>
}

/** Start a camera of the network: its pictures go to the stream, and some of them to the page. */
function filmWith({ http, address, options, stream, clock, log }: FilmParts): FilmSource {
  let shownAt = -Infinity
  let since = clock()
  const { first, limit } = options.retry ?? RETRY
  const viewers = serveViewers(http, { isLive: () => source.state().state === 'live' })
  const source = startSource({
    address,
    silence: options.cameraSilence ?? SILENCE,
    picturesPerSecond: PICTURES_PER_SECOND,
    backoff: createBackoff(first, limit, Math.random),
    onPicture(jpeg) {
      stream.take(jpeg)
      if (performance.now() - shownAt < SHOWN_EVERY) return
      shownAt = performance.now()
      viewers.show(jpeg)
    },
    onState({ state }) {
      since = clock()
      if (state !== 'live') viewers.clear()
    },
    log,
  })
  return {
    state: () => ({ ...source.state(), since }),
    async stop() {
      viewers.clear()
      await source.stop()
    },
  }
}
