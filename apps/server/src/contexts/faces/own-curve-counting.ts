/** The inputs of a measurement of a park's own curve: photographs, answers, and who may come to which doors. */
import type { Platform } from '../../platform/context.ts'
import { seeingAll, seeingNoWatchList, type Scope } from '../../platform/session/session.ts'
import { countFaces } from './embedding-data.ts'
import * as data from './own-curve-data.ts'
import type { OwnCurveNeeds } from './own-curve-types.ts'

/**
 * Return the number of persons whose photographs may count, and a text that changes with everything the measurement depends on.
 * Persons of the watch list are left out: doors do not store them.
 */
export type CountPersons = (scope: Scope) => Promise<{ persons: number; stamp: string }>

export function createPersonCount(platform: Platform, needs: Pick<OwnCurveNeeds, 'engine' | 'demoPersons' | 'doorGroups'>): CountPersons {
  const db = platform.db
  const { modelId } = needs.engine
  const sum = (counts: readonly { count: number }[]) => counts.reduce((all, { count }) => all + count, 0)

  return async (of) => {
    const scope = seeingNoWatchList(seeingAll(of))
    const { persons } = await countFaces(scope, db, modelId)
    const drawn = await countFaces(scope, db, modelId, [...(await needs.demoPersons(scope))])
    const answers = await data.findAnswers(of, db)
    const doors = needs.doorGroups(of).map(({ id, personIds }) => [id, Math.round(4 * Math.log2(personIds.length + 1))])
    return {
      persons: sum(persons) - sum(drawn.persons),
      stamp: JSON.stringify([persons, drawn.persons, answers.filter(({ samePerson }) => samePerson).length, answers.length, doors]),
    }
  }
}
