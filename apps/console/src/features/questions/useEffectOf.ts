/** What a form would change if it were saved as it stands, asked again a moment after each change of it. */
import { keepPreviousData, useQuery, type UseQueryResult } from '@tanstack/react-query'
import { Form } from 'antd'
import { effectCalls, type ChangeEffect } from '@gatehouse/contract/questions/effects'
import { questionCalls, type Effect, type RuleEffect } from '@gatehouse/contract/questions/calls'
import type { AnyCall, PartsOf } from '../../api/http.ts'
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

export interface AskedEffect {
  /** What was asked; undefined while the form is not whole. */
  body: Record<string, unknown> | undefined
  /** Of what was asked last; undefined until there is an answer. */
  effect: Effect | RuleEffect | ChangeEffect | undefined
  /** A newer answer is on its way. */
  pending: boolean
  /** For what to show where no answer came. */
  asked: Pick<UseQueryResult<unknown, Refusal>, 'error' | 'isFetching' | 'refetch'>
}

/** @param hidden what the form does not ask: of what is changed its id; a strategy not yet made has none */
export function useEffectOf(of: EffectOf, hidden: object): AskedEffect {
  const values = Form.useWatch<Record<string, unknown> | undefined>([], Form.useFormInstance()) ?? {}
  const call = EFFECT_CALLS[of].effect
  // What it is called changes nothing, and a form may hold more than decides.
  const deciding = Object.keys(call.body.shape).filter((field) => field !== 'name' && values[field] !== undefined)
  const text = JSON.stringify({ ...hidden, ...Object.fromEntries(deciding.map((field) => [field, values[field]])) })
  const settled = useSettled(text)

  const body = settled === undefined ? undefined : (JSON.parse(settled) as Record<string, unknown>)
  const whole = body !== undefined && 'data' in check(call.body, body)
  const asked = useQuery({
    ...readOptions(call as AnyCall, { body } as unknown as PartsOf<AnyCall>),
    enabled: whole,
    placeholderData: keepPreviousData,
  })
  return {
    body: whole ? body : undefined,
    effect: whole && !asked.isError ? (asked.data as Effect | undefined) : undefined,
    pending: asked.isFetching || settled !== text,
    asked,
  }
}
