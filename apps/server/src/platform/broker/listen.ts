/** The port of the embedded broker. */
import type { AddressInfo, Server } from 'node:net'

/** How many ports beyond the wanted one are tried. */
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
 * Listens on the wanted port, which `variable` of the environment names; where somebody else does, on the next free one if it may.
 * @throws Error with a sentence when the port is in use
 */
export async function listenNear(
  server: Server,
  wanted: { port: number; host: string; mayMove: boolean; variable: string },
): Promise<number> {
  for (let port = wanted.port; ; port++) {
    try {
      return await listen(server, port, wanted.host)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error
      if (!wanted.mayMove || port >= wanted.port + NEXT_PORTS)
        throw new Error(`MQTT port ${port} is in use; set ${wanted.variable} to a free one`, { cause: error })
    }
  }
}
