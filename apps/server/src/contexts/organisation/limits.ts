/** How many devices an institution may have, its sub-organisations included. */
import type { z } from 'zod'
import { pageOf } from '@gatehouse/contract'
import type { DeviceLimit, deviceLimitAdd, deviceLimitCalls } from '@gatehouse/contract/organisation/limits'
import type { Platform } from '../../platform/context.ts'
import { violatedConstraint, type Transaction } from '../../platform/database/database.ts'
import { newId } from '../../platform/database/ids.ts'
import { Conflict, InvalidRequest, NotFound, refuse } from '../../platform/http/refusal.ts'
import type { Scope } from '../../platform/session/session.ts'
import { holdParkUnscoped } from './data.ts'
import * as data from './limits-data.ts'
import type { OrganisationService } from './service.ts'

type ListQuery = z.output<(typeof deviceLimitCalls)['list']['body']>

/** Returns the number of devices of these parks by type, in the transaction where there is one. */
export type CountDevices = (tx: Transaction | null, parkIds: readonly string[]) => Promise<{ type: number; count: number }[]>

export interface DeviceLimitService {
  list(query: ListQuery): Promise<{ total: number; content: DeviceLimit[]; page: number; size: number }>
  add(fields: z.output<typeof deviceLimitAdd>): Promise<string>
  change(id: string, change: { limit?: number | undefined }, version: number | undefined): Promise<void>
  remove(id: string): Promise<void>
  /**
   * Check that one more device of a type is permitted, a new one or one that changes to it, before the same transaction writes it.
   * @throws InvalidRequest where a limit of the park or of a node above it is used up
   */
  admit(tx: Transaction, scope: Scope, type: number, of?: 'new' | 'changed'): Promise<void>
}

const usedOf = (counts: readonly { type: number; count: number }[], deviceType: number | null): number =>
  counts.filter(({ type }) => deviceType === null || type === deviceType).reduce((sum, { count }) => sum + count, 0)

export function createDeviceLimits(platform: Platform, organisation: OrganisationService, countDevices: CountDevices): DeviceLimitService {
  const db = platform.db
  const parkIds = (organisationId: string): string[] => organisation.parksBelow(organisationId).map(({ id }) => id)
  const nameOf = (organisationId: string): string => organisation.get(organisationId)?.name ?? ''

  async function shown(rows: readonly data.LimitRow[]): Promise<DeviceLimit[]> {
    const counts = new Map<string, Awaited<ReturnType<CountDevices>>>()
    for (const id of new Set(rows.map(({ organisationId }) => organisationId))) counts.set(id, await countDevices(null, parkIds(id)))
    return rows.map((row) => ({
      ...row,
      organisationName: nameOf(row.organisationId),
      organisationType: organisation.get(row.organisationId)?.type ?? 0,
      used: usedOf(counts.get(row.organisationId)!, row.deviceType),
    }))
  }

  return {
    async list(query) {
      const { page, size } = pageOf(query)
      const term = query.name?.toLowerCase() ?? ''
      const rows = await data.readLimitsUnscoped(db)
      const fitting = rows.filter(
        ({ id, organisationId, deviceType }) =>
          (query.id === undefined || id === query.id) &&
          (query.organisationId === undefined || organisationId === query.organisationId) &&
          (query.deviceType === undefined || deviceType === query.deviceType) &&
          nameOf(organisationId).toLowerCase().includes(term),
      )
      const from = (page - 1) * size
      if (query.full !== true) return { total: fitting.length, content: await shown(fitting.slice(from, from + size)), page, size }
      const full = (await shown(fitting)).filter(({ used, limit }) => used >= limit)
      return { total: full.length, content: full.slice(from, from + size), page, size }
    },
    async add({ organisationId, deviceType, limit }) {
      if (organisation.get(organisationId) === undefined) throw new InvalidRequest([{ path: 'organisationId', rule: 'unknown' }])
      const id = newId()
      await platform
        .transaction(async (tx) => {
          await data.insertLimitUnscoped(tx, { id, organisationId, deviceType, limit }, platform.clock.now())
          platform.audit.note({ entity: 'deviceLimit', id, label: nameOf(organisationId), after: { deviceType, limit } })
        })
        .catch((error: unknown) => {
          if (violatedConstraint(error) === 'device_limit_type') refuse(900004, 'deviceType')
          throw error
        })
      return id
    },
    async change(id, change, version) {
      await platform.transaction(async (tx) => {
        const row = await data.lockLimitUnscoped(tx, id)
        if (row === undefined) throw new NotFound()
        if (version !== undefined && version !== row.version) throw new Conflict(['limit'])
        const { limit = row.limit } = change
        await data.updateLimitUnscoped(tx, id, limit, platform.clock.now())
        platform.audit.note({
          entity: 'deviceLimit',
          id,
          label: nameOf(row.organisationId),
          before: { limit: row.limit },
          after: { limit },
        })
      })
    },
    async remove(id) {
      await platform.transaction(async (tx) => {
        const row = await data.lockLimitUnscoped(tx, id)
        if (row === undefined) throw new NotFound()
        await data.deleteLimitUnscoped(tx, id)
        platform.audit.note({
          entity: 'deviceLimit',
          id,
          label: nameOf(row.organisationId),
          before: { deviceType: row.deviceType, limit: row.limit },
        })
      })
    },
    async admit(tx, { parkId }, type, of = 'new') {
      if (!(await holdParkUnscoped(tx, parkId, 'add'))) throw new NotFound()
      const path = organisation.tree().path(parkId)
      // Locked, so that of two simultaneous devices the second is counted with the first.
      const limits = await data.lockLimitsUnscoped(
        tx,
        path.map(({ id }) => id),
        type,
      )
      for (const { organisationId, deviceType, limit } of limits) {
        // A device that changes its type does not add to the total number.
        if (deviceType === null && of === 'changed') continue
        const count = usedOf(await countDevices(tx, parkIds(organisationId)), deviceType)
        if (count >= limit)
          throw new InvalidRequest([
            {
              path: 'type',
              rule: deviceType === null ? 'deviceLimit' : 'deviceTypeLimit',
              params: { organisation: nameOf(organisationId), limit, count },
            },
          ])
      }
    },
  }
}
