/** The thread that parses uploads, one at a time. Each parser is loaded when it is first needed. */
import { parentPort } from 'node:worker_threads'
import { createSteps, Unreadable, type Parse } from './parser.ts'
import { fileOf, openShared, type SharedFile } from '../http/received-file.ts'

export interface ParsingTask {
  /** Address of the parser's file. */
  module: string
  /** On disk, or in memory: the bytes then belong to this thread. */
  file: { shared: SharedFile } | { bytes: Uint8Array; filename: string }
  options: unknown
  limits: { steps: number; ahead: number; tooMuch: string }
}

/** Messages to the thread; `taken`: one of its pieces was taken. */
export type ParsingOrder = { kind: 'parse'; task: ParsingTask } | { kind: 'taken' }

export type ParsingReport =
  | { kind: 'piece'; piece: unknown }
  | { kind: 'parsed'; steps: number }
  | { kind: 'unreadable'; reason: Unreadable['reason']; params: Unreadable['params']; steps: number }
  | { kind: 'failed'; error: unknown }

if (parentPort === null) throw new Error('this file is a thread that parses uploads')
const port = parentPort
const report = (what: ParsingReport, moved: ArrayBuffer[] = []): void => port.postMessage(what, moved)

/** Return the buffers of top-level byte arrays of a piece that own their whole buffer. */
const buffersOf = (piece: unknown): ArrayBuffer[] =>
  Object.values(piece ?? {}).flatMap((value) =>
    value instanceof Uint8Array && value.byteLength === value.buffer.byteLength ? (value.buffer as ArrayBuffer) : [],
  )

let untaken = 0
let wake = (): void => {}

async function parse({ module, file, options, limits }: ParsingTask): Promise<void> {
  const steps = createSteps(limits.steps, limits.tooMuch)
  try {
    const parser = (await import(module)) as { parse: Parse<unknown, unknown> }
    const source = 'shared' in file ? openShared(file.shared) : fileOf(file.bytes, file.filename)
    for await (const piece of parser.parse(source, options, steps)) {
      report({ kind: 'piece', piece }, buffersOf(piece))
      untaken++
      while (untaken >= limits.ahead) await new Promise<void>((resolve) => (wake = resolve))
    }
    report({ kind: 'parsed', steps: steps.spent })
  } catch (error) {
    if (error instanceof Unreadable) report({ kind: 'unreadable', reason: error.reason, params: error.params, steps: steps.spent })
    else report({ kind: 'failed', error })
  }
}

port.on('message', (order: ParsingOrder) => {
  if (order.kind === 'parse') {
    untaken = 0
    void parse(order.task)
  } else {
    untaken--
    wake()
  }
})
