/** The page of one kind of key card: its key, the writing of a card, and what was written before. */
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { cardCalls } from '@gatehouse/contract/cards/calls'
import type { CardKey, KeyType } from '@gatehouse/contract/cards/keys'
import type { CardWriteSummary } from '@gatehouse/contract/cards/writing'
import { jobState } from '@gatehouse/contract/enums/common'
import { keyCardType, keyStatus } from '@gatehouse/contract/enums/devices'
import { columnsOf } from '../../kit/list/columns.tsx'
import { DetailPage, Section } from '../../kit/detail/DetailPage.tsx'
import { EnumTag } from '../../kit/detail/EnumTag.tsx'
import { ListTable } from '../../kit/list/ListTable.tsx'
import { useRead } from '../../api/query.ts'
import { RelativeTime } from '../../kit/detail/RelativeTime.tsx'
import { shownName } from '../../kit/shownName.ts'
import { useList } from '../../kit/list/useList.ts'
import { CardsScreen, type CardsTab } from './CardsScreen.tsx'
import { KeyPanel } from './KeyPanel.tsx'
import { WriteForm } from './WriteForm.tsx'
import { WriteRun } from './WriteRun.tsx'
import styles from './cards.module.css'

interface KeyCardPageProps {
  kind: KeyType
  tab: CardsTab
  /** Many cards are written in turn; their key is created on the page of the single card. */
  many?: boolean
}

export default function KeyCardPage({ kind, tab, many = false }: KeyCardPageProps) {
  const keys = useRead(cardCalls.keys, {})
  const [run, setRun] = useState<{ id: string; begins: boolean }>()
  return (
    <CardsScreen tab={tab}>
      <DetailPage query={keys}>
        {(all) => <Parts keys={all} kind={kind} many={many} onStarted={(id) => setRun({ id, begins: true })} />}
      </DetailPage>
      {run && <WriteRun key={run.id} {...run} />}
      <Written kind={kind} open={(id) => setRun({ id, begins: false })} />
    </CardsScreen>
  )
}

function Parts({ keys, kind, many, onStarted }: { keys: CardKey[]; kind: KeyType; many: boolean; onStarted: (id: string) => void }) {
  const { t } = useTranslation('cards')
  const isThere = (type: KeyType): boolean => keys.some((key) => key.type === type && key.status === keyStatus.created)
  return (
    <div className={styles.parts}>
      <KeyPanel present={keys.find(({ type }) => type === kind)!} mayCreate={kind === 'leader' || isThere('leader')} />
      <Section title={t(many ? 'write.titleMany' : 'write.title')}>
        <WriteForm kind={kind} many={many} enabled={isThere(kind)} onStarted={onStarted} />
      </Section>
    </div>
  )
}

function Written({ kind, open }: { kind: KeyType; open: (id: string) => void }) {
  const { t } = useTranslation('cards')
  const list = useList(cardCalls.writes, { name: 'cardWrites', fixed: { kind } })
  const columns = columnsOf<CardWriteSummary>([
    {
      field: 'createdAt',
      title: t('written.at'),
      width: 130,
      visibility: 'always',
      render: ({ createdAt }) => <RelativeTime at={createdAt} />,
    },
    {
      field: 'state',
      title: t('run.state'),
      width: 110,
      visibility: 'always',
      render: ({ state }) => <EnumTag of={jobState} value={state} />,
    },
    { field: 'written', title: t('written.count'), width: 120, render: ({ written, total }) => t('run.done', { done: written, total }) },
    { field: 'failed', title: t('written.failed'), width: 90, render: ({ failed }) => String(failed) },
    { field: 'cardType', title: t('write.cardType'), width: 90, render: ({ cardType }) => <EnumTag of={keyCardType} value={cardType} /> },
    { field: 'area', title: t('write.area'), width: 110 },
    { field: 'deviceName', title: t('write.device'), width: 160 },
    { field: 'createdBy', title: t('written.by'), width: 120, render: ({ createdBy }) => shownName(createdBy) },
  ])
  return (
    <Section title={t('written.title')}>
      <ListTable list={list} columns={columns} empty={{ title: t('written.none') }} onOpen={({ id }) => open(id)} />
    </Section>
  )
}
