/** Another tab has switched the park: what stands here is of the one before. */
import { EnvironmentOutlined } from '@ant-design/icons'
import { Button } from 'antd'
import { useTranslation } from 'react-i18next'
import { useSession } from '../../api/session.ts'
import { useParkElsewhere } from '../session/useAreaName.ts'
import { Line } from './Line.tsx'

export function ParkElsewhere() {
  const { t } = useTranslation('shell')
  const shown = useSession(({ park }) => park?.parkName ?? '')
  const chosen = useParkElsewhere()
  if (chosen === undefined) return null
  return (
    <Line
      status="wait"
      icon={<EnvironmentOutlined />}
      actions={
        <Button size="small" type="primary" onClick={() => window.location.reload()}>
          {t('notice.reload')}
        </Button>
      }
    >
      {t('notice.parkElsewhere', { chosen, shown })}
    </Line>
  )
}
