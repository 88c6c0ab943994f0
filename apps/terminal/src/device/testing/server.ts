/** A server for the terminal's tests: the device protocol over real HTTP or HTTPS and a real broker, all in memory. */
import type { RequestListener } from 'node:http'
import { createServer as createSecureServer, type Server as SecureServer } from 'node:https'
import type { AddressInfo, Socket } from 'node:net'
import Fastify from 'fastify'
import { serveAudience } from './audience.ts'
import { DEVICE, manifestWith } from './objects.ts'
import { refusePlainRequests } from './plain-requests.ts'
import { exchangeMessages, startBroker, topics } from './server-broker.ts'
import { serveCalls } from './server-calls.ts'
import { serveNumbered } from './server-numbered.ts'
import { serveSignIn } from './server-sign-in.ts'
import type { TestServer, TestServerOptions, TestServerParts } from './server-types.ts'
import { breakOff, serveVisits } from './server-visits.ts'

export { BROKER } from './server-broker.ts'
export type { RemovalAsked, TestServer, TestServerOptions } from './server-types.ts'

/** Start the server on free ports of the loopback. */
export async function startTestServer({ port = 0, tls, brokerTls }: TestServerOptions = {}): Promise<TestServer> {
  const { aedes, mqtt } = await startBroker(brokerTls)
  let secure: SecureServer | null = null
  const http = Fastify({
    bodyLimit: 4 * 1_048_576,
    forceCloseConnections: true,
    ...(tls && {
      serverFactory(handler: RequestListener) {
        secure = createSecureServer({ key: tls.key, cert: tls.certificate }, handler)
        refusePlainRequests(secure, () => server.plainRequests++)
        return secure
      },
    }),
  })
  http.addContentTypeParser('multipart/form-data', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
  const parts: TestServerParts = { http, aedes, mqtt, hasBrokerTls: brokerTls !== undefined, server: () => server }
  const { publish, acknowledge } = exchangeMessages(parts)
  http.addHook('onRequest', async (_request, reply) => {
    if (server.isCutOff) return breakOff(reply)
  })
  const endTokens = serveSignIn(parts)
  const audience = serveAudience(http, manifestWith())
  serveCalls(parts)
  const machine = serveVisits(http, () => audience.manifest.settings.visitorMachine !== undefined)
  const numbered = serveNumbered(http)
  const open = new Set<Socket>()
  http.server.on('connection', (socket: Socket) => {
    open.add(socket)
    socket.once('close', () => open.delete(socket))
  })
  await http.listen({ port, host: '127.0.0.1' })

  const server: TestServer = {
    url: `${tls ? 'https' : 'http'}://127.0.0.1:${(http.server.address() as AddressInfo).port}`,
    secret: DEVICE.secret,
    keys: [tls, brokerTls].flatMap((certificate) => (certificate ? [certificate.keyDigest] : [])),
    tlsOnly: tls !== undefined,
    knowsHandshake: true,
    tokenSeconds: 3_600,
    signIns: { challenges: 0, tokens: 0 },
    plainRequests: 0,
    asked: [],
    broker: null,
    brokerUrl: `${brokerTls ? 'mqtts' : 'mqtt'}://127.0.0.1:${(mqtt.address() as AddressInfo).port}`,
    connections: () => open.size,
    endTokens,
    show({ key, certificate }) {
      secure!.setSecureContext({ key, cert: certificate })
      secure!.closeIdleConnections()
    },
    deviceId: DEVICE.deviceId,
    audience,
    secrets: { devicePassword: null, console: null, wifi: null },
    secretsCalls: 0,
    identify: { personId: null, personName: '', score: null, failReason: 904 },
    identifyCalls: 0,
    verify: { allowed: true, failReason: null },
    removal: null,
    verifyAfter: 0,
    verifyCalls: [],
    records: new Map(),
    arrivals: [],
    batches: [],
    paired: [],
    acknowledging: true,
    claimed: new Map(),
    pictures: new Map(),
    files: new Map(),
    filesAsked: [],
    statuses: [],
    answers: [],
    machine,
    numbered,
    isCutOff: false,
    recordsOf: (epoch) => [...(server.records.get(epoch)?.values() ?? [])].sort((a, b) => a.seq - b.seq),
    changed: () => publish(topics.changed, audience.announcement()),
    command: (command) => publish(topics.command, command),
    acknowledgeAll: () => [...server.records.keys()].forEach(acknowledge),
    cut() {
      for (const client of Object.values((aedes as unknown as { clients: Record<string, { conn: { destroy(): void } }> }).clients))
        client.conn.destroy()
    },
    async stop() {
      await http.close()
      mqtt.close()
      await new Promise<void>((resolve) => aedes.close(resolve))
    },
  }
  return server
}
