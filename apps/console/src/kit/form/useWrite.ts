/** A call that changes something: afterwards everything on screen that it may have changed is read again. */
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { toast } from '../feedback.tsx'
import { readAfter } from '../../api/query.ts'
import type { AnswerOf, AnyCall, PartsOf } from '../../api/http.ts'
import type { Refusal } from '../../api/refusal.ts'
import { request, type RequestOptions } from '../../api/request.ts'

interface WriteOptions<C extends AnyCall> extends Pick<RequestOptions, 'errors'> {
  /** Message shown once it is done. */
  done?: string
  onDone?: (answer: AnswerOf<C>) => void
}

export interface Write<C extends AnyCall> {
  /** Sends the call without waiting; refusals are shown. */
  run: (parts: PartsOf<C>) => void
  /** Sends the call and rejects with the refusal. */
  send: (parts: PartsOf<C>) => Promise<AnswerOf<C>>
  pending: boolean
}

/**
 * Return the functions that send a call: `const change = useWrite(peopleCalls.status, { done: t('changed') })`, then `change.run({ body
 * })`.
 */
export function useWrite<C extends AnyCall>(call: C, { done, onDone, errors = 'toast' }: WriteOptions<C> = {}): Write<C> {
  const cache = useQueryClient()
  const { mutate, mutateAsync, isPending } = useMutation<AnswerOf<C>, Refusal, PartsOf<C>>({
    mutationFn: (parts) => request(call, parts, { errors }),
    onSuccess: (answer) => {
      // Hidden pages are only marked stale; what is visible is read at once.
      void readAfter(cache, call)
      if (done) toast('success', done)
      onDone?.(answer)
    },
  })
  return { run: mutate, send: mutateAsync, pending: isPending }
}
