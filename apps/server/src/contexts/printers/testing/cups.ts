/** A real print service: the scheduler of CUPS with one queue, which keeps what it has printed. */
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { until } from '../../../../../../tests/support/until.ts'
import { freePort } from '../../../platform/postgres/free-port.ts'

const SCHEDULER = '/usr/sbin/cupsd'
const ADMIN = '/usr/sbin/lpadmin'
const QUEUE = 'badges'

/** Why tests on it are skipped; null where they run. */
export const cupsMissing: string | null =
  existsSync(SCHEDULER) && existsSync(ADMIN)
    ? process.getuid?.() === 0
      ? null
      : 'the scheduler of CUPS starts for the administrator of the machine alone'
    : 'CUPS is not installed (Debian: apt-get install cups-daemon cups-client)'

export interface RealPrinter {
  address: string
  /** Documents that it has printed. */
  printed(): Buffer[]
  stop(): Promise<void>
}

/** Start a scheduler with a folder and a queue of its own, whose printer is `/dev/null`. */
export async function startCups(): Promise<RealPrinter> {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-cups-'))
  // Parts of it run under an account without rights.
  chmodSync(folder, 0o755)
  const within = (name: string) => join(folder, name)
  for (const name of ['root', 'spool', 'cache', 'state', 'tmp']) mkdirSync(within(name))
  const port = await freePort()
  const files = [
    `ServerRoot ${within('root')}`,
    `RequestRoot ${within('spool')}`,
    `CacheDir ${within('cache')}`,
    `StateDir ${within('state')}`,
    `TempDir ${within('tmp')}`,
    `ErrorLog ${within('error.log')}`,
    `AccessLog ${within('access.log')}`,
    'FileDevice Yes',
    'SystemGroup root',
  ]
  const all = ['Order allow,deny', 'Allow all']
  const settings = [
    `Listen 127.0.0.1:${port}`,
    'Browsing No',
    'DefaultAuthType None',
    'PreserveJobFiles Yes',
    '<Location />',
    ...all,
    '</Location>',
    '<Policy default>',
    '<Limit All>',
    ...all,
    '</Limit>',
    '</Policy>',
  ]
  writeFileSync(within('cups-files.conf'), `${files.join('\n')}\n`)
  writeFileSync(within('cupsd.conf'), `${settings.join('\n')}\n`)
  const scheduler = spawn(SCHEDULER, ['-f', '-c', within('cupsd.conf'), '-s', within('cups-files.conf')], { stdio: 'ignore' })
  await until('the queue', async () => {
    if (scheduler.exitCode !== null) throw new Error(`cupsd ended: ${readFileSync(within('error.log'), 'utf8')}`)
    await promisify(execFile)(ADMIN, ['-h', `127.0.0.1:${port}`, '-p', QUEUE, '-E', '-v', 'file:/dev/null', '-m', 'raw'])
    return true
  })
  return {
    address: `ipp://127.0.0.1:${port}/printers/${QUEUE}`,
    printed: () =>
      readdirSync(within('spool'))
        // Documents of jobs; files of the jobs themselves begin with c.
        .filter((name) => /^d\d/.test(name))
        .toSorted()
        .map((name) => readFileSync(join(within('spool'), name))),
    async stop() {
      if (scheduler.exitCode === null) {
        const ended = once(scheduler, 'exit')
        scheduler.kill()
        await ended
      }
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
