/** Diagnosis of an installation: what was released to devices, what they hold, and the state of its parts (module M06). */
import { z } from 'zod'
import { syncPair } from '../synchronisation/calls.ts'
import { callsOf } from '../call.ts'
import { personSyncStatus } from '../enums/access.ts'
import { deviceOnlineStatus } from '../enums/devices.ts'
import { id, instant, pageData, pageQuery } from '../schema.ts'

const call = callsOf('development')

/**
 * `none`: the device should hold nothing yet; `current`: it holds what it should; `behind`: there are changes that it has not taken;
 * `differs`: it took all changes, but its content is different.
 */
export const RELEASE_STATES = ['none', 'current', 'behind', 'differs'] as const

/** State that one device should have, and the state that it reported last. */
export const deviceRelease = z.object({
  id,
  name: z.string(),
  code: z.string(),
  onlineStatus: z.number().int(),
  lastSeenAt: instant.nullable(),
  onlineSince: instant.nullable(),
  state: z.enum(RELEASE_STATES),
  /** Last change of the persons it should hold. */
  desiredAt: instant.nullable(),
  /** When this server node last announced the state to the device; null: not since the node started. */
  toldAt: instant.nullable(),
  /** When the device last reported what it holds. */
  takenAt: instant.nullable(),
  desiredRevision: z.string(),
  heldRevision: z.string(),
  /** Number of the newest change that the device should have, and of the last one that it took. */
  desiredCursor: z.number().int(),
  heldCursor: z.number().int(),
  digestEqual: z.boolean(),
  /** Number of persons that the device holds but cannot recognise. */
  exceptions: z.number().int(),
})
export type DeviceRelease = z.output<typeof deviceRelease>

/** Parts of an installation that are examined; texts: `development:part.<part>`. */
export const SERVICE_PARTS = ['database', 'broker', 'events', 'jobs', 'work', 'storage', 'faces', 'process'] as const
export const SERVICE_STATES = ['ok', 'warn', 'fail'] as const
/** Advice on a part; texts: `development:advice.<advice>`. */
export const SERVICE_ADVICE = [
  'databaseAway',
  'databaseSlow',
  'connectionsFew',
  'brokerAway',
  'eventsLate',
  'eventsFailed',
  'jobFailed',
  'jobsNeverRan',
  'workFailed',
  'diskFull',
  'diskLow',
  'facesFailed',
  'facesBusy',
  'memoryLow',
] as const
export type ServiceAdvice = (typeof SERVICE_ADVICE)[number]
export const FIGURE_UNITS = ['ms', 'bytes', 'count', 'percent', 'instant', 'seconds'] as const
/** Texts: `development:figure.<name>`. */
export const FIGURES = [
  'latency',
  'size',
  'connections',
  'connectionsMax',
  'connected',
  'registered',
  'waitingEvents',
  'oldestEvent',
  'head',
  'failedEvents',
  'jobs',
  'lastRun',
  'failedJobs',
  'waitingWork',
  'runningWork',
  'failedWork',
  'free',
  'total',
  'files',
  'threads',
  'beingAnalysed',
  'room',
  'memory',
  'memoryFree',
  'uptime',
] as const

const servicePart = z.object({
  part: z.enum(SERVICE_PARTS),
  state: z.enum(SERVICE_STATES),
  /** Null: no action is needed. */
  advice: z.enum(SERVICE_ADVICE).nullable(),
  /** Figures measured for this answer. */
  figures: z.array(z.object({ name: z.enum(FIGURES), unit: z.enum(FIGURE_UNITS), value: z.number().nullable() })),
})
export type ServicePart = z.output<typeof servicePart>

