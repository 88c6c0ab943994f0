/** A real print service: `ippeveprinter` of CUPS, which stores what it prints in a folder. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { until } from '../../../../../../tests/support/until.ts'
import { freePort } from '../../../platform/postgres/free-port.ts'

const PROGRAMS = ['/usr/sbin/ippeveprinter', '/usr/bin/ippeveprinter', '/opt/homebrew/bin/ippeveprinter']
const program = PROGRAMS.find((path) => existsSync(path))

/** It announces itself in the network and does not start where nothing takes the announcement. */
const ANNOUNCER = '/run/avahi-daemon/socket'

/** Why tests on it are skipped; null where they run. */
export const ippeveprinterMissing: string | null =
  program === undefined
    ? 'ippeveprinter is not installed (Debian: apt-get install cups-ipp-utils avahi-daemon)'
    : existsSync(ANNOUNCER)
      ? null
      : 'ippeveprinter does not start without avahi-daemon, which does not run here'

export interface RealPrinter {
  address: string
  /** Files that it has printed. */
  printed(): Buffer[]
  stop(): Promise<void>
}

const answers = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    socket.once('connect', () => {
      socket.destroy()
      resolve(true)
    })
    socket.once('error', () => resolve(false))
  })

/** @param formats that it takes, such as `application/pdf` */
export async function startIppeveprinter(formats: string): Promise<RealPrinter> {
  if (program === undefined) throw new Error(ippeveprinterMissing!)
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-printer-'))
  const port = await freePort()
  // No announcement in the network, no other name than that of this machine, spooled files are kept.
  const words = ['-r', 'off', '-n', 'localhost', '-p', String(port), '-d', folder, '-k', '-f', formats, 'Gatehouse test']
  const child = spawn(program, words, { stdio: ['ignore', 'ignore', 'pipe'] })
  const said: string[] = []
  child.stderr.setEncoding('utf8').on('data', (text: string) => said.push(text))
  await until('ippeveprinter to listen', () => {
    if (child.exitCode !== null) throw new Error(`ippeveprinter ended: ${said.join('')}`)
    return answers(port)
  })
  return {
    address: `ipp://127.0.0.1:${port}/ipp/print`,
    printed: () =>
      readdirSync(folder, { recursive: true, encoding: 'utf8' })
        .filter((name) => name.endsWith('.pdf'))
        .map((name) => readFileSync(join(folder, name))),
    async stop() {
      if (child.exitCode === null) {
        const ended = once(child, 'exit')
        child.kill()
        await ended
      }
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
