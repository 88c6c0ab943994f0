/** The fields of an account, named as in the write calls. */
import { Form, Input, Segmented, Switch } from 'antd'
import { useTranslation } from 'react-i18next'
import { ACCOUNT_NAME_MAX, USER_TEXT_MAX } from '@gatehouse/contract'
import { passwordValidity } from '@gatehouse/contract/enums/identity'
import { useEnumOptions } from '../../../kit/detail/EnumTag.tsx'
import { InstantField } from '../../../kit/form/InstantField.tsx'
import { OrganisationField } from '../../../shared/OrganisationField.tsx'
import { sentenceOfIssue } from '../../../api/refusal.ts'
import styles from '../identity.module.css'
import { PasswordHanding } from './PasswordHanding.tsx'
import { RolesField } from './RolesField.tsx'
import type { Taken } from './useTaken.ts'
import type { UserValues } from './userValues.ts'

interface UserFieldsProps {
  taken: Taken
  /** Present for an account that exists. */
  held?: { id: string; name: string }[] | undefined
  creating: boolean
}

export function UserFields({ taken, held, creating }: UserFieldsProps) {
  const { t } = useTranslation('identity')
  const optionsOf = useEnumOptions()
  const form = Form.useFormInstance<UserValues>()
  const organisationId = Form.useWatch<string | undefined>('organisationId')

  /** After leaving a field: is it somebody else's? What was typed meanwhile is not judged by an old answer. */
  async function askAbout(field: 'account' | 'email', isTaken: (value: string) => Promise<boolean>): Promise<void> {
    const value = String(form.getFieldValue(field) ?? '').trim()
    if (value === '' || !form.isFieldTouched(field) || !(await isTaken(value)) || form.getFieldValue(field) !== value) return
    form.setFields([{ name: field, errors: [sentenceOfIssue({ path: field, rule: `${field}Taken` })] }])
  }

  // Where it keeps the two columns even: a new account has a name to fill in besides.
  const idCard = (
    <Form.Item name="idCard" label={t('user.idCard')}>
      <Input maxLength={32} autoComplete="off" />
    </Form.Item>
  )
  return (
    <>
      <div className={styles.fields}>
        {creating && (
          <Form.Item name="account" label={t('user.account')} required extra={t('user.accountHint')}>
            <Input
              maxLength={ACCOUNT_NAME_MAX}
              autoComplete="off"
              spellCheck={false}
              onBlur={() => void askAbout('account', taken.checkAccount)}
            />
          </Form.Item>
        )}
        <Form.Item name="realName" label={t('user.realName')} required>
          <Input maxLength={USER_TEXT_MAX} autoComplete="off" />
        </Form.Item>
        <Form.Item name="administratorName" label={t('user.administratorName')} extra={t('user.administratorNameHint')}>
          <Input maxLength={USER_TEXT_MAX} autoComplete="off" />
        </Form.Item>
        <Form.Item name="organisationId" label={t('organisation')} required extra={t('user.organisationHint')}>
          <OrganisationField />
        </Form.Item>
        <Form.Item name="roles" label={t('user.roles')} required>
          <RolesField organisationId={organisationId} held={held} />
        </Form.Item>
        <Form.Item name="email" label={t('user.email')}>
          <Input maxLength={USER_TEXT_MAX} autoComplete="off" inputMode="email" onBlur={() => void askAbout('email', taken.checkEmail)} />
        </Form.Item>
        <Form.Item name="phone" label={t('user.phone')}>
          <Input maxLength={USER_TEXT_MAX} autoComplete="off" inputMode="tel" />
        </Form.Item>
        {!creating && idCard}
      </div>
      {creating && <PasswordHanding />}
      <div className={styles.fields}>
        <Form.Item name="expiry" label={t('user.expiry')} extra={t('user.expiresHint')}>
          <InstantField as="end" />
        </Form.Item>
        <Form.Item name="passwordValidity" label={t('user.passwordValidity')} extra={t('user.validityHint')}>
          <Segmented aria-label={t('user.passwordValidity')} block options={optionsOf(passwordValidity)} />
        </Form.Item>
        {creating && idCard}
        <Form.Item name="enablePageDataMasking" label={t('masking')} valuePropName="checked" extra={t('user.maskingHint')}>
          <Switch />
        </Form.Item>
      </div>
    </>
  )
}
