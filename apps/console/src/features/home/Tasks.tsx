/** The tasks, the most urgent first; always at the top of the page. */
import {
  ApiOutlined,
  CameraOutlined,
  CheckCircleOutlined,
  CloseCircleFilled,
  WarningFilled,
  FieldTimeOutlined,
  HddOutlined,
  HistoryOutlined,
  LinkOutlined,
  LockOutlined,
  PictureOutlined,
  RightOutlined,
  SafetyOutlined,
  SolutionOutlined,
  SyncOutlined,
  UserSwitchOutlined,
} from '@ant-design/icons'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useMay, useMayOpen } from '../../api/session.ts'
import { storage } from '../../api/storage.ts'
import { clockOrDate, useZoneOffset } from '../../kit/time.ts'
import { screens } from '../../screens.ts'
import type { Named, Task, TaskKey } from './tasks.ts'
import type { Cockpit } from './useCockpit.ts'
import { WaitingLines, ScreenLink } from './ScreenLink.tsx'
import styles from './home.module.css'

/** Tasks shown until the user expands the list. */
const SHOWN = 6

const ICONS: Record<TaskKey, typeof ApiOutlined> = {
  offline: CloseCircleFilled,
  tampered: WarningFilled,
  notSynced: SyncOutlined,
  approvals: SolutionOutlined,
  pendingChanges: SafetyOutlined,
  unconfirmedRules: LinkOutlined,
  unkept: UserSwitchOutlined,
  unjudged: PictureOutlined,
  notReleased: LockOutlined,
  nearlyFull: HddOutlined,
  expired: HistoryOutlined,
  expiring: FieldTimeOutlined,
  withoutFace: CameraOutlined,
  neverPaired: ApiOutlined,
}

export function Tasks({ tasks: { list, checkedAt } }: { tasks: NonNullable<Cockpit['tasks']> }) {
  const { t } = useTranslation('home')
  const { offset } = useZoneOffset()
  const [unfolded, setUnfolded] = useState(false)
  // As tall as the last time, so that nothing below moves when the tasks arrive.
  const [lines] = useState(() => storage.get('homeTasks') ?? 2)
  const count = Math.min(list?.length ?? lines, SHOWN)
  if (list && storage.get('homeTasks') !== count) storage.set('homeTasks', count)
  const hiddenCount = (list?.length ?? 0) - SHOWN
  return (
    <section className={styles.tasks} aria-labelledby="home-tasks" aria-busy={!list}>
      <h2 id="home-tasks">{t('attention.title')}</h2>
      {list?.length === 0 || (!list && lines === 0) ? (
        <p className={styles.calm}>
          {list && checkedAt === 0 && t('attention.unknown')}
          {list && checkedAt > 0 && (
            <>
              <CheckCircleOutlined />
              <span>{t('attention.none')}</span>
              <small>{t('attention.checked', { at: clockOrDate(checkedAt, Date.now(), offset) })}</small>
            </>
          )}
        </p>
      ) : (
        <ul id="home-task-list" className={styles.lines} aria-hidden={!list || undefined}>
          {list?.slice(0, unfolded ? list.length : SHOWN).map((task) => (
            <li key={task.key}>
              <TaskLine task={task} />
            </li>
          )) ?? <WaitingLines count={lines} />}
        </ul>
      )}
      {hiddenCount > 0 && (
        <button
          type="button"
          className={styles.fold}
          aria-expanded={unfolded}
          aria-controls="home-task-list"
          onClick={() => setUnfolded(!unfolded)}
        >
          {unfolded ? t('attention.fewer') : t('attention.more', { count: hiddenCount })}
        </button>
      )}
    </section>
  )
}

function TaskLine({ task: { key, count, status, screen, filter, which, newest, needs, steps } }: { task: Task }) {
  const { t, i18n } = useTranslation('home')
  const { offset } = useZoneOffset()
  const named = useNamed()
  const mayOpen = useMayOpen(screens[screen])
  const mayAct = useMay(needs ?? null)
  const Icon = ICONS[key]
  const words = t(`attention.${key}`, { count })
  const about = newest === undefined ? t(`attention.about.${key}`) : t('attention.newest', { at: clockOrDate(newest, Date.now(), offset) })
  const details = which.length > 0 ? which.map(named).join(t('common:listSeparator')) : about
  const content = (
    <>
      <span className={styles.sign} data-status={status} aria-hidden="true">
        <Icon />
      </span>
      <span className={styles.said} title={`${count} ${words} · ${details}`}>
        <span>
          <b>{count.toLocaleString(i18n.language)}</b> {words}
        </span>
        <small>{details}</small>
      </span>
    </>
  )
  if (steps)
    return (
      <div className={styles.line}>
        {content}
        {steps.map((step) => (
          <Step key={step.key} step={step} />
        ))}
      </div>
    )
  return (
    <ScreenLink screen={screen} filter={filter} className={styles.line}>
      {content}
      {mayOpen && (
        <span className={styles.action}>
          {t(`attention.action.${mayAct ? key : 'look'}`)}
          <RightOutlined aria-hidden="true" />
        </span>
      )}
    </ScreenLink>
  )
}

/** One of several ways to settle a task; nothing for a user who may not open it. */
function Step({ step: { key, screen } }: { step: NonNullable<Task['steps']>[number] }) {
  const { t } = useTranslation('home')
  if (!useMayOpen(screens[screen])) return null
  return (
    <ScreenLink screen={screen} className={styles.action}>
      {t(`attention.step.${key}`)}
    </ScreenLink>
  )
}

/** Return a function that puts a device of a task in words. */
function useNamed(): (one: Named) => string {
  const { t, i18n } = useTranslation('home')
  const { offset } = useZoneOffset()
  const number = (value: number): string => value.toLocaleString(i18n.language)
  return ({ name, since, found, missing, occupancy }) => {
    if (since) return t('attention.named.since', { name, at: clockOrDate(since, Date.now(), offset) })
    if (found !== undefined) return t('attention.named.found', { name, at: clockOrDate(found, Date.now(), offset) })
    if (since === null) return t('attention.named.never', { name })
    if (missing !== undefined) return t('attention.named.missing', { name, count: missing })
    if (occupancy) return t('attention.named.held', { name, persons: number(occupancy.persons), capacity: number(occupancy.capacity) })
    return name
  }
}
