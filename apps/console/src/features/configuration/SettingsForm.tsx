/** The form of a page that sets something: sections, and a foot that says whether anything is unsaved. */
import { Button } from 'antd'
import { useEffect, useId, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { FormBody } from '../../kit/form/FormBody.tsx'
import { ready } from '../../kit/form/loaded.ts'
import type { ContractForm } from '../../kit/form/useContractForm.ts'
import type { SecretSource } from './SecretField.tsx'
import type { Inherited } from './SettingField.tsx'
import { SettingSections } from './SettingSections.tsx'
import type { SettingValues } from './settingValues.ts'
import styles from './configuration.module.css'

interface SettingsFormProps<Values extends SettingValues> {
  contract: ContractForm<Values>
  /** The same object until something else is to be shown. */
  initial: Values
  inherited: Inherited
  secrets: { consolePassword: SecretSource; wifi: SecretSource }
  oneDevice?: boolean
  /** Fields above the sections. */
  children?: ReactNode
}

export function SettingsForm<Values extends SettingValues>({
  contract,
  initial,
  inherited,
  secrets,
  oneDevice = false,
  children,
}: SettingsFormProps<Values>) {
  const { t } = useTranslation('configuration')
  const id = useId()
  const { form, dirty, restored, pending, discard } = contract
  const unsaved = dirty || restored
  // What was saved, or set by somebody else, is shown, unless it would take away what is being typed here.
  useEffect(() => {
    if (!unsaved) form.resetFields()
  }, [form, initial, unsaved])
  return (
    <div className={styles.form}>
      <FormBody id={id} initial={ready(initial)} contract={contract}>
        {children}
        <SettingSections inherited={inherited} secrets={secrets} oneDevice={oneDevice} />
      </FormBody>
      <div className={styles.foot}>
        <Button type="primary" htmlType="submit" form={id} loading={pending}>
          {t('common:save')}
        </Button>
        <Button disabled={!unsaved} onClick={discard}>
          {t('discard')}
        </Button>
        <span role="status">{unsaved && t('unsaved')}</span>
      </div>
    </div>
  )
}
