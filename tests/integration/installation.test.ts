/**
 * An installation of the terminal that upgrades itself: real launcher, real processes, and power cuts at every step.
 * @module-tag extended
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { digestsOf, packageOf, tarOf } from '@gatehouse/dev-env/packages'
import { installPackage } from '../../apps/terminal/src/upgrade/install.ts'
import { openInstallation, type InstallMoment } from '../../apps/terminal/src/upgrade/installation.ts'
import { readPointer } from '../../apps/terminal/src/upgrade/pointer.ts'
import { BROKEN, clientOf, installation, killed, SILENT, workOn, WORKS } from '../support/terminal-installation.ts'
import { until } from '../support/until.ts'

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
  expect(await answers(packageOf({ versionNumber: 'eight' }))).toBe(540)
  expect(await answers(packageOf({ versionNumber: '8', entry: 'main.mjs' }))).toBe(540)
  expect(await answers(packageOf({ versionNumber: '8' }, { 'main.mjs': '' }))).toBe(540)
  expect(await answers(good.subarray(0, 1400))).toBe(540)
  expect(await answers(clientOf('8', WORKS('8'), { name: 'gate-of-others' }))).toBe(541)
  expect(await answers(clientOf('8', WORKS('8'), { kind: 'device' }))).toBe(541)
  expect(await answers(clientOf('8', WORKS('8'), { files: { 'main.mjs': '0'.repeat(64) } }))).toBe(542)
  expect(await answers(clientOf('10', WORKS('10'), { minimumBase: '8' }))).toBe(543)
  for (const name of ['../out.mjs', '/out.mjs', 'a/../../out.mjs'])
    expect(
      await answers(
        packageOf({ versionNumber: '8', entry: 'main.mjs', files: digestsOf({ 'main.mjs': '' }) }, { 'main.mjs': '', [name]: '' }),
      ),
    ).toBe(540)
  expect(readPointer(root)).toMatchObject({ client: { versionNumber: '7' }, trial: null })

  expect(await answers(good)).toBe(201)
  expect(readPointer(root)).toMatchObject({ client: { versionNumber: '8', previous: '7' }, trial: { kind: 'client', starts: 0 } })
  // During the trial of a version no other one is installed.
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
  // The remains of an interrupted installation do not get in the way.
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
    // The next attempt starts from the beginning.
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
  const work = workOn(bytes)
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
