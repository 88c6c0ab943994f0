/**
 * Who may put a device, or a group of them, where more access rules reach it. More people would go to it than somebody who decides who
 * passes has released it for, and whoever looks after devices may be the one who knows its secret.
 */
import { forbid } from '../../platform/http/refusal.ts'
import type { Scope, Session } from '../../platform/session/session.ts'
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
  /** @param devices those that come to stand there */
  async function demand(
    { scope, permissions }: Session,
    groupId: string | null | undefined,
    field: string,
    devices: (scope: Scope) => Promise<readonly string[]>,
  ): Promise<void> {
    if (groupId === null || groupId === undefined || permissions.has('access.rule')) return
    const there = await reach.inGroup(scope, groupId)
    if (there.length === 0) return
    const released = (await service.facts(scope, await devices(scope))).filter((device) => device.released)
    for (const [from, together] of Map.groupBy(released, (device) => device.groupId)) {
      const here = new Set(from === null ? [] : await reach.inGroup(scope, from))
      const more = there.filter((ruleId) => !here.has(ruleId))
      if (more.length === 0) continue
      // What is named by itself is under its rules wherever it stands.
      for (const { id } of together) {
        const own = new Set(await reach.atDevice(scope, id))
        if (more.some((ruleId) => !own.has(ruleId))) forbid(field, 'reachesMore')
      }
    }
  }
  return {
    demandDevices: (session, ids, groupId, field) => demand(session, groupId, field, async () => ids),
    demandGroup: (session, id, parentId, field) => demand(session, parentId, field, (scope) => service.idsInGroups(scope, [id])),
  }
}
