/** Marks a record of a person of the watch list, in a colour of its own and in words. */
import { WarningFilled } from '@ant-design/icons'
import { useTranslation } from 'react-i18next'
import type { WatchListHit } from '@gatehouse/contract/records/calls'
import styles from '../kit/kit.module.css'

export function WatchListTag() {
  const { t } = useTranslation()
  return (
    <span className={styles.watchList}>
      <WarningFilled /> {t('watchList.tag')}
    </span>
  )
}

/** Why a person is on the watch list and what is to be done; empty texts are left out. */
export function WatchListFacts({
  hit: { groupName, reason, instruction },
}: {
  hit: Pick<WatchListHit, 'groupName' | 'reason' | 'instruction'>
}) {
  const { t } = useTranslation()
  const facts = [
    [t('watchList.group'), groupName],
    [t('watchList.reason'), reason],
    [t('watchList.instruction'), instruction],
  ].filter(([, value]) => value)
  return (
    <dl className={styles.watchListFacts}>
      {facts.map(([name, value]) => (
        <div key={name} data-instruction={value === instruction || undefined}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}
