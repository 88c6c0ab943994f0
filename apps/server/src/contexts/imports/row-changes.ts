/** Rows of an import as their reader mends them: other values, a group that is missing. */
import { fieldIssuesOf } from '@gatehouse/contract'
import { IMPORT_FIELDS } from '@gatehouse/contract/imports/calls'
import type { PersonKind } from '@gatehouse/contract/people/person-fields'
import { groupName as groupNameField } from '@gatehouse/contract/people/fields'
import { groupTypeOf } from '@gatehouse/contract/people/group-type'
import { InvalidRequest, NotFound } from '../../platform/http/refusal.ts'
import type { Scope } from '../../platform/session/session.ts'
import { invalid } from './access.ts'
import { customKey } from './columns.ts'
import type { ImportsParts } from './parts.ts'
import * as rowsData from './rows-data.ts'
import type { ImportsService } from './service-types.ts'
import { CELL_MAX, storedValuesOf } from './sheet-entry.ts'
import { plain, type RowValues } from './values.ts'

/** @throws InvalidRequest for a name that no group may have */
function groupNameOf(text: string): string {
  const { data: name, error } = groupNameField.safeParse(text)
  if (error) throw new InvalidRequest(fieldIssuesOf(error).map((issue) => ({ ...issue, path: 'rowId' })))
  return name
}

type RowChanges = Pick<ImportsService, 'changeRow' | 'addGroup'>

export function createRowChanges({ platform, people, groups, check, access, answers }: ImportsParts): RowChanges {
  const db = platform.db

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

  return {
    async changeRow(scope, language, id, rowId, sent) {
      const one = await access.find(scope, id)
      const fieldKeys = new Set<string>([...IMPORT_FIELDS, ...people.form(scope).fields.map((field) => customKey(field.id))])
      const unknown = Object.keys(sent).filter((key) => !fieldKeys.has(key))
      if (unknown.length > 0) throw new InvalidRequest(unknown.map((key) => ({ path: `values.${key}`, rule: 'unknown' })))
      await access.inTurn(id, async () => {
        const touched = await platform.transaction(async (tx) => {
          await access.lock(tx, scope, id)
          const row = await rowsData.findRow(scope, tx, id, rowId)
          if (row === null) throw new NotFound()
          if (row.finished || row.line === null) invalid('invalid', undefined, 'rowId')
          const before = await check.valuesOf(scope, row)
          const values: RowValues = { ...before }
          for (const [key, text] of Object.entries(sent)) {
            if (text.trim() === '') delete values[key]
            else values[key] = text.trim().slice(0, CELL_MAX)
          }
          const next = await storedValuesOf(check, scope, rowId, values)
          await rowsData.replaceValues(scope, tx, rowId, next)
          platform.audit.note({ entity: 'personImport', id, before: {}, after: { line: row.line, fields: Object.keys(sent) } })
          return { numbers: [row.workNumber, next.workNumber], keys: [...row.keys, ...next.keys] }
        })
        await check.all(scope, one, touched)
      })
      const row = await rowsData.findRow(scope, db, id, rowId)
      if (row === null) throw new NotFound()
      return (await answers.rows(scope, language, [row]))[0]!
    },
    async addGroup(scope, language, id, rowId) {
      const one = await access.find(scope, id)
      await access.inTurn(id, async () => {
        const row = await rowsData.findRow(scope, db, id, rowId)
        if (row === null) throw new NotFound()
        const named = row.issues.find(({ rule }) => rule === 'unknownGroup')?.params?.['name']
        if (row.finished || typeof named !== 'string') return invalid('invalid', undefined, 'rowId')
        await addGroups(scope, one.kind, named)
        platform.audit.note({ entity: 'personImport', id, before: {}, after: { group: named } })
        await check.all(scope, one)
      })
      const row = await rowsData.findRow(scope, db, id, rowId)
      if (row === null) throw new NotFound()
      return (await answers.rows(scope, language, [row]))[0]!
    },
  }
}
