/** /blacklist: persons of the watch list. */
import { PlusOutlined } from '@ant-design/icons'
import { Button } from 'antd'
import { lazy, Suspense, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate, Link } from 'react-router'
import { personGroupType, personStatus, gender } from '@gatehouse/contract/enums/people'
import type { Person } from '@gatehouse/contract/people/person'
import { specialCalls } from '@gatehouse/contract/people/special'
import { useEnumOptions, EnumTag } from '../../../kit/detail/EnumTag.tsx'
import { FilterBar } from '../../../kit/list/FilterBar.tsx'
import { ListTable } from '../../../kit/list/ListTable.tsx'
import { ListTools } from '../../../kit/list/ListTools.tsx'
import { RowMenu, type RowAction } from '../../../kit/list/RowMenu.tsx'
import { Screen } from '../../../kit/detail/Screen.tsx'
import { useMayCall } from '../../../api/session.ts'
import { useEditor } from '../../../kit/form/useEditor.ts'
import { useList } from '../../../kit/list/useList.ts'
import { columnsOf, type TableColumn } from '../../../kit/list/columns.tsx'
import { Portrait } from '../../../kit/media/Portrait.tsx'
import { RelativeTime } from '../../../kit/detail/RelativeTime.tsx'
import type { GroupTask } from '../groups/GroupDialogs.tsx'
import { GroupPanel } from '../groups/GroupPanel.tsx'
import { useGroupTree } from '../groups/useGroups.ts'
import { pathOfPerson } from '../personKinds.ts'
import { useSpecialActions } from '../personActions.tsx'
import styles from '../people.module.css'

const SpecialDialog = lazy(() => import('./SpecialDialog.tsx'))
const MoveSpecialDialog = lazy(() => import('./MoveSpecialDialog.tsx'))
const GroupDialogs = lazy(() => import('../groups/GroupDialogs.tsx'))

const TYPE = personGroupType.blacklist

