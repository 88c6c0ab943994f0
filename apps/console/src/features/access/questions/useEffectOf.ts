/** What a form would change if it were saved as it stands, asked again a moment after each change of it. */
import { keepPreviousData, useQuery, type UseQueryResult } from '@tanstack/react-query'
import { Form } from 'antd'
import { questionCalls, type Effect, type RuleEffect } from '@gatehouse/contract/access/questions'
import type { AnyCall, PartsOf } from '../../../kit/http.ts'
import { readOptions } from '../../../kit/query.ts'
import type { Refusal } from '../../../kit/refusal.ts'
import { check } from '../../../kit/schema.ts'
import { useSettled } from '../../../kit/useSettled.ts'

export type EffectOf = 'strategy' | 'rule'
export const EFFECT_CALLS = {
  strategy: { effect: questionCalls.strategyEffect, persons: questionCalls.strategyEffectPersons },
  rule: { effect: questionCalls.ruleEffect, persons: questionCalls.ruleEffectPersons },
} as const

export interface AskedEffect {
  /** What was asked; undefined while the form is not whole. */
  body: Record<string, unknown> | undefined
  /** Of what was asked last; undefined until there is an answer. */
  effect: Effect | RuleEffect | undefined
  /** A newer answer is on its way. */
  pending: boolean
  /** For what to show where no answer came. */
  asked: Pick<UseQueryResult<unknown, Refusal>, 'error' | 'isFetching' | 'refetch'>
}

/** @param id of what is changed; a strategy not yet made has none */
export function useEffectOf(of: EffectOf, id: string | undefined): AskedEffect {
  const values = Form.useWatch<Record<string, unknown> | undefined>([], Form.useFormInstance())
  // What it is called changes nothing.
  const { name: _, ...deciding } = values ?? {}
  const text = JSON.stringify({ ...deciding, ...(id !== undefined && { id }) })
  const settled = useSettled(text)

  const call = EFFECT_CALLS[of].effect
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
