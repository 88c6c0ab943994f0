/** The calls of a visitor machine at the terminal's test server: visits by id, and what became of each event. */
import type { FastifyInstance, FastifyReply } from 'fastify'
import {
  MACHINE_VISITS_PER_PAGE,
  visitorMachineCalls,
  type MachineEvent,
  type MachineVisit,
} from '@gatehouse/contract/device/visitor-machine'
import { visitorStatus } from '@gatehouse/contract/enums'
import { ok } from './answers.ts'

export interface TestVisits {
  /** Visits by id; `put` changes one. */
  visits: Map<string, MachineVisit>
  put(...visits: MachineVisit[]): void
  /** Events in the order in which they were stored, each once. */
  events: MachineEvent[]
  /** Outcomes by the id of the event. */
  outcomes: Map<string, 'stored' | 'conflict'>
  /** How often an event arrived, repeats included. */
  arrivals: number
  /** Requests of visits. */
  pulls: number
  /** Store the next events, and break the connection before the answer. */
  losesNextAnswer: boolean
  /** Ids of events on which the server fails. */
  poison: Set<string>
  /** Called before the visits are answered. */
  beforeVisits: () => Promise<void>
}

/** Serve the calls; 404 while the manifest names no visitor machine. */
export function serveVisits(http: FastifyInstance, isMachine: () => boolean): TestVisits {
  let version = 1
  const server: TestVisits = {
    visits: new Map(),
    put(...visits) {
      for (const visit of visits) server.visits.set(visit.id, { ...visit, version: ++version })
    },
    events: [],
    outcomes: new Map(),
    arrivals: 0,
    pulls: 0,
    losesNextAnswer: false,
    poison: new Set(),
    beforeVisits: async () => {},
  }
  const missing = { code: 404, message: 'Not found.' }

  http.post(visitorMachineCalls.visits.url, async (request, reply) => {
    if (!isMachine()) return reply.code(404).send(missing)
    server.pulls++
    const { known } = visitorMachineCalls.visits.body.parse(request.body)
    await server.beforeVisits()
    const versions = new Map(known)
    const kept: readonly number[] = [visitorStatus.notYetVisited, visitorStatus.checkedIn, visitorStatus.awaitingVerification]
    const current = [...server.visits.values()].filter(({ status }) => kept.includes(status))
    const changed = current.filter((visit) => versions.get(visit.id) !== visit.version)
    const ids = new Set(current.map(({ id }) => id))
    return ok({
      visits: changed.slice(0, MACHINE_VISITS_PER_PAGE),
      gone: [...versions.keys()].filter((id) => !ids.has(id)),
      more: changed.length > MACHINE_VISITS_PER_PAGE,
    })
  })

  http.post(visitorMachineCalls.events.url, async (request, reply) => {
    if (!isMachine()) return reply.code(404).send(missing)
    const { events } = visitorMachineCalls.events.body.parse(request.body)
    if (events.some(({ id }) => server.poison.has(id))) return reply.code(500).send({ code: 500, message: 'A fault.' })
    server.arrivals += events.length
    const results = events.map((event) => {
      const outcome = server.outcomes.get(event.id) ?? stored(event)
      return { id: event.id, outcome, status: server.visits.get(event.visitId)?.status ?? null }
    })
    if (server.losesNextAnswer) {
      server.losesNextAnswer = false
      return breakOff(reply)
    }
    return ok({ results })
  })

  function stored(event: MachineEvent): 'stored' | 'conflict' {
    const visit = server.visits.get(event.visitId)
    const outcome = visit !== undefined && visit.status === event.status ? 'stored' : 'conflict'
    if (outcome === 'stored')
      server.put({ ...visit!, status: event.kind === 'signedIn' ? visitorStatus.checkedIn : visitorStatus.signedOff })
    server.events.push(event)
    server.outcomes.set(event.id, outcome)
    return outcome
  }

  return server
}

/** Break the connection of a request without an answer, as a cut cable does. */
export function breakOff(reply: FastifyReply): FastifyReply {
  reply.hijack()
  reply.raw.destroy()
  return reply
}
