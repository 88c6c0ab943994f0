/** One line of a tree of groups: its caret, its name, and how many persons are in it. */
import { CaretRightOutlined } from '@ant-design/icons'
import type { KeyboardEvent } from 'react'
import type { Line } from './lines.ts'
import { LINE_PX } from './useTreeWindow.ts'
import styles from './groups.module.css'

/** A group, or the line above all groups for everything. */
export interface Entry {
  id: string | undefined
  name: string
  count: number
  /** Absent: the line for everything. */
  line?: Line
}

interface GroupTreeLineProps {
  entry: Entry
  /** Index among the lines. */
  at: number
  /** Groups at the top of the tree. */
  groupsOnTop: number
  isChosen: boolean
  /** Whether the menu is shown on this line. */
  isActive: boolean
  /** Whether Tab leads here. */
  isEntrance: boolean
  choose: () => void
  onHover: () => void
  onKey: (event: KeyboardEvent<HTMLElement>) => void
  setFolded: (id: string, isFolded: boolean) => void
}

const LEVEL_INDENT_PX = 14

/** Return the place of a line in the tree. The line for everything comes among the groups at the top, before the first. */
function positionOf(line: Line | undefined, groupsOnTop: number): { level: number; position: number; siblings: number } {
  if (!line) return { level: 1, position: 1, siblings: groupsOnTop + 1 }
  if (line.level === 1) return { level: 1, position: line.nth + 1, siblings: line.of + 1 }
  return { level: line.level, position: line.nth, siblings: line.of }
}

export function GroupTreeLine(props: GroupTreeLineProps) {
  const { entry, at, groupsOnTop, isChosen, isActive, isEntrance, choose, onHover, onKey, setFolded } = props
  const { name, count, line } = entry
  const { level, position, siblings } = positionOf(line, groupsOnTop)
  return (
    <li
      role="treeitem"
      aria-level={level}
      aria-posinset={position}
      aria-setsize={siblings}
      aria-selected={isChosen}
      data-active={isActive || undefined}
      {...(line?.open !== undefined && { 'aria-expanded': line.open })}
      tabIndex={isEntrance ? 0 : -1}
      style={{ top: at * LINE_PX, paddingLeft: 4 + (level - 1) * LEVEL_INDENT_PX }}
      onClick={choose}
      onMouseEnter={onHover}
      onKeyDown={onKey}
    >
      <span
        role="presentation"
        aria-hidden="true"
        className={styles.caret}
        data-open={line?.open || undefined}
        onClick={(event) => {
          if (line?.open === undefined) return
          event.stopPropagation()
          setFolded(line.node.id, line.open)
        }}
      >
        {line?.open !== undefined && <CaretRightOutlined />}
      </span>
      <span className={styles.name} title={name}>
        {name}
      </span>{' '}
      <small>{count}</small>
    </li>
  )
}
