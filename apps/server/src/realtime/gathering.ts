/** Frames of live screens: changed rows are collected into at most ten frames a second for each destination. */
import type { Span } from '../contexts/records/index.ts'
import type { Logger } from '../platform/log.ts'
import type { Scope } from '../platform/session/session.ts'
import { shownTo, type Feed } from './feeds.ts'
import { frameOf, type LiveFrame } from './frame.ts'
import type { Stomp } from './stomp-types.ts'

const FRAME_EVERY_MS = 100
/** Most ids that wait for a frame while rows are slow to read; the oldest beyond them are only counted. */
const IDS_MAX = 4_096

/** Changes that wait for the next frame of a destination; kept between frames to limit their rate. */
interface Gathered {
  feed: Feed
  destination: string
  /** Oldest first, each once. */
  ids: Set<string>
  /** Span of time that contains all of them; undefined where it is unknown for one. */
  span: Span | undefined
  /** Number of changes that are counted without being read. */
  left: number
  timer: NodeJS.Timeout | null
  sending: boolean
  sentAt: number
}

/** The input of one frame, besides its ids. */
type Taken = Pick<Gathered, 'feed' | 'destination' | 'span' | 'left'>

const joined = (one: Span | undefined, other: Span | undefined): Span | undefined =>
  one && other && { from: Math.min(one.from, other.from), to: Math.max(one.to, other.to) }

export interface Gathering {
  /** Report changed rows of a feed to the listeners of a destination. */
  add(feed: Feed, destination: string, ids: readonly string[], span?: Span): void
  stop(): void
}

export function createGathering(stomp: () => Pick<Stomp, 'send' | 'hasListeners' | 'listeners'>, log: Pick<Logger, 'error'>): Gathering {
  const gathered = new Map<string, Gathered>()
  let isStopped = false

  /**
   * Return a frame with the newest of some ids in a scope; where reading fails, they are only counted. For a limited scope, ids are
   * counted only if they were read and are visible in it.
   */
  async function frameIn({ feed, destination, span, left }: Taken, scope: Scope, newest: readonly string[]): Promise<LiveFrame> {
    const isWhole = scope.sees === undefined
    try {
      const own = isWhole || newest.length <= feed.fitting ? newest : await feed.seen(scope, newest, span)
      const ids = own.slice(0, feed.fitting)
      const rows = ids.length === 0 ? [] : await feed.rows(scope, ids, span)
      return frameOf(rows, (isWhole ? left : 0) + own.length - ids.length, feed.mask)
    } catch (error) {
      log.error({ err: error, destination }, 'rows of a live frame were not read')
      return frameOf([], isWhole ? left + newest.length : 0)
    }
  }

  /** Read the collected changes, once for all listeners that see the same rows. @returns the frame of each present listener */
  async function framesFrom(entry: Gathered): Promise<(listener: Scope) => LiveFrame> {
    const taken: Taken = { feed: entry.feed, destination: entry.destination, span: entry.span, left: entry.left }
    const { feed, destination } = taken
    const newest = [...entry.ids].toReversed()
    entry.ids.clear()
    entry.left = 0
    const frames = new Map<string, LiveFrame>()
    const keyOf = (listener: Scope): string => JSON.stringify(shownTo(feed, listener))
    for (;;) {
      // Repeated after each read: meanwhile a listener may have subscribed, or its scope have changed.
      const next = stomp()
        .listeners(destination)
        .find((listener) => !frames.has(keyOf(listener)))
      if (next === undefined) return (listener) => frames.get(keyOf(listener))!
      frames.set(keyOf(next), await frameIn(taken, shownTo(feed, next), newest))
    }
  }

  /** Send a frame, one at a time: slow reads must not overtake each other or pile up. */
  async function send(entry: Gathered): Promise<void> {
    entry.timer = null
    entry.sending = true
    const isOwed = stomp().send(entry.destination, await framesFrom(entry))
    entry.sentAt = performance.now()
    entry.sending = false
    // A listener that read too slowly for a frame is sent the number of its rows, even if nothing else happens.
    if (isOwed || entry.left + entry.ids.size > 0) schedule(entry)
  }

  /** Schedule a frame. The first row is sent at once; those that follow within a tenth of a second share a frame. */
  function schedule(entry: Gathered): void {
    if (entry.timer !== null || entry.sending || isStopped) return
    const wait = Math.max(0, entry.sentAt + FRAME_EVERY_MS - performance.now())
    entry.timer = setTimeout(() => void send(entry), wait)
  }

  return {
    add(feed, destination, ids, span) {
      if (!stomp().hasListeners(destination)) return
      let entry = gathered.get(destination)
      if (entry === undefined) {
        entry = { feed, destination, ids: new Set(), span, left: 0, timer: null, sending: false, sentAt: -Infinity }
        gathered.set(destination, entry)
      }
      entry.span = entry.ids.size === 0 ? span : joined(entry.span, span)
      for (const id of ids) entry.ids.add(id)
      for (const oldest of entry.ids) {
        if (entry.ids.size <= IDS_MAX) break
        entry.ids.delete(oldest)
        entry.left++
      }
      schedule(entry)
    },
    stop() {
      isStopped = true
      for (const { timer } of gathered.values()) if (timer !== null) clearTimeout(timer)
    },
  }
}
