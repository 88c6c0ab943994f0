/** /passStrategy: who may pass where, when and how. */
import { PlusOutlined } from '@ant-design/icons'
import { Button } from 'antd'
import { lazy, Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { strategyCalls } from '@gatehouse/contract/strategies/calls'
import { BUILT_STRATEGY_KINDS } from '@gatehouse/contract/built'
import { strategyKind } from '@gatehouse/contract/enums/access'
import { useEnumOptions } from '../../kit/detail/EnumTag.tsx'
import { FilterBar } from '../../kit/list/FilterBar.tsx'
import { ListTable } from '../../kit/list/ListTable.tsx'
import { ListTools } from '../../kit/list/ListTools.tsx'
import { RowMenu, type RowAction } from '../../kit/list/RowMenu.tsx'
import { Screen } from '../../kit/detail/Screen.tsx'
import { useEditor } from '../../kit/form/useEditor.ts'
import { useList } from '../../kit/list/useList.ts'
import { path } from '../../paths.ts'
import { detailOf, formOf } from './addresses.ts'
import { useStrategyColumns, type StrategyRow } from './strategyColumns.tsx'
import { useDeleteStrategy } from './useDeleteStrategy.tsx'

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
      <Suspense fallback={null}>{doorGroups.round > 0 && <AccessGroupsDialog open={doorGroups.open} close={doorGroups.close} />}</Suspense>
    </Screen>
  )
}
