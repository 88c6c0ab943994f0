/** /accessRestrictionPersonList/{id}: persons inside and outside an area, newest change first. */
import { PlusOutlined } from '@ant-design/icons'
import { Button } from 'antd'
import { lazy, Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate, useParams } from 'react-router'
import { restrictionCalls, type RestrictionPerson, PERSON_STATE, type PersonState } from '@gatehouse/contract/restrictions/calls'
import { columnsOf } from '../../kit/list/columns.tsx'
import { FilterBar } from '../../kit/list/FilterBar.tsx'
import { ListTable } from '../../kit/list/ListTable.tsx'
import { ListTools } from '../../kit/list/ListTools.tsx'
import { useRead } from '../../api/query.ts'
import { RelativeTime } from '../../kit/detail/RelativeTime.tsx'
import { RowMenu, type RowAction } from '../../kit/list/RowMenu.tsx'
import { Screen } from '../../kit/detail/Screen.tsx'
import { useEditor } from '../../kit/form/useEditor.ts'
import { useList } from '../../kit/list/useList.ts'
import { modal } from '../../kit/feedback.tsx'
import { useWrite } from '../../kit/form/useWrite.ts'
import { musterOf, Occupancy, StateTag, useStateOptions } from './areas.tsx'
import { usePolling } from './usePolling.ts'

const StatusDialog = lazy(() => import('./StatusDialog.tsx'))

export default function PersonListPage() {
  const { t } = useTranslation('restrictions')
  const navigate = useNavigate()
  const { id = '' } = useParams()
  const area = useRead(restrictionCalls.read, { params: { id } })
  const list = useList(restrictionCalls.persons, { name: 'restrictionPersons', fixed: { restrictionId: id } })
  usePolling([restrictionCalls.read, restrictionCalls.persons])
  const states = useStateOptions()
  const setting = useEditor<never>()
  const actionsOf = useSetStatus(id, () => list.setSelected([]))
  const columns = columnsOf<RestrictionPerson>([
    { field: 'personName', title: t('person'), width: 160, visibility: 'always' },
    { field: 'workNumber', title: t('workNumber'), width: 120 },
    { field: 'status', title: t('status'), width: 110, render: ({ status }) => <StateTag state={status} /> },
    { field: 'since', title: t('since'), width: 150, render: ({ since }) => <RelativeTime at={since} /> },
    { field: 'deviceName', title: t('door'), width: 160 },
    { field: 'source', title: t('source'), width: 150, render: ({ source }) => t(`sources.${source}`) },
  ])
  const set = (
    <Button type="primary" icon={<PlusOutlined />} onClick={setting.add}>
      {t('setSomebody')}
    </Button>
  )
  return (
    <Screen
      title={area.data ? t('personsOf', { name: area.data.name }) : t('persons')}
      note={area.data && <Occupancy {...area.data} />}
      actions={
        <>
          <Button onClick={() => void navigate(musterOf(id))}>{t('muster.title')}</Button>
          {set}
        </>
      }
    >
      <FilterBar
        list={list}
        filters={[
          { field: 'personName', label: t('personFilter') },
          { field: 'status', label: t('status'), options: states },
        ]}
      >
        <ListTools list={list} columns={columns} />
      </FilterBar>
      <ListTable
        list={list}
        columns={columns}
        empty={{ title: t('nobodyKnown'), action: set }}
        bulk={(ids) =>
          actionsOf(ids).map(({ key, label, run }) => (
            <Button key={key} onClick={run}>
              {label}
            </Button>
          ))
        }
        actions={({ personId, personName, status }) => <RowMenu name={personName} actions={actionsOf([personId], status)} />}
      />
      <Suspense fallback={null}>
        {setting.openingCount > 0 && <StatusDialog key={setting.openingCount} editor={setting} areaId={id} />}
      </Suspense>
    </Screen>
  )
}

/**
 * Return a function that sets by hand whether persons are inside.
 * @param onDone called once it is set
 */
function useSetStatus(restrictionId: string, onDone?: () => void): (personIds: string[], current?: PersonState) => RowAction[] {
  const { t } = useTranslation('restrictions')
  const write = useWrite(restrictionCalls.setStatus, { done: t('stateSet'), ...(onDone && { onDone }) })

  return (personIds, current) => {
    const ask = (status: PersonState | null): void =>
      void modal.confirm({
        title: t(`setTitle.${status ?? 'unknown'}`, { count: personIds.length }),
        content: t(`setWords.${status ?? 'unknown'}`),
        okText: t('set'),
        cancelText: t('common:cancel'),
        onOk: () => write.send({ body: { restrictionId, personIds, status } }).catch(() => {}),
      })
    const { inside, outside } = PERSON_STATE
    return [
      ...(current === outside ? [] : [{ key: 'outside', label: t('setOutside'), run: () => ask(outside) }]),
      ...(current === inside ? [] : [{ key: 'inside', label: t('setInside'), run: () => ask(inside) }]),
      { key: 'unknown', label: t('reset'), run: () => ask(null) },
    ]
  }
}
