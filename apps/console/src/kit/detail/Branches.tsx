/** A tree to choose from: arrows move and fold, Enter and Space choose. */
import { CaretRightOutlined } from '@ant-design/icons'
import { useState, type KeyboardEvent } from 'react'
import styles from '../kit.module.css'

export interface Branch {
  key: string
  name: string
  /** Absent: nothing is counted. */
  count?: number | undefined
  children: Branch[]
}

interface BranchesProps {
  label: string
  branches: Branch[]
  chosen: string
  choose: (key: string) => void
  /** Keys of the branches that are folded at first; absent: none. */
  startFolded?: ReadonlySet<string>
}

interface Line extends Branch {
  level: number
}
/** Return the lines of a tree as they are shown below each other, without those in folded branches. */
export const linesOf = (branches: Branch[], folded: ReadonlySet<string>, level = 1): Line[] =>
  branches.flatMap((branch) => [{ ...branch, level }, ...(folded.has(branch.key) ? [] : linesOf(branch.children, folded, level + 1))])

export function Branches({ label, branches, chosen, choose, startFolded = new Set() }: BranchesProps) {
  const [folded, setFolded] = useState<ReadonlySet<string>>(startFolded)
  const lines = linesOf(branches, folded)
  // The chosen branch may be folded away or not be among the matches of a search: the keyboard can still enter the tree.
  const entrance = lines.some(({ key }) => key === chosen) ? chosen : lines[0]?.key
  const fold = (key: string, close: boolean): void => {
    const next = new Set(folded)
    if (close) next.add(key)
    else next.delete(key)
    setFolded(next)
  }

  function onKey(event: KeyboardEvent<HTMLElement>, at: number, { key, children }: Line): void {
    const items = event.currentTarget.parentElement?.children
    const target = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: lines.length - 1 }[event.key]
    if (target !== undefined) (items?.[target] as HTMLElement | undefined)?.focus()
    else if (event.key === 'Enter' || event.key === ' ') choose(key)
    else if (event.key === 'ArrowRight' && children.length > 0) fold(key, false)
    else if (event.key === 'ArrowLeft' && children.length > 0) fold(key, true)
    else return
    event.preventDefault()
  }

  return (
    <ul className={styles.branches} role="tree" aria-label={label}>
      {lines.map((line, at) => {
        const { key, name, count, children, level } = line
        const open = !folded.has(key)
        return (
          <li
            key={key}
            role="treeitem"
            aria-level={level}
            aria-selected={key === chosen}
            {...(children.length > 0 && { 'aria-expanded': open })}
            tabIndex={key === entrance ? 0 : -1}
            style={{ paddingLeft: 4 + (level - 1) * 16 }}
            onClick={() => choose(key)}
            onKeyDown={(event) => onKey(event, at, line)}
          >
            <span
              role="presentation"
              aria-hidden="true"
              className={styles.caret}
              data-open={open || undefined}
              onClick={(event) => {
                event.stopPropagation()
                fold(key, open)
              }}
            >
              {children.length > 0 && <CaretRightOutlined />}
            </span>
            <span className={styles.branchName} title={name}>
              {name}
            </span>
            {count !== undefined && <small>{count}</small>}
          </li>
        )
      })}
    </ul>
  )
}
