/** Staff as those who are visited. */
import type { Scope } from '../../platform/session/session.ts'
import type { VisitorsDependencies } from './dependencies.ts'

export interface Host {
  id: string
  name: string
  workNumber: string
  groupName: string
}

export interface Hosts {
  /** Return enabled staff whom a text finds, as the list of persons would. */
  named(scope: Scope, text: string): Promise<Host[]>
  /** Return the group of a member of staff; null for no one, and for any other person. */
  groupOf(scope: Scope, personId: string | null): Promise<string | null>
}

const HOSTS_SHOWN = 20

export function createHosts({ people }: Pick<VisitorsDependencies, 'people'>): Hosts {
  return {
    async named(scope, keyword) {
      const { content } = await people.list(scope, { keyword, kind: 'staff', status: 1, page: 1, size: HOSTS_SHOWN })
      return content.map(({ id, name, workNumber, groupName }) => ({ id, name, workNumber, groupName }))
    },
    async groupOf(scope, personId) {
      if (personId === null) return null
      const [person] = await people.facts(scope, [personId])
      return person?.kind === 'staff' ? person.groupId : null
    },
  }
}
