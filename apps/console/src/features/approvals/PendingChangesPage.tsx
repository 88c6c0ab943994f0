/** /pendingChanges: changes that need, or needed, approval by another user. */
import { Button } from 'antd'
import { lazy, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { pendingChangeCalls, PENDING_STATES, type PendingChange } from '@gatehouse/contract/approvals/written-rules'
import { columnsOf } from '../../kit/list/columns.tsx'
import { StatusTag } from '../../kit/detail/EnumTag.tsx'
import { FilterBar } from '../../kit/list/FilterBar.tsx'
import { ListTable } from '../../kit/list/ListTable.tsx'
import { ListTools } from '../../kit/list/ListTools.tsx'
import { RelativeTime } from '../../kit/detail/RelativeTime.tsx'
import { useList } from '../../kit/list/useList.ts'
import { shownName } from '../../kit/shownName.ts'
import { RulesScreen } from './RulesScreen.tsx'
import { STATUS_OF, useRuleWords } from './ruleWords.ts'
import styles from './writtenRules.module.css'

const PendingDrawer = lazy(() => import('./PendingDrawer.tsx'))

export default function PendingChangesPage() {
  const { t } = useTranslation('approvals')
  const words = useRuleWords()
  const list = useList(pendingChangeCalls.list, { name: 'pendingChanges' })
  const [{ id, used }, setShown] = useState<{ id?: string; used: boolean }>({ used: false })
  const open = (row: PendingChange): void => setShown({ id: row.id, used: true })
  const columns = columnsOf<PendingChange>([
    {
      field: 'label',
      title: t('change'),
      width: 220,
      visibility: 'always',
      render: ({ kind, label, id: own, ...row }) => (
        <span className={styles.two}>
          <Button type="link" size="small" title={label} onClick={() => open({ id: own, kind, label, ...row })}>
            {label}
          </Button>
          <small>{t(`pending.kind.${kind}`)}</small>
        </span>
      ),
    },
    {
      field: 'state',
      title: t('state'),
      width: 130,
      visibility: 'always',
      render: ({ state }) => <StatusTag status={STATUS_OF[state]}>{t(`pending.state.${state}`)}</StatusTag>,
    },
    { field: 'breaches', title: t('title'), width: 220, render: ({ breaches }) => words.listed(breaches.map(({ rule }) => rule.name)) },
    {
      field: 'requestedBy',
      title: t('pending.requestedBy'),
      width: 140,
      render: ({ requestedBy, own }) => (own ? t('pending.you') : shownName(requestedBy)),
    },
    { field: 'requestedAt', title: t('pending.requestedAt'), width: 120, render: ({ requestedAt }) => <RelativeTime at={requestedAt} /> },
    {
      field: 'expiresAt',
      title: t('pending.expiresAt'),
      width: 120,
      render: ({ state, expiresAt }) => (state === 'waiting' ? <RelativeTime at={expiresAt} /> : ''),
    },
    { field: 'decidedBy', title: t('pending.decidedBy'), width: 140, render: ({ decidedBy }) => shownName(decidedBy) },
  ])
  return (
    <RulesScreen tab="pendingChanges" note={!list.pending && t('total', { count: list.total })}>
      <FilterBar
        list={list}
        filters={[
          {
            field: 'state',
            label: t('state'),
            options: PENDING_STATES.map((state) => ({ value: state, label: t(`pending.state.${state}`) })),
          },
        ]}
      >
        <ListTools list={list} columns={columns} />
      </FilterBar>
      <ListTable list={list} columns={columns} empty={{ title: t('pending.none') }} onOpen={open} />
      <Suspense fallback={null}>{used && <PendingDrawer id={id} close={() => setShown({ used: true })} />}</Suspense>
    </RulesScreen>
  )
}
