/** The fields of an API user, named as in the write calls. */
import { Form, Input, Switch } from 'antd'
import { useTranslation } from 'react-i18next'
import { OrganisationField } from '../../../shared/OrganisationField.tsx'
import styles from '../identity.module.css'
import { PermissionTree } from '../permissions/PermissionTree.tsx'
import { useGrantable } from '../permissions/useGrantable.ts'
import { SecondsField } from './SecondsField.tsx'

export function ClientFields() {
  const { t } = useTranslation('identity')
  const groups = useGrantable()
  return (
    <>
      <div className={styles.fields}>
        <Form.Item name="name" label={t('client.name')} required>
          <Input maxLength={64} autoComplete="off" />
        </Form.Item>
        <Form.Item name="organisationId" label={t('organisation')} extra={t('client.organisationHint')}>
          <OrganisationField />
        </Form.Item>
        <Form.Item name="purpose" label={t('client.purpose')} className={styles.wholeLine ?? ''}>
          <Input maxLength={100} autoComplete="off" placeholder={t('client.purposeHint')} />
        </Form.Item>
        <Form.Item name="accessTokenValidity" label={t('client.accessToken')}>
          <SecondsField />
        </Form.Item>
        <Form.Item name="refreshTokenValidity" label={t('client.refreshToken')}>
          <SecondsField />
        </Form.Item>
        <Form.Item
          name="enablePageDataMasking"
          label={t('masking')}
          valuePropName="checked"
          extra={t('client.maskingHint')}
          className={styles.wholeLine ?? ''}
        >
          <Switch />
        </Form.Item>
      </div>
      <Form.Item name="permissions" label={t('client.permissions')} required help="">
        <PermissionTree groups={groups} />
      </Form.Item>
    </>
  )
}
