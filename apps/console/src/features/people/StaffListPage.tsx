/** /staffList: everybody who works here. The list page to copy. */
import { PlusOutlined } from '@ant-design/icons'
import { Button } from 'antd'
import { lazy, Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { FACES_PER_PERSON } from '@gatehouse/contract'
import { personStatus } from '@gatehouse/contract/enums/people'
import { peopleCalls, type Person } from '@gatehouse/contract/people/calls'
import { useEnumOptions } from '../../kit/EnumTag.tsx'
import { FilterBar } from '../../kit/FilterBar.tsx'
import { ListTable } from '../../kit/ListTable.tsx'
import { ListTools } from '../../kit/ListTools.tsx'
import { useRead } from '../../kit/query.ts'
import { RowMenu } from '../../kit/RowMenu.tsx'
import { Screen } from '../../kit/Screen.tsx'
import { TreeFilter } from '../../kit/TreeFilter.tsx'
import { useEditor } from '../../kit/useEditor.ts'
import { useList } from '../../kit/useList.ts'
import { useWrite } from '../../kit/useWrite.ts'
import { path } from '../../paths.ts'
import { useStaffColumns } from './staffColumns.tsx'
import { useDeletePersons } from './useDeletePersons.tsx'

const StaffDialog = lazy(() => import('./StaffDialog.tsx'))

/** Counts of photographs below which somebody may want to look. */
const FEWER = Array.from({ length: FACES_PER_PERSON - 1 }, (_, at) => at + 2)

export default function StaffListPage() {
  const { t } = useTranslation('people')
  const navigate = useNavigate()
  const list = useList(peopleCalls.list, { name: 'staff', fixed: { kind: 'staff' } })
  const groups = useRead(peopleCalls.groupTree, { query: { type: 1 } })
  const columns = useStaffColumns()
  const optionsOf = useEnumOptions()
  const editor = useEditor<Person>()
  const status = useWrite(peopleCalls.status, { done: t('statusChanged'), onDone: () => list.setSelected([]) })
  const remove = useDeletePersons(() => list.setSelected([]))

  const setStatus = (ids: string[], to: 0 | 1): void => status.run({ body: { ids, status: to } })
  const add = <Button type="primary" icon={<PlusOutlined />} onClick={editor.add}>{t('add')}</Button>

  return (
    <Screen
      title={t('staff')}
      note={!list.pending && t('total', { count: list.total })}
      actions={add}
      aside={
        <TreeFilter
          title={t('groups')}
          all={t('everybody')}
          tree={groups}
          countOf={({ personCount }) => personCount}
          value={list.query.groupId}
          onChange={(groupId) => list.setQuery({ groupId })}
        />
      }
    >
      <FilterBar
        list={list}
        filters={[
          { field: 'name', label: t('name') },
          { field: 'workNumber', label: t('workNumber') },
          { field: 'status', label: t('status'), options: optionsOf(personStatus) },
          { field: 'phone', label: t('phone') },
          { field: 'hasFace', label: t('face'), options: [{ value: 1, label: t('withFace') }, { value: 0, label: t('withoutFace') }] },
          { field: 'facesBelow', label: t('photoCount'), options: FEWER.map((count) => ({ value: count, label: t('fewerPhotos', { count }) })) },
        ]}
      >
        <ListTools list={list} columns={columns} />
      </FilterBar>
      <ListTable
        list={list}
        columns={columns}
        empty={{ title: t('nobodyYet'), action: add }}
        onOpen={({ id }) => void navigate(path('staffDetails', { id }))}
        bulk={(ids) => (
          <>
            <Button onClick={() => setStatus(ids, personStatus.enabled)}>{t('enable')}</Button>
            <Button onClick={() => setStatus(ids, personStatus.disabled)}>{t('disable')}</Button>
            <Button danger onClick={() => void remove(ids)}>{t('delete')}</Button>
          </>
        )}
        actions={(person) => (
          <RowMenu
            name={person.name}
            actions={
              person.status === personStatus.disabled
                ? [{ key: 'enable', label: t('enable'), run: () => setStatus([person.id], personStatus.enabled) }]
                : [
                    { key: 'edit', label: t('edit'), run: () => editor.edit(person) },
                    { key: 'disable', label: t('disable'), run: () => setStatus([person.id], personStatus.disabled) },
                    { key: 'delete', label: t('delete'), danger: true, run: () => void remove([person.id]) },
                  ]
            }
          />
        )}
      />
      <Suspense fallback={null}>{editor.round > 0 && <StaffDialog key={editor.round} editor={editor} groupId={list.query.groupId} />}</Suspense>
    </Screen>
  )
}
