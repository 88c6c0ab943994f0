/** Plain http requests at a server that speaks TLS. */
import { createServer as createPlainServer } from 'node:http'
import type { Server as SecureServer } from 'node:https'
import type { Socket } from 'node:net'

/** First byte of a TLS handshake. */
const HANDSHAKE = 0x16

/** Refuse plain http requests on the port of a TLS server with 426. */
export function refusePlainRequests(secure: SecureServer, counted: () => void): void {
  const plain = createPlainServer((_request, response) => {
    counted()
    response
      .writeHead(426, { upgrade: 'TLS/1.2, HTTP/1.1', connection: 'Upgrade, close', 'content-type': 'application/json' })
      .end(JSON.stringify({ code: 426, message: 'Use https.' }))
  })
  const encrypted = secure.listeners('connection') as ((socket: Socket) => void)[]
  secure.removeAllListeners('connection')
  secure.on('connection', (socket: Socket) => {
    socket.on('error', () => socket.destroy())
    socket.once('data', (bytes: Buffer) => {
      socket.pause()
      socket.unshift(bytes)
      if (bytes[0] === HANDSHAKE) for (const listener of encrypted) listener.call(secure, socket)
      else {
        plain.emit('connection', socket)
        socket.resume()
      }
    })
  })
}
