/**
 * The store of a simulated device, in memory and across power cuts. A record is durable before anybody learns of it. Other writes may be
 * gathered, and a cut may undo them: the device then finds the state before them, never half a write.
 */
import type { Erasures, PictureOutbox, ServerTrust, Store } from '@gatehouse/terminal/device/store'
import { StoreUnusable } from '@gatehouse/terminal/device/store'
import { createHoldings, type HoldingsOptions, type SimulatedHoldings } from './holdings.ts'
import { Journal, PowerCut, type CutMoment } from './journal.ts'
import { createOutboxes, type OutboxOptions, type SimulatedOutbox } from './outbox.ts'

export interface PoweredStore extends Store {
  readonly holdings: SimulatedHoldings
  readonly outbox: SimulatedOutbox
}

export interface SimulatedStoreOptions extends Omit<HoldingsOptions, 'journal'>, Omit<OutboxOptions, 'journal'> {
  /** Most writes, other than records, that a power cut may undo; by default 0. */
  gathered?: number
}

export interface SimulatedStore {
  /** Return the store as a device finds it when it is switched on. */
  powerOn(): PoweredStore
  /**
   * Cut the power: what was not flushed is lost, and the store of this life throws `PowerCut` from then on.
   * @returns the number of lost writes
   */
  powerCut(): number
  /** The same in the middle of the next write. @param onCut called when it has happened */
  powerCutInNextWrite(moment: CutMoment, onCut: () => void): void
  /** Return whether such a cut has yet to come. */
  awaitsCut(): boolean
  /** The content of the disk, for observers outside the device. */
  readonly disk: PoweredStore
}

/** Create an empty store. */
export function createSimulatedStore({ gathered = 0, ...options }: SimulatedStoreOptions): SimulatedStore {
  const journal = new Journal(gathered)
  let deviceId: string | null = null
  let removed: string | null = null
  let trust: ServerTrust | null = null
  let life = 0
  const holdings = createHoldings({ ...options, journal })
  const { outbox, pictures, erasures } = createOutboxes({ ...options, journal })

  const disk: PoweredStore = {
    holdings,
    outbox,
    pictures,
    erasures,
    deviceId: () => deviceId,
    bind(id) {
      if (deviceId === id) return
      if (deviceId !== null) throw new StoreUnusable('This store holds persons and records of another device.')
      const before = removed
      journal.write(
        () => ([deviceId, removed] = [id, null]),
        () => ([deviceId, removed] = [null, before]),
        { flush: true },
      )
    },
    removed: () => removed,
    release() {
      const lost = outbox.clear()
      const before = { deviceId, removed }
      journal.write(
        () => ([deviceId, removed] = [null, deviceId ?? removed]),
        () => ({ deviceId, removed } = before),
        { flush: true },
      )
      return lost
    },
    trust: () => trust,
    keepTrust(next) {
      const before = trust
      journal.write(
        () => (trust = next),
        () => (trust = before),
        { flush: true },
      )
    },
  }

  return {
    disk,
    powerOn() {
      const own = ++life
      const on = <Part extends object>(part: Part): Part => powered(part, () => own === life)
      return {
        ...on({
          deviceId: disk.deviceId,
          bind: disk.bind,
          removed: disk.removed,
          release: disk.release,
          trust: disk.trust,
          keepTrust: disk.keepTrust,
        }),
        holdings: on(holdings),
        outbox: on(outbox),
        pictures: on<PictureOutbox>(pictures),
        erasures: on<Erasures>(erasures),
      }
    },
    powerCut() {
      life++
      return journal.cut()
    },
    powerCutInNextWrite(moment, onCut) {
      journal.cutInNextWrite(moment, () => {
        life++
        onCut()
      })
    },
    awaitsCut: () => journal.awaitsCut(),
  }
}

/** Return the same functions, which throw once the power is gone. */
function powered<Part extends object>(part: Part, isOn: () => boolean): Part {
  const guarded = Object.entries(part).map(([name, work]) => [
    name,
    (...given: unknown[]) => {
      if (!isOn()) throw new PowerCut()
      return (work as (...given: unknown[]) => unknown)(...given)
    },
  ])
  return Object.fromEntries(guarded) as Part
}
