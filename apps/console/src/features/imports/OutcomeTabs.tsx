/** What the rows would do, or have done, counted; each count leads to its rows, the last ones to photographs that were refused or are nobody's. */
import { useTranslation } from 'react-i18next'
import { Link, useSearchParams } from 'react-router'
import { IMPORT_OUTCOMES, type PersonImport } from '@gatehouse/contract/imports/calls'
import styles from './imports.module.css'

export function OutcomeTabs({ of: { rows, photos, photosMatched, photosRefused } }: { of: PersonImport }) {
  const { t, i18n } = useTranslation('imports')
  const [search] = useSearchParams()
  const all = IMPORT_OUTCOMES.reduce((sum, outcome) => sum + (rows[outcome] ?? 0), 0)
  const inPhotos = search.get('photos') !== null
  const withIssue = search.get('withIssue') !== null
  const outcome = search.get('outcome')
  const tabs = [
    { key: 'all', count: all, search: '', current: !inPhotos && !withIssue && outcome === null },
    ...IMPORT_OUTCOMES.map((key) => ({ key, count: rows[key] ?? 0, search: `?outcome=${key}`, current: !inPhotos && outcome === key })),
    ...(photosRefused > 0 ? [{ key: 'photosRefused', count: photosRefused, search: '?withIssue=1', current: !inPhotos && withIssue }] : []),
    { key: 'stray', count: photos - photosMatched, search: '?photos=1', current: inPhotos },
  ]
  return (
    <nav className={styles.outcomes} aria-label={t('outcomes')}>
      {tabs.map(({ key, count, search: to, current }) => (
        <Link
          key={key}
          to={{ search: to }}
          replace
          data-outcome={key}
          data-none={count === 0 || undefined}
          {...(current && { 'aria-current': 'page' as const })}
        >
          <b>{count.toLocaleString(i18n.language)}</b>
          <span>{t(`outcome.${key}`)}</span>
        </Link>
      ))}
    </nav>
  )
}
