/** Pending applications: a queue, and beside it the current one with its photograph and look-alikes. Made for the keyboard. */
import { useQueryClient } from '@tanstack/react-query'
import { Alert, Button } from 'antd'
import { lazy, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { enrolmentCalls, type PersonApplication } from '@gatehouse/contract/enrolment/calls'
import { Bars } from '../../kit/detail/Bars.tsx'
import { ListEmpty, ListError } from '../../kit/list/ListStates.tsx'
import type { List, ListQuery } from '../../kit/list/useList.ts'
import { readAfter } from '../../api/query.ts'
import type { PartsOf } from '../../api/http.ts'
import { toast } from '../../kit/feedback.tsx'
import { request } from '../../api/request.ts'
import { ApplicationDetail } from './ApplicationDetail.tsx'
import { KeyHints, Queue } from './Queue.tsx'
import { useQueueFocus } from './useQueueFocus.ts'
import styles from './enrolment.module.css'

const RejectDialog = lazy(() => import('./RejectDialog.tsx'))
const SKELETONS = 8

export type Applications = List<PersonApplication, ListQuery<typeof enrolmentCalls.list>>

export function Desk({ list }: { list: Applications }) {
  const { t } = useTranslation('enrolment')
  const { rows, selected, setSelected } = list
  const [rejecting, setRejecting] = useState<string[]>()
  const { decide, busy, refused } = useDecide()
  const { current, show } = useCurrent(rows)
  const focus = useQueueFocus(rows, current?.id, rejecting !== undefined)
  const marked = selected.filter((id) => rows.some((row) => row.id === id))

  /** Show the next application that is not being decided, and move the focus to it. */
  function showNextAfter(ids: readonly string[]): void {
    const rest = rows.filter(({ id }) => !ids.includes(id) && !busy.has(id))
    const next = rest.find((row) => rows.indexOf(row) > rows.findIndex(({ id }) => id === ids[0])) ?? rest.at(-1)
    if (!next) return
    show(next.id)
    focus.focusOn(next.id)
  }
  function settle(ids: string[], decision: Decision): void {
    const open = ids.filter((id) => !busy.has(id))
    if (open.length === 0) return
    showNextAfter(open)
    setSelected(selected.filter((id) => !open.includes(id)))
    const seen = Math.max(...rows.filter(({ id }) => open.includes(id)).map(({ createdAt }) => createdAt))
    void decide(open, { ...decision, seen })
  }

  if (list.error && rows.length === 0) return <ListError error={list.error} retry={list.retry} />
  if (list.pending) return <Bars count={SKELETONS} />
  if (!current) return <ListEmpty filtered={list.filtered} clear={list.clear} title={t('emptyPending')} />
  const nameOf = (id: string): string => rows.find((row) => row.id === id)?.name ?? ''

  return (
    <div className={styles.desk}>
      <div className={styles.side}>
        {marked.length > 0 && (
          <MarkedBar
            count={marked.length}
            pass={() => settle(marked, { state: 'passed' })}
            reject={() => setRejecting(marked)}
            clear={() => setSelected([])}
          />
        )}
        <Queue
          rows={rows}
          currentId={current.id}
          selected={selected}
          busy={busy}
          refused={refused}
          focus={focus}
          show={show}
          toggle={(id) => setSelected(selected.includes(id) ? selected.filter((one) => one !== id) : [...selected, id])}
          pass={(id) => settle([id], { state: 'passed' })}
          reject={(id) => setRejecting([id])}
        />
        {list.total > rows.length && <p className={styles.more}>{t('more', { count: list.total - rows.length })}</p>}
        <KeyHints />
      </div>
      <ApplicationDetail
        key={current.id}
        application={current}
        busy={busy.has(current.id)}
        pass={(personId) => settle([current.id], { state: 'passed', ...(personId !== undefined && { personId }) })}
        reject={() => setRejecting([current.id])}
      >
        {refused.has(current.id) && (
          <Alert type="error" showIcon role="alert" title={t('notRegistered')} description={refused.get(current.id)} />
        )}
      </ApplicationDetail>
      <Suspense fallback={null}>
        {rejecting && (
          <RejectDialog
            names={rejecting.map(nameOf)}
            close={() => {
              setRejecting(undefined)
              focus.focusOn(current.id)
            }}
            reject={(reason) => {
              setRejecting(undefined)
              settle(rejecting, { state: 'rejected', reason })
            }}
          />
        )}
      </Suspense>
    </div>
  )
}

/** The buttons that decide all marked applications. */
function MarkedBar({ count, pass, reject, clear }: { count: number; pass: () => void; reject: () => void; clear: () => void }) {
  const { t } = useTranslation('enrolment')
  return (
    <div className={styles.bulk} role="region" aria-label={t('marked', { count })}>
      <Button size="small" type="primary" onClick={pass}>
        {t('passMarked', { count })}
      </Button>
      <Button size="small" danger onClick={reject}>
        {t('rejectMarked', { count })}
      </Button>
      <Button size="small" type="text" onClick={clear}>
        {t('unmark')}
      </Button>
    </div>
  )
}

/** Return the current application, and a function that shows another. The next one follows when the current one leaves the list. */
function useCurrent(rows: readonly PersonApplication[]): { current: PersonApplication | undefined; show: (id: string) => void } {
  const [chosen, setChosen] = useState<string>()
  const [place, setPlace] = useState(0)
  const placeOf = (id: string | undefined): number => rows.findIndex((row) => row.id === id)
  return {
    current: rows[placeOf(chosen)] ?? rows[Math.min(place, rows.length - 1)],
    show(id) {
      setChosen(id)
      setPlace(placeOf(id))
    },
  }
}

type Decision = Omit<PartsOf<typeof enrolmentCalls.decide>['body'], 'ids'>

/** Return a function that decides applications, those being decided (`busy`), and those that could not be registered (`refused`). */
function useDecide() {
  const { t } = useTranslation('enrolment')
  const cache = useQueryClient()
  const [busy, setBusy] = useState<ReadonlySet<string>>(new Set())
  /** The reasons in words, by application. */
  const [refused, setRefused] = useState<ReadonlyMap<string, string>>(new Map())

  /** Decide applications. Several calls may run at once: the user sees the next photograph while one is registered. */
  async function decide(ids: string[], decision: Decision): Promise<void> {
    setBusy((before) => new Set([...before, ...ids]))
    try {
      const answer = await request(enrolmentCalls.decide, { body: { ids, ...decision } })
      setRefused(
        (before) =>
          new Map([...[...before].filter(([id]) => !ids.includes(id)), ...answer.refused.map(({ id, words }) => [id, words] as const)]),
      )
      if (answer.decided > 0) toast('success', t(decision.state === 'passed' ? 'passed' : 'rejectedDone', { count: answer.decided }))
      if (answer.refused.length > 0) toast('error', t('refusedSome', { count: answer.refused.length }))
    } catch {
      // The request has shown the error already.
    } finally {
      await readAfter(cache, enrolmentCalls.decide)
      setBusy((before) => new Set([...before].filter((id) => !ids.includes(id))))
    }
  }
  return { decide, busy, refused }
}
