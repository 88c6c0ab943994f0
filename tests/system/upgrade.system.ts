/**
 * An upgrade of many simulated terminals and a real one, a process under its launcher, while server, network and power fail repeatedly: all
 * of them get the new version, report it, and none is left behind. The seed determines the moments.
 */
import { randomBytes } from 'node:crypto'
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { createWriteStream, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { deviceCalls } from '@gatehouse/contract/devices/calls'
import { upgradeCalls } from '@gatehouse/contract/upgrades/calls'
import { createClient, logIn } from '@gatehouse/dev-env/client'
import { forceUpgrade, PACKAGE_KEY, packageOf, saveVersion } from '@gatehouse/dev-env/packages'
import { Catalogue } from '@gatehouse/dev-env/simulator/catalogue'
import { startSimulatedDevice } from '@gatehouse/dev-env/simulator/simulated-device'
import { createSite } from '@gatehouse/dev-env/site'
import type { TerminalState } from '@gatehouse/terminal'
import { randomOf } from '@gatehouse/face-engine/portrait/random'
import { createInstallation } from '../../apps/terminal/src/upgrade/installation.ts'
import { startPostgresCluster } from '../support/postgres-cluster.ts'
import { hasEnded } from '../support/program.ts'
import { steadyPort } from '../support/proxy.ts'
import { scratchFolder } from '../support/scratch-folder.ts'
import { secondOperator } from '../support/second-operator.ts'
import { ADMIN, startServerProcess } from '../support/server-process.ts'
import { until } from '../support/until.ts'
import { depth, SEED } from './depth.ts'

/** The kinds of failure depend on the number of the round, not on the number of terminals. */
const SIMULATED = depth({ usual: 16, soak: 100 })
const OLD = '7'
const NEW = '8'
/** Large enough to be cut in the middle. */
const PACKAGE_BYTES = 6 * 1_048_576
const MISFORTUNE_EVERY_MS = 400

const say = (words: string) => process.stdout.write(`${words}\n`)
/** The terminal of this checkout in the form of a package: its code stays where it is. */
const PROGRAM = `await import(${JSON.stringify(pathToFileURL(join(import.meta.dirname, '../../apps/terminal/src/main.ts')).href)})\n`

const terminalPackage = (versionNumber: string, noise: Buffer) =>
  packageOf({ versionNumber, entry: 'main.mjs' }, { 'main.mjs': PROGRAM, noise })

test(`${SIMULATED} simulated terminals and a real one come to the new version, whatever is cut, seed ${SEED}`, async () => {
  const random = randomOf(`${SEED} upgrade`)
  const folder = scratchFolder()
  const logs = join(folder, 'logs')
  mkdirSync(logs)
  const database = await startPostgresCluster(join(folder, 'database'))
  onTestFinished(() => database.kill())
  const server = await startServerProcess({
    connectionString: database.connectionString,
    dataDir: join(folder, 'server'),
    log: join(logs, 'server.log'),
  })
  onTestFinished(() => server.kill())
  const admin = async () => (await logIn(createClient(server.url), ADMIN)).access_token
  let made = 0
  const site = createSite({ url: server.url, bearer: await admin(), park: { areaCode: '' } as never, next: () => ++made })

  // A real terminal, installed with the old version.
  const real = await site.device({ name: 'Real' })
  const root = join(folder, 'terminal')
  mkdirSync(root)
  const first = join(folder, 'first.tar')
  writeFileSync(first, terminalPackage(OLD, Buffer.from('old')))
  await createInstallation(root, first, PACKAGE_KEY)
  const port = await steadyPort()
  const log = createWriteStream(join(logs, 'terminal.log'))
  let launcher: ChildProcess | null = null
  function switchOn(): void {
    const words = [
      '--server',
      server.url,
      '--code',
      real.code,
      '--secret',
      real.secret,
      '--data',
      join(folder, 'kept'),
      '--port',
      String(port),
    ]
    launcher = spawn(process.execPath, [join(root, 'launcher.ts'), ...words], {
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
      env: { ...process.env, MODEL_DIR: '' },
    })
    launcher.stdout!.pipe(log, { end: false })
    launcher.stderr!.pipe(log, { end: false })
  }
  async function switchOff(): Promise<void> {
    if (launcher === null || hasEnded(launcher)) return
    const ended = once(launcher, 'exit')
    // Launcher and terminal at once, as a power cut does.
    process.kill(-launcher.pid!, 'SIGKILL')
    await ended
  }
  switchOn()
  onTestFinished(switchOff)
  const stateOfReal = async () => (await (await fetch(`http://127.0.0.1:${port}/state`)).json()) as TerminalState
  await until(
    'the real terminal to be online',
    async () => {
      const { link } = await stateOfReal()
      if (link.kind !== 'online') throw new Error(`it is ${link.kind}. ${link.detail}`)
      return true
    },
    120,
  )
  expect((await stateOfReal()).version).toBe(OLD)

  const fleet: Awaited<ReturnType<typeof startSimulatedDevice>>[] = []
  for (let count = 0; count < SIMULATED; count++) {
    const { code, secret } = await site.device()
    const drawn = randomOf(`${SEED} ${code}`)
    fleet.push(
      await startSimulatedDevice({
        server: server.url,
        code,
        secret,
        modelId: 'none',
        version: OLD,
        line: {},
        retry: { first: 100, limit: 1_000 },
        random: () => drawn.next(),
        store: { catalogue: new Catalogue() },
      }),
    )
  }
  onTestFinished(async () => void (await Promise.all(fleet.map((device) => device.stop()))))
  await until('all to be online', async () => (await site.call(deviceCalls.summary, {})).online === SIMULATED + 1, 120)

  const { id: versionId, bytes } = await saveVersion(site.client, { versionNumber: NEW }, terminalPackage(NEW, randomBytes(PACKAGE_BYTES)))
  const client = () => createClient(server.url, site.client.credentials)
  const id = await forceUpgrade(client(), await secondOperator(client()), { versionId, deviceTypes: [3] })
  expect((await client().call(upgradeCalls.task, { query: { id } })).devices).toBe(SIMULATED + 1)

  // Failures happen until all are done, of each kind often enough.
  const struck = { power: 0, line: 0, server: 0, real: 0 }
  const over: Promise<void>[] = []
  const isBusy = ({ installation }: (typeof fleet)[number]) => installation.version() === OLD
  for (let round = 1; fleet.some(isBusy) || struck.server < 2 || struck.real < 3; round++) {
    const victim = random.pick(fleet.filter(isBusy).length > 0 ? fleet.filter(isBusy) : fleet)
    const lasts = random.between(200, 1_500)
    if (round % 12 === 6 && struck.server < 3) {
      struck.server++
      await server.kill()
      await delay(lasts)
      await server.start()
    } else if (round % 8 === 3 && struck.real < 4) {
      struck.real++
      await switchOff()
      switchOn()
    } else if (round % 2 === 0) {
      struck.power++
      victim.powerCut()
      over.push(delay(lasts).then(() => victim.powerOn()))
    } else {
      struck.line++
      victim.lineDown()
      over.push(delay(lasts).then(() => victim.lineUp()))
    }
    await delay(MISFORTUNE_EVERY_MS)
  }
  await Promise.all(over)
  say(`seed ${SEED}: power cut ${struck.power} times, lines ${struck.line}, server ${struck.server}, the real terminal ${struck.real}`)
  expect(Math.min(...Object.values(struck)), 'rounds of each kind').toBeGreaterThan(0)

  const task = await until(
    'all to have started again',
    async () => {
      const seen = await client().call(upgradeCalls.task, { query: { id } })
      return seen.counts.restarted === SIMULATED + 1 && seen
    },
    300,
  )
  expect(task).toMatchObject({ status: 'success', progress: 100, counts: { restarted: SIMULATED + 1 } })
  expect(fleet.map(({ installation }) => installation.version())).toEqual(fleet.map(() => NEW))
  // Downloads are resumed, not started again: hardly more bytes arrived than the packages have.
  const received = fleet.reduce((sum, { installation }) => sum + installation.received(), 0)
  expect(received).toBe(bytes.length * SIMULATED)
  expect((await until('the real terminal to answer', stateOfReal)).version).toBe(NEW)
  await until(
    'the list to show the new version everywhere',
    async () => {
      const pages = await Promise.all([1, 2].map((page) => client().call(deviceCalls.list, { query: { page, size: 100 } })))
      return pages
        .flatMap(({ content }) => content)
        .every(({ firmwareVersion, onlineStatus }) => firmwareVersion === NEW && onlineStatus === 1)
    },
    120,
  )
})
