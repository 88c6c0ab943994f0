/** Organisations as the caller may see and change them: his own and all below it. */
import type { z } from 'zod'
import {
  areaCalls,
  SWITCHABLE_MODULES,
  type OrganisationDetail,
  type OrganisationModule,
  type organisationAdd,
  type organisationChange,
} from '@gatehouse/contract/organisation/areas'
import { mayCall } from '@gatehouse/contract/policy'
import type { Context, Platform } from '../../platform/context.ts'
import type { OpenTransaction, Tx } from '../../platform/database/database.ts'
import { newId } from '../../platform/database/ids.ts'
import { INSTALLATION_ID } from '../../platform/installation.ts'
import { Conflict, InvalidRequest, NotFound, refuse } from '../../platform/http/refusal.ts'
import type { Session } from '../../platform/session/session.ts'
import { checkModules, checkName, checkPlace, modulesOf, offOf } from './area-rules.ts'
import {
  PARK,
  deleteOrganisationUnscoped,
  holdParkUnscoped,
  insertOrganisationUnscoped,
  nextAreaCodeUnscoped,
  updateOrganisationUnscoped,
  type Organisation,
} from './data.ts'
import { childrenCapSetting } from './park-settings.ts'
import type { OrganisationTables } from './schema.ts'
import type { OrganisationService } from './service.ts'
import type { Settings } from './settings.ts'
import type { Tree } from './tree.ts'

export interface AreaNeeds {
  /** Contexts whose rows a deleted park takes along. */
  contexts(): readonly Context[]
  /** How many devices of each type these parks have. */
  countDevices(tx: OpenTransaction | null, parkIds: readonly string[]): Promise<{ type: number; count: number }[]>
  /** What belongs to a node of the tree itself. */
  belonging(tx: OpenTransaction | null, organisationId: string): Promise<{ users: number; roles: number; clients: number }>
  /** What sessions may do is read anew, here and on other nodes. */
  refreshSessions(tx: OpenTransaction): Promise<void>
  /** The same at once on this node, after the commit. */
  forgetSessions(): void
}

type Caller = Session
type AddFields = z.output<typeof organisationAdd>
type ChangeFields = z.output<typeof organisationChange>

export interface AreaService {
  read(caller: Caller, id: string): Promise<OrganisationDetail>
  /** Modules of a node, or of a new one below `parentId`. */
  modules(caller: Caller, of: { id?: string | undefined; parentId?: string | undefined }): OrganisationModule[]
  add(caller: Caller, fields: AddFields): Promise<string>
  change(caller: Caller, fields: ChangeFields): Promise<void>
  /** @returns how many of what went with it */
  delete(caller: Caller, id: string): Promise<Record<string, number>>
  /** The node, where the caller may see it. @throws NotFound */
  visible(caller: Caller, id: string): Organisation
}

const totalOf = (counts: readonly { count: number }[]): number => counts.reduce((sum, { count }) => sum + count, 0)

const logged = (
  tree: Tree,
  {
    name,
    code,
    type,
    parkType,
    parentId,
    zone,
    modulesOff,
  }: Pick<Organisation, 'name' | 'code' | 'type' | 'parkType' | 'parentId' | 'zone' | 'modulesOff'>,
) => ({
  name,
  code,
  type,
  parkType,
  parent: parentId === null ? null : (tree.get(parentId)?.name ?? null),
  zone,
  modulesOff: modulesOff.toSorted(),
})

