/** One pending change: its effect, the rules it violates, and the decision of the other user. */
import { Alert, Button, Drawer, Input } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { accessGroupDraft, effectCalls } from '@gatehouse/contract/questions/effects'
import { questionCalls, strategyDraft, type Effect } from '@gatehouse/contract/questions/calls'
import {
  pendingChangeCalls,
  type ChangeDraft,
  type PendingChange,
  type WrittenRule,
  type WrittenRuleEdit,
} from '@gatehouse/contract/approvals/written-rules'
import { DetailPage, Facts } from '../../kit/detail/DetailPage.tsx'
import { StatusTag } from '../../kit/detail/EnumTag.tsx'
import { toast } from '../../kit/feedback.tsx'
import { useRead } from '../../api/query.ts'
import { Refusal, sentenceOf } from '../../api/refusal.ts'
import { RelativeTime } from '../../kit/detail/RelativeTime.tsx'
import { useWrite } from '../../kit/form/useWrite.ts'
import { shownName } from '../../kit/shownName.ts'
import { EffectSentences } from '../questions/index.ts'
import { Breaches } from './Breaches.tsx'
import { STATUS_OF, useRuleWords } from './ruleWords.ts'
import styles from './writtenRules.module.css'

const WIDTH = 640

export default function PendingDrawer({ id, close }: { id: string | undefined; close: () => void }) {
  const { t } = useTranslation('approvals')
  return (
    <Drawer open={id !== undefined} onClose={close} size={WIDTH} title={t('pending.title')} destroyOnHidden>
      {id !== undefined && <Pending id={id} close={close} />}
    </Drawer>
  )
}

function Pending({ id, close }: { id: string; close: () => void }) {
  const query = useRead(pendingChangeCalls.read, { params: { id } })
  return <DetailPage query={query}>{(found) => <Shown found={found} close={close} />}</DetailPage>
}

type Found = PendingChange & { draft: ChangeDraft | null; ruleEdit: WrittenRuleEdit | null }

function Shown({ found, close }: { found: Found; close: () => void }) {
  const { t } = useTranslation('approvals')
  const { label, kind, state, requestedBy, requestedAt, expiresAt, own, breaches, decidedBy, decidedAt, remark, draft, ruleEdit, can } =
    found
  return (
    <>
      <Facts
        facts={[
          [t('change'), `${t(`pending.kind.${kind}`)} · ${label}`],
          [t('state'), <StatusTag status={STATUS_OF[state]}>{t(`pending.state.${state}`)}</StatusTag>],
          [t('pending.requestedBy'), own ? t('pending.you') : shownName(requestedBy)],
          [t('pending.requestedAt'), <RelativeTime at={requestedAt} />],
          ...(state === 'waiting' ? [[t('pending.expiresAt'), <RelativeTime at={expiresAt} />] as [string, React.ReactNode]] : []),
          ...(decidedAt === null
            ? []
            : ([
                [t('pending.decidedBy'), shownName(decidedBy)],
                [t('pending.decidedAt'), <RelativeTime at={decidedAt} />],
                [t('pending.remark'), remark],
              ] as [string, React.ReactNode][])),
        ]}
      />
      {draft && <WouldDo draft={draft} />}
      {ruleEdit && <WouldLoosen edit={ruleEdit} />}
      <h2 className={styles.heading}>{t('pending.against')}</h2>
      <Breaches breaches={breaches} change={draft ?? undefined} />
      {can.decide && <Decision found={found} close={close} />}
      {own && state === 'waiting' && <Alert type="info" showIcon title={t('pending.ownWords')} />}
    </>
  )
}

/** The persons who gain and lose doors. Rules for linked parks have no effect to show, only the rules they violate. */
function WouldDo({ draft }: { draft: ChangeDraft }) {
  const { t } = useTranslation('approvals')
  // The answer also contains fields under their former names, which the call does not accept.
  const strategyBody = draft.strategy && strategyDraft.parse(draft.strategy)
  const strategy = useRead(questionCalls.strategyEffect, { body: strategyBody! }, { enabled: strategyBody !== undefined })
  const rule = useRead(questionCalls.ruleEffect, { body: draft.timeRule! }, { enabled: draft.timeRule !== undefined })
  const doors = draft.accessGroup && accessGroupDraft.parse(draft.accessGroup)
  const accessGroup = useRead(effectCalls.accessGroup, { body: doors! }, { enabled: doors !== undefined })
  const effect: Effect | undefined = strategy.data ?? rule.data ?? accessGroup.data
  if (effect === undefined) return null
  return (
    <>
      <h2 className={styles.heading}>{t('pending.would')}</h2>
      <EffectSentences effect={effect} />
    </>
  )
}

/** The fields of a written rule that the change alters, before and after. */
function WouldLoosen({ edit: { stored, wanted } }: { edit: WrittenRuleEdit }) {
  const { t } = useTranslation('approvals')
  const words = useRuleWords()
  const facts = (rule: WrittenRule): [string, string][] => [
    [t('name'), rule.name],
    [t('enabled'), rule.enabled ? t('yes') : t('no')],
    [t('whom'), words.subjects(rule)],
    [t('where'), words.where(rule)],
    [t('when'), words.when(rule.periods)],
    [t('reaction'), t(`reactionOf.${rule.reaction}`)],
    [t('sentence'), rule.sentence],
  ]
  const after = wanted && facts(wanted)
  return (
    <>
      <h2 className={styles.heading}>{t(wanted ? 'pending.ruleEdit' : 'pending.ruleDeleted')}</h2>
      <Facts
        facts={facts(stored).flatMap(([label, before], place): [string, React.ReactNode][] => {
          if (after === null) return [[label, before]]
          const now = after[place]![1]
          return now === before ? [] : [[label, `${before || '–'} → ${now || '–'}`]]
        })}
      />
    </>
  )
}

function Decision({ found: { id, label }, close }: { found: Found; close: () => void }) {
  const { t } = useTranslation('approvals')
  const [remark, setRemark] = useState('')
  const [failure, setFailure] = useState<string>()
  const write = useWrite(pendingChangeCalls.decide, {
    errors: 'inline',
    onDone: ({ state }) => {
      toast(state === 'outdated' ? 'info' : 'success', t(`pending.done.${state}`, { label }))
      close()
    },
  })
  const decide = (agree: boolean): void => {
    setFailure(undefined)
    write.send({ body: { id, agree, remark } }).catch((error: unknown) => {
      if (!(error instanceof Refusal)) throw error
      setFailure(sentenceOf(error))
    })
  }
  return (
    <div className={styles.decision}>
      <label htmlFor="pending-remark">{t('pending.remark')}</label>
      <Input.TextArea
        id="pending-remark"
        value={remark}
        maxLength={200}
        autoSize={{ minRows: 2 }}
        onChange={({ target }) => setRemark(target.value)}
      />
      {failure && <Alert type="error" showIcon role="alert" title={failure} />}
      <div>
        <Button type="primary" loading={write.pending} onClick={() => decide(true)}>
          {t('pending.confirm')}
        </Button>
        <Button danger disabled={write.pending} onClick={() => decide(false)}>
          {t('pending.reject')}
        </Button>
      </div>
    </div>
  )
}
