/** The progress of a fleet of simulated devices: what its devices have sent, and whether they hold what they should. */
import { audienceOf } from './accounting.ts'
import type { Fleet, FleetFigures, FleetParts } from './fleet-types.ts'
import type { SimulatedDevice } from './simulated-device-types.ts'

export interface Progress extends Pick<Fleet, 'look' | 'figures'> {
  /** Return whether a device has sent everything and holds what it should. */
  isDone(device: SimulatedDevice): boolean
}

export function createProgress({ options, devices, ledger, counts, asking }: FleetParts): Progress {
  const expected = new Map<string, string>()

  const isSynchronised = (device: SimulatedDevice): boolean => {
    const stored = device.state()?.held
    return stored != null && expected.get(stored.audience) === stored.digest
  }

  async function look(): Promise<void> {
    const askable = new Map(
      devices.flatMap((device) => {
        const state = device.state()
        return state?.link.kind === 'online' && state.held !== null ? [[state.held.audience, device] as const] : []
      }),
    )
    await Promise.all(
      [...askable].map(async ([audience, device]) => {
        try {
          expected.set(audience, (await audienceOf(asking(device), audience)).digest)
        } catch {
          // The device belongs to another audience by now, or the server is unreachable.
          expected.delete(audience)
        }
      }),
    )
  }

  function figures(): FleetFigures {
    const states = devices.map((device) => device.state())
    const online = states.filter((state) => state?.link.kind === 'online').length
    const complete = devices.filter(isSynchronised).length
    const made = [...ledger.values()].reduce((total, ids) => total + ids.size, 0)
    const waiting = devices.reduce((total, { store }) => total + store.disk.outbox.length(), 0)
    const picturesWaiting = devices.reduce((total, { store }) => total + store.disk.pictures.length(), 0)
    const exceptions = devices.reduce((total, { store }) => total + store.disk.holdings.exceptions().size, 0)
    return {
      devices: options.devices.length,
      online,
      complete,
      behind: options.devices.length - complete,
      made,
      acknowledged: made - waiting,
      picturesWaiting,
      exceptions,
      ...counts,
    }
  }

  const isDone = (device: SimulatedDevice): boolean => {
    const state = device.state()
    return state !== null && state.link.kind === 'online' && state.queue.records + state.queue.pictures === 0 && isSynchronised(device)
  }

  return { look, figures, isDone }
}
