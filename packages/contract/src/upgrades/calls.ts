/** Versions of the software on devices, and their installation (module M06). */
import { z } from 'zod'
import { callsOf } from '../call.ts'
import { jobState } from '../enums/common.ts'
import { deviceType, updateType } from '../enums/devices.ts'
import { DEVICE_PACKAGE_MAX } from '../limits.ts'
import { abilities, created, id, idParams, idQuery, instant, pageData, pageQuery } from '../schema.ts'
import { rule } from '../validation.ts'
import { UPGRADE_KINDS, versionNumber } from './package.ts'
import { UPGRADE_APPROVALS, UPGRADE_STEPS } from './states.ts'

const call = callsOf('upgrades')

const kind = z.enum(UPGRADE_KINDS)
const type = updateType.schema
const state = jobState.schema
const taskStatus = z.enum(['inProgress', 'success', 'failed'])
const digest = z
  .string()
  .trim()
  .toLowerCase()
  .refine((value) => /^[0-9a-f]{32}$/.test(value), rule('md5'))

const appVersion = z.object({
  id,
  kind,
  /** Name of the app in a `device` package; empty if none was given. */
  apkName: z.string(),
  versionNumber: z.string(),
  updateType: type,
  /** Release notes. */
  content: z.string(),
  /** Name of the uploaded file. */
  file: z.string(),
  /** Size in bytes. */
  size: z.number().int(),
  md5: z.string(),
  sha256: z.string(),
  /** Whether it is signed: the software terminal accepts signed packages only. Each terminal checks the signature itself. */
  signed: z.boolean(),
  createdAt: instant,
  /** Number of devices that are being upgraded to it: until it is 0 the version cannot be deleted. */
  inProgress: z.number().int(),
})
export type AppVersion = z.output<typeof appVersion>

/** Fields beside the file; they are sent as texts. */
const versionFields = z.object({
  /** Absent: as the package's manifest states, and `device` if it states nothing. */
  kind: kind.optional(),
  apkName: z.string().trim().max(64).default(''),
  versionNumber,
  updateType: z.coerce.number().pipe(type).default(0),
  content: z.string().trim().max(2000).default(''),
  /** MD5 that the supplier of the package states: the uploaded file must have it. */
  md5: digest,
})

export type VersionFields = z.output<typeof versionFields>

/** Return a schema for a list that is sent as one text separated by commas if a file is sent with it. */
const listOf = <S extends z.ZodType>(item: S, limit: number, valueOf: (text: string) => unknown = String) =>
  z.preprocess(
    // The input type is the list, as it is sent in JSON.
    (list: z.input<S>[]) => {
      const value: unknown = list
      return typeof value === 'string' ? value.split(',').filter(Boolean).map(valueOf) : value
    },
    z.array(item).max(limit),
  )

/** Devices of a task: by id, by group with all groups below it, all of a type, and by code, registered or not. */
const targets = z.object({
  deviceIds: listOf(id, 5000).default([]),
  deviceGroupIds: listOf(id, 1000).default([]),
  deviceTypes: listOf(deviceType.schema, 16, Number).default([]),
  codes: listOf(z.string().trim().min(1).max(64), 5000).default([]),
})
export type UpgradeTargets = z.output<typeof targets>

/** Return whether a task names any devices. */
export const namesTargets = ({ deviceIds, deviceGroupIds, deviceTypes, codes }: UpgradeTargets): boolean =>
  deviceIds.length + deviceGroupIds.length + deviceTypes.length + codes.length > 0

const ofVersion = targets.extend({ versionId: id }).refine(namesTargets, { path: ['deviceIds'], ...rule('upgradeTargets') })

/** Fields of a package that is sent with the task. */
const PACKAGE_FIELDS = ['versionNumber', 'md5', 'content', 'kind'] as const

const taskFields = targets
  .extend({
    /** Id of a stored version; absent: the package is sent as `file`, with its version number and its MD5. */
    versionId: id.optional(),
    /** Absent: that of the stored version, or 0 for a package that is sent. */
    type: z.coerce.number<z.input<typeof type>>().pipe(type).optional(),
    versionNumber: versionNumber.optional(),
    md5: digest.optional(),
    content: versionFields.shape.content.unwrap().optional(),
    /** Absent: as the package's manifest states, and `device` if it states nothing. */
    kind: kind.optional(),
  })
  .superRefine((fields, context) => {
    const given = PACKAGE_FIELDS.filter((field) => fields[field] !== undefined)
    const refuse = (path: string, name: string) => context.addIssue({ code: 'custom', path: [path], ...rule(name) })
    if (fields.versionId !== undefined) {
      if (given.length > 0) refuse('versionId', 'versionOrPackage')
      if (!namesTargets(fields)) refuse('deviceIds', 'upgradeTargets')
    } else if (given.length === 0) refuse('versionId', 'required')
    else for (const field of ['versionNumber', 'md5'] as const) if (fields[field] === undefined) refuse(field, 'required')
  })
