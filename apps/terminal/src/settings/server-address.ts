/**
 * Which server the terminal talks to: the one it was started with, or the one its settings name. A change is tried when
 * what answers at the new address has proved to be the terminal's server, and taken back when the terminal is not online there in time, so that a slip of the pen locks
 * nobody out. Where the server moves to, the terminal's door goes on by what it holds.
 */
import type { Device } from '../device/device.ts'
import { ServerAway } from '../device/server.ts'

export interface RoamingOptions {
  /** The address the terminal was started with. */
  base: string
  wish: () => { serverAddress: string | null; port: number | null }
  /** The origin at which a server is asked, given its address: https where plain http is not used any more. */
  asked: (server: string) => string
  /** Starts a device at an address; called anew for each change, after the one before has stopped. */
  start: (server: string) => Device
  /** Check that the terminal's server answers at an address; nothing is sent but a challenge. @throws ServerAway, ServerRefused if it does not */
  prove: (server: string, signal: AbortSignal) => Promise<void>
  /** Milliseconds to be online at a new address, and until an address that failed is tried again; a minute and ten unless told. */
  patience?: { online: number; again: number }
  onChange: () => void
  log: (sentence: string) => void
}

export interface ServerChoice {
  /** Address in use: https once the server is reached over it. */
  address: string
  /** Address the settings ask for; null where it is the one in use. */
  wished: string | null
  /** `trying`: a change is under way. `unreachable`: it does not answer. `stranger`: what answers does not prove that it is the terminal's server. `notOnline`: it did, and the terminal did not come online there. */
  trouble: 'trying' | 'unreachable' | 'stranger' | 'notOnline' | null
}

export interface RoamingDevice extends Device {
  choice(): ServerChoice
  /** The settings, or the connection, may be others. */
  refresh(): void
}

const MINUTE = 60_000
const PROOF_WITHIN = 5_000

/** Whether nothing answers, or the server is overloaded or failing. */
const isAway = (error: unknown): boolean =>
  error instanceof ServerAway && (error.status === null || error.status >= 500 || error.status === 429)

/** The address the settings ask for; what they leave open is as at the start. */
export function addressWished(base: string, { serverAddress, port }: { serverAddress: string | null; port: number | null }): string {
  const url = new URL(base)
  if (serverAddress !== null) url.hostname = serverAddress.includes(':') ? `[${serverAddress}]` : serverAddress
  if (port !== null) url.port = String(port)
  return url.origin
}

/** Whether two addresses name the same host. */
export const isSameHost = (one: string, other: string): boolean => new URL(one).hostname === new URL(other).hostname

/** Starts at the address the terminal was started with. @throws as `start` */
export function startRoaming({
  base,
  wish,
  asked,
  start,
  prove,
  patience = { online: MINUTE, again: 10 * MINUTE },
  onChange,
  log,
}: RoamingOptions): RoamingDevice {
  let address = new URL(base).origin
  let current = start(base)
  let trouble: ServerChoice['trouble'] = null
  /** The address tried last in vain. */
  let failed: string | null = null
  let moving: Promise<void> | null = null
  let online: (() => void) | null = null
  let again: NodeJS.Timeout | undefined
  const stopping = new AbortController()

  const wished = () => addressWished(base, wish())

  function say(next: ServerChoice['trouble']): void {
    if (trouble === next) return
    trouble = next
    onChange()
  }

  function refresh(): void {
    if (current.isOnline()) online?.()
    if (moving || stopping.signal.aborted) return
    const target = wished()
    if (target !== failed) {
      clearTimeout(again)
      failed = null
    }
    if (target === address) say(null)
    if (target === address || target === failed) return
    moving = move(target).finally(() => {
      moving = null
      refresh()
    })
  }

  function giveUp(target: string, why: Exclude<ServerChoice['trouble'], 'trying' | null>, sentence: string): void {
    failed = target
    log(sentence)
    say(why)
    clearTimeout(again)
    again = setTimeout(() => {
      failed = null
      refresh()
    }, patience.again)
    again.unref()
  }

  async function move(target: string): Promise<void> {
    say('trying')
    const before = address
    const [there, here] = [asked(target), current.client.address.origin]
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
    await replace(target)
    if (await comesOnline()) return log(`The terminal is online at ${current.client.address.origin}, as its settings ask.`)
    if (stopping.signal.aborted) return
    await replace(before)
    giveUp(target, 'notOnline', `The terminal does not come online at ${there}; it is back at ${here}.`)
  }

  /** Records made meanwhile lie in the store, and leave with the next device. */
  async function replace(target: string): Promise<void> {
    await current.stop()
    if (stopping.signal.aborted) return
    address = target
    current = start(target)
    onChange()
  }

  async function comesOnline(): Promise<boolean> {
    if (stopping.signal.aborted) return false
    const { promise, resolve } = Promise.withResolvers<boolean>()
    const tooLong = setTimeout(() => resolve(false), patience.online)
    const end = () => resolve(false)
    stopping.signal.addEventListener('abort', end, { once: true })
    online = () => resolve(true)
    if (current.isOnline()) resolve(true)
    const result = await promise
    online = null
    clearTimeout(tooLong)
    stopping.signal.removeEventListener('abort', end)
    return result
  }

  return {
    choice: () => ({ address: current.client.address.origin, wished: wished() === address ? null : asked(wished()), trouble }),
    refresh,
    state: () => current.state(),
    isOnline: () => current.isOnline(),
    holdings: current.holdings,
    client: {
      get address() {
        return current.client.address
      },
      request: (call, request, options) => current.client.request(call, request, options),
      download: (call, request, options) => current.client.download(call, request, options),
    },
    appendRecord: (record) => current.appendRecord(record),
    addPicture: (recordId, image) => current.addPicture(recordId, image),
    factsChanged: () => current.factsChanged(),
    synchronise: () => current.synchronise(),
    async stop() {
      stopping.abort()
      clearTimeout(again)
      await moving
      await current.stop()
    },
  }
}
