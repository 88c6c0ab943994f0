/** Puts the console of a terminal together from the terminal's own parts. */
import { cardNumberOf, type AccessDevice } from '@gatehouse/access-rules'
import type { EngineDescription, FacePool } from '@gatehouse/face-engine'
import type { FastifyInstance } from 'fastify'
import { openAccount } from './account.ts'
import { serveConsole } from './console.ts'
import type { TemperatureProbe, WiegandProbe } from './detection.ts'
import type { InstallPackage, UpgradeKeys } from './device.ts'
import { createFaceReader } from './face-reader.ts'
import { createKeptRecords } from './kept-records.ts'
import { createConsolePassword } from '../store/console-password.ts'
import type { LocalPeople } from './local-people.ts'
import type { WifiControl } from './network.ts'
import type { ScreenSaverPicture } from './screen-saver.ts'
import type { SetClock } from './time.ts'
import type { Device } from '../device/device.ts'
import { embedderOf } from '../passage/embed.ts'
import type { Secrets } from '../passage/secrets.ts'
import type { CheckDetails } from '../settings/check-details.ts'
import type { SettingFiles } from '../settings/files.ts'
import type { LocalSettings } from '../settings/local-settings.ts'
import type { Surroundings, SurroundingsOptions } from '../settings/surroundings.ts'
import type { SearchableHoldings } from '../store/holdings.ts'
import type { TerminalStore } from '../store/store.ts'
import { decodeTemplate } from '../store/template.ts'

/** What the machine offers the console; what is absent, the console says so. */
export interface ConsoleOptions {
  /** Puts a package that is handed in there in place; absent: this terminal is upgraded by other means. */
  installPackage?: InstallPackage
  /** Whose packages are taken there; absent with `installPackage`. */
  upgradeKeys?: UpgradeKeys
  /** Sets the clock of the machine. */
  setClock?: SetClock
  /** Wireless networks of the machine. */
  wifi?: WifiControl
  temperature?: TemperatureProbe
  /** Persons it has room for, those of the server and those registered here; as many as the terminal has unless told. */
  peopleCapacity?: number
}

export interface AttachParts {
  options: ConsoleOptions &
    Pick<SurroundingsOptions, 'network' | 'onRestart'> & { dataDir: string; code: string; log?: (sentence: string) => void }
  people: LocalPeople
  /** In which the people of the server and those registered here are found. */
  holdings: SearchableHoldings
  /** What a face must reach now; null before the first settings. */
  asked: () => AccessDevice['thresholds'] | null
  store: TerminalStore
  settings: LocalSettings
  checkDetails: CheckDetails
  device: Device
  secrets: Pick<Secrets, 'current'>
  surroundings: Pick<Surroundings, 'files' | 'clockWatch' | 'state'>
  pool: Pick<FacePool, 'analyse'>
  engine: EngineDescription
  engineState: () => string
  /** Resolves when the engine has started, or never will. */
  loading: Promise<void>
  wiegand: WiegandProbe | null
  version: string
  /** Persons there is room for. */
  capacity: number
  clock: () => number
  log: (sentence: string) => void
}

export interface AttachedConsole {
  stop(): Promise<void>
}

/** Serves the console of a terminal; the first time its password is made. */
export async function attachConsole(http: FastifyInstance, parts: AttachParts): Promise<AttachedConsole> {
  const {
    options,
    people,
    holdings,
    asked,
    store,
    settings,
    checkDetails,
    device,
    secrets,
    surroundings,
    pool,
    engine,
    engineState,
    loading,
    wiegand,
    version,
    capacity,
    clock,
    log,
  } = parts
  const startedAt = clock()
  const stopping = new AbortController()
  const embed = embedderOf(pool, loading)
  let renewing: Promise<void> = Promise.resolve()

  function renew(): void {
    const anew = async (picture: Uint8Array) => {
      const template = await embed(picture)
      return template === null ? null : decodeTemplate(template, engine.dimensions)
    }
    renewing = renewing
      .then(() => loading)
      .then(() => (engineState() === 'ready' ? people.renew(anew, stopping.signal) : undefined))
      .catch((error: unknown) =>
        log(
          `The people registered at this terminal could not be made recognisable anew: ${error instanceof Error ? error.message : String(error)}`,
        ),
      )
  }
  renew()

  const { onRestart } = options
  const account = await openAccount({
    password: createConsolePassword(store.database, store.vault),
    setName: () => settings.effective().consoleAccount,
    ofServer: () => secrets.current()?.console ?? null,
    // To whoever started the terminal, and nobody else: the log file is sent to the server when it asks.
    log: options.log ?? (() => {}),
  })
  const served = serveConsole(http, {
    dataDir: options.dataDir,
    account,
    settings,
    asked,
    checkDetails,
    people,
    reader: createFaceReader(pool, loading),
    cardNumber: (text) => cardNumberOf(text, settings.effective().cardNumberFormat),
    cardHeld: (card) => store.holdings.credentials.holderOf('card', card) !== null,
    room: () => Math.max(0, (options.peopleCapacity ?? capacity) - store.holdings.counts().persons - people.size()),
    clock,
    log,
    facts() {
      const { link, queue } = device.state()
      return {
        code: options.code,
        name: store.holdings.settings()?.name ?? null,
        version,
        engine: { name: engine.name, modelId: engine.modelId },
        link: link.kind,
        persons: store.holdings.counts().persons,
        localPeople: people.size(),
        faces: holdings.faces(),
        records: queue.records,
        pictures: queue.pictures,
        startedAt,
      }
    },
    restart: onRestart ? () => onRestart() : null,
    installPackage: options.installPackage ?? null,
    upgradeKeys: options.upgradeKeys ?? null,
    holdings,
    engine: () => ({
      name: engine.name,
      modelId: engine.modelId,
      state: engineState(),
      tellsLiving: engine.livenessModelId !== null,
      calibration: engine.calibration,
    }),
    temperature: options.temperature ?? null,
    wiegand,
    zone: () => surroundings.state().zone ?? undefined,
    timeServer: surroundings.clockWatch,
    setClock: options.setClock ?? null,
    network: { state: () => surroundings.state().network, manages: options.network?.manages ?? false },
    wifi: options.wifi ?? null,
    client: device.client,
    online: device.isOnline,
    security: () => device.state().security,
    choice: () => surroundings.state().server,
    screenSaver: pictureOf(settings, surroundings.files),
    records: createKeptRecords(store.database, store.vault),
    deviceId: store.deviceId,
    model: engine,
    onForeignTemplates: renew,
  })

  return {
    async stop() {
      stopping.abort()
      served.stop()
      await renewing
    },
  }
}

/** The picture the settings name. */
const pictureOf = (settings: LocalSettings, files: SettingFiles): ScreenSaverPicture => ({
  read() {
    const { screenSaver } = settings.effective()
    return screenSaver === null ? null : (files.read(screenSaver)?.bytes ?? null)
  },
  keep: (png) => settings.set({ screenSaver: files.put(png) }),
  remove: () => settings.set({ screenSaver: null }),
})
