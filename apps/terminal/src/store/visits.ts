/**
 * What a visitor machine keeps: the visits of its park, and what visitors did at it that the server has not stored yet. Both are sealed,
 * and on the disk before anybody is told. Reading needs no disk.
 */
import type { DatabaseSync } from 'node:sqlite'
import { visitorStatus } from '@gatehouse/contract/enums'
import type { MachineEvent, MachineVisit } from '@gatehouse/contract/device/visitor-machine'
import { clearLog, transaction } from './database.ts'
import type { Vault } from './vault.ts'

/** A visit with the model of its template. */
export interface StoredVisit extends MachineVisit {
  modelId: string
}

/** What the server says of an event it has stored; `status` null: there is no such visit. */
export interface SettledEvent {
  id: string
  status: MachineVisit['status'] | null
}

export interface VisitStore {
  /** Return all visits, each in the status in which its waiting events leave it. */
  all(): StoredVisit[]
  /** Return a visit in that status; undefined if it is not stored. */
  find(id: string): StoredVisit | undefined
  /** Return ids and versions as the server sent them. */
  versions(): [id: string, version: number][]
  /** Take what the server sent, completely or not at all. @throws when it cannot be written */
  take(change: { visits: readonly MachineVisit[]; gone: readonly string[] }, modelId: string): void
  /** Store an event; it is durable on return. @throws when it cannot be written; nothing has changed then */
  append(event: MachineEvent): void
  /** Return the oldest events that the server has not stored. */
  waiting(limit: number): MachineEvent[]
  /** Return whether an event is among them. */
  isWaiting(id: string): boolean
  /** Delete events that the server has stored, and put their visits into the status it names. @throws when it cannot be written */
  settle(results: readonly SettledEvent[]): void
  /** Delete the visits that persons of these ids made, and their events. @throws when it cannot be written */
  erase(personIds: readonly string[]): void
  /** Delete all visits. @returns how many there were */
  clearVisits(): number
  /** Delete events from before an instant, epoch milliseconds. @returns how many there were */
  dropEvents(before: number): number
  /** Delete everything. @returns how many events the server never received */
  clear(): number
}

const STATUS_AFTER = { signedIn: visitorStatus.checkedIn, signedOff: visitorStatus.signedOff } as const

const boundOf = (kind: 'visit' | 'event', id: string): string => `visitor machine ${kind} ${id}`

/** Read the visits and events of a store. Those sealed under another key are deleted: nobody can read them any more. */
export function createVisitStore(database: DatabaseSync, vault: Vault): VisitStore {
  const putVisit = database.prepare('INSERT OR REPLACE INTO machine_visit (id, sealed) VALUES (?, ?)')
  const dropVisit = database.prepare('DELETE FROM machine_visit WHERE id = ?')
  const putEvent = database.prepare('INSERT INTO machine_event (id, sealed) VALUES (?, ?)')
  const dropEvent = database.prepare('DELETE FROM machine_event WHERE id = ?')
  const visits = load<StoredVisit>('visit', 'SELECT id, sealed FROM machine_visit')
  /** In the order in which they happened. */
  const events = load<MachineEvent>('event', 'SELECT id, sealed FROM machine_event ORDER BY number')

  function load<Row>(kind: 'visit' | 'event', query: string): Map<string, Row> {
    const loaded = new Map<string, Row>()
    for (const { id, sealed } of database.prepare(query).all() as { id: string; sealed: Uint8Array }[]) {
      try {
        loaded.set(id, JSON.parse(Buffer.from(vault.open(sealed, boundOf(kind, id))).toString()) as Row)
      } catch {
        ;(kind === 'visit' ? dropVisit : dropEvent).run(id)
      }
    }
    return loaded
  }

  const seal = (kind: 'visit' | 'event', row: { id: string }) => vault.seal(Buffer.from(JSON.stringify(row)), boundOf(kind, row.id))

  /** Write and delete rows in one transaction, and then in memory. */
  function change({
    written = [],
    deleted = [],
    deletedEvents = [],
  }: {
    written?: readonly StoredVisit[]
    deleted?: readonly string[]
    deletedEvents?: readonly string[]
  }): void {
    if (written.length + deleted.length + deletedEvents.length === 0) return
    transaction(database, () => {
      for (const visit of written) putVisit.run(visit.id, seal('visit', visit))
      for (const id of deleted) dropVisit.run(id)
      for (const id of deletedEvents) dropEvent.run(id)
    })
    for (const visit of written) visits.set(visit.id, visit)
    for (const id of deleted) visits.delete(id)
    for (const id of deletedEvents) events.delete(id)
  }

  /** Return the status in which waiting events leave their visits, by visit. */
  function statuses(): Map<string, MachineVisit['status']> {
    return new Map([...events.values()].map(({ visitId, kind }) => [visitId, STATUS_AFTER[kind]]))
  }

  return {
    all() {
      const after = statuses()
      return [...visits.values()].map((visit) => ({ ...visit, status: after.get(visit.id) ?? visit.status }))
    },
    find(id) {
      const visit = visits.get(id)
      return visit && { ...visit, status: statuses().get(id) ?? visit.status }
    },
    versions: () => [...visits.values()].map(({ id, version }) => [id, version]),
    take: ({ visits: sent, gone }, modelId) => change({ written: sent.map((visit) => ({ ...visit, modelId })), deleted: gone }),
    append(event) {
      putEvent.run(event.id, seal('event', event))
      events.set(event.id, event)
    },
    waiting: (limit) => [...events.values()].slice(0, limit),
    isWaiting: (id) => events.has(id),
    settle(results) {
      const settled = results.flatMap(({ id, status }) => {
        const event = events.get(id)
        return event ? [{ id, status, visit: visits.get(event.visitId) }] : []
      })
      // Several events of one visit leave it as the last one does.
      const last = new Map(settled.flatMap(({ visit, status }) => (visit ? [[visit.id, { visit, status }] as const] : [])))
      change({
        written: [...last.values()].flatMap(({ visit, status }) => (status === null ? [] : [{ ...visit, status }])),
        deleted: [...last.values()].flatMap(({ visit, status }) => (status === null ? [visit.id] : [])),
        deletedEvents: settled.map(({ id }) => id),
      })
    },
    erase(personIds) {
      const erased = new Set(personIds)
      const deleted = [...visits.values()].filter(({ personId }) => personId !== null && erased.has(personId)).map(({ id }) => id)
      const deletedEvents = [...events.values()].filter(({ visitId }) => deleted.includes(visitId)).map(({ id }) => id)
      change({ deleted, deletedEvents })
      if (deleted.length > 0) clearLog(database)
    },
    clearVisits() {
      const deleted = [...visits.keys()]
      change({ deleted })
      if (deleted.length > 0) clearLog(database)
      return deleted.length
    },
    dropEvents(before) {
      const deletedEvents = [...events.values()].filter(({ occurredAt }) => occurredAt < before).map(({ id }) => id)
      change({ deletedEvents })
      return deletedEvents.length
    },
    clear() {
      const lost = events.size
      change({ deleted: [...visits.keys()], deletedEvents: [...events.keys()] })
      return lost
    },
  }
}
