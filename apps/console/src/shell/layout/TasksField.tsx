/** A choice of monitoring tasks; none stands for all. */
import { Select } from 'antd'
import { useTranslation } from 'react-i18next'
import { alarmsCalls } from '@gatehouse/contract/alarms/calls'
import { useRead } from '../../api/query.ts'

interface TasksFieldProps {
  /** Given by `<Form.Item>`. */
  id?: string
  value?: string[]
  onChange?: (ids: string[]) => void
}

export function TasksField({ id, value = [], onChange }: TasksFieldProps) {
  const { t } = useTranslation('alarms')
  const tasks = useRead(alarmsCalls.surveillanceList, {})
  const options = tasks.data?.map((task) => ({ value: task.id, label: task.name })) ?? []
  return (
    <Select
      {...(id && { id })}
      mode="multiple"
      allowClear
      showSearch={{ optionFilterProp: 'label' }}
      loading={tasks.isPending}
      // A task that was deleted, or is not the user's to see any more, has no name to show.
      value={tasks.data === undefined ? [] : value.filter((chosen) => options.some((option) => option.value === chosen))}
      options={options}
      placeholder={t('settings.allTasks')}
      notFoundContent={t('settings.noTasks')}
      onChange={onChange}
    />
  )
}
