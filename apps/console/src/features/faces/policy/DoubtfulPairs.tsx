/** Two people so alike that they may be one registered twice: somebody who knows them says which, one pair after the other. */
import { Button } from 'antd'
import { useTranslation } from 'react-i18next'
import { ownCurveCalls } from '@gatehouse/contract/faces/own-curve-calls'
import { useRead } from '../../../kit/query.ts'
import { useMayCall } from '../../../kit/session.ts'
import { useWrite } from '../../../kit/useWrite.ts'
import { ClosePair, type Pair } from '../report/ClosePairs.tsx'
import { useRateWords } from '../rateWords.ts'
import styles from '../faces.module.css'

/** Others follow as these are answered. */
const SHOWN = 10

export function DoubtfulPairs({ count }: { count: number }) {
  const { t } = useTranslation('faces')
  const { number } = useRateWords()
  const { data } = useRead(ownCurveCalls.pairs, { query: { page: 1, size: SHOWN } })
  return (
    <section aria-label={t('own.doubtfulTitle')}>
      <p className={styles.former}>
        <b>{t('own.doubtful', { count, n: number(count) })}</b>
      </p>
      <p>{t('own.doubtfulWords')}</p>
      <ul className={styles.pairs}>
        {data?.content.map((pair) => (
          <ClosePair key={`${pair.first.personId}/${pair.second.personId}`} pair={pair}>
            <Answer pair={pair} />
          </ClosePair>
        ))}
      </ul>
      {count > SHOWN && <p>{t('own.more', { n: number(count - SHOWN) })}</p>}
    </section>
  )
}

function Answer({ pair: { first, second } }: { pair: Pair }) {
  const { t } = useTranslation('faces')
  const mayAnswer = useMayCall(ownCurveCalls.answer)
  const answer = useWrite(ownCurveCalls.answer)
  if (!mayAnswer) return null
  const say = (samePerson: boolean): void => answer.run({ body: { personId: first.personId, otherId: second.personId, samePerson } })
  return (
    <>
      <Button size="small" disabled={answer.pending} onClick={() => say(false)}>
        {t('own.two')}
      </Button>
      <Button size="small" disabled={answer.pending} onClick={() => say(true)}>
        {t('own.one')}
      </Button>
    </>
  )
}
