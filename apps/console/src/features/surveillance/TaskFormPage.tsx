/** /addMonitor and /editMonitor/{id}: adds a monitoring task, or changes one. */
import { Alert, Form, Input, InputNumber, Radio, Segmented, Switch, TreeSelect } from 'antd'
import { useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useNavigate, useParams } from 'react-router'
import { VALUE_BOUND_MAX, VALUE_BOUND_MIN } from '@gatehouse/contract'
import { taskEnabled } from '@gatehouse/contract/enums/alarms'
import { deviceType } from '@gatehouse/contract/enums/devices'
import { personGroupType } from '@gatehouse/contract/enums/people'
import { peopleCalls } from '@gatehouse/contract/people/calls'
import { replayCalls } from '@gatehouse/contract/surveillance/replay'
import { COMPARE_RULES, monitoringTaskCalls, type MonitoringTask } from '@gatehouse/contract/surveillance/tasks'
import { useRead, useReadOnce } from '../../api/query.ts'
import type { Refusal } from '../../api/refusal.ts'
import { useMayCall } from '../../api/session.ts'
import { useEnumLabel, useEnumOptions } from '../../kit/detail/EnumTag.tsx'
import { Screen } from '../../kit/detail/Screen.tsx'
import { FormPage } from '../../kit/form/FormPage.tsx'
import { InstantField } from '../../kit/form/InstantField.tsx'
import { loadedFrom, ready } from '../../kit/form/loaded.ts'
import { choicesOf } from '../../kit/form/treeChoices.ts'
import { path } from '../../paths.ts'
import { DoorsField } from '../../shared/DoorsField.tsx'
import { TREE_CHOICE, WeekField } from '../strategies/index.ts'
import { LevelFields, PrecisionFields } from './StrictnessFields.tsx'
import { ReplayPanel } from './replay/ReplayPanel.tsx'
import replayStyles from './replay/replay.module.css'
import { SoundField } from './SoundField.tsx'
import { clashIn } from './tasks.tsx'
import { changedBody, issuesOfTask, newTask, taskValuesOf } from './taskValues.ts'
import styles from './surveillance.module.css'

export default function TaskFormPage() {
  const { id } = useParams()
  return id === undefined ? <AddTask /> : <ChangeTask key={id} id={id} />
}

/** Return what is shown above the buttons where another task looks out for the same people there. */
function hindered(refusal: Refusal) {
  const clash = clashIn(refusal)
  return clash && <Alert type="error" showIcon title={clash} />
}

function AddTask() {
  const { t } = useTranslation('surveillance')
  const navigate = useNavigate()
  const [now] = useState(() => Date.now())
  return (
    <FormPage
      call={monitoringTaskCalls.add}
      title={t('task.add')}
      initial={ready(newTask(now))}
      also={(values) => issuesOfTask(values)}
      done={t('task.saved')}
      draft="monitoringTask.add"
      hindered={hindered}
      wide
      onDone={({ id }) => void navigate(path('monitorDetail', { id }), { replace: true })}
    >
      <Beside>
        <TaskFields />
      </Beside>
    </FormPage>
  )
}

function ChangeTask({ id }: { id: string }) {
  const { t } = useTranslation('surveillance')
  const navigate = useNavigate()
  const task = useReadOnce(monitoringTaskCalls.read, { query: { id } })
  if (task.data?.can.change === false)
    return (
      <Screen title={task.data.name}>
        <Alert
          type="info"
          showIcon
          title={t(`task.unchangeable.${task.data.status === 'finished' ? 'finished' : 'disabled'}`)}
          description={<Link to={path('monitorDetail', { id })}>{t('task.view')}</Link>}
        />
      </Screen>
    )
  return (
    <FormPage
      call={monitoringTaskCalls.updateConfig}
      title={t('task.editOf', { name: task.data?.name ?? '' })}
      initial={loadedFrom(task, taskValuesOf)}
      hidden={{ id, version: task.data?.version }}
      also={(values) => issuesOfTask(values, task.data)}
      prepare={async (body) => changedBody(body, task.data)}
      done={t('task.saved')}
      draft={`monitoringTask.${id}`}
      hindered={hindered}
      wide
      onDone={() => void navigate(path('monitorDetail', { id }), { replace: true })}
    >
      <Beside>
        <TaskFields task={task.data} />
      </Beside>
    </FormPage>
  )
}

