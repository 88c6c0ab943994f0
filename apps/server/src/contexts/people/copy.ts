/** Copies of persons: into another group of their park, or into another park with what is theirs alone. */
import type { PersonKind } from '@gatehouse/contract/people/calls'
import { ofPlainFields } from '@gatehouse/contract/people/plain-fields'
import type { Platform } from '../../platform/context.ts'
import type { Database, OpenTransaction, Tx } from '../../platform/database/database.ts'
import { newId } from '../../platform/database/ids.ts'
import { InvalidRequest, NotFound, refuse } from '../../platform/http/refusal.ts'
import { placeOf, type SealedColumn } from '../../platform/encryption/sealed-column.ts'
import type { Scope, Session } from '../../platform/session/session.ts'
import type { CopiedPhotos, FacesService } from '../faces/index.ts'
import { personsChanged } from './events.ts'
import type { FormService } from './form.ts'
import type { GroupService } from './groups.ts'
import * as data from './data.ts'
import type { PeopleNeeds } from './needs.ts'
import { loggedPerson } from './present.ts'
import { ID_NUMBER, PERSONAL_PASSWORD, type PeopleTables } from './schema.ts'
import { taken } from './taken.ts'
import { groupFor, idNumberIndexOf, passwordIndexOf } from './values.ts'

export interface CopyWishes {
  ids: readonly string[]
  groupId: string
  /** As the persons are unless told. */
  kind?: PersonKind | null | undefined
}

/** @param to the park of the group @param by who copies */
export type Copying = (scope: Scope, wishes: CopyWishes, to: Scope, by: Partial<Pick<Session, 'operator'>>) => Promise<number>

interface CopyParts {
  groups: Pick<GroupService, 'types'>
  form: FormService
  consentRequired: PeopleNeeds['consentRequired']
  noteConsent: PeopleNeeds['noteConsent']
  /** Notes what decides about persons, as the transaction leaves them. */
  note(tx: Tx<PeopleTables>, scope: Scope, ids: readonly string[]): Promise<void>
}

/** A person on the way, with all that cannot be made inside the transaction. */
interface Copy {
  from: string
  id: string
  values: data.PersonValues
  photos: CopiedPhotos
  /** In clear, for the log, which does not store it. */
  idNumber: string
}

