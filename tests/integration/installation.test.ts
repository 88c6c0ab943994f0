/**
 * An installation of the terminal that upgrades itself: real launcher, real processes, and power cuts at every step.
 * @module-tag extended
 */
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import type { PackageManifest } from '@gatehouse/contract/upgrades/package'
import { packageOf, tarOf } from '@gatehouse/dev-env/packages'
import { installPackage } from '../../apps/terminal/src/upgrade/install.ts'
import { createInstallation, openInstallation, type InstallMoment } from '../../apps/terminal/src/upgrade/installation.ts'
import { readPointer } from '../../apps/terminal/src/upgrade/pointer.ts'
import { scratchFolder } from '../support/scratch-folder.ts'
import { until } from '../support/until.ts'

/** Says its number, and that it is ready; goes on until it is ended. */
const WORKS = (number: string) => `import { appendFileSync } from 'node:fs'
appendFileSync(process.env.SAID, ${JSON.stringify(`${number}\n`)})
process.on('disconnect', () => process.exit(0))
process.send({ ready: true })
setInterval(() => {}, 1000)`
/** Ends at once. */
const BROKEN = "import { appendFileSync } from 'node:fs'\nappendFileSync(process.env.SAID, 'broken\\n')\nprocess.exit(1)"
/** Never says that it is ready. */
const SILENT =
  "import { appendFileSync } from 'node:fs'\nappendFileSync(process.env.SAID, 'silent\\n')\nprocess.on('disconnect', () => process.exit(0))\nsetInterval(() => {}, 1000)"

interface Installation {
  root: string
  /** Writes a package beside it. */
  file(bytes: Buffer): string
  /** Puts it in place, which must go well. */
  puts(versionNumber: string, program: string): Promise<void>
  /** Starts the launcher. */
  start(readyWithinMs?: number): ChildProcess
  /** What its programs have said, in their order. */
  said(): string[]
}

/** An installation that runs version 7. */
async function installation(): Promise<Installation> {
  const folder = scratchFolder()
  const root = join(folder, 'terminal')
  mkdirSync(root)
  const said = join(folder, 'said')
  writeFileSync(said, '')
  let files = 0
  const file = (bytes: Buffer): string => {
    const path = join(folder, `${++files}.tar`)
    writeFileSync(path, bytes)
    return path
  }
  await createInstallation(root, file(clientOf('7', WORKS('7'))))
  return {
    root,
    file,
    async puts(versionNumber, program) {
      expect(await installPackage(file(clientOf(versionNumber, program)), root, () => {})).toBe(201)
    },
    start(readyWithinMs = 20_000) {
      const child = spawn(process.execPath, [join(root, 'launcher.ts')], {
        env: { ...process.env, SAID: said, READY_WITHIN_MS: String(readyWithinMs) },
        stdio: ['ignore', 'ignore', 'inherit'],
      })
      onTestFinished(() => void child.kill('SIGKILL'))
      return child
    },
    said: () => readFileSync(said, 'utf8').split('\n').filter(Boolean),
  }
}

const clientOf = (versionNumber: string, program: string, manifest: Partial<PackageManifest> = {}) =>
  packageOf({ versionNumber, entry: 'main.mjs', ...manifest }, { 'main.mjs': program })
const killed = async (child: ChildProcess) => {
  const ended = once(child, 'exit')
  child.kill('SIGKILL')
  await ended
}

test('a package is taken or refused with the code of the device-side console', async () => {
  const { root, file } = await installation()
  const answers = async (bytes: Buffer) => installPackage(file(bytes), root, () => {})
  const good = clientOf('8', WORKS('8'))
  expect(await installPackage(file(good), null, () => {})).toBe(527)
  expect(await answers(Buffer.from('no tar'))).toBe(403)
  expect(await answers(clientOf('8', WORKS('8'), { hardware: ['abacus-wood'] }))).toBe(402)
  expect(await answers(clientOf('7', WORKS('7')))).toBe(526)
  expect(await answers(clientOf('06', WORKS('6')))).toBe(526)
  expect(await answers(tarOf({ 'main.mjs': '' }))).toBe(540)
  expect(await answers(tarOf({ 'manifest.json': '{"name":"gatehouse-terminal"}' }))).toBe(540)
  expect(await answers(packageOf({ versionNumber: '8', entry: 'main.mjs' }))).toBe(540)
  expect(await answers(good.subarray(0, 1400))).toBe(540)
  expect(await answers(clientOf('8', WORKS('8'), { name: 'gate-of-others' }))).toBe(541)
  expect(await answers(clientOf('8', WORKS('8'), { kind: 'device' }))).toBe(541)
  expect(await answers(clientOf('8', WORKS('8'), { files: { 'main.mjs': '0'.repeat(64) } }))).toBe(542)
  expect(await answers(clientOf('10', WORKS('10'), { minimumBase: '8' }))).toBe(543)
  for (const name of ['../out.mjs', '/out.mjs', 'a/../../out.mjs'])
    expect(await answers(packageOf({ versionNumber: '8', entry: 'main.mjs' }, { 'main.mjs': '', [name]: '' }))).toBe(540)
  expect(readPointer(root)).toMatchObject({ client: { versionNumber: '7' }, trial: null })

  expect(await answers(good)).toBe(201)
  expect(readPointer(root)).toMatchObject({ client: { versionNumber: '8', previous: '7' }, trial: { kind: 'client', starts: 0 } })
  // While it is on trial nothing is put over it.
  expect(await answers(clientOf('9', WORKS('9')))).toBe(527)
})

