/** /addPassStrategyDetail: adds a strategy, or changes the one whose id is in the query. */
import { Checkbox, Form, Input, Segmented, Select, TreeSelect } from 'antd'
import { useTranslation } from 'react-i18next'
import { useNavigate, useSearchParams, Link } from 'react-router'
import { strategyCalls, timeRuleCalls, type Strategy } from '@gatehouse/contract/strategies/calls'
import { validateStrategy } from '@gatehouse/access-rules'
import { accessGroupCalls, type AccessGroup } from '@gatehouse/contract/strategies/access-groups'
import { BUILT_STRATEGY_KINDS } from '@gatehouse/contract/built'
import { deviceCalls } from '@gatehouse/contract/devices/calls'
import type { DeviceGroupNode } from '@gatehouse/contract/devices/groups'
import { accessMethod, authorisedObject, strategyKind } from '@gatehouse/contract/enums/access'
import { peopleCalls } from '@gatehouse/contract/people/calls'
import type { PersonGroupNode } from '@gatehouse/contract/people/groups'
import { FormPage } from '../../kit/form/FormPage.tsx'
import { loadedFrom, ready } from '../../kit/form/loaded.ts'
import { useReadOnce, useRead } from '../../api/query.ts'
import { useEnumOptions } from '../../kit/detail/EnumTag.tsx'
import { InstantField } from '../../kit/form/InstantField.tsx'
import { PersonsField } from '../../shared/PersonField.tsx'
import { choicesOf } from '../../kit/form/treeChoices.ts'
import { shownName } from '../../kit/shownName.ts'
import { path } from '../../paths.ts'
import { hinderedBy } from '../approvals/index.ts'
import { EffectLine } from '../questions/index.ts'
import { detailOf } from './addresses.ts'
import { newStrategy, strategyValuesOf, type StrategyValues } from './strategyValues.ts'
import { NEW_RULE } from './rules/ruleValues.ts'
import { DoorFields, TREE_CHOICE } from './DoorFields.tsx'
import { MethodsField } from './MethodsField.tsx'
import { membersIn } from './groups.ts'
import styles from './strategies.module.css'

export default function StrategyFormPage() {
  const [search] = useSearchParams()
  const id = search.get('id')
  return id ? <ChangeStrategy key={id} id={id} /> : <AddStrategy />
}

function useShowIt(): (answer: { id: string }) => void {
  const navigate = useNavigate()
  return ({ id }) => void navigate(detailOf(id), { replace: true })
}

function AddStrategy() {
  const { t } = useTranslation('strategies')
  return (
    <FormPage
      call={strategyCalls.create}
      title={t('addStrategy')}
      initial={ready(newStrategy())}
      done={t('saved')}
      draft="strategy.add"
      hindered={hinderedBy('strategy')}
      onDone={useShowIt()}
    >
      <StrategyFields />
      <EffectLine of="strategy" />
    </FormPage>
  )
}

function ChangeStrategy({ id }: { id: string }) {
  const { t } = useTranslation('strategies')
  const strategy = useReadOnce(strategyCalls.read, { query: { id } })
  return (
    <FormPage
      call={strategyCalls.change}
      title={t('editOf', { name: strategy.data?.name ?? '' })}
      initial={loadedFrom(strategy, strategyValuesOf)}
      hidden={{ id, version: strategy.data?.version }}
      done={t('saved')}
      draft={`strategy.${id}`}
      hindered={hinderedBy('strategy')}
      onDone={useShowIt()}
    >
      <StrategyFields chosen={strategy.data?.persons} />
      <EffectLine of="strategy" hidden={{ id }} />
    </FormPage>
  )
}

/** Return whether a choice of methods leaves out persons without a photograph. */
const leaveSomeOut = (methods: number[]): boolean =>
  validateStrategy({ timeRuleIds: ['any'], methods }).some(({ path: field }) => field === 'methods')

/**
 * The fields of a strategy: persons, doors, hours, methods and validity.
 * @param chosen persons the strategy names already
 */
