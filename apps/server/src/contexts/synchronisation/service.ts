/** Synchronisation with devices: what they should store, what they report, and the pages they pull. */
import type { ChangedMessage, DeviceHoldings } from '@gatehouse/contract/device/protocol-status'
import type { PersonException } from '@gatehouse/contract/device/protocol-persons'
import type { Platform } from '../../platform/context.ts'
import type { Transaction } from '../../platform/database/database.ts'
import type { DeviceIdentity, Park, Scope } from '../../platform/session/session.ts'
import * as data from './data.ts'
import { createErasureNotices, type ErasureNotices } from './erasures.ts'
import { createHoldingReports } from './holding-reports.ts'
import { createHoldings, type Holdings } from './holdings.ts'
import { createManifests, type ManifestNeeds, type Manifests } from './manifests.ts'
import { createPages, type Pages } from './pages.ts'
import type { PersonSources } from './person-objects.ts'
import { createRegisterView } from './register-view.ts'
import type { Touched } from './audience.ts'
import type { Marks } from './register-work.ts'
import { createRegisters } from './registers.ts'
import type { RegisterSources } from './sources.ts'
import type { SynchronisationView } from './view.ts'

export interface SynchronisationNeeds extends ManifestNeeds {
  sources: RegisterSources & PersonSources
  organisation: { park(scope: Scope): Park; parks(): Park[] }
}

export interface SynchronisationService extends Pages, Omit<Manifests, 'current'>, Holdings {
  readonly view: SynchronisationView
  /** Read all parks; call this once events flow. */
  start(): Promise<void>
  stop(): Promise<void>
  mark(scope: Scope, marks: Marks): void
  /** Let persons enter before their validity begins and leave after its end. */
  passTime(): void
  /** Delete old changes and unused audiences. */
  upkeep(): Promise<void>
  /** Return the desired state of the device; null for a device the register does not have. */
  current(device: DeviceIdentity): ChangedMessage | null
  noteHoldings(device: DeviceIdentity, holdings: DeviceHoldings): void
  noteExceptions(device: DeviceIdentity, cursor: number, exceptions: readonly PersonException[]): Promise<number>
  readonly erasures: Omit<ErasureNotices, 'refresh' | 'newest'>
  /** Notify the devices of the park that a person was erased. */
  notifyErasures(scope: Scope): Promise<void>
  /** Give these persons new numbers, so that devices that could not take them try again. */
  touch(scope: Scope, touched: Touched): void
  /** On the leading node, call a listener after each change with every device of the park. */
  onChanged(listener: (parkId: string, devices: { deviceId: string; code: string; message: ChangedMessage }[]) => void): void
  forgetDevices(scope: Scope, deviceIds: readonly string[]): Promise<void>
  settled(): Promise<void>
  erasePark(tx: Transaction, scope: Scope): Promise<void>
  /** Memory and counts of a park's register. */
  size(scope: Scope): { persons: number; strategies: number; audiences: number; bytes: number }
}

const MINUTE = 60_000
const DAY = 86_400_000
/** A device that was offline for longer compares digests. */
const CHANGES_KEPT = 30 * DAY

export function createSynchronisation(platform: Platform, { sources, ...needs }: SynchronisationNeeds): SynchronisationService {
  const db = platform.db
  const { organisation } = needs
  const registers = createRegisters(platform, sources)
  const pages = createPages(platform, registers, sources)
  const notes = createHoldingReports(platform)
  const erasures = createErasureNotices(platform)
  const view = createRegisterView(registers)
  const manifests = createManifests(platform, needs, registers, erasures)
  let minute: NodeJS.Timeout | undefined

  const passTime = () => organisation.parks().forEach(({ id }) => registers.mark({ parkId: id }, { time: true }))

  return {
    ...pages,
    ...manifests,
    ...createHoldings(platform, registers, manifests, view),
    view,
    async start() {
      for (const { id } of organisation.parks()) await erasures.refresh({ parkId: id })
      await registers.start(organisation.parks().map(({ id }) => id))
      minute = setInterval(passTime, MINUTE)
      minute.unref()
    },
    async stop() {
      clearInterval(minute)
      await registers.stop()
      await notes.stop()
    },
    mark: registers.mark,
    passTime,
    async upkeep() {
      for (const { id } of organisation.parks()) {
        const scope: Scope = { parkId: id }
        const now = platform.clock.now()
        await data.deleteOldChanges(scope, db, now - CHANGES_KEPT)
        await data.deleteAudiencesExcept(
          scope,
          db,
          registers
            .register(scope)
            .audiences()
            .map((audience) => audience.id),
          now - DAY,
        )
        // The published numbers may be older than the deleted changes.
        registers.mark(scope, { everything: true })
      }
    },
    noteHoldings: notes.note,
    noteExceptions(device, cursor, exceptions) {
      const register = registers.register({ parkId: device.parkId })
      return notes.noteExceptions(
        device,
        cursor,
        exceptions.filter(({ personId }) => register.knows(personId)),
      )
    },
    erasures,
    async notifyErasures(scope) {
      await erasures.refresh(scope)
      registers.mark(scope, {})
    },
    touch: registers.touch,
    onChanged(listener) {
      registers.onChanged((scope) => {
        if (!platform.events.leading()) return
        const devices = registers.register(scope).devices()
        listener(
          scope.parkId,
          devices.flatMap(({ id, code }) => {
            const message = manifests.current({ deviceId: id, parkId: scope.parkId })
            return message === null ? [] : [{ deviceId: id, code, message }]
          }),
        )
      })
    },
    forgetDevices: (scope, deviceIds) => platform.transaction((tx) => data.deleteHoldings(scope, tx, deviceIds)),
    async settled() {
      await registers.settled()
      await notes.settled()
    },
    erasePark: (tx, scope) => data.deleteSynchronisationOfPark(scope, tx),
    size: (scope) => registers.register(scope).size(),
  }
}
