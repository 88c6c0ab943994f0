/** Two people so alike that they may be one registered twice: somebody who knows them says which, one pair after the other. */
import { Button } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ownCurveCalls } from '@gatehouse/contract/faces/own-curve-calls'
import { useRead } from '../../../api/query.ts'
import { useMayCall } from '../../../api/session.ts'
import { useWrite } from '../../../kit/form/useWrite.ts'
import { ClosePair, type Pair } from '../report/ClosePairs.tsx'
import { useRateWords } from '../rateWords.ts'
import styles from '../faces.module.css'

/** Others follow as these are answered. */
const SHOWN = 10

interface Answered {
  pair: Pair
  samePerson: boolean
}

const keyOf = ({ first, second }: Pair): string => `${first.personId}/${second.personId}`

export function DoubtfulPairs({ count }: { count: number }) {
  const { t } = useTranslation('faces')
  const { number } = useRateWords()
  const { data } = useRead(ownCurveCalls.pairs, { query: { page: 1, size: SHOWN } })
  // What was said stays in sight until the page is left: whoever erred sees it there.
  const [answered, setAnswered] = useState<readonly Answered[]>([])
  const note = (said: Answered): void => setAnswered((all) => [...all.filter(({ pair }) => keyOf(pair) !== keyOf(said.pair)), said])
  const isAnswered = (pair: Pair): boolean => answered.some((other) => keyOf(other.pair) === keyOf(pair))
  if (count === 0 && answered.length === 0) return null
  return (
    <section aria-label={t('own.doubtfulTitle')}>
      {count > 0 && (
        <>
          <p className={styles.former}>
            <b>{t('own.doubtful', { count, n: number(count) })}</b>
          </p>
          <p>{t('own.doubtfulWords')}</p>
        </>
      )}
      <ul className={styles.pairs}>
        {[...answered.map(({ pair }) => pair), ...(data?.content.filter((pair) => !isAnswered(pair)) ?? [])].map((pair) => (
          <ClosePair key={keyOf(pair)} pair={pair}>
            <Answer pair={pair} said={answered.find((other) => keyOf(other.pair) === keyOf(pair))?.samePerson} onSaid={note} />
          </ClosePair>
        ))}
      </ul>
      {count > SHOWN && <p>{t('own.more', { n: number(count - SHOWN) })}</p>}
    </section>
  )
}

interface AnswerProps {
  pair: Pair
  /** What was said of it here. */
  said: boolean | undefined
  onSaid: (answered: Answered) => void
}

function Answer({ pair, said, onSaid }: AnswerProps) {
  const { t } = useTranslation('faces')
  const mayAnswer = useMayCall(ownCurveCalls.answer)
  const answer = useWrite(ownCurveCalls.answer)
  if (!mayAnswer) return null
  const say = async (samePerson: boolean): Promise<void> => {
    await answer.send({ body: { personId: pair.first.personId, otherId: pair.second.personId, samePerson } })
    onSaid({ pair, samePerson })
  }
  return [false, true].map((samePerson) => (
    <Button
      key={String(samePerson)}
      size="small"
      type={said === samePerson ? 'primary' : 'default'}
      aria-pressed={said === samePerson}
      disabled={answer.pending}
      onClick={() => void say(samePerson).catch(() => undefined)}
    >
      {t(samePerson ? 'own.one' : 'own.two')}
    </Button>
  ))
}
