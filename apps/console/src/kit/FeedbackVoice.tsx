/** Mounts antd's messages, notifications and dialogs for `feedback.tsx`. */
import { App } from 'antd'
import { useEffect } from 'react'

interface FeedbackVoiceProps {
  /** Constant function; called with antd's app context once it is mounted. */
  speakThrough: (voice: ReturnType<typeof App.useApp>) => void
}

/** Constant, because antd mounts its containers again for a new object. */
const MESSAGES = { maxCount: 3 }

export default function FeedbackVoice({ speakThrough }: FeedbackVoiceProps) {
  return (
    <App component={false} message={MESSAGES}>
      <Holder speakThrough={speakThrough} />
    </App>
  )
}

function Holder({ speakThrough }: FeedbackVoiceProps) {
  const app = App.useApp()
  useEffect(() => speakThrough(app), [app, speakThrough])
  return null
}
