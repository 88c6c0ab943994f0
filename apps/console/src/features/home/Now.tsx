/** The park at this moment in five figures, each leading to what it counts. */
import { useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { accessResult } from '@gatehouse/contract/enums/access'
import { useZoneOffset } from '../../kit/time.ts'
import type { ScreenName } from '../../screens.ts'
import { startOfDay } from './pace.ts'
import type { Cockpit } from './useCockpit.ts'
import { Way } from './Way.tsx'
import styles from './home.module.css'

interface Figure {
  key: string
  /** Undefined while it is on its way. */
  value: number | undefined
  /** Follows the number, smaller: the whole it is part of. */
  of?: number | undefined
  note: string
  /** Draws the eye where somebody should look. */
  alarming?: boolean
  screen: ScreenName
  filter?: Record<string, string | number>
}

export function Now({ cockpit: { today, devices, people, maySee } }: { cockpit: Cockpit }) {
  const { t, i18n } = useTranslation('home')
  const { offset } = useZoneOffset()
  const [opened] = useState(() => Date.now())
  const startTime = startOfDay(opened, offset)
  const number = (value: number): string => value.toLocaleString(i18n.language)
  const sum = (direction: 'in' | 'out'): number => today?.hours.reduce((total, hour) => total + hour[direction], 0) ?? 0
  const attempts = (today?.allowed ?? 0) + (today?.rejected ?? 0)
  const unreachable = devices ? devices.total - devices.online : 0

  const figures: Figure[] = [
    ...(maySee.records
      ? ([
          {
            key: 'inside',
            value: today?.inside,
            note: people ? t('now.ofRegistered', { total: number(people.total) }) : t('now.insideNote'),
            screen: 'staffCurrent',
            filter: { startTime },
          },
          {
            key: 'allowed',
            value: today?.allowed,
            note: t('now.inAndOut', { in: number(sum('in')), out: number(sum('out')) }),
            screen: 'staffCurrent',
            filter: { startTime, result: accessResult.allowed },
          },
          {
            key: 'rejected',
            value: today?.rejected,
            note: attempts > 0 ? t('now.share', { percent: Math.round(((today?.rejected ?? 0) / attempts) * 100) }) : t('now.none'),
            screen: 'staffCurrent',
            filter: { startTime, result: accessResult.rejected },
          },
          { key: 'strangers', value: today?.strangers, note: t('now.strangersNote'), screen: 'strangerRecords', filter: { startTime } },
        ] satisfies Figure[])
      : []),
    ...(maySee.devices
      ? ([
          {
            key: 'doors',
            value: devices?.online,
            of: devices?.total,
            note: unreachable > 0 ? t('now.unreachable', { count: unreachable }) : t('now.allReachable'),
            alarming: unreachable > 0,
            screen: 'deviceList',
            filter: unreachable > 0 ? { onlineStatus: 0 } : {},
          },
        ] satisfies Figure[])
      : []),
  ]
  return (
    <ul className={styles.now}>
      {figures.map(({ key, value, of, note, alarming, screen, filter }) => (
        <li key={key}>
          <Way screen={screen} filter={filter} className={styles.figure}>
            <span>{t(`now.${key}`)}</span>
            <Value>
              {value === undefined ? undefined : (
                <>
                  {number(value)}
                  {of !== undefined && <small> / {number(of)}</small>}
                </>
              )}
            </Value>
            <small data-alarming={alarming || undefined} title={value === undefined ? undefined : note}>
              {value === undefined ? ' ' : note}
            </small>
          </Way>
        </li>
      ))}
    </ul>
  )
}

function Value({ children }: { children: ReactNode }) {
  return <b>{children ?? <i className={styles.bar} />}</b>
}
