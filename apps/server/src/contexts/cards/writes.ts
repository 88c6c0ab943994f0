/**
 * Writings: cards that are put on a writer one after another. The user's page requests each card, and between two cards nothing is running,
 * so nothing is lost when the page closes or the server stops.
 */
import type { KeyType } from '@gatehouse/contract/cards/keys'
import type { CardWriteSummary } from '@gatehouse/contract/cards/writing'
import type { Platform } from '../../platform/context.ts'
import { newId } from '../../platform/database/ids.ts'
import { NotFound } from '../../platform/http/refusal.ts'
import { placeOf } from '../../platform/encryption/sealed-column.ts'
import type { Scope } from '../../platform/session/session.ts'
import type { Keys } from './keys.ts'
import { createNextWrite, presentItem } from './next-write.ts'
import type { Readers } from './readers.ts'
import { TRANSPORT_KEY } from './schema.ts'
import * as data from './writes-data.ts'
import type { Writes } from './writes-types.ts'

function summaryOf({ transportKey: _secret, ...row }: data.WriteRow, items: readonly data.ItemRow[]): CardWriteSummary {
  const count = (state: data.ItemState) => items.filter((item) => item.state === state).length
  const [written, failed] = [count('success'), count('failed')]
  const state = written + failed < items.length ? 'inProgress' : failed > 0 ? 'failed' : 'success'
  return {
    ...row,
    kind: row.kind as KeyType,
    cardType: row.cardType as CardWriteSummary['cardType'],
    total: items.length,
    written,
    failed,
    state,
  }
}

export function createWrites(platform: Platform, keys: Keys, readers: Readers): Writes {
  const db = platform.db

  async function existing(scope: Scope, id: string): Promise<{ row: data.WriteRow; items: data.ItemRow[] }> {
    const row = await data.findWrite(scope, db, id)
    if (row === undefined) throw new NotFound()
    return { row, items: await data.findItems(scope, db, [id]) }
  }

  async function list(scope: Scope, query: { kind?: KeyType | undefined; page: number; size: number }) {
    const { content, total } = await data.listWrites(scope, db, query)
    const items = Map.groupBy(
      await data.findItems(
        scope,
        db,
        content.map(({ id }) => id),
      ),
      ({ writeId }) => writeId,
    )
    return { total, content: content.map((row) => summaryOf(row, items.get(row.id) ?? [])), page: query.page, size: query.size }
  }

  return {
    list,
    ...createNextWrite(platform, keys, readers, existing),
    async start(scope, { operator }, { kind, cardType, deviceId, area, transportKey, count }) {
      const device = await readers.find(scope, deviceId)
      await keys.open(scope, kind, 'kind')
      const id = newId()
      const secret =
        transportKey == null || transportKey === ''
          ? null
          : await platform.crypto.seal(scope.parkId, placeOf(TRANSPORT_KEY, id), Buffer.from(transportKey, 'hex'))
      await platform.transaction(async (tx) => {
        const write = {
          id,
          kind,
          cardType,
          area: kind === 'leader' ? '' : (area ?? ''),
          deviceId,
          deviceName: device.name,
          transportKey: secret,
          createdBy: operator,
        }
        await data.insertWrite(scope, tx, write, Array.from({ length: count }, newId), platform.clock.now())
        platform.audit.note({ entity: 'cardWrite', id, label: device.name, after: { kind, cardType, area: write.area, count } })
      })
      return id
    },
    async read(scope, id) {
      const { row, items } = await existing(scope, id)
      return { ...summaryOf(row, items), items: items.map(presentItem) }
    },
    async again(scope, id) {
      const { row } = await existing(scope, id)
      return platform.transaction(async (tx) => {
        const again = await data.retryItems(scope, tx, id)
        platform.audit.note({ entity: 'cardWrite', id, label: row.deviceName, before: {}, after: { again } })
        return again
      })
    },
    async stop(scope, id) {
      const { row } = await existing(scope, id)
      await platform.transaction(async (tx) => {
        const stopped = await data.stopItems(scope, tx, id)
        platform.audit.note({ entity: 'cardWrite', id, label: row.deviceName, before: {}, after: { stopped } })
      })
    },
    erasePark: (tx, scope) => data.deleteWrites(scope, tx),
  }
}
