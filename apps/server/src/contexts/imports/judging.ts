/**
 * How rows of an import are judged: what each comes to, and why it is refused. The rules are those of the person form and of
 * the register itself, asked for many persons at once.
 */
import { safeParse } from 'zod'
import { codesOf, fieldIssuesOf, type FieldIssue } from '@gatehouse/contract'
import { personCreate } from '@gatehouse/contract/people/person-fields'
import type { Person } from '@gatehouse/contract/people/person'
import { ofPlainFields } from '@gatehouse/contract/people/plain-fields'
import type { Platform } from '../../platform/context.ts'
import { placeOf } from '../../platform/encryption/sealed-column.ts'
import type { Scope } from '../../platform/session/session.ts'
import type { NumberKeys, PersonFields, PersonNumbers } from '../people/index.ts'
import type { ImportRecord } from './data.ts'
import type { ImportsDependencies } from './dependencies.ts'
import { findPhotosOf, type PhotoRecord } from './photos-data.ts'
import { findShared, type RowRecord, type RowVerdict } from './rows-data.ts'
import { IMPORTED_ROW, type StoredIssue } from './schema.ts'
import { fieldsOf, type GroupNames, type RowValues } from './values.ts'

type Numbers = keyof NumberKeys
/** What it means that somebody else has a number. */
const DUPLICATES: Record<Numbers, { code: number | null; rule: string }> = {
  workNumber: { code: 200215, rule: 'code.200215' },
  phone: { code: 200005, rule: 'code.200005' },
  cardNumber: { code: 200207, rule: 'code.200207' },
  idNumber: { code: 200214, rule: 'code.200214' },
  personalPassword: { code: null, rule: 'passwordTaken' },
}
const NUMBERS = Object.keys(DUPLICATES) as Numbers[]

/** A row as it was judged: what is to be done where it is not refused. */
export interface Judged {
  row: RowRecord
  verdict: RowVerdict
  /** The form to save; null where nothing of it is changed. */
  fields: PersonFields | null
  /** The person as it stands; null for somebody new. */
  person: Person | null
  /** Those that may be given, in their order. */
  photos: PhotoRecord[]
}

/** A field of the person form as a row has it. */
export function rowField(path: string): string {
  if (path === 'groupId') return 'groupName'
  if (path === 'facePhotos') return 'photo'
  if (path.startsWith('customFields.')) return `custom.${path.split('.')[1]!}`
  return path
}

export function storedIssue({ path, rule, params }: FieldIssue, code?: number | null): StoredIssue {
  const named = rule.startsWith('code.') ? Number(rule.slice('code.'.length)) : null
  return { field: rowField(path), code: code ?? named, rule, ...(params && { params: params as Record<string, string | number> }) }
}

/** The form as it stands, with nothing changed. Pictures and fields of the park's own stay as they are where they are left out. */
const formOf = (person: Person) => ({
  name: person.name,
  workNumber: person.workNumber,
  phone: person.phone,
  gender: person.gender,
  groupId: person.groupId,
  cardType: person.cardType,
  cardNumberFormat: person.cardNumberFormat,
  cardNumber: person.cardNumber,
  idType: person.idType,
  idNumber: person.idNumber,
  ...ofPlainFields((field) => person[field]),
  birthday: person.birthday,
  validFrom: person.validFrom,
  validTo: person.validTo,
  facePhotos: person.facePhotos,
  remark: person.remark,
  kind: person.kind,
})

const secondOf = (moment: number): number => Math.floor(moment / 1000)
const textOf = (value: unknown): string => (typeof value === 'string' ? value.trim() : '')
const numbersOf = (fields: Record<string, unknown>, before: Person | null): PersonNumbers => ({
  workNumber: textOf(fields['workNumber']),
  phone: textOf(fields['phone']),
  cardNumber: textOf(fields['cardNumber']),
  cardNumberFormat: textOf(fields['cardNumberFormat']) || (before?.cardNumberFormat ?? 'decimal'),
  idNumber: textOf(fields['idNumber']),
  personalPassword: textOf(fields['personalPassword']),
})

