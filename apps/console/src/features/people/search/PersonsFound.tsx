/** The answer of a one-to-N search: each person that was found beside the face that was searched for. */
import { ScanOutlined } from '@ant-design/icons'
import { Button } from 'antd'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { scoreInWords } from '@gatehouse/contract'
import { monitorPrecision } from '@gatehouse/contract/enums'
import type { SearchHit } from '@gatehouse/contract/people/search'
import { personStatus } from '@gatehouse/contract/enums/people'
import { EnumTag, StatusTag } from '../../../kit/detail/EnumTag.tsx'
import { PicturePair } from '../../../shared/PicturePair.tsx'
import { useMayOpen } from '../../../api/session.ts'
import { formatDate, useZoneOffset } from '../../../kit/time.ts'
import { shownName } from '../../../kit/shownName.ts'
import { path } from '../../../paths.ts'
import type { SearchSettings } from './SearchOptions.tsx'
import styles from './oneToN.module.css'

/** Placeholder cards while the search runs. */
const WAITING = [1, 2, 3, 4, 5, 6]

interface PersonsFoundProps {
  answer: { hits: SearchHit[]; threshold: number; searched: number }
  /** Address of the photograph that is searched for. */
  searched: string
  settings: Pick<SearchSettings, 'precision'>
  /** Searches again less strictly. */
  change: (some: Pick<SearchSettings, 'precision'>) => void
}

/** The persons that a search found, or why it found none. */
export function PersonsFound({
  answer: { hits, threshold, searched: photos },
  searched,
  settings: { precision },
  change,
}: PersonsFoundProps) {
  const { t, i18n } = useTranslation('people')
  const among = t('search.among', { count: photos, replace: { count: new Intl.NumberFormat(i18n.language).format(photos) } })
  if (photos === 0) return <SearchWords title={t('search.noPhotos')} words={t('search.noPhotosWords')} />
  const looser = precision < monitorPrecision.loose ? ((precision + 1) as SearchSettings['precision']) : null
  return (
    <>
      <p className={styles.summary} role="status">
        <b>{t('search.found', { count: hits.length })}</b>
        <span>{among}</span>
        <span>{t('search.atLeast', { score: scoreInWords(threshold) })}</span>
      </p>
      {hits.length === 0 ? (
        <SearchWords title={t('search.nobody')} words={t('search.nobodyWords')}>
          {looser !== null && (
            <Button type="primary" onClick={() => change({ precision: looser })}>
              {t('search.looser')}
            </Button>
          )}
        </SearchWords>
      ) : (
        <ol className={styles.hits}>
          {hits.map((hit) => (
            <HitCard key={hit.personId} hit={hit} searched={searched} />
          ))}
        </ol>
      )}
    </>
  )
}

export function SearchWords({ title, words, children }: { title: string; words: string; children?: React.ReactNode }) {
  return (
    <div className={styles.nothing}>
      <ScanOutlined />
      <h2>{title}</h2>
      <p>{words}</p>
      {children}
    </div>
  )
}

/** Placeholder cards of the size of the results. */
export function PersonsSearching() {
  const { t } = useTranslation('people')
  return (
    <>
      <p className={styles.summary} role="status">
        <b>{t('search.searching')}</b>
      </p>
      <div className={styles.hits} aria-hidden="true">
        {WAITING.map((at) => (
          <div key={at} className={styles.hit} data-waiting />
        ))}
      </div>
    </>
  )
}

/** Pixels of each side of a picture. */
const FACE = 96
/** Detail pages of persons by register. */
const PAGES = { staff: 'staffDetails', customer: 'customerDetails', special: 'blackDetails' } as const

/** One result: both faces side by side, the score between them, and the link to the person. */
function HitCard({ hit, searched }: { hit: SearchHit; searched: string }) {
  const { t } = useTranslation('people')
  const { offset } = useZoneOffset()
  const mayRead = useMayOpen({ permission: 'person.list' })
  const { personId, name, workNumber, groupName, kind, status, score, registeredAt, url } = hit
  const about = [workNumber, shownName(groupName)].filter((word) => word !== '').join(' · ')
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
