/** The dialog that issues a card to a person. */
import { Alert, Button, Form, Input, Segmented } from 'antd'
import { useTranslation } from 'react-i18next'
import { CARD_PASSWORD, PERSON_NUMBER_MAX, type InputOf } from '@gatehouse/contract'
import { cardCalls } from '@gatehouse/contract/cards/calls'
import { keyCardType } from '@gatehouse/contract/enums/devices'
import { cardNumberFormat } from '@gatehouse/contract/enums/people'
import { DateField } from '../../kit/form/DateField.tsx'
import { useEnumOptions } from '../../kit/detail/EnumTag.tsx'
import { FormDialog } from '../../kit/form/FormDialog.tsx'
import { ready } from '../../kit/form/loaded.ts'
import { PersonField } from '../../shared/PersonField.tsx'
import { formatDate, useZoneOffset } from '../../kit/time.ts'
import type { Editor } from '../../kit/form/useEditor.ts'
import { request } from '../../api/request.ts'
import { CollectorField, collectorHere, useWaiting } from './collector.tsx'
import styles from './cards.module.css'

type Fields = InputOf<typeof cardCalls.issue.body>

/** @param personId holder of the card; absent: chosen in the dialog */
export default function IssueDialog({ editor, personId }: { editor: Pick<Editor<unknown>, 'open' | 'close'>; personId?: string }) {
  const { t } = useTranslation('cards')
  const { offset } = useZoneOffset()
  const optionsOf = useEnumOptions()
  return (
    <FormDialog
      call={cardCalls.issue}
      editor={editor}
      title={t('issue.title')}
      submit={t('issue.add')}
      initial={ready<Partial<Fields>>({
        type: keyCardType.m1,
        numberFormat: cardNumberFormat.decimal,
        effectiveDate: formatDate(Date.now(), offset),
        deviceId: collectorHere() ?? null,
      })}
      {...(personId !== undefined && { hidden: { personId } })}
      done={t('issue.done')}
      draft={`card.issue.${personId ?? ''}`}
      unkept={['password']}
    >
      {personId === undefined && (
        <Form.Item name="personId" label={t('issue.person')} required>
          <PersonChoice label={t('issue.person')} />
        </Form.Item>
      )}
      <div className={styles.fields}>
        <Form.Item name="type" label={t('issue.type')} required>
          <Segmented aria-label={t('issue.type')} options={optionsOf(keyCardType)} />
        </Form.Item>
        <Form.Item name="numberFormat" label={t('issue.format')}>
          <Segmented aria-label={t('issue.format')} options={optionsOf(cardNumberFormat)} />
        </Form.Item>
      </div>
      <Form.Item name="deviceId" label={t('issue.device')} extra={t('issue.deviceHint')}>
        <CollectorField />
      </Form.Item>
      <Form.Item name="number" label={t('issue.number')} required>
        <NumberField />
      </Form.Item>
      <div className={styles.fields}>
        <Form.Item name="effectiveDate" label={t('issue.effectiveDate')} required>
          <DateField />
        </Form.Item>
        <Form.Item name="expiryDate" label={t('issue.expiryDate')} required>
          <DateField />
        </Form.Item>
      </div>
      <Form.Item name="password" label={t('issue.password')} extra={t('issue.passwordHint', { digits: CARD_PASSWORD })}>
        <Input maxLength={CARD_PASSWORD} inputMode="numeric" autoComplete="off" />
      </Form.Item>
    </FormDialog>
  )
}

/** A `PersonField` for use in a form, which has null where no person is chosen. */
function PersonChoice({ value, onChange, label }: { value?: string | null; onChange?: (id: string | undefined) => void; label: string }) {
  return <PersonField value={value ?? undefined} except="" label={label} onChange={(id) => onChange?.(id)} />
}

/** Seconds in which a card has to be shown. */
const WAIT = 30

interface NumberFieldProps {
  /** Given by `<Form.Item>`. */
  id?: string
  value?: string
  onChange?: (value: string) => void
}

/** Return the number format by the digits that were read. */
const formatOf = (number: string): 'decimal' | 'hex' => (/^[0-9]+$/.test(number) ? 'decimal' : 'hex')

/** The number of a card: typed, sent by a reader that acts as a keyboard, or read by the chosen collector. */
function NumberField({ id, value, onChange }: NumberFieldProps) {
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
