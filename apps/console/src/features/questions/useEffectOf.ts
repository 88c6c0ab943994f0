/** The effect of saving a form as it is, read again a moment after each change. */
import { keepPreviousData, useQuery, type UseQueryResult } from '@tanstack/react-query'
import { Form } from 'antd'
import { effectCalls, type ChangeEffect } from '@gatehouse/contract/questions/effects'
import { questionCalls, type Effect, type RuleEffect } from '@gatehouse/contract/questions/calls'
import type { AnyCall, LooseParts } from '../../api/http.ts'
import { readOptions } from '../../api/query.ts'
import type { Refusal } from '../../api/refusal.ts'
import { check } from '../../api/schema.ts'
import { useSettled } from '../../kit/useSettled.ts'

export const EFFECT_CALLS = {
  strategy: { effect: questionCalls.strategyEffect, persons: questionCalls.strategyEffectPersons },
  rule: { effect: questionCalls.ruleEffect, persons: questionCalls.ruleEffectPersons },
  accessGroup: { effect: effectCalls.accessGroup, persons: effectCalls.accessGroupPersons },
  personMove: { effect: effectCalls.personMove, persons: effectCalls.personMovePersons },
  personGroup: { effect: effectCalls.personGroup, persons: effectCalls.personGroupPersons },
  deviceMove: { effect: effectCalls.deviceMove, persons: effectCalls.deviceMovePersons },
  deviceGroup: { effect: effectCalls.deviceGroup, persons: effectCalls.deviceGroupPersons },
} as const
export type EffectOf = keyof typeof EFFECT_CALLS

export interface FormEffect {
  /** Body of the last call; undefined while the form is incomplete. */
  body: Record<string, unknown> | undefined
  /** Answer to the last call; undefined until there is one. */
  effect: Effect | RuleEffect | ChangeEffect | undefined
  /** A newer answer is being read. */
  pending: boolean
  /** The query itself, for what is shown where it failed. */
  query: Pick<UseQueryResult<unknown, Refusal>, 'error' | 'isFetching' | 'refetch'>
}

/** @param hidden fields of the body that the form does not have, such as the id of an existing strategy */
export function useEffectOf(of: EffectOf, hidden: object): FormEffect {
  const values = Form.useWatch<Record<string, unknown> | undefined>([], Form.useFormInstance()) ?? {}
  const call = EFFECT_CALLS[of].effect
  // A name has no effect, and a form may have more fields than the call.
  const deciding = Object.keys(call.body.shape).filter((field) => field !== 'name' && values[field] !== undefined)
  const text = JSON.stringify({ ...hidden, ...Object.fromEntries(deciding.map((field) => [field, values[field]])) })
  const settled = useSettled(text)

  const body = settled === undefined ? undefined : (JSON.parse(settled) as Record<string, unknown>)
  const whole = body !== undefined && 'data' in check(call.body, body)
  const parts: LooseParts = { body }
  const query = useQuery({
    ...readOptions(call as AnyCall, parts),
    enabled: whole,
    placeholderData: keepPreviousData,
  })
  return {
    body: whole ? body : undefined,
    effect: whole && !query.isError ? (query.data as Effect | undefined) : undefined,
    pending: query.isFetching || settled !== text,
    query,
  }
}
