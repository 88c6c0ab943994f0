/**
 * Durable before acknowledged: nothing is acknowledged before the file and its folder are synced, which is observed by delaying the
 * syncs.
 */
import { readFileSync, readlinkSync, readdirSync, realpathSync, statSync } from 'node:fs'
import { open, type FileHandle } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { scratchFolder } from '../../../../../tests/support/scratch-folder.ts'
import { until } from '../../../../../tests/support/until.ts'
import { DurableDriver } from './durable-driver.ts'

interface PendingSync {
  /** Below the driver's folder; empty for the folder itself. */
  path: string
  release(): void
}

let root: string
let driver: DurableDriver
beforeEach(() => {
  root = realpathSync(scratchFolder())
  driver = new DurableDriver(root)
})

/** Delay every sync from now on until it is released. @returns the waiting syncs, and a function that ends the delay */
async function holdSyncs(): Promise<{ pending: PendingSync[]; end: () => void }> {
  const pending: PendingSync[] = []
  const handle = await open(root, 'r')
  const prototype = Object.getPrototypeOf(handle) as FileHandle
  await handle.close()
  const sync = prototype.sync
  const spy = vi.spyOn(prototype, 'sync').mockImplementation(async function (this: FileHandle) {
    const { promise, resolve } = Promise.withResolvers<void>()
    pending.push({ path: readlinkSync(`/proc/self/fd/${this.fd}`).slice(root.length + 1), release: resolve })
    await promise
    await sync.call(this)
  })
  const end = () => void spy.mockRestore()
  onTestFinished(end)
  return { pending, end }
}

/** Run work, and release its syncs one by one. @returns what was synced, in groups that were requested together */
async function syncsOf(work: () => Promise<void>, seen: (paths: string[]) => void = () => {}): Promise<string[][]> {
  const { pending, end } = await holdSyncs()
  let isDone = false
  const done = work().then(() => (isDone = true))
  const groups: string[][] = []
  while (!isDone) {
    await until('a sync or the end', () => isDone || pending.length > 0, 5)
    // Operations started together have all started by then.
    await new Promise((resolve) => setTimeout(resolve, 30))
    const group = pending.splice(0)
    if (group.length === 0) break
    groups.push(group.map(({ path }) => path).toSorted())
    seen(groups.at(-1)!)
    for (const [number, { release }] of group.entries()) {
      expect(isDone, `acknowledged before ${group[number]!.path || 'the folder'} was synced`).toBe(false)
      release()
      await new Promise((resolve) => setTimeout(resolve, 10))
    }
  }
  await done
  end()
  return groups
}

test.runIf(process.platform === 'linux')('a new file is acknowledged once it and its entry in the folder are synced', async () => {
  await driver.put('ab/earlier', 'earlier')
  expect(await syncsOf(() => driver.put('ab/file', Buffer.from('bytes'), { isNew: true }))).toEqual([['ab', 'ab/file']])
  expect(readFileSync(join(root, 'ab/file'), 'utf8')).toBe('bytes')
  expect(statSync(join(root, 'ab/file')).mode & 0o777).toBe(0o600)
})

test.runIf(process.platform === 'linux')('a new folder is synced too, before what is in it', async () => {
  const groups = await syncsOf(() => driver.put('cd/file', Buffer.from('bytes'), { isNew: true }))
  expect(groups).toEqual([[''], ['cd', 'cd/file']])
  expect(statSync(join(root, 'cd')).mode & 0o777).toBe(0o700)
})

test.runIf(process.platform === 'linux')('a replaced file is synced before it takes the place, and the folder after', async () => {
  await driver.put('ab/file', 'former')
  const standing: string[] = []
  const groups = await syncsOf(
    () => driver.put('ab/file', 'new'),
    () => standing.push(readFileSync(join(root, 'ab/file'), 'utf8')),
  )
  expect(groups).toEqual([[expect.stringMatching(/^ab\/file\../)], ['ab']])
  expect(standing).toEqual(['former', 'new'])
  expect(readdirSync(join(root, 'ab'))).toEqual(['file'])
})

test.runIf(process.platform === 'linux')('so do streams, copies and moves', async () => {
  await driver.put('ab/file', 'bytes')
  expect(await syncsOf(() => driver.putStream('ab/stream', Readable.from(['in ', 'parts'])))).toEqual([
    [expect.stringMatching(/^ab\/stream\../)],
    ['ab'],
  ])
  expect(await driver.get('ab/stream')).toBe('in parts')
  await syncsOf(() => driver.copy('ab/stream', 'cd/copy'))
  expect(await syncsOf(() => driver.move('cd/copy', 'ab/moved'))).toEqual([['ab'], ['cd']])
  expect([await driver.get('ab/moved'), await driver.exists('cd/copy')]).toEqual(['in parts', false])
})

test('a new file does not overwrite another one', async () => {
  await driver.put('ab/file', 'first', { isNew: true })
  await expect(driver.put('ab/file', 'second', { isNew: true })).rejects.toThrow('EEXIST')
  expect(await driver.get('ab/file')).toBe('first')
})

test('what cannot be written leaves nothing beside what is there', async () => {
  await driver.put('ab/file', 'first')
  const broken = new Readable({
    read() {
      this.destroy(new Error('broke off'))
    },
  })
  await expect(driver.putStream('ab/file', broken)).rejects.toThrow('broke off')
  expect(readdirSync(join(root, 'ab'))).toEqual(['file'])
  expect(await driver.get('ab/file')).toBe('first')
})
