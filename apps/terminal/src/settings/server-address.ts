/**
 * The server that the terminal connects to: the one it was started with, or the one named in its settings. A new address is used once the
 * peer there has proved to be the terminal's server. If the terminal does not come online there in time, it returns to the previous
 * address, so that a typing error locks nobody out. While the address changes, the door decides by the stored data.
 */
import type { Device } from '../device/device.ts'
import { ServerAway } from '../device/server.ts'
import { createReplaceableDevice } from './replaceable-device.ts'

export interface RoamingOptions {
  /** The address the terminal was started with. */
  base: string
  /** The server named in the settings. */
  settings: () => { serverAddress: string | null; port: number | null }
  /** Return the origin of a server at an address: https if plain http is no longer used. */
  originOf: (server: string) => string
  /** Start a device at an address; called again for each change, after the previous device has stopped. */
  start: (server: string) => Device
  /**
   * Check that the terminal's server answers at an address; nothing is sent but a challenge.
   * @throws ServerAway, ServerRefused if it does not
   */
  prove: (server: string, signal: AbortSignal) => Promise<void>
  /**
   * Milliseconds in which the terminal must come online at a new address, and after which a failed address is tried again; default one
   * minute and ten minutes.
   */
  patience?: { online: number; again: number }
  onChange: () => void
  log: (sentence: string) => void
}

export interface ServerChoice {
  /** Address in use: https once the server is reached over it. */
  address: string
  /** Address of the settings; null if it is the one in use. */
  wished: string | null
  /**
   * `trying`: a change is under way. `unreachable`: the address does not answer. `stranger`: the peer there does not prove that it is the
   * terminal's server. `notOnline`: it did, but the terminal did not come online there.
   */
  trouble: 'trying' | 'unreachable' | 'stranger' | 'notOnline' | null
}

export interface RoamingDevice extends Device {
  choice(): ServerChoice
  /** Handle a change of the settings or the connection. */
  refresh(): void
}

const MINUTE = 60_000
const PROOF_WITHIN = 5_000

/** Whether nothing answers, or the server is overloaded or failing. */
const isAway = (error: unknown): boolean =>
  error instanceof ServerAway && (error.status === null || error.status >= 500 || error.status === 429)

/** Return the address of the settings; parts they leave open are as at the start. */
export function addressWished(base: string, { serverAddress, port }: { serverAddress: string | null; port: number | null }): string {
  const url = new URL(base)
  if (serverAddress !== null) url.hostname = serverAddress.includes(':') ? `[${serverAddress}]` : serverAddress
  if (port !== null) url.port = String(port)
  return url.origin
}

/** Whether two addresses name the same host. */
export const isSameHost = (one: string, other: string): boolean => new URL(one).hostname === new URL(other).hostname

/** Start at the address the terminal was started with. @throws as `start` */
export function startRoaming({
  base,
  settings,
  originOf,
  start,
  prove,
  patience = { online: MINUTE, again: 10 * MINUTE },
  onChange,
  log,
}: RoamingOptions): RoamingDevice {
  const stopping = new AbortController()
  const replaceable = createReplaceableDevice({ base, start, stopping: stopping.signal, onChange })
  const { device } = replaceable
  let trouble: ServerChoice['trouble'] = null
  /** The last address that failed. */
  let failed: string | null = null
  let moving: Promise<void> | null = null
  let again: NodeJS.Timeout | undefined

  const wished = () => addressWished(base, settings())

  function enter(next: ServerChoice['trouble']): void {
    if (trouble === next) return
    trouble = next
    onChange()
  }

  function refresh(): void {
    replaceable.refresh()
    if (moving || stopping.signal.aborted) return
    const target = wished()
    if (target !== failed) {
      clearTimeout(again)
      failed = null
    }
    if (target === replaceable.address()) enter(null)
    if (target === replaceable.address() || target === failed) return
    moving = move(target).finally(() => {
      moving = null
      refresh()
    })
  }

  function giveUp(target: string, why: Exclude<ServerChoice['trouble'], 'trying' | null>, sentence: string): void {
    failed = target
    log(sentence)
    enter(why)
    clearTimeout(again)
    again = setTimeout(() => {
      failed = null
      refresh()
    }, patience.again)
    again.unref()
  }

  async function move(target: string): Promise<void> {
    enter('trying')
    const before = replaceable.address()
    const [there, here] = [originOf(target), device.client.address.origin]
    try {
      await prove(target, AbortSignal.any([AbortSignal.timeout(PROOF_WITHIN), stopping.signal]))
    } catch (error) {
      if (stopping.signal.aborted) return
      const { message } = error as Error
      return isAway(error)
        ? giveUp(
            target,
            'unreachable',
            `The server address ${there} of the settings does not answer; the terminal stays at ${here}. ${message}`,
          )
        : giveUp(
            target,
            'stranger',
            `What answers at the server address ${there} of the settings is not trusted; the terminal stays at ${here}. ${message}`,
          )
    }
    await replaceable.replace(target)
    if (await replaceable.comesOnline(patience.online))
      return log(`The terminal is online at ${device.client.address.origin}, as its settings ask.`)
    if (stopping.signal.aborted) return
    await replaceable.replace(before)
    giveUp(target, 'notOnline', `The terminal does not come online at ${there}; it is back at ${here}.`)
  }

  return {
    ...device,
    choice: () => ({
      address: device.client.address.origin,
      wished: wished() === replaceable.address() ? null : originOf(wished()),
      trouble,
    }),
    refresh,
    async stop() {
      stopping.abort()
      clearTimeout(again)
      await moving
      await device.stop()
    },
  }
}
