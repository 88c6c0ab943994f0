/** How alike the persons of the park are, the stricter threshold that follows, and the pairs a user has to decide before they count. */
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
import own from './policy.module.css'

/** With fewer pairs of photographs of the same person no rate is shown. */
const LEAST_GENUINE = 30
/** With fewer passages no rate is shown. */
const LEAST_PASSAGES = 100
/** Largest factor that is shown as a number. */
const MOST_TIMES = 100

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
      <div className={`${own.meaning} ${own.ownPeople}`}>
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
    value < 10 ? number(Math.round(10 * value) / 10) : number(Math.min(MOST_TIMES, Math.round(value)))
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
      <p className={own.former}>
        <b>
          {people.timesAsOften > 1
            ? t('own.times', { n: times(people.timesAsOften) })
            : t(score > shippedScore ? 'own.onlyRare' : 'own.noMore')}
        </b>{' '}
        {people.timesAsOften > 1 && (
          <small>
            {people.timesAsOftenHigh > MOST_TIMES
              ? t('own.intervalOpen', { low: times(people.timesAsOftenLow), most: number(MOST_TIMES) })
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

/** The notice that the last measurement would loosen the threshold, which a user has to confirm. */
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

/** Pairs shown at once; others follow as these are decided. */
const SHOWN = 10

interface Answered {
  pair: Pair
  samePerson: boolean
}

const keyOf = ({ first, second }: Pair): string => `${first.personId}/${second.personId}`

/** Pairs of persons so alike that they may be one person registered twice: a user decides, one pair after the other. */
function DoubtfulPairs({ count }: { count: number }) {
  const { t } = useTranslation('faces')
  const { number } = useRateWords()
  const { data } = useRead(ownCurveCalls.pairs, { query: { page: 1, size: SHOWN } })
  // Answers stay in sight until the page is left, so that a mistake can be seen and changed.
  const [answered, setAnswered] = useState<readonly Answered[]>([])
  const note = (answer: Answered): void => setAnswered((all) => [...all.filter(({ pair }) => keyOf(pair) !== keyOf(answer.pair)), answer])
  const isAnswered = (pair: Pair): boolean => answered.some((other) => keyOf(other.pair) === keyOf(pair))
  if (count === 0 && answered.length === 0) return null
  return (
    <section aria-label={t('own.doubtfulTitle')}>
      {count > 0 && (
        <>
          <p className={own.former}>
            <b>{t('own.doubtful', { count, n: number(count) })}</b>
          </p>
          <p>{t('own.doubtfulWords')}</p>
        </>
      )}
      <ul className={styles.pairs}>
        {[...answered.map(({ pair }) => pair), ...(data?.content.filter((pair) => !isAnswered(pair)) ?? [])].map((pair) => (
          <ClosePair key={keyOf(pair)} pair={pair}>
            <Answer pair={pair} current={answered.find((other) => keyOf(other.pair) === keyOf(pair))?.samePerson} onAnswered={note} />
          </ClosePair>
        ))}
      </ul>
      {count > SHOWN && <p>{t('own.more', { n: number(count - SHOWN) })}</p>}
    </section>
  )
}

interface AnswerProps {
  pair: Pair
  /** The answer that was given on this page. */
  current: boolean | undefined
  onAnswered: (answered: Answered) => void
}

function Answer({ pair, current, onAnswered }: AnswerProps) {
  const { t } = useTranslation('faces')
  const mayAnswer = useMayCall(ownCurveCalls.answer)
  const answer = useWrite(ownCurveCalls.answer)
  if (!mayAnswer) return null
  const say = async (samePerson: boolean): Promise<void> => {
    await answer.send({ body: { personId: pair.first.personId, otherId: pair.second.personId, samePerson } })
    onAnswered({ pair, samePerson })
  }
  return [false, true].map((samePerson) => (
    <Button
      key={String(samePerson)}
      size="small"
      type={current === samePerson ? 'primary' : 'default'}
      aria-pressed={current === samePerson}
      disabled={answer.pending}
      onClick={() => void say(samePerson).catch(() => undefined)}
    >
      {t(samePerson ? 'own.one' : 'own.two')}
    </Button>
  ))
}
