/** Messages and questions that have no place of their own on the page. Their components are loaded when first needed. */
import { useEffect, type ComponentType } from 'react'
import type { App, ModalFuncProps } from 'antd'
import { create } from 'zustand'
import { ERROR_TOAST_DURATION, MESSAGE_DURATION } from '@gatehouse/contract'

type Feedback = ReturnType<typeof App.useApp>
type Speak = (voice: Feedback) => void

const useFeedback = create<{ Voice: ComponentType<{ speakThrough: Speak }> | undefined; voice: Feedback | undefined }>(() => ({
  Voice: undefined,
  voice: undefined,
}))
let loading = false
/** Set antd's app context, through which messages are shown: called by the outlet, or by a test. */
export const speakThrough: Speak = (voice) => useFeedback.setState({ voice })

/**
 * Load the components that show messages. Without the server they cannot be loaded: the page stays as it is, and the next message tries
 * again.
 */
function load(): void {
  if (loading || useFeedback.getState().Voice) return
  loading = true
  void import('./FeedbackVoice.tsx')
    .then(
      ({ default: Voice }) => useFeedback.setState({ Voice }),
      () => {},
    )
    .finally(() => (loading = false))
}

/** Load the components early, for pages that have to ask something while the server cannot be reached. */
export const useFeedbackReady = (): void => useEffect(load, [])

/** Return antd's messages, notifications and dialogs in the console's theme, once they are loaded. */
export function feedback(): Promise<Feedback> {
  load()
  return new Promise((resolve) => {
    const { voice: ready } = useFeedback.getState()
    if (ready) return resolve(ready)
    const stop = useFeedback.subscribe(({ voice: loaded }) => {
      if (!loaded) return
      stop()
      resolve(loaded)
    })
  })
}

/** Rendered once, inside the theme. */
export function FeedbackOutlet() {
  const Voice = useFeedback((state) => state.Voice)
  return Voice ? <Voice speakThrough={speakThrough} /> : null
}

/** Show a sentence, a success for 1.5 s, an error for 5 s; the same sentence again replaces the one shown instead of adding another. */
export function toast(kind: 'success' | 'info' | 'error', sentence: string): void {
  const duration = (kind === 'error' ? ERROR_TOAST_DURATION : MESSAGE_DURATION) / 1000
  void feedback().then(({ message }) => message.open({ key: `${kind}:${sentence}`, type: kind, content: sentence, duration }))
}

/** Asks before something is lost: `modal.confirm({ title, content, okText, onOk })`. */
export const modal = {
  confirm(question: ModalFuncProps): void {
    void feedback().then(({ modal: loaded }) => void loaded.confirm(question))
  },
}
