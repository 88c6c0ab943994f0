/** The persons of a register: staff or customers. The list page to copy. */
import { ImportOutlined, PlusOutlined, DownOutlined } from '@ant-design/icons'
import { Button, Dropdown } from 'antd'
import { lazy, Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { EXPIRY_FILTERS, FACES_PER_PERSON } from '@gatehouse/contract'
import { permitCalls } from '@gatehouse/contract/approvals/permits'
import { personStatus } from '@gatehouse/contract/enums/people'
import { CONSENT_STATES } from '@gatehouse/contract/people/person-fields'
import { peopleCalls } from '@gatehouse/contract/people/calls'
import type { Person } from '@gatehouse/contract/people/person'
import { useEnumOptions } from '../../kit/detail/EnumTag.tsx'
import { FilterBar } from '../../kit/list/FilterBar.tsx'
import { ListTable } from '../../kit/list/ListTable.tsx'
import { ListTools } from '../../kit/list/ListTools.tsx'
import { RowMenu, type RowAction } from '../../kit/list/RowMenu.tsx'
import { Screen } from '../../kit/detail/Screen.tsx'
import { useMayCall, useMayOpen } from '../../api/session.ts'
import { useEditor } from '../../kit/form/useEditor.ts'
import { useList } from '../../kit/list/useList.ts'
import { path } from '../../paths.ts'
import { screens } from '../../screens.ts'
import { BulkActions } from './BulkActions.tsx'
import { ExportPersons } from './export/ExportPersons.tsx'
import { GroupPanel } from './groups/GroupPanel.tsx'
import { usePersonColumns } from './personColumns.tsx'
import { ExpiryChoice } from './ExpiryChoice.tsx'
import { pathOfPerson, personKinds, type RegisterKind } from './personKinds.ts'
import { usePersonActions } from './personActions.tsx'

const PersonDialog = lazy(() => import('./PersonDialog.tsx'))

/** Choices of the filter "fewer photographs than". */
const FEWER = Array.from({ length: FACES_PER_PERSON - 1 }, (_, at) => at + 2)

export default function PersonListPage({ kind }: { kind: RegisterKind }) {
  const { t } = useTranslation('people')
  const navigate = useNavigate()
  const list = useList(peopleCalls.list, { name: kind, fixed: { kind } })
  const columns = usePersonColumns(kind)
  const optionsOf = useEnumOptions()
  const editor = useEditor<Person>()
  const mayEdit = useMayCall(peopleCalls.change)
  const mayPermit = useMayCall(permitCalls.persons)
  const mayImport = useMayOpen(screens.staffImport) && kind === 'staff'
  const clearSelection = (): void => list.setSelected([])
  const actions = usePersonActions({ onDone: clearSelection, onRemoved: clearSelection })
  const add = mayEdit && (
    <Button type="primary" icon={<PlusOutlined />} onClick={editor.add}>
      {t('add', { context: kind })}
    </Button>
  )
  const menuOf = (person: Person): RowAction[] =>
    person.status === personStatus.disabled
      ? [{ key: 'enable', label: t('enable'), run: () => actions.setStatus([person.id], personStatus.enabled) }]
      : [
          { key: 'edit', label: t('edit'), run: () => editor.edit(person) },
          { key: 'sendAgain', label: t('sendAgain'), run: () => actions.sendAgain([person.id]) },
          { key: 'disable', label: t('disable'), run: () => actions.setStatus([person.id], personStatus.disabled) },
          { key: 'delete', label: t('delete'), danger: true, run: () => actions.remove([person.id]) },
        ]

  return (
    <Screen
      title={t(`kind.${kind}`)}
      note={!list.pending && t('total', { count: list.total })}
      actions={
        <>
          <MoreLinks kind={kind} />
          {mayImport && (
            <Button icon={<ImportOutlined />} onClick={() => void navigate(path('staffImport'))}>
              {t('import')}
            </Button>
          )}
          <ExportPersons list={list} kind={kind} />
          {add}
        </>
      }
      aside={
        <GroupPanel
          type={personKinds[kind].groupType}
          counted={kind}
          value={list.query.groupId}
          onChange={(groupId) => list.setQuery({ groupId })}
        />
      }
    >
      {kind === 'customer' && <ExpiryChoice value={list.query} onChange={list.setQuery} />}
      <FilterBar
        list={list}
        filters={[
          { field: 'name', label: t('name') },
          { field: 'workNumber', label: t('workNumber', { context: kind }) },
          { field: 'status', label: t('status'), options: optionsOf(personStatus) },
          {
            field: 'expiringDays',
            label: t('expiry'),
            options: EXPIRY_FILTERS.map((days) => ({ value: days, label: t('expiringWithin', { count: days }) })),
          },
          { field: 'phone', label: t('phone'), numbers: true },
          { field: 'cardNumber', label: t('cardNumber'), numbers: true },
          {
            field: 'hasFace',
            label: t('face'),
            options: [
              { value: 1, label: t('withFace') },
              { value: 0, label: t('withoutFace') },
            ],
          },
          {
            field: 'facesBelow',
            label: t('photoCount'),
            options: FEWER.map((count) => ({ value: count, label: t('fewerPhotos', { count }) })),
          },
          {
            field: 'consent',
            label: t('consentLabel'),
            options: CONSENT_STATES.map((state) => ({ value: state, label: t(`consent.${state}`) })),
          },
        ]}
      >
        <ListTools list={list} columns={columns} />
      </FilterBar>
      <ListTable
        list={list}
        columns={columns}
        empty={{ title: t('nobodyYet', { context: kind }), action: add }}
        onOpen={({ id }) => void navigate(pathOfPerson(kind, id))}
        {...((mayEdit || mayPermit || actions.erase) && {
          bulk: (ids: string[]) => <BulkActions kind={kind} ids={ids} mayEdit={mayEdit} actions={actions} done={clearSelection} />,
        })}
        {...(mayEdit && { actions: (person: Person) => <RowMenu name={person.name} actions={menuOf(person)} /> })}
      />
      <Suspense fallback={null}>
        {editor.openingCount > 0 && <PersonDialog key={editor.openingCount} editor={editor} kind={kind} groupId={list.query.groupId} />}
      </Suspense>
    </Screen>
  )
}

/** Links to what belongs to a register but is not needed every day, behind "more" in the header of its page. */
function MoreLinks({ kind }: { kind: RegisterKind }) {
  const { t } = useTranslation('people')
  const navigate = useNavigate()
  const mayCompare = useMayOpen(screens.secondPhotographs)
  const maySet = useMayOpen({ permission: 'person.list', condition: 'staffSetting' })
  const mayForm = useMayOpen({ permission: 'park.form.setting' })
  const link = (name: 'photoBoard' | 'secondPhotographs' | 'enrolmentLinks' | 'erasures' | 'staffSetting' | 'customize') => ({
    key: name,
    label: t(`more.${name}`),
    onClick: () => void navigate(path(name)),
  })
  const groups = [
    kind === 'staff' ? [link('photoBoard'), ...(mayCompare ? [link('secondPhotographs')] : []), link('enrolmentLinks')] : [],
    [...(maySet ? [link('staffSetting')] : []), ...(mayForm ? [link('customize')] : []), link('erasures')],
  ].filter((items) => items.length > 0)
  const items = groups.flatMap((group, at) => (at === 0 ? group : [{ type: 'divider' as const }, ...group]))
  return (
    <Dropdown trigger={['click']} placement="bottomRight" menu={{ items }}>
      <Button>
        {t('more.more')} <DownOutlined />
      </Button>
    </Dropdown>
  )
}
