/** Handlers of the organisation's calls. */
import { organisationCalls } from '@gatehouse/contract/organisation/calls'
import { handler, type Context, type MountedCall, type Platform } from '../../platform/context.ts'
import type { OpenTransaction } from '../../platform/database.ts'
import { InvalidRequest, refuse } from '../../platform/refusal.ts'
import type { OrganisationService } from './service.ts'

export interface OrganisationDependencies {
  /** Parks this user may switch to. */
  parksOf(userId: string): Promise<{ id: string; name: string; areaCode: string }[]>
  roleNameOf(userId: string): Promise<string>
  /** Moves the session to another park. */
  moveSession(tokenId: string, parkId: string): Promise<void>
  /** Contexts whose rows a removed demo takes along. */
  contexts(): readonly Context[]
}

export function organisationHandlers(platform: Platform, service: OrganisationService, needs: OrganisationDependencies): MountedCall[] {
  return [
    handler(organisationCalls.parkList, async ({ session, query }) => {
      const term = query.name?.toLowerCase() ?? ''
      const parks = (await needs.parksOf(session.userId)).filter((park) => park.name.toLowerCase().includes(term))
      const roleName = await needs.roleNameOf(session.userId)
      const content = parks
        .slice(query.page * query.size, (query.page + 1) * query.size)
        .map((park) => ({ id: park.id, parkName: park.name, roleName, areaCode: park.areaCode }))
      return { total: parks.length, content, page: query.page, size: query.size }
    }),
    handler(organisationCalls.choicePark, async ({ session, body }) => {
      const park = (await needs.parksOf(session.userId)).find((one) => one.areaCode === body.areaCode)
      if (park === undefined) refuse(100413)
      await needs.moveSession(session.tokenId, park.id)
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
      }
    }),
    handler(organisationCalls.uiConfig, async () => ({
      showType: 'neutral',
      enableSystemName: true,
      systemName: service.root().name,
      logoContent: '',
      background: '',
    })),
    handler(organisationCalls.demo, async ({ scope }) => {
      const { demoDone, demoTotal } = service.get(scope.parkId)!
      if (demoDone === null || demoTotal === null) return { state: 'none' as const, done: 0, total: 0 }
      return { state: demoDone < demoTotal ? ('preparing' as const) : ('ready' as const), done: demoDone, total: demoTotal }
    }),
    handler(organisationCalls.removeDemo, async ({ scope }) => {
      const { demoDone, demoTotal } = service.get(scope.parkId)!
      if (demoDone === null || demoTotal === null) throw new InvalidRequest([{ path: '', rule: 'noDemo' }])
      const removed: Record<string, number> = {}
      await platform.transaction(async (tx: OpenTransaction) => {
        // Dependants first: the contexts stand in the order in which they build on each other.
        for (const context of needs.contexts().toReversed()) Object.assign(removed, await context.erasePark?.(tx, scope))
      })
      await service.endDemo(scope)
      return { removed }
    }),
  ]
}
