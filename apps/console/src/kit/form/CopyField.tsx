/** A value to be used elsewhere, such as a secret or a command: shown in full, with a button that copies it. */
import { CheckOutlined, CopyOutlined } from '@ant-design/icons'
import { Button } from 'antd'
import { useId, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { copyText } from '../copyText.ts'
import styles from './secret.module.css'

interface CopyFieldProps {
  name: string
  value: string
  /** `code`: several lines, kept as they are broken. */
  as?: 'value' | 'code'
}

export function CopyField({ name, value, as = 'value' }: CopyFieldProps) {
  const { t } = useTranslation()
  const id = useId()
  const shown = useRef<HTMLElement>(null)
  const [state, setState] = useState<'idle' | 'copied' | 'byHand'>('idle')
  const copy = async (): Promise<void> => setState(shown.current && (await copyText(value, shown.current)) ? 'copied' : 'byHand')
  return (
    <div className={styles.field}>
      <span id={id} className={styles.name}>
        {name}
      </span>
      <div className={styles.line} data-as={as}>
        <code ref={shown} aria-labelledby={id} role="group">
          {value}
        </code>
        <Button
          aria-label={state === 'copied' ? t('copy.done', { name }) : t('copy.this', { name })}
          icon={state === 'copied' ? <CheckOutlined /> : <CopyOutlined />}
          onClick={() => void copy()}
        >
          {state === 'copied' ? t('copy.copied') : t('copy.copy')}
        </Button>
      </div>
      <span role="status" className={styles.byHand}>
        {state === 'byHand' && t('copy.byHand')}
      </span>
    </div>
  )
}
