/**
 * What visitors did at visitor machines. A machine decides without the server, by the visits it keeps, and says afterwards what happened,
 * in its order and as often as it takes until it hears an answer. Each event is stored once, with the change of the visit that it makes or
 * with the reason why the visit did not allow it; the desk sees to these.
 *
 * What counts is the moment at which it happened. A visit that expired before the machine reached the server is taken as it was then: it
 * becomes signed in, and the job that ends visits ends it like that of any other visitor who is still signed in when the time is over.
 */
import type { MachineEvent, visitorMachineCalls } from '@gatehouse/contract/device/visitor-machine'
import type { DataOf, OutputOf } from '@gatehouse/contract'
import { visitorSignInSource, visitorStatus } from '@gatehouse/contract/enums/visitors'
import { visitorCalls } from '@gatehouse/contract/visitors/calls'
import type { ConflictReason } from '@gatehouse/contract/visitors/machine-conflicts'
import { statusAfter, type VisitorStatus } from '@gatehouse/contract/visitors/transitions'
import type { Platform } from '../../platform/context.ts'
import { violatedConstraint, type Transaction } from '../../platform/database/database.ts'
import { isUuid, newId } from '../../platform/database/ids.ts'
import { Conflict, InvalidRequest, Refusal } from '../../platform/http/refusal.ts'
import type { DevicePrincipal, Scope } from '../../platform/session/session.ts'
import type { Acting } from './acting.ts'
import type { Configuration } from './configuration.ts'
import type { VisitorsDependencies } from './dependencies.ts'
import { machineBadgesDue } from './events.ts'
import type { StoredVisit } from './form-types.ts'
import { findMachineEvent, insertMachineEvent, type StoredMachineEvent } from './machine-data.ts'
import type { Machines } from './machines.ts'
import { statusOf } from './policy.ts'
import type { StoredVisits } from './stored-visits.ts'
import type { VisitOrigin } from './visit-steps.ts'
import { findVisits, type VisitRow } from './visits-data.ts'

type Calls = typeof visitorMachineCalls
type Result = DataOf<Calls['events']>['results'][number]

export interface MachineEvents {
  /** @throws NotFound for a device that is no visitor machine */
  take(device: DevicePrincipal, sent: OutputOf<Calls['events']['body']>, ip: string): Promise<DataOf<Calls['events']>>
}

/** A machine that speaks. */
interface Machine {
  id: string
  name: string
  ip: string
}
/** An event, at the server's moment of it. */
type Moment = MachineEvent & { at: number }

const { notYetVisited, checkedIn, awaitingVerification, signedOff, left, expired } = visitorStatus

/** Times that an event is tried while others change its visit; then it is a conflict, since a machine is never refused what happened. */
const ATTEMPTS = 10
/** Milliseconds after which nobody waits at the machine for a badge any more. */
const BADGE_WAIT = 5 * 60_000

/**
 * Return the visit as it was when something happened: one that has expired since then with the status it had before. Machines keep accepted
 * visits only, so one that was never signed in had the status that the machine knew.
 */
function asOf(row: VisitRow, { kind, status, at }: Moment): VisitRow {
  if (row.status !== expired || at > row.expiresAt) return row
  if (kind === 'signedOff') return row.enteredAt === null ? row : { ...row, status: checkedIn }
  const waited = status === awaitingVerification || (status === notYetVisited && row.enteredAt === null)
  return waited ? { ...row, status } : row
}

/** Return whether a visit has changed already in the way of an event: at the desk, at a door, or at another machine. */
function isDone(row: VisitRow, { kind, status, at, certificateInfo }: Moment): boolean {
  if (kind === 'signedOff') return row.status === signedOff || row.status === left
  if (row.status === checkedIn) return true
  if (row.status === awaitingVerification) return certificateInfo == null && status === notYetVisited
  // Signed in elsewhere, and over since then.
  const isPast = row.status === signedOff || row.status === left || row.status === expired
  return isPast && row.enteredAt !== null && at <= (row.signedOffAt ?? row.expiresAt)
}

const RULES: Readonly<Record<string, ConflictReason>> = {
  visitTooEarly: 'tooEarly',
  appointmentExpired: 'over',
  cardNotReturned: 'card',
}
const FIELDS: Readonly<Record<string, ConflictReason>> = { 'certificateInfo.number': 'certificate', cardNumber: 'card' }

/** Return why a visit was not changed; null for what is no refusal of it. */
function reasonOf(error: unknown): ConflictReason | null {
  if (error instanceof Refusal) return error.code === 200445 ? 'present' : 'refused'
  if (error instanceof Conflict) return 'refused'
  if (!(error instanceof InvalidRequest)) return null
  const [issue] = error.fields
  return RULES[issue?.rule ?? ''] ?? FIELDS[issue?.path ?? ''] ?? 'refused'
}

/** Return whether something else was quicker: the same event of a repeated call, or another change of the visit. */
const isOvertaken = (error: unknown): boolean =>
  violatedConstraint(error) === 'visit_machine_event_once' ||
  error instanceof Conflict ||
  (error instanceof Refusal && (error.code === 200401 || error.code === 200420 || error.code === 200424))

/** Return an event as it is stored, besides what came of it. */
const storedEvent = (
  machine: Machine,
  { id, visitId, kind, at }: Moment,
  receivedAt: number,
): Omit<StoredMachineEvent, 'status' | 'reason'> => ({
  id: newId(),
  deviceId: machine.id,
  deviceName: machine.name,
  eventId: id,
  visitId,
  kind,
  occurredAt: at,
  receivedAt,
})

