/**
 * Who may put a device, or a group of devices, where more access rules reach it. More persons would be sent to it than it was released for
 * by a user who decides who passes, and a user who manages devices may know its secret.
 */
import { forbid } from '../../platform/http/refusal.ts'
import type { Scope, Session } from '../../platform/session/session.ts'
import { canRelease } from './policy.ts'
import type { Reach } from './extension-points.ts'
import type { DevicesService } from './service-types.ts'

/** The methods of the service that place devices. */
type Placed = Pick<DevicesService, 'facts' | 'idsInGroups' | 'change' | 'move'> & { groups: Pick<DevicesService['groups'], 'change'> }
type After<Work> = Work extends (scope: Scope, ...rest: infer Rest) => infer Result ? (session: Session, ...rest: Rest) => Result : never

export interface Placing {
  /** Change a device, which may put it into another group. @throws as the service; Refusal 100510 (403) */
  change: After<DevicesService['change']>
  /** Put devices into a group, or into none. @throws as the service; Refusal 100510 (403) */
  move: After<DevicesService['move']>
  /** Change a group of devices, which may put it below another. @throws as the service; Refusal 100510 (403) */
  changeGroup: After<DevicesService['groups']['change']>
  /** Refuse to put devices where more rules reach them. @param field names the new place in the request @throws Refusal 100510 (403) */
  demandDevices(session: Session, ids: readonly string[], groupId: string | null | undefined, field: string): Promise<void>
  /** The same for all devices in a group or below it. */
  demandGroup(session: Session, id: string, parentId: string | null | undefined, field: string): Promise<void>
}

export function createPlacing(service: Placed, reach: Reach): Placing {
  /** @param devices returns the ids of the devices to be placed */
  async function demand(
    session: Session,
    groupId: string | null | undefined,
    field: string,
    devices: (scope: Scope) => Promise<readonly string[]>,
  ): Promise<void> {
    if (groupId === null || groupId === undefined || canRelease(session)) return
    const { scope } = session
    const there = await reach.inGroup(scope, groupId)
    if (there.length === 0) return
    const released = (await service.facts(scope, await devices(scope))).filter((device) => device.released)
    for (const [from, together] of Map.groupBy(released, (device) => device.groupId)) {
      const here = new Set(from === null ? [] : await reach.inGroup(scope, from))
      const more = there.filter((ruleId) => !here.has(ruleId))
      if (more.length === 0) continue
      // Rules that name a device itself reach it wherever it is.
      for (const { id } of together) {
        const own = new Set(await reach.atDevice(scope, id))
        if (more.some((ruleId) => !own.has(ruleId))) forbid(field, 'reachesMore')
      }
    }
  }
  const demandDevices: Placing['demandDevices'] = (session, ids, groupId, field) => demand(session, groupId, field, async () => ids)
  const demandGroup: Placing['demandGroup'] = (session, id, parentId, field) =>
    demand(session, parentId, field, (scope) => service.idsInGroups(scope, [id]))

  return {
    demandDevices,
    demandGroup,
    async change(session, id, version, fields) {
      await demandDevices(session, [id], fields.groupId, 'groupId')
      return service.change(session.scope, id, version, fields)
    },
    async move(session, ids, groupId) {
      await demandDevices(session, ids, groupId, 'groupId')
      return service.move(session.scope, ids, groupId)
    },
    async changeGroup(session, id, fields) {
      await demandGroup(session, id, fields.parentId, 'parentId')
      return service.groups.change(session.scope, id, fields)
    },
  }
}
