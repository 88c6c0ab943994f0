/** The fields of a strategy: whom, where, when, how, and for how long. */
import { Checkbox, Form, Input, Segmented, Select, TreeSelect } from 'antd'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { validateStrategy } from '@gatehouse/access-rules'
import { timeRuleCalls, type Strategy } from '@gatehouse/contract/strategies/calls'
import { accessGroupCalls } from '@gatehouse/contract/strategies/access-groups'
import { BUILT_STRATEGY_KINDS } from '@gatehouse/contract/built'
import { deviceCalls } from '@gatehouse/contract/devices/calls'
import { accessMethod, authorisedObject, strategyKind } from '@gatehouse/contract/enums/access'
import { peopleCalls } from '@gatehouse/contract/people/calls'
import { useEnumOptions } from '../../kit/detail/EnumTag.tsx'
import { InstantField } from '../../kit/form/InstantField.tsx'
import { PersonsField } from '../../shared/PersonsField.tsx'
import { useRead } from '../../api/query.ts'
import { choicesOf } from '../../kit/form/treeChoices.ts'
import { shownName } from '../../kit/shownName.ts'
import { path } from '../../paths.ts'
import { NEW_RULE } from './rules/ruleValues.ts'
import { DoorFields, TREE_CHOICE } from './DoorFields.tsx'
import { MethodsField } from './MethodsField.tsx'
import { StrategyReach } from './StrategyReach.tsx'
import type { StrategyValues } from './strategyValues.ts'
import styles from './strategies.module.css'

/** Whether somebody without a photograph is left out by a choice of methods. */
const leaveSomeOut = (methods: number[]): boolean =>
  validateStrategy({ timeRuleIds: ['any'], methods }).some(({ path: field }) => field === 'methods')

/** @param known persons the strategy names already */
export function StrategyFields({ known }: { known?: Strategy['persons'] | undefined }) {
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
          <PersonsField known={known ?? []} />
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
