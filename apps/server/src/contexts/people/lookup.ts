/** Many persons at once, for imports from files: which persons have a number, and whether forms would be accepted. */
import type { FieldIssue } from '@gatehouse/contract'
import type { Person } from '@gatehouse/contract/people/person'
import type { Platform } from '../../platform/context.ts'
import { sql } from '../../platform/database/database.ts'
import { newId } from '../../platform/database/ids.ts'
import { InvalidRequest, Refusal } from '../../platform/http/refusal.ts'
import type { Scope } from '../../platform/session/session.ts'
import { kindIsSeen } from '../../platform/session/sight.ts'
import type { FacesService } from '../faces/index.ts'
import { cardKeyOf } from './card.ts'
import * as data from './data.ts'
import { cardIndexOf, phoneIndexOf } from './details.ts'
import type { FormService } from './form.ts'
import type { GroupService } from './groups.ts'
import { createPresenter } from './present.ts'
import type { PersonFields } from './fields.ts'
import { createValues, idNumberIndexOf, passwordIndexOf } from './values.ts'

/** The numbers that only one person may have. */
export interface PersonNumbers {
  workNumber: string
  phone: string
  cardNumber: string
  cardNumberFormat: string
  idNumber: string
  personalPassword: string
}
/** The same as it is compared; null where it is empty, or no card number at all. */
export type NumberKeys = Record<'workNumber' | 'phone' | 'cardNumber' | 'idNumber' | 'personalPassword', string | null>

export interface PersonLookup {
  /** Return the keys of numbers: two persons cannot have the same key in a field. */
  keysOf(scope: Scope, numbers: PersonNumbers): NumberKeys
  /**
   * Return the persons who have one of these numbers already, a row for each field and key; also persons that do not exist for the
   * scope: the number is taken all the same.
   */
  holders(scope: Scope, keys: readonly NumberKeys[]): Promise<{ field: keyof NumberKeys; key: string; personId: string }[]>
  /** Return persons as calls answer them; unknown ids are left out. */
  readAll(scope: Scope, ids: readonly string[]): Promise<Person[]>
  /**
   * Return the issues of forms beyond their schema; whether numbers are taken is not checked.
   * @param forms `personId` null: of a new person
   */
  check(scope: Scope, forms: readonly { fields: PersonFields; personId: string | null }[]): Promise<FieldIssue[][]>
  /** Return whether new photographs are accepted only of persons who agreed. */
  consentRequired(scope: Scope): boolean
  /** Count the persons of a kind by group, and those of them without a photograph; groups without persons are left out. */
  photoCounts(scope: Scope, kind: string): Promise<{ groupId: string; persons: number; withoutPhoto: number }[]>
}

const DIGITS: Record<string, RegExp> = { hex: /^[0-9a-f]+$/i, decimal: /^[0-9]+$/ }
const textOrNull = (text: string): string | null => (text === '' ? null : text)

export function createLookup(
  platform: Platform,
  faces: FacesService,
  groups: GroupService,
  form: FormService,
  consentRequired: (scope: Scope) => boolean,
): PersonLookup {
  const db = platform.db
  const { present } = createPresenter(platform, form)

  return {
    consentRequired,
    keysOf: (scope, { workNumber, phone, cardNumber, cardNumberFormat, idNumber, personalPassword }) => ({
      workNumber: textOrNull(workNumber),
      phone: phone === '' ? null : phoneIndexOf(platform.crypto, scope, phone).toString('hex'),
      cardNumber:
        DIGITS[cardNumberFormat]?.test(cardNumber) === true
          ? cardIndexOf(platform.crypto, scope, cardKeyOf(cardNumber, cardNumberFormat)!).toString('hex')
          : null,
      idNumber: idNumberIndexOf(platform, textOrNull(idNumber))?.toString('hex') ?? null,
      personalPassword: passwordIndexOf(platform, scope, textOrNull(personalPassword))?.toString('hex') ?? null,
    }),
    async holders(scope, keys) {
      const of = (field: keyof NumberKeys) => keys.flatMap((one) => one[field] ?? [])
      const bytes = (field: keyof NumberKeys) => of(field).map((key) => Buffer.from(key, 'hex'))
      // One query into each of five indexes.
      const { rows } = await sql<{ field: keyof NumberKeys; key: string; personId: string }>`
        SELECT 'workNumber' AS field, work_number AS key, id AS "personId" FROM person
        WHERE park_id = ${scope.parkId}::uuid AND work_number = ANY(${sql.val(of('workNumber'))}::text[])
        UNION ALL SELECT 'phone', encode(phone_index, 'hex'), id FROM person
        WHERE park_id = ${scope.parkId}::uuid AND phone_index = ANY(${sql.val(bytes('phone'))}::bytea[])
        UNION ALL SELECT 'cardNumber', encode(card_index, 'hex'), id FROM person
        WHERE park_id = ${scope.parkId}::uuid AND card_index = ANY(${sql.val(bytes('cardNumber'))}::bytea[])
        UNION ALL SELECT 'idNumber', encode(id_number_index, 'hex'), id FROM person
        WHERE park_id = ${scope.parkId}::uuid AND id_number_index = ANY(${sql.val(bytes('idNumber'))}::bytea[])
        UNION ALL SELECT 'personalPassword', encode(personal_password_index, 'hex'), id FROM person
          WHERE park_id = ${scope.parkId}::uuid AND personal_password_index = ANY(${sql.val(bytes('personalPassword'))}::bytea[])`.execute(
        db,
      )
      return rows
    },
    async readAll(scope, ids) {
      const [rows, photos] = await Promise.all([data.findPersons(scope, { db, crypto: platform.crypto }, ids), faces.photosOf(scope, ids)])
      return present(scope, rows, photos)
    },
    async check(scope, forms) {
      // Many forms name few groups: each group is read once.
      const pending = new Map<string, ReturnType<GroupService['types']>>()
      const types: GroupService['types'] = (of, ids) => {
        const [id = ''] = ids
        if (ids.length !== 1) return groups.types(of, ids)
        if (!pending.has(id)) pending.set(id, groups.types(of, ids))
        return pending.get(id)!
      }
      const valuesOf = createValues(platform, { types }, form)
      const persons = new Map(
        (
          await data.findPersons(
            scope,
            { db, crypto: platform.crypto },
            forms.flatMap(({ personId }) => personId ?? []),
          )
        ).map((row) => [row.id, row]),
      )
      return Promise.all(
        forms.map(async ({ fields, personId }) => {
          try {
            await valuesOf(scope, personId ?? newId(), fields, personId === null ? null : (persons.get(personId) ?? null))
            return []
          } catch (error) {
            if (error instanceof InvalidRequest) return error.fields
            if (error instanceof Refusal) return error.data?.fields ?? [{ path: '', rule: `code.${error.code}` }]
            throw error
          }
        }),
      )
    },
    async photoCounts(scope, kind) {
      return db
        .selectFrom('person')
        .select((eb) => [
          'groupId',
          eb.fn.countAll<number>().as('persons'),
          eb.fn.countAll<number>().filterWhere('faceCount', '=', 0).as('withoutPhoto'),
        ])
        .where('parkId', '=', scope.parkId)
        .where(kindIsSeen(scope))
        .where('kind', '=', kind)
        .groupBy('groupId')
        .execute()
    },
  }
}
