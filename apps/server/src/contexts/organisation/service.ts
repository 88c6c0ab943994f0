/** The organisation tree in memory: which parks there are and who sees which. */
import type { Platform } from '../../platform/context.ts'
import type { Database, Tx } from '../../platform/database.ts'
import { newId } from '../../platform/ids.ts'
import type { Park, Scope } from '../../platform/session.ts'
import { COMPANY, PARK, PARTNER, insertOrganisationUnscoped, readTreeUnscoped, advanceDemoUnscoped, markDemoUnscoped, updateOrganisationUnscoped, type NewOrganisation, type Organisation } from './data.ts'
import { organisationChanged } from './events.ts'
import type { OrganisationTables } from './schema.ts'

export interface OrganisationService {
  start(): Promise<void>
  reload(): Promise<void>
  /** The node above all others. */
  root(): Organisation
  get(id: string): Organisation | undefined
  park(scope: Scope): Park
  parkByArea(areaCode: string): Park | undefined
  parks(): Park[]
  /** Parks at or below a node, oldest first. */
  parksBelow(organisationId: string): Park[]
  add(node: Omit<NewOrganisation, 'id'>): Promise<string>
  /** Renames a node or gives it another zone; records that are there keep the zone they were made in. */
  change(id: string, change: { name: string; zone: string }): Promise<void>
  /** From now on the park is a demo campus, to be made of so many pieces. */
  beginDemo(scope: Scope, total: number): Promise<void>
  advanceDemo(scope: Scope, done: number): Promise<void>
  endDemo(scope: Scope): Promise<void>
}

const parkOf = (node: Organisation): Park => ({ id: node.id, areaCode: node.areaCode, name: node.name, zone: node.zone })

export function createOrganisationService(platform: Platform): OrganisationService {
  const db = platform.db as unknown as Database<OrganisationTables>
  let nodes = new Map<string, Organisation>()
  let byArea = new Map<string, Organisation>()

  async function reload(): Promise<void> {
    const rows = await readTreeUnscoped(db)
    nodes = new Map(rows.map((row) => [row.id, row]))
    byArea = new Map(rows.map((row) => [row.areaCode, row]))
  }

  /** A new installation starts as one company with one park in the machine's own zone. */
  async function plant(): Promise<void> {
    const zone = Intl.DateTimeFormat().resolvedOptions().timeZone
    const now = platform.clock.now()
    const partner = { id: newId(), areaCode: '100000', name: 'Gatehouse', type: PARTNER, parkType: null, parentId: null, zone }
    const company = { ...partner, id: newId(), areaCode: '100001', name: 'Company', type: COMPANY, parentId: partner.id }
    const park = { ...partner, id: newId(), areaCode: '100002', name: 'Park', type: PARK, parkType: 1, parentId: company.id }
    await platform.transaction(async (tx: Tx<OrganisationTables>) => {
      for (const node of [partner, company, park]) await insertOrganisationUnscoped(tx, node, now)
      await platform.history.note(tx, { parkId: park.id }, 'park', park.id, { zone })
    })
  }

  async function changeDemo(scope: Scope, change: (tx: Tx<OrganisationTables>) => Promise<void>): Promise<void> {
    await platform.transaction(async (tx: Tx<OrganisationTables>) => {
      await change(tx)
      await platform.events.announce(tx, organisationChanged, scope.parkId, { id: scope.parkId })
    })
    await reload()
  }

  return {
    reload,
    async start() {
      await reload()
      if (nodes.size > 0) return
      await plant()
      await reload()
    },
    root: () => [...nodes.values()].find((node) => node.parentId === null)!,
    get: (id) => nodes.get(id),
    park(scope) {
      const node = nodes.get(scope.parkId)
      if (node === undefined) throw new Error(`park ${scope.parkId} is not in the tree`)
      return parkOf(node)
    },
    parkByArea(areaCode) {
      const node = byArea.get(areaCode)
      return node?.type === PARK ? parkOf(node) : undefined
    },
    parks: () => [...nodes.values()].filter((node) => node.type === PARK).map(parkOf),
    parksBelow(organisationId) {
      const below = (node: Organisation): boolean =>
        node.id === organisationId || (node.parentId !== null && nodes.has(node.parentId) && below(nodes.get(node.parentId)!))
      return [...nodes.values()].filter((node) => node.type === PARK && below(node)).map(parkOf)
    },
    async add(node) {
      const id = newId()
      await platform.transaction(async (tx: Tx<OrganisationTables>) => {
        await insertOrganisationUnscoped(tx, { ...node, id }, platform.clock.now())
        if (node.type === PARK) await platform.history.note(tx, { parkId: id }, 'park', id, { zone: node.zone })
        await platform.events.announce(tx, organisationChanged, id, { id })
      })
      await reload()
      return id
    },
    async change(id, change) {
      await platform.transaction(async (tx: Tx<OrganisationTables>) => {
        await updateOrganisationUnscoped(tx, id, change, platform.clock.now())
        if (nodes.get(id)?.type === PARK) await platform.history.note(tx, { parkId: id }, 'park', id, { zone: change.zone })
        await platform.events.announce(tx, organisationChanged, id, { id })
      })
      await reload()
    },
    beginDemo: (scope, total) => changeDemo(scope, (tx) => markDemoUnscoped(tx, scope.parkId, total)),
    advanceDemo: (scope, done) => changeDemo(scope, (tx) => advanceDemoUnscoped(tx, scope.parkId, done)),
    endDemo: (scope) => changeDemo(scope, (tx) => markDemoUnscoped(tx, scope.parkId, null)),
  }
}
