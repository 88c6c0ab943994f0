/** A value that is shown once and never again, such as a generated password: it has to be copied here. */
import { Alert, Button, Modal } from 'antd'
import type { ComponentProps, ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { CopyField } from './CopyField.tsx'
import styles from './secret.module.css'

interface SecretOnceProps {
  title: string
  /** What happens to it, such as what to do if it is lost. */
  words: string
  /** The last one is the secret; those before it identify its owner. */
  values: Pick<ComponentProps<typeof CopyField>, 'name' | 'value' | 'as'>[]
  /** Instructions for using it. */
  children?: ReactNode
  close: () => void
}

export function SecretOnce({ title, words, values, children, close }: SecretOnceProps) {
  const { t } = useTranslation()
  return (
    <Modal
      open
      centered
      width={640}
      title={title}
      mask={{ closable: false }}
      keyboard={false}
      closable={false}
      styles={{ body: { maxHeight: 'calc(100vh - 190px)', overflow: 'hidden auto' } }}
      footer={
        <Button type="primary" onClick={close}>
          {t('copy.kept')}
        </Button>
      }
    >
      <Alert
        type="warning"
        showIcon
        title={
          <>
            <b>{t('copy.once')}</b> {words}
          </>
        }
      />
      <div className={styles.values}>
        {values.map((one) => (
          <CopyField key={one.name} {...one} />
        ))}
      </div>
      {children}
    </Modal>
  )
}
