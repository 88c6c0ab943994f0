/** The fields of an associated rule: linked park, persons, doors, hours, methods and validity. */
import { Alert, Form, Input, Radio, Select } from 'antd'
import { useDeferredValue, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { validateStrategy } from '@gatehouse/access-rules'
import { associatedRuleCalls, type AssociatedRule } from '@gatehouse/contract/strategies/associated-rules'
import { timeRuleCalls } from '@gatehouse/contract/strategies/calls'
import { accessMethod } from '@gatehouse/contract/enums/access'
import { InstantField } from '../../../kit/form/InstantField.tsx'
import { useRead } from '../../../api/query.ts'
import { shownName } from '../../../kit/shownName.ts'
import { path } from '../../../paths.ts'
import { NEW_RULE } from '../rules/ruleValues.ts'
import { DoorFields } from '../DoorFields.tsx'
import { MethodsField } from '../MethodsField.tsx'
import type { AssociatedValues } from './associatedValues.ts'
import styles from '../strategies.module.css'
import own from './associated.module.css'

/** Return whether a choice of methods leaves out persons without a photograph. */
const leaveSomeOut = (methods: number[]): boolean =>
  validateStrategy({ timeRuleIds: ['any'], methods }).some(({ path: field }) => field === 'methods')

interface AssociatedRuleFieldsProps {
  kind: 'staff' | 'visitor'
  /** The rule as it is stored; absent: a new one. */
  rule?: AssociatedRule | undefined
}

export function AssociatedRuleFields({ kind, rule }: AssociatedRuleFieldsProps) {
  const { t } = useTranslation('strategies')
  const form = Form.useFormInstance<AssociatedValues>()
  const methods = Form.useWatch('methods', form) ?? [accessMethod.card]
  const parks = useRead(associatedRuleCalls.relatedParks, {})
  const rules = useRead(timeRuleCalls.all, {})
  // Chosen persons belong to the park that was chosen before.
  const forgetPersons = (): void => form.setFieldsValue({ personIds: [], personGroupIds: [] })
  return (
    <>
      {kind === 'visitor' && <Alert className={styles.sum ?? ''} type="info" showIcon title={t('associated.visitorHint')} />}
      <div className={styles.fields}>
        <Form.Item name="name" label={t('name')} required>
          <Input maxLength={32} autoComplete="off" />
        </Form.Item>
        <Form.Item name="parkId" label={t('associated.park')} required extra={t('associated.parkHint')}>
          <Select
            options={parks.data?.map(({ id, parkName }) => ({ value: id, label: parkName })) ?? []}
            loading={parks.isPending}
            placeholder={t('associated.choosePark')}
            notFoundContent={t('associated.noLinks')}
            onChange={forgetPersons}
          />
        </Form.Item>
      </div>
      {kind === 'staff' && <PeopleFields rule={rule} />}
      <fieldset className={styles.part}>
        <legend>{t('where')}</legend>
        <DoorFields />
      </fieldset>
      <fieldset className={styles.part}>
        <legend>{t('when')}</legend>
        <Form.Item
          name="timeRuleIds"
          label={t('timeRules')}
          required
          extra={
            <>
              {t('rulesHint')}{' '}
              <Link className={styles.inText ?? ''} to={path('timeRuleDetail', { id: NEW_RULE })}>
                {t('addRule')}
              </Link>
            </>
          }
        >
          <Select
            mode="multiple"
            showSearch={{ optionFilterProp: 'label' }}
            options={rules.data?.map(({ id, name }) => ({ value: id, label: shownName(name) })) ?? []}
            loading={rules.isPending}
            placeholder={t('chooseRules')}
          />
        </Form.Item>
        <div className={styles.fields}>
          <Form.Item name="validFrom" label={t('validFrom')}>
            <InstantField as="time" />
          </Form.Item>
          <Form.Item name="validTo" label={t('validTo')} extra={t('validToHint')}>
            <InstantField as="time" />
          </Form.Item>
        </div>
      </fieldset>
      <fieldset className={styles.part}>
        <legend>{t('how')}</legend>
        <Form.Item
          name="methods"
          label={t('methods')}
          required
          extra={
            <>
              <span className={styles.methodsHint} data-missing={leaveSomeOut(methods) || undefined} role="status">
                {t('methodsHint')}
              </span>
              {kind === 'staff' && <> {t('associated.passwordsStay')}</>}
            </>
          }
        >
          <MethodsField />
        </Form.Item>
      </fieldset>
    </>
  )
}

/** All shared persons, or a list of them. */
function PeopleFields({ rule }: Pick<AssociatedRuleFieldsProps, 'rule'>) {
  const { t } = useTranslation('strategies')
  const form = Form.useFormInstance<AssociatedValues>()
  const parkId = Form.useWatch('parkId', form)
  const everybody = Form.useWatch('everybody', form) ?? false
  const parks = useRead(associatedRuleCalls.relatedParks, {})
  const park = parks.data?.find(({ id }) => id === parkId)
  return (
    <fieldset className={styles.part}>
      <legend>{t('whom')}</legend>
      {rule?.everybodyConfirmed === false && (
        <Alert
          className={own.unconfirmed ?? ''}
          type="warning"
          showIcon
          title={t('associated.unconfirmed.inForm', { park: rule.parkName })}
        />
      )}
      <Form.Item
        name="everybody"
        label={t('associated.everybody')}
        extra={park && t('associated.shares', { park: park.parkName, persons: t('persons', { count: park.personCount }) })}
      >
        <Radio.Group
          options={[
            { value: true, label: t('associated.all') },
            { value: false, label: t('associated.chosen') },
          ]}
          // A rule is about everybody or about a list: a hidden list must not keep persons.
          onChange={({ target }) => target.value === true && form.setFieldsValue({ personIds: [], personGroupIds: [] })}
        />
      </Form.Item>
      {!everybody &&
        (parkId === undefined ? (
          <p className={styles.none}>{t('associated.chooseParkFirst')}</p>
        ) : (
          <>
            <Form.Item name="personGroupIds" label={t('personGroups')} extra={t('associated.groupsHint')}>
              <Select
                mode="multiple"
                allowClear
                showSearch={{ optionFilterProp: 'label' }}
                options={park?.personGroups.map(({ id, name, personCount }) => ({ value: id, label: `${name} · ${personCount}` })) ?? []}
                placeholder={t('chooseGroups')}
                // A group is enough: the field for persons is not missing any more.
                onChange={() => form.setFields([{ name: 'personIds', errors: [] }])}
              />
            </Form.Item>
            <Form.Item name="personIds" label={t('singlePersons')}>
              <SharedPersonsField key={parkId} parkId={parkId} savedPersons={rule?.persons ?? []} />
            </Form.Item>
          </>
        ))}
    </fieldset>
  )
}

interface SharedPersonsFieldProps {
  /** Given by `<Form.Item>`. */
  id?: string
  value?: string[]
  onChange?: (ids: string[]) => void
  parkId: string
  /** Persons of the stored rule, with their names. */
  savedPersons: readonly { id: string; name: string; workNumber: string }[]
}

const SHOWN = 20

/** A choice of several shared persons, searched by name or work number. The value is their ids. */
function SharedPersonsField({ id, value = [], onChange, parkId, savedPersons }: SharedPersonsFieldProps) {
  const { t } = useTranslation()
  const [typed, setTyped] = useState('')
  const [picked, setPicked] = useState<typeof savedPersons>([])
  const found = useRead(associatedRuleCalls.persons, { query: { parkId, name: useDeferredValue(typed.trim()), size: SHOWN } })
  const offered = found.data?.content ?? []
  const chosen = [...savedPersons, ...picked].filter((one) => value.includes(one.id))
  const options = [
    ...new Map(
      [...chosen, ...offered].map((one) => [
        one.id,
        { value: one.id, label: one.workNumber ? `${one.name} · ${one.workNumber}` : one.name },
      ]),
    ).values(),
  ]
  return (
    <Select
      {...(id && { id })}
      mode="multiple"
      allowClear
      showSearch={{
        filterOption: typed.trim() === '' ? true : (_, one) => offered.some((other) => other.id === one?.value),
        onSearch: setTyped,
        searchValue: typed,
      }}
      value={value}
      options={options}
      loading={found.isFetching}
      placeholder={t('person.findMany')}
      maxTagCount={40}
      onChange={(ids) => {
        setPicked((before) =>
          [...new Map([...before, ...offered].map((one) => [one.id, one])).values()].filter((one) => ids.includes(one.id)),
        )
        setTyped('')
        onChange?.(ids)
      }}
      notFoundContent={found.isFetching ? null : t('person.nobodyFound')}
    />
  )
}
