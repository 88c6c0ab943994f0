/** One or two sentences: the doors persons may already pass, and those they would gain; requested again after each change. */
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { permitCalls, type PermitEffect } from '@gatehouse/contract/approvals/permits'
import { readOptions } from '../../../api/query.ts'
import { Unanswered } from '../../../kit/detail/Unanswered.tsx'
import { useSettled } from '../../../kit/useSettled.ts'
import { isChosen, type PermitValue } from './permitValue.ts'
import styles from './permit.module.css'

interface PermitEffectLineProps {
  value: PermitValue
  personIds: readonly string[]
  groupId: string | undefined
}

/** Doors named before the rest are counted. */
const NAMED = 3

export function PermitEffectLine({ value, personIds, groupId }: PermitEffectLineProps) {
  const { t } = useTranslation('approvals')
  const text = JSON.stringify({ ...value, personIds, ...(personIds.length === 0 && groupId && { groupId }) })
  const settled = useSettled(text)
  const query = useQuery({
    ...readOptions(permitCalls.effect, { body: JSON.parse(settled ?? '{}') as { personIds: string[] } }),
    enabled: settled !== undefined,
    placeholderData: keepPreviousData,
  })
  if (query.isError) return <Unanswered title={t('permit.effectUnanswered')} asked={query} />
  if (query.data === undefined) return <p className={styles.effect} data-pending />
  return (
    <Sentences
      effect={query.data}
      chosen={isChosen(value)}
      count={Math.max(personIds.length, 1)}
      pending={query.isFetching || settled !== text}
    />
  )
}

interface SentencesProps {
  effect: PermitEffect
  chosen: boolean
  count: number
  /** Whether a newer answer is being read. */
  pending: boolean
}

function Sentences({ effect: { already, gain, longer }, chosen, count, pending }: SentencesProps) {
  const { t } = useTranslation('approvals')
  const separator = t('common:listSeparator')
  const element = useRef<HTMLParagraphElement>(null)
  const shown = chosen && !pending
  // The field may be at the lower edge of a form that scrolls, with the sentences out of sight.
  useEffect(() => {
    if (shown) element.current?.scrollIntoView({ block: 'nearest' })
  }, [shown])
  const listed = (doors: readonly string[], total: number): string => {
    const named = doors.slice(0, NAMED).join(separator)
    return total > NAMED ? t('permit.andMore', { doors: named, count: total - NAMED, total }) : named
  }
  const hours = gain.always
    ? t('permit.always')
    : t('permit.byTimeRules', { rules: gain.timeRules.join(separator), count: gain.timeRules.length })
  return (
    <p ref={element} className={styles.effect} role="status" aria-label={t('permit.effect')} data-pending={pending || undefined}>
      {already.total > 0 && (
        <span>
          {t('permit.already', {
            doors: listed(
              already.doors.map(({ name, strategies }) =>
                t('permit.doorBy', { door: name, strategies: strategies.map((one) => one.name).join(separator) }),
              ),
              already.total,
            ),
          })}
        </span>
      )}
      {already.total === 0 && !chosen && <span>{count === 1 ? t('permit.nowhereOne') : t('permit.nowhereSeveral', { count })}</span>}
      {gain.total > 0 && (
        <b>
          {t('permit.gain', {
            doors: listed(
              gain.doors.map(({ name }) => name),
              gain.total,
            ),
            hours,
          })}
        </b>
      )}
      {chosen && gain.total === 0 && <span>{longer > 0 ? t('permit.longer', { count: longer }) : t('permit.gainsNothing')}</span>}
    </p>
  )
}
