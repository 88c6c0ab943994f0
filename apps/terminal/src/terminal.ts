/** One software face terminal, put together. */
import type { AddressInfo } from 'node:net'
import { FacePool, type EngineDescription } from '@gatehouse/face-engine'
import { configurationCalls } from '@gatehouse/contract/configuration/calls'
import type { Manifest } from '@gatehouse/contract/device/protocol'
import { deviceLicense } from '@gatehouse/contract/enums'
import type { ResourceUsage } from '@gatehouse/contract/maintenance/resources'
import { TERMINAL_PACKAGE } from '@gatehouse/contract/upgrades/package'
import { cameraAddress } from './camera/address.ts'
import { attachCamera } from './camera/attach.ts'
import { findFfmpeg } from './camera/ffmpeg.ts'
import type { CameraSource, CameraState } from './camera/source.ts'
import { createCollector } from './collector/collector.ts'
import { createLoopback } from './collector/loopback.ts'
import type { CollectorReaders } from './collector/readers.ts'
import { holdingsWith, withoutLocalIds } from './console/at-the-door.ts'
import { attachConsole, type ConsoleOptions } from './console/attach.ts'
import { openLocalPeople } from './console/local-people.ts'
import { tapReaders } from './console/reader-tap.ts'
import { createFrameQueue } from './passage/camera.ts'
import { createDecider } from './passage/decision.ts'
import { createDoor, simulatedLock, type DoorOutput, type DoorState } from './door/door.ts'
import { startDevice, type DeviceOptions } from './device/device.ts'
import { TAMPERED } from './device/held-persons.ts'
import type { LinkState } from './device/link.ts'
import { originAsked, proveServer, type ServerSecurity } from './device/sign-in.ts'
import { createPassage, type Verdict } from './passage/passage.ts'
import { createSecrets, type Secrets } from './passage/secrets.ts'
import type { Reader } from './readers/reader.ts'
import { takeReaders } from './readers/take-readers.ts'
import { stateFor, verdictFor, type Audience } from './http/disclosure.ts'
import { serveEvents, type Broadcast } from './http/events.ts'
import { serveFrames } from './http/frame.ts'
import { framesKeyOf } from './http/frames-key.ts'
import { serveInputs } from './http/inputs.ts'
import { serveFiles, servePage } from './http/page.ts'
import { createHttpServer } from './http/server.ts'
import { serveUpgrade } from './http/upgrade.ts'
import { embedderOf } from './passage/embed.ts'
import { maintenanceCommands } from './maintenance/commands.ts'
import { createDoorFacts } from './maintenance/door-facts.ts'
import { openLogFile } from './maintenance/log-file.ts'
import { startResourceWatch } from './maintenance/resource-watch.ts'
import { usageOf } from './maintenance/usage.ts'
import { openCheckDetails } from './settings/check-details.ts'
import { openLocalSettings } from './settings/local-settings.ts'
import { isSameHost, startRoaming } from './settings/server-address.ts'
import { surround, type Surroundings, type SurroundingsOptions, type SurroundingsState } from './settings/surroundings.ts'
import { openStore } from './store/store.ts'
import { createUpgradeAgent, type UpgradeShown } from './upgrade/agent.ts'
import type { UpgradePlace } from './upgrade/place.ts'

export { CameraUnusable } from './camera/address.ts'
export { StoreUnusable } from './device/store.ts'
export type { LinkKind, LinkState } from './device/link.ts'
export type { DoorOutput, DoorState } from './door/door.ts'
export type { ToldVerdict } from './http/disclosure.ts'
export type { Verdict } from './passage/passage.ts'

export const TERMINAL_VERSION = '0.1.0'

/** Persons it has room for, with their faces in memory. */
const CAPACITY = 50_000

