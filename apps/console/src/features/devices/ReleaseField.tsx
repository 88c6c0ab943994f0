/** Whether a device that gets a secret is released, so that persons of the access rules are sent to it. */
import { Form, Switch } from 'antd'
import { useTranslation } from 'react-i18next'
import { deviceCalls } from '@gatehouse/contract/devices/calls'
import { useMayCall } from '../../api/session.ts'
import styles from './devices.module.css'

export function ReleaseField({ many }: { many?: boolean }) {
  const { t } = useTranslation('devices')
  const mayRelease = useMayCall(deviceCalls.release)
  if (!mayRelease) return <p className={styles.releaseHint}>{t('release.waits')}</p>
  return (
    <Form.Item
      className={styles.releaseField ?? ''}
      name="release"
      label={t(many ? 'release.fieldMany' : 'release.field')}
      extra={t('release.hint')}
      valuePropName="checked"
    >
      <Switch />
    </Form.Item>
  )
}
