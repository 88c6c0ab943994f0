/** Writing keys onto cards: one card, or many that are put on the writer one after the other. */
import { z } from 'zod'
import { callsOf } from '../call.ts'
import { jobState } from '../enums/common.ts'
import { keyCardType } from '../enums/devices.ts'
import { CARD_AREA_DIGITS } from '../limits.ts'
import { created, id, idParams, instant, pageData, pageQuery } from '../schema.ts'
import { rule } from '../validation.ts'
import { KEY_TYPES } from './keys.ts'

const call = callsOf('cards')

const [AREA_MIN, AREA_MAX] = CARD_AREA_DIGITS
/** First digits of the ID numbers for which a card is valid. */
export const cardArea = z
  .string()
  .trim()
  .refine((value) => new RegExp(`^\\d{${AREA_MIN},${AREA_MAX}}$`).test(value), rule('digits', { min: AREA_MIN, max: AREA_MAX }))

/** Hexadecimal characters of the key that a card has from its manufacturer, by type of card. */
export const TRANSPORT_KEY_HEX = { 0: 12, 1: 32 } as const
export const CARDS_AT_ONCE = 200

/**
 * Reason why a card could not be written. `authentication`: it has other keys; `blocked`: it accepts no further attempts; `unsuitable`: it
 * is not a card of the type, or lacks the application; `memory`: it did not accept the data; `verify`: it returns different data from those
 * written; `removed`: it was removed too early; `reader`: the writer gives invalid answers; `stopped`: a user ended the writing.
 */
export const WRITE_FAILURES = ['authentication', 'blocked', 'unsuitable', 'memory', 'verify', 'removed', 'reader', 'stopped'] as const
export type WriteFailure = (typeof WRITE_FAILURES)[number]

export const cardWriteItem = z.object({
  id,
  /** Position, counted from 1. */
  position: z.number().int(),
  /** Serial number as hexadecimal digits; empty until a card is put on the writer. */
  number: z.string(),
  state: jobState.schema,
  reason: z.enum(WRITE_FAILURES).nullable(),
  writtenAt: instant.nullable(),
})
export type CardWriteItem = z.output<typeof cardWriteItem>

const summary = {
  id,
  kind: z.enum(KEY_TYPES),
  cardType: keyCardType.schema,
  area: z.string(),
  deviceId: id,
  deviceName: z.string(),
  createdAt: instant,
  createdBy: z.string(),
  total: z.number().int(),
  written: z.number().int(),
  failed: z.number().int(),
  state: jobState.schema,
}
export const cardWriteSummary = z.object(summary)
export type CardWriteSummary = z.output<typeof cardWriteSummary>
export const cardWrite = z.object({ ...summary, items: z.array(cardWriteItem) })
export type CardWrite = z.output<typeof cardWrite>

/** Seconds to wait for a card or palm on a reader. */
export const waitSeconds = z.number().int().min(1).max(60).default(30)

export const writingCalls = {
  startWrite: call({
    method: 'POST',
    service: 'biz',
    path: '/card/write',
    permission: 'card.key.all',
    summary: 'Begins to write a key onto cards; each card is written by `/next` as it is put on the writer.',
    body: z
      .object({
        kind: z.enum(KEY_TYPES),
        cardType: keyCardType.schema,
        /** A card machine or multifunction collector. */
        deviceId: id,
        /** Area, for main and init cards only. */
        area: z.union([z.literal(''), cardArea]).nullish(),
        /** Key that the cards have from their manufacturer; absent: the usual key, all bits one. */
        transportKey: z.string().trim().max(64).nullish(),
        count: z.number().int().min(1).max(CARDS_AT_ONCE).default(1),
      })
      .refine(
        ({ cardType, transportKey }) =>
          transportKey == null ||
          transportKey === '' ||
          (/^[0-9a-f]+$/i.test(transportKey) && transportKey.length === TRANSPORT_KEY_HEX[cardType]),
        { path: ['transportKey'], ...rule('hex', { lengths: Object.values(TRANSPORT_KEY_HEX).join(', ') }) },
      )
      .refine(({ kind, count }) => kind === 'init' || count === 1, { path: ['count'], ...rule('invalid') }),
    data: created,
    errors: [400205],
    origin: 'own',
  }),
  write: call({
    method: 'GET',
    service: 'biz',
    path: '/card/write/{id}',
    permission: 'card.key.all',
    summary: 'How far the cards of one writing are.',
    params: idParams,
    data: cardWrite,
    origin: 'own',
  }),
  writes: call({
    method: 'GET',
    service: 'biz',
    path: '/card/write/list',
    permission: 'card.key.all',
    summary: 'What was written onto cards, the newest first.',
    query: pageQuery.extend({ kind: z.enum(KEY_TYPES).optional() }),
    data: pageData(cardWriteSummary),
    origin: 'own',
  }),
  writeNext: call({
    method: 'POST',
    service: 'biz',
    path: '/card/write/{id}/next',
    permission: 'card.key.all',
    summary: 'Waits for a card on the writer and writes it. Whoever hangs up waits no longer.',
    params: idParams,
    body: z.object({ seconds: waitSeconds }),
    /** `none`: no card was put on in time; `twice`: this writing has already written the card; `over`: all cards are written. */
    data: z.object({ outcome: z.enum(['written', 'failed', 'none', 'twice', 'over']), item: cardWriteItem.nullable() }),
    errors: [400205, 400206],
    origin: 'own',
  }),
  writeAgain: call({
    method: 'POST',
    service: 'biz',
    path: '/card/write/{id}/again',
    permission: 'card.key.all',
    summary: 'Takes up the cards that failed or were left out by stopping.',
    params: idParams,
    data: z.object({ again: z.number().int() }),
    origin: 'own',
  }),
  stopWrite: call({
    method: 'POST',
    service: 'biz',
    path: '/card/write/{id}/stop',
    permission: 'card.key.all',
    summary: 'Ends a writing; the cards written so far stay written.',
    params: idParams,
    data: created,
    origin: 'own',
  }),
}
