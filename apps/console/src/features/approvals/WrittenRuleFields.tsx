/** The fields of a written rule: who must not pass where and when, and what becomes of a change that would let them. */
import { Form, Input, Radio, Select, Switch, TreeSelect } from 'antd'
import { useTranslation } from 'react-i18next'
import { WRITTEN_RULE_KINDS, WRITTEN_RULE_REACTIONS, type WrittenRule } from '@gatehouse/contract/approvals/written-rules'
import { isBuilt } from '@gatehouse/contract/built'
import { peopleCalls } from '@gatehouse/contract/people/calls'
import { PersonsField } from '../../shared/PersonsField.tsx'
import { useRead } from '../../api/query.ts'
import { useSession } from '../../api/session.ts'
import { choicesOf } from '../../kit/form/treeChoices.ts'
import { DoorFields, TREE_CHOICE } from '../strategies/index.ts'
import { HoursField } from './HoursField.tsx'
import styles from './writtenRules.module.css'

/** @param known persons the rule names already */
export function WrittenRuleFields({ known }: { known?: WrittenRule['persons'] | undefined }) {
  const { t } = useTranslation('approvals')
  const groups = useRead(peopleCalls.groupTree, { query: {} })
  const keepsCustomers = useSession(({ park }) => park?.showCustomerManagerFlag === 1)
  const named = Form.useWatch('kinds', Form.useFormInstance<Partial<Pick<WrittenRule, 'kinds'>>>()) ?? []
  const there = { staff: true, customer: keepsCustomers, visitor: isBuilt('visitor') }
  // What a rule names already stays, whether there is anybody of that kind or not.
  const offered = WRITTEN_RULE_KINDS.filter((kind) => there[kind] || named.includes(kind))
  return (
    <>
      <div className={styles.fields}>
        <Form.Item name="name" label={t('name')} required>
          <Input maxLength={32} autoComplete="off" placeholder={t('namePlaceholder')} />
        </Form.Item>
        <Form.Item name="enabled" label={t('enabled')} valuePropName="checked">
          <Switch />
        </Form.Item>
      </div>
      <fieldset className={styles.part}>
        <legend>{t('whomTitle')}</legend>
        <Form.Item name="everybodyExcept" label={t('about')} extra={t('aboutHint')}>
          <Radio.Group
            options={[
              { value: false, label: t('aboutThese') },
              { value: true, label: t('aboutOthers') },
            ]}
          />
        </Form.Item>
        <Form.Item name="kinds" label={t('kinds')} {...(offered.includes('visitor') && { extra: t('kindsHint') })}>
          <Select
            mode="multiple"
            allowClear
            options={offered.map((kind) => ({ value: kind, label: t(`kind.${kind}`) }))}
            placeholder={t('chooseKinds')}
          />
        </Form.Item>
        <Form.Item name="personGroupIds" label={t('strategies:personGroups')}>
          <TreeSelect
            {...TREE_CHOICE}
            treeData={choicesOf(groups.data ?? [])}
            loading={groups.isPending}
            placeholder={t('strategies:chooseGroups')}
          />
        </Form.Item>
        <Form.Item name="personIds" label={t('strategies:singlePersons')}>
          <PersonsField known={known ?? []} />
        </Form.Item>
      </fieldset>
      <fieldset className={styles.part}>
        <legend>{t('whereTitle')}</legend>
        <DoorFields />
      </fieldset>
      <fieldset className={styles.part}>
        <legend>{t('whenTitle')}</legend>
        <Form.Item name="periods">
          <HoursField />
        </Form.Item>
      </fieldset>
      <fieldset className={styles.part}>
        <legend>{t('reactionTitle')}</legend>
        <Form.Item name="reaction">
          <Radio.Group
            className={styles.reactions ?? ''}
            options={WRITTEN_RULE_REACTIONS.map((one) => ({
              value: one,
              label: (
                <span>
                  {t(`reactionOf.${one}`)}
                  <small>{t(`reactionHint.${one}`)}</small>
                </span>
              ),
            }))}
          />
        </Form.Item>
        <Form.Item name="sentence" label={t('sentence')} extra={t('sentenceHint')}>
          <Input maxLength={200} autoComplete="off" />
        </Form.Item>
      </fieldset>
    </>
  )
}
