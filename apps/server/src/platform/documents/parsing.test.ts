/** The thread that parses uploads: its tasks, and its limits. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { threadId } from 'node:worker_threads'
import { afterAll, afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { createParsing, type Parsing } from './parsing.ts'
import { openReceivedFiles } from '../http/received-file.ts'
import { testingParser, type ParserOptions } from './testing/parser.ts'

const dataDir = mkdtempSync(join(tmpdir(), 'gatehouse-parsing-'))
afterAll(() => rmSync(dataDir, { recursive: true, force: true }))

const PARK = { parkId: '00000000-0000-4000-8000-000000000001' }
const OTHER = { parkId: '00000000-0000-4000-8000-000000000002' }
const SOURCE = { bytes: Buffer.from('what was sent') }

let parsing: Parsing
beforeEach(() => {
  parsing = createParsing()
})
afterEach(async () => {
  vi.useRealTimers()
  await parsing.stop()
})

const asked = (options: ParserOptions, limits: Parameters<typeof testingParser>[0] = {}, scope = PARK) =>
  parsing.whole(scope, testingParser(limits), SOURCE, options, 'the field')
const refusedAs = (rule: string) => ({ fields: [{ path: 'the field', rule }] })

describe('what was sent', () => {
  test('is read in another thread, and the sender keeps the bytes', async () => {
    const { text, bytes, thread } = await asked({ kind: 'read' })
    expect([text, Buffer.from(bytes!).toString(), SOURCE.bytes.toString()]).toEqual(Array(3).fill('what was sent'))
    expect(thread).not.toBe(threadId)
  })

  test('on the disk is read there, also when it was swept away meanwhile', async () => {
    const files = openReceivedFiles(dataDir)
    const file = await files.receive(Readable.from([Buffer.alloc(700_001, 'a'), Buffer.from('the end')]), 'a.txt')
    await files.sweep()
    const { text } = await parsing.whole(PARK, testingParser(), file, { kind: 'read' })
    expect([text!.length, text!.slice(-8)]).toEqual([700_008, 'athe end'])
    await file.remove()
  })

  test('comes in pieces in their order, no more of them ahead than are taken, and the thread is used again', async () => {
    for (const ahead of [1, 2, 25]) {
      const numbers: number[] = []
      for await (const { number } of parsing.pieces(PARK, testingParser({ ahead }), SOURCE, { kind: 'count', to: 100 }))
        numbers.push(number!)
      expect(numbers).toEqual(Array.from({ length: 100 }, (_, number) => number))
    }
    expect([parsing.threads(), parsing.tally().get('testing')]).toEqual([1, { parsed: 3, refused: 0, steps: 0 }])
  })

  test('that cannot be read is refused at its field, and one more step than it may take is one too many', async () => {
    await expect(asked({ kind: 'unreadable' })).rejects.toMatchObject({
      fields: [{ path: 'the field', rule: 'max.file', params: { limit: 3 } }],
    })
    await asked({ kind: 'spend', steps: 1000 }, { steps: 1000 })
    await expect(asked({ kind: 'spend', steps: 1001 }, { steps: 1000 })).rejects.toMatchObject(refusedAs('uploadTooMuch'))
    await expect(asked({ kind: 'spend', steps: Number.NaN }, { steps: 1000 })).rejects.toMatchObject(refusedAs('uploadTooMuch'))
    expect([parsing.threads(), parsing.tally().get('testing')]).toEqual([1, { parsed: 1, refused: 3, steps: 1000 }])
  })
})

describe('a file', () => {
  test('that never ends is refused when its time is over; those that wait are read by a thread of their own', async () => {
    const stuck = asked({ kind: 'endless' }, { workMs: 300, tooMuch: 'calendarTooMuch' })
    const waiting = [asked({ kind: 'read' }), asked({ kind: 'read' }, {}, OTHER)]
    await expect(stuck).rejects.toMatchObject(refusedAs('calendarTooMuch'))
    expect((await Promise.all(waiting)).map(({ text }) => text)).toEqual(['what was sent', 'what was sent'])
    expect([parsing.threads(), parsing.tally().get('testing')]).toMatchObject([2, { parsed: 2, refused: 1 }])
  })

  test('whose pieces are taken slowly is not over before its end: only work is timed', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
    const numbers: number[] = []
    for await (const { number } of parsing.pieces(PARK, testingParser({ ahead: 1 }), SOURCE, { kind: 'count', to: 10 })) {
      numbers.push(number!)
      vi.advanceTimersByTime(3_600_000)
    }
    expect([numbers.length, parsing.threads()]).toEqual([10, 1])
  })

  test('that takes all memory is refused, and the next one is read', async () => {
    await expect(asked({ kind: 'memory' })).rejects.toMatchObject(refusedAs('uploadTooMuch'))
    expect(await asked({ kind: 'read' })).toMatchObject({ text: 'what was sent' })
  })

  test.each(['fault', 'crash'] as const)('that meets a %s of a parser is a failed call, and the next one is read', async (kind) => {
    await expect(asked({ kind })).rejects.toThrow(/pars/)
    expect(await asked({ kind: 'read' })).toMatchObject({ text: 'what was sent' })
  })

  test('that nobody wants to the end ends the thread, and the next one is read', async () => {
    for await (const { number } of parsing.pieces(PARK, testingParser(), SOURCE, { kind: 'count', to: 1e9 })) if (number === 3) break
    expect(await asked({ kind: 'read' })).toMatchObject({ text: 'what was sent' })
    expect(parsing.threads()).toBe(2)
  })
})

describe('the line', () => {
  test('is as long as it is, and one park does not fill it', async () => {
    const stuck = asked({ kind: 'endless' })
    const waiting = Array.from({ length: 51 }, () => asked({ kind: 'read' }))
    const kept = waiting.slice(0, 50).map((one) => one.catch((error: unknown) => error))
    await expect(waiting.at(-1)).rejects.toMatchObject({ code: 900000 })
    const other = asked({ kind: 'read' }, {}, OTHER)
    const outcomes = Promise.allSettled([stuck, other])
    await parsing.stop()
    for (const outcome of await outcomes) expect(outcome).toMatchObject({ status: 'rejected', reason: { code: 900000 } })
    for (const error of await Promise.all(kept)) expect(error).toMatchObject({ code: 900000 })
  })
})
