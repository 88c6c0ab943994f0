/** Deletes organisations, a park with the rows of all contexts. */
import type { Platform } from '../../platform/context.ts'
import { InvalidRequest, refuse } from '../../platform/http/refusal.ts'
import { loggedOrganisation, visibleIn } from './area-access.ts'
import type { AreaService, AreaNeeds } from './areas-types.ts'
import { PARK, deleteOrganisationUnscoped, holdParkUnscoped } from './data.ts'
import type { OrganisationService } from './service.ts'

export const totalOf = (counts: readonly { count: number }[]): number => counts.reduce((sum, { count }) => sum + count, 0)

export function createAreaDeleting(platform: Platform, organisation: OrganisationService, needs: AreaNeeds): Pick<AreaService, 'delete'> {
  return {
    async delete(caller, id) {
      const result = await organisation.changeTree(async (tx, tree) => {
        const node = visibleIn(tree, caller, id)
        if (tree.children(id).length > 0) refuse(200226)
        if (id === caller.park.id) refuse(200227)
        await holdParkUnscoped(tx, id, 'remove')
        if (node.type === PARK && totalOf(await needs.countDevices(tx, [id])) > 0) refuse(600003)
        const { users, roles, clients } = await needs.belonging(tx, id)
        if (users + roles + clients > 0)
          throw new InvalidRequest([{ path: 'id', rule: 'organisationBelonging', params: { users, roles, clients } }])
        const deleted: Record<string, number> = {}
        if (node.type === PARK) {
          // Dependants first: the contexts are listed in the order in which they use each other.
          for (const context of needs.contexts().toReversed()) Object.assign(deleted, await context.erasePark?.(tx, { parkId: id }))
          await platform.history.erase(tx, { parkId: id }, ['park'])
        }
        await deleteOrganisationUnscoped(tx, id)
        platform.audit.note({ entity: 'organisation', id, label: node.name, before: loggedOrganisation(tree, node) })
        await needs.refreshSessions(tx)
        return { id, result: deleted }
      })
      needs.forgetSessions()
      return result
    },
  }
}