export function createCopying(
  platform: Platform,
  faces: FacesService,
  { groups, form, consentRequired, noteConsent, note }: CopyParts,
): Copying {
  const db = platform.db as unknown as Database<PeopleTables>
  const { crypto, storage } = platform

  /** What a person alone can have, as the other park keeps it; nothing of it within a park, where the original has it. */
  async function ownOf(scope: Scope, row: data.PersonRow, to: Scope, id: string) {
    if (to.parkId === scope.parkId)
      return {
        workNumber: null,
        phone: null,
        cardNumber: null,
        cardKey: null,
        idNumber: null,
        idNumberIndex: null,
        personalPassword: null,
        personalPasswordIndex: null,
      }
    const open = async (column: SealedColumn, sealed: Buffer | null): Promise<string | null> =>
      sealed === null ? null : (await crypto.open(scope.parkId, placeOf(column, row.id), sealed)).toString('utf8')
    const seal = async (column: SealedColumn, text: string | null): Promise<Buffer | null> =>
      text === null ? null : crypto.seal(to.parkId, placeOf(column, id), Buffer.from(text))
    const [idNumber, password] = [await open(ID_NUMBER, row.idNumber), await open(PERSONAL_PASSWORD, row.personalPassword)]
    return {
      workNumber: row.workNumber,
      phone: row.phone,
      cardNumber: row.cardNumber,
      cardKey: row.cardKey,
      idNumber: await seal(ID_NUMBER, idNumber),
      idNumberIndex: idNumberIndexOf(platform, idNumber),
      personalPassword: await seal(PERSONAL_PASSWORD, password),
      personalPasswordIndex: passwordIndexOf(platform, to, password),
    }
  }

  /** Values by the other park's fields of the same titles. */
  function customFieldsOf(scope: Scope, values: Readonly<Record<string, string>>, to: Scope): Record<string, string> {
    if (to.parkId === scope.parkId) return { ...values }
    const byTitle = new Map(form.read(scope).fields.map(({ id, title }) => [title.toLowerCase(), values[id]]))
    return Object.fromEntries(
      form.read(to).fields.flatMap(({ id, title }) => {
        const value = byTitle.get(title.toLowerCase())
        return value === undefined ? [] : [[id, value] as const]
      }),
    )
  }

  async function prepare(scope: Scope, row: data.PersonRow, { groupId, kind }: CopyWishes, to: Scope): Promise<Copy> {
    const photos = row.consent === 'withdrawn' ? [] : await faces.copyPhotos(scope, row.id, to)
    if (photos.length > 0 && row.consent !== 'given' && row.kind !== 'special' && consentRequired(to))
      throw new InvalidRequest([{ path: 'ids', rule: 'consent' }])
    const picture = async (fileId: string | null): Promise<string | null> => (fileId === null ? null : storage.copy(scope, fileId, to))
    const id = newId()
    const own = await ownOf(scope, row, to, id)
    const copied = kind ?? row.kind
    const values: data.PersonValues = {
      groupId,
      kind: copied,
      name: row.name,
      gender: row.gender,
      cardType: row.cardType,
      cardNumberFormat: row.cardNumberFormat,
      idType: row.idType,
      ...ofPlainFields((field) => row[field]),
      birthday: row.birthday,
      validFrom: row.validFrom as number | null,
      validTo: row.validTo as number | null,
      idPhoto: await picture(row.idPhoto),
      registrationPhoto: await picture(row.registrationPhoto),
      consent: row.consent as data.PersonValues['consent'],
      consentAt: row.consentAt as number | null,
      customFields: customFieldsOf(scope, row.customFields, to),
      remark: row.remark,
      instruction: copied === 'special' ? row.instruction : '',
      faceCount: photos.length,
      ...own,
    }
    return { from: row.id, id, values, photos, idNumber: own.idNumber === null ? '' : 'copied' }
  }

  async function keep(
    tx: Tx<PeopleTables>,
    { from, id, values, photos, idNumber }: Copy,
    group: { name: string },
    to: Scope,
    by: Partial<Pick<Session, 'operator'>>,
  ): Promise<void> {
    await data.insertPerson(to, { db: tx, crypto }, id, values, platform.clock.now(), { copiedFrom: from })
    await faces.adoptPhotos(tx, to, id, photos)
    await storage.keep(
      tx,
      to,
      [values.idPhoto, values.registrationPhoto].filter((file): file is string => file !== null),
    )
    if (values.consent !== 'none')
      await noteConsent(tx, to, id, { state: values.consent, channel: 'form', notedBy: by.operator ?? '', note: '' })
    await note(tx, to, [id])
    const after = loggedPerson(values, {
      idNumber,
      groupName: group.name,
      facePhotos: photos.map(({ id: faceId }) => faceId),
      formFields: form.read(to).fields,
    })
    platform.audit.note({ entity: 'person', id, label: values.name, labelMask: 'name', after })
  }

  return async (scope, wishes, to, by) => {
    const ids = [...new Set(wishes.ids)]
    const rows = await data.findPersons(scope, { db, crypto }, ids)
    if (rows.length < ids.length) throw new NotFound()
    if (rows.some(({ enabled }) => !enabled)) refuse(200224)
    const group = await groupFor(groups, to, wishes.groupId, wishes.kind == null ? rows.map(({ kind }) => kind) : [wishes.kind])
    const known = await data.findCopied(to, db, wishes.groupId, ids)
    const copies: Copy[] = []
    for (const row of rows) if (!known.has(row.id)) copies.push(await prepare(scope, row, wishes, to))
    if (copies.length === 0) return 0
    return platform
      .transaction(async (tx: Tx<PeopleTables>) => {
        // Of two who ask for the same at once, the second finds the copies of the first; what it has prepared is swept.
        const there = new Set((await data.lockPersons(scope, tx, ids)).map(({ id }) => id))
        const made = await data.findCopied(to, tx, wishes.groupId, ids)
        const wanted = copies.filter(({ from }) => there.has(from) && !made.has(from))
        for (const copy of wanted) await keep(tx, copy, group, to, by)
        if (wanted.length > 0)
          await platform.events.announce(tx as OpenTransaction & typeof tx, personsChanged, to.parkId, {
            personIds: wanted.map(({ id }) => id),
          })
        return wanted.length
      })
      .catch(taken)
  }
}
