/** Organisations and parks: their fields, their function modules, and how they are found by code (module M04). */
import { z } from 'zod'
import { callsOf } from '../call.ts'
import { PARK_AUTH_CODE_LENGTH, PARK_QR_DEFAULT, TEXT_MAX } from '../limits.ts'
import { permissionModules, type PermissionModule } from '../permissions.ts'
import { changeOf, consoleAddress, created, id, idParams, idQuery, instant, queryNumber } from '../schema.ts'
import { changesByItself } from '../wire-names.ts'
import { rule } from '../validation.ts'
import { choice } from './choice.ts'

const call = callsOf('organisation')

export const organisationTypeValue = choice([100, 200, 300])
export const parkTypeValue = choice([1, 2, 3])

/** Modules that are always on: without them no user could switch a module on again. */
export const FIXED_MODULES = ['system', 'park'] as const satisfies readonly PermissionModule[]
/** Modules that can be switched off. */
export const SWITCHABLE_MODULES = (Object.keys(permissionModules) as PermissionModule[]).filter(
  (module) => !(FIXED_MODULES as readonly string[]).includes(module),
)
const moduleValue = z.enum(SWITCHABLE_MODULES as [PermissionModule, ...PermissionModule[]])

/** Return whether a text is the name of a time zone, such as `Asia/Taipei`. */
export function isZone(zone: string): boolean {
  // `Intl` also accepts offsets such as +08:00, which have no daylight saving time.
  if (!/^[A-Za-z]/.test(zone)) return false
  try {
    return Intl.DateTimeFormat(undefined, { timeZone: zone }).resolvedOptions().timeZone !== ''
  } catch {
    return false
  }
}
const zone = z.string().max(64).refine(isZone, rule('zone'))

const common = z.object({
  name: z.string().trim().min(1).max(TEXT_MAX),
  /** Identifier in other systems; absent: unchanged, or the area code for a new one. */
  code: z.string().trim().min(1).max(64).nullish(),
  /** Parks only: 1 factory area, 2 hospital, 3 campus, whose menus use the academy labels. */
  parkType: parkTypeValue.nullish(),
  /** IANA time zone; absent: unchanged, or the parent’s for a new one. Records keep the zone in which they were created. */
  zone: zone.nullish(),
  /** Function modules that are on, besides those that always are; absent: unchanged, or the parent’s for a new one. */
  modules: z.array(moduleValue).max(SWITCHABLE_MODULES.length).nullish(),
})

export const organisationAdd = common
  .extend({ type: organisationTypeValue, parentId: id })
  // Checked even if other fields are missing, so that all missing fields are reported together.
  .refine(({ type, parkType }) => type !== 300 || parkType != null, {
    path: ['parkType'],
    when: ({ value }) => typeof value === 'object' && value !== null,
    ...rule('required'),
  })
/**
 * The type cannot be changed. If zone or modules are removed, those of the parent apply again, and a removed code becomes the area code; a
 * park always has a park type.
 */
export const organisationChange = changeOf(common).extend({
  id,
  /** A different parent moves the organisation with all below it; null, as it is returned for the caller's own organisation: not moved. */
  parentId: id.nullish(),
  version: z.number().int().optional(),
})

export const organisation = z.object({
  id,
  areaCode: z.string(),
  /** Identifier in other systems; by default the area code. */
  code: z.string(),
  /**
   * Park code, by which other parks apply to be linked; null for an organisation that is not a park, and for callers who may not read it.
   */
  authorisationCode: z.string().nullable(),
  name: z.string(),
  type: z.number().int(),
  parkType: z.number().int().nullable(),
  parentId: id.nullable(),
  parentName: z.string(),
  zone: z.string(),
  modules: z.array(z.string()),
  /** Number of organisations directly below. */
  children: changesByItself(z.number().int()),
  /** Number of parks, and of devices, at and below it. */
  parks: changesByItself(z.number().int()),
  devices: changesByItself(z.number().int()),
  /** Number of accounts that belong to it, without those of organisations below. */
  users: changesByItself(z.number().int()),
  /**
   * Whether the caller may move it, delete it and switch its modules: not their own organisation, which only users of an organisation above
   * it may change.
   */
  movable: z.boolean(),
  version: z.number().int(),
  createdAt: instant,
})
export type OrganisationDetail = z.output<typeof organisation>

export const organisationModule = z.object({
  module: z.string(),
  /** Whether the module is on here. */
  enabled: z.boolean(),
  /** Whether the caller may switch it: the module is on in the organisation above, and not always on. */
  available: z.boolean(),
  /** Number of organisations below in which it is on: until it is 0 the module cannot be switched off. */
  enabledBelow: z.number().int(),
})
export type OrganisationModule = z.output<typeof organisationModule>

