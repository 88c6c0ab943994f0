/**
 * Synchronisation of a visitor machine with the server: first what visitors did, then the visits that changed. Each waits for the other, so
 * that a page of visits never sets back what a visitor did.
 */
import type { VisitorMachineSettings } from '@gatehouse/contract/device/visitor-machine'
import { createBackoff } from '../async/backoff.ts'
import type { ServerClient } from '../device/server.ts'
import type { VisitStore } from '../store/visits.ts'
import { createEventSender } from './event-sending.ts'
import { createVisitFetcher } from './visit-fetching.ts'

export interface VisitSynchroniser {
  /** Handle a change of the settings or of the connection. */
  refresh(): void
  /** Synchronise at once; resolves when everything that waited before the call was sent and fetched, or that has failed. */
  synchronise(): Promise<void>
  /** Whether the last attempt reached the server. */
  isReached(): boolean
  /** Stop; resolves when nothing is being sent any more. */
  stop(): Promise<void>
}

export interface VisitSynchroniserOptions {
  client: Pick<ServerClient, 'request'>
  isOnline: () => boolean
  visits: VisitStore
  /** Null while the device is no visitor machine. */
  settings: () => VisitorMachineSettings | null
  /** Id of the face model that compares here. */
  modelId: string
  clock: () => number
  log: (sentence: string) => void
  /** Milliseconds between two synchronisations; default 10 s. */
  every?: number | undefined
  random?: () => number
}

/** Longest wait in milliseconds after failures. */
const LONGEST = 60_000
/** Milliseconds for which events stay stored while the device is no visitor machine: it may be named as one again. */
const EVENTS_KEPT = 7 * 86_400_000

export function createVisitSynchroniser({
  client,
  isOnline,
  visits,
  settings,
  modelId,
  clock,
  log,
  every = 10_000,
  random = Math.random,
}: VisitSynchroniserOptions): VisitSynchroniser {
  const stopping = new AbortController()
  const { signal } = stopping
  const backoff = createBackoff(every, Math.max(every, LONGEST), random)
  const sendEvents = createEventSender({ client, visits, clock, log, signal })
  const fetcher = createVisitFetcher({ client, visits, modelId, clock, signal })
  let timer: NodeJS.Timeout | undefined
  let isReached = false
  let wasOnline = false
  let wasMachine: boolean | null = null
  let working: Promise<void> | null = null
  /** The round after the current one: everybody who asks meanwhile waits for it. */
  let following: Promise<void> | null = null

  /** Delete what a device that is no visitor machine does not keep. */
  function letGo(): void {
    isReached = false
    const count = fetcher.clear()
    if (count > 0) log(`This device is no visitor machine any more: ${count} visits are let go.`)
    const lost = visits.dropEvents(clock() - EVENTS_KEPT)
    if (lost > 0) log(`${lost} events of visitors are let go: the server did not take them for days.`)
  }

  async function round(): Promise<void> {
    clearTimeout(timer)
    let wait = every
    try {
      if (settings() === null) letGo()
      else {
        fetcher.prune()
        await sendEvents()
        await fetcher.fetch()
        isReached = true
        backoff.reset()
      }
    } catch (error) {
      if (signal.aborted) return
      if (isReached) log(`The visits cannot be brought up to date: ${error instanceof Error ? error.message : String(error)}`)
      isReached = false
      wait = backoff.next()
    }
    if (signal.aborted) return
    timer = setTimeout(() => void synchronise(), wait)
    timer.unref()
  }

  function start(): Promise<void> {
    working = round().finally(() => {
      working = null
    })
    return working
  }

  function synchronise(): Promise<void> {
    if (signal.aborted) return Promise.resolve()
    if (working === null) return start()
    following ??= working.then(() => {
      following = null
      return signal.aborted ? undefined : start()
    })
    return following
  }

  return {
    refresh() {
      const [online, machine] = [isOnline(), settings() !== null]
      const hasChanged = (online && !wasOnline) || machine !== wasMachine
      wasOnline = online
      wasMachine = machine
      if (hasChanged) void synchronise()
    },
    synchronise,
    isReached: () => isReached,
    async stop() {
      stopping.abort()
      clearTimeout(timer)
      await following
      await working
    },
  }
}
