/** Rows of the organisation tree. Unscoped: the tree is what scopes are made from. */
import { sql, timestamp, type Database } from '../../platform/database/database.ts'
import { newVerificationCode } from './verification.ts'

export interface Organisation {
  id: string
  areaCode: string
  /** Code by which other systems identify it. */
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

/** Return the whole tree, a few thousand rows at most. */
export function readTreeUnscoped(db: Database): Promise<Organisation[]> {
  return db
    .selectFrom('organisation')
    .select([
      'id',
      'areaCode',
      'name',
      'code',
      'type',
      'parkType',
      'parentId',
      'zone',
      'showCustomerManager',
      'staffFaceRegister',
      'customerFaceRegister',
      'modulesOff',
      'verificationCode',
      'createdAt',
      'version',
    ])
    .orderBy('createdAt')
    .orderBy('id')
    .execute() as Promise<Organisation[]>
}

/** Lock the tree until the transaction ends, so that checks of parents, children and siblings stay true. */
export async function lockTreeUnscoped(db: Database): Promise<void> {
  await db.selectFrom('organisation').select('id').where('parentId', 'is', null).forUpdate().execute()
}

/**
 * Lock a park, so that nothing is added to it while it is removed. `remove` waits for transactions that `add`; later ones find no park.
 * @returns whether the park exists
 */
export async function holdParkUnscoped(db: Database, id: string, to: 'add' | 'remove'): Promise<boolean> {
  const row = db.selectFrom('organisation').select('id').where('id', '=', id)
  return (await (to === 'add' ? row.forKeyShare() : row.forUpdate()).executeTakeFirst()) !== undefined
}

/** Return an area code that was never used before. */
export async function nextAreaCodeUnscoped(db: Database): Promise<string> {
  const { rows } = await sql<{ code: string }>`SELECT nextval('organisation_area_number')::text AS code`.execute(db)
  return rows[0]!.code
}

export interface NewOrganisation extends Pick<Organisation, 'id' | 'areaCode' | 'name' | 'type' | 'parkType' | 'parentId' | 'zone'> {
  /** Default: the area code. */
  code?: string
  modulesOff?: readonly string[]
}

/** Add a node of the tree; its parent is part of `node`. */
export async function insertOrganisationUnscoped(db: Database, node: NewOrganisation, now: number): Promise<void> {
  await db
    .insertInto('organisation')
    .values({
      id: node.id,
      areaCode: node.areaCode,
      name: node.name,
      code: node.code ?? node.areaCode,
      type: node.type,
      parkType: node.parkType,
      parentId: node.parentId,
      zone: node.zone,
      showCustomerManager: false,
      staffFaceRegister: false,
      customerFaceRegister: false,
      modulesOff: [...(node.modulesOff ?? [])],
      verificationCode: node.type === PARK ? newVerificationCode() : null,
      createdAt: timestamp(now),
      updatedAt: timestamp(now),
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

/** Change a node, except for its area code and type. @returns false where `version` is no longer the current one */
export async function updateOrganisationUnscoped(
  db: Database,
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
      ...(parkType !== undefined && { parkType }),
      ...(parentId !== undefined && { parentId }),
      ...(modulesOff !== undefined && { modulesOff: [...modulesOff] }),
      ...(verificationCode !== undefined && { verificationCode }),
      ...(showCustomerManager !== undefined && { showCustomerManager }),
      ...(staffFaceRegister !== undefined && { staffFaceRegister }),
      ...(customerFaceRegister !== undefined && { customerFaceRegister }),
      updatedAt: timestamp(now),
      version: eb('version', '+', 1),
    }))
    .where('id', '=', id)
    .$if(version !== undefined, (query) => query.where('version', '=', version!))
    .executeTakeFirst()
  return Number(result.numUpdatedRows) === 1
}

/** Remove a node with its settings and limits. */
export async function deleteOrganisationUnscoped(db: Database, id: string): Promise<void> {
  await db.deleteFrom('setting').where('ownerId', '=', id).execute()
  await db.deleteFrom('organisation').where('id', '=', id).execute()
}
