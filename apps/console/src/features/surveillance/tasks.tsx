/** What the pages of monitoring tasks share: states, columns, actions, and words. */
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { scoreInWords, shownScore } from '@gatehouse/contract'
import { monitorPrecision } from '@gatehouse/contract/enums/alarms'
import type { TaskState } from '@gatehouse/contract/surveillance/task-rules'
import { monitoringTaskCalls, type MonitoringTask, type MonitoringTaskRow } from '@gatehouse/contract/surveillance/tasks'
import { Refusal, sentenceOf, sentenceOfIssue } from '../../api/refusal.ts'
import { StatusTag, useEnumLabel } from '../../kit/detail/EnumTag.tsx'
import { RelativeTime } from '../../kit/detail/RelativeTime.tsx'
import { modal, toast } from '../../kit/feedback.tsx'
import { useWrite } from '../../kit/form/useWrite.ts'
import { columnsOf, type TableColumn } from '../../kit/list/columns.tsx'
import type { RowAction } from '../../kit/list/RowMenu.tsx'
import { formatInstant, useZoneOffset } from '../../kit/time.ts'
import { path } from '../../paths.ts'
import type { Status } from '../../theme/tokens.ts'
import styles from './surveillance.module.css'

const STATUS_OF: Readonly<Record<TaskState, Status>> = { disabled: 'off', enabled: 'wait', inControl: 'ok', finished: 'info' }

export function StateTag({ state }: { state: TaskState }) {
  const { t } = useTranslation('surveillance')
  return <StatusTag status={STATUS_OF[state]}>{t(`task.state.${state}`)}</StatusTag>
}

/** Return a raw threshold as the similarity that fields show, with one decimal; one that keeps a promise may exceed 100. */
export const similarityWords = (score: number): string => (score > 100 ? scoreInWords(score) : shownScore(score).toFixed(1))

/** The time of a task, on the clock of the park. */
export function TaskTime({ startTime, endTime }: Pick<MonitoringTask, 'startTime' | 'endTime'>) {
  const { offset } = useZoneOffset()
  const [from, to] = [startTime, endTime].map((moment) => formatInstant(moment, offset).slice(0, 16))
  return (
    <span className={styles.time} title={`${from} – ${to}`}>
      <span>{from} –</span>
      <span>{to}</span>
    </span>
  )
}

/** Return the columns of the list of tasks. */
export function useTaskColumns(): TableColumn<MonitoringTaskRow>[] {
  const { t } = useTranslation('surveillance')
  const label = useEnumLabel()
  return columnsOf<MonitoringTaskRow>([
    { field: 'name', title: t('task.name'), width: 190, visibility: 'always' },
    { field: 'status', title: t('task.status'), width: 110, render: ({ status }) => <StateTag state={status} /> },
    { field: 'startTime', title: t('task.time'), width: 170, render: (task) => <TaskTime {...task} /> },
    {
      field: 'deviceCount',
      title: t('task.devices'),
      width: 110,
      render: ({ deviceCount }) =>
        deviceCount === 0 ? <StatusTag status="bad">{t('task.noDevice')}</StatusTag> : t('task.deviceCount', { count: deviceCount }),
    },
    {
      field: 'personGroupCount',
      title: t('task.groups'),
      width: 110,
      render: ({ personGroupCount }) => t('task.groupCount', { count: personGroupCount }),
    },
    { field: 'precision', title: t('task.precision'), width: 110, render: (task) => precisionOf(task) },
    {
      field: 'strangerAlarm',
      title: t('task.strangerAlarm'),
      width: 110,
      render: ({ strangerAlarm }) => t(strangerAlarm ? 'task.on' : 'task.off'),
    },
    {
      field: 'updatedAt',
      title: t('task.updatedAt'),
      width: 120,
      visibility: 'hidden',
      render: ({ updatedAt }) => <RelativeTime at={updatedAt} />,
    },
  ])

  function precisionOf({ precision, similarityThreshold }: MonitoringTaskRow): string {
    return similarityThreshold === null ? label(monitorPrecision, precision) : t('task.ownThreshold')
  }
}

/** Return the task that alarms about the same passers-by, in words; undefined for any other refusal. */
export function clashIn(error: unknown): string | undefined {
  if (!(error instanceof Refusal) || error.family !== 'business' || error.code !== 500010) return undefined
  const [issue] = error.fields
  return issue && sentenceOfIssue(issue)
}

interface TaskActions {
  menu: (task: MonitoringTaskRow) => RowAction[]
  setEnabled: (task: Pick<MonitoringTask, 'id' | 'name'>, enabled: 0 | 1) => void
  remove: (task: Pick<MonitoringTask, 'id' | 'name'>) => void
}

/**
 * Return the actions on a task, the same in the list and on its page.
 * @param onDeleted called once a task has been deleted
 */
export function useTaskActions(onDeleted?: () => void): TaskActions {
  const { t } = useTranslation('surveillance')
  const navigate = useNavigate()
  const deletion = useWrite(monitoringTaskCalls.delete, { done: t('task.deleted'), ...(onDeleted && { onDone: onDeleted }) })
  const change = useWrite(monitoringTaskCalls.updateBase, { done: t('task.saved'), errors: 'inline' })

  const remove = ({ id, name }: Pick<MonitoringTask, 'id' | 'name'>): void =>
    void modal.confirm({
      title: t('task.deleteTitle', { name }),
      content: t('task.deleteWords'),
      okText: t('task.delete'),
      okButtonProps: { danger: true },
      cancelText: t('common:cancel'),
      onOk: () => deletion.send({ query: { id } }).catch(() => {}),
    })

  const send = (id: string, enabled: 0 | 1): Promise<void> =>
    change.send({ body: { id, enabled } }).then(
      () => {},
      (error: unknown) => toast('error', clashIn(error) ?? sentenceOf(error)),
    )

  function setEnabled({ id, name }: Pick<MonitoringTask, 'id' | 'name'>, enabled: 0 | 1): void {
    if (enabled === 1) return void send(id, enabled)
    modal.confirm({
      title: t('task.disableTitle', { name }),
      content: t('task.disableWords'),
      okText: t('task.disable'),
      cancelText: t('common:cancel'),
      onOk: () => send(id, enabled),
    })
  }

  return {
    remove,
    setEnabled,
    menu: (task) => [
      { key: 'view', label: t('task.view'), run: () => void navigate(path('monitorDetail', { id: task.id })) },
      { key: 'edit', label: t('task.edit'), allowed: task.can.change, run: () => void navigate(path('editMonitor', { id: task.id })) },
      { key: 'enable', label: t('task.enable'), allowed: task.can.enable, run: () => setEnabled(task, 1) },
      { key: 'disable', label: t('task.disable'), allowed: task.can.disable, run: () => setEnabled(task, 0) },
      { key: 'delete', label: t('task.delete'), danger: true, allowed: task.can.delete, run: () => remove(task) },
    ],
  }
}
