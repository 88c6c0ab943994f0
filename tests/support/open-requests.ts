/**
 * Requests whose bodies arrive in parts or not at all, each over a socket of its own, and a clock of seconds by which the server measures
 * them.
 */
import { once } from 'node:events'
import { connect } from 'node:net'
import { setImmediate as turn } from 'node:timers/promises'
import { connect as connectSecurely } from 'node:tls'
import { onTestFinished } from 'vitest'
import { LINK_TOKEN_HEADER } from '@gatehouse/contract'
import type { Credentials } from '@gatehouse/dev-env/client'
import type { Ticks } from '@gatehouse/server/platform/http/minimum-rate'

/** Return a clock of seconds that advances when a test calls `pass`. */
export function manualSeconds(): { ticks: Ticks; pass(seconds: number): Promise<void> } {
  const listeners = new Set<() => void>()
  return {
    ticks(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    async pass(seconds) {
      for (let passed = 0; passed < seconds; passed++) {
        await delivered()
        for (const listener of listeners) listener()
      }
      await delivered()
    },
  }
}

/** Resolve when the server, which runs in this process, has read what was written before. */
async function delivered(): Promise<void> {
  for (let turns = 0; turns < 5; turns++) await turn()
}

export interface OpenRequest {
  send(bytes: Uint8Array | string): Promise<void>
  /** Send no more; the answer can still be read. */
  end(): void
  /** Close the connection as a network failure would. */
  destroy(): void
  /** Return the HTTP status of the answer; null as long as there is none. */
  status(): number | null
  isClosed(): boolean
  closed(): Promise<void>
  /** Resolve with the status, or null where the connection was closed without an answer. */
  answered(): Promise<number | null>
}

interface RequestHead {
  method: string
  /** Path and query. */
  address: string
  credentials?: Credentials
  linkToken?: string
  /** Client address, as a proxy on this machine reports it. */
  from?: string
  type: string
  /** Content length that is announced. */
  length: number
}

const authorisation = (credentials: Credentials): string => {
  if (credentials === null) return ''
  const value =
    'bearer' in credentials ? `Bearer ${credentials.bearer}` : `Basic ${Buffer.from(credentials.basic.join(':')).toString('base64')}`
  return `authorization: ${value}\r\n`
}

/** Send the head of a request; its body is up to the test. Closed when the test ends. */
export async function openRequest(url: string, head: RequestHead): Promise<OpenRequest> {
  const { protocol, hostname, port, host } = new URL(url)
  const at = { port: Number(port), host: hostname }
  const socket = protocol === 'https:' ? connectSecurely({ ...at, rejectUnauthorized: false }) : connect(at)
  onTestFinished(() => void socket.destroy())
  let received = ''
  let closed = false
  socket.setEncoding('latin1')
  socket.on('data', (text) => (received += String(text)))
  socket.on('error', () => {})
  socket.on('close', () => (closed = true))
  const status = (): number | null => {
    const [, code] = /^HTTP\/1\.1 (\d{3})/.exec(received.replace(/^HTTP\/1\.1 100 [^\r]*\r\n\r\n/, '')) ?? []
    return code === undefined ? null : Number(code)
  }
  async function send(bytes: Uint8Array | string): Promise<void> {
    if (!closed) socket.write(bytes)
    await delivered()
  }
  await once(socket, protocol === 'https:' ? 'secureConnect' : 'connect')
  const { method, address, credentials = null, linkToken, from, type, length } = head
  const link = linkToken === undefined ? '' : `${LINK_TOKEN_HEADER}: ${linkToken}\r\n`
  const forwarded = from === undefined ? '' : `x-forwarded-for: ${from}\r\n`
  await send(
    `${method} ${address} HTTP/1.1\r\nhost: ${host}\r\n${authorisation(credentials)}${link}${forwarded}` +
      `content-type: ${type}\r\ncontent-length: ${length}\r\n\r\n`,
  )
  return {
    send,
    end: () => void socket.end(),
    destroy: () => void socket.destroy(),
    status,
    isClosed: () => closed,
    async closed() {
      if (!closed) await once(socket, 'close')
    },
    async answered() {
      while (status() === null && !closed) await Promise.race([once(socket, 'data'), once(socket, 'close')])
      return status()
    },
  }
}

/** Return a form with one file, as it is sent. */
export async function formBytes(file: Uint8Array, filename = 'file.bin'): Promise<{ type: string; bytes: Buffer }> {
  const form = new FormData()
  form.append('file', new Blob([new Uint8Array(file)]), filename)
  const whole = new Response(form)
  return { type: whole.headers.get('content-type')!, bytes: Buffer.from(await whole.arrayBuffer()) }
}
