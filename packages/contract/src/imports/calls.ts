/**
 * Import of people from files: a spreadsheet, photos named by work number, or both. An import is created, receives files in any number of
 * uploads, shows what it would do, and is then run as work that survives a crash.
 */
import { z } from 'zod'
import { callsOf } from '../call.ts'
import { IMPORT_FILE_MAX, ZIP_MAX } from '../limits.ts'
import { masked, searches } from '../masking.ts'
import { PERSON_KINDS } from '../people/person-fields.ts'
import { PLAIN_FIELDS } from '../people/plain-fields.ts'
import { abilities, created, id, idParams, instant, pageData, pageQuery } from '../schema.ts'
import { workState } from '../work.ts'

const call = callsOf('imports')

/**
 * What happens to people who are registered already. They are matched by work number, never by name. `createOnly` changes no fields: a row
 * with an existing work number is refused (200215), unless its values equal the stored ones (`same`) or it has a photo, which is added
 * (`photo`). `createAndChange`: empty cells leave values unchanged.
 */
export const IMPORT_MODES = ['createOnly', 'createAndChange'] as const
/** `draft`: files can be added. */
export const IMPORT_STATES = ['draft', 'running', 'done', 'cancelled', 'failed'] as const
/**
 * What a row would do, or has done. `photo`: only adds a photo to a registered person. Photos are added to those a person has, at most
 * three in all. A row whose photo is refused is still done without it: it keeps its outcome and has an issue of the field `photo`.
 */
export const IMPORT_OUTCOMES = ['create', 'change', 'photo', 'same', 'refused'] as const
export type ImportOutcome = (typeof IMPORT_OUTCOMES)[number]

/**
 * Fields of a row, as the template's columns name them; the park's own person fields are `custom.<id>`. Only `workNumber` is required: it
 * identifies the row.
 */
export const IMPORT_FIELDS = [
  'name',
  'workNumber',
  'phone',
  'gender',
  'groupName',
  'cardType',
  'cardNumberFormat',
  'cardNumber',
  'idType',
  'idNumber',
  ...PLAIN_FIELDS,
  'birthday',
  'validFrom',
  'validTo',
  'personalPassword',
  'faceConsent',
  'remark',
] as const

/** Why a row or photo was refused. `field`: field of the row; `photo` for its photo. */
export const importIssue = z.object({
  field: z.string(),
  /** Business code; null if a rule of the form is violated. */
  code: z.number().int().nullable(),
  rule: z.string(),
  params: z.record(z.string(), z.union([z.string(), z.number()])).optional(),
  /** Text in the language of the request. */
  words: z.string(),
})
export type ImportIssue = z.output<typeof importIssue>

export const personImport = z.object({
  id,
  kind: z.enum(PERSON_KINDS),
  mode: z.enum(IMPORT_MODES),
  groupId: id,
  groupName: z.string(),
  state: z.enum(IMPORT_STATES),
  /** Number of rows by what they would do, or have done. */
  rows: z.record(z.enum(IMPORT_OUTCOMES), z.number().int()),
  /** Number of rows that the next start would run. */
  open: z.number().int(),
  /** Number of uploaded photos, and number of those that belong to a row or a registered person. */
  photos: z.number().int(),
  photosMatched: z.number().int(),
  /** Number of photos that were not assigned: unreadable ones, and those that the face engine refused. */
  photosRefused: z.number().int(),
  /** Issues of the spreadsheets as a whole: unknown columns. */
  issues: z.array(importIssue),
  createdBy: masked('name', z.string()),
  createdAt: instant,
  work: workState.nullable(),
  /** `change`: upload spreadsheets and photos, and change rows. */
  can: abilities('change', 'start', 'cancel', 'delete'),
})
export type PersonImport = z.output<typeof personImport>

export const importRow = z.object({
  id,
  /** Line in the spreadsheet, counted from 1 with the header; null for a person who only receives a photo. */
  line: z.number().int().nullable(),
  outcome: z.enum(IMPORT_OUTCOMES),
  /** Whether the row is done with the result `outcome`. */
  finished: z.boolean(),
  personId: id.nullable(),
  name: masked('name', z.string()),
  workNumber: z.string(),
  groupName: z.string(),
  /** Value of the spreadsheet; personal numbers are masked for users with a masking profile. */
  phone: masked('phone', z.string()),
  /** Values of the other cells by field, without ID numbers and passwords. */
  values: z.object({ cardNumber: masked('cardNumber', z.string()).optional() }).catchall(z.string()),
  photos: z.array(z.object({ id, filename: z.string(), thumbnail: z.string() })),
  issues: z.array(importIssue),
})
export type ImportRow = z.output<typeof importRow>

/** A photo that belongs to no person. */
export const importPhoto = z.object({
  id,
  filename: z.string(),
  thumbnail: z.string(),
  reason: z.enum(['unreadable', 'unknownNumber', 'tooMany', 'twice']),
  /** The reason in the language of the request, with a hint where there is one. */ words: z.string(),
})
export type ImportPhoto = z.output<typeof importPhoto>

/** Number of people without a photo, by group. */
export const photoBoardGroup = z.object({
  groupId: id,
  groupName: z.string(),
  parentId: id.nullable(),
  persons: z.number().int(),
  withoutPhoto: z.number().int(),
})