export interface TerminalOptions extends SurroundingsOptions, ConsoleOptions {
  /** Address of the Gatehouse server, such as `https://gate.example:8080`. */
  server: string
  code: string
  secret: string
  /** Folder for everything it keeps. */
  dataDir: string
  /** Where the key of that folder lies; in the folder unless told. */
  dataKeyFile?: string | undefined
  /** 8081 unless told; 0 takes a free one. */
  port?: number
  /** 127.0.0.1 unless told. */
  host?: string
  /** Take pictures from other machines that have the key, and show them who passes. */
  allowFrames?: boolean
  /** File with that key; one of the data folder, made at the first start, unless told. */
  framesKeyFile?: string | undefined
  /** Open the console to other machines too. */
  allowConsole?: boolean
  /** Names and addresses it is reached by besides those of this machine; requests under any other name are refused. */
  allowHosts?: readonly string[]
  /** An engine shared with others, which is then theirs to close. */
  pool?: Pick<FacePool, 'analyse' | 'ready' | 'close' | 'modelId' | 'description'>
  clock?: () => number
  log?: (sentence: string) => void
  door?: DoorOutput
  /** Address of a camera, such as `rtsp://user:password@192.168.1.40:554/stream`; its pictures come by the program ffmpeg. */
  camera?: string
  /** Milliseconds the camera may send no picture before it is away; 15 s unless told. */
  cameraSilence?: number
  /** Readers of cards, ID cards and hands; `POST /input/…` takes what others say. */
  readers?: readonly Reader[]
  /** What it enrols cards and palms by and writes cards with; `POST /collector/…` takes what others say. */
  collector?: Partial<CollectorReaders>
  /** Milliseconds the door stays open after a passage. */
  doorOpenFor?: number
  /** Bytes the pictures waiting here may take. */
  pictureQuota?: number
  retry?: DeviceOptions['retry']
  /** For a broker over TLS whose authority is not a usual one, or that asks for a certificate. */
  brokerTls?: DeviceOptions['tls']
  /** What the program calls itself; the version of this source unless told. */
  version?: string
  /** Number of the face models it runs with, where they came as a package. */
  algorithmVersion?: string
  /** Where upgrades are put in place; absent: this terminal is upgraded by other means. `proven`: nobody goes back from this version any more. */
  upgrades?: { place: UpgradePlace; proven: Promise<void> }
  /** Milliseconds to be online at another address of the server, and until one that failed is tried again; a minute and ten unless told. */
  serverPatience?: { online: number; again: number }
  /** Milliseconds without an acknowledgement after which records are sent again. */
  resendAfter?: number
  /** What is in use of processor, memory and disk; of this machine unless told. */
  usage?: () => Promise<ResourceUsage>
  /** Milliseconds between looks at it; a minute unless told. */
  usageEvery?: number
}

/** What the terminal says of itself, without a word about anybody who passes. */
export interface TerminalState extends SurroundingsState {
  version: string
  code: string
  /** Null until the server said who this is. */
  device:
    | (Pick<Manifest['settings'], 'deviceId' | 'name' | 'direction' | 'zone' | 'liveness'> & {
        /** What a face must reach now, whether it was sent, set here, or is worked out for the faces held. */
        threshold: number
      })
    | null
  link: LinkState
  /** Security of the connection to the server; null before the first one. */
  security: ServerSecurity | null
  /** Server's clock minus this one's, in milliseconds. */
  clockOffset: number | null
  door: DoorState
  /** `renewing`: after a change of the engine, how many persons of how many it can recognise by now; null when all were tried. */
  held: { revision: string; persons: number; faces: number; failed: number; renewing: { ready: number; total: number } | null }
  queue: { records: number; pictures: number; picturesLost: number }
  /** `tellsLiving`: it can say whether a face is a living one. */
  engine: Pick<EngineDescription, 'kind' | 'modelId' | 'name'> & { tellsLiving: boolean; state: 'loading' | 'ready' | 'failed' }
  /** Of the camera it was started with; null where the screen asks the browser for one. */
  camera: CameraState | null
  /** False after a record could not be written. */
  storageWorks: boolean
  /** The upgrade that is under way; null where there is none. */
  upgrade: UpgradeShown | null
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
  /** Switches the check details of its screen, as its console does. */
  showCheckDetails(on: boolean): void
  /** Which secrets of the server's hold; null where none do. */
  secretsRevision(): string | null
  /** Resolves when its engine has loaded. */
  ready(): Promise<void>
  /** Resolves when the pictures of all passages so far are cut and stored. */
  settled(): Promise<void>
  stop(): Promise<void>
}

