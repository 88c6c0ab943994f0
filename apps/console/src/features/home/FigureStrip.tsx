/** The park now as a strip of figures, each a link to what it counts; zeros are drawn faintly. */
import { DisconnectOutlined } from '@ant-design/icons'
import { useTranslation } from 'react-i18next'
import { accessResult } from '@gatehouse/contract/enums/access'
import type { ScreenName } from '../../screens.ts'
import { figuresOf, hadPassages, type FigureKey } from './figures.ts'
import type { Cockpit } from './useCockpit.ts'
import { ScreenLink } from './ScreenLink.tsx'
import styles from './home.module.css'
import own from './figures.module.css'

const DAY = 86_400_000

interface Figure {
  /** Undefined while it is being read. */
  value: number | undefined
  /** Text in place of a number without information. */
  quiet?: string | false
  /** The total, in smaller type after the number. */
  of?: number | undefined
  note: string
  /** Whether the figure needs attention. */
  alarming?: boolean
  screen: ScreenName
  filter?: Record<string, string | number>
}

export function FigureStrip({ cockpit }: { cockpit: Cockpit }) {
  const { t } = useTranslation('home')
  const figureOf = useFigures(cockpit)
  const figures = figuresOf(cockpit)
  if (figures.length === 0) return null
  return (
    <section className={styles.strip} aria-labelledby="home-now">
      <h2 id="home-now" className="unseen">
        {t('now.title')}
      </h2>
      <ul className={own.now}>
        {figures.map((key) => (
          <li key={key} data-wide={key === 'before' || undefined}>
            <FigureCell label={t(`now.${key}`)} figure={figureOf[key]()} />
          </li>
        ))}
      </ul>
    </section>
  )
}

function FigureCell({ label, figure: { value, quiet, of, note, alarming, screen, filter } }: { label: string; figure: Figure }) {
  const { i18n } = useTranslation('home')
  const number = (count: number): string => count.toLocaleString(i18n.language)
  const hasValue = value !== undefined
  return (
    <ScreenLink screen={screen} filter={filter} className={own.figure}>
      <span>{label}</span>
      <b data-quiet={(hasValue && Boolean(quiet)) || undefined}>
        {!hasValue ? (
          <i className={styles.bar} />
        ) : (
          quiet || (
            <>
              {number(value)}
              {of !== undefined && <small> / {number(of)}</small>}
            </>
          )
        )}
      </b>
      {hasValue && alarming ? (
        <small className={own.tag} title={note}>
          <DisconnectOutlined aria-hidden="true" /> {note}
        </small>
      ) : (
        <small title={hasValue ? note : undefined}>{hasValue ? note : ' '}</small>
      )}
    </ScreenLink>
  )
}

function useFigures({ today, devices, people, approvals, since: startTime }: Cockpit): Record<FigureKey, () => Figure> {
  const { t, i18n } = useTranslation('home')
  const number = (value: number): string => value.toLocaleString(i18n.language)
  const sum = (direction: 'in' | 'out'): number => today?.hours.reduce((total, hour) => total + hour[direction], 0) ?? 0
  const attempts = (today?.allowed ?? 0) + (today?.rejected ?? 0)
  const unreachable = devices?.offline.length ?? 0
  const share = (): string => {
    const percent = Math.round(((today?.rejected ?? 0) / attempts) * 100)
    return t(today?.strangers === 0 ? 'now.shareWithoutStrangers' : 'now.share', { percent })
  }
  return {
    before: () => ({
      value: today?.allowed,
      quiet: t('now.notYet'),
      note:
        today && hadPassages(today)
          ? t('now.previous', { allowed: number(today.previous.allowed), rejected: number(today.previous.rejected) })
          : t('now.previousNone'),
      screen: 'staffCurrent',
      filter: { startTime: startTime - DAY, endTime: startTime - 1 },
    }),
    inside: () => ({
      value: today?.inside,
      quiet: today?.inside === 0 && t('now.noOne'),
      note: people ? t('now.ofRegistered', { total: number(people.total) }) : t('now.insideNote'),
      screen: 'staffCurrent',
      filter: { startTime },
    }),
    allowed: () => ({
      value: today?.allowed,
      quiet: today?.allowed === 0 && t('now.none'),
      note: t('now.inAndOut', { in: number(sum('in')), out: number(sum('out')) }),
      screen: 'staffCurrent',
      filter: { startTime, result: accessResult.allowed },
    }),
    rejected: () => ({
      value: today?.rejected,
      quiet: today?.rejected === 0 && t('now.none'),
      note: today && today.rejected > 0 ? share() : t('now.noStrangers'),
      screen: 'staffCurrent',
      filter: { startTime, result: accessResult.rejected },
    }),
    strangers: () => ({ value: today?.strangers, note: t('now.strangersNote'), screen: 'strangerRecords', filter: { startTime } }),
    doors: () => ({
      value: devices?.online,
      // Devices that were never paired are a task, not unreachable doors.
      of: devices && devices.online + unreachable,
      quiet: devices !== undefined && devices.online + unreachable === 0 && t('now.none'),
      note:
        unreachable > 0 ? t('now.unreachable', { count: unreachable }) : t(devices?.online === 0 ? 'now.nonePaired' : 'now.allReachable'),
      alarming: unreachable > 0,
      screen: 'deviceList',
      ...(unreachable > 0 && { filter: { onlineStatus: 0 } }),
    }),
    registered: () => ({ value: people?.total, note: t('now.registeredNote'), screen: 'staffList' }),
    recognised: () => ({
      value: people && people.total - people.withoutFace,
      of: people?.total,
      note: people && people.withoutFace > 0 ? t('now.photosMissing', { count: people.withoutFace }) : t('now.allRecognised'),
      screen: 'staffList',
      ...(people && people.withoutFace > 0 && { filter: { hasFace: 0 } }),
    }),
    applications: () => ({
      value: approvals?.pending,
      quiet: approvals?.pending === 0 && t('now.none'),
      note:
        approvals && approvals.passed + approvals.rejected > 0
          ? t('now.decided', { passed: number(approvals.passed), rejected: number(approvals.rejected) })
          : t('now.noneDecided'),
      screen: 'staffApproveTab',
    }),
  }
}
