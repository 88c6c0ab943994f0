/** /home: tasks, the alarms of today, the park now, today against an ordinary day, and the latest passages. */
import {
  CheckOutlined,
  ClockCircleOutlined,
  FileProtectOutlined,
  HddOutlined,
  ImportOutlined,
  LinkOutlined,
  PictureOutlined,
  PlusOutlined,
  QuestionCircleOutlined,
  SettingOutlined,
  UserAddOutlined,
} from '@ant-design/icons'
import { Alert, Button } from 'antd'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { deviceCalls } from '@gatehouse/contract/devices/calls'
import { topics } from '@gatehouse/contract/realtime'
import { sentenceOf } from '../../api/refusal.ts'
import { Screen } from '../../kit/detail/Screen.tsx'
import { mayOpen, useSession } from '../../api/session.ts'
import { screens, type ScreenName } from '../../screens.ts'
import { useLive } from '../../api/live.ts'
import { queriesOf, useRead } from '../../api/query.ts'
import { useRefresh } from '../../kit/useRefresh.ts'
import { path } from '../../paths.ts'
import { useZoneOffset } from '../../kit/time.ts'
import { TenderNote } from '../system/index.ts'
import { DeviceState } from '../devices/index.ts'
import { AlarmsToday } from './AlarmsToday.tsx'
import { DemoBanner } from './DemoBanner.tsx'
import { FigureStrip } from './FigureStrip.tsx'
import { Passages } from './Passages.tsx'
import { Tasks } from './Tasks.tsx'
import { TodayCurve } from './TodayCurve.tsx'
import { useCockpit, type Cockpit } from './useCockpit.ts'
import { hadPassages, hasPassages } from './figures.ts'
import { WaitingLines, ScreenLink } from './ScreenLink.tsx'
import styles from './home.module.css'
import stepStyles from './steps.module.css'

export default function HomePage() {
  const { t } = useTranslation()
  const park = useSession((state) => state.park?.parkName ?? '')
  const cockpit = useCockpit()
  const { demo, failed } = cockpit
  const steps = stepsOf(cockpit)
  return (
    <Screen title={park} note={<ParkDay />}>
      <TenderNote />
      {demo && demo.state !== 'none' && <DemoBanner demo={demo} />}
      {failed && (
        <Alert
          className={styles.failed ?? ''}
          type="error"
          showIcon
          title={sentenceOf(failed.error)}
          action={
            <Button size="small" onClick={() => void failed.refetch()}>
              {t('tryAgain')}
            </Button>
          }
        />
      )}
      {steps.length > 0 && demo?.state !== 'preparing' ? <FirstSteps steps={steps} /> : <Parts cockpit={cockpit} />}
    </Screen>
  )
}

function Parts({ cockpit }: { cockpit: Cockpit }) {
  const { t } = useTranslation('home')
  const { tasks, hits, since, maySee } = cockpit
  const { records, devices, people } = maySee
  if (!records && !devices && !people && !tasks) return <p className={styles.nothing}>{t('nothingToSee')}</p>
  return (
    <div className={styles.cockpit} data-records={records || undefined}>
      {tasks && <Tasks tasks={tasks} />}
      {hits && <AlarmsToday hits={hits} since={since} />}
      <FigureStrip cockpit={cockpit} />
      {records && <TodayCurve today={cockpit.today} />}
      {records && <Passages latest={cockpit.latest} refused={cockpit.refused} />}
      {!records && devices && <Doors count={cockpit.devices?.total} />}
      {!records && <Shortcuts />}
    </div>
  )
}

interface Step {
  key: 'person' | 'device' | 'permission'
  done: boolean
  screen: ScreenName
}

/** Return the steps of a park that is not in use yet; empty once it is, or while that is unknown. */
function stepsOf({ today, devices, people, permitted }: Cockpit): Step[] {
  if (!today || !devices || !people || permitted === undefined || hasPassages(today) || hadPassages(today)) return []
  const steps: Step[] = [
    { key: 'person', done: people.total > 0, screen: 'staffAdd' },
    { key: 'device', done: devices.total > 0, screen: 'deviceList' },
    { key: 'permission', done: permitted, screen: 'passStrategy' },
  ]
  return steps.every(({ done }) => done) ? [] : steps
}

/** The three steps of an empty park until its first door opens; finished ones are ticked off. */
function FirstSteps({ steps }: { steps: Step[] }) {
  const { t } = useTranslation('home')
  const next = steps.find(({ done }) => !done)
  return (
    <section className={stepStyles.steps}>
      <h2>{t('steps.title')}</h2>
      <p>{t('steps.words')}</p>
      <ol>
        {steps.map(({ key, done, screen }, at) => (
          <li key={key} data-done={done || undefined} aria-current={key === next?.key ? 'step' : undefined}>
            <b aria-hidden="true">{done ? <CheckOutlined /> : at + 1}</b>
            <h3>{t(`steps.${key}.title`)}</h3>
            <p>{t(`steps.${key}.words`)}</p>
            {done ? (
              <span className={stepStyles.stepDone}>{t('steps.done')}</span>
            ) : (
              <ScreenLink screen={screen} className={key === next?.key ? stepStyles.stepNext : stepStyles.stepLater}>
                {t(`steps.${key}.action`)}
              </ScreenLink>
            )}
          </li>
        ))}
      </ol>
    </section>
  )
}

