/** The park now, in numbers that can be read from across the hall. */
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { ScreenData, Today } from './useScreenData.ts'
import styles from './figures.module.css'

/** Return a function that formats a number; a dash while it is being read. */
function useNumber(): (value: number | undefined) => string {
  const { i18n } = useTranslation()
  return (value) => (value === undefined ? '–' : value.toLocaleString(i18n.language))
}

/** The main number of the screen. */
export function InsideNow({ today }: { today: Today | undefined }) {
  const { t } = useTranslation('screens')
  const number = useNumber()
  const sum = (direction: 'in' | 'out'): number | undefined => today?.hours.reduce((total, hour) => total + hour[direction], 0)
  return (
    <div className={styles.inside}>
      <h2>{t('inside')}</h2>
      <b>{number(today?.inside)}</b>
      <p>
        <span data-way="in">{t('in', { count: sum('in') ?? 0 })}</span>
        <span data-way="out">{t('out', { count: sum('out') ?? 0 })}</span>
      </p>
    </div>
  )
}

export function TodayNow({ today }: { today: Today | undefined }) {
  const { t } = useTranslation('screens')
  const number = useNumber()
  return (
    <div className={styles.row}>
      <Figure words={t('allowed')} value={number(today?.allowed)} />
      <Figure words={t('rejected')} value={number(today?.rejected)} alarming={(today?.rejected ?? 0) > 0} />
      <Figure words={t('strangers')} value={number(today?.strangers)} alarming={(today?.strangers ?? 0) > 0} />
    </div>
  )
}

export function PeopleNow({ people }: Pick<ScreenData, 'people'>) {
  const { t } = useTranslation('screens')
  const number = useNumber()
  return (
    <Share
      words={t('people')}
      value={number(people?.total)}
      note={people && t('withFace', { count: people.total - people.withoutFace })}
      part={people && people.total - people.withoutFace}
      of={people?.total}
    />
  )
}

export function DoorsNow({ devices }: Pick<ScreenData, 'devices'>) {
  const { t } = useTranslation('screens')
  const number = useNumber()
  const away = devices ? devices.total - devices.online : 0
  return (
    <Share
      words={t('devices')}
      value={
        <>
          {number(devices?.online)}
          <small> / {number(devices?.total)}</small>
        </>
      }
      note={devices && (away > 0 ? t('away', { count: away }) : t('allThere'))}
      part={devices?.online}
      of={devices?.total}
      alarming={away > 0}
    />
  )
}

function Figure({ words, value, alarming }: { words: string; value: string; alarming?: boolean }) {
  return (
    <div className={styles.figure} data-alarming={alarming || undefined}>
      <b>{value}</b>
      <span>{words}</span>
    </div>
  )
}

interface ShareProps {
  words: string
  value: ReactNode
  note: string | undefined
  part: number | undefined
  of: number | undefined
  alarming?: boolean
}

/** A number with its share of a total as a bar. */
function Share({ words, value, note, part = 0, of = 0, alarming }: ShareProps) {
  return (
    <div className={styles.share} data-alarming={alarming || undefined}>
      <p>
        <span>{words}</span>
        <b>{value}</b>
      </p>
      <i aria-hidden="true">
        <i style={{ width: `${of === 0 ? 0 : (part / of) * 100}%` }} />
      </i>
      <small>{note ?? ' '}</small>
    </div>
  )
}