export type UpgradeTaskFields = z.output<typeof taskFields>

const upgradeTask = z.object({
  id,
  /** Id of the version; null after it was deleted. */
  versionId: id.nullable(),
  kind,
  versionNumber: z.string(),
  content: z.string(),
  type,
  md5: z.string(),
  file: z.string(),
  signed: z.boolean(),
  /** Whether another user has to approve the task, and the decision; nothing is done before approval. */
  approval: z.enum(UPGRADE_APPROVALS),
  /** User who requested it; empty for old upgrades, for which the user was not recorded. */
  askedBy: z.string(),
  /** Whether the caller requested it: then another user has to approve it. */
  own: z.boolean(),
  /** User who approved or declined it; empty until then. */
  approvedBy: z.string(),
  approvedAt: instant.nullable(),
  /** Progress over all its devices in percent. */
  progress: z.number().int(),
  status: taskStatus,
  devices: z.number().int(),
  /** Number of devices by state. */
  counts: z.partialRecord(state, z.number().int()),
  createdAt: instant,
  /** `retry`, `cancel`: for all its devices. */
  can: abilities('approve', 'decline', 'retry', 'cancel'),
})
export type UpgradeTask = z.output<typeof upgradeTask>

const upgradeDevice = z.object({
  id,
  /** Id of the device; null if no device has the code. */
  deviceId: id.nullable(),
  name: z.string(),
  code: z.string(),
  state,
  step: z.enum(UPGRADE_STEPS),
  online: z.boolean(),
  /** Progress of the download in percent, then 100. */
  progress: z.number().int(),
  /** Number of the attempt: 1 at first, one more with each retry. */
  attempt: z.number().int(),
  /** One of `UPGRADE_FAILURES`, or a text of another family of devices; null unless failed. */
  reason: z.string().nullable(),
  /** Version before the upgrade; empty if the device had not reported it. */
  versionBefore: z.string(),
  startedAt: instant.nullable(),
  endedAt: instant.nullable(),
  can: abilities('retry', 'cancel'),
})
export type UpgradeDevice = z.output<typeof upgradeDevice>

/** Numbers of devices that a new task would concern. */
const upgradeReach = z.object({
  devices: z.number().int(),
  online: z.number().int(),
  /** Devices that already run this version, or a higher one. */
  alreadyNewest: z.number().int(),
  /** Codes that no device of the park has. */
  notRegistered: z.number().int(),
  /** Software terminals, which are not offered a package without a signature. */
  unsigned: z.number().int(),
  /** Devices that are being upgraded to another version of this kind, which this task replaces. */
  superseded: z.number().int(),
})

export type UpgradeReach = z.output<typeof upgradeReach>

/** Versions on the devices of a park: one entry for each version, the highest first; devices that reported none last. */
const runningVersion = z.object({
  /** Version number; empty for devices that have not reported it. */
  versionNumber: z.string(),
  devices: z.number().int(),
  online: z.number().int(),
})
export type RunningVersion = z.output<typeof runningVersion>

/** Upgrade that a device should install. */
const deviceUpgrade = z.object({
  id,
  attempt: z.number().int(),
  kind,
  apkName: z.string(),
  versionNumber: z.string(),
  content: z.string(),
  type,
  size: z.number().int(),
  md5: z.string(),
  sha256: z.string(),
  state,
})
export type DeviceUpgrade = z.output<typeof deviceUpgrade>

const upgradeReport = z.object({
  /** Number of the attempt; reports of earlier attempts are ignored. */
  attempt: z.number().int().min(1),
  state: z.enum(['inProgress', 'success', 'failed', 'alreadyNewest', 'restarted']),
  step: z.enum(['downloading', 'checking', 'prompt', 'installing']).optional(),
  progress: z.number().int().min(0).max(100).optional(),
  reason: z.string().min(1).max(64).optional(),
  /** Current version, with `success` and `restarted`. */
  versionNumber: z.string().max(64).optional(),
})

const upgrade = { service: 'biz', permission: 'device.upgrade' } as const
const installation = { service: 'biz', permission: 'installation', besides: ['device.upgrade'] } as const
const device = { service: 'device', permission: 'device', origin: 'own' } as const

