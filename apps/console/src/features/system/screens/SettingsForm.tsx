/** A form as a page: settings of the park beside a preview. */
import { Button, Form, type FormInstance } from 'antd'
import { useEffect, useId, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { InputOf } from '@gatehouse/contract'
import { FormBody } from '../../../kit/form/FormBody.tsx'
import type { AnyCall } from '../../../api/http.ts'
import { ready } from '../../../kit/form/loaded.ts'
import { useContractForm } from '../../../kit/form/useContractForm.ts'
import styles from './settings.module.css'

interface SettingsFormProps<C extends AnyCall, Values extends object> {
  call: C
  /** Stored values. */
  values: Values
  hidden: Partial<InputOf<C['body']>>
  draft: string
  children: ReactNode
  /** Preview beside the fields. */
  preview: (values: Values) => ReactNode
}

export function SettingsForm<C extends AnyCall, Values extends object>({
  call,
  values,
  hidden,
  draft,
  children,
  preview,
}: SettingsFormProps<C, Values>) {
  const { t } = useTranslation('system')
  const id = useId()
  const contract = useContractForm<C, Values>({ call, hidden, draft, done: t('screens.saved'), onDone: () => {} })
  const { form, dirty, restored, pending, discard } = contract
  const unsaved = dirty || restored
  // Values of another user are shown unless they would overwrite what is being typed.
  useEffect(() => {
    if (!unsaved) form.setFieldsValue(values as never)
  }, [form, values, unsaved])
  const startOver = (): void => {
    discard()
    form.setFieldsValue(values as never)
  }
  return (
    <div className={styles.columns}>
      <div className={styles.fields}>
        <FormBody id={id} initial={ready(values)} contract={contract}>
          {children}
        </FormBody>
        <div className={styles.foot}>
          <Button type="primary" htmlType="submit" form={id} loading={pending} disabled={!unsaved}>
            {t('common:save')}
          </Button>
          <Button disabled={!unsaved} onClick={startOver}>
            {t('screens.discard')}
          </Button>
          <span role="status">{unsaved && t('screens.unsaved')}</span>
        </div>
      </div>
      <div className={styles.preview}>
        <Watched form={contract.form} start={values}>
          {preview}
        </Watched>
      </div>
    </div>
  )
}

/** The preview of the values being typed. */
function Watched<Values extends object>({
  form,
  start,
  children,
}: {
  form: FormInstance<Values>
  start: Values
  children: (values: Values) => ReactNode
}) {
  const values = Form.useWatch((all: Values) => all, { form, preserve: true }) as Values | undefined
  return <>{children({ ...start, ...values })}</>
}
