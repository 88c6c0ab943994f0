/**
 * Captures of a camera that keeps nobody who matches no task. They are in memory only, from the camera to the server; what cannot be sent
 * is lost, and only how much that was is kept and told to the server.
 */
import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { numberedCalls } from '@gatehouse/contract/device/numbered'
import { z } from 'zod'
import type { ServerClient } from '../device/server.ts'
import { ServerRefused } from '../device/server.ts'
import { encodeTemplate } from '../store/template.ts'
import type { Capture } from './capture.ts'
import type { CaptureCameraState } from './options.ts'

export interface PassingCaptures {
  /** Send a capture, or count it as lost. */
  take(capture: Capture): void
  /** The connection to the server may have changed. */
  connectionChanged(): void
  state(): Pick<NonNullable<CaptureCameraState['passing']>, 'lost'> & { waiting: number }
  stop(): Promise<void>
}

export interface PassingParts {
  client: Pick<ServerClient, 'request'>
  isOnline: () => boolean
  modelId: string
  clock: () => number
  /** Where the count of what was lost outlives the program. */
  mark: { read(): string | null; write(text: string): void; clear(): void }
  /** Milliseconds after which a capture that was not answered is sent again; default 2 s. */
  retryAfter?: number | undefined
  log: (sentence: string) => void
}

const lossSchema = z.object({ id: z.uuid(), count: z.number().int().min(1), from: z.number() })
/** What was lost since the server was last reached. */
type Loss = z.output<typeof lossSchema>

/** Captures that wait for an answer of the server, at most: a crowd that passes within seconds. */
const WAITING_MAX = 100
/** How often a capture is sent before it is given up. */
const TRIES = 3
const RETRY_AFTER = 2_000

export function createPassingCaptures({
  client,
  isOnline,
  modelId,
  clock,
  mark,
  retryAfter = RETRY_AFTER,
  log,
}: PassingParts): PassingCaptures {
  const stopping = new AbortController()
  const { signal } = stopping
  let waiting: { id: string; capture: Capture }[] = []
  let loss = storedLoss(mark.read())
  /** When the server was last reached. Not the time of a capture, which nothing may tell. */
  let reachedAt = clock()
  let working: Promise<void> | null = null

  function lose(count: number): void {
    if (count === 0) return
    loss = { id: loss?.id ?? randomUUID(), count: (loss?.count ?? 0) + count, from: loss?.from ?? reachedAt }
    try {
      mark.write(JSON.stringify(loss))
    } catch (error) {
      log(`How many captures were lost cannot be stored: ${sentenceOf(error)}`)
    }
  }

  /** Send one capture. @returns whether the server has it, or refused it for good */
  async function send({ id, capture: { embedding, picture, ...capture } }: (typeof waiting)[number]): Promise<boolean> {
    for (let attempt = 1; attempt <= TRIES && isOnline() && !signal.aborted; attempt++) {
      try {
        await client.request(
          numberedCalls.passingCapture,
          {
            body: {
              id,
              sentAt: clock(),
              modelId,
              capture: { ...capture, template: encodeTemplate(embedding) },
              picture: Buffer.from(picture).toString('base64'),
            },
          },
          { signal },
        )
        reachedAt = clock()
        return true
      } catch (error) {
        if (error instanceof ServerRefused && !error.credentials) {
          log(`The server does not take a capture: ${error.message}`)
          return false
        }
        await pause(retryAfter, undefined, { signal }).catch(() => {})
      }
    }
    return false
  }

  async function reportLoss(): Promise<void> {
    if (loss === null || !isOnline()) return
    const reported = loss
    const now = clock()
    await client.request(numberedCalls.lostCaptures, { body: { ...reported, sentAt: now, to: Math.max(now, reported.from) } }, { signal })
    reachedAt = now
    // What was lost meanwhile is of another cut.
    const more = loss.count - reported.count
    loss = null
    mark.clear()
    lose(more)
  }

  async function work(): Promise<void> {
    for (let next = waiting[0]; next !== undefined && !signal.aborted; next = waiting[0]) {
      const isSent = await send(next)
      // It may have been counted as lost already, because the connection ended.
      const before = waiting.length
      waiting = waiting.filter((other) => other !== next)
      if (!isSent && waiting.length < before) lose(1)
    }
    try {
      await reportLoss()
    } catch (error) {
      if (!signal.aborted) log(`How many captures were lost could not be sent: ${sentenceOf(error)}`)
    }
  }

  function start(): void {
    if (working !== null || signal.aborted) return
    working = work().finally(() => {
      working = null
      if (waiting.length > 0) start()
    })
  }

  return {
    take(capture) {
      if (!isOnline() || waiting.length >= WAITING_MAX) return lose(1)
      waiting.push({ id: randomUUID(), capture })
      start()
    },
    connectionChanged() {
      if (isOnline()) {
        // Before a cut that has lost somebody is over, its beginning stays.
        if (loss === null) reachedAt = clock()
        return start()
      }
      const dropped = waiting.length
      waiting = []
      lose(dropped)
    },
    state: () => ({ lost: loss && { count: loss.count, from: loss.from }, waiting: waiting.length }),
    async stop() {
      stopping.abort()
      lose(waiting.length)
      waiting = []
      await working
    },
  }
}

const sentenceOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

function storedLoss(text: string | null): Loss | null {
  try {
    return text === null ? null : lossSchema.parse(JSON.parse(text))
  } catch {
    return null
  }
}