export const upgradeCalls = {
  addTask: call({
    ...installation,
    method: 'POST',
    path: '/device/upgrade/add',
    freshPassword: true,
    summary:
      'Brings devices of the current park to a version, each when it is online; answers at once. The version is one that is ' +
      'kept, by `versionId`, or comes along: `versionNumber`, `content`, `type`, `md5` and the tar as `file`, for all devices ' +
      'of the park unless some are named. A forced upgrade waits until a second person agrees.',
    body: taskFields,
    consumes: 'multipart',
    orJson: true,
    streams: true,
    bodyLimit: DEVICE_PACKAGE_MAX,
    data: created,
  }),
  tasks: call({
    ...upgrade,
    method: 'GET',
    path: '/device/upgrade/list',
    summary: 'Upgrade tasks of the current park, the newest first.',
    query: pageQuery.extend({
      kind: kind.optional(),
      versionNumber: z.string().max(18).optional(),
      status: taskStatus.optional(),
      approval: z.enum(UPGRADE_APPROVALS).optional(),
    }),
    data: pageData(upgradeTask),
  }),
  task: call({ ...upgrade, method: 'GET', path: '/device/upgrade', summary: 'One upgrade task.', query: idQuery, data: upgradeTask }),
  taskDevices: call({
    ...upgrade,
    method: 'GET',
    path: '/device/upgrade/{id}/device/list',
    summary: 'Devices of an upgrade task with how far each is.',
    params: idParams,
    query: pageQuery.extend({ state: state.optional(), name: z.string().max(64).optional() }),
    data: pageData(upgradeDevice),
    origin: 'own',
  }),
  running: call({
    ...upgrade,
    method: 'GET',
    path: '/device/upgrade/running',
    summary: 'Which version runs on how many devices of the current park.',
    data: z.array(runningVersion),
    origin: 'own',
  }),
  reach: call({
    ...installation,
    method: 'POST',
    effect: 'read',
    path: '/device/upgrade/reach',
    summary: 'Counts whom a new task would touch.',
    body: ofVersion,
    data: upgradeReach,
    origin: 'own',
  }),
  approve: call({
    ...installation,
    method: 'POST',
    path: '/device/upgrade/{id}/approve',
    freshPassword: true,
    summary: 'Agrees to a forced upgrade that another user asked for; it begins at once.',
    params: idParams,
    data: z.object({ devices: z.number().int() }),
    origin: 'own',
  }),
  decline: call({
    ...installation,
    method: 'POST',
    path: '/device/upgrade/{id}/decline',
    summary: 'Ends a forced upgrade that waits for a second person; whoever asked may do so too.',
    params: idParams,
    data: z.object({ devices: z.number().int() }),
    origin: 'own',
  }),
  retry: call({
    ...installation,
    method: 'POST',
    path: '/device/upgrade/{id}/retry',
    summary:
      'Tries again with the devices that failed, or with one of them; a forced upgrade that nobody agreed to waits for a second person.',
    params: idParams,
    body: z.object({ rowId: id.optional() }),
    data: z.object({ devices: z.number().int() }),
    origin: 'own',
  }),
  cancel: call({
    ...installation,
    method: 'POST',
    path: '/device/upgrade/{id}/cancel',
    summary: 'Ends the upgrade at devices that have not begun to install, or at one of them; these keep what they run.',
    params: idParams,
    body: z.object({ rowId: id.optional() }),
    data: z.object({ devices: z.number().int() }),
    origin: 'own',
  }),
  versions: call({
    ...upgrade,
    method: 'GET',
    path: '/device/app/version/list',
    summary: 'Versions that were handed in, the newest first.',
    query: pageQuery.extend({ kind: kind.optional(), versionNumber: z.string().max(18).optional() }),
    data: pageData(appVersion),
  }),
  allVersions: call({
    ...upgrade,
    method: 'GET',
    path: '/device/app/version/list/all',
    summary: 'All versions of the installation, to choose from.',
    query: z.object({ kind: kind.optional() }),
    data: z.array(appVersion),
  }),
  deleteVersion: call({
    ...installation,
    method: 'GET',
    effect: 'write',
    path: '/device/app/version/delete',
    summary: 'Removes a version with its package; refused while a device is on its way to it.',
    query: idQuery,
    data: created,
  }),
  saveVersion: call({
    ...installation,
    method: 'POST',
    path: '/device/app/version/save',
    freshPassword: true,
    summary:
      'Hands in a version: a tar of at most 512 MB whose MD5 is the one given. Of any maker; Gatehouse terminals install signed ' +
      'packages only.',
    body: versionFields,
    consumes: 'multipart',
    streams: true,
    bodyLimit: DEVICE_PACKAGE_MAX,
    data: created,
  }),

  deviceUpgrade: call({
    ...device,
    method: 'GET',
    path: '/upgrade/{id}',
    summary: 'What the device is to come to, by the task a command named.',
    params: idParams,
    data: deviceUpgrade,
  }),
  devicePackage: call({
    ...device,
    method: 'GET',
    path: '/upgrade/{id}/package',
    summary: 'The package, whole or by Range, while the upgrade is in progress.',
    params: idParams,
    statuses: [206],
    produces: 'file',
  }),
  deviceReport: call({
    ...device,
    method: 'PUT',
    path: '/upgrade/{id}/state',
    summary:
      'How far the device is; repeated and late words change nothing. Answers what holds: another state than the one in ' +
      'progress ends the device’s work on it.',
    params: idParams,
    body: upgradeReport,
    data: z.object({ attempt: z.number().int(), state }),
  }),
}
export type UpgradeReport = z.output<typeof upgradeReport>
