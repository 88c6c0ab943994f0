/**
 * A tree of groups to choose from, even thousands of them: only the visible lines are rendered. Arrows move and
 * fold, Enter and Space choose, F2 renames, Delete deletes; the menu of the current line follows the tree in the order of Tab.
 */
import { MoreOutlined } from '@ant-design/icons'
import { Button, Dropdown, type MenuProps } from 'antd'
import { useState, type KeyboardEvent } from 'react'
import { useTranslation } from 'react-i18next'
import type { PersonGroupNode } from '@gatehouse/contract/people/groups'
import { shownName } from '../../../kit/shownName.ts'
import { GroupTreeLine, type Entry } from './GroupTreeLine.tsx'
import { linesOf } from './lines.ts'
import { useTreeCursor } from './useTreeCursor.ts'
import { LINE_PX, useTreeWindow } from './useTreeWindow.ts'
import styles from './groups.module.css'

interface GroupTreeProps {
  label: string
  tree: PersonGroupNode[]
  /** The line above them for everything. */
  all: { name: string; count: number }
  chosen: string | undefined
  choose: (id: string | undefined) => void
  startFolded: ReadonlySet<string>
  /** Absent: groups are only chosen. */
  editing?: {
    menuOf: (group: PersonGroupNode) => MenuProps['items']
    rename: (group: PersonGroupNode) => void
    remove: (group: PersonGroupNode) => void
  }
}

export function GroupTree({ label, tree, all, chosen, choose, startFolded, editing }: GroupTreeProps) {
  const { t } = useTranslation()
  const { folded, setFolded, cursor, moveTo } = useTreeCursor(tree, chosen, startFolded)
  /** The line under the pointer; its menu stays while it is open. */
  const [hovered, setHovered] = useState<string>()
  const [menuOpen, setMenuOpen] = useState(false)

  const entries: Entry[] = [
    { id: undefined, ...all },
    ...linesOf(tree, folded).map((line) => ({ id: line.node.id, name: shownName(line.node.name), count: line.node.personCount, line })),
  ]
  const placeOf = (id: string | undefined): number => entries.findIndex((entry) => entry.id === id)
  const entrance = Math.max(0, cursor && placeOf(cursor.id) >= 0 ? placeOf(cursor.id) : placeOf(chosen))
  const active = hovered !== undefined && placeOf(hovered) >= 0 ? placeOf(hovered) : entrance
  const current = entries[active]
  const { frame, drawn, pageLines, onScroll, focusNext } = useTreeWindow({ lines: entries.length, entrance, cursor, chosen })
  const [first, last] = drawn

  const go = (place: number): void => {
    focusNext()
    setHovered(undefined)
    moveTo(entries[Math.min(Math.max(place, 0), entries.length - 1)]!.id)
  }

  function onKey(event: KeyboardEvent<HTMLElement>, at: number): void {
    const { id, line } = entries[at]!
    const target = placeAfter(event.key, at, { pageLines, last: entries.length - 1 })
    if (target !== undefined) go(target)
    else if (event.key === 'Enter' || event.key === ' ') choose(id)
    else if (event.key === 'ArrowRight' && line?.open === true) go(at + 1)
    else if (event.key === 'ArrowRight' && line?.open === false) setFolded(line.node.id, false)
    else if (event.key === 'ArrowLeft' && line?.open === true) setFolded(line.node.id, true)
    else if (event.key === 'ArrowLeft' && line && line.level > 1)
      go(entries.findLastIndex((entry, place) => place < at && entry.line?.level === line.level - 1))
    else if (event.key === 'F2' && line && editing) editing.rename(line.node)
    else if (event.key === 'Delete' && line && editing) editing.remove(line.node)
    else return
    event.preventDefault()
  }

  return (
    <div
      ref={frame}
      role="presentation"
      className={styles.frame}
      onMouseLeave={() => !menuOpen && setHovered(undefined)}
      onScroll={({ currentTarget }) => onScroll(currentTarget)}
    >
      <ul className={styles.tree} role="tree" aria-label={label} style={{ height: entries.length * LINE_PX }}>
        {entries.map((entry, at) => {
          // The line that Tab leads to is always rendered.
          if ((at < first || at > last) && at !== entrance) return null
          return (
            <GroupTreeLine
              key={entry.id ?? ''}
              entry={entry}
              at={at}
              groupsOnTop={tree.length}
              isChosen={entry.id === chosen}
              isActive={at === active}
              isEntrance={at === entrance}
              choose={() => {
                moveTo(entry.id)
                choose(entry.id)
              }}
              onHover={() => !menuOpen && setHovered(entry.id)}
              onKey={(event) => onKey(event, at)}
              setFolded={setFolded}
            />
          )
        })}
      </ul>
      {editing && current?.line && (
        <span className={styles.menu} style={{ top: active * LINE_PX }}>
          <Dropdown
            trigger={['click']}
            placement="bottomRight"
            onOpenChange={setMenuOpen}
            menu={{ items: editing.menuOf(current.line.node) ?? [] }}
          >
            <Button type="text" size="small" icon={<MoreOutlined />} aria-label={t('list.actionsOn', { name: current.name })} />
          </Dropdown>
        </span>
      )}
    </div>
  )
}

/** Return the line a key moves to, which may lie beyond both ends; undefined for other keys. */
function placeAfter(key: string, at: number, { pageLines, last }: { pageLines: number; last: number }): number | undefined {
  return { ArrowDown: at + 1, ArrowUp: at - 1, PageDown: at + pageLines, PageUp: at - pageLines, Home: 0, End: last }[key]
}