/** The fields, and beside them what they would have alarmed about, for those who may see captures and search among them. */
function Beside({ children }: { children: ReactNode }) {
  const mayReplay = useMayCall(replayCalls.compare)
  return (
    <div className={replayStyles.beside}>
      <div>{children}</div>
      {mayReplay && <ReplayPanel />}
    </div>
  )
}

/** The fields of a task: when, where, for whom, how strictly, and how it alarms. @param task as it is stored; absent: a new one */
function TaskFields({ task }: { task?: MonitoringTask | undefined }) {
  const { t } = useTranslation('surveillance')
  const optionsOf = useEnumOptions()
  return (
    <>
      <Form.Item name="name" label={t('task.name')} required>
        <Input maxLength={32} autoComplete="off" />
      </Form.Item>
      <fieldset className={styles.part}>
        <legend>{t('task.when')}</legend>
        <div className={styles.fields}>
          <Form.Item name="startTime" label={t('task.startTime')} required>
            <InstantField as="time" />
          </Form.Item>
          <Form.Item name="endTime" label={t('task.endTime')} required>
            <InstantField as="time" />
          </Form.Item>
        </div>
        <Form.Item name="periods" label={t('task.periods')} required extra={t('task.periodsHint')}>
          <WeekField />
        </Form.Item>
        {!task && (
          <Form.Item name="enabled" label={t('task.enabled')} extra={t('task.enabledHint')}>
            <Segmented aria-label={t('task.enabled')} options={optionsOf(taskEnabled).toReversed()} />
          </Form.Item>
        )}
      </fieldset>
      <fieldset className={styles.part}>
        <legend>{t('task.where')}</legend>
        <Form.Item name="deviceIds" label={t('task.devices')} required extra={t('task.devicesHint')}>
          <DoorsField type={deviceType.captureCamera} initial={task?.devices} placeholder={t('task.chooseDevices')} />
        </Form.Item>
      </fieldset>
      <fieldset className={styles.part}>
        <legend>{t('task.whom')}</legend>
        <Form.Item name="personGroupIds" label={t('task.groups')} required extra={t('task.groupsHint')}>
          <GroupsField />
        </Form.Item>
        <Form.Item name="strangerAlarm" label={t('task.strangerAlarm')} valuePropName="checked" extra={t('task.strangerHint')}>
          <Switch />
        </Form.Item>
      </fieldset>
      <fieldset className={styles.part}>
        <legend>{t('task.how')}</legend>
        <PrecisionFields />
        <Form.Item name="compareRule" label={t('task.compareRule')} extra={t('task.compareRuleHint')}>
          <Radio.Group options={COMPARE_RULES.map((value) => ({ value, label: t(`task.compare.${value}`) }))} />
        </Form.Item>
      </fieldset>
      <fieldset className={styles.part}>
        <legend>{t('task.alarm')}</legend>
        <LevelFields />
        <div className={styles.fields}>
          <Form.Item name="alarmSound" label={t('task.alarmSound')}>
            <SoundField />
          </Form.Item>
          <Form.Item name="repeatSeconds" label={t('task.repeatSeconds')} required extra={t('task.repeatHint')}>
            <InputNumber min={VALUE_BOUND_MIN} max={VALUE_BOUND_MAX} precision={0} suffix={t('task.seconds')} />
          </Form.Item>
        </div>
      </fieldset>
    </>
  )
}

interface GroupsFieldProps {
  /** Given by `<Form.Item>`. */
  id?: string
  value?: string[]
  onChange?: (ids: string[]) => void
}

/** A choice of person groups, tree by tree. */
function GroupsField({ id, value = [], onChange }: GroupsFieldProps) {
  const { t } = useTranslation('surveillance')
  const label = useEnumLabel()
  const groups = useRead(peopleCalls.groupTree, { query: {} })
  const trees = personGroupType.values.flatMap((type) => {
    const children = choicesOf((groups.data ?? []).filter((group) => group.type === type))
    return children.length === 0
      ? []
      : [{ value: `type ${type}`, title: label(personGroupType, type), checkable: false, selectable: false, children }]
  })
  return (
    <TreeSelect
      {...TREE_CHOICE}
      {...(id && { id })}
      value={value}
      onChange={(ids: string[]) => onChange?.(ids)}
      treeData={trees}
      loading={groups.isPending}
      placeholder={t('task.chooseGroups')}
    />
  )
}
