/** /areaManage: monitoring tasks. */
import { PlusOutlined } from '@ant-design/icons'
import { Button } from 'antd'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { deviceType } from '@gatehouse/contract/enums/devices'
import { TASK_STATES } from '@gatehouse/contract/surveillance/task-rules'
import { monitoringTaskCalls } from '@gatehouse/contract/surveillance/tasks'
import { Screen } from '../../kit/detail/Screen.tsx'
import { FilterBar } from '../../kit/list/FilterBar.tsx'
import { ListTable } from '../../kit/list/ListTable.tsx'
import { ListTools } from '../../kit/list/ListTools.tsx'
import { RowMenu } from '../../kit/list/RowMenu.tsx'
import { useList } from '../../kit/list/useList.ts'
import { path } from '../../paths.ts'
import { useDoorChoices } from '../../shared/doorChoices.tsx'
import { useTaskActions, useTaskColumns } from './tasks.tsx'

export default function TaskListPage() {
  const { t } = useTranslation('surveillance')
  const navigate = useNavigate()
  const list = useList(monitoringTaskCalls.find, { name: 'monitoringTasks' })
  const columns = useTaskColumns()
  const { menu } = useTaskActions()
  const cameras = useDoorChoices(deviceType.captureCamera)
  const add = (
    <Button type="primary" icon={<PlusOutlined />} onClick={() => void navigate(path('addMonitor'))}>
      {t('task.add')}
    </Button>
  )
  return (
    <Screen title={t('task.title')} note={!list.pending && t('task.total', { count: list.total })} actions={add}>
      <FilterBar
        list={list}
        filters={[
          { field: 'name', label: t('task.name') },
          {
            field: 'status',
            label: t('task.status'),
            options: TASK_STATES.map((value) => ({ value, label: t(`task.state.${value}`) })),
          },
          { field: 'deviceId', label: t('task.device'), options: cameras ?? [] },
        ]}
      >
        <ListTools list={list} columns={columns} />
      </FilterBar>
      <ListTable
        list={list}
        columns={columns}
        empty={{ title: t('task.empty'), action: add }}
        onOpen={({ id }) => void navigate(path('monitorDetail', { id }))}
        actions={(task) => <RowMenu name={task.name} actions={menu(task)} />}
      />
    </Screen>
  )
}
