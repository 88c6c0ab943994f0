/**
 * The alarms of today: persons of the watch list found at a door, newest first. A lasting state, such as a device that is offline,
 * is a task (`tasks.ts`). Shown only to users who may see the watch list: to others an empty list would be a statement.
 */
import { RightOutlined, WarningFilled } from '@ant-design/icons'
import { useTranslation } from 'react-i18next'
import { accessResult } from '@gatehouse/contract/enums/access'
import type { AccessRecord } from '@gatehouse/contract/records/calls'
import { useEnumLabel } from '../../kit/detail/EnumTag.tsx'
import { formatInstant, useZoneOffset } from '../../kit/time.ts'
import { useMatch } from '../../shared/watchList.ts'
import type { Cockpit } from './useCockpit.ts'
import { ScreenLink } from './ScreenLink.tsx'
import styles from './home.module.css'

export function AlarmsToday({ hits, since }: { hits: NonNullable<Cockpit['hits']>; since: number }) {
  const { t, i18n } = useTranslation('home')
  const { content = [], total = 0 } = hits.found ?? {}
  return (
    <section className={styles.alarms} aria-labelledby="home-alarms" data-none={content.length === 0 || undefined}>
      <header>
        <h2 id="home-alarms">{t('alarms.title')}</h2>
        {total > content.length && (
          <ScreenLink screen="staffCurrent" filter={{ watchList: 'true', startTime: since }}>
            {t('alarms.all', { total: total.toLocaleString(i18n.language) })}
          </ScreenLink>
        )}
      </header>
      {content.length === 0 ? (
        <p className={styles.calm}>{hits.found && t('alarms.none')}</p>
      ) : (
        <ul className={styles.lines}>
          {content.map((record) => (
            <li key={record.id}>
              <AlarmLine record={record} />
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}

function AlarmLine({ record }: { record: AccessRecord }) {
  const { t } = useTranslation('home')
  const label = useEnumLabel()
  const { offset } = useZoneOffset()
  const { name } = useMatch()(record)
  const time = formatInstant(record.time, offset)
  const words = t('alarms.watchList', { name })
  const where = [record.deviceName, label(accessResult, record.result), record.watchList?.groupName].filter(Boolean).join(' · ')
  return (
    <ScreenLink screen="staffCurrent" filter={{ record: record.id }} className={styles.line}>
      <span className={styles.sign} data-alarm aria-hidden="true">
        <WarningFilled />
      </span>
      <span className={styles.said} title={`${time} ${words} · ${where}`}>
        <span>
          <time dateTime={new Date(record.time).toISOString()}>{time.slice(11, 16)}</time> <b>{words}</b>
        </span>
        <small>{where}</small>
      </span>
      <span className={styles.action}>
        {t('attention.action.look')}
        <RightOutlined aria-hidden="true" />
      </span>
    </ScreenLink>
  )
}
