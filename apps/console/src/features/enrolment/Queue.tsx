/** The queue of applications: arrow keys move through it, and the keys of `KEYS.approval` decide. */
import { Checkbox } from 'antd'
import type { KeyboardEvent } from 'react'
import { useTranslation } from 'react-i18next'
import type { PersonApplication } from '@gatehouse/contract/enrolment/calls'
import { RelativeTime } from '../../kit/detail/RelativeTime.tsx'
import { isKey, KEYS } from '../../kit/keys.ts'
import { rowAfter } from '../../kit/list/tableKeys.ts'
import { Portrait } from '../../kit/media/Portrait.tsx'
import type { QueueFocus } from './useQueueFocus.ts'
import styles from './enrolment.module.css'

/** Pixels. */
const FACE = 44

interface QueueProps {
  rows: readonly PersonApplication[]
  currentId: string
  selected: readonly string[]
  /** Applications that are being decided. */
  busy: ReadonlySet<string>
  /** Applications that could not be registered, with the reason in words. */
  refused: ReadonlyMap<string, string>
  focus: QueueFocus
  show: (id: string) => void
  toggle: (id: string) => void
  pass: (id: string) => void
  reject: (id: string) => void
}

export function Queue({ rows, currentId, selected, busy, refused, focus, show, toggle, pass, reject }: QueueProps) {
  const { t } = useTranslation('enrolment')

  function onKey(event: KeyboardEvent<HTMLElement>): void {
    const id = (event.target as HTMLElement).dataset['id']
    if (id === undefined || event.ctrlKey || event.metaKey || event.altKey) return
    const at = rows.findIndex((row) => row.id === id)
    const next = rowAfter(event.key, at, rows.length)
    if (next !== undefined) focus.focusOn(rows[next]?.id)
    else if (isKey(KEYS.approval.accept, event.key) && !event.repeat) pass(id)
    else if (isKey(KEYS.approval.reject, event.key.toLowerCase())) reject(id)
    else if (isKey(KEYS.list.mark, event.key)) toggle(id)
    else return
    event.preventDefault()
  }

  return (
    <div role="presentation" className={styles.queue} onKeyDown={onKey} onFocus={focus.onFocus} onBlur={focus.onBlur}>
      <ul ref={focus.list} aria-label={t('queue')}>
        {rows.map((row) => {
          const isCurrent = row.id === currentId
          return (
            <li key={row.id} data-current={isCurrent || undefined} data-busy={busy.has(row.id) || undefined}>
              <Checkbox
                aria-label={t('select', { name: row.name })}
                checked={selected.includes(row.id)}
                tabIndex={-1}
                onChange={() => toggle(row.id)}
              />
              <button
                type="button"
                data-id={row.id}
                tabIndex={isCurrent ? 0 : -1}
                aria-current={isCurrent}
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
                  <Standing row={row} isBusy={busy.has(row.id)} isRefused={refused.has(row.id)} />
                </small>
              </button>
            </li>
          )
        })}
      </ul>
    </div>
  )
}

function Standing({ row, isBusy, isRefused }: { row: PersonApplication; isBusy: boolean; isRefused: boolean }) {
  const { t } = useTranslation('enrolment')
  if (isBusy) return t('busy')
  if (isRefused) return <em>{t('notRegistered')}</em>
  return <RelativeTime at={row.createdAt} />
}

/** The keys of the queue; each application of it is described by them. */
export function KeyHints() {
  const { t } = useTranslation('enrolment')
  return (
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
  )
}
