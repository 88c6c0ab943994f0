/** Who may know of persons to look out for. */
import { holds } from '@gatehouse/contract/conditions'
import { NotFound } from '../../platform/refusal.ts'
import type { Session } from '../../platform/session.ts'
import type { PeopleService } from './service.ts'

export const seesSpecial = ({ circumstances }: Session): boolean => holds('notOther', circumstances)

/** For whom they are not there, asking for one by anybody's calls is asking for nobody. @throws NotFound */
export async function assertSeen(people: Pick<PeopleService, 'describe'>, session: Session, ids: readonly string[]): Promise<void> {
  if (!seesSpecial(session) && (await people.describe(session.scope, ids)).some(({ kind }) => kind === 'special')) throw new NotFound()
}
