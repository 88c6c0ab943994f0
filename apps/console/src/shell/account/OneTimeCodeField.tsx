/** A one-time password from the app, or a recovery code instead. The field is named `code`. */
import { Button, Form, Input, type InputRef } from 'antd'
import { useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { useTranslation } from 'react-i18next'
import { ONE_TIME_DIGITS } from '@gatehouse/contract/identity/second-factor'
import styles from './account.module.css'

export interface OneTimeCodeValues {
  code: string
}

interface OneTimeCodeFieldProps {
  /** Called once all digits are typed. */
  onComplete?: () => void
  /** Whether a recovery code is accepted as well: there is none before the first one-time password. */
  recovery?: boolean
  /** Where to find the one-time password of the app. */
  extra?: string
}

/** Return the digits that were typed or pasted: spaces are removed, full-width digits converted. */
const digitsOf = (typed: string): string => typed.normalize('NFKC').replace(/\D/g, '').slice(0, ONE_TIME_DIGITS)

export function OneTimeCodeField({ onComplete, recovery = true, extra }: OneTimeCodeFieldProps) {
  const { t } = useTranslation('account')
  const form = Form.useFormInstance<OneTimeCodeValues>()
  const input = useRef<InputRef>(null)
  const [isRecovering, setRecovering] = useState(false)

  function turn(): void {
    flushSync(() => setRecovering(!isRecovering))
    form.setFields([{ name: 'code', value: '', errors: [] }])
    input.current?.focus()
  }
  return (
    <>
      {isRecovering ? (
        <Form.Item
          key="recovery"
          name="code"
          label={t('oneTime.recoveryCode')}
          extra={t('oneTime.recoveryWords')}
          validateTrigger="onSubmit"
          rules={[{ required: true, whitespace: true, message: t('oneTime.recoveryRequired') }]}
        >
          <Input
            ref={input}
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            maxLength={32}
            className={styles.recoveryCode ?? ''}
          />
        </Form.Item>
      ) : (
        <Form.Item
          key="app"
          name="code"
          label={t('oneTime.code')}
          extra={extra}
          normalize={(typed: string | undefined) => digitsOf(typed ?? '')}
          validateTrigger="onSubmit"
          rules={[{ required: true, len: ONE_TIME_DIGITS, message: t('oneTime.codeRequired', { count: ONE_TIME_DIGITS }) }]}
        >
          <Input
            ref={input}
            autoFocus
            autoComplete="one-time-code"
            inputMode="numeric"
            className={styles.oneTimeCode ?? ''}
            onChange={({ target }) => {
              if (digitsOf(target.value).length === ONE_TIME_DIGITS) onComplete?.()
            }}
          />
        </Form.Item>
      )}
      {recovery && (
        <Button type="link" size="small" className={styles.instead ?? ''} onClick={turn}>
          {t(isRecovering ? 'oneTime.useApp' : 'oneTime.useRecovery')}
        </Button>
      )}
    </>
  )
}
