/** Holds antd's messages, notifications and dialogs for `feedback.tsx`. */
import { App } from 'antd'
import { useEffect } from 'react'
import { speakThrough } from './feedback.tsx'

/** Constant, because antd makes its holders anew for a new one. */
const MESSAGES = { maxCount: 3 }

export default function FeedbackVoice() {
  return (
    <App component={false} message={MESSAGES}>
      <Holder />
    </App>
  )
}

function Holder() {
  const app = App.useApp()
  useEffect(() => speakThrough(app), [app])
  return null
}
