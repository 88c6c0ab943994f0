/** A card's number: typed, sent by a reader that types, or read by the collector that was chosen. */
import { Alert, Button, Form, Input } from 'antd'
import { useTranslation } from 'react-i18next'
import { PERSON_NUMBER_MAX } from '@gatehouse/contract'
import { cardCalls } from '@gatehouse/contract/cards/calls'
import { request } from '../../api/request.ts'
import { useWaiting } from './useWaiting.ts'
import styles from './cards.module.css'

/** Seconds somebody has to show a card. */
const WAIT = 30

interface NumberFieldProps {
  /** Given by `<Form.Item>`. */
  id?: string
  value?: string
  onChange?: (value: string) => void
}

/** What was read says itself which digits it is written in. */
const formatOf = (number: string): 'decimal' | 'hex' => (/^[0-9]+$/.test(number) ? 'decimal' : 'hex')

export function NumberField({ id, value, onChange }: NumberFieldProps) {
  const { t } = useTranslation('cards')
  const form = Form.useFormInstance()
  const deviceId = Form.useWatch('deviceId', form) as string | undefined
  const { waiting, failure, begin, end } = useWaiting()

  async function read(signal: AbortSignal): Promise<void> {
    const { cardNumber } = await request(cardCalls.collect, { body: { deviceId: deviceId!, seconds: WAIT } }, { errors: 'inline', signal })
    if (cardNumber === null || signal.aborted) return
    onChange?.(cardNumber)
    form.setFieldValue('numberFormat', formatOf(cardNumber))
  }

  return (
    <>
      <div className={styles.number}>
        <Input
          {...(id && { id })}
          value={value ?? ''}
          maxLength={PERSON_NUMBER_MAX}
          autoComplete="off"
          spellCheck={false}
          onChange={({ target }) => onChange?.(target.value)}
        />
        {waiting ? (
          <Button onClick={end}>{t('issue.cancelRead')}</Button>
        ) : (
          <Button disabled={!deviceId} onClick={() => begin(read)}>
            {t('issue.read')}
          </Button>
        )}
      </div>
      <div role="status" className={styles.now}>
        {waiting && t('issue.showCard')}
      </div>
      {failure && <Alert type="error" showIcon role="alert" title={failure} />}
    </>
  )
}
