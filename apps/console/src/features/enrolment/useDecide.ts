/** Decides applications; what is being registered, and what could not be. */
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { enrolmentCalls } from '@gatehouse/contract/enrolment/calls'
import type { PartsOf } from '../../api/http.ts'
import { toast } from '../../kit/feedback.tsx'
import { request } from '../../api/request.ts'

type Decision = Omit<PartsOf<typeof enrolmentCalls.decide>['body'], 'ids'>

export function useDecide() {
  const { t } = useTranslation('enrolment')
  const cache = useQueryClient()
  const [busy, setBusy] = useState<ReadonlySet<string>>(new Set())
  /** Words by application. */
  const [refused, setRefused] = useState<ReadonlyMap<string, string>>(new Map())

  /** Several may be under way at once: nobody waits for one photograph to look at the next. */
  async function decide(ids: string[], decision: Decision): Promise<void> {
    setBusy((before) => new Set([...before, ...ids]))
    try {
      const answer = await request(enrolmentCalls.decide, { body: { ids, ...decision } })
      setRefused(
        (before) =>
          new Map([...[...before].filter(([id]) => !ids.includes(id)), ...answer.refused.map(({ id, words }) => [id, words] as const)]),
      )
      if (answer.decided > 0) toast('success', t(decision.state === 'passed' ? 'passed' : 'rejectedDone', { count: answer.decided }))
      if (answer.refused.length > 0) toast('error', t('refusedSome', { count: answer.refused.length }))
    } catch {
      // Spoken of already.
    } finally {
      await cache.invalidateQueries()
      setBusy((before) => new Set([...before].filter((id) => !ids.includes(id))))
    }
  }
  return { decide, busy, refused }
}
