/** Rights of people whose faces are recognised: consent, retention, erasure with a receipt. */
import { z } from 'zod'
import { callsOf } from '../call.ts'
import { LANGUAGES } from '../envelope.ts'
import { TEXT_MAX } from '../limits.ts'
import { CONSENT_STATES, PERSON_KINDS } from '../people/person-fields.ts'
import { id, idParams, instant, pageData, pageQuery, queryList } from '../schema.ts'

const call = callsOf('privacy')

/** What happens to the access records of an erased person. */
export const RECORDS_ON_ERASURE = ['pseudonymise', 'keep'] as const

export const privacyPolicyFields = z.object({
  /** Photos are accepted only of people who have given consent; others pass by card, code or password. */
  consentRequired: z.boolean(),
  /** Text of the consent, by language. */
  consentText: z.partialRecord(z.enum(LANGUAGES), z.string().trim().max(2000)),
  recordsOnErasure: z.enum(RECORDS_ON_ERASURE),
  /** Days after the end of validity (for the watch list: after the last change) after which a person is erased; null: never. */
  retention: z.object({
    staff: z.number().int().min(1).max(3650).nullable(),
    customer: z.number().int().min(1).max(3650).nullable(),
    special: z.number().int().min(1).max(3650).nullable(),
    /** Of visitors, days after the end of the visit. Absent in a change: unchanged. */
    visitor: z.number().int().min(1).max(3650).nullish(),
  }),
})
export const privacyPolicy = privacyPolicyFields.extend({ version: z.number().int() })
export type PrivacyPolicy = z.output<typeof privacyPolicy>

/** `form`: recorded by the user who registered the person; `self`: by the person, through a link; `import`: from a file. */
export const CONSENT_CHANNELS = ['form', 'self', 'import'] as const
export const consentEntry = z.object({
  id,
  state: z.enum(CONSENT_STATES),
  channel: z.enum(CONSENT_CHANNELS),
  notedBy: z.string(),
  note: z.string(),
  at: instant,
})
export type ConsentEntry = z.output<typeof consentEntry>

/** Places where data of a person are stored. `terminal`, and `terminalRecords` for the records on a terminal, occur once per device. */
export const ERASURE_PLACES = [
  'person',
  'contacts',
  'photographs',
  'templates',
  'search',
  'idPictures',
  'records',
  'captures',
  'alarms',
  'imports',
  'applications',
  'cards',
  'restrictions',
  'visits',
  'surveillance',
  'alarms',
  'exports',
  'log',
  'terminal',
  'terminalRecords',
] as const
/**
 * `pending`: requested, not confirmed yet; `kept`: kept according to the park's setting; `unconfirmed`: the terminal has connected but does
 * not confirm erasures, because its version does not support them.
 */
export const ERASURE_STATES = ['pending', 'done', 'kept', 'unconfirmed'] as const

export const erasurePlace = z.object({
  place: z.enum(ERASURE_PLACES),
  /** Name of the device, for terminals. */
  name: z.string(),
  state: z.enum(ERASURE_STATES),
  deviceId: id.nullable(),
  /** Number of records that were there. */
  count: z.number().int(),
  /** When it was confirmed, or found that it never will be; null while it is pending. */
  at: instant.nullable(),
  /** The device was deleted before it could confirm: its stored data cannot be checked any more. */
  removed: z.boolean(),
})

/** The receipt contains no name, because the person is erased. The user who requested the erasure keeps the number. */
export const erasure = z.object({
  id,
  /** Short number that can be read aloud. */
  number: z.string(),
  personId: id,
  kind: z.enum(PERSON_KINDS),
  origin: z.enum(['request', 'retention']),
  reason: z.string(),
  /** User who requested it; empty for an erasure by the park's retention. */
  requestedBy: z.string(),
  requestedAt: instant,
  /** When the last place was confirmed; null while some are pending. */
  completedAt: instant.nullable(),
  places: z.array(erasurePlace),
})
export type Erasure = z.output<typeof erasure>

const base = { service: 'biz', origin: 'own' } as const

export const privacyCalls = {
  policy: call({
    ...base,
    method: 'GET',
    path: '/privacy/policy',
    // Users who change the policy need no permission for people, and the reverse.
    permission: 'self',
    summary: 'What the park asks and keeps.',
    data: privacyPolicy,
  }),
  changePolicy: call({
    ...base,
    method: 'PUT',
    path: '/privacy/policy',
    permission: 'system.base',
    summary: 'Changes what the park asks and keeps.',
    body: privacyPolicyFields.extend({ version: z.number().int().optional() }),
    data: privacyPolicy,
  }),
  consents: call({
    ...base,
    method: 'GET',
    path: '/privacy/person/{id}/consent',
    permission: 'person.list',
    summary: 'When a person agreed or withdrew, the newest first.',
    params: idParams,
    data: z.array(consentEntry),
  }),
  noteConsent: call({
    ...base,
    method: 'POST',
    path: '/privacy/person/{id}/consent',
    permission: 'person.list',
    besides: ['own:person.edit'],
    summary:
      'Notes that a person agreed or withdrew. Withdrawing deletes the photographs and templates everywhere; the person passes ' +
      'by other means.',
    params: idParams,
    body: z.object({ state: z.enum(['given', 'withdrawn']), note: z.string().trim().max(TEXT_MAX).default('') }),
    data: consentEntry,
  }),
  preview: call({
    ...base,
    method: 'GET',
    path: '/privacy/erasure/preview',
    permission: 'person.list',
    summary: 'What erasing these persons would remove, and what would be kept; removes nothing.',
    query: z.object({ personIds: queryList(id) }),
    data: z.object({
      persons: z.number().int(),
      places: z.array(z.object({ place: z.enum(ERASURE_PLACES), count: z.number().int(), kept: z.boolean() })),
    }),
  }),
  erase: call({
    ...base,
    method: 'POST',
    path: '/privacy/erasure',
    permission: 'person.list',
    besides: ['own:person.erase'],
    summary:
      'Erases persons, disabled ones too, everywhere they are known; each gets a receipt. Asked again for somebody already ' +
      'erased, it answers the receipt there is.',
    body: z.object({ personIds: z.array(id).min(1).max(1000), reason: z.string().trim().min(1).max(TEXT_MAX) }),
    data: z.object({ erasureIds: z.array(id) }),
  }),
  list: call({
    ...base,
    method: 'GET',
    path: '/privacy/erasure/list',
    permission: 'person.list',
    summary: 'Receipts, the newest first.',
    query: pageQuery.extend({ number: z.string().max(40).optional(), pending: z.coerce.number().int().min(0).max(1).optional() }),
    data: pageData(erasure),
  }),
  read: call({
    ...base,
    method: 'GET',
    path: '/privacy/erasure/{id}',
    permission: 'person.list',
    summary: 'One receipt.',
    params: idParams,
    data: erasure,
  }),
  file: call({
    ...base,
    method: 'GET',
    path: '/privacy/erasure/{id}/file',
    permission: 'person.list',
    summary: 'The receipt as a page to print or hand out, in the language of the request.',
    params: idParams,
    produces: 'file',
  }),
}
