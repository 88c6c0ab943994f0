/** The port of the embedded broker. */
import type { AddressInfo, Server } from 'node:net'

/** Ports to try after the requested one. */
const NEXT_PORTS = 50

function listen(server: Server, port: number, host: string): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, () => {
      server.off('error', reject)
      resolve((server.address() as AddressInfo).port)
    })
  })
}

/**
 * Listen on the requested port, which `variable` of the environment names; if it is in use and `mayMove` is set, on the next free one.
 * @throws Error with a sentence when the port is in use
 */
export async function listenNear(
  server: Server,
  options: { port: number; host: string; mayMove: boolean; variable: string },
): Promise<number> {
  for (let port = options.port; ; port++) {
    try {
      return await listen(server, port, options.host)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error
      if (!options.mayMove || port >= options.port + NEXT_PORTS)
        throw new Error(`MQTT port ${port} is in use; set ${options.variable} to a free one`, { cause: error })
    }
  }
}
