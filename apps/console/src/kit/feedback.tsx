/** Messages and questions that belong to no place on the page. What shows them is loaded when first needed. */
import { lazy, Suspense } from 'react'
import type { App, ModalFuncProps } from 'antd'
import { create } from 'zustand'
import { ERROR_TOAST_DURATION, MESSAGE_DURATION } from '@gatehouse/contract'

type Feedback = ReturnType<typeof App.useApp>
const Voice = lazy(() => import('./FeedbackVoice.tsx'))

const useFeedback = create<{ wanted: boolean; voice: Feedback | undefined }>(() => ({ wanted: false, voice: undefined }))
/** Told what to speak through: by the outlet, or by a test. */
export const speakThrough = (voice: Feedback): void => useFeedback.setState({ voice })

/** antd's messages, notifications and dialogs in the console's theme, once they are loaded. */
export function feedback(): Promise<Feedback> {
  useFeedback.setState({ wanted: true })
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

/** Stands once, inside the theme. */
export function FeedbackOutlet() {
  const wanted = useFeedback((state) => state.wanted)
  return wanted ? (
    <Suspense fallback={null}>
      <Voice speakThrough={speakThrough} />
    </Suspense>
  ) : null
}

/** Shows a sentence, success 1.5 s, an error 5 s; the same one again replaces itself instead of piling up. */
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
