/**
 * What an import would do, found before it does anything: whose the photographs are, what each row comes to, and why it is
 * refused. The rules are those of the person form and of the register itself, asked for many persons at once.
 */
import { safeParse } from 'zod'
import { FACES_PER_PERSON, IMPORT_PAGE_SIZE, codesOf, fieldIssuesOf, type FieldIssue } from '@gatehouse/contract'
import { personCreate, type Person } from '@gatehouse/contract/people/calls'
import { ofPlainFields } from '@gatehouse/contract/people/plain-fields'
import type { Platform } from '../../platform/context.ts'
import type { Database, Tx } from '../../platform/database/database.ts'
import { newId } from '../../platform/database/ids.ts'
import { placeOf } from '../../platform/encryption/sealed-column.ts'
import type { Scope } from '../../platform/session/session.ts'
import type { NumberKeys, PersonFields, PersonNumbers } from '../people/index.ts'
import type { ImportsDependencies } from './index.ts'
import * as data from './data.ts'
import { IMPORTED_ROW, type ImportsTables, type StoredIssue } from './schema.ts'
import { givenBy, groupNamesOf, type GroupNames, type RowValues } from './values.ts'

type Numbers = keyof NumberKeys
/** What it means that somebody else has a number. */
const TAKEN: Record<Numbers, { code: number | null; rule: string }> = {
  workNumber: { code: 200215, rule: 'code.200215' },
  phone: { code: 200005, rule: 'code.200005' },
  cardNumber: { code: 200207, rule: 'code.200207' },
  idNumber: { code: 200214, rule: 'code.200214' },
  personalPassword: { code: null, rule: 'passwordTaken' },
}
const NUMBERS = Object.keys(TAKEN) as Numbers[]

/** A row as it was judged: what is to be done where it is not refused. */
export interface Judged {
  row: data.RowRecord
  verdict: data.RowVerdict
  /** The form to save; null where nothing of it is changed. */
  fields: PersonFields | null
  /** The person as it stands; null for somebody new. */
  person: Person | null
  /** Those that may be given, in their order. */
  photos: data.PhotoRecord[]
}

export interface Check {
  /** @param id of the row they are for */
  seal(scope: Scope, id: string, values: RowValues): Promise<Buffer>
  valuesOf(scope: Scope, row: Pick<data.RowRecord, 'id' | 'sealed'>): Promise<RowValues>
  /** By what rows of one import are compared. */
  keysOf(scope: Scope, values: RowValues): Buffer[]
  /** Looks at an import anew: at all of it, or at what these work numbers and keys touch. */
  all(scope: Scope, one: data.ImportRecord, of?: { numbers: readonly string[]; keys?: readonly Buffer[] }): Promise<void>
  judge(scope: Scope, one: data.ImportRecord, rows: readonly data.RowRecord[], groups: GroupNames): Promise<Judged[]>
  groups(scope: Scope): Promise<GroupNames>
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
  given: Record<string, unknown>,
  ownPassword: boolean,
): boolean {
  return Object.keys(given).every((field) => {
    if (field === 'faceConsent') return given[field] === true ? person.faceConsent === 'given' : person.faceConsent !== 'given'
    if (field === 'personalPassword') return ownPassword
    if (field === 'customFields')
      return (given[field] as { id: string; value: string }[]).every(
        ({ id, value }) => (person.customFields.find((one) => one.id === id)?.value ?? '') === value,
      )
    return JSON.stringify(before[field] ?? '') === JSON.stringify(after[field] ?? '')
  })
}

