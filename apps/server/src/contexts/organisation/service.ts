/** The organisation tree in memory: which parks there are and who sees which. */
import { permissionModules, type PermissionModule } from '@gatehouse/contract'
import { FIXED_MODULES } from '@gatehouse/contract/organisation/areas'
import type { ParkInfo } from '@gatehouse/contract/organisation/calls'
import { serialised } from '../../platform/async/turns.ts'
import type { Platform } from '../../platform/context.ts'
import type { Transaction } from '../../platform/database/database.ts'
import { newId } from '../../platform/database/ids.ts'
import type { Park, Scope } from '../../platform/session/session.ts'
import {
  COMPANY,
  PARK,
  PARTNER,
  insertOrganisationUnscoped,
  lockTreeUnscoped,
  readTreeUnscoped,
  updateOrganisationUnscoped,
  type NewOrganisation,
  type Organisation,
} from './data.ts'
import { organisationChanged } from './events.ts'
import { accessControlSetting, carParkLinks, carParkSetting, pictureRetentionSetting, reentrySetting } from './park-settings.ts'
import type { Settings } from './settings.ts'
import { treeOf, type Tree } from './tree.ts'

export interface OrganisationService {
  start(): Promise<void>
  reload(): Promise<void>
  /** Return the current tree. Each change replaces it. */
  tree(): Tree
  /** The node above all others. */
  root(): Organisation
  get(id: string): Organisation | undefined
  park(scope: Scope): Park
  parkByArea(areaCode: string): Park | undefined
  parks(): Park[]
  /** Return the parks at or below a node, oldest first. */
  parksBelow(organisationId: string): Park[]
  /** Return whether a node is the other one or lies below it. */
  isBelow(id: string, ancestorId: string): boolean
  /** Return the function modules that are on at a node: neither it nor a node above it has turned them off. */
  modulesOn(id: string): PermissionModule[]
  /** Return whether the module a permission code belongs to is on at a node. */
  isOn(id: string, code: string): boolean
  /** Return the record settings of the park. */
  accessSettings(scope: Scope): AccessSettings
  /** Return which ways into the park's parking system are set up. */
  parking(scope: Scope): ParkInfo['parking']
  /** Run a change of the tree, locked against other changes, and read the tree again. @param id of the node that is changed */
  changeTree<T>(work: (tx: Transaction, tree: Tree) => Promise<{ id: string; result: T }>): Promise<T>
  /** Add a node with its parent's modules, for installations that a program sets up. */
  add(node: Omit<NewOrganisation, 'id'>): Promise<string>
  /** Rename a node or change its time zone. Existing records keep the zone in which they were made. */
  change(id: string, change: { name: string; zone: string }): Promise<void>
}

const parkOf = (node: Organisation): Park => ({ id: node.id, areaCode: node.areaCode, name: node.name, zone: node.zone })

/** Record settings of a park. */
export interface AccessSettings {
  /** Days that a list of records covers where no time is given. */
  recordDays: number
  /** Whether an unknown face leaves a record. */
  strangerRecords: boolean
  /** Seconds after a passage during which the same person makes no new record at the same device; 0: every passage makes one. */
  reentrySeconds: number
  /** Days that a record keeps its picture; 0: as long as the record exists. */
  pictureDays: number
}

const MODULES = Object.keys(permissionModules) as PermissionModule[]
const moduleOfCode = new Map<string, PermissionModule>(
  MODULES.flatMap((module) => permissionModules[module].map((code) => [code as string, module] as const)),
)
const ALWAYS_ON: readonly PermissionModule[] = FIXED_MODULES

export function createOrganisationService(platform: Platform, settings: Settings): OrganisationService {
  const db = platform.db
  let tree = treeOf([])

  const isModuleOn = (id: string, module: PermissionModule): boolean =>
    ALWAYS_ON.includes(module) || tree.path(id).every(({ modulesOff }) => !modulesOff.includes(module))

  const reload = serialised(async () => {
    tree = treeOf(await readTreeUnscoped(db))
  })

  /** Create the tree of a new installation: one company with one park in the machine's own time zone. */
  async function plant(): Promise<void> {
    const zone = Intl.DateTimeFormat().resolvedOptions().timeZone
    const now = platform.clock.now()
    const partner = { id: newId(), areaCode: '100000', name: 'Gatehouse', type: PARTNER, parkType: null, parentId: null, zone }
    const company = { ...partner, id: newId(), areaCode: '100001', name: 'Company', type: COMPANY, parentId: partner.id }
    const park = { ...partner, id: newId(), areaCode: '100002', name: 'Park', type: PARK, parkType: 1, parentId: company.id }
    await platform.transaction(async (tx) => {
      for (const node of [partner, company, park]) await insertOrganisationUnscoped(tx, node, now)
      await platform.history.note(tx, { parkId: park.id }, 'park', park.id, { zone })
    })
  }

  async function changeTree<T>(work: (tx: Transaction, tree: Tree) => Promise<{ id: string; result: T }>): Promise<T> {
    const result = await platform.transaction(async (tx) => {
      await lockTreeUnscoped(tx)
      const made = await work(tx, treeOf(await readTreeUnscoped(tx)))
      await platform.events.announce(tx, organisationChanged, made.id, { id: made.id })
      return made.result
    })
    await reload()
    return result
  }

  return {
    reload,
    async start() {
      await reload()
      if (tree.size > 0) return
      await plant()
      await reload()
    },
    tree: () => tree,
    root: () => tree.root!,
    get: (id) => tree.get(id),
    park(scope) {
      const node = tree.get(scope.parkId)
      if (node === undefined) throw new Error(`park ${scope.parkId} is not in the tree`)
      return parkOf(node)
    },
    parkByArea(areaCode) {
      const node = tree.byArea(areaCode)
      return node?.type === PARK ? parkOf(node) : undefined
    },
    parks: () => tree.parks().map(parkOf),
    parksBelow: (organisationId) => tree.parksBelow(organisationId).map(parkOf),
    isBelow: (id, ancestorId) => tree.path(id).some((node) => node.id === ancestorId),
    modulesOn: (id) => MODULES.filter((module) => isModuleOn(id, module)),
    isOn(id, code) {
      const module = moduleOfCode.get(code)
      return module === undefined || isModuleOn(id, module)
    },
    accessSettings({ parkId }) {
      const { recordDays, strangerRecordFlag } = settings.read(parkId, accessControlSetting)
      return {
        recordDays,
        strangerRecords: strangerRecordFlag === 1,
        reentrySeconds: settings.read(parkId, reentrySetting).seconds,
        pictureDays: settings.read(parkId, pictureRetentionSetting).days,
      }
    },
    parking: ({ parkId }) => carParkLinks(settings.read(parkId, carParkSetting)),
    changeTree,
    add: (node) =>
      changeTree(async (tx, now) => {
        const id = newId()
        const modulesOff = node.parentId === null ? [] : (now.get(node.parentId)?.modulesOff ?? [])
        await insertOrganisationUnscoped(tx, { modulesOff, ...node, id }, platform.clock.now())
        if (node.type === PARK) await platform.history.note(tx, { parkId: id }, 'park', id, { zone: node.zone })
        return { id, result: id }
      }),
    change: (id, change) =>
      changeTree(async (tx, now) => {
        await updateOrganisationUnscoped(tx, id, change, platform.clock.now())
        if (now.get(id)?.type === PARK) await platform.history.note(tx, { parkId: id }, 'park', id, { zone: change.zone })
        return { id, result: undefined }
      }),
  }
}