/** Whether a person would come out as before. */
function isSame(
  person: Person,
  before: Record<string, unknown>,
  after: Record<string, unknown>,
  changed: Record<string, unknown>,
  hasOwnPassword: boolean,
): boolean {
  return Object.keys(changed).every((field) => {
    if (field === 'faceConsent') return changed[field] === true ? person.faceConsent === 'given' : person.faceConsent !== 'given'
    if (field === 'personalPassword') return hasOwnPassword
    if (field === 'customFields')
      return (changed[field] as { id: string; value: string }[]).every(
        ({ id, value }) => (person.customFields.find((one) => one.id === id)?.value ?? '') === value,
      )
    return JSON.stringify(before[field] ?? '') === JSON.stringify(after[field] ?? '')
  })
}

/** A row, decrypted, as fields of the person form. */
interface Draft {
  row: RowRecord
  fields: Record<string, unknown>
  issues: StoredIssue[]
}

/** What the register and the import hold beside the rows that are judged. */
interface Surroundings {
  /** Ids of persons by field and key of a number. */
  holderOf: ReadonlyMap<string, string>
  /** Persons that have a work number of the rows, by id. */
  persons: ReadonlyMap<string, Person>
  /** The first position of each key that several rows have. */
  firstPositionOf: ReadonlyMap<string, number>
}

interface Prepared {
  row: RowRecord
  fields: Record<string, unknown>
  /** The person as it stands; null for somebody new, or of the other register. */
  before: Person | null
  /** The work number belongs to somebody of the other register. */
  isForeign: boolean
  found: StoredIssue[]
  parsed: PersonFields | null
  isUnchanged: boolean
}

/** Return what a row comes to. @param hindrance what stands in the way of any of its photographs */
function judgedOf(
  one: ImportRecord,
  { row, before, isForeign, found, parsed, isUnchanged }: Prepared,
  photos: readonly PhotoRecord[],
  hindrance: StoredIssue | null,
  names: GroupNames,
): Judged {
  const waiting = photos.filter(({ state, reason }) => state === 'waiting' && reason === null)
  const usable = hindrance === null ? waiting : []
  const refused = photos.flatMap(({ state, issue, filename }) =>
    state === 'refused' && issue !== null ? [{ ...issue, params: { ...issue.params, filename } }] : [],
  )
  const photoIssues = [...refused, ...(hindrance === null ? [] : [hindrance])]
  // Of each field the first issue found is listed.
  const own = [...new Map(found.toReversed().map((issue) => [issue.field, issue])).values()].toReversed()
  const onlyPhoto = before !== null && (row.line === null || (one.mode === 'createOnly' && !isUnchanged))
  const base = {
    id: row.id,
    personId: before?.id ?? null,
    name: before !== null && row.line === null ? before.name : row.name,
    // A group that is not there is shown as it was written.
    groupName:
      found.find(({ field }) => field === 'groupName')?.params?.['name']?.toString() ??
      names.nameOf.get(parsed?.groupId ?? before?.groupId ?? one.groupId) ??
      '',
  }
  const verdict = (outcome: RowVerdict['outcome'], issues: StoredIssue[]): RowVerdict => ({
    ...base,
    outcome,
    issues: [...issues, ...photoIssues],
  })
  const result = (rowVerdict: RowVerdict, fields: PersonFields | null): Judged => ({
    row,
    verdict: rowVerdict,
    fields,
    person: before,
    photos: usable,
  })
  if (isForeign) return result(verdict('refused', own), null)
  if (onlyPhoto) {
    const blocking = own.filter(({ code }) => code === 200224)
    if (blocking.length > 0) return result(verdict('refused', blocking), null)
    if (usable.length > 0) return result({ ...verdict('photo', []), name: before.name }, null)
    if (row.line === null) return result(verdict('refused', []), null)
    return result(verdict('refused', [{ field: 'workNumber', ...DUPLICATES.workNumber }]), null)
  }
  if (row.line === null) return result(verdict('refused', [{ field: 'workNumber', code: null, rule: 'photoUnknownNumber' }]), null)
  if (own.length > 0 || parsed === null) return result(verdict('refused', own), null)
  if (isUnchanged) return result(verdict(usable.length > 0 ? 'photo' : 'same', []), null)
  return result(verdict(before === null ? 'create' : 'change', []), parsed)
}

