/** The dialogs that add a device group, change its name and default direction, or move it in the tree. */
import { Form, Input, Segmented, TreeSelect } from 'antd'
import { useTranslation } from 'react-i18next'
import { DEVICE_GROUP_DEPTH_UI, type FieldIssue } from '@gatehouse/contract'
import { deviceCalls } from '@gatehouse/contract/devices/calls'
import type { DeviceGroupNode } from '@gatehouse/contract/devices/groups'
import { passDirection } from '@gatehouse/contract/enums/devices'
import { useEnumOptions } from '../../kit/detail/EnumTag.tsx'
import { FormDialog } from '../../kit/form/FormDialog.tsx'
import { ready } from '../../kit/form/loaded.ts'
import { choicesOf } from '../../kit/form/treeChoices.ts'
import type { Editor } from '../../kit/form/useEditor.ts'
import { EffectLine } from '../questions/index.ts'
import { groupIn } from './deviceValues.ts'

/** The task of the dialog: a new group below another or at the top, or an existing one. */
export type GroupTask =
  | { kind: 'add'; below: DeviceGroupNode | undefined }
  | { kind: 'edit'; group: DeviceGroupNode }
  | { kind: 'move'; group: DeviceGroupNode }

interface GroupDialogsProps {
  editor: Editor<GroupTask>
  tree: DeviceGroupNode[]
  /** Called with the id of a group that was added. */
  added: (id: string) => void
}

const WIDTH = 420
/** The top of the tree is no group: null in the form, but the list needs a value. */
const TOP = ''

export default function GroupDialogs({ editor, tree, added }: GroupDialogsProps) {
  const { t } = useTranslation('devices')
  const optionsOf = useEnumOptions()
  const task = editor.target
  const fields = (
    <>
      <Form.Item name="name" label={t('groupName')} required>
        <Input maxLength={32} autoComplete="off" />
      </Form.Item>
      <Form.Item name="defaultDirection" label={t('defaultDirection')} extra={t('defaultDirectionHint')}>
        <DefaultDirection options={optionsOf(passDirection)} />
      </Form.Item>
    </>
  )
  if (task?.kind === 'edit') {
    const { id, name, defaultDirection } = task.group
    return (
      <FormDialog
        call={deviceCalls.changeGroup}
        editor={editor}
        title={t('editGroup', { name })}
        initial={ready({ name, defaultDirection })}
        hidden={{ id }}
        done={t('saved')}
        draft={`device.group.edit.${id}`}
        width={WIDTH}
      >
        {fields}
      </FormDialog>
    )
  }
  if (task?.kind === 'move') {
    const { id, name, parentId } = task.group
    return (
      <FormDialog
        call={deviceCalls.changeGroup}
        editor={editor}
        title={t('moveGroup', { name })}
        initial={ready({ parentId })}
        hidden={{ id }}
        also={(values) => tooDeep(tree, task.group, values.parentId)}
        done={t('moved')}
        draft={`device.group.move.${id}`}
        width={WIDTH}
      >
        <Form.Item name="parentId" label={t('groupAbove')} extra={t('moveGroupHint')}>
          <ParentField tree={without(tree, id)} />
        </Form.Item>
        <EffectLine of="deviceGroup" hidden={{ id }} />
      </FormDialog>
    )
  }
  const below = task?.below
  return (
    <FormDialog
      call={deviceCalls.createGroup}
      editor={editor}
      title={below ? t('addGroupBelow', { name: below.name }) : t('addGroup')}
      initial={ready({ defaultDirection: below?.defaultDirection ?? null })}
      hidden={{ parentId: below?.id }}
      done={t('groupAdded')}
      onDone={({ id }) => added(id)}
      draft={`device.group.${below?.id ?? ''}`}
      width={WIDTH}
    >
      {fields}
    </FormDialog>
  )
}

/** Return the number of levels of a group with all below it. */
const levelsOf = ({ children }: DeviceGroupNode): number => 1 + Math.max(0, ...children.map(levelsOf))

/** Return an issue for a parent below which the tree becomes too deep; the limit is lower than that of the server. */
function tooDeep(tree: DeviceGroupNode[], group: DeviceGroupNode, parentId: string | null | undefined): FieldIssue[] {
  const above = groupIn(tree, parentId)?.level ?? 0
  return above + levelsOf(group) > DEVICE_GROUP_DEPTH_UI
    ? [{ path: 'parentId', rule: 'depth', params: { limit: DEVICE_GROUP_DEPTH_UI } }]
    : []
}

/** Return the tree without a group and all below it: the places that group may move to. */
const without = (tree: readonly DeviceGroupNode[], id: string): DeviceGroupNode[] =>
  tree.flatMap((node) => (node.id === id ? [] : [{ ...node, children: without(node.children, id) }]))

/** `id`, value and change are given by `<Form.Item>`. */
function ParentField({
  id,
  value,
  onChange,
  tree,
}: {
  id?: string
  value?: string | null
  onChange?: (id: string | null) => void
  tree: DeviceGroupNode[]
}) {
  const { t } = useTranslation('devices')
  return (
    <TreeSelect
      {...(id && { id })}
      value={value ?? TOP}
      onChange={(chosen: string) => onChange?.(chosen || null)}
      treeData={[{ value: TOP, title: t('topOfGroups'), children: [] }, ...choicesOf(tree)]}
      treeDefaultExpandAll
      showSearch={{ treeNodeFilterProp: 'title' }}
      style={{ width: '100%' }}
    />
  )
}

interface DefaultDirectionProps {
  /** Given by `<Form.Item>`. */
  value?: number | null
  onChange?: (direction: number | null) => void
  options: { value: number | string; label: string }[]
}

/** Value that stands for null in the field: no default. */
const NO_DEFAULT = 0

/** The direction of new devices of a group; null: no default. */
function DefaultDirection({ value, onChange, options }: DefaultDirectionProps) {
  const { t } = useTranslation('devices')
  return (
    <Segmented
      aria-label={t('defaultDirection')}
      options={[{ value: NO_DEFAULT, label: t('noDirection') }, ...options]}
      value={value ?? NO_DEFAULT}
      onChange={(chosen) => onChange?.(chosen === NO_DEFAULT ? null : Number(chosen))}
    />
  )
}
