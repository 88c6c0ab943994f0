/** Rows of the organisation tree. Unscoped: the tree is what scopes are made from. */
import { timestamp, type Database } from '../../platform/database.ts'
import type { OrganisationTables } from './schema.ts'

export interface Organisation {
  id: string
  areaCode: string
  name: string
  type: number
  parkType: number | null
  parentId: string | null
  zone: string
  showCustomerManager: boolean
  staffFaceRegister: boolean
  customerFaceRegister: boolean
  demoDone: number | null
  demoTotal: number | null
}

/** Types of an organisation. */
export const PARTNER = 100
export const COMPANY = 200
export const PARK = 300

/** The whole tree; a few thousand rows at most. */
export function readTreeUnscoped(db: Database<OrganisationTables>): Promise<Organisation[]> {
  return db
    .selectFrom('organisation')
    .select([
      'id',
      'area_code as areaCode',
      'name',
      'type',
      'park_type as parkType',
      'parent_id as parentId',
      'zone',
      'show_customer_manager as showCustomerManager',
      'staff_face_register as staffFaceRegister',
      'customer_face_register as customerFaceRegister',
      'demo_done as demoDone',
      'demo_total as demoTotal',
    ])
    .orderBy('created_at')
    .orderBy('id')
    .execute()
}

export interface NewOrganisation {
  id: string
  areaCode: string
  name: string
  type: number
  parkType: number | null
  parentId: string | null
  zone: string
}

/** Adds a node of the tree; its parent is part of `node`. */
export async function insertOrganisationUnscoped(db: Database<OrganisationTables>, node: NewOrganisation, now: number): Promise<void> {
  await db
    .insertInto('organisation')
    .values({
      id: node.id,
      area_code: node.areaCode,
      name: node.name,
      code: node.areaCode,
      type: node.type,
      park_type: node.parkType,
      parent_id: node.parentId,
      zone: node.zone,
      show_customer_manager: false,
      staff_face_register: false,
      customer_face_register: false,
      demo_done: null,
      demo_total: null,
      created_at: timestamp(now),
      updated_at: timestamp(now),
      version: 1,
    })
    .execute()
}

/** Marks a park as a demo campus of so many pieces, or as none. */
export async function markDemoUnscoped(db: Database<OrganisationTables>, parkId: string, total: number | null): Promise<void> {
  await db
    .updateTable('organisation')
    .set({ demo_done: total === null ? null : 0, demo_total: total })
    .where('id', '=', parkId)
    .execute()
}

/** Notes how many pieces are made; what is made while somebody removes the demo does not begin it again. */
export async function advanceDemoUnscoped(db: Database<OrganisationTables>, parkId: string, done: number): Promise<void> {
  await db.updateTable('organisation').set({ demo_done: done }).where('id', '=', parkId).where('demo_total', 'is not', null).execute()
}

/** Renames a node or moves it to another zone; its area code stays. */
export async function updateOrganisationUnscoped(db: Database<OrganisationTables>, id: string, change: { name: string; zone: string }, now: number): Promise<void> {
  await db
    .updateTable('organisation')
    .set((eb) => ({ name: change.name, zone: change.zone, updated_at: timestamp(now), version: eb('version', '+', 1) }))
    .where('id', '=', id)
    .execute()
}
