/** The console of a terminal, assembled from the terminal's own parts. */
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

/** Capabilities of the machine that the console offers. The console shows which ones are absent. */
export interface ConsoleOptions {
  /** Install a package handed in at the console; absent if this terminal is upgraded by other means. */
  installPackage?: InstallPackage
  /** Keys whose packages are accepted; absent together with `installPackage`. */
  upgradeKeys?: UpgradeKeys
  /** Set the clock of the machine. */
  setClock?: SetClock
  /** Wireless networks of the machine. */
  wifi?: WifiControl
  temperature?: TemperatureProbe
  /** Number of persons that fit, sent by the server and registered here together; default: the terminal's own capacity. */
  peopleCapacity?: number
}

export interface AttachParts {
  options: ConsoleOptions &
    Pick<SurroundingsOptions, 'network' | 'onRestart'> & { dataDir: string; code: string; log?: (sentence: string) => void }
  people: LocalPeople
  /** The people sent by the server and those registered here. */
  holdings: SearchableHoldings
  /** The scores a face must reach at present; null before the first settings. */
  thresholds: () => AccessDevice['thresholds'] | null
  store: TerminalStore
  settings: LocalSettings
  checkDetails: CheckDetails
  device: Device
  secrets: Pick<Secrets, 'current'>
  surroundings: Pick<Surroundings, 'files' | 'clockWatch' | 'state'>
  pool: Pick<FacePool, 'analyse'>
  engine: EngineDescription
  engineState: () => string
  /** Resolves when the engine has started, or has failed to. */
  loading: Promise<void>
  wiegand: WiegandProbe | null
  version: string
  /** Number of persons the terminal can store. */
  capacity: number
  clock: () => number
  log: (sentence: string) => void
}

export interface AttachedConsole {
  stop(): Promise<void>
}

/** Serve the console of a terminal. Its password is generated the first time. */
export async function attachConsole(http: FastifyInstance, parts: AttachParts): Promise<AttachedConsole> {
  const {
    options,
    people,
    holdings,
    thresholds,
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
    const embeddingOf = async (picture: Uint8Array) => {
      const template = await embed(picture)
      return template === null ? null : decodeTemplate(template, engine.dimensions)
    }
    renewing = renewing
      .then(() => loading)
      .then(() => (engineState() === 'ready' ? people.renew(embeddingOf, stopping.signal) : undefined))
      .catch((error: unknown) =>
        log(
          'The people registered at this terminal could not be made recognisable anew: ' +
            (error instanceof Error ? error.message : String(error)),
        ),
      )
  }
  renew()

  const { onRestart } = options
  const account = await openAccount({
    password: createConsolePassword(store.database, store.vault),
    setName: () => settings.effective().consoleAccount,
    ofServer: () => secrets.current()?.console ?? null,
    // The password goes only to the log of the person who started the terminal: the log file is sent to the server on request.
    log: options.log ?? (() => {}),
  })
  const served = serveConsole(http, {
    dataDir: options.dataDir,
    account,
    settings,
    thresholds,
    checkDetails,
    people,
    reader: createFaceReader(pool, loading),
    cardNumber: (text) => cardNumberOf(text, settings.effective().cardNumberFormat),
    isCardTaken: (card) => store.holdings.credentials.holderOf('card', card) !== null,
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