export default function SpecialListPage() {
  const { t } = useTranslation('people')
  const navigate = useNavigate()
  const list = useList(specialCalls.list, { name: 'special' })
  const groups = useGroupTree(TYPE)
  const columns = useSpecialColumns()
  const optionsOf = useEnumOptions()
  const editor = useEditor<Person>()
  const firstGroup = useEditor<GroupTask>()
  const move = useEditor<string[]>()
  const clearSelection = (): void => list.setSelected([])
  const actions = useSpecialActions({ onDone: clearSelection, onRemoved: clearSelection })

  const ungrouped = groups.data?.length === 0
  // Every person is in a group: where there is none yet, one is created before the first person.
  const begin = (): void => (ungrouped ? firstGroup.edit({ kind: 'add', below: undefined }) : editor.add())
  const mayEdit = useMayCall(specialCalls.change)
  const add = mayEdit && (
    <Button type="primary" icon={<PlusOutlined />} onClick={begin}>
      {t('special.add')}
    </Button>
  )
  const addFirst = mayEdit && (
    <Button type="primary" icon={<PlusOutlined />} onClick={begin}>
      {ungrouped ? t('special.addFirst') : t('special.add')}
    </Button>
  )
  const bulk = (ids: string[]): ReactNode => (
    <>
      <Button onClick={() => actions.setStatus(ids, personStatus.enabled)}>{t('enable')}</Button>
      <Button onClick={() => actions.setStatus(ids, personStatus.disabled)}>{t('disable')}</Button>
      <Button onClick={() => move.edit(ids)}>{t('move')}</Button>
      <Button danger onClick={() => actions.remove(ids)}>
        {t('delete')}
      </Button>
    </>
  )
  const menuOf = (person: Person): RowAction[] =>
    person.status === personStatus.disabled
      ? [{ key: 'enable', label: t('enable'), run: () => actions.setStatus([person.id], personStatus.enabled) }]
      : [
          { key: 'edit', label: t('edit'), run: () => editor.edit(person) },
          { key: 'move', label: t('move'), run: () => move.edit([person.id]) },
          { key: 'disable', label: t('disable'), run: () => actions.setStatus([person.id], personStatus.disabled) },
          { key: 'delete', label: t('delete'), danger: true, run: () => actions.remove([person.id]) },
        ]

  return (
    <Screen
      title={t('special.title')}
      note={!list.pending && t('total', { count: list.total })}
      actions={add}
      aside={<GroupPanel type={TYPE} value={list.query.groupId} onChange={(groupId) => list.setQuery({ groupId })} />}
    >
      <FilterBar
        list={list}
        filters={[
          { field: 'name', label: t('name') },
          { field: 'status', label: t('status'), options: optionsOf(personStatus) },
          {
            field: 'hasFace',
            label: t('face'),
            options: [
              { value: 1, label: t('withFace') },
              { value: 0, label: t('withoutFace') },
            ],
          },
          { field: 'phone', label: t('phone'), numbers: true },
          { field: 'workNumber', label: t('special.number') },
        ]}
      >
        <ListTools list={list} columns={columns} />
      </FilterBar>
      <ListTable
        list={list}
        columns={columns}
        empty={{ title: ungrouped ? t('special.noGroupYet') : t('special.nobodyYet'), action: addFirst }}
        onOpen={({ id }) => void navigate(pathOfPerson('special', id))}
        {...(mayEdit && { bulk, actions: (person: Person) => <RowMenu name={person.name} actions={menuOf(person)} /> })}
      />
      <Suspense fallback={null}>
        {editor.openingCount > 0 && <SpecialDialog key={`person ${editor.openingCount}`} editor={editor} groupId={list.query.groupId} />}
        {move.openingCount > 0 && <MoveSpecialDialog key={`move ${move.openingCount}`} editor={move} onDone={clearSelection} />}
        {firstGroup.openingCount > 0 && (
          <GroupDialogs
            key={`group ${firstGroup.openingCount}`}
            editor={firstGroup}
            type={TYPE}
            tree={[]}
            added={(groupId) => {
              list.setQuery({ groupId })
              editor.add()
            }}
          />
        )}
      </Suspense>
    </Screen>
  )
}

/** Pixels. */
const FACE = 44

/** Return the columns of the watch list: the face first, and the reason. */
function useSpecialColumns(): TableColumn<Person>[] {
  const { t } = useTranslation('people')
  return columnsOf<Person>([
    {
      field: 'name',
      title: t('name'),
      width: 172,
      sortable: true,
      visibility: 'always',
      render: ({ id, name, faces }) => (
        <span className={styles.who}>
          <Portrait name={name} url={faces[0]?.thumbnail} size={FACE} />
          <Link to={pathOfPerson('special', id)} title={name} tabIndex={-1}>
            {name}
          </Link>
        </span>
      ),
    },
    { field: 'groupName', title: t('group'), width: 112 },
    { field: 'remark', title: t('special.reason'), width: 208 },
    { field: 'status', title: t('status'), width: 84, render: ({ status }) => <EnumTag of={personStatus} value={status} /> },
    {
      field: 'createdAt',
      title: t('createdAt'),
      width: 112,
      sortable: true,
      render: ({ createdAt }) => <RelativeTime at={createdAt} />,
    },
    { field: 'faces', title: t('photoCount'), width: 72, visibility: 'hidden', render: ({ faces }) => faces.length },
    { field: 'phone', title: t('phone'), width: 118, visibility: 'hidden' },
    {
      field: 'gender',
      title: t('gender'),
      width: 80,
      visibility: 'hidden',
      render: (person) => <EnumTag of={gender} value={person.gender} />,
    },
    { field: 'idNumber', title: t('idNumber'), width: 168, visibility: 'hidden' },
    { field: 'workNumber', title: t('special.number'), width: 108, visibility: 'hidden', sortable: true },
  ])
}
