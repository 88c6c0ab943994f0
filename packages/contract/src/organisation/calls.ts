/** Parks, the current one and the system's face to the world (modules M03, M04). */
import { z } from 'zod'
import { call } from '../call.ts'
import { id, queryNumber } from '../schema.ts'

export const parkListItem = z.object({ id, parkName: z.string(), roleName: z.string(), areaCode: z.string() })

export const parkInfo = z.object({
  id,
  areaCode: z.string(),
  parkName: z.string(),
  /** IANA zone of the park. */
  zone: z.string(),
  resources: z.array(z.object({ permissionCode: z.string() })),
  parkType: z.number().int(),
  showCustomerManagerFlag: z.number().int(),
  staffFaceRegisterFlag: z.number().int(),
  customerFaceRegisterFlag: z.number().int(),
  /** Days a list of records looks back when no time is asked for. */
  recordDays: z.number().int(),
})
export type ParkInfo = z.output<typeof parkInfo>

/** A node of the organisation tree with what lies below it. */
export interface OrganisationNode {
  id: string
  name: string
  /** 100 partner, 200 company, 300 park. */
  type: number
  areaCode: string
  /** Parks only: 1 factory area, 2 hospital, 3 campus. */
  parkType: number | null
  children: OrganisationNode[]
}
export const organisationNode: z.ZodType<OrganisationNode> = z.lazy(() =>
  z.object({
    id,
    name: z.string(),
    type: z.number().int(),
    areaCode: z.string(),
    parkType: z.number().int().nullable(),
    children: z.array(organisationNode),
  }),
)

const demoPhase = z.enum(['none', 'preparing', 'ready', 'removing'])

/** How far the demo campus is; `none` once removed or never made. */
export const demoState = z.object({
  state: demoPhase,
  done: z.number().int(),
  total: z.number().int(),
})

export const organisationCalls = {
  tree: call({
    method: 'GET',
    service: 'biz',
    path: '/areaCodes/tree',
    permission: 'self',
    summary: 'The caller’s organisation and all below it.',
    data: organisationNode,
    origin: 'own',
  }),
  parkList: call({
    method: 'GET',
    service: 'biz',
    path: '/areaCodes/getParkList',
    permission: 'self',
    summary: 'Parks the user may switch to; page counts from 0.',
    query: z.object({
      page: queryNumber.int().min(0).default(0),
      size: queryNumber.int().min(1).max(100).default(20),
      name: z.string().max(100).optional(),
    }),
    data: z.object({ total: z.number().int(), content: z.array(parkListItem), page: z.number().int(), size: z.number().int() }),
  }),
  choicePark: call({
    method: 'POST',
    service: 'biz',
    path: '/areaCodes/choicePark',
    permission: 'self',
    summary: 'Switches the session to another park.',
    body: z.object({ areaCode: z.string().min(1).max(64) }),
    data: z.object({ areaCode: z.string(), areaName: z.string() }),
    errors: [100413],
    quiet: true,
  }),
  parkInfo: call({
    method: 'GET',
    service: 'biz',
    path: '/areaCodes/parkInfo',
    permission: 'self',
    beforeSecondFactor: true,
    dataScreen: true,
    summary: 'The current park: permission codes and flags.',
    data: parkInfo,
    quiet: true,
  }),
  demo: call({
    method: 'GET',
    service: 'biz',
    path: '/system/demo',
    permission: 'self',
    summary: 'Whether this park is the demo campus and how far it is filled.',
    data: demoState,
    origin: 'own',
    quiet: true,
  }),
  removeDemo: call({
    method: 'POST',
    service: 'biz',
    path: '/system/demo/remove',
    permission: 'system.base',
    freshPassword: true,
    summary:
      'Stops the making of the demo and removes all that it made; what users added stays, with the groups and time rules it needs. Answers once it is gone; asked again, it answers the same.',
    data: z.object({ state: demoPhase, removed: z.record(z.string(), z.number().int()) }),
    origin: 'own',
  }),
}
