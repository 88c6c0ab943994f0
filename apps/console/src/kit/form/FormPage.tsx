/** A form on a page of its own, for records that have an address. */
import { Button } from 'antd'
import { useId, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { FormBody } from './FormBody.tsx'
import type { AnyCall } from '../../api/http.ts'
import type { Loaded } from './loaded.ts'
import { Screen } from '../detail/Screen.tsx'
import { useContractForm, type ContractFormOptions } from './useContractForm.ts'
import styles from './form.module.css'

interface FormPageProps<C extends AnyCall, Values extends object> extends Omit<ContractFormOptions<C>, 'once'> {
  title: string
  initial: Loaded<Values>
  /** Uses the full width, for a form of several columns. */
  wide?: boolean
  /** `<Form.Item name>`s with the names of the call's body. */
  children: ReactNode
}

export function FormPage<C extends AnyCall, Values extends object>({
  title,
  initial,
  wide = false,
  children,
  ...options
}: FormPageProps<C, Values>) {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const id = useId()
  const contract = useContractForm<C, Values>({ ...options, once: true })
  return (
    <Screen title={title}>
      <div className={styles.page} data-wide={wide || undefined}>
        <FormBody id={id} initial={initial} contract={contract}>
          {children}
        </FormBody>
        <div className={styles.foot}>
          <Button type="primary" htmlType="submit" form={id} loading={contract.pending} disabled={initial.status !== 'ready'}>
            {t('save')}
          </Button>
          <Button
            onClick={() => {
              contract.discard()
              void navigate(-1)
            }}
          >
            {t('cancel')}
          </Button>
        </div>
      </div>
    </Screen>
  )
}
