/** The work that a button starts, and its failures. */
import type { VNode } from 'preact'
import { useRef, useState } from 'preact/hooks'
import { wordsOf } from '../api.ts'
import { html } from './html.ts'

export interface Task {
  isBusy: boolean
  /** Why it failed, in words; empty before and after a success. */
  trouble: string
  /** Run a piece of work, unless one is still running. */
  run(work: () => Promise<void>): Promise<void>
  /** Show what is wrong before any work is run. */
  refuse(trouble: string): void
}

/** Return a task that runs one piece of work at a time. */
export function useTask(): Task {
  const running = useRef(false)
  const [isBusy, setBusy] = useState(false)
  const [trouble, refuse] = useState('')
  async function run(work: () => Promise<void>): Promise<void> {
    if (running.current) return
    running.current = true
    setBusy(true)
    refuse('')
    try {
      await work()
    } catch (error) {
      refuse(wordsOf(error))
    } finally {
      running.current = false
      setBusy(false)
    }
  }
  return { isBusy, trouble, run, refuse }
}

/** The place where trouble is read out. It is rendered before there is any, because only then is it read out. */
export const Trouble = ({ words }: { words: string }): VNode => html`<p class="trouble" role="alert">${words}</p>`