export interface Judging {
  /** Return the keys by which rows of one import are compared. */
  keysOf(scope: Scope, values: RowValues): Buffer[]
  judge(scope: Scope, one: ImportRecord, rows: readonly RowRecord[], names: GroupNames): Promise<Judged[]>
}

interface JudgingParts extends Pick<ImportsDependencies, 'people' | 'organisation'> {
  platform: Platform
}

/** Return what stands in the way of any photograph; null where nothing does. */
function photoIssue(kind: string, before: Person | null, consent: unknown, isConsentRequired: boolean): StoredIssue | null {
  if (kind === 'special' || consent === true || before?.faceConsent === 'given') return null
  return before?.faceConsent === 'withdrawn' || isConsentRequired ? { field: 'photo', code: null, rule: 'consent' } : null
}

async function draftsOf(
  { platform, people, organisation }: JudgingParts,
  scope: Scope,
  rows: readonly RowRecord[],
  names: GroupNames,
): Promise<Draft[]> {
  const { zone } = organisation.park(scope)
  const open = await platform.crypto.opener(scope.parkId)
  const formIds = new Set(people.form(scope).fields.map(({ id }) => id))
  return rows.map((row) => {
    const values =
      row.sealed === null
        ? ({ workNumber: row.workNumber } as RowValues)
        : (JSON.parse(open(placeOf(IMPORTED_ROW, row.id), row.sealed).toString('utf8')) as RowValues)
    const { fields, issues } = fieldsOf(values, names, zone)
    // A field the park has given up since.
    if (Array.isArray(fields['customFields']))
      fields['customFields'] = (fields['customFields'] as { id: string }[]).filter(({ id }) => formIds.has(id))
    return { row, fields, issues }
  })
}

