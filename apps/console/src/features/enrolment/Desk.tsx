/** Those who wait, one beside the other: whom it is, with the photograph large beside whom it looks like. Made for the keyboard. */
import { useQueryClient } from '@tanstack/react-query'
import { Alert, Button, Checkbox } from 'antd'
import { lazy, Suspense, useEffect, useRef, useState, type KeyboardEvent } from 'react'
import { useTranslation } from 'react-i18next'
import { enrolmentCalls, type PersonApplication } from '@gatehouse/contract/enrolment/calls'
import { Bars } from '../../kit/detail/Bars.tsx'
import { isKey, KEYS } from '../../kit/keys.ts'
import { ListEmpty, ListError } from '../../kit/list/ListStates.tsx'
import { Portrait } from '../../kit/media/Portrait.tsx'
import { RelativeTime } from '../../kit/detail/RelativeTime.tsx'
import { rowAfter } from '../../kit/list/tableKeys.ts'
import type { List, ListQuery } from '../../kit/list/useList.ts'
import type { PartsOf } from '../../api/http.ts'
import { toast } from '../../kit/feedback.tsx'
import { request } from '../../api/request.ts'
import { ApplicationDetail } from './ApplicationDetail.tsx'
import styles from './enrolment.module.css'

const RejectDialog = lazy(() => import('./RejectDialog.tsx'))
const FACE = 44
const SKELETONS = 8

export type Applications = List<PersonApplication, ListQuery<typeof enrolmentCalls.list>>

