/** How a password comes to the one it is for: shown here once, mailed, or thought of by the administrator. */
import { Form, Input, Radio } from 'antd'
import { useTranslation } from 'react-i18next'
import { PASSWORD_MAX } from '@gatehouse/contract'
import { identityCalls } from '@gatehouse/contract/identity/calls'
import { prepareEncryption } from '../../../api/encrypt.ts'
import { useRead } from '../../../api/query.ts'
import styles from '../identity.module.css'
import type { Handing } from './userValues.ts'

export function PasswordHanding() {
  const { t } = useTranslation('identity')
  const { data: login } = useRead(identityCalls.loginConfig, {})
  const handing = Form.useWatch<Handing | undefined>('handing')
  return (
    <div className={styles.handing}>
      <Form.Item
        name="handing"
        label={t('password.first')}
        extra={handing === 'mailed' && login?.mailDelivers === false ? t('password.outbox') : t('password.mustChange')}
      >
        <Radio.Group
          className={styles.choices ?? ''}
          options={[
            { value: 'shown', label: t('password.shown') },
            { value: 'mailed', label: t('password.mailed') },
            { value: 'typed', label: t('password.typed') },
          ]}
        />
      </Form.Item>
      {handing === 'typed' && (
        <Form.Item name="password" label={t('password.password')} required extra={t('password.policy')}>
          <Input.Password autoComplete="new-password" maxLength={PASSWORD_MAX} onFocus={prepareEncryption} />
        </Form.Item>
      )}
    </div>
  )
}
