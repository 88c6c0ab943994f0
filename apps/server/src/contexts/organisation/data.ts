/** Rows of the organisation tree. Unscoped: the tree is what scopes are made from. */
import { sql, timestamp, type Database } from '../../platform/database/database.ts'
import type { OrganisationTables } from './schema.ts'
import { newVerificationCode } from './verification.ts'

export interface Organisation {
  id: string
  areaCode: string
  /** What other systems know it by. */
  code: string
  name: string
  type: number
  parkType: number | null
  parentId: string | null
  zone: string
  showCustomerManager: boolean
  staffFaceRegister: boolean
  customerFaceRegister: boolean
  /** Function modules that are off here and below: what is off above is off here too. */
  modulesOff: string[]
  /** Parks only. */
  verificationCode: string | null
  createdAt: number
  version: number
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
      'code',
      'type',
      'park_type as parkType',
      'parent_id as parentId',
      'zone',
      'show_customer_manager as showCustomerManager',
      'staff_face_register as staffFaceRegister',
      'customer_face_register as customerFaceRegister',
      'modules_off as modulesOff',
      'verification_code as verificationCode',
      'created_at as createdAt',
      'version',
    ])
    .orderBy('created_at')
    .orderBy('id')
    .execute() as Promise<Organisation[]>
}

/** Nobody else changes the tree until the transaction ends: what is checked of parents, children and siblings stays true. */
export async function lockTreeUnscoped(db: Database<OrganisationTables>): Promise<void> {
  await db.selectFrom('organisation').select('id').where('parent_id', 'is', null).forUpdate().execute()
}

/** Nothing is added to a park that is about to go: `remove` waits for those who `add`, and they find nothing after it. */
export async function holdParkUnscoped(db: Database<OrganisationTables>, id: string, to: 'add' | 'remove'): Promise<boolean> {
  const row = db.selectFrom('organisation').select('id').where('id', '=', id)
  return (await (to === 'add' ? row.forKeyShare() : row.forUpdate()).executeTakeFirst()) !== undefined
}

/** An area code nobody has had before. */
export async function nextAreaCodeUnscoped(db: Database<OrganisationTables>): Promise<string> {
  const { rows } = await sql<{ code: string }>`SELECT nextval('organisation_area_number')::text AS code`.execute(db)
  return rows[0]!.code
}

export interface NewOrganisation extends Pick<Organisation, 'id' | 'areaCode' | 'name' | 'type' | 'parkType' | 'parentId' | 'zone'> {
  /** The area code unless told. */
  code?: string
  modulesOff?: readonly string[]
}

/** Adds a node of the tree; its parent is part of `node`. */
export async function insertOrganisationUnscoped(db: Database<OrganisationTables>, node: NewOrganisation, now: number): Promise<void> {
  await db
    .insertInto('organisation')
    .values({
      id: node.id,
      area_code: node.areaCode,
      name: node.name,
      code: node.code ?? node.areaCode,
      type: node.type,
      park_type: node.parkType,
      parent_id: node.parentId,
      zone: node.zone,
      show_customer_manager: false,
      staff_face_register: false,
      customer_face_register: false,
      modules_off: [...(node.modulesOff ?? [])],
      verification_code: node.type === PARK ? newVerificationCode() : null,
      created_at: timestamp(now),
      updated_at: timestamp(now),
      version: 1,
    })
    .execute()
}

export interface OrganisationChange {
  name?: string
  code?: string
  zone?: string
  parkType?: number | null
  parentId?: string
  modulesOff?: readonly string[]
  verificationCode?: string
  showCustomerManager?: boolean
  staffFaceRegister?: boolean
  customerFaceRegister?: boolean
}

/** Changes a node; its area code and type stay. False where it is not at `version` any more. */
export async function updateOrganisationUnscoped(
  db: Database<OrganisationTables>,
  id: string,
  change: OrganisationChange,
  now: number,
  version?: number,
): Promise<boolean> {
  const { modulesOff, parkType, parentId, verificationCode, showCustomerManager, staffFaceRegister, customerFaceRegister, ...same } = change
  const result = await db
    .updateTable('organisation')
    .set((eb) => ({
      ...same,
      ...(parkType !== undefined && { park_type: parkType }),
      ...(parentId !== undefined && { parent_id: parentId }),
      ...(modulesOff !== undefined && { modules_off: [...modulesOff] }),
      ...(verificationCode !== undefined && { verification_code: verificationCode }),
      ...(showCustomerManager !== undefined && { show_customer_manager: showCustomerManager }),
      ...(staffFaceRegister !== undefined && { staff_face_register: staffFaceRegister }),
      ...(customerFaceRegister !== undefined && { customer_face_register: customerFaceRegister }),
      updated_at: timestamp(now),
      version: eb('version', '+', 1),
    }))
    .where('id', '=', id)
    .$if(version !== undefined, (query) => query.where('version', '=', version!))
    .executeTakeFirst()
  return Number(result.numUpdatedRows) === 1
}

/** Removes a node with its settings and limits. */
export async function deleteOrganisationUnscoped(db: Database<OrganisationTables>, id: string): Promise<void> {
  await db.deleteFrom('setting').where('owner_id', '=', id).execute()
  await db.deleteFrom('organisation').where('id', '=', id).execute()
}
