/** The console came over plain http: told to whoever runs the installation, with what to do about it, until they put it away. */
import { UnlockOutlined } from '@ant-design/icons'
import { useTranslation } from 'react-i18next'
import { isEncrypted } from '../../api/encrypted.ts'
import { useMayOpen } from '../../api/session.ts'
import { Line } from './Line.tsx'
import { usePutAway } from './putAway.ts'

export function NotEncrypted() {
  const { t } = useTranslation('shell')
  const runsInstallation = useMayOpen({ permission: null, condition: 'installation' })
  const [closed, close] = usePutAway('notEncrypted')
  if (isEncrypted() || !runsInstallation || closed) return null
  return (
    <Line status="wait" icon={<UnlockOutlined />} close={close}>
      {t('notice.notEncrypted')}
    </Line>
  )
}
