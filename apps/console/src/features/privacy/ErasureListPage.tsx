/** /erasures: erasures by their requester and time, without the erased person. */
import { useTranslation } from 'react-i18next'
import { Link, useNavigate } from 'react-router'
import { privacyCalls } from '@gatehouse/contract/privacy/calls'
import { columnsOf } from '../../kit/list/columns.tsx'
import { FilterBar } from '../../kit/list/FilterBar.tsx'
import { ListTable } from '../../kit/list/ListTable.tsx'
import { ListTools } from '../../kit/list/ListTools.tsx'
import { RelativeTime } from '../../kit/detail/RelativeTime.tsx'
import { Screen } from '../../kit/detail/Screen.tsx'
import { useList, type RowOf } from '../../kit/list/useList.ts'
import { shownName } from '../../kit/shownName.ts'
import { path } from '../../paths.ts'
import { ErasureState } from './ErasureState.tsx'
import styles from './privacy.module.css'

type Row = RowOf<typeof privacyCalls.list>

export default function ErasureListPage() {
  const { t } = useTranslation('privacy')
  const navigate = useNavigate()
  const list = useList(privacyCalls.list, { name: 'erasures' })
  const columns = columnsOf<Row>([
    {
      field: 'number',
      title: t('erasure.number'),
      width: 128,
      visibility: 'always',
      render: ({ id, number }) => (
        <Link className={styles.number} to={path('erasureDetails', { id })} tabIndex={-1}>
          {number}
        </Link>
      ),
    },
    { field: 'completedAt', title: t('erasure.state'), width: 200, visibility: 'always', render: (row) => <ErasureState erasure={row} /> },
    { field: 'kind', title: t('erasure.kind'), width: 112, render: ({ kind }) => t(`kind.${kind}`) },
    { field: 'requestedAt', title: t('erasure.requestedAt'), width: 128, render: ({ requestedAt }) => <RelativeTime at={requestedAt} /> },
    {
      field: 'requestedBy',
      title: t('erasure.requestedBy'),
      width: 136,
      render: ({ origin, requestedBy }) => (origin === 'retention' ? t('erasure.byRetention') : shownName(requestedBy)),
    },
    { field: 'reason', title: t('erasure.reason'), width: 200 },
  ])
  const states = [
    { value: 1, label: t('erasure.incomplete') },
    { value: 0, label: t('erasure.complete') },
  ]
  return (
    <Screen title={t('shell:title.erasures')} note={!list.pending && t('erasure.total', { count: list.total })}>
      <FilterBar
        list={list}
        filters={[
          { field: 'number', label: t('erasure.number') },
          { field: 'pending', label: t('erasure.state'), options: states },
        ]}
      >
        <ListTools list={list} columns={columns} />
      </FilterBar>
      <ListTable
        list={list}
        columns={columns}
        onOpen={({ id }) => void navigate(path('erasureDetails', { id }))}
        empty={{ title: t('erasure.none'), action: <Link to={path('staffList')}>{t('erasure.toPersons')}</Link> }}
      />
    </Screen>
  )
}
