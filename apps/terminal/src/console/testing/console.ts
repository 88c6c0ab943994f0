/** A user of a terminal's console, over HTTP like a browser. */
import { expect } from 'vitest'
import type { Terminal } from '../../terminal.ts'

export interface ConsoleAnswer {
  status: number
  code: number
  message: string
  // The data differ from call to call; a test states what it expects.
  data: Record<string, never> & object
  fields: Record<string, string>
}

export interface ConsoleClient {
  /** @param body JSON, or raw bytes */
  call(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<ConsoleAnswer>
  /** Make a call that is answered with a file. */
  file(method: string, path: string, body?: unknown): Promise<{ type: string; bytes: Uint8Array }>
  /** Send a file in pieces. @returns its id */
  upload(bytes: Uint8Array): Promise<string>
  logIn(account?: string, password?: string): Promise<ConsoleAnswer>
  cookie(): string
}

/** Return the password that the terminal generated and logged. */
export const passwordSaid = (sentences: readonly string[]): string =>
  /password "(\w+)"/.exec(sentences.findLast((sentence) => sentence.includes('/console/')) ?? '')?.[1] ?? ''

/** @param sentences of the terminal's log, which contain the generated password */
export function consoleOf(terminal: Pick<Terminal, 'url'>, sentences: readonly string[]): ConsoleClient {
  let cookie = ''

  async function send(method: string, path: string, body?: unknown, headers: Record<string, string> = {}): Promise<Response> {
    const raw = body instanceof Uint8Array
    const response = await fetch(`${terminal.url}console/api/${path}`, {
      method,
      headers: {
        'x-gatehouse-console': '1',
        'accept-language': 'en',
        ...(cookie && { cookie }),
        ...(body !== undefined && { 'content-type': raw ? 'application/octet-stream' : 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: raw ? Buffer.from(body) : JSON.stringify(body) }),
    })
    const given = response.headers.get('set-cookie')
    if (given) cookie = given.split(';')[0] ?? ''
    return response
  }

  async function call(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<ConsoleAnswer> {
    const response = await send(method, path, body, headers)
    return { fields: {}, ...((await response.json()) as Omit<ConsoleAnswer, 'status' | 'fields'>), status: response.status }
  }

  return {
    call,
    async file(method, path, body) {
      const response = await send(method, path, body)
      return { type: response.headers.get('content-type') ?? '', bytes: new Uint8Array(await response.arrayBuffer()) }
    },
    async upload(bytes) {
      const { data } = await call('POST', 'uploads', { size: bytes.length })
      const { id, piece } = data as unknown as { id: string; piece: number }
      for (let offset = 0; offset < bytes.length; offset += piece)
        expect((await call('PUT', `uploads/${id}?offset=${offset}`, bytes.subarray(offset, offset + piece))).code).toBe(200)
      return id
    },
    logIn: (account = 'admin', password = passwordSaid(sentences)) => call('POST', 'login', { account, password }),
    cookie: () => cookie,
  }
}
