/**
 * Sends numbered items over HTTP, those of each kind in order and at least once, then their pictures. With each connection it first asks
 * how far the server has them. A server that does not support the kind is asked again with the next connection.
 */
import { createBackoff } from '../async/backoff.ts'
import { NUMBERED_KINDS, type ItemNumber, type NewItem, type NumberedKind, type NumberedOutbox } from './numbered.ts'
import { createNumberedSending, Unsupported } from './numbered-sending.ts'
import type { ServerClient } from './server.ts'

export interface NumberedUplinkOptions {
  outbox: NumberedOutbox
  client: ServerClient
  clock: () => number
  log: (sentence: string) => void
  /** Milliseconds between attempts after a failure: the first and the longest wait; default 2 s and 60 s. */
  retry?: { first: number; limit: number } | undefined
  random: () => number
}

export interface NumberedUplink {
  connected(): void
  disconnected(): void
  /** Store an item and send it when possible. @throws as the outbox */
  append<Kind extends NumberedKind>(kind: Kind, item: NewItem<Kind>, picture?: Uint8Array, alsoWrite?: () => void): ItemNumber
  /** Stop; resolves when nothing is being sent any more. */
  stop(): Promise<void>
}

interface KindUplink extends Pick<NumberedUplink, 'connected' | 'disconnected' | 'stop'> {
  /** Send what was added, unless sending is already under way. */
  send(): void
}

const sentenceOf = (error: unknown) => (error instanceof Error ? error.message : String(error))

/** Create the uplink of all kinds: they do not wait for each other. */
export function createNumberedUplink(options: NumberedUplinkOptions): NumberedUplink {
  const uplinks = new Map(NUMBERED_KINDS.map((kind) => [kind, createKindUplink(kind, options)]))
  const each = [...uplinks.values()]
  return {
    connected: () => each.forEach((uplink) => uplink.connected()),
    disconnected: () => each.forEach((uplink) => uplink.disconnected()),
    append(kind, item, picture, alsoWrite) {
      const number = options.outbox.append(kind, item, picture, alsoWrite)
      uplinks.get(kind)?.send()
      return number
    },
    async stop() {
      await Promise.all(each.map((uplink) => uplink.stop()))
    },
  }
}

function createKindUplink(kind: NumberedKind, { outbox, client, clock, log, retry, random }: NumberedUplinkOptions): KindUplink {
  const stopping = new AbortController()
  const { signal } = stopping
  const sending = createNumberedSending({ kind, outbox, client, clock, log, signal })
  const backoff = createBackoff(retry?.first ?? 2_000, retry?.limit ?? 60_000, random)
  let isConnected = false
  /** Counts connections. */
  let connection = 0
  /** The connection over which the server was last asked how far it has the items. */
  let askedOver = 0
  /** The last connection to a server that does not support the kind. */
  let unsupportedOver = 0
  let isUnsupportedLogged = false
  let lastFailure = ''
  let timer: NodeJS.Timeout | undefined
  let working: Promise<void> | null = null
  /** Something was added, or connected again, while sending was under way. */
  let isDue = false

  const maySend = () => isConnected && unsupportedOver !== connection && !signal.aborted

  async function sendAll(over: number): Promise<void> {
    if (askedOver !== over) await sending.ask()
    askedOver = over
    while (maySend() && (await sending.sendNext())) backoff.reset()
    // What was added meanwhile goes first: it is news, and the pictures can be many.
    while (maySend() && !isDue && (await sending.sendNextPicture())) backoff.reset()
    lastFailure = ''
  }

  async function work(): Promise<void> {
    clearTimeout(timer)
    const over = connection
    isDue = false
    try {
      await sendAll(over)
    } catch (error) {
      if (!signal.aborted) failed(error, over)
    }
  }

  function failed(error: unknown, over: number): void {
    isDue = connection !== over
    if (error instanceof Unsupported) {
      unsupportedOver = over
      if (!isUnsupportedLogged) log(`The server does not support numbered items of the kind ${kind} yet: they wait for one that does.`)
      isUnsupportedLogged = true
      return
    }
    const sentence = sentenceOf(error)
    if (sentence !== lastFailure) log(`What is numbered as ${kind} could not be sent: ${sentence}`)
    lastFailure = sentence
    timer = setTimeout(send, backoff.next())
    timer.unref()
  }

  function send(): void {
    if (!maySend()) return
    if (working) {
      isDue = true
      return
    }
    working = work().finally(() => {
      working = null
      if (isDue) send()
    })
  }

  return {
    connected() {
      isConnected = true
      connection++
      backoff.reset()
      send()
    },
    disconnected() {
      isConnected = false
      clearTimeout(timer)
    },
    send,
    async stop() {
      stopping.abort()
      clearTimeout(timer)
      await working
    },
  }
}
