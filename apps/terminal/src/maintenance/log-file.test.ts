import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { expect, onTestFinished, test } from 'vitest'
import { openLogFile } from './log-file.ts'

function folder(): string {
  const made = mkdtempSync(join(tmpdir(), 'gatehouse-log-'))
  onTestFinished(() => rmSync(made, { recursive: true, force: true }))
  return made
}
const textOf = async (log: ReturnType<typeof openLogFile>) => gunzipSync(await log.packed()).toString()
const clock = () => Date.UTC(2026, 10, 22, 8, 30)

test('keeps sentences with their time, over a restart, one to a line', async () => {
  const home = folder()
  openLogFile({ folder: home, clock }).write('It starts.')
  const log = openLogFile({ folder: home, clock })
  log.write('It says\ntwo things.')
  expect(await textOf(log)).toBe('2026-11-22T08:30:00.000Z It starts.\n2026-11-22T08:30:00.000Z It says two things.\n')
})

test('keeps the newest within a ring of files, oldest first', async () => {
  const home = folder()
  const log = openLogFile({ folder: home, clock, fileBytes: 200, files: 3 })
  for (let number = 1; number <= 100; number++) log.write(`Sentence ${number}.`)
  const files = readdirSync(join(home, 'log'))
  expect(files).toHaveLength(3)
  for (const file of files) expect(statSync(join(home, 'log', file)).size).toBeLessThanOrEqual(200)
  const kept = (await textOf(log))
    .trim()
    .split('\n')
    .map((line) => Number(/Sentence (\d+)/.exec(line)![1]))
  expect(kept.at(-1)).toBe(100)
  expect(kept).toEqual(Array.from({ length: kept.length }, (_, at) => 101 - kept.length + at))
  expect(kept.length).toBeGreaterThan(5)
})

test('a sentence without end is cut, and a folder that cannot be written costs the sentence only', async () => {
  const home = folder()
  const log = openLogFile({ folder: home, clock })
  log.write('x'.repeat(10_000))
  expect((await textOf(log)).length).toBeLessThan(2_100)
  const blocked = folder()
  writeFileSync(join(blocked, 'log'), 'no folder')
  expect(() => openLogFile({ folder: blocked, clock }).write('lost')).not.toThrow()
})
