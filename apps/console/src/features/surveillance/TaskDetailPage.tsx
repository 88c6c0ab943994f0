/** /monitorDetail/{id}: one monitoring task. */
import { EditOutlined } from '@ant-design/icons'
import { Button } from 'antd'
import { useTranslation } from 'react-i18next'
import { Link, useNavigate, useParams } from 'react-router'
import { alarmSound, monitorPrecision } from '@gatehouse/contract/enums/alarms'
import { monitoringTaskCalls, type MonitoringTask } from '@gatehouse/contract/surveillance/tasks'
import { useRead } from '../../api/query.ts'
import { useMay } from '../../api/session.ts'
import { DetailPage, Facts, Section } from '../../kit/detail/DetailPage.tsx'
import { useEnumLabel } from '../../kit/detail/EnumTag.tsx'
import { RelativeTime } from '../../kit/detail/RelativeTime.tsx'
import { Screen } from '../../kit/detail/Screen.tsx'
import { shownName } from '../../kit/shownName.ts'
import { path } from '../../paths.ts'
import { useWeekWords } from '../strategies/index.ts'
import { TrySound } from './SoundField.tsx'
import { similarityWords, StateTag, TaskTime, useTaskActions } from './tasks.tsx'
import styles from './surveillance.module.css'

export default function TaskDetailPage() {
  const { id = '' } = useParams()
  const task = useRead(monitoringTaskCalls.read, { query: { id } })
  return <DetailPage query={task}>{(found) => <Detail task={found} />}</DetailPage>
}

function Detail({ task }: { task: MonitoringTask }) {
  const { t } = useTranslation('surveillance')
  const navigate = useNavigate()
  const label = useEnumLabel()
  const weekWords = useWeekWords()
  const { remove, setEnabled } = useTaskActions(() => void navigate(path('areaManage')))
  const { id, name, status, can, devices, personGroups, precision, similarityThreshold, customPrecision, score } = task
  // The score is not shown to everybody; one that the task names itself is.
  const threshold = score ?? similarityThreshold ?? (precision === monitorPrecision.custom ? customPrecision : null)
  return (
    <Screen
      title={name}
      note={<StateTag state={status} />}
      actions={
        <>
          {can.delete && (
            <Button danger type="text" onClick={() => remove(task)}>
              {t('task.delete')}
            </Button>
          )}
          {can.enable && <Button onClick={() => setEnabled(task, 1)}>{t('task.enable')}</Button>}
          {can.disable && <Button onClick={() => setEnabled(task, 0)}>{t('task.disable')}</Button>}
          {can.change && (
            <Button type="primary" icon={<EditOutlined />} onClick={() => void navigate(path('editMonitor', { id }))}>
              {t('task.edit')}
            </Button>
          )}
        </>
      }
    >
      <Section title={t('task.when')}>
        <Facts
          facts={[
            [t('task.time'), <TaskTime {...task} />],
            [t('task.periods'), weekWords(task.periods)],
          ]}
        />
      </Section>
      <Section title={t('task.where')} empty={devices.length === 0 && t('task.noDeviceWords')}>
        <Devices devices={devices} />
      </Section>
      <Section title={t('task.whom')}>
        {personGroups.length === 0 && <p className={styles.none}>{t('task.noGroupWords')}</p>}
        <Names names={personGroups.map((group) => shownName(group.name))} />
        <Facts facts={[[t('task.strangerAlarm'), t(task.strangerAlarm ? 'task.on' : 'task.off')]]} />
      </Section>
      <Section title={t('task.how')}>
        <Facts
          facts={[
            [t('task.precision'), similarityThreshold === null ? label(monitorPrecision, precision) : t('task.ownThreshold')],
            [t('task.similarityThreshold'), threshold === null ? null : similarityWords(threshold)],
            [t('task.compareRule'), t(`task.compare.${task.compareRule}`)],
          ]}
        />
      </Section>
      <Section title={t('task.alarm')}>
        <Facts
          facts={[
            [
              t('task.level'),
              t('task.levelMeaning', { low: similarityWords(task.lowThreshold), high: similarityWords(task.highThreshold) }),
            ],
            [
              t('task.alarmSound'),
              <span className={styles.sound}>
                {label(alarmSound, task.alarmSound)} <TrySound sound={task.alarmSound} />
              </span>,
            ],
            [t('task.repeatSeconds'), t('task.secondsCount', { count: task.repeatSeconds })],
            [t('task.updatedAt'), <RelativeTime at={task.updatedAt} />],
          ]}
        />
      </Section>
    </Screen>
  )
}

function Devices({ devices }: Pick<MonitoringTask, 'devices'>) {
  const mayOpen = useMay('device.list')
  return (
    <ul className={styles.names}>
      {devices.map(({ id, name }) => (
        <li key={id}>
          {mayOpen ? (
            <Link to={path('deviceDetails', { deviceId: id })} title={name}>
              {name}
            </Link>
          ) : (
            <span title={name}>{name}</span>
          )}
        </li>
      ))}
    </ul>
  )
}

function Names({ names }: { names: readonly string[] }) {
  return (
    <ul className={styles.names}>
      {names.map((name) => (
        <li key={name}>
          <span title={name}>{name}</span>
        </li>
      ))}
    </ul>
  )
}
