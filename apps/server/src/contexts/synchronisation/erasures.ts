/**
 * Notices to all devices of a park that a person was erased: the records of a device may name persons who left its
 * audience long ago or never belonged to it. An erasure has an id, and a device reports the newest one it has carried
 * out. A server restored from a backup does not know the ids it issued since the backup, and sends a device that reports
 * one of them all erasures again.
 */
import type { z } from 'zod'
import type { erasuresPage } from '@gatehouse/contract/device/protocol-persons'
import type { Platform } from '../../platform/context.ts'
import type { Transaction } from '../../platform/database/database.ts'
import { isUuid, newId } from '../../platform/database/ids.ts'
import type { DevicePrincipal, Scope } from '../../platform/session/session.ts'
import { erasuresNoted } from './events.ts'
import * as data from './erasures-data.ts'

export interface Forgotten {
  /** The requested persons whom no record of the device names any more. */
  personIds: string[]
  /** Whether the device reports erasures at all. */
  reportsErasures: boolean
  /** Time of its last report, in epoch milliseconds; null: never. */
  reportedAt: number | null
}

export interface ErasureNotices {
  /** Record an erasure. The devices of the park are notified after commit, however long they are offline. */
  note(tx: Transaction, scope: Scope, personId: string): Promise<void>
  /** Read the newest erasure, at the start and after each `note`. */
  refresh(scope: Scope): Promise<void>
  /** Return the id of the newest erasure as last read; null: nobody was erased. */
  newest(scope: Scope): string | null
  page(device: DevicePrincipal, after: string | null): Promise<z.output<typeof erasuresPage>>
  forgotten(scope: Scope, deviceId: string, personIds: readonly string[]): Promise<Forgotten>
}

/** Ids of one page, about 40 kB. */
const PAGE = 1_000

export function createErasureNotices(platform: Platform): ErasureNotices {
  const db = platform.db
  const newest = new Map<string, string | null>()

  return {
    async note(tx, scope, personId) {
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
      const report = await data.findReportedErasure(scope, db, deviceId)
      if (report === undefined) return { personIds: [], reportsErasures: false, reportedAt: null }
      const { reportsErasures, erasureId, reportedAt } = report
      return {
        personIds: erasureId === null ? [] : await data.findErasedUpTo(scope, db, erasureId, personIds),
        reportsErasures,
        reportedAt,
      }
    },
  }
}
