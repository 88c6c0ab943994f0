/** The doors of a strategy: groups, and single doors. */
import { Form, TreeSelect } from 'antd'
import { useTranslation } from 'react-i18next'
import { deviceCalls } from '@gatehouse/contract/devices/calls'
import { DoorsField } from '../../shared/DoorsField.tsx'
import { useRead } from '../../api/query.ts'
import { choicesOf } from '../../kit/form/treeChoices.ts'

/** Properties of a tree of groups: a group includes all below it. */
export const TREE_CHOICE = {
  treeCheckable: true,
  treeCheckStrictly: false,
  showCheckedStrategy: TreeSelect.SHOW_PARENT,
  treeDefaultExpandAll: true,
  allowClear: true,
  showSearch: { treeNodeFilterProp: 'title' },
} as const

export function DoorFields() {
  const { t } = useTranslation('strategies')
  const groups = useRead(deviceCalls.groupTree, {})
  return (
    <>
      <Form.Item name="deviceGroupIds" label={t('deviceGroups')}>
        <TreeSelect {...TREE_CHOICE} treeData={choicesOf(groups.data ?? [])} loading={groups.isPending} placeholder={t('chooseGroups')} />
      </Form.Item>
      <Form.Item name="deviceIds" label={t('singleDoors')}>
        <DoorsField placeholder={t('chooseDoors')} />
      </Form.Item>
    </>
  )
}
