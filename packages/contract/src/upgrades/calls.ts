/** Versions of what runs on devices, and how they get there (module M06). */
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
  /** Name of the app, of a `device` package; empty where nobody gave it one. */
  apkName: z.string(),
  versionNumber: z.string(),
  updateType: type,
  /** What is new in it. */
  content: z.string(),
  /** Name of the file as it was handed in. */
  file: z.string(),
  /** Bytes. */
  size: z.number().int(),
  md5: z.string(),
  sha256: z.string(),
  /** Whether it is signed: the software terminal takes no other. The signature itself each terminal checks. */
  signed: z.boolean(),
  createdAt: instant,
  /** Devices that are on their way to it: it cannot be deleted while there are any. */
  inProgress: z.number().int(),
})
export type AppVersion = z.output<typeof appVersion>

/** Fields beside the file; they arrive as texts. */
const versionFields = z.object({
  /** Absent: as the package says of itself, and `device` where it says nothing. */
  kind: kind.optional(),
  apkName: z.string().trim().max(64).default(''),
  versionNumber,
  updateType: z.coerce.number().pipe(type).default(0),
  content: z.string().trim().max(2000).default(''),
  /** As the supplier of the package names it: what arrives must have it. */
  md5: digest,
})

export type VersionFields = z.output<typeof versionFields>

/** A list that, beside a file, arrives as one text with commas. */
const listOf = <S extends z.ZodType>(item: S, limit: number, valueOf: (text: string) => unknown = String) =>
  z.preprocess(
    // What is handed in is typed as the list it is in JSON.
    (list: z.input<S>[]) => {
      const value: unknown = list
      return typeof value === 'string' ? value.split(',').filter(Boolean).map(valueOf) : value
    },
    z.array(item).max(limit),
  )

/** Whom a task is for: devices by id, by group with those below, all of a type, and by code, known or not. */
const targets = z.object({
  deviceIds: listOf(id, 5000).default([]),
  deviceGroupIds: listOf(id, 1000).default([]),
  deviceTypes: listOf(deviceType.schema, 16, Number).default([]),
  codes: listOf(z.string().trim().min(1).max(64), 5000).default([]),
})
export type UpgradeTargets = z.output<typeof targets>

/** Whether it is said whom a task is for. */
export const namesTargets = ({ deviceIds, deviceGroupIds, deviceTypes, codes }: UpgradeTargets): boolean =>
  deviceIds.length + deviceGroupIds.length + deviceTypes.length + codes.length > 0

const ofVersion = targets.extend({ versionId: id }).refine(namesTargets, { path: ['deviceIds'], ...rule('upgradeTargets') })

/** Of a package that comes along. */
const PACKAGE_FIELDS = ['versionNumber', 'md5', 'content', 'kind'] as const

const taskFields = targets
  .extend({
    /** A version that is kept; absent: the package comes along as `file`, with its number and its MD5. */
    versionId: id.optional(),
    /** Absent: as the version that is kept says, and 0 of a package that comes along. */
    type: z.coerce.number<z.input<typeof type>>().pipe(type).optional(),
    versionNumber: versionNumber.optional(),
    md5: digest.optional(),
    content: versionFields.shape.content.unwrap().optional(),
    /** Absent: as the package says of itself, and `device` where it says nothing. */
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
  /** Null once the version was deleted. */
  versionId: id.nullable(),
  kind,
  versionNumber: z.string(),
  content: z.string(),
  type,
  md5: z.string(),
  file: z.string(),
  signed: z.boolean(),
  /** Whether a second person has to agree; until then nothing is done. */
  approval: z.enum(UPGRADE_APPROVALS),
  /** Who asked for it; empty of upgrades from before anybody was noted. */
  askedBy: z.string(),
  /** Whether the caller asked for it: then somebody else has to agree. */
  own: z.boolean(),
  /** Who agreed or declined; empty while nobody has. */
  approvedBy: z.string(),
  approvedAt: instant.nullable(),
  /** Percent over all its devices. */
  progress: z.number().int(),
  status: taskStatus,
  devices: z.number().int(),
  /** Devices by state. */
  counts: z.partialRecord(state, z.number().int()),
  createdAt: instant,
  /** `retry`, `cancel`: of all its devices. */
  can: abilities('approve', 'decline', 'retry', 'cancel'),
})
export type UpgradeTask = z.output<typeof upgradeTask>

const upgradeDevice = z.object({
  id,
  /** Null where no device has the code. */
  deviceId: id.nullable(),
  name: z.string(),
  code: z.string(),
  state,
  step: z.enum(UPGRADE_STEPS),
  online: z.boolean(),
  /** Percent of the download, and 100 from then on. */
  progress: z.number().int(),
  /** 1 at first, one more with each retry. */
  attempt: z.number().int(),
  /** Of `UPGRADE_FAILURES`, or what a device of another family says; null unless failed. */
  reason: z.string().nullable(),
  /** What ran before; empty where the device had not said. */
  versionBefore: z.string(),
  startedAt: instant.nullable(),
  endedAt: instant.nullable(),
  can: abilities('retry', 'cancel'),
})
export type UpgradeDevice = z.output<typeof upgradeDevice>

/** What a new task would do. */
const upgradeReach = z.object({
  devices: z.number().int(),
  online: z.number().int(),
  /** These run the version already, or a higher one. */
  alreadyNewest: z.number().int(),
  /** Codes no device of the park has. */
  notRegistered: z.number().int(),
  /** Software terminals, to which a package without a signature is not even offered. */
  unsigned: z.number().int(),
  /** On their way to another version of the kind, which this task takes the place of. */
  superseded: z.number().int(),
})

export type UpgradeReach = z.output<typeof upgradeReach>

/** What runs on the devices of a park: one entry for each version, the highest first, those that said none last. */
const runningVersion = z.object({
  /** Empty where the device has not said it. */
  versionNumber: z.string(),
  devices: z.number().int(),
  online: z.number().int(),
})
export type RunningVersion = z.output<typeof runningVersion>

/** What a device is to come to. */
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
  /** Of which attempt it speaks; of an earlier one nothing is taken. */
  attempt: z.number().int().min(1),
  state: z.enum(['inProgress', 'success', 'failed', 'alreadyNewest', 'restarted']),
  step: z.enum(['downloading', 'checking', 'prompt', 'installing']).optional(),
  progress: z.number().int().min(0).max(100).optional(),
  reason: z.string().min(1).max(64).optional(),
  /** What runs now: of `success` and `restarted`. */
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
