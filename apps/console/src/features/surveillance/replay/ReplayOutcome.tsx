/** What a replay amounts to with the settings as they are in the form now: in a sentence, by day, by person, and with the pictures. */
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { alarmLevel } from '@gatehouse/contract/enums/alarms'
import { replayAlarms, summaryOfReplay, type ReplayedAlarm, type ReplaySettings } from '@gatehouse/contract/surveillance/replay-rules'
import { EnumTag } from '../../../kit/detail/EnumTag.tsx'
import { formatDate, startOfDay, useZoneOffset } from '../../../kit/time.ts'
import { usePersonName } from '../../../shared/personName.ts'
import { similarityWords } from '../tasks.tsx'
import { ReplayPictures } from './ReplayPictures.tsx'
import type { ReplayResult } from './useReplay.ts'
import styles from './replay.module.css'

const DAY = 86_400_000
/** Persons who are named; the others are counted together. */
const PERSONS_SHOWN = 8

export function ReplayOutcome({ result, settings }: { result: ReplayResult; settings: ReplaySettings }) {
  const { t } = useTranslation('surveillance')
  const nameOf = usePersonName()
  const { threshold, lowThreshold, highThreshold, strangerAlarm, repeatSeconds } = settings
  const { alarms, summary } = useMemo(() => {
    const found = replayAlarms(result.captures, { threshold, lowThreshold, highThreshold, strangerAlarm, repeatSeconds })
    return { alarms: found, summary: summaryOfReplay(found) }
  }, [result, threshold, lowThreshold, highThreshold, strangerAlarm, repeatSeconds])
  const name = (personId: string): string => nameOf(personId, result.names.get(personId) ?? '')
  const [most] = summary.byPerson
  const parts = [
    most && t('replay.ofPerson', { count: most.alarms, name: name(most.personId) }),
    summary.strangers > 0 && t('replay.ofStrangers', { count: summary.strangers }),
    summary.wereRaised > 0 && t('replay.wereRaised', { count: summary.wereRaised }),
    summary.wereFalse > 0 && t('replay.wereFalse', { count: summary.wereFalse }),
  ].filter((part) => part !== undefined && part !== false)
  if (result.comparable === 0)
    return (
      <p className={styles.none} role="status">
        {t(result.total === 0 ? 'replay.nothingStored' : 'replay.nothingComparable')}
      </p>
    )
  const others = summary.byPerson.slice(PERSONS_SHOWN)
  return (
    <div className={styles.outcome}>
      <div className={styles.sum} role="status">
        <b>{t('replay.alarms', { count: summary.alarms })}</b>
        <span>
          {t(summary.alarms === 0 ? 'replay.noneFrom' : 'replay.from', { score: similarityWords(threshold) })}
          {parts.length > 0 && t('replay.colon')}
          {parts.join(t('replay.comma'))}
        </span>
      </div>
      {summary.alarms > 0 && (
        <>
          <p className={styles.levels}>
            {[alarmLevel.high, alarmLevel.medium, alarmLevel.low].map((level) => (
              <span key={level}>
                <EnumTag of={alarmLevel} value={level} /> {t('replay.times', { count: summary.byLevel.get(level) ?? 0 })}
              </span>
            ))}
          </p>
          <Days alarms={alarms} from={result.startTime} until={result.endTime} />
          {summary.byPerson.length > 0 && (
            <>
              <h3>{t('replay.persons')}</h3>
              <ol className={styles.persons}>
                {summary.byPerson.slice(0, PERSONS_SHOWN).map(({ personId, alarms: count }) => (
                  <li key={personId}>
                    <span>{name(personId)}</span>
                    <b>{t('replay.times', { count })}</b>
                  </li>
                ))}
                {others.length > 0 && (
                  <li>
                    <span>{t('replay.otherPersons', { count: others.length })}</span>
                    <b>{t('replay.times', { count: others.reduce((sum, one) => sum + one.alarms, 0) })}</b>
                  </li>
                )}
              </ol>
              <ReplayPictures alarms={alarms} result={result} nameOf={name} />
            </>
          )}
        </>
      )}
      <p className={styles.basis}>
        {t('replay.basis', { count: result.captures.length })}
        {result.total > result.comparable && t('replay.notComparable', { count: result.total - result.comparable })}
        {result.emptyDevices > 0 && t('replay.emptyDevices', { count: result.emptyDevices })}
      </p>
    </div>
  )
}

/** Alarms of each day, as bars. */
function Days({ alarms, from, until }: { alarms: readonly ReplayedAlarm[]; from: number; until: number }) {
  const { t } = useTranslation('surveillance')
  const { offset } = useZoneOffset()
  const days = new Map<string, number>()
  for (let day = startOfDay(from, offset); day <= until; day += DAY) days.set(formatDate(day, offset), 0)
  for (const { capture } of alarms) {
    const day = formatDate(capture.time, offset)
    days.set(day, (days.get(day) ?? 0) + 1)
  }
  const most = Math.max(1, ...days.values())
  return (
    <ul className={styles.days} aria-label={t('replay.byDay')}>
      {[...days].map(([day, count]) => (
        <li key={day} title={t('replay.ofDay', { day, count })}>
          <b>{count}</b>
          <i style={{ height: `${Math.round((100 * count) / most)}%` }} />
          <small>{day.slice(5)}</small>
        </li>
      ))}
    </ul>
  )
}
