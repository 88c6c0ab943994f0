/** Files on disk while their call lasts. */
import { randomBytes } from 'node:crypto'
import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { afterAll, expect, test } from 'vitest'
import { openReceivedFiles } from './received-file.ts'

const dataDir = mkdtempSync(join(tmpdir(), 'gatehouse-received-'))
const folder = join(dataDir, 'received')
const files = openReceivedFiles(dataDir)
afterAll(() => rmSync(dataDir, { recursive: true, force: true }))

test('what is read from anywhere is what was sent, and nothing of it stands on the disk', async () => {
  const sent = Buffer.concat([randomBytes(700_001), Buffer.from('a name that must not be read')])
  const file = await files.receive(Readable.from([sent.subarray(0, 5), sent.subarray(5, 70_000), sent.subarray(70_000)]), 'photos.zip')
  expect([file.size, file.filename]).toEqual([sent.length, 'photos.zip'])
  for (const [offset, length] of [
    [0, 1],
    [15, 2],
    [16, 16],
    [33, 100_000],
    [sent.length - 3, 50],
    [sent.length, 1],
  ] as const)
    expect((await file.read(offset, length)).equals(sent.subarray(offset, offset + length))).toBe(true)
  expect((await buffer(file.stream())).equals(sent)).toBe(true)
  expect((await buffer(file.stream(300_000, 600_001))).equals(sent.subarray(300_000, 600_001))).toBe(true)
  const [name] = readdirSync(folder)
  expect(readFileSync(join(folder, name!)).includes('a name that must not be read')).toBe(false)
  await file.remove()
  await file.remove()
  expect(readdirSync(folder)).toEqual([])
})

test('a sender who breaks off leaves nothing, and what a crash left is swept', async () => {
  const broken = Readable.from(
    (async function* () {
      yield Buffer.alloc(100)
      throw new Error('broken off')
    })(),
  )
  await expect(files.receive(broken, 'x')).rejects.toThrow('broken off')
  expect(readdirSync(folder)).toEqual([])
  writeFileSync(join(folder, 'left'), 'x')
  await files.sweep()
  expect(readdirSync(folder)).toEqual([])
})
