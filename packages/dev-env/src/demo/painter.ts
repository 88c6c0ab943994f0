/** Draws the people of the demo and what its cameras see, in a separate thread, so that the server can answer meanwhile. */
import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { localDate, localTime } from '@gatehouse/access-rules'
import { randomOf } from '@gatehouse/face-engine/portrait/random'
import { PARK } from './campus.ts'
import type { Approach } from './passages.ts'
import type { DemoPerson } from './roster.ts'

/** A face in front of a camera. */
export interface Sight {
  /** Seed of the portrait. */
  face: number | string
  gender?: DemoPerson['sex']
  /** Clothes and background. */
  variant: number
  /** Offset of the portrait from the middle, in pixels. */
  right: number
  down: number
  /** Brightness; 1 by day. */
  light: number
  isBlurred: boolean
}

/** The portrait with which a person is registered. */
export type Sitter = Pick<Sight, 'face' | 'gender'>

/** `end`: no more tasks follow. */
export type PaintTask = { id: number } & ({ portrait: Sitter } | { sight: Sight } | { end: true })
export type PaintAnswer = { id: number; picture: Uint8Array } | { id: number; failure: string }

/** Both drawing functions throw an Error where a picture cannot be drawn, or was not drawn before the end. */
export interface Painter {
  /** Return a JPEG, as people submit it. */
  portrait(sitter: Sitter): Promise<Uint8Array>
  /** Return a WebP picture, as terminals send it. */
  paint(sight: Sight): Promise<Uint8Array>
  /** Resolves when the thread has ended. */
  stop(): Promise<void>
}

/** Number of portraits of one person: clothes stay the same all day. */
const VARIANTS = 5
/** Pixels. */
const SWAY = 13

/** Return what a camera sees of an approach; the same in every run. @param person whose face it is, where the campus knows it */
export function sightOf({ moment, recognised }: Approach, person: DemoPerson | undefined): Sight {
  const random = randomOf(`sight ${moment}`)
  const { minute } = localTime(moment, PARK.zone)
  const isDark = minute < 6 * 60 + 30 || minute > 18 * 60
  const view = {
    right: Math.round(random.between(-SWAY, SWAY)),
    down: Math.round(random.between(-SWAY, SWAY)),
    light: isDark ? random.between(0.82, 0.93) : random.between(0.95, 1.05),
  }
  if (person === undefined) return { face: `stranger ${moment}`, variant: 0, ...view, isBlurred: false }
  const { face, sex, workNumber } = person
  const variant = 1 + Math.floor(randomOf(`${workNumber} ${localDate(moment, PARK.zone)}`).next() * VARIANTS)
  return { face, gender: sex, variant, ...view, isBlurred: !recognised }
}

// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
const send = (thread: Worker, task: PaintTask): void => thread.postMessage(task)

/** Create a painter. Its thread starts with the first picture. */
export function createPainter(): Painter {
  const waiting = new Map<number, PromiseWithResolvers<Uint8Array>>()
  let requested = 0
  let ended: Error | null = null
  let started: { thread: Worker; exit: Promise<void> } | null = null

  function end(why: Error): void {
    ended ??= why
    for (const { reject } of waiting.values()) reject(ended)
    waiting.clear()
  }

  function start(): { thread: Worker; exit: Promise<void> } {
    // The caller's flags are not inherited: a test runner's loader would break the thread.
    const thread = new Worker(new URL('./painter-worker.ts', import.meta.url), { execArgv: [] })
    thread.on('message', (answer: PaintAnswer) => {
      const asking = waiting.get(answer.id)
      waiting.delete(answer.id)
      if ('picture' in answer) asking?.resolve(answer.picture)
      else asking?.reject(new Error(answer.failure))
    })
    thread.on('error', end)
    const exit = once(thread, 'exit').then(
      () => end(new Error('the painter has ended')),
      () => {},
    )
    return { thread, exit }
  }

  async function ask(what: { portrait: Sitter } | { sight: Sight }): Promise<Uint8Array> {
    if (ended !== null) throw ended
    started ??= start()
    const id = ++requested
    const asking = Promise.withResolvers<Uint8Array>()
    waiting.set(id, asking)
    send(started.thread, { id, ...what })
    return asking.promise
  }

  return {
    portrait: (sitter) => ask({ portrait: sitter }),
    paint: (sight) => ask({ sight }),
    async stop() {
      end(new Error('the painter has ended'))
      if (started === null) return
      send(started.thread, { id: 0, end: true })
      await started.exit
    },
  }
}
