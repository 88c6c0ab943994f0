/** Something that is waited for in front of a reader: it begins with a click, and ends with another or with the page. */
import { useEffect, useRef, useState } from 'react'
import { Refusal, sentenceOf } from '../../api/refusal.ts'

export interface Waiting {
  waiting: boolean
  /** Why the last one ended badly; empty: it did not. */
  failure: string
  /** @param work told when it is to end */
  begin: (work: (signal: AbortSignal) => Promise<void>) => void
  end: () => void
}

export function useWaiting(): Waiting {
  const [waiting, setWaiting] = useState(false)
  const [failure, setFailure] = useState('')
  const running = useRef<AbortController>(undefined)
  useEffect(() => () => running.current?.abort(), [])

  async function run(work: (signal: AbortSignal) => Promise<void>): Promise<void> {
    running.current?.abort()
    const controller = new AbortController()
    running.current = controller
    setFailure('')
    setWaiting(true)
    try {
      await work(controller.signal)
    } catch (error) {
      if (!controller.signal.aborted) setFailure(error instanceof Refusal ? sentenceOf(error) : String(error))
    } finally {
      if (running.current === controller) setWaiting(false)
    }
  }

  return {
    waiting,
    failure,
    begin: (work) => void run(work),
    end: () => {
      running.current?.abort()
      setWaiting(false)
    },
  }
}
