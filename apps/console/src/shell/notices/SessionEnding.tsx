/** The session ends within minutes: told before it does, with the way to begin another. */
import { ClockCircleOutlined } from '@ant-design/icons'
import { Button } from 'antd'
import { useTranslation } from 'react-i18next'
import { formatInstant, useZoneOffset } from '../../kit/time.ts'
import { logInAgain, useSessionEnd } from '../session/sessionEnd.ts'
import { Line } from './Line.tsx'

export function SessionEnding() {
  const { t } = useTranslation('shell')
  const { offset } = useZoneOffset()
  const end = useSessionEnd()
  if (end === undefined) return null
  return (
    <Line
      status="wait"
      icon={<ClockCircleOutlined />}
      actions={
        <Button size="small" type="primary" onClick={() => void logInAgain()}>
          {t('notice.logInAgain')}
        </Button>
      }
    >
      {t('notice.sessionEnds', { time: formatInstant(end, offset).slice(11, 16) })}
    </Line>
  )
}
