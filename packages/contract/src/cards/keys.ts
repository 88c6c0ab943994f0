/** Keys of a park's cards: the leader key is typed in, main and init keys are derived from it. No key is ever returned. */
import { z } from 'zod'
import { callsOf } from '../call.ts'
import { keyStatus } from '../enums/devices.ts'
import { LEADER_KEY_HEX } from '../limits.ts'
import { id, instant } from '../schema.ts'
import { rule } from '../validation.ts'

const call = callsOf('cards')

export const KEY_TYPES = ['leader', 'main', 'init'] as const
export type KeyType = (typeof KEY_TYPES)[number]

/** 16 or 32 hexadecimal characters. */
export const leaderKey = z
  .string()
  .trim()
  .refine(
    (value) => /^[0-9a-f]+$/i.test(value) && (LEADER_KEY_HEX as readonly number[]).includes(value.length),
    rule('hex', { lengths: LEADER_KEY_HEX.join(', ') }),
  )

export const cardKey = z.object({
  /** Null: not created. */
  id: id.nullable(),
  name: z.string(),
  type: z.enum(KEY_TYPES),
  status: keyStatus.schema,
  /** Six hexadecimal digits that are derived from the key: equal keys have equal check values. Empty: not created. */
  checkValue: z.string(),
  createdAt: instant.nullable(),
})
export type CardKey = z.output<typeof cardKey>

export const keyCalls = {
  keys: call({
    method: 'GET',
    service: 'biz',
    path: '/key/list',
    permission: 'card.key.all',
    summary: 'The leader, main and init key of the park, each with its check value.',
    data: z.array(cardKey),
    origin: 'own',
  }),
  createKey: call({
    method: 'POST',
    service: 'biz',
    path: '/key',
    permission: 'card.key.all',
    summary:
      'Creates a key: the leader key from what is typed, the others from the leader key. Another leader key takes the others ' +
      'away, for they followed from the one before.',
    body: z
      .object({
        type: z.enum(KEY_TYPES),
        name: z.string().trim().min(1).max(32),
        /** The key, for the leader key only; `confirmation` is the same typed again. */
        value: leaderKey.nullish(),
        confirmation: z.string().trim().nullish(),
        /** Replace an existing key. */
        replace: z.boolean().default(false),
      })
      .refine(({ type, value }) => type !== 'leader' || value != null, { path: ['value'], ...rule('required') })
      .refine(({ type, value }) => type === 'leader' || value == null, { path: ['value'], ...rule('invalid') })
      .refine(({ type, value, confirmation }) => type !== 'leader' || value?.toUpperCase() === confirmation?.toUpperCase(), {
        path: ['confirmation'],
        ...rule('confirmation'),
      }),
    data: cardKey,
    origin: 'own',
  }),
}
