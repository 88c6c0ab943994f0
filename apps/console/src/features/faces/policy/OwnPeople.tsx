/** How alike the park's own people are, what doors ask because of it, and the pairs somebody has to speak about before they count. */
import { Alert, Button } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { OWN_CURVE_LEAST_PERSONS, ownCurveCalls, type OwnCurveState } from '@gatehouse/contract/faces/own-curve-calls'
import { modal } from '../../../kit/feedback.tsx'
import { useRead } from '../../../api/query.ts'
import { RelativeTime } from '../../../kit/detail/RelativeTime.tsx'
import { useMayCall } from '../../../api/session.ts'
import { useWrite } from '../../../kit/form/useWrite.ts'
import { useRateWords } from '../rates.ts'
import { isUnderWay, useWorkWatch } from '../useWorkWatch.ts'
import { ClosePair, type Pair } from '../report/ClosePairs.tsx'
import { Setting } from './Setting.tsx'
import styles from '../faces.module.css'

/** Fewer pairs of photographs of one person say too little to be told. */
const LEAST_GENUINE = 30
/** The same of passages. */
const LEAST_PASSAGES = 100
/** How many times as often, at most, is told as a number. */
const MOST_TOLD = 100

export function OwnPeople() {
  const { t } = useTranslation('faces')
  const { data: state } = useRead(ownCurveCalls.read, {})
  const busy = isUnderWay(state?.work)
  useWorkWatch(busy, ownCurveCalls.read)
  const mayMeasure = useMayCall(ownCurveCalls.measure)
  const measure = useWrite(ownCurveCalls.measure)
  if (state === undefined) return null
  return (
    <Setting title={t('own.title')} words={t('own.words')}>
      <div className={`${styles.meaning} ${styles.ownPeople}`}>
        <Measured state={state} />
        <Looser state={state} />
        {state.work?.state === 'failed' && (
          <Alert type="error" showIcon title={t('own.failed')} description={state.work.reason ?? undefined} />
        )}
        {mayMeasure && (
          <p>
            <Button size="small" disabled={busy} loading={measure.pending || busy} onClick={() => measure.run({ body: {} })}>
              {busy ? t('own.working') : t('own.measure')}
            </Button>
          </p>
        )}
        <DoubtfulPairs count={state.doubtful} />
      </div>
    </Setting>
  )
}

function Measured({
  state: { people, persons, measuredAt, heldOut, missed, doors, score, shippedScore, looser, passed },
}: {
  state: OwnCurveState
}) {
  const { t } = useTranslation('faces')
  const { number, often } = useRateWords()
  const times = (value: number): string =>
    value < 10 ? number(Math.round(10 * value) / 10) : number(Math.min(MOST_TOLD, Math.round(value)))
  if (people === null)
    return (
      <p>
        {persons < OWN_CURVE_LEAST_PERSONS
          ? t('own.tooFew', { least: number(OWN_CURVE_LEAST_PERSONS), n: number(persons) })
          : t(measuredAt === null ? 'own.notYet' : 'own.tooFewPairs')}
      </p>
    )
  const counts = { persons: number(people.persons), pairs: number(people.pairs) }
  return (
    <>
      <p>
        {t('own.measured', counts)}
        <RelativeTime at={measuredAt} />
      </p>
      <p className={styles.former}>
        <b>
          {people.timesAsOften > 1
            ? t('own.times', { n: times(people.timesAsOften) })
            : t(score > shippedScore ? 'own.onlyRare' : 'own.noMore')}
        </b>{' '}
        {people.timesAsOften > 1 && (
          <small>
            {people.timesAsOftenHigh > MOST_TOLD
              ? t('own.intervalOpen', { low: times(people.timesAsOftenLow), most: number(MOST_TOLD) })
              : t('own.interval', { low: times(people.timesAsOftenLow), high: times(people.timesAsOftenHigh) })}
          </small>
        )}
      </p>
      {!looser && <p>{score > shippedScore ? t('own.asksMore') : t('own.asksSame')}</p>}
      {doors.length > 0 && <p>{t('own.doors', { doors: doors.flatMap(({ devices }) => devices).join(t('common:listSeparator')) })}</p>}
      {missed !== null && missed.pairs >= LEAST_GENUINE && (
        <p>{t('own.missed', { pairs: number(missed.pairs), rate: often(missed.share) })}</p>
      )}
      {passed !== null && passed.passages >= LEAST_PASSAGES && (
        <p>{t('own.passed', { passages: number(passed.passages), rate: often(passed.again / (passed.passages + passed.again)) })}</p>
      )}
      {heldOut !== null && (
        <p>
          <small>{t('own.heldOut', { expected: number(Math.round(heldOut.expected)), counted: number(heldOut.counted) })}</small>
        </p>
      )}
    </>
  )
}

/** What was measured last asks for less: that is nobody's but a person's to say. */
function Looser({ state: { looser, measuredAt } }: { state: OwnCurveState }) {
  const { t } = useTranslation('faces')
  const mayConfirm = useMayCall(ownCurveCalls.confirm)
  const confirm = useWrite(ownCurveCalls.confirm, { done: t('policy.saved') })
  if (!looser || measuredAt === null) return null
  const ask = (): void =>
    void modal.confirm({
      title: t('own.looserTitle'),
      content: t('own.looserWords'),
      okText: t('own.loosen'),
      cancelText: t('common:cancel'),
      onOk: () => confirm.run({ body: { measuredAt } }),
    })
  return (
    <Alert
      type="info"
      showIcon
      title={t('own.looser')}
      description={t('own.looserWords')}
      action={
        mayConfirm && (
          <Button size="small" loading={confirm.pending} onClick={ask}>
            {t('own.loosen')}
          </Button>
        )
      }
    />
  )
}

/** Others follow as these are answered. */
const SHOWN = 10

interface Answered {
  pair: Pair
  samePerson: boolean
}

const keyOf = ({ first, second }: Pair): string => `${first.personId}/${second.personId}`

/** Two people so alike that they may be one registered twice: somebody who knows them says which, one pair after the other. */
function DoubtfulPairs({ count }: { count: number }) {
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
