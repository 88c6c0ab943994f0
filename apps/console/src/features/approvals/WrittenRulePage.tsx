/** /writtenRules/{id}: the form that adds a written rule (`new`) or changes one. */
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Button, Form, Input, Radio, Select, Switch, TreeSelect } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate, useParams } from 'react-router'
import { WRITTEN_RULE_KINDS, WRITTEN_RULE_REACTIONS, writtenRuleCalls, type WrittenRule } from '@gatehouse/contract/approvals/written-rules'
import { isBuilt } from '@gatehouse/contract/built'
import { peopleCalls } from '@gatehouse/contract/people/calls'
import { PAGE_SIZE_OPTIONS, PAGE_START } from '@gatehouse/contract'
import { FormPage } from '../../kit/form/FormPage.tsx'
import { loadedFrom, ready } from '../../kit/form/loaded.ts'
import { readOptions, useRead, useReadOnce } from '../../api/query.ts'
import { path } from '../../paths.ts'
import { PersonsField } from '../../shared/PersonField.tsx'
import { useSession } from '../../api/session.ts'
import { choicesOf } from '../../kit/form/treeChoices.ts'
import { check } from '../../api/schema.ts'
import { Unanswered } from '../../kit/detail/Unanswered.tsx'
import { useSettled } from '../../kit/useSettled.ts'
import { DoorFields, TREE_CHOICE, WEEKDAYS, WeekField, type Period } from '../strategies/index.ts'
import { BreakersDrawer, hinderedBy } from './Breaches.tsx'
import { NEW_WRITTEN_RULE, newWrittenRule, writtenRuleValuesOf, type WrittenRuleValues } from './writtenRuleValues.ts'
import styles from './writtenRules.module.css'

export default function WrittenRulePage() {
  const { id = NEW_WRITTEN_RULE } = useParams()
  return id === NEW_WRITTEN_RULE ? <AddWrittenRule /> : <ChangeWrittenRule id={id} />
}

function useBack(): () => void {
  const navigate = useNavigate()
  return () => void navigate(path('writtenRules'), { replace: true })
}

function AddWrittenRule() {
  const { t } = useTranslation('approvals')
  return (
    <FormPage
      call={writtenRuleCalls.create}
      title={t('add')}
      initial={ready(newWrittenRule())}
      done={t('saved')}
      draft="writtenRule.add"
      onDone={useBack()}
    >
      <WrittenRuleFields />
      <StandingAgainst />
    </FormPage>
  )
}

function ChangeWrittenRule({ id }: { id: string }) {
  const { t } = useTranslation('approvals')
  const rule = useReadOnce(writtenRuleCalls.read, { params: { id } })
  return (
    <FormPage
      call={writtenRuleCalls.change}
      title={t('editOf', { name: rule.data?.name ?? '' })}
      initial={loadedFrom(rule, writtenRuleValuesOf)}
      hidden={{ id, version: rule.data?.version }}
      done={t('saved')}
      draft={`writtenRule.${id}`}
      hindered={hinderedBy()}
      onDone={useBack()}
    >
      <WrittenRuleFields chosen={rule.data?.persons} />
      <StandingAgainst />
    </FormPage>
  )
}

/**
 * The fields of a written rule: who must not pass where and when, and what happens to a change that would let them pass.
 * @param chosen persons that the rule already names
 */
function WrittenRuleFields({ chosen }: { chosen?: WrittenRule['persons'] | undefined }) {
  const { t } = useTranslation('approvals')
  const groups = useRead(peopleCalls.groupTree, { query: {} })
  const keepsCustomers = useSession(({ park }) => park?.showCustomerManagerFlag === 1)
  const named = Form.useWatch('kinds', Form.useFormInstance<Partial<Pick<WrittenRule, 'kinds'>>>()) ?? []
  const isKept = { staff: true, customer: keepsCustomers, visitor: isBuilt('visitor') }
  // A kind that the rule already names stays on offer, even where the park no longer has persons of that kind.
  const offered = WRITTEN_RULE_KINDS.filter((kind) => isKept[kind] || named.includes(kind))
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
          <PersonsField initial={chosen ?? []} />
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

interface HoursFieldProps {
  /** Given by `<Form.Item>`. */
  id?: string
  /** Empty: at all times. */
  value?: Period[]
  onChange?: (periods: Period[]) => void
}

/** Hours that are filled in first when a rule is limited to some hours. */
const EVENINGS: Period[] = WEEKDAYS.map((weekday) => ({ weekday, start: '20:00', end: '24:00' }))

/** Hours of the week in which a written rule applies: all of them, or some. */
function HoursField({ id, value = [], onChange }: HoursFieldProps) {
  const { t } = useTranslation('approvals')
  const [chosen, setChosen] = useState(false)
  const some = chosen || value.length > 0
  return (
    <div id={id} tabIndex={-1}>
      <Radio.Group
        aria-label={t('whenTitle')}
        value={some}
        onChange={({ target }) => {
          setChosen(target.value as boolean)
          onChange?.(target.value ? EVENINGS : [])
        }}
        options={[
          { value: false, label: t('always') },
          { value: true, label: t('someHours') },
        ]}
      />
      {some && <WeekField value={value} {...(onChange && { onChange })} />}
    </div>
  )
}

/** Persons who already break the written rule of the form; saving the rule does not take their access away. */
function StandingAgainst() {
  const { t } = useTranslation('approvals')
  const { name: _, ...deciding } = Form.useWatch<WrittenRuleValues | undefined>([], Form.useFormInstance()) ?? {}
  const text = JSON.stringify(deciding)
  const settled = useSettled(text)
  const [open, setOpen] = useState(false)
  const body = { ...(JSON.parse(settled ?? '{}') as WrittenRuleValues) }
  const { everybodyExcept, kinds = [], personGroupIds = [], personIds = [], deviceIds = [], deviceGroupIds = [] } = body
  const whole =
    (everybodyExcept === true || kinds.length + personGroupIds.length + personIds.length > 0) &&
    deviceIds.length + deviceGroupIds.length > 0 &&
    'data' in check(writtenRuleCalls.standing.body, body)
  const standing = useQuery({
    ...readOptions(writtenRuleCalls.standing, { body: { ...body, page: PAGE_START, size: PAGE_SIZE_OPTIONS[0] } }),
    enabled: whole,
    placeholderData: keepPreviousData,
  })
  if (!whole) return null
  const { data, isError } = standing
  if (data === undefined || isError) return <Unanswered title={t('standing.unanswered')} asked={standing} />
  return (
    <div className={styles.standing} data-none={data.total === 0 || undefined} role="status" aria-label={t('standing.title')}>
      <span>{data.total === 0 ? t('standing.nobody') : t('standing.some', { count: data.total })}</span>
      {data.total > 0 && (
        <Button size="small" onClick={() => setOpen(true)}>
          {t('standing.show')}
        </Button>
      )}
      <BreakersDrawer open={open} title={t('standing.title')} call={writtenRuleCalls.standing} body={body} close={() => setOpen(false)} />
    </div>
  )
}
