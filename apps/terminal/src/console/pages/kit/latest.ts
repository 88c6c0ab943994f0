/** Repeated loading, where an earlier answer may arrive after a later one. */
import { useCallback, useRef, useState } from 'preact/hooks'
import { wordsOf } from '../api.ts'

export interface Latest {
  isBusy: boolean
  /** Why the last request failed, in words; empty otherwise. */
  trouble: string
  /** Request data, and pass them to `take` unless a later request has been made since. */
  load<Data>(ask: () => Promise<Data>, take: (data: Data) => void): Promise<void>
}

export function useLatest(): Latest {
  const latest = useRef(0)
  const [isBusy, setBusy] = useState(false)
  const [trouble, setTrouble] = useState('')
  const load = useCallback(async <Data>(ask: () => Promise<Data>, take: (data: Data) => void): Promise<void> => {
    const own = ++latest.current
    setBusy(true)
    const answer = await ask().then(
      (data) => ({ data, trouble: '' }),
      (error: unknown) => ({ trouble: wordsOf(error) }),
    )
    if (own !== latest.current) return
    if ('data' in answer) take(answer.data)
    setTrouble(answer.trouble)
    setBusy(false)
  }, [])
  return { isBusy, trouble, load }
}