const permission = 'person.list'
const base = { service: 'biz', permission, origin: 'own' } as const
const changes = { ...base, besides: ['own:person.edit'] } as const
/** Issues of rows reveal which numbers exist: a masked user could test thousands of guessed numbers at once. */
const fills = { ...changes, condition: 'unmasked' } as const

export const importCalls = {
  list: call({
    ...base,
    method: 'GET',
    path: '/person/import/list',
    summary: 'Imports of the current park, the newest first.',
    query: pageQuery,
    data: pageData(personImport),
  }),
  read: call({
    ...base,
    method: 'GET',
    path: '/person/import/{id}',
    summary: 'One import with its counts and its progress.',
    params: idParams,
    data: personImport,
  }),
  create: call({
    ...fills,
    method: 'POST',
    path: '/person/import',
    summary: 'Begins an import. Rows that name no group go into the group given here, which every import needs.',
    body: z.object({ kind: z.enum(PERSON_KINDS).default('staff'), mode: z.enum(IMPORT_MODES).default('createOnly'), groupId: id }),
    data: created,
  }),
  addRows: call({
    ...fills,
    method: 'POST',
    path: '/person/import/{id}/rows',
    summary:
      'Hands in a spreadsheet (xlsx, or csv as UTF-8 with BOM: 900107), at most 50 MB; several add up, and a row for a work ' +
      'number handed in before replaces it.',
    params: idParams,
    consumes: 'multipart',
    streams: true,
    bodyLimit: IMPORT_FILE_MAX,
    data: personImport,
    errors: [900107],
  }),
  addPhotos: call({
    ...changes,
    method: 'POST',
    path: '/person/import/{id}/photos',
    summary:
      'Hands in photographs named by work number (1001.jpg, 1001_2.jpg): one picture, or a zip of at most 300 MB and 1,000 ' +
      'pictures. One of the same name replaces the one before.',
    params: idParams,
    consumes: 'multipart',
    streams: true,
    bodyLimit: ZIP_MAX,
    data: personImport,
    errors: [200205, 200206, 200208],
  }),
  rows: call({
    ...base,
    method: 'GET',
    path: '/person/import/{id}/row/list',
    summary: 'Rows with what they do, and why they are refused.',
    params: idParams,
    query: pageQuery.extend({
      outcome: z.enum(IMPORT_OUTCOMES).optional(),
      name: searches('name', z.string().max(64)).optional(),
      workNumber: z.string().max(64).optional(),
      /** 1: only rows with an issue. */ withIssue: z.coerce.number().int().min(1).max(1).optional(),
    }),
    data: pageData(importRow),
  }),
  changeRow: call({
    ...fills,
    method: 'PUT',
    path: '/person/import/{id}/row',
    summary: 'Corrects fields of a row before or after the run; a refused row that is right now is run with the next start.',
    params: idParams,
    body: z.object({ rowId: id, values: z.record(z.string().max(80), z.string().max(200)) }),
    data: importRow,
  }),
  addGroup: call({
    ...fills,
    method: 'POST',
    path: '/person/import/{id}/group',
    summary: 'Adds the group that a row names and that is not there yet, with those above it, and looks at all rows again.',
    params: idParams,
    body: z.object({ rowId: id }),
    data: importRow,
    errors: [200107],
  }),
  strayPhotos: call({
    ...base,
    method: 'GET',
    path: '/person/import/{id}/photo/list',
    summary: 'Photographs that belong to nobody, and why.',
    params: idParams,
    query: pageQuery,
    data: pageData(importPhoto),
  }),
  assignPhoto: call({
    ...changes,
    method: 'PUT',
    path: '/person/import/{id}/photo',
    summary: 'Says to which work number a photograph belongs.',
    params: idParams,
    body: z.object({ photoId: id, workNumber: z.string().trim().min(1).max(32) }),
    data: created,
  }),
  start: call({
    ...changes,
    method: 'POST',
    path: '/person/import/{id}/start',
    summary: 'Runs what is not done yet; asked again while it runs, it changes nothing.',
    params: idParams,
    body: z.object({}),
    data: personImport,
  }),
  cancel: call({
    ...changes,
    method: 'POST',
    path: '/person/import/{id}/cancel',
    summary: 'Ends the run; what was done stays, and it can be started again.',
    params: idParams,
    body: z.object({}),
    data: personImport,
  }),
  delete: call({
    ...changes,
    method: 'DELETE',
    path: '/person/import/{id}',
    summary: 'Removes an import with its files; persons stay.',
    params: idParams,
    data: created,
    errors: [900109],
  }),
  refused: call({
    ...base,
    method: 'GET',
    path: '/person/import/{id}/refused',
    summary: 'Refused rows as a spreadsheet with their reasons, in the form that can be handed in again.',
    params: idParams,
    produces: 'file',
    readsPersonal: true,
  }),
  template: call({
    ...base,
    method: 'GET',
    path: '/person/import/template',
    summary:
      "A spreadsheet with the columns an import takes, those of the park's own form among them, and an example that is not " +
      'imported; an Excel file also says what each column takes.',
    query: z.object({ format: z.enum(['xlsx', 'csv']).default('xlsx') }),
    produces: 'file',
  }),
  photoBoard: call({
    ...base,
    method: 'GET',
    path: '/person/photo/board',
    summary: 'How many persons still lack a photograph, by group; only groups with somebody in them.',
    query: z.object({ kind: z.enum(PERSON_KINDS).default('staff') }),
    data: z.array(photoBoardGroup),
  }),
}
