/** The fields of a strategy: whom, where, when, how, and for how long. */
import { Form, Input, Segmented, Select, TreeSelect } from 'antd'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { validateStrategy } from '@gatehouse/access-rules'
import { PAGE_SIZE_MAX } from '@gatehouse/contract'
import { accessCalls, type Strategy } from '@gatehouse/contract/access/calls'
import { deviceCalls } from '@gatehouse/contract/devices/calls'
import { accessMethod, strategyKind } from '@gatehouse/contract/enums/access'
import { peopleCalls } from '@gatehouse/contract/people/calls'
import { useEnumOptions } from '../../../kit/EnumTag.tsx'
import { InstantField } from '../../../kit/InstantField.tsx'
import { useRead } from '../../../kit/query.ts'
import { useMay } from '../../../kit/session.ts'
import { path } from '../../../paths.ts'
import { choicesOf } from './groups.ts'
import { NEW_RULE } from '../rules/ruleValues.ts'
import { MethodsField } from './MethodsField.tsx'
import { PersonsField } from './PersonsField.tsx'
import { StrategyReach } from './StrategyReach.tsx'
import type { StrategyValues } from './strategyValues.ts'
import styles from './strategies.module.css'

/** Whether somebody without a photograph is left out by a choice of methods. */
const leaveSomeOut = (methods: number[]): boolean => validateStrategy({ timeRuleIds: ['any'], methods }).some(({ path: field }) => field === 'methods')

/** @param known persons the strategy names already */
export function StrategyFields({ known }: { known?: Strategy['persons'] | undefined }) {
  const { t } = useTranslation('access')
  const optionsOf = useEnumOptions()
  const methods = Form.useWatch('methods', Form.useFormInstance<StrategyValues>()) ?? [accessMethod.card]
  const personGroups = useRead(peopleCalls.groupTree, { query: {} })
  const deviceGroups = useRead(deviceCalls.groupTree, {})
  const devices = useRead(deviceCalls.list, { query: { size: PAGE_SIZE_MAX } }, { enabled: useMay('device.list') })
  const rules = useRead(accessCalls.allTimeRules, {})
  const named = (rows: { id: string; name: string }[] | undefined) => rows?.map(({ id, name }) => ({ value: id, label: name })) ?? []
  const tree = { treeCheckable: true, treeCheckStrictly: false, showCheckedStrategy: TreeSelect.SHOW_PARENT, treeDefaultExpandAll: true, allowClear: true, showSearch: { treeNodeFilterProp: 'title' } } as const
  return (
    <>
      <div className={styles.fields}>
        <Form.Item name="name" label={t('name')} required><Input maxLength={32} autoComplete="off" /></Form.Item>
        <Form.Item name="kind" label={t('kind')}><Segmented options={optionsOf(strategyKind)} /></Form.Item>
      </div>
      <fieldset className={styles.part}>
        <legend>{t('whom')}</legend>
        <Form.Item name="personGroupIds" label={t('personGroups')} extra={t('groupsHint')}>
          <TreeSelect {...tree} treeData={choicesOf(personGroups.data ?? [])} loading={personGroups.isPending} placeholder={t('chooseGroups')} />
        </Form.Item>
        <Form.Item name="personIds" label={t('singlePersons')}><PersonsField known={known ?? []} /></Form.Item>
      </fieldset>
      <fieldset className={styles.part}>
        <legend>{t('where')}</legend>
        <Form.Item name="deviceGroupIds" label={t('deviceGroups')}>
          <TreeSelect {...tree} treeData={choicesOf(deviceGroups.data ?? [])} loading={deviceGroups.isPending} placeholder={t('chooseGroups')} />
        </Form.Item>
        <Form.Item name="deviceIds" label={t('singleDoors')}>
          <Select mode="multiple" allowClear showSearch={{ optionFilterProp: 'label' }} options={named(devices.data?.content)} loading={devices.isFetching} placeholder={t('chooseDoors')} />
        </Form.Item>
      </fieldset>
      <StrategyReach personGroups={personGroups.data ?? []} deviceGroups={deviceGroups.data ?? []} />
      <fieldset className={styles.part}>
        <legend>{t('when')}</legend>
        <Form.Item name="timeRuleIds" label={t('timeRules')} required extra={<>{t('rulesHint')} <Link className={styles.inText ?? ''} to={path('timeRuleDetail', { id: NEW_RULE })}>{t('addRule')}</Link></>}>
          <Select mode="multiple" showSearch={{ optionFilterProp: 'label' }} options={named(rules.data)} loading={rules.isPending} placeholder={t('chooseRules')} />
        </Form.Item>
        <div className={styles.fields}>
          <Form.Item name="validFrom" label={t('validFrom')}><InstantField as="time" /></Form.Item>
          <Form.Item name="validTo" label={t('validTo')} extra={t('validToHint')}><InstantField as="time" /></Form.Item>
        </div>
      </fieldset>
      <fieldset className={styles.part}>
        <legend>{t('how')}</legend>
        <Form.Item name="methods" label={t('methods')} required extra={<span className={styles.methodsHint} data-missing={leaveSomeOut(methods) || undefined} role="status">{t('methodsHint')}</span>}>
          <MethodsField />
        </Form.Item>
      </fieldset>
    </>
  )
}