test('face models come as a package too, and the same or an older one is not taken', async () => {
  const { root, file, start, said } = await installation()
  const models = (versionNumber: string) => file(packageOf({ versionNumber, kind: 'algorithm' }, { 'models/model.json': '{}' }))
  expect(await installPackage(models('3'), root, () => {})).toBe(201)
  const child = start()
  await until('the models to be proven', () => readPointer(root).trial === null)
  expect(readPointer(root)).toMatchObject({ client: { versionNumber: '7' }, algorithm: { versionNumber: '3', previous: null } })
  expect(said()).toEqual(['7'])
  await killed(child)
  expect(await installPackage(models('3'), root, () => {})).toBe(517)
})

const MOMENTS: Record<InstallMoment, string> = { emptied: '7', unpacked: '7', named: '7', pointed: '8' }

test.each(Object.entries(MOMENTS))('a power cut when it is %s leaves version %s to be started', async (moment, runs) => {
  const { root, file, start, said } = await installation()
  const path = file(clientOf('8', WORKS('8')))
  const cut = spawn(process.execPath, [join(import.meta.dirname, '../support/install.process.ts'), root, path, moment], {
    stdio: 'inherit',
  })
  const [, signal] = (await once(cut, 'exit')) as [number | null, string | null]
  expect(signal).toBe('SIGKILL')
  const child = start()
  await until('a version to say its number', () => said().length > 0)
  expect(said()).toEqual([runs])
  await killed(child)
  if (runs === '8') return
  // What was broken off is in nobody's way.
  expect(await installPackage(path, root, () => {})).toBe(201)
  start()
  await until('the new one', () => said().includes('8'))
  expect(readdirSync(join(root, 'client')).toSorted()).toEqual(['7', '8'])
})

test('a version that ends before it is ready, or never says that it is, is gone back from', async () => {
  for (const [program, patience] of [
    [BROKEN, 20_000],
    [SILENT, 300],
  ] as const) {
    const { root, puts, start, said } = await installation()
    await puts('8', program)
    start(patience)
    await until('the one before to run again', () => said().at(-1) === '7')
    expect(readPointer(root)).toMatchObject({ client: { versionNumber: '7' }, trial: null, outcome: { versionNumber: '8', ready: false } })
    // The next try begins anew.
    await puts('9', WORKS('9'))
  }
})

test('a version is on trial until it is ready, over power cuts, but not for ever', async () => {
  const { root, puts, start, said } = await installation()
  await puts('8', SILENT)
  for (const cut of [1, 2, 3]) {
    const child = start()
    await until('it to be started', () => said().length === cut)
    expect(readPointer(root)).toMatchObject({ client: { versionNumber: '8', previous: '7' }, trial: { starts: cut } })
    await killed(child)
  }
  start()
  await until('the one before to run again', () => said().at(-1) === '7')
  expect(said()).toEqual(['silent', 'silent', 'silent', '7'])
})

test('what was fetched and what is worked on is there again after a cut', async () => {
  const { root } = await installation()
  const bytes = clientOf('8', WORKS('8'))
  const work = {
    id: 'task',
    attempt: 2,
    kind: 'client',
    apkName: '',
    versionNumber: '8',
    content: '',
    type: 1,
    size: bytes.length,
    md5: '',
    sha256: '',
    state: 'inProgress',
  } as const
  const before = openInstallation(root, () => {})
  before.begin(work)
  before.append(bytes.subarray(0, 700))
  const after = openInstallation(root, () => {})
  expect([after.work(), after.fetched(), after.running('client'), after.running('algorithm')]).toEqual([work, 700, '7', ''])
  after.append(bytes.subarray(700))
  await after.inspect()
  await after.install()
  expect([after.work(), after.fetched()]).toEqual([null, 0])
  expect(existsSync(join(root, 'client', '8', 'main.mjs'))).toBe(true)
  expect(readPointer(root).trial).toEqual({ kind: 'client', task: { id: 'task', attempt: 2 }, starts: 0 })
})
