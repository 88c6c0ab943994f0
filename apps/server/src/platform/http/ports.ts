import { createServer } from 'node:net'

/**
 * Assert that a port is free, before anything is created: a first start that fails later would leave an administrator account whose
 * password nobody has seen.
 * @throws Error with a sentence when the port is in use
 */
export function assertFree(port: number, host: string, variable: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const probe = createServer()
    probe.once('error', (error: NodeJS.ErrnoException) =>
      reject(error.code === 'EADDRINUSE' ? new Error(`port ${port} is in use; set ${variable} to a free one`) : error),
    )
    probe.listen(port, host, () => probe.close(() => resolve()))
  })
}
