/** /accessRestriction: areas, whose rules hold at several doors together. */
import { PlusOutlined } from '@ant-design/icons'
import { Button } from 'antd'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { restrictionLimitType } from '@gatehouse/contract/enums/access'
import { restrictionCalls } from '@gatehouse/contract/restrictions/calls'
import { useDoorChoices } from '../../shared/doorChoices.tsx'
import { useEnumOptions } from '../../kit/detail/EnumTag.tsx'
import { FilterBar } from '../../kit/list/FilterBar.tsx'
import { ListTable } from '../../kit/list/ListTable.tsx'
import { ListTools } from '../../kit/list/ListTools.tsx'
import { RowMenu } from '../../kit/list/RowMenu.tsx'
import { Screen } from '../../kit/detail/Screen.tsx'
import { useList } from '../../kit/list/useList.ts'
import { detailOf, formOf, useAreaColumns, useAreaActions } from './areas.tsx'
import { usePolling } from './usePolling.ts'

export default function AreaListPage() {
  const { t } = useTranslation('restrictions')
  const navigate = useNavigate()
  const list = useList(restrictionCalls.list, { name: 'restrictions' })
  const columns = useAreaColumns()
  const optionsOf = useEnumOptions()
  const { menu } = useAreaActions()
  usePolling([restrictionCalls.list])
  const doors = useDoorChoices()
  const add = (
    <Button type="primary" icon={<PlusOutlined />} onClick={() => void navigate(formOf())}>
      {t('add')}
    </Button>
  )
  return (
    <Screen title={t('title')} note={!list.pending && t('total', { count: list.total })} actions={add}>
      <FilterBar
        list={list}
        filters={[
          { field: 'name', label: t('name') },
          { field: 'limitType', label: t('limitType'), options: optionsOf(restrictionLimitType) },
          { field: 'deviceId', label: t('door'), options: doors ?? [] },
        ]}
      >
        <ListTools list={list} columns={columns} />
      </FilterBar>
      <ListTable
        list={list}
        columns={columns}
        empty={{ title: t('empty'), action: add }}
        onOpen={({ id }) => void navigate(detailOf(id))}
        actions={(area) => <RowMenu name={area.name} actions={menu(area)} />}
      />
    </Screen>
  )
}