export function Desk({ list }: { list: Applications }) {
  const { t } = useTranslation('enrolment')
  const { rows, selected, setSelected } = list
  const queue = useRef<HTMLUListElement>(null)
  const [chosen, setChosen] = useState<string>()
  const [rejecting, setRejecting] = useState<string[]>()
  const { decide, busy, refused } = useDecide()
  /** Where the list stood when its row went: the next one takes its place. */
  const [place, setPlace] = useState(0)
  const at = rows.findIndex(({ id }) => id === chosen)
  const current = rows[at] ?? rows[Math.min(place, rows.length - 1)]
  const marked = selected.filter((id) => rows.some((row) => row.id === id))

  function show(id: string): void {
    setChosen(id)
    setPlace(rows.findIndex((row) => row.id === id))
  }
  const focusOn = (id: string | undefined): void => queue.current?.querySelector<HTMLElement>(`[data-id="${id}"]`)?.focus()

  /** Leads on to the next who is not being decided, and keeps the hands where they are. */
  function leadOn(ids: readonly string[]): void {
    const rest = rows.filter(({ id }) => !ids.includes(id) && !busy.has(id))
    const next = rest.find((row) => rows.indexOf(row) > rows.findIndex(({ id }) => id === ids[0])) ?? rest.at(-1)
    if (!next) return
    show(next.id)
    focusOn(next.id)
  }
  function settle(ids: string[], more: Parameters<typeof decide>[1]): void {
    const open = ids.filter((id) => !busy.has(id))
    if (open.length === 0) return
    leadOn(open)
    setSelected(selected.filter((id) => !open.includes(id)))
    const seen = Math.max(...rows.filter(({ id }) => open.includes(id)).map(({ createdAt }) => createdAt))
    void decide(open, { ...more, seen })
  }
  const toggle = (id: string): void => setSelected(selected.includes(id) ? selected.filter((one) => one !== id) : [...selected, id])

  function onKey(event: KeyboardEvent<HTMLElement>): void {
    const id = (event.target as HTMLElement).dataset['id']
    if (id === undefined || event.ctrlKey || event.metaKey || event.altKey) return
    const next = rowAfter(
      event.key,
      rows.findIndex((row) => row.id === id),
      rows.length,
    )
    if (next !== undefined) focusOn(rows[next]?.id)
    else if (isKey(KEYS.approval.accept, event.key) && !event.repeat) settle([id], { state: 'passed' })
    else if (isKey(KEYS.approval.reject, event.key.toLowerCase())) setRejecting([id])
    else if (isKey(KEYS.list.mark, event.key)) toggle(id)
    else return
    event.preventDefault()
  }

  // Whoever is decided goes from the list, and the focus with him: it comes back to who is shown now.
  const ids = rows.map(({ id }) => id).join()
  const had = useRef(false)
  useEffect(() => {
    if (had.current && document.activeElement === document.body && rejecting === undefined) focusOn(current?.id)
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [ids])

  if (list.error && rows.length === 0) return <ListError error={list.error} retry={list.retry} />
  if (list.pending) return <Bars count={SKELETONS} />
  if (!current) return <ListEmpty filtered={list.filtered} clear={list.clear} title={t('emptyPending')} />
  const nameOf = (id: string): string => rows.find((row) => row.id === id)?.name ?? ''

  return (
    <div className={styles.desk}>
      <div className={styles.side}>
        {marked.length > 0 && (
          <div className={styles.bulk} role="region" aria-label={t('marked', { count: marked.length })}>
            <Button size="small" type="primary" onClick={() => settle(marked, { state: 'passed' })}>
              {t('passMarked', { count: marked.length })}
            </Button>
            <Button size="small" danger onClick={() => setRejecting(marked)}>
              {t('rejectMarked', { count: marked.length })}
            </Button>
            <Button size="small" type="text" onClick={() => setSelected([])}>
              {t('unmark')}
            </Button>
          </div>
        )}
        <div
          role="presentation"
          className={styles.queue}
          onKeyDown={onKey}
          onFocus={() => {
            had.current = true
          }}
          onBlur={({ relatedTarget }) => {
            if (relatedTarget) had.current = false
          }}
        >
          <ul ref={queue} aria-label={t('queue')}>
            {rows.map((row) => (
              <li key={row.id} data-current={row.id === current.id || undefined} data-busy={busy.has(row.id) || undefined}>
                <Checkbox
                  aria-label={t('select', { name: row.name })}
                  checked={selected.includes(row.id)}
                  tabIndex={-1}
                  onChange={() => toggle(row.id)}
                />
                <button
                  type="button"
                  data-id={row.id}
                  tabIndex={row.id === current.id ? 0 : -1}
                  aria-current={row.id === current.id}
                  aria-describedby="approval-keys"
                  onFocus={() => show(row.id)}
                  onClick={(event) => event.currentTarget.focus()}
                >
                  <Portrait name={row.name} url={row.thumbnail} size={FACE} />
                  <span>
                    <b title={row.name}>{row.name}</b>
                    <small title={row.workNumber || row.phone}>{row.workNumber || row.phone}</small>
                  </span>
                  <small>
                    {busy.has(row.id) ? (
                      t('busy')
                    ) : refused.has(row.id) ? (
                      <em>{t('notRegistered')}</em>
                    ) : (
                      <RelativeTime at={row.createdAt} />
                    )}
                  </small>
                </button>
              </li>
            ))}
          </ul>
        </div>
        {list.total > rows.length && <p className={styles.more}>{t('more', { count: list.total - rows.length })}</p>}
        <p id="approval-keys" className={styles.keys}>
          <span>
            <kbd>↑</kbd>
            <kbd>↓</kbd> {t('keyMove')}
          </span>{' '}
          <span>
            <kbd>Enter</kbd> {t('keyPass')}
          </span>{' '}
          <span>
            <kbd>R</kbd> {t('keyReject')}
          </span>{' '}
          <span>
            <kbd>Space</kbd> {t('keySelect')}
          </span>
        </p>
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
              focusOn(current.id)
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

type Decision = Omit<PartsOf<typeof enrolmentCalls.decide>['body'], 'ids'>

/** Decides applications; what is being registered, and what could not be. */
function useDecide() {
  const { t } = useTranslation('enrolment')
  const cache = useQueryClient()
  const [busy, setBusy] = useState<ReadonlySet<string>>(new Set())
  /** Words by application. */
  const [refused, setRefused] = useState<ReadonlyMap<string, string>>(new Map())

  /** Several may be under way at once: nobody waits for one photograph to look at the next. */
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
      // Spoken of already.
    } finally {
      await cache.invalidateQueries()
      setBusy((before) => new Set([...before].filter((id) => !ids.includes(id))))
    }
  }
  return { decide, busy, refused }
}