export function createJudging(parts: JudgingParts): Judging {
  const { platform, people } = parts
  const db = platform.db
  const { lookup } = people
  const keyOf = (field: string, key: string): Buffer => platform.crypto.blindIndex(`import|${field}|${key}`)

  /** What is wrong with the numbers of a row beside the register and the other rows. */
  function numberIssues(
    { row }: Draft,
    keys: NumberKeys,
    before: Person | null,
    { holderOf, firstPositionOf }: Surroundings,
  ): StoredIssue[] {
    return NUMBERS.flatMap((field) => {
      const key = keys[field]
      if (key === null) return []
      const holder = holderOf.get(`${field}|${key}`)
      const first = firstPositionOf.get(keyOf(field, key).toString('hex'))
      const isOfOther = holder !== undefined && holder !== before?.id
      // What somebody has already, no row before this one takes away; a number of the sheet goes to the first row that has it.
      const isLater = first !== undefined && first !== row.position && (field === 'workNumber' || holder === undefined)
      return isOfOther || isLater ? [{ field, ...DUPLICATES[field] }] : []
    })
  }

  /** What is found wrong with a row by itself and beside the others; its form, parsed, where it has one. */
  function prepare(scope: Scope, one: ImportRecord, draft: Draft, surroundings: Surroundings): Prepared {
    const { row, fields, issues } = draft
    const { holderOf, persons } = surroundings
    const keys = lookup.keysOf(scope, numbersOf(fields, null))
    const before = persons.get(holderOf.get(`workNumber|${keys.workNumber ?? ''}`) ?? '') ?? null
    // A file shows moments to the second: what it shows of a moment is that moment.
    for (const field of ['validFrom', 'validTo'] as const) {
      const [moment, current] = [fields[field], before?.[field] ?? null]
      if (typeof moment === 'number' && current !== null && secondOf(moment) === secondOf(current)) fields[field] = current
    }
    const isForeign = before !== null && (before.kind === 'special') !== (one.kind === 'special')
    const found: StoredIssue[] = [...issues]
    if (keys.workNumber === null) found.push({ field: 'workNumber', code: null, rule: 'required' })
    // Of the other register: there is nobody here of this number, and nobody can be.
    if (isForeign) found.push({ field: 'workNumber', ...DUPLICATES.workNumber })
    if (before !== null && !isForeign && before.status === 0) found.push({ field: 'workNumber', code: 200224, rule: 'code.200224' })
    found.push(...numberIssues(draft, keys, before, surroundings))
    const base = before === null ? null : formOf(before)
    const form = base === null ? { groupId: one.groupId, kind: one.kind, ...fields } : { ...base, ...fields }
    const parsed = safeParse(personCreate, form)
    if (!parsed.success && row.line !== null) {
      const codes = codesOf(parsed.error)
      found.push(...fieldIssuesOf(parsed.error).map((issue) => storedIssue(issue, codes.get(issue.path))))
    }
    const hasOwnPassword =
      keys.personalPassword !== null && before !== null && holderOf.get(`personalPassword|${keys.personalPassword}`) === before.id
    const isUnchanged =
      before !== null && parsed.success && isSame(before, safeParse(personCreate, base).data ?? {}, parsed.data, fields, hasOwnPassword)
    return {
      row,
      fields,
      before: isForeign ? null : before,
      isForeign,
      found,
      // A file says nothing of contacts: those there are stay.
      parsed: parsed.success ? ({ ...parsed.data, contacts: undefined } as PersonFields) : null,
      isUnchanged,
    }
  }

  return {
    keysOf(scope, values) {
      const keys = lookup.keysOf(scope, numbersOf(values, null))
      return NUMBERS.flatMap((field) => (keys[field] === null ? [] : [keyOf(field, keys[field]!)]))
    },
    async judge(scope, one, rows, names) {
      const drafts = await draftsOf(parts, scope, rows, names)
      const [holders, firstPositionOf, photos] = await Promise.all([
        lookup.holders(
          scope,
          drafts.map(({ fields }) => lookup.keysOf(scope, numbersOf(fields, null))),
        ),
        findShared(
          scope,
          db,
          one.id,
          drafts.flatMap(({ row }) => row.keys),
        ),
        findPhotosOf(
          scope,
          db,
          rows.map(({ id }) => id),
        ),
      ])
      const holderOf = new Map(holders.map(({ field, key, personId }) => [`${field}|${key}`, personId]))
      const holderIds = new Set(holders.flatMap(({ field, personId }) => (field === 'workNumber' ? [personId] : [])))
      const persons = new Map((await lookup.readAll(scope, [...holderIds])).map((person) => [person.id, person]))
      const photosByRow = Map.groupBy(photos, ({ rowId }) => rowId!)

      const prepared = drafts.map((draft) => prepare(scope, one, draft, { holderOf, persons, firstPositionOf }))
      const registrable = prepared.flatMap(({ parsed, row, before }, at) =>
        parsed !== null && row.line !== null ? [{ at, fields: parsed, personId: before?.id ?? null }] : [],
      )
      const checked = await lookup.check(
        scope,
        registrable.map(({ fields, personId }) => ({ fields, personId })),
      )
      for (const [index, { at }] of registrable.entries()) prepared[at]!.found.push(...checked[index]!.map((issue) => storedIssue(issue)))

      return prepared.map((each) => {
        const ofRow = photosByRow.get(each.row.id) ?? []
        const hindrance =
          ofRow.length === 0 ? null : photoIssue(one.kind, each.before, each.fields['faceConsent'], lookup.consentRequired(scope))
        return judgedOf(one, each, ofRow, hindrance, names)
      })
    },
  }
}
