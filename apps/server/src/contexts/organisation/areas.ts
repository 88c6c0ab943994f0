/** Organisations as the caller may see and change them: their own and all below it. */
import { SWITCHABLE_MODULES } from '@gatehouse/contract/organisation/areas'
import type { Platform } from '../../platform/context.ts'
import { newId } from '../../platform/database/ids.ts'
import { INSTALLATION_ID } from '../../platform/installation.ts'
import { Conflict, InvalidRequest } from '../../platform/http/refusal.ts'
import { isOwn, loggedOrganisation, maySwitch, modulesAfter, parentAfter, parentIn, visibleIn } from './area-access.ts'
import { createAreaDeleting, totalOf } from './area-deleting.ts'
import { checkModules, checkName, checkPlace, modulesOf, offOf } from './area-rules.ts'
import { PARK, insertOrganisationUnscoped, nextAreaCodeUnscoped, updateOrganisationUnscoped } from './data.ts'
import { childrenCapSetting } from './park-settings.ts'
import { canSeeVerificationCode } from './policy.ts'
import type { OrganisationService } from './service.ts'
import type { Settings } from './settings.ts'
import type { AreaNeeds, AreaService } from './areas-types.ts'

export function createAreaService(
  platform: Platform,
  organisation: OrganisationService,
  settings: Settings,
  needs: AreaNeeds,
): AreaService {
  const cap = (): number => settings.read(INSTALLATION_ID, childrenCapSetting).cap

  return {
    ...createAreaDeleting(platform, organisation, needs),
    visible: (caller, id) => visibleIn(organisation.tree(), caller, id),
    async read(caller, id) {
      const tree = organisation.tree()
      const node = visibleIn(tree, caller, id)
      const parks = tree.parksBelow(id).map((park) => park.id)
      const [devices, { users }] = await Promise.all([needs.countDevices(null, parks), needs.belonging(null, id)])
      const { areaCode, code, name, type, parkType, zone, version, createdAt } = node
      // The organisation above the caller's own is not shown.
      const parentId = isOwn(caller, node) ? null : node.parentId
      return {
        id,
        areaCode,
        code,
        authorisationCode: canSeeVerificationCode(caller) ? node.verificationCode : null,
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
      const node = visibleIn(tree, caller, id ?? caller.organisationId)
      if (parentId !== undefined) return modulesOf(tree, null, visibleIn(tree, caller, parentId), true)
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
        platform.audit.note({
          entity: 'organisation',
          id,
          label: node.name,
          after: loggedOrganisation(tree, { ...node, modulesOff: [...modulesOff] }),
        })
        return { id, result: id }
      }),
    async change(caller, { id, version, ...fields }) {
      await organisation.changeTree(async (tx, tree) => {
        const node = visibleIn(tree, caller, id)
        const { name = node.name } = fields
        if (node.type === PARK && fields.parkType === null) throw new InvalidRequest([{ path: 'parkType', rule: 'required' }])
        if (version !== undefined && version !== node.version) throw new Conflict(['name', 'code', 'parkType', 'zone', 'modules'])
        const parent = parentAfter(tree, caller, node, fields.parentId, cap())
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
          before: loggedOrganisation(tree, node),
          after: loggedOrganisation(tree, { ...node, ...change }),
        })
        await needs.refreshSessions(tx)
        return { id, result: undefined }
      })
      needs.forgetSessions()
    },
  }
}
