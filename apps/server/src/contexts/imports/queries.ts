/** What is read of imports: lists, rows, stray photographs, files. */
import type { ImportPhoto } from '@gatehouse/contract/imports/calls'
import type { PersonGroupNode } from '@gatehouse/contract/people/groups'
import { canSeeKind } from '../people/index.ts'
import * as data from './data.ts'
import type { ImportsParts } from './parts.ts'
import * as photosData from './photos-data.ts'
import * as rowsData from './rows-data.ts'
import type { ImportsService } from './service-types.ts'
import { createSheets } from './sheets.ts'
import { strayWords } from './words.ts'

type Queries = Pick<ImportsService, 'list' | 'read' | 'rows' | 'strayPhotos' | 'refused' | 'template' | 'photoBoard'>

export function createImportQueries({ platform, people, groups, check, access, answers }: ImportsParts): Queries {
  const db = platform.db
  const sheets = createSheets(platform, check)
  return {
    read: answers.read,
    async list(scope, language, query) {
      const { content, total } = await data.listImports(scope, db, query)
      return { total, content: await answers.imports(scope, language, content), page: query.page, size: query.size }
    },
    async rows(scope, language, id, query) {
      await access.find(scope, id)
      const { content, total } = await rowsData.listRows(scope, db, id, query)
      return { total, content: await answers.rows(scope, language, content), page: query.page, size: query.size }
    },
    async strayPhotos(scope, language, id, query) {
      await access.find(scope, id)
      const { content, total } = await photosData.listStray(scope, db, id, query)
      const rows = content.map(({ id: photoId, filename, fileId, reason, issue }) => ({
        id: photoId,
        filename,
        thumbnail: fileId === null ? '' : platform.storage.address(scope, fileId, '96'),
        reason: reason as ImportPhoto['reason'],
        words: strayWords(language, reason!, issue),
      }))
      return { total, content: rows, page: query.page, size: query.size }
    },
    async refused(session, language, id) {
      const one = await access.find(session.scope, id)
      return sheets.refused(session, language, people.form(session.scope).fields, one.id)
    },
    template: (session, language, format) => sheets.template(session, language, people.form(session.scope).fields, format),
    async photoBoard(scope, kind) {
      if (!canSeeKind(scope, kind)) return []
      const [counts, tree] = await Promise.all([people.lookup.photoCounts(scope, kind), groups.tree(scope)])
      const countOf = new Map(counts.map((one) => [one.groupId, one]))
      const flat = (nodes: readonly PersonGroupNode[]): PersonGroupNode[] => nodes.flatMap((node) => [node, ...flat(node.children)])
      return flat(tree).flatMap(({ id: groupId, name: groupName, parentId }) => {
        const count = countOf.get(groupId)
        return count === undefined ? [] : [{ groupId, groupName, parentId, persons: count.persons, withoutPhoto: count.withoutPhoto }]
      })
    },
  }
}
