/** The ports of the embedded broker. */
import { createServer, type Server, type Socket } from 'node:net'
import type { Logger } from '../log.ts'
import { listenNear } from './listen.ts'
import { secureServer } from './tls.ts'
import type { ChannelOptions } from './types.ts'

export interface BrokerPorts {
  port: number
  /**
   * Port of TLS connections, and the name devices verify; null where there is none. A null name: the host at which they reached the
   * server.
   */
  secure: { port: number; name: string | null } | null
  /** Accept no further connections; resolve when the existing ones have ended. */
  close(): Promise<unknown>
}

/**
 * Listen without TLS, and with TLS where there is a certificate.
 * @param serve handles a connection
 * @throws Error with a sentence when a port is in use
 */
export async function openPorts(options: ChannelOptions, serve: (socket: Socket) => void): Promise<BrokerPorts> {
  const { log, tls } = options
  const plain = createServer({ noDelay: true }, serve)
  const secure = tls == null ? null : secureServer(tls, serve, (why) => log.info({ why }, 'a connection over TLS was refused'))
  const servers: Server[] = secure === null ? [plain] : [plain, secure.server]
  const close = () =>
    Promise.all(servers.map((server) => new Promise((resolve) => (server.listening ? server.close(resolve) : resolve(undefined)))))
  try {
    const port = await listenNear(plain, { ...options, host: options.plainHost ?? options.host, variable: 'MQTT_PORT' })
    const securePort = secure === null ? 0 : await listenNear(secure.server, { ...options, port: tls!.port, variable: 'MQTT_TLS_PORT' })
    watchErrors(servers, log)
    return { port, secure: secure && { port: securePort, name: secure.name }, close }
  } catch (error) {
    // Not awaited: a device that connected meanwhile would keep its connection, and the error would never be reported.
    void close()
    throw error
  }
}

function watchErrors(servers: readonly Server[], log: Logger): void {
  for (const server of servers) server.on('error', (error) => log.error({ err: error }, 'the embedded broker failed'))
}
