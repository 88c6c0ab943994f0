/** The groups beside a list of persons: choosing one filters the list, and each has a menu to change it. */
import { PlusOutlined, SearchOutlined } from '@ant-design/icons'
import { Button, Tooltip } from 'antd'
import Input from 'antd/es/input/Input'
import { lazy, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { PERSON_GROUP_DEPTH } from '@gatehouse/contract'
import type { PersonGroupNode } from '@gatehouse/contract/people/groups'
import type { PersonKind } from '@gatehouse/contract/people/person-fields'
import { Bars } from '../../../kit/detail/Bars.tsx'
import { sentenceOf } from '../../../api/refusal.ts'
import { useMayCall } from '../../../api/session.ts'
import { useEditor } from '../../../kit/form/useEditor.ts'
import { callsFor, type GroupType, useGroupActions, useGroupTree } from './useGroups.ts'
import type { GroupTask } from './GroupDialogs.tsx'
import { GroupTree } from './GroupTree.tsx'
import { foldedAtFirst, matching, pathTo, sizeOf } from './lines.ts'
import styles from './groups.module.css'

const GroupDialogs = lazy(() => import('./GroupDialogs.tsx'))

interface GroupPanelProps {
  /** 1: groups of staff and customers; 2: of the watch list. */
  type: GroupType
  /** Kind of persons to count, where a register shares its groups with another; absent: everybody. */
  counted?: PersonKind
  /** The group the list is filtered by; undefined: everybody. */
  value: string | undefined
  onChange: (groupId: string | undefined) => void
}

/** Groups from which on a tree is searched rather than read. */
const SEARCHED_FROM = 10

export function GroupPanel({ type, counted, value, onChange }: GroupPanelProps) {
  const { t } = useTranslation('people')
  const groups = useGroupTree(type, counted)
  const tree = groups.data ?? []
  const [text, setText] = useState('')
  const editor = useEditor<GroupTask>()
  const mayEdit = useMayCall(callsFor(type).change)
  const { top, remove } = useGroupActions(type, (id) => {
    if (id === value) onChange(undefined)
  })
  const add = (below?: PersonGroupNode): void => editor.edit({ kind: 'add', below })
  const rename = (group: PersonGroupNode): void => editor.edit({ kind: 'rename', group })

  const menuOf = (group: PersonGroupNode) => {
    const path = pathTo(tree, group.id)
    const siblings = path.at(-2)?.children ?? tree
    return [
      { key: 'add', label: t('groups.addBelowShort'), disabled: path.length >= PERSON_GROUP_DEPTH, onClick: () => add(group) },
      { key: 'rename', label: t('groups.rename'), onClick: () => rename(group) },
      { key: 'move', label: t('groups.move'), onClick: () => editor.edit({ kind: 'move', group }) },
      { key: 'top', label: t('groups.putOnTop'), disabled: siblings[0]?.id === group.id, onClick: () => top(group) },
      { key: 'delete', label: t('groups.delete'), danger: true, onClick: () => remove(group) },
    ]
  }

  const found = matching(tree, text)
  return (
    <div className={styles.panel}>
      <div className={styles.head}>
        <h2>{t('groups.title')}</h2>
        {mayEdit && (
          <Tooltip title={t('groups.add')}>
            <Button type="text" size="small" icon={<PlusOutlined />} aria-label={t('groups.add')} onClick={() => add()} />
          </Tooltip>
        )}
      </div>
      {groups.isPending && <Bars count={8} />}
      {groups.isError && (
        <div role="alert" className={styles.nothing}>
          <p>{sentenceOf(groups.error)}</p>
          <Button size="small" onClick={() => void groups.refetch()}>
            {t('common:tryAgain')}
          </Button>
        </div>
      )}
      {sizeOf(tree) >= SEARCHED_FROM && (
        <Input
          allowClear
          size="small"
          className={styles.search ?? ''}
          prefix={<SearchOutlined />}
          placeholder={t('groups.search')}
          aria-label={t('groups.search')}
          maxLength={32}
          value={text}
          onChange={({ target }) => setText(target.value)}
        />
      )}
      {groups.data && (
        <GroupTree
          key={text.trim()}
          label={t('groups.title')}
          tree={found}
          all={{ name: t('groups.everybody'), count: tree.reduce((sum, { personCount }) => sum + personCount, 0) }}
          chosen={value}
          choose={onChange}
          startFolded={text.trim() === '' ? foldedAtFirst(tree, value) : new Set()}
          {...(mayEdit && { editing: { menuOf, rename, remove } })}
        />
      )}
      {groups.data && tree.length === 0 && <p className={styles.nothing}>{t('groups.noneYet')}</p>}
      {tree.length > 0 && found.length === 0 && (
        <p role="status" className={styles.nothing}>
          {t('groups.noMatch', { text: text.trim() })}
        </p>
      )}
      <Suspense fallback={null}>
        {editor.openingCount > 0 && <GroupDialogs key={editor.openingCount} editor={editor} type={type} tree={tree} added={onChange} />}
      </Suspense>
    </div>
  )
}
