import { createServer } from 'node:net'

/**
 * Looks before anything is made whether a port can be had: a first start that fails later would leave an administrator
 * whose password nobody was told.
 * @throws Error with a sentence when somebody listens there
 */
export function assertFree(wanted: number, host: string, variable: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const probe = createServer()
    probe.once('error', (error: NodeJS.ErrnoException) =>
      reject(error.code === 'EADDRINUSE' ? new Error(`port ${wanted} is in use; set ${variable} to a free one`) : error),
    )
    probe.listen(wanted, host, () => probe.close(() => resolve()))
  })
}
