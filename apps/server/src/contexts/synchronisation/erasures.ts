/**
 * Who was erased, told to all devices of a park: records a device keeps name people whom its audience has long left, or
 * never had. An erasure is named by an id, and a device says the newest it has carried out; a server restored from its
 * backup does not know ids it gave out since, and such a device gets all erasures again.
 */
import type { z } from 'zod'
import type { erasuresPage } from '@gatehouse/contract/device/protocol'
import type { Platform } from '../../platform/context.ts'
import type { Database, OpenTransaction, Tx } from '../../platform/database/database.ts'
import { isUuid, newId } from '../../platform/database/ids.ts'
import type { DevicePrincipal, Scope } from '../../platform/session/session.ts'
import { erasuresNoted } from './events.ts'
import * as data from './erasures-data.ts'
import type { SynchronisationTables } from './schema.ts'

export interface Forgotten {
  /** Those of the persons asked for whom no record of the device names any more. */
  personIds: string[]
  /** Whether the device speaks of erasures at all. */
  tells: boolean
  /** When it last said what it holds, in epoch milliseconds; null: never. */
  heldAt: number | null
}

export interface ErasureNotices {
  /** Tells the devices of a park of an erasure, once it is committed and however long they are away. */
  note(tx: OpenTransaction, scope: Scope, personId: string): Promise<void>
  /** Reads what there is, at the start and after a note. */
  refresh(scope: Scope): Promise<void>
  /** As it was read last; null: nobody was erased. */
  newest(scope: Scope): string | null
  page(device: DevicePrincipal, after: string | null): Promise<z.output<typeof erasuresPage>>
  forgotten(scope: Scope, deviceId: string, personIds: readonly string[]): Promise<Forgotten>
}

/** Ids of one page, about 40 kB. */
const PAGE = 1_000

export function createErasureNotices(platform: Platform): ErasureNotices {
  const db = platform.db as unknown as Database<SynchronisationTables>
  const newest = new Map<string, string | null>()

  return {
    async note(open, scope, personId) {
      const tx = open as Tx<SynchronisationTables>
      await data.insertErasure(scope, tx, { id: newId(), personId }, platform.clock.now())
      await platform.events.announce(tx, erasuresNoted, scope.parkId, {})
    },
    async refresh(scope) {
      newest.set(scope.parkId, await data.findNewestErasure(scope, db))
    },
    newest: ({ parkId }) => newest.get(parkId) ?? null,
    async page({ parkId }, after) {
      const scope: Scope = { parkId }
      const found = await data.listErasures(scope, db, after !== null && isUuid(after) ? after : null, PAGE + 1)
      const listed = found.slice(0, PAGE)
      return {
        newest: listed.at(-1)?.id ?? (await data.findNewestErasure(scope, db)),
        more: found.length > PAGE,
        persons: listed.map(({ personId }) => personId),
      }
    },
    async forgotten(scope, deviceId, personIds) {
      const told = await data.findTold(scope, db, deviceId)
      if (told === undefined) return { personIds: [], tells: false, heldAt: null }
      const { tells, erasureId, heldAt } = told
      return { personIds: erasureId === null ? [] : await data.findErasedUpTo(scope, db, erasureId, personIds), tells, heldAt }
    },
  }
}