const HOUR = 3_600_000
/** Milliseconds within which changes of state reach the screen as one. */
const COALESCE = 50

/**
 * Starts a terminal. It serves its screen and decides at once; the server may come later.
 * @throws StoreUnusable when the data folder cannot be used, CameraUnusable for an unusable camera address or where ffmpeg is not
 *   installed, TypeError for an unusable server address or key of frames, an Error of code EADDRINUSE when the port is taken
 */
export async function startTerminal(options: TerminalOptions): Promise<Terminal> {
  const { code, secret, host = '127.0.0.1', allowFrames = false, clock = Date.now, version = TERMINAL_VERSION, algorithmVersion } = options
  const filmed = options.camera === undefined ? null : cameraAddress(options.camera)
  if (filmed) await findFfmpeg()
  const framesKey = allowFrames ? framesKeyOf(options.dataDir, options.framesKeyFile, options.log ?? (() => {})) : null
  const pool = options.pool ?? new FacePool({ workers: 1 })
  const { description } = pool
  const { kind, modelId, name } = description
  const openedAt = clock()
  const store = openStore({
    folder: options.dataDir,
    keyFile: options.dataKeyFile,
    code,
    model: description,
    clock,
    pictureQuota: options.pictureQuota,
  })
  store.prune()
  const logFile = openLogFile({ folder: options.dataDir, clock })
  const log = (sentence: string): void => {
    logFile.write(sentence)
    options.log?.(sentence)
  }
  const found = store.holdings.tampering()
  if (found !== null && found.at >= openedAt) log(`${TAMPERED} Persons: ${found.persons}; rules: ${found.rules ? 'yes' : 'no'}.`)
  const settings = openLocalSettings({ folder: options.dataDir, fromServer: () => store.holdings.settings()?.configuration, log })
  const renewing = store.holdings.renewing()
  if (renewing)
    log(
      `The faces held are none of the face engine "${name}" (${modelId}): ${renewing.total} persons are fetched anew, and not recognised before.`,
    )

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
      surroundings?.refresh()
      broadcast?.send('state', stateTold)
    }, COALESCE)
    announcement.unref()
  }
  void loading.then(announce)
  const checkDetails = openCheckDetails(options.dataDir, log, announce)

  let surroundings: Surroundings | null = null
  let secretsOf: Pick<Secrets, 'refresh'> | null = null
  const doorFacts = createDoorFacts(() => device.factsChanged())
  const door = createDoor({
    output: options.door ?? simulatedLock(),
    openFor: options.doorOpenFor ?? 5_000,
    onChange(doorState) {
      surroundings?.doorMoved(doorState)
      doorFacts.moved(doorState)
      announce()
    },
    log,
  })
  const loopback = createLoopback()
  const collector = createCollector({
    readers: { card: loopback.card, palm: loopback.palm, port: null, ...options.collector },
    client: () => device.client,
    log,
  })
  /** At a host that somebody set, a certificate of an authority is one of their own. */
  const mustVouch = (server: string): boolean => !isSameHost(server, options.server)
  const connect = (server: string) =>
    startDevice({
      server,
      code,
      secret,
      mustVouch: mustVouch(server),
      store,
      modelId,
      version,
      clock,
      log,
      operateDoor: (operateType) => door.operate(operateType),
      commands: {
        ...maintenanceCommands({
          client: () => device.client,
          watch: () => watch,
          logFile,
          synchronise: () => device.synchronise(),
          onRestart: options.onRestart ?? null,
          log,
        }),
        ...collector,
        upgrade: (argument) => upgrades.command(argument),
      },
      facts: () => ({
        apkName: TERMINAL_PACKAGE,
        ...(algorithmVersion && { algorithmVersion }),
        platform: process.platform,
        license: deviceLicense.present,
        capacity: CAPACITY,
        door: doorFacts.state(),
        ...(store.holdings.tampering() && { storeTampering: store.holdings.tampering()! }),
      }),
      embed: embedderOf(pool, loading),
      tls: options.brokerTls,
      retry: options.retry,
      resendAfter: options.resendAfter,
      onChange() {
        settings.refresh()
        secretsOf?.refresh()
        announce()
      },
    })
  const device = startRoaming({
    base: options.server,
    wish: settings.effective,
    start: connect,
    asked: (server) => originAsked({ server, secret, trust: store }),
    prove: (server, signal) => proveServer({ server, code, secret, trust: store, mustVouch: mustVouch(server) }, signal),
    ...(options.serverPatience && { patience: options.serverPatience }),
    onChange: announce,
    log,
  })
  const watch = startResourceWatch({
    client: device.client,
    online: device.isOnline,
    usage: options.usage ?? usageOf(options.dataDir),
    every: options.usageEvery,
    log,
  })
  /** What the server sends, and where it says nothing what is set here. */
  const inForce = () => {
    const sent = store.holdings.settings()
    return sent && { ...sent, configuration: settings.effective() }
  }
  const secrets = createSecrets({
    store: store.secrets,
    revision: () => (store.holdings.settings() ? (store.holdings.settings()?.secretsRevision ?? '') : undefined),
    fetch: () => device.client.request(configurationCalls.secrets, {}),
    log,
  })
  secretsOf = secrets
  secrets.refresh()
  const people = openLocalPeople(store.database, store.vault, description, log)
  const everybody = holdingsWith(store.holdings, people)
  const decider = withoutLocalIds(
    createDecider({
      holdings: everybody,
      engine: description,
      client: device.client,
      online: device.isOnline,
      isDevicePassword: secrets.isDevicePassword,
    }),
    people,
  )
  /** What a face must reach now; null before the first settings. */
  const asked = () => {
    const now = inForce()
    return now && decider.asked(now)
  }
  const passage = createPassage({
    pool,
    decider,
    settings: inForce,
    store,
    device,
    door,
    clock,
    log,
    onAwaiting(awaiting) {
      surroundings?.somebody()
      broadcast?.send('awaiting', () => awaiting)
    },
    onVerdict(verdict) {
      surroundings?.somebody()
      broadcast?.send('verdict', (holdsKey) => verdictTold(numbered(verdict), holdsKey))
      announce()
    },
    onPicture(recordId, image) {
      const picture = { recordId, image: `data:image/webp;base64,${Buffer.from(image).toString('base64')}` }
      broadcast?.send('picture', () => picture)
    },
  })
  const upgrades = createUpgradeAgent({
    place: options.upgrades?.place ?? null,
    ...(options.upgrades && { proven: options.upgrades.proven }),
    client: device.client,
    isOnline: device.isOnline,
    hour: () => hourAt(clock(), store.holdings.settings()?.zone),
    log,
    onChange: announce,
    ...(options.retry && { retry: options.retry }),
  })
  const queue = createFrameQueue()
  let camera: CameraSource | null = null
  const pruning = setInterval(() => store.prune(), HOUR)
  pruning.unref()

  /** A verdict with the number of the person, where the settings let the screen show it. */
  function numbered(verdict: Verdict): Verdict & { workNumber?: string } {
    const isShown = verdict.personId !== null && settings.effective().displayFields.includes('workNumber')
    const workNumber = isShown ? store.holdings.person(verdict.personId!)?.workNumber : undefined
    return workNumber === undefined ? verdict : { ...verdict, workNumber }
  }

  const audienceOf = (holdsKey: boolean): Audience => (holdsKey ? 'program' : checkDetails.shown() ? 'installer' : 'public')
  const verdictTold = (verdict: Verdict, holdsKey: boolean) => verdictFor(verdict, audienceOf(holdsKey), settings.effective().displayFields)
  const stateTold = (holdsKey: boolean) => stateFor(state(), audienceOf(holdsKey), checkDetails.shown())

  function state(): TerminalState {
    const { link, security, clockOffset, queue: waiting } = device.state()
    const { holdings } = store
    const sent = holdings.settings()
    return {
      version,
      code,
      device: sent && { ...sent, threshold: asked()!.face },
      link,
      security,
      clockOffset,
      door: door.state(),
      held: { revision: holdings.revision(), ...holdings.counts(), faces: holdings.faces(), renewing: holdings.renewing() },
      queue: { ...waiting, picturesLost: passage.picturesLost() },
      engine: { kind, modelId, name, tellsLiving: description.livenessModelId !== null, state: engine },
      camera: camera?.state() ?? null,
      storageWorks: passage.storageWorks(),
      upgrade: upgrades.shown(),
      time: clock(),
      ...surroundings!.state(),
    }
  }

  const http = createHttpServer({
    log,
    allowFrames,
    allowConsole: options.allowConsole ?? false,
    allowHosts: options.allowHosts ?? [],
    framesKey,
  })
  const around = surround({
    options,
    folder: options.dataDir,
    settings,
    zone: () => store.holdings.settings()?.zone,
    door,
    device,
    http,
    busy: () => (upgrades.shown()?.step ?? 'prompt') !== 'prompt',
    clock,
    log,
    onChange: announce,
  })
  surroundings = around
  /** A face before the camera is somebody, also one that was decided about a moment ago. */
  const watched: typeof passage = {
    ...passage,
    async look(photo, how) {
      const verdict = await passage.look(photo, how)
      if (verdict.reason === null) around.somebody()
      return numbered(verdict)
    },
  }
  serveFrames(http, { queue, passage: watched, engineWorks: () => engine !== 'failed', told: verdictTold })
  if (filmed)
    camera = attachCamera(http, {
      address: filmed,
      silence: options.cameraSilence,
      retry: options.retry,
      queue,
      look: (jpeg) => watched.look(jpeg, { stream: true }),
      engineWorks: () => engine === 'ready',
      onState: announce,
      log,
    })
  serveInputs(http, { queue, passage: watched, cardNumberFormat: () => settings.effective().cardNumberFormat, told: verdictTold })
  const tapped = tapReaders(options.readers ?? [])
  const stopReaders = takeReaders(tapped.readers, { queue, passage: watched, log })
  broadcast = serveEvents(http, {
    first: (holdsKey) => [
      ['state', stateTold(holdsKey)],
      ['awaiting', passage.awaiting()],
    ],
  })
  serveUpgrade(http, { agent: upgrades })
  loopback.serve(http)
  servePage(http)
  serveFiles(http, around.files)
  http.get('/state', { config: { reach: 'everybody' } }, async ({ holdsKey = false }) => stateTold(holdsKey))
  const attached = await attachConsole(http, {
    options,
    people,
    holdings: everybody,
    asked,
    store,
    settings,
    checkDetails,
    device,
    secrets,
    surroundings: around,
    pool,
    engine: description,
    engineState: () => engine,
    loading,
    wiegand: tapped.probe,
    version,
    capacity: CAPACITY,
    clock,
    log,
  })

  async function stop(): Promise<void> {
    clearInterval(pruning)
    clearTimeout(announcement)
    broadcast?.close()
    broadcast = null
    stopReaders()
    await camera?.stop()
    watch.stop()
    doorFacts.stop()
    secrets.stop()
    passage.stop()
    await http.close()
    await attached.stop()
    await around.stop()
    await upgrades.stop()
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
  return {
    port,
    url: `http://${urlHost(host)}:${port}/`,
    state,
    look: (photo) => queue.picture(() => watched.look(photo, { stream: false })),
    showCheckDetails: checkDetails.show,
    secretsRevision: () => secrets.current()?.revision ?? null,
    ready: () => loading,
    settled: passage.settled,
    stop,
  }
}

/** Hour of the day in a zone; null where the zone is not known yet. */
const hourAt = (moment: number, zone: string | undefined): number | null =>
  zone === undefined ? null : Number(new Intl.DateTimeFormat('en', { hour: 'numeric', hourCycle: 'h23', timeZone: zone }).format(moment))

/** A host as a browser on this machine can open it. */
function urlHost(host: string): string {
  if (host === '0.0.0.0' || host === '::') return 'localhost'
  return host.includes(':') ? `[${host}]` : host
}