export function createCheck(platform: Platform, { people, groups, faces, organisation }: ImportsDependencies): Check {
  const db = platform.db as unknown as Database<ImportsTables>
  const { lookup } = people
  const keyOf = (field: string, key: string): Buffer => platform.crypto.blindIndex(`import|${field}|${key}`)
  const keysOf = (scope: Scope, values: Readonly<Record<string, unknown>>): Buffer[] => {
    const keys = lookup.keysOf(scope, numbersOf(values, null))
    return NUMBERS.flatMap((field) => (keys[field] === null ? [] : [keyOf(field, keys[field]!)]))
  }
  async function valuesOf(scope: Scope, { id, sealed }: Pick<data.RowRecord, 'id' | 'sealed'>): Promise<RowValues> {
    if (sealed === null) return {}
    return JSON.parse((await platform.crypto.open(scope.parkId, placeOf(IMPORTED_ROW, id), sealed)).toString('utf8')) as RowValues
  }

  /** What stands in the way of any photograph; null where nothing does. */
  function photoIssue(scope: Scope, kind: string, before: Person | null, consent: unknown): StoredIssue | null {
    if (kind === 'special' || consent === true || before?.faceConsent === 'given') return null
    return before?.faceConsent === 'withdrawn' || lookup.consentRequired(scope) ? { field: 'photo', code: null, rule: 'consent' } : null
  }

  /** What is found wrong with a row by itself and beside the others; its form, parsed, where it has one. */
  async function judge(scope: Scope, one: data.ImportRecord, rows: readonly data.RowRecord[], names: GroupNames): Promise<Judged[]> {
    const { zone } = organisation.park(scope)
    const open = await platform.crypto.opener(scope.parkId)
    const form = people.form(scope)
    const known = new Set(form.fields.map(({ id }) => id))
    const drafts = rows.map((row) => {
      const values =
        row.sealed === null
          ? ({ workNumber: row.workNumber } as RowValues)
          : (JSON.parse(open(placeOf(IMPORTED_ROW, row.id), row.sealed).toString('utf8')) as RowValues)
      const { fields, issues } = givenBy(values, names, zone)
      // A field the park has given up since.
      if (Array.isArray(fields['customFields']))
        fields['customFields'] = (fields['customFields'] as { id: string }[]).filter(({ id }) => known.has(id))
      return { row, fields, issues }
    })
    const [holders, shared, photos] = await Promise.all([
      lookup.holders(
        scope,
        drafts.map(({ fields }) => lookup.keysOf(scope, numbersOf(fields, null))),
      ),
      data.findShared(
        scope,
        db,
        one.id,
        drafts.flatMap(({ row }) => row.keys),
      ),
      data.findPhotosOf(
        scope,
        db,
        rows.map(({ id }) => id),
      ),
    ])
    const holderOf = new Map(holders.map(({ field, key, personId }) => [`${field}|${key}`, personId]))
    const persons = new Map(
      (await lookup.readAll(scope, [...new Set(holders.flatMap(({ field, personId }) => (field === 'workNumber' ? [personId] : [])))])).map(
        (person) => [person.id, person],
      ),
    )
    const photosByRow = Map.groupBy(photos, ({ rowId }) => rowId!)

    const prepared = drafts.map(({ row, fields, issues }) => {
      const keys = lookup.keysOf(scope, numbersOf(fields, null))
      const before = persons.get(holderOf.get(`workNumber|${keys.workNumber ?? ''}`) ?? '') ?? null
      // A file shows moments to the second: what it shows of a moment is that moment.
      for (const field of ['validFrom', 'validTo'] as const) {
        const [given, held] = [fields[field], before?.[field] ?? null]
        if (typeof given === 'number' && held !== null && secondOf(given) === secondOf(held)) fields[field] = held
      }
      const foreign = before !== null && (before.kind === 'special') !== (one.kind === 'special')
      const found: StoredIssue[] = [...issues]
      if (keys.workNumber === null) found.push({ field: 'workNumber', code: null, rule: 'required' })
      // Of the other register: there is nobody here of this number, and nobody can be.
      if (foreign) found.push({ field: 'workNumber', ...TAKEN.workNumber })
      if (before !== null && !foreign && before.status === 0) found.push({ field: 'workNumber', code: 200224, rule: 'code.200224' })
      for (const field of NUMBERS) {
        const key = keys[field]
        if (key === null) continue
        const holder = holderOf.get(`${field}|${key}`)
        const first = shared.get(keyOf(field, key).toString('hex'))
        const others = holder !== undefined && holder !== before?.id
        // What somebody has already, no row before this one takes away; a number of the sheet goes to the first row that has it.
        const later = first !== undefined && first !== row.position && (field === 'workNumber' || holder === undefined)
        if (others || later) found.push({ field, ...TAKEN[field] })
      }
      const base = before === null ? null : formOf(before)
      const draft = base === null ? { groupId: one.groupId, kind: one.kind, ...fields } : { ...base, ...fields }
      const parsed = safeParse(personCreate, draft)
      if (!parsed.success && row.line !== null) {
        const codes = codesOf(parsed.error)
        found.push(...fieldIssuesOf(parsed.error).map((issue) => storedIssue(issue, codes.get(issue.path))))
      }
      const ownPassword =
        keys.personalPassword !== null && before !== null && holderOf.get(`personalPassword|${keys.personalPassword}`) === before.id
      const same =
        before !== null && parsed.success && isSame(before, safeParse(personCreate, base).data ?? {}, parsed.data, fields, ownPassword)
      return {
        row,
        fields,
        before: foreign ? null : before,
        foreign,
        found,
        // A file says nothing of contacts: those there are stay.
        parsed: parsed.success ? ({ ...parsed.data, contacts: undefined } as PersonFields) : null,
        same,
      }
    })
    const asked = prepared.flatMap(({ parsed, row, before }, at) =>
      parsed !== null && row.line !== null ? [{ at, fields: parsed, personId: before?.id ?? null }] : [],
    )
    const checked = await lookup.check(
      scope,
      asked.map(({ fields, personId }) => ({ fields, personId })),
    )
    for (const [index, { at }] of asked.entries()) prepared[at]!.found.push(...checked[index]!.map((issue) => storedIssue(issue)))

    return prepared.map(({ row, fields, before, foreign, found, parsed, same }) => {
      const all = photosByRow.get(row.id) ?? []
      const hindrance = all.length === 0 ? null : photoIssue(scope, one.kind, before, fields['faceConsent'])
      const waiting = all.filter(({ state, reason }) => state === 'waiting' && reason === null)
      const usable = hindrance === null ? waiting : []
      const refused = all.flatMap(({ state, issue, filename }) =>
        state === 'refused' && issue !== null ? [{ ...issue, params: { ...issue.params, filename } }] : [],
      )
      const photoIssues = [...refused, ...(hindrance === null ? [] : [hindrance])]
      // Fields are said once, by what was found first.
      const own = [...new Map(found.toReversed().map((issue) => [issue.field, issue])).values()].toReversed()
      const onlyPhoto = before !== null && (row.line === null || (one.mode === 'createOnly' && !same))
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
      const verdict = (outcome: data.RowVerdict['outcome'], issues: StoredIssue[]): data.RowVerdict => ({
        ...base,
        outcome,
        issues: [...issues, ...photoIssues],
      })
      const result = (said: data.RowVerdict, save: PersonFields | null): Judged => ({
        row,
        verdict: said,
        fields: save,
        person: before,
        photos: usable,
      })
      if (foreign) return result(verdict('refused', own), null)
      if (onlyPhoto) {
        const blocking = own.filter(({ code }) => code === 200224)
        if (blocking.length > 0) return result(verdict('refused', blocking), null)
        if (usable.length > 0) return result({ ...verdict('photo', []), name: before.name }, null)
        if (row.line === null) return result(verdict('refused', []), null)
        return result(verdict('refused', [{ field: 'workNumber', ...TAKEN.workNumber }]), null)
      }
      if (row.line === null) return result(verdict('refused', [{ field: 'workNumber', code: null, rule: 'photoUnknownNumber' }]), null)
      if (own.length > 0 || parsed === null) return result(verdict('refused', own), null)
      if (same) return result(verdict(usable.length > 0 ? 'photo' : 'same', []), null)
      return result(verdict(before === null ? 'create' : 'change', []), parsed)
    })
  }

  /** Says of photographs whose they are. */
  async function place(scope: Scope, one: data.ImportRecord, numbers: readonly string[] | null): Promise<void> {
    const photos = await data.findOpenPhotos(scope, db, one.id, numbers)
    const candidates = [
      ...new Set([
        ...photos.flatMap(({ stem, base, assigned }) => [stem, base, assigned].filter((text): text is string => text !== null)),
        ...(numbers ?? []),
      ]),
    ]
    const none = { phone: null, cardNumber: null, idNumber: null, personalPassword: null }
    const [rows, holders, photoRows] = await Promise.all([
      data.findOpenRows(scope, db, one.id, candidates),
      lookup.holders(
        scope,
        candidates.map((workNumber) => ({ workNumber, ...none })),
      ),
      data.findPhotoRows(scope, db, one.id, numbers),
    ])
    const ids = holders.map(({ personId }) => personId)
    const kinds = new Map((await people.facts(scope, ids)).map(({ id, kind }) => [id, kind]))
    const personOf = new Map(
      holders.flatMap(({ key, personId }) => {
        const kind = kinds.get(personId)
        return kind !== undefined && (kind === 'special') === (one.kind === 'special') ? [[key, personId] as const] : []
      }),
    )
    const sheetRow = new Map<string, string>()
    for (const { id, workNumber, line } of rows) if (line !== null && !sheetRow.has(workNumber)) sheetRow.set(workNumber, id)
    const isKnown = (number: string | null): number is string => number !== null && (sheetRow.has(number) || personOf.has(number))
    const numberOf = ({ assigned, stem, base }: data.PhotoRecord): string | null =>
      assigned !== null ? (isKnown(assigned) ? assigned : null) : isKnown(stem) ? stem : isKnown(base) ? base : null

    const [present, taken] = await Promise.all([
      faces.photosOf(scope, [...personOf.values()]),
      data.findTaken(scope, db, [...personOf.values()]),
    ])
    const places: data.PhotoPlace[] = []
    // Somebody with a line of a spreadsheet needs no other row.
    const wanted = new Map(photoRows.flatMap(({ id, workNumber }) => (sheetRow.has(workNumber) ? [] : [[workNumber, id] as const])))
    const needed = new Set<string>()
    const made: { id: string; workNumber: string }[] = []
    for (const [number, group] of Map.groupBy(photos, numberOf)) {
      if (number === null) {
        places.push(
          ...group.map(({ id, state, reason }) => ({
            id,
            workNumber: null,
            rowId: null,
            reason: state === 'refused' ? (reason ?? 'unreadable') : 'unknownNumber',
          })),
        )
        continue
      }
      const personId = personOf.get(number)
      const held = (personId === undefined ? undefined : present.get(personId)) ?? []
      const seen = new Set(
        taken.flatMap((each) =>
          each.personId === personId && held.some(({ faceId }) => faceId === each.faceId) ? [each.digest.toString('hex')] : [],
        ),
      )
      let room = FACES_PER_PERSON - held.length
      const accepted: { photo: data.PhotoRecord; reason: string | null }[] = group
        .toSorted((left, right) => left.position - right.position || left.filename.localeCompare(right.filename))
        .map((photo) => {
          if (photo.state === 'refused') return { photo, reason: photo.reason }
          const digest = photo.digest.toString('hex')
          if (seen.has(digest)) return { photo, reason: 'twice' }
          seen.add(digest)
          return { photo, reason: room-- > 0 ? null : 'tooMany' }
        })
      const isRefused = (photo: data.PhotoRecord) => photo.state === 'refused'
      let rowId = sheetRow.get(number) ?? wanted.get(number) ?? null
      if (rowId === null && accepted.some(({ reason, photo }) => reason === null && !isRefused(photo))) {
        rowId = newId()
        made.push({ id: rowId, workNumber: number })
      }
      if (accepted.some(({ reason, photo }) => reason === null || isRefused(photo))) needed.add(number)
      // What the run has refused stays with the row it was refused for.
      places.push(
        ...accepted.map(({ photo, reason }) => ({
          id: photo.id,
          workNumber: number,
          rowId: isRefused(photo) ? (rowId ?? photo.rowId) : reason === null ? rowId : null,
          reason,
        })),
      )
    }
    await platform.transaction(async (tx: Tx<ImportsTables>) => {
      await data.insertPhotoRows(scope, tx, one.id, made)
      await data.placePhotos(scope, tx, places)
      await data.deleteRows(
        scope,
        tx,
        photoRows.flatMap(({ id, workNumber }) => (needed.has(workNumber) && !sheetRow.has(workNumber) ? [] : [id])),
      )
    })
  }

  const check: Check = {
    judge,
    valuesOf,
    keysOf,
    seal: (scope, id, values) => platform.crypto.seal(scope.parkId, placeOf(IMPORTED_ROW, id), Buffer.from(JSON.stringify(values))),
    groups: async (scope) => groupNamesOf(await groups.tree(scope)),
    async all(scope, one, of) {
      await place(scope, one, of?.numbers ?? null)
      const names = await check.groups(scope)
      for (let after = 0; ;) {
        const rows = await data.findUnfinished(
          scope,
          db,
          one.id,
          after,
          IMPORT_PAGE_SIZE,
          of === undefined ? {} : { of: { numbers: of.numbers, keys: of.keys ?? [] } },
        )
        if (rows.length === 0) return
        await data.judgeRows(
          scope,
          db,
          (await judge(scope, one, rows, names)).map(({ verdict }) => verdict),
        )
        after = rows.at(-1)!.position
      }
    },
  }
  return check
}
