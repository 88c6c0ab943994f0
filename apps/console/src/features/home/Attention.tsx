/** What needs somebody, always in the same place: a number where there is something, a tick where there is not. */
import { CheckOutlined, RightOutlined } from '@ant-design/icons'
import { useTranslation } from 'react-i18next'
import { personStatus } from '@gatehouse/contract/enums/people'
import type { Status } from '../../theme/tokens.ts'
import type { ScreenName } from '../../screens.ts'
import type { Cockpit } from './useCockpit.ts'
import { useHitsToday } from './useHitsToday.ts'
import { Way } from './Way.tsx'
import styles from './home.module.css'

/** Days within which an end of validity is pointed out. */
const SOON = 30

interface Item {
  key: string
  /** Undefined while it is on its way. */
  count: number | undefined
  /** Which ones, as far as they fit. */
  which?: string
  status: Status
  screen: ScreenName
  filter: Record<string, string | number>
}

export function Attention({ cockpit: { devices, people, unconfirmedRules = 0, maySee } }: { cockpit: Cockpit }) {
  const { t } = useTranslation('home')
  const names = (items: { name: string }[] | undefined): string => (items ?? []).map(({ name }) => name).join(t('common:listSeparator'))
  const hits = useHitsToday()
  const items: Item[] = [
    // Ordinarily there are none, and nobody need be told of that.
    ...(hits.count > 0
      ? [
          {
            key: 'watchList',
            count: hits.count,
            status: 'bad',
            screen: 'staffCurrent',
            filter: { watchList: 'true', startTime: hits.since },
          } satisfies Item,
        ]
      : []),
    ...(maySee.devices
      ? ([
          {
            key: 'offline',
            count: devices?.offline.length,
            which: names(devices?.offline),
            status: 'bad',
            screen: 'deviceList',
            filter: { onlineStatus: 0 },
          },
          {
            key: 'notSynced',
            count: devices?.notSynced.length,
            which: names(devices?.notSynced),
            status: 'wait',
            screen: 'deviceList',
            filter: { onlineStatus: 1, attention: 'notSynced' },
          },
          { key: 'neverPaired', count: devices?.neverPaired, status: 'wait', screen: 'deviceList', filter: { attention: 'notPaired' } },
          // Ordinarily there are none, and nobody need be told of that.
          ...(devices?.notReleased.length
            ? [
                {
                  key: 'notReleased',
                  count: devices.notReleased.length,
                  which: names(devices.notReleased),
                  status: 'wait',
                  screen: 'deviceList',
                  filter: { attention: 'notReleased' },
                } satisfies Item,
              ]
            : []),
          {
            key: 'nearlyFull',
            count: devices?.nearlyFull.length,
            which: names(devices?.nearlyFull),
            status: 'wait',
            screen: 'deviceList',
            filter: { attention: 'nearlyFull' },
          },
        ] satisfies Item[])
      : []),
    ...(maySee.people
      ? ([
          { key: 'withoutFace', count: people?.withoutFace, status: 'wait', screen: 'staffList', filter: { hasFace: 0 } },
          { key: 'expiring', count: people?.expiring, status: 'wait', screen: 'staffList', filter: { expiringDays: SOON } },
          { key: 'expired', count: people?.expired, status: 'bad', screen: 'staffList', filter: { status: personStatus.expired } },
        ] satisfies Item[])
      : []),
    // Once they are answered, there are none any more: nobody need be told of that.
    ...(unconfirmedRules > 0
      ? [{ key: 'unconfirmedRules', count: unconfirmedRules, status: 'wait', screen: 'associatedRule', filter: {} } satisfies Item]
      : []),
  ]
  if (items.length === 0) return null
  return (
    <section className={styles.attention} aria-label={t('attention.title')}>
      <h2>{t('attention.title')}</h2>
      <ul>
        {items.map((item) => (
          <li key={item.key}>
            <Entry item={item} />
          </li>
        ))}
      </ul>
    </section>
  )
}

function Entry({ item: { key, count, which, status, screen, filter } }: { item: Item }) {
  const { t, i18n } = useTranslation('home')
  if (count === undefined)
    return (
      <span className={styles.entry}>
        <b />
        <i className={styles.bar} />
      </span>
    )
  if (count === 0)
    return (
      <span className={styles.entry} data-clear>
        <b>
          <CheckOutlined />
        </b>
        <span data-words title={t(`attention.${key}_none`)}>
          <span>{t(`attention.${key}_none`)}</span>
        </span>
      </span>
    )
  const words = t(`attention.${key}`, { count })
  return (
    <Way screen={screen} filter={filter} className={styles.entry}>
      <b data-status={status}>{count.toLocaleString(i18n.language)}</b>
      <span data-words title={which ? `${words}: ${which}` : words}>
        <span>{words}</span>
        {which && <small>{which}</small>}
      </span>
      <RightOutlined aria-hidden="true" />
    </Way>
  )
}
