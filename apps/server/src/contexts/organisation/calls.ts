/** Handlers of the organisation's calls. */
import type { Language } from '@gatehouse/contract'
import { organisationCalls, type Measures, type OrganisationNode } from '@gatehouse/contract/organisation/calls'
import { handler, type MountedCall } from '../../platform/context.ts'
import { refuse } from '../../platform/http/refusal.ts'
import type { Park, Scope, Session } from '../../platform/session/session.ts'
import type { Organisation } from './data.ts'
import type { OrganisationService } from './service.ts'
import type { Tree } from './tree.ts'

export interface OrganisationDependencies {
  /** Return the parks that this session may switch to. */
  parksOf(session: Session): Park[]
  roleNameOf(userId: string, language: Language): Promise<string>
  /** Return what the sensors of the park can report. */
  measures(scope: Scope): Promise<Measures>
  /** Move the session to another park. */
  moveSession(session: Session, parkId: string): Promise<void>
}

const nodeOf = (tree: Tree, { id, name, type, areaCode, parkType }: Organisation): OrganisationNode => ({
  id,
  name,
  type,
  areaCode,
  parkType,
  children: tree.children(id).map((child) => nodeOf(tree, child)),
})

export function organisationHandlers(service: OrganisationService, needs: OrganisationDependencies): MountedCall[] {
  return [
    handler(organisationCalls.tree, async ({ session }) => nodeOf(service.tree(), service.get(session.organisationId)!)),
    handler(organisationCalls.parkList, async ({ session, query, language }) => {
      const term = query.name?.toLowerCase() ?? ''
      const parks = needs.parksOf(session).filter((park) => park.name.toLowerCase().includes(term))
      const roleName = await needs.roleNameOf(session.userId, language)
      const content = parks
        .slice(query.page * query.size, (query.page + 1) * query.size)
        .map((park) => ({ id: park.id, parkName: park.name, roleName, areaCode: park.areaCode }))
      return { total: parks.length, content, page: query.page, size: query.size }
    }),
    handler(organisationCalls.choicePark, async ({ session, body }) => {
      const park = needs.parksOf(session).find((one) => one.areaCode === body.areaCode)
      if (park === undefined) refuse(100413)
      await needs.moveSession(session, park.id)
      return { areaCode: park.areaCode, areaName: park.name }
    }),
    handler(organisationCalls.parkInfo, async ({ session, scope }) => {
      const node = service.get(scope.parkId)!
      return {
        id: node.id,
        areaCode: node.areaCode,
        parkName: node.name,
        zone: node.zone,
        resources: [...session.permissions].map((permissionCode) => ({ permissionCode })),
        parkType: node.parkType ?? 1,
        showCustomerManagerFlag: Number(node.showCustomerManager),
        staffFaceRegisterFlag: Number(node.staffFaceRegister),
        customerFaceRegisterFlag: Number(node.customerFaceRegister),
        recordDays: service.accessSettings(scope).recordDays,
        parking: service.parking(scope),
        measures: await needs.measures(scope),
      }
    }),
  ]
}
