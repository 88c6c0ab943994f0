/** Whether somebody agreed to be known by the face, and since when. */
import { useTranslation } from 'react-i18next'
import type { ConsentState } from '@gatehouse/contract/people/calls'
import { StatusTag } from '../../kit/detail/EnumTag.tsx'
import { DateOnly } from '../../kit/detail/RelativeTime.tsx'
import type { Status } from '../../theme/tokens.ts'
import styles from './people.module.css'

const STATUS: Record<ConsentState, Status> = { none: 'off', given: 'ok', withdrawn: 'bad' }

export function ConsentTag({ state, at }: { state: ConsentState; at?: number | null }) {
  const { t } = useTranslation('people')
  return (
    <span className={styles.validity}>
      <StatusTag status={STATUS[state]}>{t(`consent.${state}`)}</StatusTag>
      {at != null && state !== 'none' && <DateOnly at={at} />}
    </span>
  )
}
