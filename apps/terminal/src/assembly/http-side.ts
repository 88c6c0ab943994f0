/** The part of a terminal that is reached over HTTP: screen, console, programs, and the surroundings of the passage. */
import type { FacePool } from '@gatehouse/face-engine'
import type { FastifyInstance } from 'fastify'
import type { CameraAddress } from '../camera/address.ts'
import type { CodeWatch } from '../camera/code-watch.ts'
import { attachConsole, type AttachedConsole } from '../console/attach.ts'
import type { framesKeyOf } from '../http/frames-key.ts'
import { createEventReport } from '../door/event-report.ts'
import { createHttpServer } from '../http/server.ts'
import type { FrameQueue } from '../passage/camera.ts'
import type { Passage } from '../passage/passage.ts'
import type { CheckDetails } from '../settings/check-details.ts'
import { surround, type Surroundings } from '../settings/surroundings.ts'
import type { Core, CoreParts } from './core.ts'
import { createDisclosed } from './disclosed.ts'
import { watchCodes } from './code-watch.ts'
import { startServices, type Services } from './services.ts'
import type { TerminalState } from '../state.ts'
import { terminalState } from './state.ts'

export interface HttpSideParts extends Omit<CoreParts, 'pool'> {
  pool: Pick<FacePool, 'analyse' | 'description'>
  core: Core
  checkDetails: CheckDetails
  queue: FrameQueue
  /** Address of the camera; null without a camera. */
  cameraAddress: CameraAddress | null
  /** Key for programs that send pictures from other machines; null where none may. */
  framesKey: ReturnType<typeof framesKeyOf> | null
}

export interface HttpSide {
  /** The HTTP server, which does not listen yet. */
  http: FastifyInstance
  surroundings: Surroundings
  services: Services
  attached: AttachedConsole
  /** The passage as the screen shows it. */
  passage: Passage
  codes: Pick<CodeWatch, 'settled'>
  state: () => TerminalState
}

export async function openHttpSide(parts: HttpSideParts): Promise<HttpSide> {
  const { options, version, capacity, clock, folder, pool, engine, announcements, core, checkDetails, queue, cameraAddress, framesKey } =
    parts
  const { store, log, settings } = folder
  const { door, device, decisions, upgrades, loopback } = core
  const { code, allowFrames = false } = options
  const { thresholds } = decisions
  let services: Services | null = null
  const state = (): TerminalState =>
    terminalState({
      version,
      code,
      device,
      holdings: store.holdings,
      thresholds,
      door,
      passage: core.passage,
      description: pool.description,
      engine: engine.state,
      camera: () => services?.camera?.state() ?? null,
      upgrades,
      clock,
      surroundings: () => surroundings,
    })
  const disclosed = createDisclosed({ holdings: store.holdings, settings, checkDetails, state })

  const http = createHttpServer({
    log,
    allowFrames,
    allowConsole: options.allowConsole ?? false,
    allowHosts: options.allowHosts ?? [],
    framesKey,
  })
  const surroundings = surround({
    options,
    folder: options.dataDir,
    settings,
    zone: () => store.holdings.settings()?.zone,
    door,
    device,
    http,
    reportEvent: createEventReport({ device, outbox: store.numbered, picture: () => services?.camera?.latest() ?? null }),
    busy: () => (upgrades.shown()?.step ?? 'prompt') !== 'prompt',
    clock,
    log,
    onChange: announcements.stateChanged,
  })
  announcements.toSurroundings(surroundings)
  const codes = watchCodes({ core, log })
  /** A face before the camera counts as somebody present, even if it was decided about a moment ago. */
  const passage: Passage = {
    ...core.passage,
    async look(photo, how) {
      if (how.stream) codes.take(photo)
      const verdict = await core.passage.look(photo, how)
      if (verdict.reason === null) surroundings.somebody()
      return disclosed.numbered(verdict)
    },
  }
  const { files } = surroundings
  services = startServices(http, {
    options,
    cameraAddress,
    queue,
    passage,
    engine,
    disclosed,
    settings,
    files,
    upgrades,
    loopback,
    announce: announcements.stateChanged,
    log,
  })
  announcements.toScreens(services.broadcast, disclosed)
  const { wiegand } = services
  const attached = await attachConsole(http, {
    options,
    people: decisions.people,
    holdings: decisions.everybody,
    thresholds,
    store,
    settings,
    checkDetails,
    device,
    secrets: decisions.secrets,
    surroundings,
    pool,
    engine: pool.description,
    engineState: engine.state,
    loading: engine.loading,
    wiegand,
    version,
    capacity: capacity,
    clock,
    log,
  })
  return { http, surroundings, services, attached, passage, codes, state }
}
