/** Where and how a visitor passes: the access rules and methods, filled in by the pass rules of the host and the group. */
import { Checkbox, Form, Input, Select } from 'antd'
import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { PERSON_NUMBER_MAX } from '@gatehouse/contract'
import { accessMethod } from '@gatehouse/contract/enums/access'
import { cardNumberFormat } from '@gatehouse/contract/enums/people'
import { visitorSource } from '@gatehouse/contract/enums/visitors'
import { strategyCalls } from '@gatehouse/contract/strategies/calls'
import type { VisitorConfiguration } from '@gatehouse/contract/visitors/configuration'
import { PASS_METHODS } from '@gatehouse/contract/visitors/fields'
import { passRuleCalls } from '@gatehouse/contract/visitors/pass-rules'
import { useRead } from '../../../api/query.ts'
import { useEnumLabel } from '../../../kit/detail/EnumTag.tsx'
import { shownName } from '../../../kit/shownName.ts'
import type { PassMethod, VisitValues } from './visitValues.ts'
import styles from './form.module.css'

export function PassFields({ configuration }: { configuration: VisitorConfiguration | undefined }) {
  const { t } = useTranslation('visitors')
  const label = useEnumLabel()
  const form = Form.useFormInstance<VisitValues>()
  const isAtDesk = Form.useWatch('source', form) === visitorSource.temporary
  const format = configuration?.cardFormat ?? cardNumberFormat.decimal
  return (
    <>
      {configuration?.needAuthorisation === true && <Authorisation />}
      <div className={styles.fields}>
        <Form.Item
          name="cardNumber"
          label={t('cardNumber')}
          required={isAtDesk && configuration?.forcedCardIssue === true}
          extra={t('cardFormatHint', { format: label(cardNumberFormat, format) })}
        >
          <Input maxLength={PERSON_NUMBER_MAX} autoComplete="off" />
        </Form.Item>
      </div>
    </>
  )
}

/** The access rules and the methods of a visitor who passes doors alone. */
function Authorisation() {
  const { t } = useTranslation('visitors')
  const rules = useRead(strategyCalls.all, { query: { kind: 'visitor' } })
  const matched = usePrefill()
  const options = new Map([...(matched ?? []), ...(rules.data ?? [])].map(({ id, name }) => [id, { value: id, label: shownName(name) }]))
  return (
    <div className={styles.fields}>
      <Form.Item name="accessGroupIds" label={t('accessRules')} required extra={t('accessRulesHint')}>
        <Select<string[]>
          mode="multiple"
          allowClear
          showSearch={{ optionFilterProp: 'label' }}
          options={[...options.values()]}
          loading={rules.isPending}
          placeholder={t('chooseAccessRules')}
        />
      </Form.Item>
      <Form.Item name="passMethods" label={t('passMethods')} required>
        <PassMethodsField />
      </Form.Item>
    </div>
  )
}

interface PassMethodsFieldProps {
  /** Given by `<Form.Item>`; other properties it gives, such as aria-required, are not allowed on a group. */
  id?: string
  value?: PassMethod[]
  onChange?: (methods: PassMethod[]) => void
}

/** The ways in which visitors can pass. */
export function PassMethodsField({ id, value = [], onChange }: PassMethodsFieldProps) {
  const label = useEnumLabel()
  return (
    <Checkbox.Group<PassMethod>
      {...(id && { id })}
      value={value}
      options={PASS_METHODS.map((method) => ({ value: method, label: label(accessMethod, method) }))}
      onChange={onChange}
    />
  )
}

type Prefilled = Pick<VisitValues, 'accessGroupIds' | 'passMethods'>
const FIELDS = ['accessGroupIds', 'passMethods'] as const
const isSame = (one: readonly unknown[] | null | undefined, other: readonly unknown[] | null | undefined): boolean =>
  (one ?? []).join() === (other ?? []).join()

/**
 * Fill in what the pass rules give a visitor of this host and group, as long as the user has not chosen something else.
 * @returns the access rules that were filled in
 */
function usePrefill(): { id: string; name: string }[] | undefined {
  const form = Form.useFormInstance<VisitValues>()
  const intervieweeId = Form.useWatch('intervieweeId', form) ?? undefined
  const visitorGroupId = Form.useWatch('visitorGroupId', form) ?? undefined
  const match = useRead(passRuleCalls.match, { query: { intervieweeId, visitorGroupId } })
  /** What was filled in last: any other value was chosen by the user. */
  const filled = useRef<Prefilled>({})
  const given = match.data
  useEffect(() => {
    if (!given) return
    const next: Prefilled = { accessGroupIds: given.accessGroups.map(({ id }) => id), passMethods: given.passMethods as PassMethod[] }
    for (const field of FIELDS) {
      if (!isSame(form.getFieldValue(field) as unknown[] | undefined, filled.current[field])) continue
      form.setFieldValue(field, next[field])
      filled.current = { ...filled.current, [field]: next[field] }
    }
  }, [given, form])
  return given?.accessGroups
}
