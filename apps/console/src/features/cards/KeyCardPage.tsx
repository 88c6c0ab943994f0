/** The page of one kind of key card: its key, the writing of a card, and what was written before. */
import { Button, Form, Input, InputNumber, Segmented } from 'antd'
import { lazy, Suspense, useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { cardCalls } from '@gatehouse/contract/cards/calls'
import type { CardKey, KeyType } from '@gatehouse/contract/cards/keys'
import { CARDS_AT_ONCE, type CardWriteSummary } from '@gatehouse/contract/cards/writing'
import { jobState } from '@gatehouse/contract/enums/common'
import { keyCardType, keyStatus } from '@gatehouse/contract/enums/devices'
import { CARD_AREA_DIGITS, type InputOf } from '@gatehouse/contract'
import { columnsOf } from '../../kit/list/columns.tsx'
import { DetailPage, Facts, Section } from '../../kit/detail/DetailPage.tsx'
import { EnumTag, useEnumOptions } from '../../kit/detail/EnumTag.tsx'
import { ListTable } from '../../kit/list/ListTable.tsx'
import { useRead } from '../../api/query.ts'
import { RelativeTime } from '../../kit/detail/RelativeTime.tsx'
import { shownName } from '../../kit/shownName.ts'
import { useList } from '../../kit/list/useList.ts'
import { useEditor } from '../../kit/form/useEditor.ts'
import { FormBody } from '../../kit/form/FormBody.tsx'
import { ready } from '../../kit/form/loaded.ts'
import { useContractForm } from '../../kit/form/useContractForm.ts'
import { CardsScreen, type CardsTab } from './CardsScreen.tsx'
import { WriteRun } from './WriteRun.tsx'
import { CollectorField, collectorHere } from './collector.tsx'
import styles from './cards.module.css'

interface KeyCardPageProps {
  kind: KeyType
  tab: CardsTab
  /** Several cards are written in turn. Their key is created on the page of the single card. */
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

const KeyDialog = lazy(() => import('./KeyDialog.tsx'))

/**
 * One key: whether it exists, its check value, and the button that creates it.
 * @param mayCreate false: the key it is derived from does not exist yet
 */
function KeyPanel({ present, mayCreate }: { present: CardKey; mayCreate: boolean }) {
  const { t } = useTranslation('cards')
  const editor = useEditor<CardKey>()
  const isThere = present.status === keyStatus.created
  return (
    <Section
      title={t('key.title')}
      extra={
        <Button type={isThere ? 'default' : 'primary'} disabled={!mayCreate} onClick={editor.add}>
          {t(isThere ? 'key.replace' : 'key.create')}
        </Button>
      }
    >
      <p className={styles.words}>{t(mayCreate ? `key.words.${present.type}` : 'key.leaderFirst')}</p>
      <div className={styles.four}>
        <Facts
          facts={[
            [t('key.status'), <EnumTag key="status" of={keyStatus} value={present.status} />],
            [t('key.name'), present.name],
            [t('key.checkValue'), present.checkValue && <code key="check">{present.checkValue}</code>],
            [t('key.createdAt'), present.createdAt && <RelativeTime key="at" at={present.createdAt} />],
          ]}
        />
      </div>
      <Suspense fallback={null}>
        {editor.openingCount > 0 && <KeyDialog key={editor.openingCount} editor={editor} present={present} />}
      </Suspense>
    </Section>
  )
}

type Fields = InputOf<typeof cardCalls.startWrite.body>
const [, AREA_MAX] = CARD_AREA_DIGITS

interface WriteFormProps {
  kind: KeyType
  many: boolean
  /** Whether the key exists. */
  enabled: boolean
  onStarted: (id: string) => void
}

/** The form that starts a run: what is written, on how many cards, and by which card machine. */
function WriteForm({ kind, many, enabled, onStarted }: WriteFormProps) {
  const { t } = useTranslation('cards')
  const id = useId()
  const optionsOf = useEnumOptions()
  const contract = useContractForm<typeof cardCalls.startWrite, Partial<Fields>>({
    call: cardCalls.startWrite,
    hidden: { kind },
    done: t('write.started'),
    onDone: ({ id: started }) => onStarted(started),
    draft: `cardWrite.${kind}${many ? '.many' : ''}`,
    unkept: ['transportKey'],
  })
  return (
    <div className={styles.form}>
      <FormBody
        id={id}
        initial={ready<Partial<Fields>>({ cardType: keyCardType.m1, deviceId: collectorHere(), ...(many && { count: 10 }) })}
        contract={contract}
      >
        <div className={styles.fields}>
          <Form.Item name="deviceId" label={t('write.device')} required>
            <CollectorField />
          </Form.Item>
          <Form.Item name="cardType" label={t('write.cardType')} required>
            <Segmented aria-label={t('write.cardType')} options={optionsOf(keyCardType)} />
          </Form.Item>
          {many && (
            <Form.Item name="count" label={t('write.count')} required>
              <InputNumber min={1} max={CARDS_AT_ONCE} precision={0} style={{ width: '100%' }} />
            </Form.Item>
          )}
          {kind !== 'leader' && (
            <Form.Item name="area" label={t('write.area')} extra={t('write.areaHint')}>
              <Input maxLength={AREA_MAX} inputMode="numeric" autoComplete="off" />
            </Form.Item>
          )}
          <Form.Item name="transportKey" label={t('write.transportKey')} extra={t('write.transportKeyHint')}>
            <Input maxLength={32} autoComplete="off" spellCheck={false} />
          </Form.Item>
        </div>
      </FormBody>
      <Button type="primary" htmlType="submit" form={id} loading={contract.pending} disabled={!enabled}>
        {t(many ? 'write.startMany' : 'write.start')}
      </Button>
      {!enabled && <span className={styles.missing}>{t('write.keyFirst')}</span>}
    </div>
  )
}
