/** Persons whom associated rules let pass at a past moment, read from the histories of their home parks. */
import type { History, HistoryContent, HistoryRevision } from '../../platform/database/history.ts'
import { withDescendants } from '../../platform/tree.ts'

/** An associated rule as recorded in history. */
interface NotedRule extends HistoryContent {
  personGroupIds: string[]
  relationId: string
  linkedPark: string
  everybody: boolean
}

export interface GuestsAt {
  /** Return the persons a strategy let pass, and their home park; null if the strategy is about the park's own persons. */
  of(content: HistoryContent): Promise<{ home: string; personIds: string[] } | null>
  /** Return those of these persons who belonged to a linked park that an earlier call of `of` has read. */
  persons(ids: ReadonlySet<string>): Promise<[id: string, HistoryRevision][]>
}

/** @param moment epoch milliseconds, since `completeSince` */
export function createGuestsAt(history: History, moment: number): GuestsAt {
  const homes = new Map<string, { persons: Promise<Map<string, HistoryRevision>>; groups: Promise<Map<string, HistoryRevision>> }>()

  function homeOf(parkId: string) {
    let home = homes.get(parkId)
    if (home === undefined)
      homes.set(
        parkId,
        (home = { persons: history.allAt({ parkId }, 'person', moment), groups: history.allAt({ parkId }, 'personGroup', moment) }),
      )
    return home
  }

  /** Return the persons named, and those who were in the groups or in groups below them. */
  async function resolved(parkId: string, personIds: readonly string[], groupIds: readonly string[]): Promise<Set<string>> {
    const [persons, groups] = await Promise.all([homeOf(parkId).persons, homeOf(parkId).groups])
    const within = new Set(
      withDescendants(
        [...groups].map(([id, { content }]) => ({ id, parentId: content.parentId as string | null })),
        groupIds,
      ),
    )
    return new Set([
      ...personIds.filter((id) => persons.has(id)),
      ...[...persons].flatMap(([id, { content }]) => (within.has(content.groupId as string) ? [id] : [])),
    ])
  }

  return {
    async of(content) {
      if (content.relationId === undefined) return null
      const { members = [], personGroupIds, relationId, linkedPark, everybody } = content as NotedRule
      const link = await history.at({ parkId: linkedPark }, 'parkRelation', relationId, moment)
      if (link?.content.status !== 'agreed') return { home: linkedPark, personIds: [] }
      const shared = await resolved(linkedPark, link.content.members ?? [], link.content.personGroupIds as string[])
      const chosen = everybody ? shared : await resolved(linkedPark, members, personGroupIds)
      return { home: linkedPark, personIds: [...shared].filter((id) => chosen.has(id)) }
    },
    async persons(ids) {
      const found = await Promise.all([...homes.values()].map(async ({ persons }) => [...(await persons)].filter(([id]) => ids.has(id))))
      return found.flat()
    },
  }
}
