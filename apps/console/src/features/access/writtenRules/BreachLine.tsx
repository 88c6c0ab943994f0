/** Beside what a change would do: which written rules it goes against, said before it is saved. */
import { useTranslation } from 'react-i18next'
import { writtenRuleCalls, type ChangeDraft } from '@gatehouse/contract/access/written-rules'
import { useRead } from '../../../kit/query.ts'
import { Breaches } from './Breaches.tsx'
import styles from './writtenRules.module.css'

export function BreachLine({ of, body }: { of: keyof ChangeDraft; body: object }) {
  const { t } = useTranslation('written')
  const change = { [of]: body } as ChangeDraft
  const { data = [] } = useRead(writtenRuleCalls.breaches, { body: change })
  if (data.length === 0) return null
  return (
    <section className={styles.breachLine} aria-label={t('breach.ahead')}>
      <Breaches breaches={data} change={change} />
    </section>
  )
}
