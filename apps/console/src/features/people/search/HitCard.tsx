/** One person a search found: both faces side by side, the score between, and the way to the record. */
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { personStatus } from '@gatehouse/contract/enums/people'
import type { SearchHit } from '@gatehouse/contract/people/search'
import { EnumTag, StatusTag } from '../../../kit/detail/EnumTag.tsx'
import { PicturePair } from '../../../shared/PicturePair.tsx'
import { useMayOpen } from '../../../api/session.ts'
import { formatDate, useZoneOffset } from '../../../kit/time.ts'
import { path } from '../../../paths.ts'
import styles from './oneToN.module.css'

/** Pixels of each side of a picture. */
const FACE = 96
/** Where the record of somebody of a register is. */
const PAGES = { staff: 'staffDetails', customer: 'customerDetails', special: 'blackDetails' } as const

export function HitCard({ hit, searched }: { hit: SearchHit; searched: string }) {
  const { t } = useTranslation('people')
  const { offset } = useZoneOffset()
  const mayRead = useMayOpen({ permission: 'person.list' })
  const { personId, name, workNumber, groupName, kind, status, score, registeredAt, url } = hit
  const about = [workNumber, groupName].filter((word) => word !== '').join(' · ')
  const to = mayRead && kind !== 'visitor' ? path(PAGES[kind], { id: personId }) : null
  return (
    <li className={styles.hit}>
      <PicturePair
        captured={searched}
        registered={url}
        score={score}
        result={null}
        name={t('search.foundPhoto')}
        size={FACE}
        leftWords={t('search.searchedPhoto')}
      />
      <div className={styles.who}>
        <header>
          <h2 title={name}>
            {to === null ? (
              name
            ) : (
              <Link to={to} aria-label={t('search.open', { name })}>
                {name}
              </Link>
            )}
          </h2>
          {status !== personStatus.enabled && <EnumTag of={personStatus} value={status} />}
          <StatusTag status={kind === 'special' ? 'bad' : 'info'}>{t(`search.oneOf.${kind}`)}</StatusTag>
        </header>
        <p title={about}>{about}</p>
        <small>{t('search.registered', { date: formatDate(registeredAt, offset) })}</small>
      </div>
    </li>
  )
}
