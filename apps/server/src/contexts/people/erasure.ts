/**
 * What an erasure asks of the register beside removing somebody: what there is, that nobody changes it meanwhile, and
 * whose time is over.
 */
import type { PersonKind } from '@gatehouse/contract/people/person-fields'
import type { Platform } from '../../platform/context.ts'
import { oneOf, timestamp, type Database, type Transaction } from '../../platform/database/database.ts'
import type { Scope } from '../../platform/session/session.ts'
import { kindIsSeen } from '../../platform/session/sight.ts'
import { isRegistered } from './data.ts'
import { detailsOpener } from './details.ts'
import { hideWatched } from './former-watched.ts'
import { keepPseudonyms } from './former-watched-data.ts'

/** A person who is to be erased, with the work number, by which other rows know them. */
export interface ErasedPerson {
  id: string
  kind: PersonKind
  name: string
  phone: string | null
  workNumber: string | null
  contactIds: string[]
  /** The pictures of the ID and of the registration. */
  pictures: string[]
}

/** What stands in the records of a park in place of somebody. */
interface PseudonymIn {
  id: string
  parkId: string
}

export interface PersonErasure {
  /** In no order; unknown ids are left out, and those of visitors: their visits remove them. */
  find(scope: Scope, ids: readonly string[]): Promise<ErasedPerson[]>
  /** Return the same, locked until the transaction ends; null where the person was deleted. */
  hold(tx: Transaction, scope: Scope, id: string): Promise<ErasedPerson | null>
  /** Keep hidden what is left of a person of the watch list; before anything of them is removed. */
  hide(tx: Transaction, scope: Scope, id: string): Promise<void>
  /** Keep the pseudonyms of a person of the watch list hidden in place of their ids. */
  hidePseudonyms(
    tx: Transaction,
    scope: Scope,
    person: Pick<ErasedPerson, 'id' | 'kind' | 'contactIds'>,
    pseudonyms: readonly PseudonymIn[],
  ): Promise<void>
  /** Ids after one, in their order, of persons whose validity ended before a moment; of a watch list those not changed since. */
  over(scope: Scope, kind: PersonKind, before: number, after: string, limit: number): Promise<string[]>
}

const COLUMNS = ['id', 'kind', 'name', 'details', 'workNumber', 'idPhoto', 'registrationPhoto'] as const

export function createPersonErasure(platform: Platform): PersonErasure {
  const database = platform.db

  const rowsOf = (scope: Scope, db: Database, ids: readonly string[]) =>
    db
      .selectFrom('person')
      .select(COLUMNS)
      .where('parkId', '=', scope.parkId)
      .where('id', '=', oneOf(ids))
      .where(kindIsSeen(scope))
      .where(isRegistered)

  async function present(
    scope: Scope,
    db: Database,
    rows: Awaited<ReturnType<ReturnType<typeof rowsOf>['execute']>>,
  ): Promise<ErasedPerson[]> {
    if (rows.length === 0) return []
    const contacts = await db
      .selectFrom('personContact')
      .select(['id', 'personId'])
      .where('parkId', '=', scope.parkId)
      .where('personId', '=', oneOf(rows.map(({ id }) => id)))
      .execute()
    const open = await detailsOpener(platform.crypto, scope)
    return rows.map(open).map(({ id, kind, name, phone, workNumber, idPhoto, registrationPhoto }) => ({
      id,
      kind: kind as PersonKind,
      name,
      phone,
      workNumber,
      contactIds: contacts.filter(({ personId }) => personId === id).map((contact) => contact.id),
      pictures: [idPhoto, registrationPhoto].flatMap((file) => file ?? []),
    }))
  }

  return {
    find: async (scope, ids) => present(scope, database, await rowsOf(scope, database, ids).execute()),
    async hold(tx, scope, id) {
      const [person] = await present(scope, tx, await rowsOf(scope, tx, [id]).forUpdate().execute())
      return person ?? null
    },
    hide: (tx, scope, id) => hideWatched(platform.audit, tx, scope, [id]),
    async hidePseudonyms(tx, scope, { id, kind, contactIds }, pseudonyms) {
      if (kind === 'special') await keepPseudonyms(scope, tx, [id, ...contactIds], pseudonyms)
    },
    async over(scope, kind, before, after, limit) {
      const rows = await database
        .selectFrom('person')
        .select('id')
        .where('parkId', '=', scope.parkId)
        .where(kindIsSeen(scope))
        .where('kind', '=', kind)
        .where(kind === 'special' ? 'updatedAt' : 'validTo', '<', timestamp(before))
        .where('id', '>', after)
        .orderBy('id')
        .limit(limit)
        .execute()
      return rows.map(({ id }) => id)
    },
  }
}
