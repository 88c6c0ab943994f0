/** The inside of a form, in a dialog or on a page: loading, failed to load, or the fields. */
import { Alert, Button, Form, Skeleton } from 'antd'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { Loaded } from './loaded.ts'
import { ListError } from '../list/ListStates.tsx'
import { Uploads } from '../../api/uploads.ts'
import type { ContractForm } from './useContractForm.ts'
import styles from './form.module.css'

interface FormBodyProps<Values extends object> {
  id: string
  initial: Loaded<Values>
  contract: ContractForm<Values>
  children: ReactNode
}

export function FormBody<Values extends object>({ id, initial, contract, children }: FormBodyProps<Values>) {
  const { t } = useTranslation()
  if (initial.status === 'loading') return <Skeleton active paragraph={{ rows: 8 }} />
  if (initial.status === 'error') return <ListError error={initial.error} retry={initial.retry} />
  const { form, failures, hindrance, restored, discard } = contract
  return (
    <div className={styles.body}>
      {failures.length > 0 && (
        <Alert
          type="error"
          showIcon
          role="alert"
          title={t('form.notSaved')}
          description={failures.map((words) => (
            <p key={words}>{words}</p>
          ))}
        />
      )}
      {restored && (
        <Alert
          type="info"
          showIcon
          title={t('form.restored')}
          action={
            <Button size="small" onClick={discard}>
              {t('form.startOver')}
            </Button>
          }
        />
      )}
      <Form<Values>
        id={id}
        form={form}
        layout="vertical"
        initialValues={contract.start(initial.values) as never}
        onFinish={() => void contract.submit()}
        onValuesChange={contract.changed}
        onBlur={contract.left}
      >
        <Uploads value={contract.uploading}>{children}</Uploads>
      </Form>
      {hindrance}
    </div>
  )
}
