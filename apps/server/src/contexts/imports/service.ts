/** Imports: made, given files, looked at, started, ended. */
import type { z } from 'zod'
import { fieldIssuesOf, type Language } from '@gatehouse/contract'
import { personGroupType } from '@gatehouse/contract/enums'
import { fileSizeIssue } from '@gatehouse/contract/files'
import {
  IMPORT_FIELDS,
  type ImportPhoto,
  type ImportRow,
  type PersonImport,
  type importCalls,
  type photoBoardGroup,
} from '@gatehouse/contract/imports/calls'
import type { PersonGroupNode, PersonKind } from '@gatehouse/contract/people/calls'
import { groupName as groupNameField } from '@gatehouse/contract/people/fields'
import { groupTypeOf } from '@gatehouse/contract/people/group-type'
import type { WorkState } from '@gatehouse/contract/work'
import type { FileAnswer, Platform } from '../../platform/context.ts'
import type { Database, Tx } from '../../platform/database/database.ts'
import { newId } from '../../platform/database/ids.ts'
import type { Paging } from '../../platform/database/page.ts'
import { defineParser } from '../../platform/documents/parser.ts'
import type { ReceivedFile } from '../../platform/http/received-file.ts'
import { InvalidRequest, NotFound, Refusal, refuse } from '../../platform/http/refusal.ts'
import { seesWatchList, type Scope, type Session } from '../../platform/session/session.ts'
import { looksZipped } from '../../platform/documents/zip-mark.ts'
import type { Check } from './check.ts'
import { customKey, headOf, headingOf, type Head } from './columns.ts'
import * as data from './data.ts'
import { isExample } from './guide.ts'
import type { ImportsDependencies } from './index.ts'
import { photosOf, type PhotoFile } from './photo-files.ts'
import { RUN, type Run } from './run.ts'
import type { ImportsTables } from './schema.ts'
import type { parse, SheetRow } from './sheet-parser.ts'
import { createSheets } from './sheets.ts'
import { isNothing, plain, type RowValues } from './values.ts'
import { issueIn, strayWords, toldTo } from './words.ts'

type Body<Name extends 'create'> = z.output<(typeof importCalls)[Name]['body']>
type PageOf<Row> = { total: number; content: Row[] } & Paging

/** A photograph whose bytes are on the disk. */
type EnteredPhoto = PhotoFile & { digest: Buffer; fileId: string | null }

export interface ImportsService {
  list(session: Session, language: Language, query: Paging): Promise<PageOf<PersonImport>>
  read(session: Session, language: Language, id: string): Promise<PersonImport>
  create(session: Session, body: Body<'create'>): Promise<string>
  addRows(session: Session, language: Language, id: string, file: ReceivedFile | null): Promise<PersonImport>
  addPhotos(session: Session, language: Language, id: string, file: ReceivedFile | null): Promise<PersonImport>
  rows(session: Session, language: Language, id: string, query: data.RowQuery): Promise<PageOf<ImportRow>>
  changeRow(session: Session, language: Language, id: string, rowId: string, values: Record<string, string>): Promise<ImportRow>
  /** @throws InvalidRequest the row names no group that is missing; Refusal 200107 somebody has just added it; NotFound */
  addGroup(session: Session, language: Language, id: string, rowId: string): Promise<ImportRow>
  strayPhotos(session: Session, language: Language, id: string, query: Paging): Promise<PageOf<ImportPhoto>>
  assignPhoto(session: Session, id: string, photoId: string, workNumber: string): Promise<string>
  start(session: Session, language: Language, id: string): Promise<PersonImport>
  cancel(session: Session, language: Language, id: string): Promise<PersonImport>
  delete(session: Session, id: string): Promise<string>
  refused(session: Session, language: Language, id: string): Promise<FileAnswer>
  template(session: Session, language: Language, format: 'xlsx' | 'csv'): FileAnswer
  photoBoard(session: Session, kind: PersonKind): Promise<z.output<typeof photoBoardGroup>[]>
  /** Removes imports nobody needs any more, in all parks; answers how many. */
  removeOld(): Promise<number>
}

const DAY = 86_400_000
const KEPT_DAYS = 30
/** Rows of one spreadsheet. */
const ROWS_MAX = 50_000
/** Characters of a cell that are kept: more than any field takes. */
const CELL_MAX = 300
/** Photographs entered in one transaction. */
const PHOTO_BATCH = 20
/** Photographs in memory at a time. */
const WRITTEN_AT_ONCE = 4
const UNKNOWN_COLUMNS_MAX = 20

