/** /passStrategy: who may pass where, when and how. */
import { PlusOutlined } from '@ant-design/icons'
import { Button } from 'antd'
import { lazy, Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate, Link } from 'react-router'
import { strategyCalls, type strategyRow } from '@gatehouse/contract/strategies/calls'
import { BUILT_STRATEGY_KINDS } from '@gatehouse/contract/built'
import { strategyKind, accessMethod, authorisedObject } from '@gatehouse/contract/enums/access'
import type { OutputOf } from '@gatehouse/contract'
import { useEnumOptions, EnumTag, StatusTag, useEnumLabel } from '../../kit/detail/EnumTag.tsx'
import { FilterBar } from '../../kit/list/FilterBar.tsx'
import { ListTable } from '../../kit/list/ListTable.tsx'
import { ListTools } from '../../kit/list/ListTools.tsx'
import { RowMenu, type RowAction } from '../../kit/list/RowMenu.tsx'
import { Screen } from '../../kit/detail/Screen.tsx'
import { useEditor } from '../../kit/form/useEditor.ts'
import { useList } from '../../kit/list/useList.ts'
import { path } from '../../paths.ts'
import { columnsOf, type TableColumn } from '../../kit/list/columns.tsx'
import { RelativeTime } from '../../kit/detail/RelativeTime.tsx'
import { shownName } from '../../kit/shownName.ts'
import { detailOf, formOf } from './addresses.ts'
import { useDeleteStrategy } from './useDeleteStrategy.tsx'
import { StrategyValidity } from './StrategyValidity.tsx'
import styles from './strategies.module.css'

const AccessGroupsDialog = lazy(() => import('./AccessGroupsDialog.tsx'))

export default function StrategyListPage() {
  const { t } = useTranslation('strategies')
  const navigate = useNavigate()
  const list = useList(strategyCalls.find, { name: 'strategies' })
  const columns = useStrategyColumns()
  const optionsOf = useEnumOptions()
  const remove = useDeleteStrategy()
  const doorGroups = useEditor<never>()
  const add = (
    <Button type="primary" icon={<PlusOutlined />} onClick={() => void navigate(formOf())}>
      {t('addStrategy')}
    </Button>
  )

  function actionsOf(strategy: StrategyRow): RowAction[] {
    const edit = { key: 'edit', label: t('edit'), run: () => void navigate(formOf(strategy.id)) }
    const sync = { key: 'sync', label: t('synchronisation:title'), run: () => void navigate(path('syncStatus', { id: strategy.id })) }
    return strategy.isDefault
      ? [edit, sync]
      : [edit, sync, { key: 'delete', label: t('delete'), danger: true, run: () => remove(strategy) }]
  }

  return (
    <Screen
      title={t('strategyList')}
      note={!list.pending && t('records:total', { count: list.total })}
      actions={
        <>
          <Button onClick={doorGroups.add}>{t('accessGroups')}</Button>
          {add}
        </>
      }
    >
      <FilterBar
        list={list}
        filters={[
          { field: 'name', label: t('name') },
          ...(BUILT_STRATEGY_KINDS.length > 1 ? [{ field: 'kind' as const, label: t('kind'), options: optionsOf(strategyKind) }] : []),
        ]}
      >
        <ListTools list={list} columns={columns} />
      </FilterBar>
      <ListTable
        list={list}
        columns={columns}
        empty={{ title: t('noStrategies'), action: add }}
        onOpen={({ id }) => void navigate(detailOf(id))}
        actions={(strategy) => <RowMenu name={strategy.name} actions={actionsOf(strategy)} />}
      />
      <Suspense fallback={null}>
        {doorGroups.openingCount > 0 && <AccessGroupsDialog open={doorGroups.open} close={doorGroups.close} />}
      </Suspense>
    </Screen>
  )
}

type StrategyRow = OutputOf<typeof strategyRow>

/** Return the columns of strategies: persons, doors, hours and methods, with the numbers reached. */
function useStrategyColumns(): TableColumn<StrategyRow>[] {
  const { t } = useTranslation('strategies')
  const label = useEnumLabel()
  const names = (...named: { name: string }[][]): string =>
    named
      .flat()
      .map(({ name }) => shownName(name))
      .join(t('common:listSeparator'))
  return columnsOf<StrategyRow>([
    {
      field: 'name',
      title: t('name'),
      width: 180,
      visibility: 'always',
      render: ({ id, name, isDefault }) => (
        <span className={styles.name}>
          <Link to={detailOf(id)} title={name} tabIndex={-1}>
            {name}
          </Link>
          {isDefault && <StatusTag status="info">{t('default')}</StatusTag>}
        </span>
      ),
    },
    {
      field: 'personCount',
      title: t('whom'),
      width: 170,
      visibility: 'always',
      render: ({ personCount, personGroups }) => (
        <Reach count={personCount} words={t('persons', { count: personCount })} names={names(personGroups)} none={t('reachesNobody')} />
      ),
    },
    {
      field: 'deviceCount',
      title: t('where'),
      width: 170,
      visibility: 'always',
      render: ({ deviceCount, accessGroups, deviceGroups, devices }) => (
        <Reach
          count={deviceCount}
          words={t('doors', { count: deviceCount })}
          names={names(accessGroups, deviceGroups, devices)}
          none={t('reachesNoDoor')}
        />
      ),
    },
    { field: 'timeRules', title: t('when'), width: 140, render: ({ timeRules }) => names(timeRules) },
    {
      field: 'methods',
      title: t('how'),
      width: 150,
      render: ({ methods }) => methods.map((method) => label(accessMethod, method)).join(t('common:listSeparator')),
    },
    {
      field: 'validTo',
      title: t('validity'),
      width: 130,
      render: ({ validFrom, validTo }) => <StrategyValidity from={validFrom} to={validTo} />,
    },
    {
      field: 'authorizedObject',
      title: t('whoPasses'),
      width: 110,
      visibility: 'hidden',
      render: (row) => <EnumTag of={authorisedObject} value={row.authorizedObject} />,
    },
    {
      field: 'kind',
      title: t('kind'),
      width: 90,
      visibility: 'hidden',
      offered: BUILT_STRATEGY_KINDS.length > 1,
      render: ({ kind }) => <EnumTag of={strategyKind} value={kind} />,
    },
    {
      field: 'updatedAt',
      title: t('updatedAt'),
      width: 110,
      visibility: 'hidden',
      render: ({ updatedAt }) => <RelativeTime at={updatedAt} />,
    },
  ])
}

/** A number reached, with the names it comes from; zero is a warning. */
function Reach({ count, words, names, none }: { count: number; words: string; names: string; none: string }) {
  return (
    <span className={styles.reach}>
      {count === 0 ? <StatusTag status="wait">{none}</StatusTag> : <b>{words}</b>}
      {names && <small title={names}>{names}</small>}
    </span>
  )
}