export function createAreaService(
  platform: Platform,
  organisation: OrganisationService,
  settings: Settings,
  needs: AreaNeeds,
): AreaService {
  const within = (tree: Tree, caller: Caller, id: string): Organisation => {
    const node = tree.get(id)
    if (node === undefined || !tree.path(id).some((above) => above.id === caller.organisationId)) throw new NotFound()
    return node
  }
  /** Where another organisation is to stand: named in the body, so a wrong one is a wrong field. */
  const parentIn = (tree: Tree, caller: Caller, id: string): Organisation => {
    const node = tree.get(id)
    if (node === undefined || !tree.path(id).some((above) => above.id === caller.organisationId))
      throw new InvalidRequest([{ path: 'parentId', rule: 'unknown' }])
    return node
  }
  /** One's own organisation is for those above; the topmost has none above. */
  const isOwn = (caller: Caller, node: Organisation): boolean => node.id === caller.organisationId
  const maySwitch = (caller: Caller, node: Organisation): boolean => !isOwn(caller, node) || node.parentId === null
  const cap = (): number => settings.read(INSTALLATION_ID, childrenCapSetting).cap

  /** The parent a change asks for, or the one there is. @throws InvalidRequest where the node cannot stand there */
  function parentAfter(tree: Tree, caller: Caller, node: Organisation, wanted: string | null | undefined): Organisation | null {
    if (wanted == null || wanted === node.parentId) return node.parentId === null ? null : tree.get(node.parentId)!
    if (isOwn(caller, node) || node.parentId === null) throw new InvalidRequest([{ path: 'parentId', rule: 'ownOrganisation' }])
    const parent = parentIn(tree, caller, wanted)
    if (tree.path(parent.id).some((above) => above.id === node.id))
      throw new InvalidRequest([{ path: 'parentId', rule: 'organisationPlace' }])
    checkPlace(tree, parent, node.type, cap())
    return parent
  }

  /** Modules that are off once these are on; none named: as they are, or as above where they are taken away. */
  function modulesAfter(node: Organisation, parent: Organisation | null, wanted: ChangeFields['modules']): string[] {
    if (wanted === undefined) return node.modulesOff
    return wanted === null ? (parent ?? node).modulesOff : offOf(wanted)
  }

  return {
    visible: (caller, id) => within(organisation.tree(), caller, id),
    async read(caller, id) {
      const tree = organisation.tree()
      const node = within(tree, caller, id)
      const parks = tree.parksBelow(id).map((park) => park.id)
      const [devices, { users }] = await Promise.all([needs.countDevices(null, parks), needs.belonging(null, id)])
      const { areaCode, code, name, type, parkType, zone, version, createdAt } = node
      // What stands above one's own organisation is not told.
      const parentId = isOwn(caller, node) ? null : node.parentId
      return {
        id,
        areaCode,
        code,
        authorisationCode: mayCall(caller, areaCalls.verificationCode) ? node.verificationCode : null,
        name,
        type,
        parkType,
        parentId,
        parentName: parentId === null ? '' : tree.get(parentId)!.name,
        zone,
        modules: SWITCHABLE_MODULES.filter((module) => !node.modulesOff.includes(module)),
        children: tree.children(id).length,
        parks: parks.length,
        devices: totalOf(devices),
        users,
        movable: !isOwn(caller, node) && node.parentId !== null,
        version,
        createdAt,
      }
    },
    modules(caller, { id, parentId }) {
      const tree = organisation.tree()
      const node = within(tree, caller, id ?? caller.organisationId)
      if (parentId !== undefined) return modulesOf(tree, null, within(tree, caller, parentId), true)
      return modulesOf(tree, node, node.parentId === null ? null : tree.get(node.parentId)!, maySwitch(caller, node))
    },
    add: (caller, fields) =>
      organisation.changeTree(async (tx, tree) => {
        const parent = parentIn(tree, caller, fields.parentId)
        checkPlace(tree, parent, fields.type, cap())
        checkName(tree, parent.id, fields.name)
        const modulesOff = fields.modules == null ? parent.modulesOff : offOf(fields.modules)
        checkModules(tree, null, parent, modulesOff)
        const id = newId()
        const parkType = fields.type === PARK ? fields.parkType! : null
        const areaCode = await nextAreaCodeUnscoped(tx)
        const node = {
          id,
          areaCode,
          code: fields.code ?? areaCode,
          name: fields.name,
          type: fields.type,
          parkType,
          parentId: parent.id,
          zone: fields.zone ?? parent.zone,
          modulesOff,
        }
        await insertOrganisationUnscoped(tx, node, platform.clock.now())
        if (node.type === PARK) await platform.history.note(tx, { parkId: id }, 'park', id, { zone: node.zone })
        platform.audit.note({ entity: 'organisation', id, label: node.name, after: logged(tree, { ...node, modulesOff: [...modulesOff] }) })
        return { id, result: id }
      }),
    async change(caller, { id, version, ...fields }) {
      await organisation.changeTree(async (tx, tree) => {
        const node = within(tree, caller, id)
        const { name = node.name } = fields
        if (node.type === PARK && fields.parkType === null) throw new InvalidRequest([{ path: 'parkType', rule: 'required' }])
        if (version !== undefined && version !== node.version) throw new Conflict(['name', 'code', 'parkType', 'zone', 'modules'])
        const parent = parentAfter(tree, caller, node, fields.parentId)
        if (parent !== null) checkName(tree, parent.id, name, id)
        const modulesOff: string[] = modulesAfter(node, parent, fields.modules)
        const switched = SWITCHABLE_MODULES.some((module) => modulesOff.includes(module) !== node.modulesOff.includes(module))
        if (switched && !maySwitch(caller, node)) throw new InvalidRequest([{ path: 'modules', rule: 'ownModules' }])
        const moved = parent?.id !== (node.parentId ?? undefined)
        if (switched || moved) checkModules(tree, node, parent, modulesOff, moved ? 'parentId' : 'modules')
        const change = {
          name,
          code: fields.code === null ? node.areaCode : (fields.code ?? node.code),
          zone: fields.zone === null ? (parent ?? node).zone : (fields.zone ?? node.zone),
          parkType: node.type === PARK ? (fields.parkType ?? node.parkType) : null,
          parentId: parent?.id ?? null,
          modulesOff,
        }
        await updateOrganisationUnscoped(tx, id, { ...change, parentId: parent?.id }, platform.clock.now())
        if (node.type === PARK) await platform.history.note(tx, { parkId: id }, 'park', id, { zone: change.zone })
        platform.audit.note({
          entity: 'organisation',
          id,
          label: name,
          before: logged(tree, node),
          after: logged(tree, { ...node, ...change }),
        })
        await needs.refreshSessions(tx as OpenTransaction)
        return { id, result: undefined }
      })
      needs.forgetSessions()
    },
    async delete(caller, id) {
      const removed = await organisation.changeTree(async (tx: Tx<OrganisationTables>, tree) => {
        const node = within(tree, caller, id)
        if (tree.children(id).length > 0) refuse(200226)
        if (id === caller.park.id) refuse(200227)
        await holdParkUnscoped(tx, id, 'remove')
        const open = tx as OpenTransaction
        if (node.type === PARK && totalOf(await needs.countDevices(open, [id])) > 0) refuse(600003)
        const { users, roles, clients } = await needs.belonging(open, id)
        if (users + roles + clients > 0)
          throw new InvalidRequest([{ path: 'id', rule: 'organisationBelonging', params: { users, roles, clients } }])
        const gone: Record<string, number> = {}
        if (node.type === PARK) {
          // Dependants first: the contexts stand in the order in which they build on each other.
          for (const context of needs.contexts().toReversed()) Object.assign(gone, await context.erasePark?.(open, { parkId: id }))
          await platform.history.erase(open, { parkId: id }, ['park'])
        }
        await deleteOrganisationUnscoped(tx, id)
        platform.audit.note({ entity: 'organisation', id, label: node.name, before: logged(tree, node) })
        await needs.refreshSessions(open)
        return { id, result: gone }
      })
      needs.forgetSessions()
      return removed
    },
  }
}
