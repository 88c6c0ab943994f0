/**
 * What a visitor machine keeps of the visits of its park, and what visitors do at it. A visitor machine is a device that the park's
 * configuration of visits names as one; to all others these calls answer 404. It signs in and off without the server, and tells it
 * afterwards. In words: docs/protocol/README.md, "Visitor machines".
 */
import { z } from 'zod'
import { callsOf } from '../call.ts'
import { visitorStatus, visitReason } from '../enums/visitors.ts'
import { ID_TYPES } from '../people/person-fields.ts'
import { instant } from '../schema.ts'
import { id } from './id.ts'

const call = callsOf('device')

/** Visits that a visitor machine keeps at once, at most: the next ones. */
export const MACHINE_VISITS_MAX = 5000
/** Visits that one answer brings, at most. */
export const MACHINE_VISITS_PER_PAGE = 200
/** Events that are sent at once, at most. */
export const MACHINE_EVENTS_PER_CALL = 100

/** By what a visitor machine decides; part of the settings in the manifest. */
export const visitorMachineSettings = z.object({
  companyName: z.string(),
  address: z.string(),
  /** Nobody is signed in without a card, which a machine does not issue: visitors are sent to the desk. */
  forcedCardIssue: z.boolean(),
  /** Nobody is signed in without the number of a certificate. */
  certificateRequired: z.boolean(),
  /** Visitors sign off. If not, a passage outwards ends the visit. */
  openSignOff: z.boolean(),
  /** Minutes before the visit from which a visitor is signed in. */
  signInLeadMinutes: z.number().int(),
  /** The badge of who is signed in is printed: by the server while it is reached, else from the machine's page. */
  printsBadge: z.boolean(),
})
export type VisitorMachineSettings = z.output<typeof visitorMachineSettings>

/** A visit that is accepted, waits for its certificate, or is signed in; of today, or not over yet. */
export const machineVisit = z.object({
  id,
  /** Number of the state of the visit: another one means other content. */
  version: z.number().int(),
  status: visitorStatus.schema,
  name: z.string(),
  phone: z.string(),
  /** The person that passes name; null while the visitor may not pass. */
  personId: id.nullable(),
  /** Id of the pass that was issued last, used or not: every other one of its person is void. Null: there is none. */
  passId: z.string().max(64).nullable(),
  /** Empty where nobody is visited. */
  hostName: z.string(),
  reason: visitReason.schema,
  visitorNumber: z.number().int(),
  /** The agreed start, and the end of the authorisation. */
  visitTime: instant,
  authorisationExpiry: instant,
  /** Of the photo of the appointment, base64 of little-endian float32, by the model the machine asked for; null: there is none. */
  template: z.string().max(20_000).nullable(),
})
export type MachineVisit = z.output<typeof machineVisit>

/** Something a visitor did at the machine. `id`: random, made once; the server takes each id of a machine once. */
export const machineEvent = z.object({
  id,
  visitId: id,
  kind: z.enum(['signedIn', 'signedOff']),
  /** By the clock of the machine. */
  occurredAt: instant,
  /** The status of the visit that the machine knew. */
  status: visitorStatus.schema,
  certificateInfo: z.object({ type: z.enum(ID_TYPES), number: z.string().trim().min(1).max(64) }).nullish(),
  /** Raw score of the live face against the photo of the appointment; null: none was compared. */
  score: z.number().nullable(),
})
export type MachineEvent = z.output<typeof machineEvent>

/**
 * What became of an event. `stored`: the visit has changed, or had changed in the same way already. `conflict`: the visit did not allow it
 * any more; the desk is shown what happened. In both cases the event is durable, and the machine deletes it.
 */
export const MACHINE_OUTCOMES = ['stored', 'conflict'] as const

export const visitorMachineCalls = {
  visits: call({
    method: 'POST',
    service: 'device',
    path: '/visitorMachine/visits',
    permission: 'device',
    effect: 'read',
    summary: 'The visits that changed since a visitor machine took them, and those it has to delete. 404 to every other device.',
    body: z.object({
      modelId: z.string().max(64),
      /** What the machine keeps. */
      known: z.array(z.tuple([id, z.number().int()])).max(MACHINE_VISITS_MAX),
    }),
    data: z.object({
      visits: z.array(machineVisit).max(MACHINE_VISITS_PER_PAGE),
      gone: z.array(id),
      /** There are further ones: ask again. */
      more: z.boolean(),
    }),
    bodyLimit: 1024 * 1024,
    statuses: [404],
    origin: 'own',
  }),
  events: call({
    method: 'POST',
    service: 'device',
    path: '/visitorMachine/events',
    permission: 'device',
    summary: 'What visitors did at a visitor machine, in the order in which it happened; repeated sending changes nothing.',
    body: z.object({
      /** The clock of the machine at sending. */
      sentAt: instant,
      events: z.array(machineEvent).min(1).max(MACHINE_EVENTS_PER_CALL),
    }),
    data: z.object({
      results: z.array(
        z.object({ id, outcome: z.enum(MACHINE_OUTCOMES), /** Null: there is no such visit. */ status: visitorStatus.schema.nullable() }),
      ),
    }),
    bodyLimit: 256 * 1024,
    statuses: [404],
    origin: 'own',
  }),
}
