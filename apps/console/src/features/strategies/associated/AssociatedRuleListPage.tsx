/** /associatedRule: rules for shared persons: who may pass where, when and how. */
import { PlusOutlined } from '@ant-design/icons'
import { Button } from 'antd'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { associatedRuleCalls } from '@gatehouse/contract/strategies/associated-rules'
import { BUILT_STRATEGY_KINDS } from '@gatehouse/contract/built'
import { strategyKind } from '@gatehouse/contract/enums/access'
import { useEnumOptions } from '../../../kit/detail/EnumTag.tsx'
import { FilterBar } from '../../../kit/list/FilterBar.tsx'
import { ListTable } from '../../../kit/list/ListTable.tsx'
import { ListTools } from '../../../kit/list/ListTools.tsx'
import { useRead } from '../../../api/query.ts'
import { RowMenu, type RowAction } from '../../../kit/list/RowMenu.tsx'
import { Screen } from '../../../kit/detail/Screen.tsx'
import { useList } from '../../../kit/list/useList.ts'
import { path } from '../../../paths.ts'
import { detailOf, formOf, useDeleteAssociatedRule } from './associatedRules.tsx'
import { useAssociatedColumns, type AssociatedRuleRow } from './associatedColumns.tsx'
import { UnconfirmedRules } from './UnconfirmedRules.tsx'

export default function AssociatedRuleListPage() {
  const { t } = useTranslation('strategies')
  const navigate = useNavigate()
  const list = useList(associatedRuleCalls.list, { name: 'associatedRules' })
  const parks = useRead(associatedRuleCalls.relatedParks, {})
  const columns = useAssociatedColumns()
  const optionsOf = useEnumOptions()
  const remove = useDeleteAssociatedRule()
  const none = parks.data?.length === 0
  const add = <AddRule />

  function actionsOf(rule: AssociatedRuleRow): RowAction[] {
    const edit = { key: 'edit', label: t('edit'), run: () => void navigate(formOf(rule)) }
    const sync = {
      key: 'sync',
      label: t('synchronisation:title'),
      run: () => void navigate(path('associatedRuleSyncStatus', { id: rule.id })),
    }
    return [edit, ...(rule.kind === 'visitor' ? [] : [sync]), { key: 'delete', label: t('delete'), danger: true, run: () => remove(rule) }]
  }

  return (
    <Screen title={t('associated.title')} note={!list.pending && t('associated.total', { count: list.total })} actions={!none && add}>
      <UnconfirmedRules />
      <FilterBar
        list={list}
        filters={[
          { field: 'name', label: t('name') },
          {
            field: 'parkId',
            label: t('associated.park'),
            options: parks.data?.map(({ id, parkName }) => ({ value: id, label: parkName })) ?? [],
          },
          ...(BUILT_STRATEGY_KINDS.length > 1 ? [{ field: 'kind' as const, label: t('kind'), options: optionsOf(strategyKind) }] : []),
        ]}
      >
        <ListTools list={list} columns={columns} />
      </FilterBar>
      <ListTable
        list={list}
        columns={columns}
        // Without a linked park there are no persons for a rule.
        empty={none ? { title: t('associated.noLinks') } : { title: t('associated.empty'), action: add }}
        onOpen={(rule) => void navigate(detailOf(rule))}
        actions={(rule) => <RowMenu name={rule.name} actions={actionsOf(rule)} />}
      />
    </Screen>
  )
}

/** The button that adds a rule for people of a linked park. Linked parks share no visitors: a rule for these is not offered. */
function AddRule() {
  const { t } = useTranslation('strategies')
  const navigate = useNavigate()
  return (
    <Button type="primary" icon={<PlusOutlined />} onClick={() => void navigate(formOf({ kind: 'staff' }))}>
      {t('associated.add')}
    </Button>
  )
}
