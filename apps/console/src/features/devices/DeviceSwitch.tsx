/** Leads from one device to another, or to the same one as it is now. */
import { TreeSelect } from 'antd'
import { useTranslation } from 'react-i18next'
import { deviceCalls, type DeviceTreeNode } from '@gatehouse/contract/devices/calls'
import { doorOption } from '../../shared/doorChoices.tsx'
import { useRead } from '../../api/query.ts'
import { useOpenDevice } from './useOpenDevice.ts'

interface Choice {
  value: string
  title: string
  code: string
  selectable: boolean
  children: Choice[]
}
/** A group leads nowhere. */
const choicesOf = (nodes: readonly DeviceTreeNode[]): Choice[] =>
  nodes.map(({ id, name, code = '', kind, children }) => ({
    value: id,
    title: name,
    code,
    selectable: kind === 'device',
    children: choicesOf(children),
  }))
const isFound = (typed: string, { title, code }: Choice): boolean =>
  [title, code].some((word) => word.toLowerCase().includes(typed.trim().toLowerCase()))

export function DeviceSwitch() {
  const { t } = useTranslation('devices')
  const open = useOpenDevice()
  const tree = useRead(deviceCalls.deviceTree, {})
  return (
    <TreeSelect<string | null, Choice>
      aria-label={t('otherDevice')}
      placeholder={t('otherDevice')}
      value={null}
      treeData={choicesOf(tree.data ?? [])}
      loading={tree.isPending}
      treeDefaultExpandAll
      showSearch={{ filterTreeNode: (typed, node) => isFound(typed, node as unknown as Choice) }}
      treeTitleRender={({ title, code }) => (code === '' ? title : doorOption({ data: { label: title, code } }))}
      popupMatchSelectWidth={280}
      style={{ width: 160 }}
      onChange={(id: string | null) => id && open(id)}
    />
  )
}