export function createMachineEvents(
  platform: Platform,
  { devices }: Pick<VisitorsDependencies, 'devices'>,
  configuration: Configuration,
  machines: Pick<Machines, 'assertMachine'>,
  visits: StoredVisits,
  acting: Pick<Acting, 'signIn' | 'signOff'>,
): MachineEvents {
  const { db, clock } = platform

  /** Return why a visit does not allow an event; null where it does, as far as its status says. */
  function obstacle(scope: Scope, row: VisitRow, { kind, at }: Moment): ConflictReason | null {
    if (kind === 'signedIn' && !row.enabled) return 'blocked'
    if (row.status === awaitingVerification && kind === 'signedIn') return null
    if (statusAfter(statusOf(row), kind, configuration.conditions(scope)) !== null) return null
    return row.status === expired && at > row.expiresAt ? 'over' : 'status'
  }

  /** Store an event that changes nothing. @param reason null: the visit has changed already */
  async function keep(scope: Scope, machine: Machine, event: Moment, row: VisitRow | null, reason: ConflictReason | null): Promise<Result> {
    const status = row && statusOf(row)
    await insertMachineEvent(scope, db, { ...storedEvent(machine, event, clock.now()), visitId: row && row.id, status, reason })
    return { id: event.id, outcome: reason === null ? 'stored' : 'conflict', status }
  }

  /** Announce the badge of a visitor who waits for it at the machine. */
  async function announceBadge(
    tx: Transaction,
    scope: Scope,
    machine: Machine,
    event: Moment,
    { row, details }: StoredVisit,
  ): Promise<void> {
    const now = clock.now()
    const isAwaited = configuration.of(scope).visitorMachinesPrint && now - event.at < BADGE_WAIT && row.expiresAt > now
    if (!isAwaited) return
    const { language } = details
    const due = { eventId: event.id, visitId: row.id, deviceId: machine.id, deviceName: machine.name, language }
    await platform.events.announce(tx, machineBadgesDue, scope.parkId, due)
  }

  /** Change a visit as an event says, in an entry of the operation log that names the machine. @throws as the desk's calls */
  async function apply(scope: Scope, machine: Machine, event: Moment, stored: StoredVisit): Promise<VisitorStatus> {
    const read = { id: stored.row.id, status: statusOf(asOf(stored.row, event)) }
    const origin: VisitOrigin = {
      source: visitorSignInSource.visitorMachine,
      at: event.at,
      asOf: (row) => asOf(row, event),
      async alongside(tx, status) {
        await insertMachineEvent(scope, tx, { ...storedEvent(machine, event, clock.now()), status, reason: null })
        if (event.kind === 'signedIn' && status === checkedIn) await announceBadge(tx, scope, machine, event, stored)
      },
    }
    const call = event.kind === 'signedIn' ? visitorCalls.signIn : visitorCalls.signOff
    return platform.audit.during(call, null, machine.ip, async () => {
      const { parkId } = scope
      platform.audit.actAs({ parkId, userId: null, account: machine.name, operator: machine.name, source: 'local' })
      return event.kind === 'signedIn'
        ? acting.signIn(scope, read, { certificateInfo: event.certificateInfo }, origin)
        : acting.signOff(scope, read, { cardReturned: false, forced: false }, origin)
    })
  }

  async function takeOnce(scope: Scope, machine: Machine, event: Moment, isLast: boolean): Promise<Result> {
    const former = await findMachineEvent(scope, db, machine.id, event.id)
    if (former !== undefined) {
      const outcome = former.reason === null ? 'stored' : 'conflict'
      return { id: event.id, outcome, status: former.status as VisitorStatus | null }
    }
    const [stored] = await visits.open(scope, isUuid(event.visitId) ? await findVisits(scope, db, [event.visitId]) : [])
    if (stored === undefined) return keep(scope, machine, event, null, 'deleted')
    const row = asOf(stored.row, event)
    if (isDone(row, event)) return keep(scope, machine, event, stored.row, null)
    const reason = obstacle(scope, row, event)
    if (reason !== null) return keep(scope, machine, event, stored.row, reason)
    try {
      return { id: event.id, outcome: 'stored', status: await apply(scope, machine, event, stored) }
    } catch (error) {
      const refusedFor = isOvertaken(error) && !isLast ? null : reasonOf(error)
      if (refusedFor === null) throw error
      return keep(scope, machine, event, stored.row, refusedFor)
    }
  }

  /** Take an event, again where its visit is changed meanwhile. @throws what is no answer; the machine sends the event once more */
  async function takeOne(scope: Scope, machine: Machine, event: Moment): Promise<Result> {
    for (let attempt = 1; ; attempt++)
      try {
        return await takeOnce(scope, machine, event, attempt === ATTEMPTS)
      } catch (error) {
        if (!isOvertaken(error) || attempt === ATTEMPTS) throw error
      }
  }

  return {
    async take(device, { sentAt, events }, ip) {
      machines.assertMachine(device)
      const scope = { parkId: device.parkId }
      const [named] = await devices.names(scope, [device.deviceId])
      const machine = { id: device.deviceId, name: named?.name ?? device.code, ip }
      const now = clock.now()
      const offset = now - sentAt
      const results: Result[] = []
      // Never after it came: a clock that was set back between the two says nothing of the future.
      for (const event of events) results.push(await takeOne(scope, machine, { ...event, at: Math.min(event.occurredAt + offset, now) }))
      return { results }
    },
  }
}
