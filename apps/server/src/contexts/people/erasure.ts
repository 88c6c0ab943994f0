/** What an erasure asks of the register beside removing somebody: what there is, that nobody changes it meanwhile, and whose time is over. */
import type { PersonKind } from '@gatehouse/contract/people/calls'
import type { Platform } from '../../platform/context.ts'
import { oneOf, timestamp, type Database, type OpenTransaction, type Tx } from '../../platform/database/database.ts'
import type { Scope } from '../../platform/session/session.ts'
import { kindIsSeen } from '../../platform/session/sight.ts'
import { detailsOpener } from './details.ts'
import { hideWatched } from './former-watched.ts'
import { keepPseudonyms } from './former-watched-data.ts'
import type { PeopleTables } from './schema.ts'

/** Somebody who is to be erased; whatever else knows him by his number needs it before he is gone. */
export interface ErasedPerson {
  id: string
  kind: PersonKind
  name: string
  phone: string | null
  workNumber: string | null
  contactIds: string[]
  /** Pictures of papers and of the day he was registered. */
  pictures: string[]
}

/** What stands in the records of a park in place of somebody. */
interface PseudonymIn {
  id: string
  parkId: string
}

export interface PersonErasure {
  /** In no order; unknown ids are left out. */
  find(scope: Scope, ids: readonly string[]): Promise<ErasedPerson[]>
  /** The same, and nobody else changes him before the transaction ends; null where he is gone. */
  hold(tx: OpenTransaction, scope: Scope, id: string): Promise<ErasedPerson | null>
  /** Keep hidden what is left of somebody of the watch list; before anything of them is removed. */
  hide(tx: OpenTransaction, scope: Scope, id: string): Promise<void>
  /** Keep the pseudonyms of somebody of the watch list hidden in place of their ids. */
  hidePseudonyms(
    tx: OpenTransaction,
    scope: Scope,
    person: Pick<ErasedPerson, 'id' | 'kind' | 'contactIds'>,
    pseudonyms: readonly PseudonymIn[],
  ): Promise<void>
  /** Ids after one, in their order, of persons whose validity ended before a moment; of a watch list those not changed since. */
  over(scope: Scope, kind: PersonKind, before: number, after: string, limit: number): Promise<string[]>
}

const COLUMNS = [
  'id',
  'kind',
  'name',
  'details',
  'work_number as workNumber',
  'id_photo as idPhoto',
  'registration_photo as registrationPhoto',
] as const

export function createPersonErasure(platform: Platform): PersonErasure {
  const database = platform.db as unknown as Database<PeopleTables>

  const rowsOf = (scope: Scope, db: Database<PeopleTables>, ids: readonly string[]) =>
    db.selectFrom('person').select(COLUMNS).where('park_id', '=', scope.parkId).where('id', '=', oneOf(ids)).where(kindIsSeen(scope))

  async function present(
    scope: Scope,
    db: Database<PeopleTables>,
    rows: Awaited<ReturnType<ReturnType<typeof rowsOf>['execute']>>,
  ): Promise<ErasedPerson[]> {
    if (rows.length === 0) return []
    const contacts = await db
      .selectFrom('person_contact')
      .select(['id', 'person_id as personId'])
      .where('park_id', '=', scope.parkId)
      .where('person_id', '=', oneOf(rows.map(({ id }) => id)))
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
    async hold(open, scope, id) {
      const tx = open as Tx<PeopleTables>
      const [person] = await present(scope, tx, await rowsOf(scope, tx, [id]).forUpdate().execute())
      return person ?? null
    },
    hide: (tx, scope, id) => hideWatched(platform.audit, tx, scope, [id]),
    async hidePseudonyms(tx, scope, { id, kind, contactIds }, pseudonyms) {
      if (kind === 'special') await keepPseudonyms(scope, tx as Tx<PeopleTables>, [id, ...contactIds], pseudonyms)
    },
    async over(scope, kind, before, after, limit) {
      const rows = await database
        .selectFrom('person')
        .select('id')
        .where('park_id', '=', scope.parkId)
        .where(kindIsSeen(scope))
        .where('kind', '=', kind)
        .where(kind === 'special' ? 'updated_at' : 'valid_to', '<', timestamp(before))
        .where('id', '>', after)
        .orderBy('id')
        .limit(limit)
        .execute()
      return rows.map(({ id }) => id)
    },
  }
}
