/** How a device signs in at the terminal's test server: a challenge, a proof, and a token for every other call. */
import { createHash, createHmac, randomBytes } from 'node:crypto'
import { deviceProofText, serverProofText } from '@gatehouse/contract/device/handshake'
import { deviceProtocolCalls } from '@gatehouse/contract/device/protocol-calls'
import { ok } from './answers.ts'
import { DEVICE } from './objects.ts'
import type { TestServerParts } from './server-types.ts'

const UNKNOWN = { code: 100412, message: 'Unknown device or secret.' }

/** Serve signing in, and refuse calls without a token. @returns a function that invalidates all tokens */
export function serveSignIn({ http, server }: TestServerParts): () => void {
  http.addHook('onRequest', async (request, reply) => {
    server().asked.push(`${request.method} ${request.url}`)
    if ([deviceProtocolCalls.challenge.url, deviceProtocolCalls.token.url, deviceProtocolCalls.removal.url].includes(request.url)) return
    // Basic is refused: a terminal must not send its secret.
    const token = tokens.get(request.headers.authorization ?? '')
    if (token?.secret !== server().secret || token.until < Date.now()) return reply.code(401).send(UNKNOWN)
  })
  const tokens = new Map<string, { secret: string; until: number }>()
  const proofOf = (code: string, text: string): string =>
    createHmac('sha256', code === DEVICE.code ? createHash('sha256').update(server().secret).digest() : randomBytes(32))
      .update(text)
      .digest('base64url')
  http.post(deviceProtocolCalls.challenge.url, async (request, reply) => {
    if (!server().knowsHandshake) return reply.code(404).send({ code: 404, message: 'Not found.' })
    const { code, nonce } = deviceProtocolCalls.challenge.body.parse(request.body)
    server().signIns.challenges++
    const challenge = randomBytes(24).toString('base64url')
    const [keys, { tlsOnly }] = [[...server().keys], server()]
    return ok({ challenge, keys, tlsOnly, proof: proofOf(code, serverProofText({ code, nonce, challenge, keys, tlsOnly })) })
  })
  http.post(deviceProtocolCalls.token.url, async (request, reply) => {
    const { proof, ...said } = deviceProtocolCalls.token.body.parse(request.body)
    if (proof !== proofOf(said.code, deviceProofText(said))) return reply.code(401).send(UNKNOWN)
    server().signIns.tokens++
    const token = randomBytes(24).toString('base64url')
    tokens.set(`Bearer ${token}`, { secret: server().secret, until: Date.now() + 1000 * server().tokenSeconds })
    return ok({ token, expiresIn: server().tokenSeconds })
  })
  return () => tokens.clear()
}
