/** Leads from one device to another, or to the same one as it is now. */
import { TreeSelect } from 'antd'
import { useTranslation } from 'react-i18next'
import { deviceCalls, type DeviceTreeNode } from '@gatehouse/contract/devices/calls'
import { useRead } from '../../kit/query.ts'
import { useOpenDevice } from './useOpenDevice.ts'

interface Choice {
  value: string
  title: string
  selectable: boolean
  children: Choice[]
}
/** A group leads nowhere. */
const choicesOf = (nodes: readonly DeviceTreeNode[]): Choice[] =>
  nodes.map(({ id, name, kind, children }) => ({ value: id, title: name, selectable: kind === 'device', children: choicesOf(children) }))

export function DeviceSwitch() {
  const { t } = useTranslation('devices')
  const open = useOpenDevice()
  const tree = useRead(deviceCalls.deviceTree, {})
  return (
    <TreeSelect
      aria-label={t('otherDevice')}
      placeholder={t('otherDevice')}
      value={null}
      treeData={choicesOf(tree.data ?? [])}
      loading={tree.isPending}
      treeDefaultExpandAll
      showSearch={{ treeNodeFilterProp: 'title' }}
      popupMatchSelectWidth={280}
      style={{ width: 160 }}
      onChange={(id: string | null) => id && open(id)}
    />
  )
}
