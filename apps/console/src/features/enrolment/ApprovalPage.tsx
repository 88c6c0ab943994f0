/** /staffApproveTab: pending and decided applications, submitted by the persons themselves or by other systems. */
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useSearchParams } from 'react-router'
import { AUDIT_STATES, enrolmentCalls, type PersonApplication } from '@gatehouse/contract/enrolment/calls'
import { FilterBar, type Filter } from '../../kit/list/FilterBar.tsx'
import { ListTable } from '../../kit/list/ListTable.tsx'
import { ListTools } from '../../kit/list/ListTools.tsx'
import { queriesOf, readAgain, readOptions } from '../../api/query.ts'
import { useMayCall } from '../../api/session.ts'
import { TabScreen } from '../../kit/detail/TabScreen.tsx'
import { useList, type ListQuery } from '../../kit/list/useList.ts'
import { path } from '../../paths.ts'
import { columnsOf, type TableColumn } from '../../kit/list/columns.tsx'
import { Portrait } from '../../kit/media/Portrait.tsx'
import { RelativeTime } from '../../kit/detail/RelativeTime.tsx'
import { shownName } from '../../kit/shownName.ts'
import { Desk, type Applications } from './Desk.tsx'
import styles from './enrolment.module.css'

/** Milliseconds between two readings of the counts. */
const PACE = 5000

export default function ApprovalPage() {
  const { t } = useTranslation('enrolment')
  const [search] = useSearchParams()
  const state = AUDIT_STATES.find((one) => one === search.get('state')) ?? 'pending'
  const cache = useQueryClient()
  const counts = useQuery({ ...readOptions(enrolmentCalls.summary, {}), refetchInterval: PACE })
  const mayMakeLinks = useMayCall(enrolmentCalls.createLink)
  // The counts are cheap to read: the list with its look-alikes is read again only when they have changed.
  const countsKey = counts.data && Object.values(counts.data).join()
  const shownKey = useRef(countsKey)
  useEffect(() => {
    if (shownKey.current !== undefined && shownKey.current !== countsKey) void readAgain(cache, queriesOf(enrolmentCalls.list))
    shownKey.current = countsKey
  }, [countsKey, cache])
  const tabs = AUDIT_STATES.map((one) => {
    const count = counts.data?.[one]
    const words = t(`state.${one}`)
    return {
      address: `${path('staffApproveTab')}?state=${one}`,
      label: count === undefined ? words : t('tab', { state: words, count }),
      current: one === state,
    }
  })
  return (
    <TabScreen
      title={t('shell:title.staffApproveTab')}
      label={t('states')}
      tabs={tabs}
      actions={mayMakeLinks && <Link to={path('enrolmentLinks')}>{t('makeLink')}</Link>}
    >
      {state === 'pending' ? <Pending /> : <Decided key={state} state={state} />}
    </TabScreen>
  )
}

const useFilters = () => {
  const { t } = useTranslation('enrolment')
  return [
    { field: 'name', label: t('name') },
    { field: 'workNumber', label: t('workNumber') },
    {
      field: 'source',
      label: t('source'),
      options: [
        { value: 'self', label: t('sourceOf.self') },
        { value: 'thirdParty', label: t('sourceOf.thirdParty') },
      ],
    },
  ] satisfies Filter<ListQuery<typeof enrolmentCalls.list>>[]
}

/** The applications of a tab as a list. The tab is no filter: clearing the filters keeps it. */
function useApplications(name: string, state: (typeof AUDIT_STATES)[number]): Applications {
  const list = useList(enrolmentCalls.list, { name, fixed: { state } })
  const { name: named, workNumber, source } = list.query
  return {
    ...list,
    filtered: [named, workNumber, source].some((value) => value !== undefined && value !== ''),
    clear: () => list.setQuery({ name: undefined, workNumber: undefined, source: undefined }),
  }
}

function Pending() {
  const list = useApplications('approval', 'pending')
  const filters = useFilters()
  return (
    <>
      <FilterBar list={list} filters={filters} />
      <Desk list={list} />
    </>
  )
}

function Decided({ state }: { state: 'passed' | 'rejected' }) {
  const { t } = useTranslation('enrolment')
  const list = useApplications(`approval.${state}`, state)
  const filters = useFilters()
  const columns = useDecidedColumns(state)
  return (
    <>
      <FilterBar list={list} filters={filters}>
        <ListTools list={list} columns={columns} />
      </FilterBar>
      <ListTable list={list} columns={columns} empty={{ title: t(state === 'passed' ? 'emptyPassed' : 'emptyRejected') }} />
    </>
  )
}

const FACE = 40
const DETAILS = { staff: 'staffDetails', customer: 'customerDetails', special: 'blackDetails' } as const

/** Return the columns of applications that were passed or rejected. */
function useDecidedColumns(state: 'passed' | 'rejected'): TableColumn<PersonApplication>[] {
  const { t } = useTranslation('enrolment')
  return columnsOf<PersonApplication>([
    {
      field: 'name',
      title: t('name'),
      width: 170,
      visibility: 'always',
      render: ({ personId, name, kind, photos }) => (
        <span className={styles.who}>
          <Portrait name={name} url={photos[0]?.thumbnail} size={FACE} />
          {personId === null ? (
            <span title={name}>{name}</span>
          ) : (
            <Link to={path(DETAILS[kind], { id: personId })} title={name} tabIndex={-1}>
              {name}
            </Link>
          )}
        </span>
      ),
    },
    { field: 'workNumber', title: t('workNumber'), width: 110 },
    { field: 'phone', title: t('phoneNumber'), width: 120 },
    { field: 'groupName', title: t('group'), width: 120 },
    ...(state === 'rejected' ? [{ field: 'reason' as const, title: t('reason'), width: 190 }] : []),
    { field: 'source', title: t('source'), width: 120, render: ({ source, system }) => (source === 'self' ? t('sourceOf.self') : system) },
    { field: 'decidedBy', title: t('decidedBy'), width: 120, render: ({ decidedBy }) => shownName(decidedBy) },
    { field: 'decidedAt', title: t('decidedAt'), width: 120, render: ({ decidedAt }) => <RelativeTime at={decidedAt} /> },
    {
      field: 'createdAt',
      title: t('handedIn'),
      width: 120,
      visibility: 'hidden',
      render: ({ createdAt }) => <RelativeTime at={createdAt} />,
    },
  ])
}