function StrategyFields({ chosen }: { chosen?: Strategy['persons'] | undefined }) {
  const { t } = useTranslation('strategies')
  const optionsOf = useEnumOptions()
  const methods = Form.useWatch('methods', Form.useFormInstance<StrategyValues>()) ?? [accessMethod.card]
  const personGroups = useRead(peopleCalls.groupTree, { query: {} })
  const deviceGroups = useRead(deviceCalls.groupTree, {})
  const accessGroups = useRead(accessGroupCalls.all, {})
  const rules = useRead(timeRuleCalls.all, {})
  const named = (rows: { id: string; name: string }[] | undefined) =>
    rows?.map(({ id, name }) => ({ value: id, label: shownName(name) })) ?? []
  return (
    <>
      <div className={styles.fields}>
        <Form.Item name="name" label={t('name')} required>
          <Input maxLength={32} autoComplete="off" />
        </Form.Item>
        <Form.Item name="kind" label={t('kind')} hidden={BUILT_STRATEGY_KINDS.length === 1}>
          <Segmented aria-label={t('kind')} options={optionsOf(strategyKind)} />
        </Form.Item>
      </div>
      <fieldset className={styles.part}>
        <legend>{t('whom')}</legend>
        <Form.Item name="personGroupIds" label={t('personGroups')} extra={t('groupsHint')}>
          <TreeSelect
            {...TREE_CHOICE}
            treeData={choicesOf(personGroups.data ?? [])}
            loading={personGroups.isPending}
            placeholder={t('chooseGroups')}
          />
        </Form.Item>
        <Form.Item name="personIds" label={t('singlePersons')}>
          <PersonsField initial={chosen ?? []} />
        </Form.Item>
        <Form.Item name="authorizedObject" label={t('whoPasses')} extra={t('whoPassesHint')}>
          <Segmented aria-label={t('whoPasses')} options={optionsOf(authorisedObject)} />
        </Form.Item>
      </fieldset>
      <fieldset className={styles.part}>
        <legend>{t('where')}</legend>
        <DoorFields />
        <Form.Item name="accessGroupIds" label={t('accessGroups')} extra={t('accessGroup.hint')}>
          <Select
            mode="multiple"
            allowClear
            showSearch={{ optionFilterProp: 'label' }}
            options={named(accessGroups.data)}
            loading={accessGroups.isPending}
            placeholder={t('accessGroup.choose')}
          />
        </Form.Item>
      </fieldset>
      <StrategyReach personGroups={personGroups.data ?? []} deviceGroups={deviceGroups.data ?? []} accessGroups={accessGroups.data ?? []} />
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
            options={named(rules.data)}
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
            <span className={styles.methodsHint} data-missing={leaveSomeOut(methods) || undefined} role="status">
              {t('methodsHint')}
            </span>
          }
        >
          <MethodsField />
        </Form.Item>
        <Form.Item name="isDefault" valuePropName="checked" extra={t('defaultHint')}>
          <Checkbox>{t('makeDefault')}</Checkbox>
        </Form.Item>
      </fieldset>
    </>
  )
}

/** The number of persons and doors chosen so far. One that is chosen singly and by a group counts twice, hence "up to". */
function StrategyReach({
  personGroups,
  deviceGroups,
  accessGroups,
}: {
  personGroups: PersonGroupNode[]
  deviceGroups: DeviceGroupNode[]
  accessGroups: AccessGroup[]
}) {
  const { t } = useTranslation('strategies')
  const form = Form.useFormInstance<StrategyValues>()
  const single = Form.useWatch('personIds', form) ?? []
  const groups = Form.useWatch('personGroupIds', form) ?? []
  const doors = Form.useWatch('deviceIds', form) ?? []
  const doorGroups = Form.useWatch('deviceGroupIds', form) ?? []
  const chosenAccess = Form.useWatch('accessGroupIds', form) ?? []

  const inGroups = membersIn(personGroups, groups, ({ personCount }) => personCount)
  const inDoorGroups = membersIn(deviceGroups, doorGroups, ({ deviceCount }) => deviceCount)
  const persons = inGroups + single.length
  const inAccessGroups = accessGroups.filter(({ id }) => chosenAccess.includes(id)).reduce((sum, { deviceCount }) => sum + deviceCount, 0)
  const devices = inDoorGroups + inAccessGroups + doors.length
  if (persons === 0 || devices === 0)
    return (
      <p className={styles.sum} data-idle>
        {persons === 0 ? t('reachesNobodyYet') : t('reachesNoDoorYet')}
      </p>
    )
  const exact =
    (inGroups === 0 || single.length === 0) &&
    [inDoorGroups, inAccessGroups, doors.length].filter(Boolean).length === 1 &&
    chosenAccess.length <= 1
  return (
    <p className={styles.sum} role="status">
      {t(exact ? 'reaches' : 'reachesUpTo', { persons: t('persons', { count: persons }), doors: t('doors', { count: devices }) })}
    </p>
  )
}
