/** Synchronisation of persons with devices: four views of the same state, and sending again what failed (module M07). */
import { z } from 'zod'
import { callsOf } from '../call.ts'
import { personSyncStatus } from '../enums/access.ts'
import { masked, searches } from '../masking.ts'
import { id, instant, pageData, pageQuery, queryList } from '../schema.ts'
import { formerly } from '../wire-names.ts'

const call = callsOf('synchronisation')

/** Number of persons on devices by `personSyncStatus`. */
export const syncCounts = z.object({
  syncing: z.number().int(),
  failed: z.number().int(),
  success: z.number().int(),
  deleting: z.number().int(),
  overtime: z.number().int(),
  photoMissing: z.number().int(),
})
export type SyncCounts = z.output<typeof syncCounts>

/**
 * Value of `personSyncStatus`. Of several, the one that needs attention most: failed, overtime, photoMissing, deleting, syncing, success.
 */
const status = z.number().int().min(0).max(5)

/** A person, with the state on all devices concerned. */
export const syncPerson = z.object({
  id,
  personId: id,
  name: masked('name', z.string()),
  workNumber: z.string(),
  status,
  counts: syncCounts,
})
export type SyncPerson = z.output<typeof syncPerson>

/** A device with its persons, or those of the given access rule, including persons that are to be removed from it. */
export const syncDevice = z.object({
  id,
  deviceId: id,
  name: z.string(),
  code: z.string(),
  onlineStatus: z.number().int(),
  lastSeenAt: instant.nullable(),
  onlineSince: instant.nullable(),
  status,
  counts: syncCounts,
  /** Number of changes it has not taken yet; null while it compares all its persons with those it should hold. */
  behind: z.number().int().nullable(),
})
export type SyncDevice = z.output<typeof syncDevice>

/** One person on one device. `id` is the id of the person or of the device, whichever is listed. */
export const syncPair = z.object({
  id,
  personId: id,
  personName: masked('name', z.string()),
  workNumber: z.string(),
  deviceId: id,
  deviceName: z.string(),
  onlineStatus: z.number().int(),
  status,
  /** The person is to be removed from the device; `deleting` shows this, `overtime` does not. */
  leaving: z.boolean(),
  /**
   * Why the device cannot recognise the person: one of `PERSON_FAILURES`, or a text of another family of devices. Null unless it failed or
   * the photo is missing.
   */
  message: formerly('reason', z.string().nullable()),
  /** Time since when it has failed or an answer has been pending; null if nothing is pending. */
  updatedAt: formerly('since', instant.nullable()),
})
export type SyncPair = z.output<typeof syncPair>

const statusFilter = z.coerce.number().pipe(personSyncStatus.schema).optional()
const nameFilter = z.string().max(64).optional()
const personNameFilter = searches('name', z.string().max(64)).optional()

/**
 * Scope of a retry: one person on one device, all failed ones of a device or of an access rule, or all failed ones; a person without a
 * device means every device.
 */
export const syncRetry = z.object({ personId: id.optional(), deviceId: id.optional(), strategyId: id.optional() })

const retryAnswer = z.object({
  /** Number of persons on devices that are sent again now. */
  resent: z.number().int(),
  /** Number left for the next call. */
  remaining: z.number().int(),
})
const retrySummary = 'Sends again what failed or was not answered; at most 5,000 persons a call. A missing photo is not sent again.'

export const synchronisationCalls = {
  persons: call({
    method: 'GET',
    service: 'biz',
    path: '/person/sync/status/person/list',
    permission: 'access.rule',
    summary: 'Persons of a strategy or of a device, each with how many of its devices they have reached; what needs somebody comes first.',
    /** `strategyId` or `deviceId` is required. */
    query: pageQuery.extend({ strategyId: id.optional(), deviceId: id.optional(), status: statusFilter, name: personNameFilter }),
    data: pageData(syncPerson),
    errors: [300101],
  }),
  devicesOfPerson: call({
    method: 'GET',
    service: 'biz',
    path: '/person/sync/status/person/device',
    permission: 'access.rule',
    summary: 'Devices a person should be at or is to leave, all or those of one strategy.',
    query: pageQuery.extend({ personId: id, strategyId: id.optional(), status: statusFilter, name: nameFilter }),
    data: pageData(syncPair),
    errors: [300101],
  }),
  devices: call({
    method: 'GET',
    service: 'biz',
    path: '/person/sync/status/device/list',
    permission: 'access.rule',
    summary: 'Devices, all or those of a strategy, each with how many persons it has taken; what needs somebody comes first.',
    query: pageQuery.extend({ strategyId: id.optional(), status: statusFilter, name: nameFilter }),
    data: pageData(syncDevice),
    errors: [300101],
  }),
  personsOfDevice: call({
    method: 'GET',
    service: 'biz',
    path: '/person/sync/status/device/person',
    permission: 'access.rule',
    summary: 'Persons a device should hold or is to let go, all or those of one strategy, each with how far it is and why not.',
    query: pageQuery.extend({ deviceId: id, strategyId: id.optional(), status: statusFilter, name: personNameFilter }),
    data: pageData(syncPair),
    errors: [300101],
  }),
  counts: call({
    method: 'GET',
    service: 'biz',
    path: '/person/sync/status/device/stat',
    permission: 'access.rule',
    summary:
      'Counts per device, of all, of the named ones or of those of a strategy, their sum, and the persons of the strategy. Of ' +
      'several named, unknown ones are left out.',
    query: z.object({ strategyId: id.optional(), deviceId: id.optional(), deviceIds: queryList(id) }),
    data: z.object({
      /** Persons on devices: one person on two devices counts twice. */
      total: syncCounts,
      devices: z.array(z.object({ id, deviceId: id, counts: syncCounts })),
      /** Each person of the access rule once, by the status that needs attention most; null without an access rule. */
      persons: syncCounts.nullable(),
    }),
    errors: [300101],
  }),
  retryByAddress: call({
    method: 'GET',
    service: 'biz',
    path: '/retry/syncDeviceData',
    effect: 'write',
    permission: 'access.rule',
    summary: retrySummary,
    query: syncRetry,
    data: retryAnswer,
    errors: [300101],
  }),
  retry: call({
    method: 'POST',
    service: 'biz',
    path: '/retry/syncDeviceData',
    permission: 'access.rule',
    summary: retrySummary,
    body: syncRetry,
    data: retryAnswer,
    errors: [300101],
  }),
}
