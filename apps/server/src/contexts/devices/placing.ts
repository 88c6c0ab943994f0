/**
 * Who may put a device, or a group of them, where more access rules reach it. More people would go to it than somebody who decides who
 * passes has released it for, and whoever looks after devices may be the one who knows its secret.
 */
import { Refusal } from '../../platform/refusal.ts'
import type { Scope, Session } from '../../platform/session.ts'
import type { DevicesService } from './service.ts'

/** What access rules reach; the context that knows it needs this one first. */
export interface Reach {
  /** Rules that hold at a device; null where the park has no such device. */
  atDevice(scope: Scope, deviceId: string): Promise<readonly string[] | null>
  /** Rules that hold at whatever stands in a group, or below it. */
  inGroup(scope: Scope, groupId: string): Promise<readonly string[]>
}

export interface Placing {
  /** @param field names where they come to stand @throws Refusal 100510 (403) */
  demandDevices(session: Session, ids: readonly string[], groupId: string | null | undefined, field: string): Promise<void>
  /** The same for all that stands in a group or below it. */
  demandGroup(session: Session, id: string, parentId: string | null | undefined, field: string): Promise<void>
}

export function createPlacing(service: Pick<DevicesService, 'facts' | 'idsInGroups'>, reach: Reach): Placing {
  async function demandDevices(session: Session, ids: readonly string[], groupId: string | null | undefined, field: string): Promise<void> {
    if (groupId === null || groupId === undefined || session.permissions.has('access.rule')) return
    const { scope } = session
    const there = await reach.inGroup(scope, groupId)
    if (there.length === 0) return
    for (const { id } of (await service.facts(scope, ids)).filter(({ released }) => released)) {
      const here = new Set(await reach.atDevice(scope, id))
      if (there.some((ruleId) => !here.has(ruleId))) throw new Refusal(100510, { fields: [{ path: field, rule: 'reachesMore' }] }, 403)
    }
  }
  return {
    demandDevices,
    async demandGroup(session, id, parentId, field) {
      if (parentId === null || parentId === undefined || session.permissions.has('access.rule')) return
      await demandDevices(session, await service.idsInGroups(session.scope, [id]), parentId, field)
    },
  }
}
