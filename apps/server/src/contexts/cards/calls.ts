/** Handlers of keys, cards and palms. */
import { cardCalls } from '@gatehouse/contract/cards/calls'
import { handler, type MountedCall } from '../../platform/context.ts'
import { InvalidRequest } from '../../platform/http/refusal.ts'
import type { Issuing } from './issuing-types.ts'
import type { Keys } from './keys.ts'
import type { Palms } from './palms.ts'
import type { Readers } from './readers.ts'
import type { Writes } from './writes-types.ts'

export interface CardParts {
  keys: Keys
  readers: Readers
  writes: Writes
  issuing: Issuing
  palms: Palms
}

export function cardHandlers({ keys, readers, writes, issuing, palms }: CardParts): MountedCall[] {
  return [
    handler(cardCalls.keys, ({ scope }) => keys.list(scope)),
    handler(cardCalls.createKey, ({ scope, body }) => keys.create(scope, body)),
    handler(cardCalls.startWrite, async ({ scope, session, body }) => ({ id: await writes.start(scope, session, body) })),
    handler(cardCalls.writes, ({ scope, query }) => writes.list(scope, query)),
    handler(cardCalls.write, ({ scope, params }) => writes.read(scope, params.id)),
    handler(cardCalls.writeNext, ({ scope, params, body, signal }) => writes.next(scope, params.id, body.seconds, signal)),
    handler(cardCalls.writeAgain, async ({ scope, params }) => ({ again: await writes.again(scope, params.id) })),
    handler(cardCalls.stopWrite, async ({ scope, params: { id } }) => {
      await writes.stop(scope, id)
      return { id }
    }),
    handler(cardCalls.list, ({ scope, query }) => issuing.list(scope, query)),
    handler(cardCalls.issue, async ({ scope, body }) => ({ id: await issuing.issue(scope, body) })),
    handler(cardCalls.revoke, async ({ scope, query }) => {
      if (query.ids === undefined || query.ids.length === 0) throw new InvalidRequest([{ path: 'ids', rule: 'required' }])
      return { revoked: await issuing.revoke(scope, query.ids) }
    }),
    handler(cardCalls.devices, ({ scope }) => readers.list(scope)),
    handler(cardCalls.collect, ({ scope, body, signal }) =>
      readers.using(scope, body.deviceId, async ({ collect }) => ({
        cardNumber: (await collect('card', body.seconds, signal))?.cardNumber ?? null,
      })),
    ),
    handler(cardCalls.palms, ({ scope, query }) => palms.list(scope, query.personId)),
    handler(cardCalls.enrolPalm, async ({ scope, body, signal }) => ({ palm: await palms.enrol(scope, body, signal) })),
    handler(cardCalls.deletePalm, async ({ scope, params: { id } }) => {
      await palms.delete(scope, id)
      return { id }
    }),
    handler(cardCalls.sendPalm, async ({ scope, device, params: { id }, body: { template = null }, file }) => {
      if (file === null) throw new InvalidRequest([{ path: 'file', rule: 'required' }])
      await palms.take(scope, device, id, { picture: file.bytes, template })
      return { id }
    }),
  ]
}