const sheetParser = defineParser<typeof parse>('sheet', new URL('./sheet-parser.ts', import.meta.url), { workMs: 120_000, ahead: 25 })

const invalid = (rule: string, params?: Record<string, string | number>, path = 'file'): never => {
  throw new InvalidRequest([{ path, rule, ...(params && { params }) }])
}

/** @throws InvalidRequest what no group may be called */
function groupNameOf(text: string): string {
  const { data: name, error } = groupNameField.safeParse(text)
  if (error) throw new InvalidRequest(fieldIssuesOf(error).map((issue) => ({ ...issue, path: 'rowId' })))
  return name
}

export function createImportsService(platform: Platform, dependencies: ImportsDependencies, check: Check, run: Run): ImportsService {
  const { people, groups, faces } = dependencies
  const db = platform.db as unknown as Database<ImportsTables>
  const sheets = createSheets(platform, check)
  const formOf = (scope: Scope) => people.form(scope).fields
  const actorOf = ({ userId, account, operator, kind }: Session): data.Actor => ({ userId, account, operator, userKind: kind })

  /** Kinds of persons whom the caller may know of. */
  const kindsFor = ({ scope }: Session): PersonKind[] => ['staff', 'customer', ...(seesWatchList(scope) ? (['special'] as const) : [])]

  async function existing(session: Session, id: string): Promise<data.ImportRecord> {
    const one = await data.findImport(session.scope, db, id)
    if (one === null || !kindsFor(session).includes(one.kind)) throw new NotFound()
    return one
  }

  /** Of one import one at a time: two uploads that are looked at together would each miss what the other brought. */
  const turns = new Map<string, Promise<unknown>>()
  function inTurn<T>(id: string, work: () => Promise<T>): Promise<T> {
    const before = turns.get(id) ?? Promise.resolve()
    const mine = before.catch(() => {}).then(work)
    turns.set(id, mine)
    void mine.catch(() => {}).finally(() => turns.get(id) === mine && turns.delete(id))
    return mine
  }

  /** Holds an import that takes changes, until the transaction ends. */
  async function held(tx: Tx<ImportsTables>, scope: Scope, id: string): Promise<data.ImportRecord> {
    const one = await data.holdImport(scope, tx, id)
    if (one === null) throw new NotFound()
    if (one.state === 'running') invalid('importRunning', undefined, '')
    return one
  }

  async function workOf(scope: Scope, one: data.ImportRecord, { open, failed }: data.Counts): Promise<WorkState | null> {
    if (one.workId === null || one.startedAt === null || one.state === 'draft') return null
    const under = one.state === 'running' ? await platform.work.read(scope, one.workId) : null
    // It ended in the very moment in which this import was handed to it: another one takes it up.
    if (one.state === 'running' && (under === null || under.state === 'done' || under.state === 'failed' || under.state === 'cancelled'))
      await platform.transaction(async (tx: Tx<ImportsTables>) => void (await run.request(tx, scope)))
    const state = one.state === 'running' ? (under?.state === 'running' ? 'running' : 'waiting') : one.state
    const done = Math.max(0, Math.min(one.runTotal, one.runTotal - open))
    return {
      id: one.workId,
      kind: RUN,
      state,
      done,
      total: one.runTotal,
      failed,
      createdAt: one.startedAt,
      startedAt: one.startedAt,
      endedAt: one.endedAt,
      reason: one.reason,
    }
  }

  async function present(scope: Scope, language: Language, imports: readonly data.ImportRecord[]): Promise<PersonImport[]> {
    const [counts, names] = await Promise.all([
      data.countAll(
        scope,
        db,
        imports.map(({ id }) => id),
      ),
      groups.names(
        scope,
        imports.map(({ groupId }) => groupId),
      ),
    ])
    const nameOf = new Map(names.map(({ id, name }) => [id, name]))
    return Promise.all(
      imports.map(async (one) => {
        const { rows, photos, photosMatched, photosRefused, ...rest } = counts.get(one.id)!
        const columns = one.unknownColumns.join(', ')
        return {
          id: one.id,
          kind: one.kind,
          mode: one.mode,
          groupId: one.groupId,
          groupName: nameOf.get(one.groupId) ?? '',
          state: one.state,
          rows,
          open: rest.open,
          photos,
          photosMatched,
          photosRefused,
          issues: columns === '' ? [] : [issueIn(language, { field: 'file', code: null, rule: 'sheetColumns', params: { columns } })],
          createdBy: one.operator,
          createdAt: one.createdAt,
          work: await workOf(scope, one, { rows, photos, photosMatched, photosRefused, ...rest }),
        }
      }),
    )
  }

  async function read(session: Session, language: Language, id: string): Promise<PersonImport> {
    return (await present(session.scope, language, [await existing(session, id)]))[0]!
  }

  async function presentRows(scope: Scope, language: Language, rows: readonly data.RowRecord[]): Promise<ImportRow[]> {
    const personIds = rows.flatMap(({ finished, personId }) => (finished && personId !== null ? [personId] : []))
    const [photos, faces_] = await Promise.all([
      data.findPhotosOf(
        scope,
        db,
        rows.map(({ id }) => id),
      ),
      faces.photosOf(scope, personIds),
    ])
    const thumbnails = new Map([...faces_.values()].flat().map(({ faceId, thumbnail }) => [faceId, thumbnail]))
    return Promise.all(
      rows.map(async (row) => {
        const values = await check.valuesOf(scope, row)
        return {
          id: row.id,
          line: row.line,
          outcome: row.outcome,
          finished: row.finished,
          personId: row.personId,
          name: row.name,
          workNumber: row.workNumber,
          groupName: row.groupName,
          phone: values.phone ?? '',
          values: Object.fromEntries(Object.entries(values).filter(([field]) => !APART.has(field))),
          photos: photos.flatMap(({ id, rowId, filename, fileId, faceId }) =>
            rowId !== row.id
              ? []
              : [
                  {
                    id,
                    filename,
                    thumbnail: fileId === null ? (thumbnails.get(faceId ?? '') ?? '') : platform.storage.address(scope, fileId, '96'),
                  },
                ],
          ),
          issues: row.issues.map((issue) => issueIn(language, toldTo(scope, issue))),
        }
      }),
    )
  }

  /** Adds what is missing of a path of groups, from the top. @param path names with `/` between them, as a cell has them */
  async function addGroups(scope: Scope, kind: PersonKind, path: string): Promise<void> {
    const type = groupTypeOf(kind)
    let among = await groups.tree(scope, [type])
    let parentId: string | null = null
    for (const name of path.split(/[/／]/).map((part) => part.trim())) {
      const there = among.find((group) => plain(group.name) === plain(name))
      parentId = there?.id ?? (await groups.create(scope, { name: groupNameOf(name), parentId, type }))
      among = there?.children ?? []
    }
  }

  /** Rows of a spreadsheet as they are entered: their cells by field, encrypted. */
  async function newRows(scope: Scope, head: Head, rows: readonly SheetRow[]): Promise<data.NewRow[]> {
    const made: data.NewRow[] = []
    for (const { line, cells } of rows) {
      const values: RowValues = {}
      for (const [at, key] of head.keys.entries()) {
        const text = cells[at] ?? ''
        if (key !== null && !isNothing(key, text)) values[key] = text
      }
      if (Object.keys(values).length === 0 || isExample(values)) continue
      const id = newId()
      made.push({ id, line, ...(await rowOf(scope, id, values)) })
    }
    return made
  }

  const rowOf = async (
    scope: Scope,
    id: string,
    values: RowValues,
  ): Promise<Pick<data.NewRow, 'workNumber' | 'name' | 'sealed' | 'keys'>> => ({
    workNumber: values.workNumber ?? '',
    name: values.name ?? '',
    sealed: await check.seal(scope, id, values),
    keys: check.keysOf(scope, values),
  })

  /** Enters a photograph in place of one of the same name. Answers the work numbers it may touch. */
  async function enterPhotos(scope: Scope, importId: string, photos: readonly EnteredPhoto[]): Promise<string[]> {
    if (photos.length === 0) return []
    const spare: string[] = []
    const touched = await platform.transaction(async (tx: Tx<ImportsTables>) => {
      await held(tx, scope, importId)
      const there = new Map(
        (
          await data.findNamed(
            scope,
            tx,
            importId,
            photos.map(({ stem }) => stem),
          )
        ).map((photo) => [photo.stem, photo]),
      )
      const numbers: string[] = []
      for (const photo of photos) {
        const before = there.get(photo.stem)
        // The same once more: it is there, or was used.
        if (before !== undefined && before.digest.equals(photo.digest) && before.state !== 'refused') {
          if (photo.fileId !== null) spare.push(photo.fileId)
          continue
        }
        if (before !== undefined) {
          await data.deletePhotos(scope, tx, [before.id])
          if (before.fileId !== null) await platform.storage.release(tx, scope, [before.fileId])
          if (before.workNumber !== null) numbers.push(before.workNumber)
        }
        const id = newId()
        const { filename, stem, base, position, digest, fileId, issue } = photo
        if (fileId !== null) await platform.storage.keepCapture(tx, scope, fileId)
        await data.insertPhoto(scope, tx, importId, {
          id,
          filename,
          stem,
          base,
          position,
          digest,
          fileId,
          state: issue === null ? 'waiting' : 'refused',
          reason: issue === null ? 'unknownNumber' : 'unreadable',
          issue,
        })
        there.set(stem, {
          id,
          filename,
          stem,
          base,
          position,
          digest,
          fileId,
          state: issue === null ? 'waiting' : 'refused',
          reason: null,
          issue,
          assigned: null,
          workNumber: null,
          rowId: null,
          faceId: null,
        })
        numbers.push(stem, ...(base === null ? [] : [base]))
      }
      await data.reopenImport(scope, tx, importId)
      return numbers
    })
    for (const fileId of spare) await platform.storage.discardCapture(fileId)
    return touched
  }

  const service: ImportsService = {
    read,
    async list(session, language, query) {
      const { content, total } = await data.listImports(session.scope, db, kindsFor(session), query)
      return { total, content: await present(session.scope, language, content), page: query.page, size: query.size }
    },
    async create(session, { kind, mode, groupId }) {
      if (!kindsFor(session).includes(kind)) throw new NotFound()
      const [group] = await groups.types(session.scope, [groupId])
      if (group === undefined) invalid('unknown', undefined, 'groupId')
      if ((kind === 'special') !== (group!.type === personGroupType.blacklist)) invalid('kindOfGroup', undefined, 'groupId')
      const id = newId()
      await platform.transaction(async (tx: Tx<ImportsTables>) => {
        await data.insertImport(session.scope, tx, { id, kind, mode, groupId, ...actorOf(session) }, platform.clock.now())
        platform.audit.note({ entity: 'personImport', id, after: { kind, mode, groupName: group!.name } })
      })
      return id
    },
    async addRows(session, language, id, file) {
      const { scope } = session
      await existing(session, id)
      if (file === null) return invalid('required')
      const tooLarge = fileSizeIssue('import', file.size)
      if (tooLarge !== null) throw new InvalidRequest([tooLarge])
      const form = formOf(scope)
      const uploadId = newId()
      let [head, count]: [Head | null, number] = [null, 0]
      await inTurn(id, async () => {
        const pieces = platform.parsing.pieces(scope, sheetParser, file, { cellMax: CELL_MAX })
        // Its turn comes before the transaction begins: what waits holds nothing.
        const first = await pieces.next()
        await platform
          .transaction(async (tx: Tx<ImportsTables>) => {
            await held(tx, scope, id)
            for (let found = first; found.done !== true; found = await pieces.next()) {
              let rows = found.value
              if (head === null) {
                head = headOf(rows[0]!.cells, form)
                rows = rows.slice(1)
                if (!head.keys.includes('workNumber')) invalid('sheetHead', { columns: headingOf(language, 'workNumber') })
              }
              count += rows.length
              if (count > ROWS_MAX) invalid('sheetRows', { limit: ROWS_MAX })
              await data.insertRows(scope, tx, id, uploadId, await newRows(scope, head, rows))
            }
            if (head === null) invalid('sheetHead', { columns: headingOf(language, 'workNumber') })
            await data.noteUnknownColumns(scope, tx, id, head!.unknown.slice(0, UNKNOWN_COLUMNS_MAX))
            await data.reopenImport(scope, tx, id)
            platform.audit.note({ entity: 'personImport', id, before: {}, after: { rows: count } })
          })
          .finally(() => pieces.return(undefined))
        await check.all(scope, await existing(session, id))
      })
      return read(session, language, id)
    },
    async addPhotos(session, language, id, file) {
      const { scope } = session
      const one = await existing(session, id)
      if (file === null || file.size === 0) return invalid('required')
      const single = !looksZipped(await file.read(0, 4))
      await inTurn(id, async () => {
        const touched = new Set<string>()
        let count = 0
        let batch: EnteredPhoto[] = []
        let writing: Promise<EnteredPhoto>[] = []
        const write = async (photo: PhotoFile): Promise<EnteredPhoto> => {
          const fileId =
            photo.bytes === null || photo.issue?.code === 200206 ? null : await platform.storage.writeOriginal(scope, photo.bytes)
          return { ...photo, bytes: null, digest: platform.crypto.blindIndex(await digestOf(photo.bytes, photo.stem)), fileId }
        }
        const written = async (): Promise<void> => {
          batch.push(...(await Promise.all(writing)))
          writing = []
        }
        const flush = async (): Promise<void> => {
          await written()
          const entering = batch
          batch = []
          try {
            for (const number of await enterPhotos(scope, id, entering)) touched.add(number)
          } catch (error) {
            for (const { fileId } of entering) if (fileId !== null) await platform.storage.discardCapture(fileId)
            throw error
          }
        }
        for await (const photo of photosOf(platform.parsing, scope, file)) {
          // One alone is answered at once; of many each is listed with its reason.
          if (single && photo.issue !== null)
            throw new Refusal(photo.issue.code as 200205, { fields: [{ path: 'file', rule: photo.issue.rule }] })
          if (photo.stem === '') continue
          writing.push(write(photo))
          count++
          if (writing.length >= WRITTEN_AT_ONCE) await written()
          if (batch.length >= PHOTO_BATCH) await flush()
        }
        await flush()
        platform.audit.note({ entity: 'personImport', id, before: {}, after: { photos: count } })
        await check.all(scope, one, { numbers: [...touched] })
      })
      return read(session, language, id)
    },
    async rows(session, language, id, query) {
      await existing(session, id)
      const { content, total } = await data.listRows(session.scope, db, id, query)
      return { total, content: await presentRows(session.scope, language, content), page: query.page, size: query.size }
    },
    async changeRow(session, language, id, rowId, sent) {
      const { scope } = session
      const one = await existing(session, id)
      const known = new Set<string>([...IMPORT_FIELDS, ...formOf(scope).map((field) => customKey(field.id))])
      const unknown = Object.keys(sent).filter((key) => !known.has(key))
      if (unknown.length > 0) throw new InvalidRequest(unknown.map((key) => ({ path: `values.${key}`, rule: 'unknown' })))
      await inTurn(id, async () => {
        const touched = await platform.transaction(async (tx: Tx<ImportsTables>) => {
          await held(tx, scope, id)
          const row = await data.findRow(scope, tx, id, rowId)
          if (row === null) throw new NotFound()
          if (row.finished || row.line === null) invalid('invalid', undefined, 'rowId')
          const before = await check.valuesOf(scope, row)
          const values: RowValues = { ...before }
          for (const [key, text] of Object.entries(sent)) {
            if (text.trim() === '') delete values[key]
            else values[key] = text.trim().slice(0, CELL_MAX)
          }
          const next = await rowOf(scope, rowId, values)
          await data.replaceValues(scope, tx, rowId, next)
          platform.audit.note({ entity: 'personImport', id, before: {}, after: { line: row.line, fields: Object.keys(sent) } })
          return { numbers: [row.workNumber, next.workNumber], keys: [...row.keys, ...next.keys] }
        })
        await check.all(scope, one, touched)
      })
      const row = await data.findRow(scope, db, id, rowId)
      if (row === null) throw new NotFound()
      return (await presentRows(scope, language, [row]))[0]!
    },
    async addGroup(session, language, id, rowId) {
      const { scope } = session
      const one = await existing(session, id)
      await inTurn(id, async () => {
        const row = await data.findRow(scope, db, id, rowId)
        if (row === null) throw new NotFound()
        const named = row.issues.find(({ rule }) => rule === 'unknownGroup')?.params?.['name']
        if (row.finished || typeof named !== 'string') return invalid('invalid', undefined, 'rowId')
        await addGroups(scope, one.kind, named)
        platform.audit.note({ entity: 'personImport', id, before: {}, after: { group: named } })
        await check.all(scope, one)
      })
      const row = await data.findRow(scope, db, id, rowId)
      if (row === null) throw new NotFound()
      return (await presentRows(scope, language, [row]))[0]!
    },
    async strayPhotos(session, language, id, query) {
      const { scope } = session
      await existing(session, id)
      const { content, total } = await data.listStray(scope, db, id, query)
      const rows = content.map(({ id: photoId, filename, fileId, reason, issue }) => ({
        id: photoId,
        filename,
        thumbnail: fileId === null ? '' : platform.storage.address(scope, fileId, '96'),
        reason: reason as ImportPhoto['reason'],
        words: strayWords(language, reason!, issue),
      }))
      return { total, content: rows, page: query.page, size: query.size }
    },
    async assignPhoto(session, id, photoId, workNumber) {
      const { scope } = session
      const one = await existing(session, id)
      await inTurn(id, async () => {
        const before = await platform.transaction(async (tx: Tx<ImportsTables>) => {
          await held(tx, scope, id)
          const photo = await data.findPhoto(scope, tx, id, photoId)
          if (photo === null) throw new NotFound()
          if (photo.state !== 'waiting') invalid('invalid', undefined, 'photoId')
          await data.assignPhoto(scope, tx, photoId, workNumber)
          platform.audit.note({ entity: 'personImport', id, before: {}, after: { photo: photo.filename, workNumber } })
          return photo
        })
        await check.all(scope, one, {
          numbers: [workNumber, ...[before.workNumber, before.assigned, before.stem, before.base].filter((number) => number !== null)],
        })
      })
      return photoId
    },
    async start(session, language, id) {
      const { scope } = session
      await inTurn(id, async () => {
        const one = await existing(session, id)
        if (one.state === 'running') {
          await platform.transaction(async (tx: Tx<ImportsTables>) => void (await run.request(tx, scope)))
          return
        }
        await check.all(scope, one)
        await platform.transaction(async (tx: Tx<ImportsTables>) => {
          await held(tx, scope, id)
          const { rows, open } = (await data.countAll(scope, tx, [id])).get(id)!
          const workId = await run.request(tx, scope)
          await data.startImport(scope, tx, id, { ...actorOf(session), workId, runTotal: open }, platform.clock.now())
          platform.audit.note({ entity: 'personImport', id, before: {}, after: { ...rows, running: open } })
        })
      })
      return read(session, language, id)
    },
    async cancel(session, language, id) {
      await existing(session, id)
      await platform.transaction(async (tx: Tx<ImportsTables>) => {
        if (await data.endImport(session.scope, tx, id, 'cancelled', null, platform.clock.now()))
          platform.audit.note({ entity: 'personImport', id, before: { state: 'running' }, after: { state: 'cancelled' } })
      })
      return read(session, language, id)
    },
    async delete(session, id) {
      await existing(session, id)
      await inTurn(id, () => remove(session.scope, id))
      return id
    },
    async refused(session, language, id) {
      const one = await existing(session, id)
      return sheets.refused(session, language, formOf(session.scope), one.id)
    },
    template: (session, language, format) => sheets.template(session, language, formOf(session.scope), format),
    async photoBoard(session, kind) {
      if (!kindsFor(session).includes(kind)) return []
      const [counts, tree] = await Promise.all([people.lookup.photoCounts(session.scope, kind), groups.tree(session.scope)])
      const countOf = new Map(counts.map((one) => [one.groupId, one]))
      const flat = (nodes: readonly PersonGroupNode[]): PersonGroupNode[] => nodes.flatMap((node) => [node, ...flat(node.children)])
      return flat(tree).flatMap(({ id: groupId, name: groupName, parentId }) => {
        const count = countOf.get(groupId)
        return count === undefined ? [] : [{ groupId, groupName, parentId, persons: count.persons, withoutPhoto: count.withoutPhoto }]
      })
    },
    async removeOld() {
      const old = await data.findOldUnscoped(db, platform.clock.now() - KEPT_DAYS * DAY)
      for (const { id, parkId } of old) await inTurn(id, () => remove({ parkId }, id))
      return old.length
    },
  }

  /** @throws Refusal 900109 while it runs */
  async function remove(scope: Scope, id: string): Promise<void> {
    await platform.transaction(async (tx: Tx<ImportsTables>) => {
      const one = await data.holdImport(scope, tx, id)
      if (one === null) throw new NotFound()
      if (one.state === 'running') refuse(900109)
      await platform.storage.release(tx, scope, await data.deleteImport(scope, tx, id))
      platform.audit.note({ entity: 'personImport', id, before: { kind: one.kind, mode: one.mode } })
    })
  }

  return service
}

/** Cells a row has a field of its own for, and those that are shown to nobody. */
const APART: ReadonlySet<string> = new Set(['name', 'phone', 'idNumber', 'personalPassword'])

/** By what two photographs are told to be the same file. One that could not be read is only itself. */
async function digestOf(bytes: Uint8Array | null, stem: string): Promise<string> {
  if (bytes === null) return `photo|${stem}|${newId()}`
  return `photo|${Buffer.from(await crypto.subtle.digest('SHA-256', bytes as Uint8Array<ArrayBuffer>)).toString('hex')}`
}