/** Counts that a run of a background job can report; texts: `development:count.<count>`. */
export const JOB_COUNTS = [
  'events',
  'eventFailures',
  'tokens',
  'accountsDisabled',
  'exports',
  'logEntries',
  'passages',
  'months',
  'pictures',
  'doorRequests',
  'photographs',
  'files',
  'filesBound',
  'cardsBegunOrEnded',
  'palmsUnshown',
  'curvesMeasured',
  'parksImporting',
  'imports',
  'devicesMissing',
  'deviceLogs',
  'personsErased',
  'visitsEnded',
  'visitsErased',
  'erasuresConfirmed',
  'tablesRewritten',
  'applications',
  'secretsEnded',
  'epochsEnded',
  'templates',
  'captures',
  'alarms',
] as const
/** Reasons that a failed run can report; texts: `development:reason.<reason>`. */
export const JOB_REASONS = ['monthInUse'] as const
export type JobReason = (typeof JOB_REASONS)[number]

const jobCounts = z.partialRecord(z.enum(JOB_COUNTS), z.number().int())
export type JobCounts = z.output<typeof jobCounts>

const serviceJob = z.object({
  name: z.string(),
  lastRunAt: instant.nullable(),
  /** Outcome of the last run; null: the job has never run. */
  outcome: z.enum(['success', 'skipped', 'failed']).nullable(),
  counts: jobCounts,
  reason: z.enum(JOB_REASONS).nullable(),
  /** Error message of the program that stopped the run; empty if nothing stopped it. */
  error: z.string(),
})
export type ServiceJob = z.output<typeof serviceJob>

export const serviceHealth = z.object({
  state: z.enum(SERVICE_STATES),
  version: z.string(),
  engine: z.string(),
  measuredAt: instant,
  startedAt: instant,
  parts: z.array(servicePart),
  /** Background jobs, each with its last run. */
  jobs: z.array(serviceJob),
})
export type ServiceHealth = z.output<typeof serviceHealth>

/** Numbers of persons on one device. */
export const deviceIssued = z.object({
  id,
  name: z.string(),
  code: z.string(),
  groupName: z.string(),
  onlineStatus: z.number().int(),
  lastSeenAt: instant.nullable(),
  onlineSince: instant.nullable(),
  personsDesired: z.number().int(),
  personsHeld: z.number().int(),
  personsFailed: z.number().int(),
})
export type DeviceIssued = z.output<typeof deviceIssued>

const permission = 'development'
const status = z.coerce.number().pipe(personSyncStatus.schema).optional()
const name = z.string().max(64).optional()

export const developmentCalls = {
  released: call({
    method: 'GET',
    service: 'biz',
    path: '/development/released',
    permission,
    summary: 'What each device was last to come to, and what it came to.',
    query: pageQuery.extend({
      name,
      code: z.string().max(64).optional(),
      onlineStatus: z.coerce.number().pipe(deviceOnlineStatus.schema).optional(),
    }),
    data: pageData(deviceRelease),
    origin: 'own',
  }),
  service: call({
    method: 'GET',
    service: 'biz',
    path: '/development/service',
    permission,
    summary: 'How the parts of the installation are, measured when asked.',
    data: serviceHealth,
    origin: 'own',
  }),
  issued: call({
    method: 'GET',
    service: 'biz',
    path: '/development/issued',
    permission,
    summary: 'How many persons each device should hold, holds, and cannot recognise.',
    query: pageQuery.extend({
      name,
      code: z.string().max(64).optional(),
      onlineStatus: z.coerce.number().pipe(deviceOnlineStatus.schema).optional(),
    }),
    data: pageData(deviceIssued),
    origin: 'own',
  }),
  personsOfDevice: call({
    method: 'GET',
    service: 'biz',
    path: '/development/issued/device',
    permission,
    summary: 'Persons a device should hold or is to let go, each with how far it is and why not.',
    query: pageQuery.extend({ deviceId: id, status, name }),
    data: pageData(syncPair),
    origin: 'own',
  }),
  devicesOfPerson: call({
    method: 'GET',
    service: 'biz',
    path: '/development/issued/person',
    permission,
    summary: 'Devices a person should be at or is to leave.',
    query: pageQuery.extend({ personId: id, status, name }),
    data: pageData(syncPair),
    origin: 'own',
  }),
}
