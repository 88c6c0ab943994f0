/** Cards of people, and images of their palms, as a collector reads them. */
import { z } from 'zod'
import { callsOf } from '../call.ts'
import { jobState } from '../enums/common.ts'
import { keyCardType } from '../enums/devices.ts'
import { cardNumberFormat } from '../enums/people.ts'
import { CARD_PASSWORD, PALM_IMAGE_MAX, PALM_TEMPLATE_MAX, PERSON_NUMBER_MAX } from '../limits.ts'
import { masked, searches } from '../masking.ts'
import { created, date, id, idParams, instant, pageData, pageQuery, queryList } from '../schema.ts'
import { rule } from '../validation.ts'
import { waitSeconds } from './writing.ts'

const call = callsOf('cards')

/** Exactly six digits. */
export const cardPassword = z
  .string()
  .trim()
  .refine((value) => new RegExp(`^\\d{${CARD_PASSWORD}}$`).test(value), rule('digits', { min: CARD_PASSWORD, max: CARD_PASSWORD }))

/**
 * Why an issued card is not in force although its period has started: another person has the number, or the person is disabled and cannot
 * be changed.
 */
export const ISSUE_FAILURES = ['numberTaken', 'personDisabled'] as const

export const issuedCard = z.object({
  id,
  personId: id,
  personName: masked('name', z.string()),
  workNumber: z.string(),
  type: keyCardType.schema,
  number: masked('cardNumber', z.string()),
  numberFormat: cardNumberFormat.schema,
  effectiveDate: date,
  expiryDate: date,
  /** Name of the device that read it; empty: typed by hand. */
  issuingDevice: z.string(),
  /** State of the card; in progress: its period has not started. */
  status: jobState.schema,
  reason: z.enum(ISSUE_FAILURES).nullable(),
  /** Whether terminals recognise the person by this number now. */
  inForce: z.boolean(),
  hasPassword: z.boolean(),
  createdAt: instant,
})
export type IssuedCard = z.output<typeof issuedCard>

export const palm = z.object({
  id,
  personId: id,
  deviceName: z.string(),
  takenAt: instant,
  url: z.string(),
  thumbnail: z.string(),
  /** Whether the collector gave a template with the picture: terminals know a palm by its template only. */
  hasTemplate: z.boolean(),
})
export type Palm = z.output<typeof palm>

/** A card machine or multifunction collector of the park. */
export const cardDevice = z.object({ id, name: z.string(), code: z.string(), type: z.number().int(), onlineStatus: z.number().int() })
export type CardDevice = z.output<typeof cardDevice>

const digitsOf = { decimal: /^[0-9]+$/, hex: /^[0-9a-f]+$/i } as const

export const issuingCalls = {
  list: call({
    method: 'GET',
    service: 'biz',
    path: '/card/list',
    permission: 'card.key.all',
    summary: 'Cards that were issued to persons, the newest first.',
    query: pageQuery.extend({
      /** The whole number in any format, or its last four characters as it was entered. */
      number: searches('cardNumber', z.string().max(64)).optional(),
      name: searches('name', z.string().max(64)).optional(),
      personId: id.optional(),
      type: z.coerce.number().pipe(keyCardType.schema).optional(),
      status: z.enum(['inProgress', 'success', 'failed']).optional(),
    }),
    data: pageData(issuedCard),
    origin: 'own',
  }),
  issue: call({
    method: 'POST',
    service: 'biz',
    path: '/card',
    permission: 'card.key.all',
    summary: 'Issues a card to a person, whose card number it is from its effective to its expiry date, in the time of the park.',
    body: z
      .object({
        personId: id,
        type: keyCardType.schema,
        number: masked('cardNumber', z.string().trim().min(1).max(PERSON_NUMBER_MAX)),
        numberFormat: cardNumberFormat.schema.default(cardNumberFormat.decimal),
        effectiveDate: date,
        expiryDate: date,
        password: z.union([z.literal(''), cardPassword]).nullish(),
        /** The collector that read it; absent: typed by hand. */
        deviceId: id.nullish(),
      })
      .refine(({ numberFormat, number }) => numberFormat !== 'decimal' || digitsOf.decimal.test(number), {
        path: ['number'],
        ...rule('decimalDigits'),
      })
      .refine(({ numberFormat, number }) => numberFormat !== 'hex' || digitsOf.hex.test(number), { path: ['number'], ...rule('hexDigits') })
      .refine(({ effectiveDate, expiryDate }) => effectiveDate < expiryDate, { path: ['expiryDate'], ...rule('periodOrder') }),
    data: created,
    errors: [200207, 200224],
    origin: 'own',
  }),
  revoke: call({
    method: 'DELETE',
    service: 'biz',
    path: '/card',
    permission: 'card.key.all',
    summary: 'Takes cards back: no terminal knows their holders by them any more.',
    query: z.object({ ids: queryList(id) }),
    data: z.object({ revoked: z.number().int() }),
    origin: 'own',
  }),
  devices: call({
    method: 'GET',
    service: 'biz',
    path: '/card/device/list',
    permission: 'card.key.all',
    summary: 'Card machines and multifunction collectors.',
    data: z.array(cardDevice),
    origin: 'own',
  }),
  collect: call({
    method: 'POST',
    service: 'biz',
    path: '/card/collect',
    effect: 'read',
    permission: 'card.key.all',
    summary: 'Waits for a card in front of a collector. Whoever hangs up waits no longer.',
    body: z.object({ deviceId: id, seconds: waitSeconds }),
    /** Null: no card came in time. */
    data: z.object({ cardNumber: z.string().nullable() }),
    errors: [400205, 400206],
    origin: 'own',
  }),
  palms: call({
    method: 'GET',
    service: 'biz',
    path: '/card/palm/list',
    permission: 'card.key.all',
    summary: 'Palms of a person.',
    query: z.object({ personId: id }),
    data: z.array(palm),
    origin: 'own',
  }),
  enrolPalm: call({
    method: 'POST',
    service: 'biz',
    path: '/card/palm',
    permission: 'card.key.all',
    summary: 'Waits for a palm in front of a collector and keeps its picture with the person.',
    body: z.object({ personId: id, deviceId: id, seconds: waitSeconds }),
    /** Null: no palm came in time. */
    data: z.object({ palm: palm.nullable() }),
    errors: [400205, 400206],
    origin: 'own',
  }),
  deletePalm: call({
    method: 'DELETE',
    service: 'biz',
    path: '/card/palm/{id}',
    permission: 'card.key.all',
    summary: 'Removes the picture of a palm.',
    params: idParams,
    data: created,
    origin: 'own',
  }),
  sendPalm: call({
    method: 'POST',
    service: 'device',
    path: '/collect/{id}/palm',
    permission: 'device',
    summary: 'The picture of a palm that was asked for under this id, as JPEG or PNG; the answer to the command follows it.',
    params: idParams,
    consumes: 'multipart',
    /** The template as the collector's reader makes it; absent: it makes none, and no terminal knows the palm. */
    body: z.object({ template: z.base64().min(1).max(PALM_TEMPLATE_MAX).optional() }),
    bodyLimit: PALM_IMAGE_MAX,
    data: created,
    errors: [200205, 900000],
    origin: 'own',
  }),
}
