/** Writes the next card of a writing. */
import type { KeyType } from '@gatehouse/contract/cards/keys'
import type { CardWriteItem, WriteFailure } from '@gatehouse/contract/cards/writing'
import type { Platform } from '../../platform/context.ts'
import { placeOf } from '../../platform/encryption/sealed-column.ts'
import type { Scope } from '../../platform/session/session.ts'
import { CardRefused } from './apdu/apdu.ts'
import type { Keys } from './keys.ts'
import type { Reader, Readers } from './readers.ts'
import { TRANSPORT_KEY } from './schema.ts'
import { readSerialNumber, writeCard, type CardToWrite } from './writer.ts'
import type { Writes, Next } from './writes-types.ts'
import * as data from './writes-data.ts'

export const presentItem = ({ id, position, number, state, reason, writtenAt }: data.ItemRow): CardWriteItem => ({
  id,
  position,
  number,
  state: state as data.ItemState,
  reason: reason as WriteFailure | null,
  writtenAt,
})

/** Write a card on the writer; return why it failed, null if it succeeded. */
async function written(reader: Reader, card: CardToWrite, number: string): Promise<WriteFailure | null> {
  try {
    await writeCard(reader.transmit, card, number)
    return null
  } catch (error) {
    if (error instanceof CardRefused) return error.why
    throw error
  }
}

/** @param existing returns a writing with its cards @throws NotFound */
export function createNextWrite(
  platform: Platform,
  keys: Keys,
  readers: Readers,
  existing: (scope: Scope, id: string) => Promise<{ row: data.WriteRow; items: data.ItemRow[] }>,
): Pick<Writes, 'next'> {
  async function toWrite(scope: Scope, row: data.WriteRow): Promise<CardToWrite> {
    const kind = row.kind as KeyType
    return {
      cardType: row.cardType as CardToWrite['cardType'],
      content: { kind, area: row.area, key: await keys.open(scope, kind, 'kind') },
      transportKey:
        row.transportKey === null ? null : await platform.crypto.open(scope.parkId, placeOf(TRANSPORT_KEY, row.id), row.transportKey),
    }
  }

  async function end(scope: Scope, write: data.WriteRow, item: data.ItemRow, number: string, reason: WriteFailure | null): Promise<Next> {
    const ended = await platform.transaction(async (tx) => {
      const state = reason === null ? 'success' : 'failed'
      const after = await data.endItem(scope, tx, item.id, { number, state, reason }, platform.clock.now())
      platform.audit.note({
        entity: 'cardWrite',
        id: write.id,
        label: write.deviceName,
        before: {},
        after: { kind: write.kind, position: item.position, number, state, reason },
      })
      return after
    })
    return {
      outcome: reason === null ? 'written' : 'failed',
      item: presentItem(ended ?? { ...item, number, state: 'failed', reason: 'stopped' }),
    }
  }

  return {
    async next(scope, id, seconds, signal) {
      const { row } = await existing(scope, id)
      return readers.using(scope, row.deviceId, async (reader) => {
        const { items } = await existing(scope, id)
        const item = items.find(({ state }) => state === 'inProgress')
        if (item === undefined) return { outcome: 'over', item: null }
        const card = await toWrite(scope, row)
        if ((await reader.collect('card', seconds, signal)) === null || signal.aborted) return { outcome: 'none', item: null }
        let number = ''
        try {
          number = await readSerialNumber(reader.transmit)
        } catch (error) {
          if (error instanceof CardRefused) return end(scope, row, item, '', error.why)
          throw error
        }
        if (items.some((other) => other.state === 'success' && other.number === number)) return { outcome: 'twice', item: null }
        return end(scope, row, item, number, await written(reader, card, number))
      })
    },
  }
}
