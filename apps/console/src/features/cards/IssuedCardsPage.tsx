/** /issuedCards: cards that were issued to persons. */
import { PlusOutlined } from '@ant-design/icons'
import { Button } from 'antd'
import { lazy, Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { cardCalls } from '@gatehouse/contract/cards/calls'
import type { IssuedCard } from '@gatehouse/contract/cards/issuing'
import { jobState } from '@gatehouse/contract/enums/common'
import { keyCardType } from '@gatehouse/contract/enums/devices'
import { columnsOf } from '../../kit/list/columns.tsx'
import { EnumTag, useEnumLabel, useEnumOptions } from '../../kit/detail/EnumTag.tsx'
import { FilterBar } from '../../kit/list/FilterBar.tsx'
import { ListTable } from '../../kit/list/ListTable.tsx'
import { ListTools } from '../../kit/list/ListTools.tsx'
import { RelativeTime } from '../../kit/detail/RelativeTime.tsx'
import { RowMenu } from '../../kit/list/RowMenu.tsx'
import { useMay } from '../../api/session.ts'
import { useEditor } from '../../kit/form/useEditor.ts'
import { useList } from '../../kit/list/useList.ts'
import { CardsScreen } from './CardsScreen.tsx'
import { CardState, useRevoke } from './cardState.tsx'
import styles from './cards.module.css'

const IssueDialog = lazy(() => import('./IssueDialog.tsx'))

/** The states a card can have. */
const STATES = [jobState.inProgress, jobState.success, jobState.failed] as const

export default function IssuedCardsPage() {
  const { t } = useTranslation('cards')
  const list = useList(cardCalls.list, { name: 'issuedCards' })
  const editor = useEditor<IssuedCard>()
  const label = useEnumLabel()
  const optionsOf = useEnumOptions()
  const revoke = useRevoke()
  // The holder of a card is chosen from the list of persons.
  const maySeePeople = useMay('person.list')
  const columns = columnsOf<IssuedCard>([
    {
      field: 'number',
      title: t('issue.number'),
      width: 150,
      visibility: 'always',
      render: ({ number }) => <code title={number}>{number}</code>,
    },
    {
      field: 'personName',
      title: t('issue.person'),
      width: 146,
      visibility: 'always',
      render: ({ personName, workNumber }) => (
        <span className={styles.two}>
          <span title={personName}>{personName}</span>
          {workNumber && <small>{workNumber}</small>}
        </span>
      ),
    },
    { field: 'status', title: t('issue.status'), width: 150, render: (card) => <CardState card={card} /> },
    { field: 'type', title: t('issue.type'), width: 80, render: ({ type }) => <EnumTag of={keyCardType} value={type} /> },
    { field: 'effectiveDate', title: t('issue.effectiveDate'), width: 110 },
    { field: 'expiryDate', title: t('issue.expiryDate'), width: 110 },
    { field: 'issuingDevice', title: t('issue.device'), width: 112, render: ({ issuingDevice }) => issuingDevice || t('issue.byHand') },
    {
      field: 'hasPassword',
      title: t('issue.password'),
      width: 96,
      render: ({ hasPassword }) => t(hasPassword ? 'issue.passwordSet' : 'issue.passwordNone'),
    },
    {
      field: 'createdAt',
      title: t('issue.createdAt'),
      width: 120,
      visibility: 'hidden',
      render: ({ createdAt }) => <RelativeTime at={createdAt} />,
    },
  ])
  const add = maySeePeople && (
    <Button type="primary" icon={<PlusOutlined />} onClick={editor.add}>
      {t('issue.add')}
    </Button>
  )
  return (
    <CardsScreen tab="issuedCards" note={!list.pending && t('issue.total', { count: list.total })} actions={add}>
      <FilterBar
        list={list}
        filters={[
          { field: 'number', label: t('issue.number'), numbers: true },
          { field: 'name', label: t('issue.person') },
          { field: 'status', label: t('issue.status'), options: STATES.map((value) => ({ value, label: label(jobState, value) })) },
          { field: 'type', label: t('issue.type'), options: optionsOf(keyCardType) },
        ]}
      >
        <ListTools list={list} columns={columns} />
      </FilterBar>
      <ListTable
        list={list}
        columns={columns}
        empty={{ title: t('issue.none'), action: add }}
        actions={(card) => (
          <RowMenu name={card.number} actions={[{ key: 'revoke', label: t('revoke.ok'), danger: true, run: () => revoke(card) }]} />
        )}
      />
      <Suspense fallback={null}>{editor.openingCount > 0 && <IssueDialog key={editor.openingCount} editor={editor} />}</Suspense>
    </CardsScreen>
  )
}
