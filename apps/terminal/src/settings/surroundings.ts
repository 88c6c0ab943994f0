/** The surroundings of the passage, which follow the settings: pins, files, network, time server, restart. */
import type { FastifyInstance } from 'fastify'
import type { TerminalSettings } from '@gatehouse/contract/configuration/settings'
import { configurationCalls } from '@gatehouse/contract/configuration/calls'
import type { Door, DoorState } from '../door/door.ts'
import { openEventList, type DoorEvent, type DoorEventKind, type EventListOptions } from '../door/event-list.ts'
import { servePins, simulatedPins, type Pins } from '../door/pins.ts'
import { createWiring, type Wiring } from '../door/wiring.ts'
import { watchClock, type ClockWatch, type TimeServerState } from './clock-watch.ts'
import { openSettingFiles, type SettingFiles } from './files.ts'
import type { LocalSettings, SettingName, SettingSource } from './local-settings.ts'
import { keepNetwork, unmanagedNetwork, type NetworkControl, type NetworkState } from './network.ts'
import { watchForRestart } from './restart-watch.ts'
import type { RoamingDevice, ServerChoice } from './server-address.ts'
import { zoneShown } from './zone.ts'

export interface SurroundingsOptions {
  /**
   * Inputs and outputs of the board, or `simulated` ones that this machine sets over HTTP at `/pins`. The setting `gpioTypes` says what
   * each one is.
   */
  pins?: Pins | 'simulated'
  /** Milliseconds a door may stand open after it should be closed; default 30 s. */
  doorOvertimeAfter?: number
  /** By default, the machine manages its network itself. */
  network?: NetworkControl
  /** UDP port of time servers; default 123. */
  ntpPort?: number
  /**
   * Called once when a restart is due and nobody is present. The caller stops the terminal and starts it again; without it the terminal
   * never restarts by itself.
   */
  onRestart?: () => void
}

/** State of the surroundings, as part of the terminal's state. */
export interface SurroundingsState {
  /** Values in force and their sources, without the account of the terminal's own console, which stays private. */
  settings: { values: Omit<TerminalSettings, 'consoleAccount'>; sources: Record<SettingName, SettingSource> }
  /** Zone of the time shown, as `Intl` takes it; null: the zone of the machine that shows it. */
  zone: string | null
  server: ServerChoice
  network: NetworkState
  timeServer: TimeServerState | null
  /** Epoch milliseconds from which on a quiet moment for a restart is awaited; null: never. */
  restartAt: number | null
  doorway: {
    /** Why the last movement of the lock failed; null if it succeeded. */
    trouble: string | null
    /** Alarms in force. */
    standing: DoorEventKind[]
    /** Latest events, newest first. */
    events: DoorEvent[]
  }
  /** Paths on this terminal; null if there is none, or none yet. */
  files: { screenSaver: string | null; voice: string | null }
}

export interface Surroundings {
  readonly files: SettingFiles
  readonly clockWatch: ClockWatch
  state(): SurroundingsState
  /** Handle a change of settings, manifest or connection. */
  refresh(): void
  /** Handle a new state of the door. */
  doorMoved(state: DoorState): void
  /** Note that somebody is present at the terminal. */
  somebody(): void
  stop(): Promise<void>
}

export interface SurroundingsParts {
  options: SurroundingsOptions
  /** Data folder of the terminal. */
  folder: string
  settings: LocalSettings
  /** Zone of the manifest. */
  zone: () => string | undefined
  door: Door
  device: RoamingDevice
  http: FastifyInstance
  /** Stores an event of the door for the server. */
  reportEvent: EventListOptions['report']
  /** Return whether something else is under way that a restart would interrupt. */
  busy: () => boolean
  clock: () => number
  log: (sentence: string) => void
  onChange: () => void
}

const EVENTS_SHOWN = 20
const OVERTIME_AFTER = 30_000

/** Assemble the surroundings. From then on they follow the settings. */
export function surround({
  options,
  folder,
  settings,
  zone,
  door,
  device,
  http,
  reportEvent,
  busy,
  clock,
  log,
  onChange,
}: SurroundingsParts): Surroundings {
  const effective = () => settings.effective()
  const events = openEventList({ folder, clock, report: reportEvent, log })
  const simulated = options.pins === 'simulated' ? simulatedPins() : null
  const pins = options.pins === 'simulated' ? simulated : (options.pins ?? null)
  const wiring: Wiring | null = pins
    ? createWiring({
        pins,
        settings: effective,
        door,
        events,
        overtimeAfter: options.doorOvertimeAfter ?? OVERTIME_AFTER,
        clock,
        onChange,
        log,
      })
    : null
  if (simulated) servePins(http, simulated)
  const files = openSettingFiles({
    folder,
    settings: effective,
    local: settings.local,
    fetchFile: (id, signal) => device.client.download(configurationCalls.deviceFile, { params: { id } }, { signal }),
    online: device.isOnline,
    onChange,
    log,
  })
  const network = keepNetwork({ control: options.network ?? unmanagedNetwork, settings: effective, onChange, log })
  const clockWatch = watchClock({
    server: () => effective().ntpServer,
    ...(options.ntpPort !== undefined && { port: options.ntpPort }),
    clock,
    onChange,
    log,
  })
  const { onRestart } = options
  const restart = watchForRestart({
    days: () => (onRestart ? effective().restartInterval : null),
    busy: () => door.state() !== 'closed' || busy(),
    clock,
    restart: () => {
      log('The terminal restarts, as its settings ask.')
      onRestart?.()
    },
  })

  function refresh(): void {
    files.refresh()
    network.refresh()
    clockWatch.refresh()
    device.refresh()
  }

  const unlisten = settings.onChange((now, before) => {
    if (now.gpioTypes.join() !== before.gpioTypes.join()) wiring?.rewired()
    refresh()
    onChange()
  })
  refresh()

  return {
    files,
    clockWatch,
    refresh,
    doorMoved: (state) => wiring?.doorMoved(state),
    somebody: restart.somebody,
    state() {
      const { consoleAccount: _, ...values } = effective()
      return {
        settings: { values, sources: settings.sources() },
        zone: zoneShown(values.timeZone, zone()) ?? null,
        server: device.choice(),
        network: network.state(),
        timeServer: clockWatch.state(),
        restartAt: restart.dueAt(),
        doorway: { trouble: door.trouble(), standing: wiring?.standing() ?? [], events: events.events().slice(0, EVENTS_SHOWN) },
        files: { screenSaver: files.address(values.screenSaver), voice: files.address(values.voiceFile) },
      }
    },
    async stop() {
      unlisten()
      restart.stop()
      clockWatch.stop()
      wiring?.stop()
      await files.stop()
    },
  }
}
