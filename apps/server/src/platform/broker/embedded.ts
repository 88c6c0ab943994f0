/**
 * The broker inside the server's own process. The server is not a client of it: messages of devices are handed over as they are read, and
 * messages of the server go straight to the device's subscription.
 */
import type { Socket } from 'node:net'
import { Aedes } from 'aedes'
import { addressForDevices } from './address.ts'
import { passwordOf } from './credentials.ts'
import { guardBroker } from './embedded-guard.ts'
import { openPorts } from './embedded-ports.ts'
import { createDeviceSessions } from './embedded-sessions.ts'
import { limitFrames } from './frames.ts'
import { BrokerUnavailable, type ChannelOptions, type DeviceChannel, type MessageHandler } from './types.ts'

/** Largest MQTT frame of a device, in bytes: 500 records fit. */
const LARGEST_MESSAGE = 512 * 1024
/** Largest frame of any other kind, CONNECT with its last will included, and of any kind before the device is authenticated. */
const LARGEST_OTHER = 16 * 1024
const PUBLISH = 3
const CONNECT_MS = 10_000
/** Milliseconds before a device whose socket accepts no data is disconnected. */
const DRAIN_MS = 20_000

/** Start the embedded broker. @throws Error with a sentence when the port is in use */
export async function embeddedChannel(options: ChannelOptions): Promise<DeviceChannel> {
  const { log, serverKey, credentialOf } = options
  const sessions = createDeviceSessions({ log, serverKey, credentialOf })
  const sockets = new Set<Socket>()
  let handler: MessageHandler | null = null
  /** Messages that arrive before there is a handler wait, and their senders with them. */
  const handlerSet = Promise.withResolvers<MessageHandler>()
  let isStopped = false

  const aedes = await Aedes.createBroker({
    connectTimeout: CONNECT_MS,
    drainTimeout: DRAIN_MS,
    // No common limit of concurrent deliveries: some devices that do not read would delay all others.
    concurrency: 0,
  })
  aedes.on('clientError', (client, error) =>
    log.info({ device: sessions.of(client)?.code, why: error.message }, 'a device’s connection ended'),
  )
  aedes.on('connectionError', (_client, error) => log.info({ why: error.message }, 'a connection ended that was no device’s'))
  // Not in the types, and fatal to the process without a listener.
  ;(aedes as NodeJS.EventEmitter).on('error', (error: Error) => log.error({ err: error }, 'the embedded broker failed'))
  guardBroker(aedes, {
    log,
    sessions,
    needsCertificate: options.tls?.clientAuthority != null,
    isStopped: () => isStopped,
    async take(topic, payload) {
      if (!isStopped) await (handler ?? (await handlerSet.promise))(topic, payload)
    },
  })

  function serve(socket: Socket): void {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
    const client = aedes.handle(socket)
    limitFrames(
      socket,
      (type) => (type === PUBLISH && sessions.of(client) !== undefined ? LARGEST_MESSAGE : LARGEST_OTHER),
      (bytes) => socket.destroy(new Error(`a frame of ${bytes} bytes`)),
    )
  }

  const { port, secure, close } = await openPorts(options, serve).catch((error: unknown) => {
    aedes.close()
    throw error
  })
  /** Return the address for devices: over TLS under a name they can verify. */
  const addressFor = (hostname: string): { url: string | null; port: number } => {
    if (options.deviceUrl != null) return addressForDevices(options.deviceUrl)
    return secure === null ? { url: null, port } : { url: `mqtts://${secure.name ?? hostname}:${secure.port}`, port: secure.port }
  }

  return {
    port,
    get connected() {
      return !isStopped
    },
    onMessage(newHandler) {
      handler = newHandler
      handlerSet.resolve(newHandler)
    },
    onReconnect() {},
    publish: (topic, payload, { qos = 0 } = {}) =>
      new Promise((resolve, reject) => {
        if (isStopped) return reject(new BrokerUnavailable('the broker has stopped'))
        // Not awaited: the sender must not depend on how quickly a device reads.
        aedes.publish({ cmd: 'publish', topic, payload, qos, retain: false, dup: false }, (error) => {
          if (error) log.warn({ err: error, topic }, 'a message did not go out')
        })
        resolve()
      }),
    async admit({ deviceId, code }, { hostname, signedInBy }) {
      const credential = await credentialOf(code)
      if (credential?.deviceId !== deviceId) throw new Error(`there is no device ${code}`)
      return { ...addressFor(hostname), username: code, password: passwordOf(serverKey, credential, signedInBy) }
    },
    disconnect: sessions.end,
    retire: sessions.retire,
    async stop() {
      if (isStopped) return
      isStopped = true
      await new Promise<void>((resolve) => aedes.close(resolve))
      const closed = close()
      for (const socket of sockets) socket.destroy()
      await closed
    },
  }
}
