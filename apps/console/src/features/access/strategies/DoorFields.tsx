/** Which doors: groups of them, and single ones. */
import { Form, Select, TreeSelect } from 'antd'
import { useTranslation } from 'react-i18next'
import { PAGE_SIZE_MAX } from '@gatehouse/contract'
import { deviceCalls } from '@gatehouse/contract/devices/calls'
import { useRead } from '../../../kit/query.ts'
import { useMay } from '../../../kit/session.ts'
import { choicesOf } from '../../../kit/treeChoices.ts'

/** How a tree of groups is chosen from: a group stands for all below it. */
export const TREE_CHOICE = {
  treeCheckable: true,
  treeCheckStrictly: false,
  showCheckedStrategy: TreeSelect.SHOW_PARENT,
  treeDefaultExpandAll: true,
  allowClear: true,
  showSearch: { treeNodeFilterProp: 'title' },
} as const

export function DoorFields() {
  const { t } = useTranslation('access')
  const groups = useRead(deviceCalls.groupTree, {})
  const devices = useRead(deviceCalls.list, { query: { size: PAGE_SIZE_MAX } }, { enabled: useMay('device.list') })
  return (
    <>
      <Form.Item name="deviceGroupIds" label={t('deviceGroups')}>
        <TreeSelect {...TREE_CHOICE} treeData={choicesOf(groups.data ?? [])} loading={groups.isPending} placeholder={t('chooseGroups')} />
      </Form.Item>
      <Form.Item name="deviceIds" label={t('singleDoors')}>
        <Select
          mode="multiple"
          allowClear
          showSearch={{ optionFilterProp: 'label' }}
          options={devices.data?.content.map(({ id, name }) => ({ value: id, label: name })) ?? []}
          loading={devices.isFetching}
          placeholder={t('chooseDoors')}
        />
      </Form.Item>
    </>
  )
}
