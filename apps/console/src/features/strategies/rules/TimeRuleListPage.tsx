/** /timeRule: time rules, which define when passing is permitted. */
import { PlusOutlined } from '@ant-design/icons'
import { Button } from 'antd'
import { useTranslation } from 'react-i18next'
import { Link, useNavigate } from 'react-router'
import { timeRuleCalls, type TimeRule } from '@gatehouse/contract/strategies/calls'
import { columnsOf } from '../../../kit/list/columns.tsx'
import { StatusTag } from '../../../kit/detail/EnumTag.tsx'
import { FilterBar } from '../../../kit/list/FilterBar.tsx'
import { ListTable } from '../../../kit/list/ListTable.tsx'
import { ListTools } from '../../../kit/list/ListTools.tsx'
import { RelativeTime } from '../../../kit/detail/RelativeTime.tsx'
import { RowMenu, type RowAction } from '../../../kit/list/RowMenu.tsx'
import { Screen } from '../../../kit/detail/Screen.tsx'
import { useList } from '../../../kit/list/useList.ts'
import { useUndo } from '../../../kit/list/useUndo.tsx'
import { useWrite } from '../../../kit/form/useWrite.ts'
import { shownName } from '../../../kit/shownName.ts'
import { path } from '../../../paths.ts'
import { RuleEffect } from './RuleEffect.tsx'
import { NEW_RULE } from './ruleValues.ts'
import { useWeekWords, WeekPicture } from './WeekPicture.tsx'
import styles from './rules.module.css'

export default function TimeRuleListPage() {
  const { t } = useTranslation('strategies')
  const navigate = useNavigate()
  const undoable = useUndo()
  const wordsOf = useWeekWords()
  const list = useList(timeRuleCalls.list, { name: 'timeRules' })
  const remove = useWrite(timeRuleCalls.delete, { done: t('deleted') })
  const edit = (id: string): void => void navigate(path('timeRuleDetail', { id }))
  const add = (
    <Button type="primary" icon={<PlusOutlined />} onClick={() => edit(NEW_RULE)}>
      {t('addRule')}
    </Button>
  )

  const columns = columnsOf<TimeRule>([
    {
      field: 'name',
      title: t('name'),
      width: 180,
      visibility: 'always',
      render: ({ id, name, isDefault }) => (
        <span className={styles.name}>
          <Link to={path('timeRuleDetail', { id })} title={shownName(name)} tabIndex={-1}>
            {shownName(name)}
          </Link>
          {isDefault && <StatusTag status="info">{t('default')}</StatusTag>}
        </span>
      ),
    },
    {
      field: 'periods',
      title: t('week'),
      width: 350,
      visibility: 'always',
      render: ({ periods }) => (
        <span className={styles.weekCell}>
          <WeekPicture periods={periods} />
          <small title={wordsOf(periods)}>{wordsOf(periods)}</small>
        </span>
      ),
    },
    { field: 'allowedExceptionDates', title: t('exceptions'), width: 130, render: exceptionsOf },
    { field: 'effect', title: t('state'), width: 165, render: (rule) => <RuleEffect rule={rule} /> },
    {
      field: 'effectiveDate',
      title: t('effectiveDate'),
      width: 110,
      visibility: 'hidden',
      render: ({ effectiveDate }) => effectiveDate ?? t('atOnce'),
    },
    { field: 'strategyCount', title: t('usedBy'), width: 105, render: ({ strategyCount }) => t('strategies', { count: strategyCount }) },
    {
      field: 'updatedAt',
      title: t('updatedAt'),
      width: 110,
      visibility: 'hidden',
      render: ({ updatedAt }) => <RelativeTime at={updatedAt} />,
    },
  ])
  function exceptionsOf({ allowedExceptionDates: allowed, forbiddenExceptionDates: forbidden }: TimeRule): string {
    const parts = [
      allowed.length > 0 && t('openDays', { count: allowed.length }),
      forbidden.length > 0 && t('closedDays', { count: forbidden.length }),
    ]
    return parts.filter(Boolean).join(t('common:listSeparator'))
  }
  function actionsOf({ id, name, isDefault, strategyCount }: TimeRule): RowAction[] {
    const change = { key: 'edit', label: t('edit'), run: () => edit(id) }
    // A rule in use, or the default one, cannot be deleted: the server would refuse it after the delay.
    if (isDefault || strategyCount > 0) return [change]
    return [
      change,
      {
        key: 'delete',
        label: t('delete'),
        danger: true,
        run: () => undoable(t('deleting', { name: shownName(name) }), () => remove.run({ body: { ids: [id] } })),
      },
    ]
  }

  return (
    <Screen title={t('timeRules')} note={!list.pending && t('records:total', { count: list.total })} actions={add}>
      <FilterBar list={list} filters={[{ field: 'name', label: t('name') }]}>
        <ListTools list={list} columns={columns} />
      </FilterBar>
      <ListTable
        list={list}
        columns={columns}
        empty={{ title: t('noRules'), action: add }}
        onOpen={({ id }) => edit(id)}
        actions={(rule) => <RowMenu name={shownName(rule.name)} actions={actionsOf(rule)} />}
      />
    </Screen>
  )
}
