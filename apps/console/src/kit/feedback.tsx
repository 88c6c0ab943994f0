/** Messages that belong to no place on the page. Success stays 1.5 s, an error 5 s. */
import { App } from 'antd'
import { useEffect } from 'react'
import { ERROR_TOAST_DURATION, MESSAGE_DURATION } from '@gatehouse/contract'

type Feedback = ReturnType<typeof App.useApp>
let feedback: Feedback | undefined

/** Stands once, inside antd's `<App>`: lends its themed messages to code outside React. */
export function FeedbackOutlet() {
  const app = App.useApp()
  useEffect(() => {
    feedback = app
  }, [app])
  return null
}

/** Shows a sentence; the same one again replaces itself instead of piling up. */
export function toast(kind: 'success' | 'info' | 'error', sentence: string): void {
  const duration = (kind === 'error' ? ERROR_TOAST_DURATION : MESSAGE_DURATION) / 1000
  void feedback?.message.open({ key: `${kind}:${sentence}`, type: kind, content: sentence, duration })
}
