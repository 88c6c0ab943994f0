/** Which trees of groups exist for whoever asks. */
import { personGroupType } from '@gatehouse/contract/enums/people'
import { seesWatchList, type Scope } from '../../platform/session/session.ts'

/** For whom the watch list does not exist, its groups do not either. */
export const seenTypes = (scope: Scope): readonly number[] =>
  personGroupType.values.filter((type) => type !== personGroupType.blacklist || seesWatchList(scope))