/** Devices shown; the list has the others. */
const SHOWN = 8
/** Frames cause the list to be read again at most this often; milliseconds. */
const REFRESH_EVERY = 1000

/**
 * The devices of the park with their state, for users who see no records; updated by live frames.
 * @param count number of devices, undefined while unknown: the placeholder has as many lines
 */
function Doors({ count = SHOWN }: { count: number | undefined }) {
  const { t, i18n } = useTranslation('home')
  const number = (value: number): string => value.toLocaleString(i18n.language)
  const devices = useRead(deviceCalls.list, { query: { size: SHOWN } })
  const refresh = useRefresh(REFRESH_EVERY)
  useLive(topics.deviceStatus, () => refresh(queriesOf(deviceCalls.list)), [queriesOf(deviceCalls.list)])
  const { content, total = 0 } = devices.data ?? {}
  if (count === 0 || devices.isError || content?.length === 0) return null
  return (
    <section className={styles.doors} aria-labelledby="home-doors">
      <header>
        <h2 id="home-doors">{t('doors.title')}</h2>
        {total > SHOWN && <ScreenLink screen="deviceList">{t('doors.all', { total: number(total) })}</ScreenLink>}
      </header>
      <ul className={styles.lines} aria-hidden={!content || undefined}>
        {content?.map((device) => (
          <li key={device.id}>
            <Link className={styles.line ?? ''} to={path('deviceDetails', { deviceId: device.id })}>
              <span className={styles.sign} data-status="off" aria-hidden="true">
                <HddOutlined />
              </span>
              <span className={styles.said} title={device.name}>
                <span>{device.name}</span>
                <small>{t('doors.held', { held: number(device.personsHeld), desired: number(device.personsDesired) })}</small>
              </span>
              <DeviceState device={device} />
            </Link>
          </li>
        )) ?? <WaitingLines count={Math.min(count, SHOWN)} />}
      </ul>
    </section>
  )
}

const SHORTCUTS = [
  { screen: 'staffAdd', label: 'shell:palette.do.staffAdd', icon: UserAddOutlined },
  { screen: 'staffImport', label: 'shell:title.staffImport', icon: ImportOutlined },
  { screen: 'photoBoard', label: 'shell:title.photoBoard', icon: PictureOutlined },
  { screen: 'enrolmentLinks', label: 'shell:title.enrolmentLinks', icon: LinkOutlined },
  { screen: 'deviceList', label: 'shell:title.deviceList', icon: HddOutlined },
  { screen: 'deviceConfig', label: 'shell:title.deviceConfig', icon: SettingOutlined },
  { screen: 'addPassStrategyDetail', label: 'shell:palette.do.addPassStrategyDetail', icon: PlusOutlined },
  { screen: 'timeRule', label: 'shell:title.timeRule', icon: ClockCircleOutlined },
  { screen: 'accessQuestion', label: 'shell:title.accessQuestion', icon: QuestionCircleOutlined },
  { screen: 'writtenRules', label: 'shell:title.writtenRules', icon: FileProtectOutlined },
] as const satisfies readonly { screen: ScreenName; label: string; icon: typeof LinkOutlined }[]

/** Shortcuts for a user who sees no records: what they may add or look up, in the words of the command palette and the menu. */
function Shortcuts() {
  const { t } = useTranslation('home')
  const offered = SHORTCUTS.filter(({ screen }) => mayOpen(screens[screen]))
  if (offered.length === 0) return null
  return (
    <section className={styles.shortcuts} aria-labelledby="home-shortcuts">
      <h2 id="home-shortcuts">{t('shortcuts.title')}</h2>
      <ul>
        {offered.map(({ screen, label, icon: Icon }) => (
          <li key={screen}>
            <ScreenLink screen={screen} className={styles.shortcut}>
              <Icon aria-hidden="true" />
              <span>{t(label)}</span>
            </ScreenLink>
          </li>
        ))}
      </ul>
    </section>
  )
}

const MINUTE = 60_000

/** Date and weekday in the park's time zone, in the shown language. */
function ParkDay() {
  const { i18n } = useTranslation()
  const { offset } = useZoneOffset()
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), MINUTE)
    return () => clearInterval(timer)
  }, [])
  // Shifted into the park's zone and then read as UTC, so that the zone of this computer has no effect.
  const shown = new Intl.DateTimeFormat(i18n.language, {
    weekday: 'long',
    day: 'numeric',
    month: 'long',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
    timeZone: 'UTC',
  })
  return <time dateTime={new Date(now).toISOString()}>{shown.format(now + offset * MINUTE)}</time>
}
