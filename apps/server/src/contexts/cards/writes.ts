/** Writings: cards that are put on a writer in turn. Whoever writes asks for each; between two nothing is under way, so nothing is lost with a page or a server. */
import type { DataOf, OutputOf } from '@gatehouse/contract'
import type { KeyType } from '@gatehouse/contract/cards/keys'
import type { CardWrite, CardWriteItem, CardWriteSummary, WriteFailure, writingCalls } from '@gatehouse/contract/cards/writing'
import type { Platform } from '../../platform/context.ts'
import type { Database, OpenTransaction, Tx } from '../../platform/database/database.ts'
import { newId } from '../../platform/database/ids.ts'
import { NotFound } from '../../platform/http/refusal.ts'
import { placeOf } from '../../platform/encryption/sealed-column.ts'
import type { Scope, Session } from '../../platform/session/session.ts'
import { CardRefused } from './apdu/apdu.ts'
import type { Keys } from './keys.ts'
import type { Reader, Readers } from './readers.ts'
import { TRANSPORT_KEY, type CardsTables } from './schema.ts'
import { readSerialNumber, writeCard, type CardToWrite } from './writer.ts'
import * as data from './writes-data.ts'

type Next = DataOf<typeof writingCalls.writeNext>

export interface Writes {
  /** @throws InvalidRequest; Refusal 400205 */
  start(session: Session, wish: OutputOf<typeof writingCalls.startWrite.body>): Promise<string>
  /** @throws NotFound */
  read(scope: Scope, id: string): Promise<CardWrite>
  list(
    scope: Scope,
    query: { kind?: KeyType | undefined; page: number; size: number },
  ): Promise<{ total: number; content: CardWriteSummary[]; page: number; size: number }>
  /** Waits for the next card and writes it. @throws NotFound; Refusal 400205, 400206 */
  next(scope: Scope, id: string, seconds: number, signal: AbortSignal): Promise<Next>
  /** Answers how many are taken up. @throws NotFound */
  again(scope: Scope, id: string): Promise<number>
  /** @throws NotFound */
  stop(scope: Scope, id: string): Promise<void>
  erasePark(tx: OpenTransaction, scope: Scope): Promise<number>
}

const presentItem = ({ id, position, number, state, reason, writtenAt }: data.ItemRow): CardWriteItem => ({
  id,
  position,
  number,
  state: state as data.ItemState,
  reason: reason as WriteFailure | null,
  writtenAt: writtenAt as number | null,
})

function summaryOf({ transportKey: _secret, ...row }: data.WriteRow, items: readonly data.ItemRow[]): CardWriteSummary {
  const count = (state: data.ItemState) => items.filter((item) => item.state === state).length
  const [written, failed] = [count('success'), count('failed')]
  const state = written + failed < items.length ? 'inProgress' : failed > 0 ? 'failed' : 'success'
  return {
    ...row,
    kind: row.kind as KeyType,
    cardType: row.cardType as CardWriteSummary['cardType'],
    createdAt: row.createdAt as number,
    total: items.length,
    written,
    failed,
    state,
  }
}

export function createWrites(platform: Platform, keys: Keys, readers: Readers): Writes {
  const db = platform.db as unknown as Database<CardsTables>

  async function existing(scope: Scope, id: string): Promise<{ row: data.WriteRow; items: data.ItemRow[] }> {
    const row = await data.findWrite(scope, db, id)
    if (row === undefined) throw new NotFound()
    return { row, items: await data.findItems(scope, db, [id]) }
  }

  /** Writes the card on the writer; null where it went well. */
  async function written(reader: Reader, card: CardToWrite, number: string): Promise<WriteFailure | null> {
    try {
      await writeCard(reader.transmit, card, number)
      return null
    } catch (error) {
      if (error instanceof CardRefused) return error.why
      throw error
    }
  }

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
    const ended = await platform.transaction(async (tx: Tx<CardsTables>) => {
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
    async start({ scope, operator }, { kind, cardType, deviceId, area, transportKey, count }) {
      const device = await readers.find(scope, deviceId)
      await keys.open(scope, kind, 'kind')
      const id = newId()
      const secret =
        transportKey == null || transportKey === ''
          ? null
          : await platform.crypto.seal(scope.parkId, placeOf(TRANSPORT_KEY, id), Buffer.from(transportKey, 'hex'))
      await platform.transaction(async (tx: Tx<CardsTables>) => {
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
    async again(scope, id) {
      const { row } = await existing(scope, id)
      return platform.transaction(async (tx: Tx<CardsTables>) => {
        const again = await data.retryItems(scope, tx, id)
        platform.audit.note({ entity: 'cardWrite', id, label: row.deviceName, before: {}, after: { again } })
        return again
      })
    },
    async stop(scope, id) {
      const { row } = await existing(scope, id)
      await platform.transaction(async (tx: Tx<CardsTables>) => {
        const stopped = await data.stopItems(scope, tx, id)
        platform.audit.note({ entity: 'cardWrite', id, label: row.deviceName, before: {}, after: { stopped } })
      })
    },
    erasePark: (tx, scope) => data.deleteWrites(scope, tx as Tx<CardsTables>),
  }
}
