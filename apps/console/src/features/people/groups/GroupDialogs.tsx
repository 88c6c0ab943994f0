/** Adds a group, renames one, or moves one in its tree. */
import { Form, Input, TreeSelect } from 'antd'
import { useTranslation } from 'react-i18next'
import type { PersonGroupNode } from '@gatehouse/contract/people/groups'
import { isGroupNameAfter } from '@gatehouse/contract/people/fields'
import { FormDialog } from '../../../kit/form/FormDialog.tsx'
import { ready } from '../../../kit/form/loaded.ts'
import { choicesOf } from '../../../kit/form/treeChoices.ts'
import type { Editor } from '../../../kit/form/useEditor.ts'
import { EffectLine } from '../../questions/index.ts'
import { callsFor, kindOf, type GroupType } from './useGroups.ts'
import { without } from './lines.ts'

const WIDTH = 420

/** The task of the dialog: a new group below another or at the top, or an existing one. */
export type GroupTask =
  | { kind: 'add'; below: PersonGroupNode | undefined }
  | { kind: 'rename'; group: PersonGroupNode }
  | { kind: 'move'; group: PersonGroupNode }

interface GroupDialogsProps {
  editor: Editor<GroupTask>
  type: GroupType
  tree: PersonGroupNode[]
  /** Called with the id of a group that was added. */
  added: (id: string) => void
}

export default function GroupDialogs({ editor, type, tree, added }: GroupDialogsProps) {
  const { t } = useTranslation('people')
  const task = editor.target
  const calls = callsFor(type)
  const name = (
    <Form.Item name="name" label={t('groups.name')} required extra={t('groups.nameHint')}>
      <Input maxLength={32} autoComplete="off" />
    </Form.Item>
  )
  if (task?.kind === 'rename') {
    const { id, name: before } = task.group
    return (
      <FormDialog
        call={calls.change}
        editor={editor}
        title={t('groups.renameOf', { name: before })}
        initial={ready({ name: before })}
        hidden={{ id }}
        also={({ name: now }) => (isMisnamed(before, now?.trim()) ? [{ path: 'name', rule: 'groupName' }] : [])}
        done={t('groups.saved')}
        draft={`group.rename.${id}`}
        width={WIDTH}
      >
        {name}
      </FormDialog>
    )
  }
  if (task?.kind === 'move') {
    const { id, name: moved, parentId } = task.group
    return (
      <FormDialog
        call={calls.change}
        editor={editor}
        title={t('groups.moveOf', { name: moved })}
        initial={ready({ parentId })}
        hidden={{ id }}
        done={t('groups.moved')}
        draft={`group.move.${id}`}
        width={WIDTH}
      >
        <Form.Item name="parentId" label={t('groups.parent')} extra={t('groups.moveHint')}>
          <ParentField tree={without(tree, id)} />
        </Form.Item>
        <EffectLine of="personGroup" hidden={{ id }} />
      </FormDialog>
    )
  }
  const below = task?.below
  return (
    <FormDialog
      call={calls.create}
      editor={editor}
      title={below ? t('groups.addBelow', { name: below.name }) : t('groups.add')}
      initial={ready({})}
      hidden={{ parentId: below?.id, ...kindOf(type) }}
      done={t('groups.added')}
      onDone={({ id }) => added(id)}
      draft={`group.add.${type}.${below?.id ?? ''}`}
      width={WIDTH}
    >
      {name}
    </FormDialog>
  )
}
/** Return whether a group would get a name it may not have; an empty name is a missing field instead. */
const isMisnamed = (before: string, now = ''): boolean => now !== '' && !isGroupNameAfter(before, now)

/** The top of the tree is no group: null in the form, but the list needs a value. */
const TOP = ''

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
  tree: PersonGroupNode[]
}) {
  const { t } = useTranslation('people')
  return (
    <TreeSelect
      {...(id && { id })}
      value={value ?? TOP}
      onChange={(chosen: string) => onChange?.(chosen || null)}
      treeData={[{ value: TOP, title: t('groups.top'), children: [] }, ...choicesOf(tree)]}
      showSearch={{ treeNodeFilterProp: 'title' }}
      style={{ width: '100%' }}
    />
  )
}
