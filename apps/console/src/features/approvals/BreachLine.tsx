/** Beside what a change would do: which written rules it goes against, said before it is saved. */
import { useTranslation } from 'react-i18next'
import { writtenRuleCalls, type Breach, type ChangeDraft } from '@gatehouse/contract/approvals/written-rules'
import { useRead } from '../../api/query.ts'
import { Breaches } from './Breaches.tsx'
import styles from './writtenRules.module.css'

export function BreachLine({ of, body }: { of: keyof ChangeDraft; body: object }) {
  const change = { [of]: body } as ChangeDraft
  const { data = [] } = useRead(writtenRuleCalls.breaches, { body: change })
  return <BreachesAhead breaches={data} change={change} />
}

/** @param change as it would be saved; undefined where it cannot be asked who they are */
export function BreachesAhead({ breaches, change }: { breaches: readonly Breach[]; change: object | undefined }) {
  const { t } = useTranslation('approvals')
  if (breaches.length === 0) return null
  return (
    <section className={styles.breachLine} aria-label={t('breach.ahead')}>
      <Breaches breaches={breaches} change={change} />
    </section>
  )
}
