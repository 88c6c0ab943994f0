/** Pairs of the last measurement that may be one person, and the users' answers about them. */
import { NotFound } from '../../platform/http/refusal.ts'
import type { Platform } from '../../platform/context.ts'
import { placeOf } from '../../platform/encryption/sealed-column.ts'
import type { Scope } from '../../platform/session/session.ts'
import * as data from './own-curve-data.ts'
import { DOUBTFUL_PAIRS } from './own-curve-schema.ts'
import type { OwnCurveNeeds } from './own-curve-types.ts'
import type { CloseSide } from './report-closest.ts'
import type { ShownPairs } from './shown-pairs.ts'

export interface StoredPair {
  first: CloseSide
  second: CloseSide
  distance: number
  score: number
}

/** Two ids in the order in which their answer is stored. */
const ordered = (one: string, other: string) => (one < other ? { firstId: one, secondId: other } : { firstId: other, secondId: one })
const keyOf = (one: string, other: string): string => Object.values(ordered(one, other)).join(' ')

export interface DoubtfulPairs {
  /** The pairs without an answer, as far as the caller may see both persons. */
  waiting(scope: Scope, row: data.OwnCurveRow | null): Promise<StoredPair[]>
  /** Store an answer. @throws NotFound for two persons who are no pair in question */
  answer(scope: Scope, row: data.OwnCurveRow | null, pair: { personId: string; otherId: string; samePerson: boolean }): Promise<void>
}

export function createDoubtfulPairs(
  platform: Platform,
  needs: Pick<OwnCurveNeeds, 'persons' | 'unseen'>,
  shown: Pick<ShownPairs, 'seen'>,
): DoubtfulPairs {
  const db = platform.db

  /** Return the pairs of the last measurement that may be one person, as far as the caller may see both persons. */
  async function pairsInQuestion(scope: Scope, row: data.OwnCurveRow | null): Promise<StoredPair[]> {
    if (row === null) return []
    const opened = await platform.crypto.open(scope.parkId, placeOf(DOUBTFUL_PAIRS, scope.parkId), row.doubtful)
    const seen = await shown.seen(scope, JSON.parse(opened.toString('utf8')) as StoredPair[])
    const ids = [...new Set(seen.flatMap(({ first, second }) => [first.personId, second.personId]))]
    const there = new Set((await needs.persons(scope, ids)).map(({ id }) => id))
    return seen.filter(({ first, second }) => there.has(first.personId) && there.has(second.personId))
  }

  /** Whether these two are in question or were answered before, and the caller may see both. */
  async function canAnswer(scope: Scope, row: data.OwnCurveRow | null, personId: string, otherId: string): Promise<boolean> {
    const key = keyOf(personId, otherId)
    const pairs = await pairsInQuestion(scope, row)
    if (pairs.some(({ first, second }) => keyOf(first.personId, second.personId) === key)) return true
    const answers = await data.findAnswers(scope, db)
    if (!answers.some(({ firstId, secondId }) => keyOf(firstId, secondId) === key)) return false
    const [{ ids: unseen }, there] = await Promise.all([needs.unseen(scope), needs.persons(scope, [personId, otherId])])
    return there.length === 2 && !unseen.has(personId) && !unseen.has(otherId)
  }

  return {
    async waiting(scope, row) {
      const [pairs, answers] = await Promise.all([pairsInQuestion(scope, row), data.findAnswers(scope, db)])
      const answered = new Set(answers.map(({ firstId, secondId }) => keyOf(firstId, secondId)))
      return pairs.filter(({ first, second }) => !answered.has(keyOf(first.personId, second.personId)))
    },
    async answer(scope, row, { personId, otherId, samePerson }) {
      if (!(await canAnswer(scope, row, personId, otherId))) throw new NotFound()
      await data.saveAnswer(scope, db, { ...ordered(personId, otherId), samePerson }, platform.clock.now())
      platform.audit.note({ entity: 'faceOwnCurve', id: scope.parkId, after: { ...ordered(personId, otherId), samePerson } })
    },
  }
}