/** Park code: ten digits or capital letters, created with the park; parks that know it can apply to be linked to the park. */
export const verificationCode = z
  .string()
  .trim()
  .refine(
    (value) => new RegExp(`^[0-9A-Z]{${PARK_AUTH_CODE_LENGTH}}$`).test(value),
    rule('verificationCode', { length: PARK_AUTH_CODE_LENGTH }),
  )

const qrQuery = idQuery.extend({
  /** Validity in hours. */
  expireTime: queryNumber.int().min(1).max(8760).default(PARK_QR_DEFAULT),
  /**
   * Address of the console, such as `https://gate.example.org`: the link begins with it if the installation has no address of its own.
   * Absent: the address to which the request was sent.
   */
  address: consoleAddress.optional(),
})

const readOrganisation = call({
  method: 'GET',
  service: 'biz',
  path: '/areaCodes/{id}',
  permission: 'system.area',
  summary: 'One organisation.',
  params: idParams,
  data: organisation,
})

export const areaCalls = {
  modules: call({
    method: 'GET',
    service: 'biz',
    path: '/areaCodes/modules',
    permission: 'system.area',
    summary: 'Function modules of an organisation, or those a new one below `parentId` would have.',
    query: z.object({ id: id.optional(), parentId: id.optional() }),
    data: z.array(organisationModule),
  }),
  qrCode: call({
    method: 'GET',
    service: 'biz',
    path: '/areaCodes/getQrCode',
    permission: 'system.area',
    summary:
      'A park’s QR code as PNG. It holds a link to the screen of linked parks with the park’s verification code, the moment it ' +
      'ends, rounded up to the minute, and a signature of both: `…/#/associatedPark?code=…&expires=…&sign=…`.',
    query: qrQuery.extend({ width: queryNumber.int().min(64).max(2048).default(256) }),
    produces: 'file',
  }),
  qrCodeInfo: call({
    method: 'GET',
    service: 'biz',
    path: '/areaCodes/infoQrCode',
    permission: 'system.area',
    summary: 'What the QR code made of the same values says.',
    query: qrQuery,
    data: z.object({ link: z.string(), parkName: z.string(), verificationCode: z.string(), expiresAt: instant }),
  }),
  verificationCode: call({
    method: 'GET',
    service: 'biz',
    path: '/areaCodes/getVerificationCode',
    permission: 'park.related',
    summary: 'The verification code of a park; of the current one unless told.',
    query: z.object({ id: id.optional() }),
    data: z.object({ id, parkName: z.string(), verificationCode: z.string() }),
  }),
  renewVerificationCode: call({
    method: 'POST',
    service: 'biz',
    path: '/areaCodes/verificationCode/renew',
    permission: 'park.related',
    summary: 'Gives a park another verification code; the one before, and QR codes with it, open nothing any more.',
    body: z.object({ id: id.optional() }),
    data: z.object({ id, parkName: z.string(), verificationCode: z.string() }),
    origin: 'own',
  }),
  byVerificationCode: call({
    method: 'GET',
    service: 'biz',
    path: '/areaCodes/byVerificationCode',
    permission: 'park.related',
    summary: 'The park a verification code belongs to. `expires` and `sign` of a QR code’s link are checked where they are given.',
    query: z.object({ code: verificationCode, expires: queryNumber.int().optional(), sign: z.string().max(64).optional() }),
    data: z.object({ parkName: z.string(), areaCode: z.string(), parkType: z.number().int(), companyName: z.string() }),
  }),
  read: readOrganisation,
  add: call({
    method: 'PUT',
    service: 'biz',
    path: '/areaCodes/add',
    permission: 'system.area',
    summary:
      'Adds an organisation below another: partners below the topmost one, companies below partners and companies, parks below companies.',
    body: organisationAdd,
    data: created,
    errors: [200228, 900004],
  }),
  update: call({
    method: 'POST',
    service: 'biz',
    path: '/areaCodes/update',
    permission: 'system.area',
    freshPassword: 'ofUsers',
    summary: 'Changes an organisation. A module closes only where nothing below has it on, and opens only where it is on above.',
    record: readOrganisation,
    body: organisationChange,
    data: created,
    errors: [200228, 900004],
  }),
  delete: call({
    method: 'DELETE',
    service: 'biz',
    path: '/areaCodes/{id}',
    permission: 'system.area',
    freshPassword: 'ofUsers',
    summary: 'Deletes an organisation without children, devices and accounts; of a park, everything it holds.',
    params: idParams,
    data: z.object({ id, removed: z.record(z.string(), z.number().int()) }),
    errors: [200226, 200227, 600003],
    origin: 'own',
  }),
}
