/** Holds antd's messages, notifications and dialogs for `feedback.tsx`. */
import { App } from 'antd'
import { useEffect } from 'react'
import { speakThrough } from './feedback.tsx'

export default function FeedbackVoice() {
  return (
    <App component={false} message={{ maxCount: 3 }}>
      <Holder />
    </App>
  )
}

function Holder() {
  const app = App.useApp()
  useEffect(() => speakThrough(app), [app])
  return null
}
