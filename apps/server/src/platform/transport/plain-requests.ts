/**
 * Plain http on the port of https. A page that a person opens is redirected; a program's request is refused, so that it does not send a
 * password or token in clear text again.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { Server as SecureServer } from 'node:https'
import type { Socket } from 'node:net'
import { languageOf } from '@gatehouse/contract'
import { envelope } from '../http/error-answer.ts'
import { httpText } from '../texts.ts'

/** First byte of a TLS handshake. */
const HANDSHAKE = 0x16
/** Milliseconds for the first byte of a connection. */
const FIRST_BYTE_MS = 10_000
/** Milliseconds for the head of a plain request, and for an idle plain connection. */
const PLAIN_MS = 5_000
const HOST = /^(?:[\w.-]+|\[[\da-f:.]+\])(?::\d{1,5})?$/i

const READING = new Set(['GET', 'HEAD'])
/** Paths that monitoring of the process requests on the machine itself; their answers are not confidential. */
const OPEN = new Set(['/healthz', '/readyz'])

function answer(request: IncomingMessage, response: ServerResponse): void {
  const { method = '', url = '/', headers } = request
  const isPage = READING.has(method) && headers.authorization === undefined && (headers.accept ?? '').includes('text/html')
  response.setHeader('connection', 'close')
  if (isPage && HOST.test(headers.host ?? '') && url.startsWith('/')) {
    // Not cached: the server may speak plain http again one day.
    response.writeHead(308, { location: `https://${headers.host}${url}`, 'cache-control': 'no-store' }).end()
    return
  }
  const body = JSON.stringify(envelope(426, httpText(languageOf(headers['accept-language']), 426)))
  response
    .writeHead(426, { upgrade: 'TLS/1.2, HTTP/1.1', connection: 'Upgrade, close', 'content-type': 'application/json; charset=utf-8' })
    .end(body)
}

/**
 * Take over the connections of a server with TLS, before it listens.
 * @param open answers the paths allowed over plain http
 * @returns ends the connections that are not the server's own
 */
export function servePlainRequests(server: SecureServer, open: (request: IncomingMessage, response: ServerResponse) => void): () => void {
  const secure = server.listeners('connection') as ((socket: Socket) => void)[]
  const plain = createServer({ headersTimeout: PLAIN_MS, requestTimeout: PLAIN_MS, keepAliveTimeout: PLAIN_MS }, (request, response) =>
    OPEN.has((request.url ?? '').split('?')[0]!) && READING.has(request.method ?? '') ? open(request, response) : answer(request, response),
  )
  // The client is not asked to send its body in clear text.
  plain.on('checkContinue', answer)
  plain.on('upgrade', (_request, socket) => socket.destroy())
  const sockets = new Set<Socket>()

  function take(socket: Socket): void {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
    const broken = () => socket.destroy()
    socket.on('error', broken)
    const patience = setTimeout(broken, FIRST_BYTE_MS)
    socket.once('close', () => clearTimeout(patience))
    socket.once('data', (bytes: Buffer) => {
      clearTimeout(patience)
      socket.pause()
      socket.unshift(bytes)
      if (bytes[0] === HANDSHAKE) {
        sockets.delete(socket)
        socket.off('error', broken)
        for (const listener of secure) listener.call(server, socket)
      } else {
        socket.setTimeout(PLAIN_MS, broken)
        plain.emit('connection', socket)
        socket.resume()
      }
    })
  }

  server.removeAllListeners('connection')
  server.on('connection', take)
  return () => {
    for (const socket of sockets) socket.destroy()
  }
}
