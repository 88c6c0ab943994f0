/** Those who would gain or lose doors, as a list whose state ends with the drawer. */
import { PAGE_SIZE_DEFAULT } from '@gatehouse/contract'
import type { AffectedPerson } from '@gatehouse/contract/questions/calls'
import type { AnyCall, PartsOf } from '../../api/http.ts'
import { useRead } from '../../api/query.ts'
import type { List } from '../../kit/list/useList.ts'
import { useListOf, useLocalQuery } from '../../kit/list/useLocalList.ts'
import type { Direction } from './effectWords.ts'
import { EFFECT_CALLS, type EffectOf } from './useEffectOf.ts'

interface AffectedQuery {
  what: Direction
  deviceId?: string | undefined
}

/** @param body what the form holds @param what whom it opens with */
export function useAffected(of: EffectOf, body: Record<string, unknown>, what: Direction): List<AffectedPerson, AffectedQuery> {
  const state = useLocalQuery<AffectedQuery>({ what }, PAGE_SIZE_DEFAULT)
  const answer = useRead(EFFECT_CALLS[of].persons as AnyCall, { body: { ...body, ...state.query } } as unknown as PartsOf<AnyCall>)
  return useListOf<AffectedPerson, AffectedQuery>('affectedPersons', state, answer, ['what'])
}
