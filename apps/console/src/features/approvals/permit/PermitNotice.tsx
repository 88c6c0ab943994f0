/** The outcome of a permission that was not fully granted, with a button to try again. */
import { Alert, Button } from 'antd'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import type { PermitOutcome } from '@gatehouse/contract/approvals/permits'
import { StatusTag } from '../../../kit/detail/EnumTag.tsx'
import { path } from '../../../paths.ts'
import type { Status } from '../../../theme/tokens.ts'
import { Breaches } from '../Breaches.tsx'
import { isGranted, type PermitResult } from './permitValue.ts'
import styles from './permit.module.css'

const STATUS = { added: 'ok', already: 'ok', pending: 'wait', refused: 'bad' } as const satisfies Record<PermitOutcome['outcome'], Status>

interface PermitNoticeProps {
  result: PermitResult
  /** Absent where the choice itself is still on the screen. */
  retry?: () => void
  close?: () => void
}

export default function PermitNotice({ result, retry, close }: PermitNoticeProps) {
  const { t } = useTranslation('approvals')
  const outcomes = result.outcomes ?? []
  if (isGranted(result)) return null
  const waits = outcomes.some(({ outcome }) => outcome === 'pending')
  const none = outcomes.every(({ outcome }) => outcome === 'refused')
  const refused = result.outcomes === null || outcomes.some(({ outcome }) => outcome === 'refused')
  return (
    <Alert
      className={styles.notice ?? ''}
      type={refused ? 'error' : 'info'}
      showIcon
      {...(close && { closable: { closeIcon: true, onClose: close, 'aria-label': t('permit.close') } })}
      title={t(none ? 'permit.notice.none' : refused ? 'permit.notice.refused' : 'permit.notice.waits')}
      description={
        <>
          {result.failure && <p>{result.failure}</p>}
          <ul>
            {outcomes.map(({ strategyId, name, outcome, breaches }) => (
              <li key={strategyId}>
                <b>{name}</b> <StatusTag status={STATUS[outcome]}>{t(`permit.outcome.${outcome}`)}</StatusTag>
                {breaches.length > 0 && <Breaches breaches={breaches} />}
              </li>
            ))}
          </ul>
          {waits && (
            <p>
              <Link to={path('pendingChanges')}>{t('permit.notice.toPending')}</Link>
            </p>
          )}
        </>
      }
      action={refused && retry && <Button onClick={retry}>{t('permit.notice.retry')}</Button>}
    />
  )
}
