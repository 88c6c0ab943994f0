/** The embedded MQTT broker. Devices see their own topics only; the server itself comes in with a secret of its own. */
import { createServer, type Server } from 'node:net'
import { Aedes } from 'aedes'
import type { DevicePrincipal } from './session.ts'

export interface Broker {
  port: number
  /** Cuts a device off, e.g. after its secret was changed. */
  disconnect(code: string): void
  stop(): Promise<void>
}

export interface BrokerOptions {
  /** Wanted port; 0 for any. */
  port: number
  /** Take the next free port where the wanted one is in use. */
  mayMove: boolean
  host: string
  serverSecret: string
  device(code: string, secret: string): Promise<DevicePrincipal | null>
}

/** Account under which the server itself connects. */
export const SERVER_ACCOUNT = '$server'

const listen = (server: Server, port: number, host: string) =>
  new Promise<number>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, () => {
      server.removeListener('error', reject)
      const address = server.address()
      resolve(typeof address === 'object' && address !== null ? address.port : port)
    })
  })

/** Starts the broker on the wanted port, or the next free one. */
export async function startBroker(options: BrokerOptions): Promise<Broker> {
  const aedes = await Aedes.createBroker({ heartbeatInterval: 10_000, connectTimeout: 10_000 })
  const codes = new WeakMap<object, string>()
  aedes.authenticate = (client, username, password, done) => {
    const secret = password?.toString('utf8') ?? ''
    if (username === SERVER_ACCOUNT) {
      codes.set(client, SERVER_ACCOUNT)
      return done(null, secret === options.serverSecret)
    }
    options.device(username ?? '', secret).then(
      (device) => {
        if (device !== null) codes.set(client, device.code)
        done(null, device !== null)
      },
      () => done(null, false),
    )
  }
  const own = (client: object | null, topic: string, direction: string) => {
    const code = client === null ? SERVER_ACCOUNT : codes.get(client)
    return code === SERVER_ACCOUNT || topic.startsWith(`gatehouse/1/${code}/${direction}/`)
  }
  aedes.authorizePublish = (client, packet, done) => done(own(client, packet.topic, 'up') ? null : new Error('not this device’s topic'))
  // A refused subscription answers 0x80 and keeps the connection.
  aedes.authorizeSubscribe = (client, subscription, done) => done(null, own(client, subscription.topic, 'down') ? subscription : null)

  const server = createServer((socket) => void aedes.handle(socket))
  let port = options.port
  for (;;) {
    try {
      port = await listen(server, port, options.host)
      break
    } catch (error) {
      const taken = (error as NodeJS.ErrnoException).code === 'EADDRINUSE'
      if (!taken) throw error
      if (!options.mayMove || port >= options.port + 50) throw new Error(`MQTT port ${port} is in use; set MQTT_PORT to a free one`, { cause: error })
      port++
    }
  }
  return {
    port,
    disconnect(code) {
      const clients = (aedes as unknown as { clients: Record<string, object & { close(): void }> }).clients
      for (const client of Object.values(clients)) if (codes.get(client) === code) client.close()
    },
    stop: () =>
      new Promise((resolve) => {
        aedes.close(() => server.close(() => resolve()))
      }),
  }
}
