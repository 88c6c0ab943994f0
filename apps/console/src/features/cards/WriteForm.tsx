/** What is to be written onto how many cards, and by which machine. */
import { Button, Form, Input, InputNumber, Segmented } from 'antd'
import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import { CARD_AREA_DIGITS, type InputOf } from '@gatehouse/contract'
import { cardCalls } from '@gatehouse/contract/cards/calls'
import type { KeyType } from '@gatehouse/contract/cards/keys'
import { CARDS_AT_ONCE } from '@gatehouse/contract/cards/writing'
import { keyCardType } from '@gatehouse/contract/enums/devices'
import { useEnumOptions } from '../../kit/detail/EnumTag.tsx'
import { FormBody } from '../../kit/form/FormBody.tsx'
import { ready } from '../../kit/form/loaded.ts'
import { useContractForm } from '../../kit/form/useContractForm.ts'
import { CollectorField, collectorHere } from './CollectorField.tsx'
import styles from './cards.module.css'

type Fields = InputOf<typeof cardCalls.startWrite.body>
const [, AREA_MAX] = CARD_AREA_DIGITS

interface WriteFormProps {
  kind: KeyType
  many: boolean
  /** The key is there. */
  enabled: boolean
  onStarted: (id: string) => void
}

export function WriteForm({ kind, many, enabled, onStarted }: WriteFormProps) {
  const { t } = useTranslation('cards')
  const id = useId()
  const optionsOf = useEnumOptions()
  const contract = useContractForm<typeof cardCalls.startWrite, Partial<Fields>>({
    call: cardCalls.startWrite,
    hidden: { kind },
    done: t('write.started'),
    onDone: ({ id: started }) => onStarted(started),
    draft: `cardWrite.${kind}${many ? '.many' : ''}`,
    unkept: ['transportKey'],
  })
  return (
    <div className={styles.form}>
      <FormBody
        id={id}
        initial={ready<Partial<Fields>>({ cardType: keyCardType.m1, deviceId: collectorHere(), ...(many && { count: 10 }) })}
        contract={contract}
      >
        <div className={styles.fields}>
          <Form.Item name="deviceId" label={t('write.device')} required>
            <CollectorField />
          </Form.Item>
          <Form.Item name="cardType" label={t('write.cardType')} required>
            <Segmented aria-label={t('write.cardType')} options={optionsOf(keyCardType)} />
          </Form.Item>
          {many && (
            <Form.Item name="count" label={t('write.count')} required>
              <InputNumber min={1} max={CARDS_AT_ONCE} precision={0} style={{ width: '100%' }} />
            </Form.Item>
          )}
          {kind !== 'leader' && (
            <Form.Item name="area" label={t('write.area')} extra={t('write.areaHint')}>
              <Input maxLength={AREA_MAX} inputMode="numeric" autoComplete="off" />
            </Form.Item>
          )}
          <Form.Item name="transportKey" label={t('write.transportKey')} extra={t('write.transportKeyHint')}>
            <Input maxLength={32} autoComplete="off" spellCheck={false} />
          </Form.Item>
        </div>
      </FormBody>
      <Button type="primary" htmlType="submit" form={id} loading={contract.pending} disabled={!enabled}>
        {t(many ? 'write.startMany' : 'write.start')}
      </Button>
      {!enabled && <span className={styles.missing}>{t('write.keyFirst')}</span>}
    </div>
  )
}
