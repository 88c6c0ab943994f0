/** Who of the watch list was found on a record: why they are on it, what is to be done, and the way to them. */
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import type { WatchListHit } from '@gatehouse/contract/records/calls'
import { useMayOpen } from '../../api/session.ts'
import { WatchListFacts } from '../../shared/WatchListFacts.tsx'
import { WatchListTag } from '../../shared/WatchListTag.tsx'
import { path } from '../../paths.ts'
import { screens } from '../../screens.ts'
import styles from './records.module.css'

export function Hit({ hit }: { hit: WatchListHit }) {
  const { t } = useTranslation()
  const mayOpen = useMayOpen(screens.blackDetails)
  const { personId, personName } = hit
  return (
    <section className={styles.hit} aria-label={t('watchList.tag')}>
      <header>
        <WatchListTag />
        <b>{mayOpen ? <Link to={path('blackDetails', { id: personId })}>{personName}</Link> : personName}</b>
      </header>
      <WatchListFacts hit={hit} />
    </section>
  )
}
