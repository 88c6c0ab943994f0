/** /associatedPersonList: shared persons of linked parks, who may pass here by agreement of both parks. Read only. */
import { useTranslation } from 'react-i18next'
import { Link, useNavigate } from 'react-router'
import { personStatus } from '@gatehouse/contract/enums/people'
import { associatedPersonCalls, type AssociatedPerson } from '@gatehouse/contract/people/relation'
import { columnsOf } from '../../../kit/list/columns.tsx'
import { EnumTag } from '../../../kit/detail/EnumTag.tsx'
import { FilterBar } from '../../../kit/list/FilterBar.tsx'
import { ListTable } from '../../../kit/list/ListTable.tsx'
import { ListTools } from '../../../kit/list/ListTools.tsx'
import { Portrait } from '../../../kit/media/Portrait.tsx'
import { DateOnly } from '../../../kit/detail/RelativeTime.tsx'
import { Screen } from '../../../kit/detail/Screen.tsx'
import { useList } from '../../../kit/list/useList.ts'
import { path } from '../../../paths.ts'
import styles from '../people.module.css'

/** Pixels. */
const FACE = 44

export default function AssociatedPersonListPage() {
  const { t } = useTranslation('people')
  const navigate = useNavigate()
  const list = useList(associatedPersonCalls.list, { name: 'associatedPersons' })
  const columns = columnsOf<AssociatedPerson>([
    {
      field: 'name',
      title: t('name'),
      width: 176,
      visibility: 'always',
      render: ({ id, name, thumbnail }) => (
        <span className={styles.who}>
          <Portrait name={name} url={thumbnail} size={FACE} />
          <Link to={path('associatedPersonDetail', { id })} title={name} tabIndex={-1}>
            {name}
          </Link>
        </span>
      ),
    },
    { field: 'workNumber', title: t('workNumber'), width: 112 },
    { field: 'parkName', title: t('associated.homePark'), width: 160 },
    { field: 'groupName', title: t('group'), width: 120 },
    {
      field: 'validTo',
      title: t('validTo'),
      width: 112,
      render: ({ validTo }) => (validTo === null ? t('unlimited') : <DateOnly at={validTo} />),
    },
    { field: 'status', title: t('status'), width: 88, render: ({ status }) => <EnumTag of={personStatus} value={status} /> },
    { field: 'since', title: t('associated.since'), width: 112, render: ({ since }) => <DateOnly at={since} /> },
    { field: 'phone', title: t('phone'), width: 120, visibility: 'hidden' },
  ])
  return (
    <Screen title={t('associated.title')} note={!list.pending && t('total', { count: list.total })}>
      <FilterBar
        list={list}
        filters={[
          { field: 'name', label: t('name') },
          { field: 'workNumber', label: t('workNumber') },
        ]}
      >
        <ListTools list={list} columns={columns} />
      </FilterBar>
      <ListTable
        list={list}
        columns={columns}
        empty={{ title: t('associated.none'), action: <p className={styles.hint}>{t('associated.how')}</p> }}
        onOpen={({ id }) => void navigate(path('associatedPersonDetail', { id }))}
      />
    </Screen>
  )
}
