/** Fetching of the visits that changed, and deletion of those that are over. */
import { MACHINE_VISITS_MAX, visitorMachineCalls, type MachineVisit } from '@gatehouse/contract/device/visitor-machine'
import { visitorStatus } from '@gatehouse/contract/enums'
import type { ServerClient } from '../device/server.ts'
import type { VisitStore } from '../store/visits.ts'

export interface VisitFetcher {
  /** Delete the visits that are over. */
  prune(): void
  /** Fetch until there are no further ones. @throws ServerAway, ServerRefused */
  fetch(): Promise<void>
  /** Delete all visits. @returns how many there were */
  clear(): number
}

export interface VisitFetcherOptions {
  client: Pick<ServerClient, 'request'>
  visits: VisitStore
  /** Id of the face model that compares here. */
  modelId: string
  clock: () => number
  signal: AbortSignal
}

/** Milliseconds after the end of the authorisation in which somebody who is still there can sign off. */
const SIGN_OFF_WITHIN = 86_400_000

export function createVisitFetcher({ client, visits, modelId, clock, signal }: VisitFetcherOptions): VisitFetcher {
  /** Versions of visits that are over: named to the server as known, so that it does not send them again. */
  const ended = new Map<string, number>()

  const isOver = ({ status, authorisationExpiry }: Pick<MachineVisit, 'status' | 'authorisationExpiry'>): boolean =>
    clock() > authorisationExpiry + (status === visitorStatus.checkedIn ? SIGN_OFF_WITHIN : 0)

  /** Return what is known of current visits. A template of another model is of no use, so that its visit is known in no version. */
  function versions(): [id: string, version: number][] {
    const other = new Set(visits.all().flatMap((visit) => (visit.modelId === modelId ? [] : [visit.id])))
    return visits.versions().map(([id, version]) => [id, other.has(id) ? -1 : version])
  }

  return {
    prune() {
      const over = visits.all().filter(isOver)
      for (const { id, version } of over) ended.set(id, version)
      visits.take({ visits: [], gone: over.map(({ id }) => id) }, modelId)
    },
    async fetch() {
      for (;;) {
        const stored = [...new Map([...ended, ...versions()])].slice(-MACHINE_VISITS_MAX)
        const page = await client.request(visitorMachineCalls.visits, { body: { modelId, known: stored } }, { signal })
        const over = page.visits.filter(isOver)
        visits.take({ visits: page.visits.filter((visit) => !isOver(visit)), gone: [...page.gone, ...over.map(({ id }) => id)] }, modelId)
        for (const id of [...page.gone, ...page.visits.map((visit) => visit.id)]) ended.delete(id)
        for (const { id, version } of over) ended.set(id, version)
        // A page that makes no progress must not cause an endless loop.
        if (!page.more || page.visits.length + page.gone.length === 0) return
      }
    },
    clear() {
      ended.clear()
      return visits.clearVisits()
    },
  }
}
