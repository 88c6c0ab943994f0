/** Why a form could not be saved, above its buttons: what it goes against, or that it waits for a second person. */
import { Alert } from 'antd'
import { useEffect, useRef, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import type { Breach, ChangeDraft } from '@gatehouse/contract/approvals/written-rules'
import { RelativeTime } from '../../kit/detail/RelativeTime.tsx'
import type { Refusal } from '../../api/refusal.ts'
import { path } from '../../paths.ts'
import { Breaches } from './Breaches.tsx'
import styles from './writtenRules.module.css'

/**
 * What a form shows of a refusal by written rules; undefined: it was refused for another reason.
 * @param of what the form saves; absent: a written rule itself
 */
export const hinderedBy =
  (of?: keyof ChangeDraft) =>
  (refusal: Refusal, body: object): ReactNode =>
    Array.isArray(refusal.data['breaches']) ? (
      <Hindrance key={crypto.randomUUID()} refusal={refusal} change={of && { [of]: body }} />
    ) : undefined

function Hindrance({ refusal, change }: { refusal: Refusal; change: object | undefined }) {
  const { t } = useTranslation('approvals')
  const here = useRef<HTMLDivElement>(null)
  useEffect(() => {
    here.current?.scrollIntoView({ block: 'nearest' })
    here.current?.focus({ preventScroll: true })
  }, [])
  const { breaches, expiresAt } = refusal.data as { breaches: Breach[]; expiresAt?: number }
  const waits = expiresAt !== undefined
  return (
    <div ref={here} tabIndex={-1} className={styles.hindrance} role="alert" aria-label={t(waits ? 'hindrance.waits' : 'hindrance.refused')}>
      <Alert
        type={waits ? 'info' : 'error'}
        showIcon
        title={t(waits ? 'hindrance.waits' : 'hindrance.refused')}
        description={
          <>
            {waits ? (
              <p>
                {t('hindrance.waitsWords')} {t('expires')} <RelativeTime at={expiresAt} />.{' '}
                <Link to={path('pendingChanges')}>{t('hindrance.toList')}</Link>
              </p>
            ) : (
              <p>{t('hindrance.refusedWords')}</p>
            )}
            <Breaches breaches={breaches} change={change} />
          </>
        }
      />
    </div>
  )
}
