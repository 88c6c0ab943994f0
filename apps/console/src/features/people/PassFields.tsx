/** What lets a person pass: the doors permitted, the period, the card and the digits typed at a door. */
import { Button, Form, Input, Select, Space } from 'antd'
import { Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { PASSCODE_MAX, PERSON_NUMBER_MAX } from '@gatehouse/contract'
import { permitCalls } from '@gatehouse/contract/approvals/permits'
import { cardNumberFormat } from '@gatehouse/contract/enums/people'
import type { PersonKind } from '@gatehouse/contract/people/person-fields'
import { useMayCall } from '../../api/session.ts'
import { useEnumOptions } from '../../kit/detail/EnumTag.tsx'
import { InstantField } from '../../kit/form/InstantField.tsx'
import { PermitField } from '../approvals/index.ts'
import { EffectLine } from '../questions/index.ts'
import styles from './people.module.css'

interface PassFieldsProps {
  kind: PersonKind
  /** Absent while the person is still to be registered. */
  person?: { id: string; groupId: string; hasPersonalPassword: boolean } | undefined
}

export function PassFields({ kind, person }: PassFieldsProps) {
  const { t } = useTranslation('people')
  const optionsOf = useEnumOptions()
  const mayPermit = useMayCall(permitCalls.persons)
  const groupId = Form.useWatch<string | undefined>('groupId')
  const isMoving = person !== undefined && groupId !== undefined && groupId !== person.groupId
  return (
    <>
      {isMoving && <EffectLine of="personMove" hidden={{ ids: [person.id] }} />}
      {kind !== 'special' && mayPermit && (
        <Suspense fallback={<div className={styles.permit} data-pending />}>
          <Form.Item name="permit" label={t('approvals:permit.field')} className={styles.permit ?? ''}>
            <PermitField groupId={groupId} {...(person && { personIds: [person.id] })} />
          </Form.Item>
        </Suspense>
      )}
      <div className={styles.fields}>
        <Form.Item name="validFrom" label={t('validFrom')}>
          <InstantField as="start" />
        </Form.Item>
        <Form.Item name="validTo" label={t('validTo')} extra={t('validToHint')}>
          <InstantField as="end" />
        </Form.Item>
        <Form.Item label={t('cardNumber')} htmlFor="cardNumber">
          <Space.Compact block>
            <Form.Item name="cardNumber" noStyle>
              <Input maxLength={PERSON_NUMBER_MAX} autoComplete="off" />
            </Form.Item>
            <Form.Item name="cardNumberFormat" noStyle>
              <Select
                aria-label={t('cardNumberFormat')}
                className={styles.format}
                popupMatchSelectWidth={false}
                options={optionsOf(cardNumberFormat)}
              />
            </Form.Item>
          </Space.Compact>
        </Form.Item>
        <Form.Item name="personalPassword" label={t('personalPassword')}>
          <PasswordField isSet={person?.hasPersonalPassword === true} />
        </Form.Item>
      </div>
    </>
  )
}

interface PasswordFieldProps {
  /** Given by `<Form.Item>`. */
  id?: string
  value?: string | null
  onChange?: (digits: string | undefined) => void
  /** Whether the person has a password already. */
  isSet: boolean
}

/** The digits a person types at a door. The value undefined leaves the stored password, an empty one removes it. */
function PasswordField({ id, value, onChange, isSet }: PasswordFieldProps) {
  const { t } = useTranslation('people')
  const isRemoved = isSet && value === ''
  const hint = isSet ? 'password.set' : 'password.hint'
  return (
    <div className={styles.withButton}>
      <Input.Password
        {...(id && { id })}
        value={value ?? ''}
        maxLength={PASSCODE_MAX}
        inputMode="numeric"
        autoComplete="new-password"
        placeholder={t(isRemoved ? 'password.removed' : hint)}
        onChange={({ target }) => onChange?.(target.value || undefined)}
      />
      {isSet && (
        <Button onClick={() => onChange?.(isRemoved ? undefined : '')}>{t(isRemoved ? 'password.keep' : 'password.remove')}</Button>
      )}
    </div>
  )
}
