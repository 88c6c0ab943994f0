/** Parks, the current park and the organisation tree (modules M03, M04). */
import { z } from 'zod'
import { callsOf } from '../call.ts'
import { id, queryNumber } from '../schema.ts'

const call = callsOf('organisation')

export const parkListItem = z.object({ id, parkName: z.string(), roleName: z.string(), areaCode: z.string() })

/** Measurements of sensors at doors. */
export const measures = z.object({ temperature: z.boolean(), mask: z.boolean(), helmet: z.boolean() })
export type Measures = z.output<typeof measures>

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
  /** Days that a list of records covers if no time is requested. */
  recordDays: z.number().int(),
  /** Configured parts of the parking system: the page that opens an account, and the login. */
  parking: z.object({ account: z.boolean(), login: z.boolean() }),
  /** What the park's devices have measured so far, or are set to measure: columns, figures and fields of other measurements are hidden. */
  measures,
})
export type ParkInfo = z.output<typeof parkInfo>

/** A node of the organisation tree with its children. */
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
export const organisationNode: z.ZodType<OrganisationNode> = z
  .lazy(() =>
    z.object({
      id,
      name: z.string(),
      type: z.number().int(),
      areaCode: z.string(),
      parkType: z.number().int().nullable(),
      children: z.array(organisationNode),
    }),
  )
  .meta({ id: 'OrganisationNode' })

const demoPhase = z.enum(['none', 'preparing', 'ready', 'removing'])

/** Progress of the demo campus; `none` once removed, or if it was never created. */
export const demoState = z.object({
  state: demoPhase,
  done: z.number().int(),
  total: z.number().int(),
})

const countsOfDemo = z.object({
  persons: z.number().int(),
  devices: z.number().int(),
  strategies: z.number().int(),
  records: z.number().int(),
})
/** Numbers of records that a removal of the demo would delete now, and of those that would stay. */
export const demoRemoval = z.object({ goes: countsOfDemo, stays: countsOfDemo })
export type DemoRemoval = z.output<typeof demoRemoval>

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
  foreseeDemoRemoval: call({
    method: 'GET',
    service: 'biz',
    path: '/system/demo/removal',
    permission: 'system.base',
    summary: 'How much a removal of the demo would take, and how much would stay; nothing goes where there is no demo.',
    data: demoRemoval,
    origin: 'own',
  }),
  removeDemo: call({
    method: 'POST',
    service: 'biz',
    path: '/system/demo/remove',
    permission: 'system.base',
    freshPassword: true,
    summary:
      'Stops the making of the demo and removes all that it made; what users added stays, with the groups and time rules it ' +
      'needs. Answers once it is gone; asked again, it answers the same.',
    data: z.object({ state: demoPhase, removed: z.record(z.string(), z.number().int()) }),
    origin: 'own',
  }),
}
