/** A tree to choose from: arrows move and fold, Enter and Space choose, as in any tree. */
import { CaretRightOutlined } from '@ant-design/icons'
import { useState, type KeyboardEvent } from 'react'
import styles from './kit.module.css'

export interface Branch {
  key: string
  name: string
  count: number
  children: Branch[]
}

interface BranchesProps {
  label: string
  branches: Branch[]
  chosen: string
  choose: (key: string) => void
}

interface Line extends Branch {
  level: number
}
/** The lines of a tree as they stand below each other, without what lies in folded branches. */
export const linesOf = (branches: Branch[], folded: ReadonlySet<string>, level = 1): Line[] =>
  branches.flatMap((branch) => [{ ...branch, level }, ...(folded.has(branch.key) ? [] : linesOf(branch.children, folded, level + 1))])

export function Branches({ label, branches, chosen, choose }: BranchesProps) {
  const [folded, setFolded] = useState<ReadonlySet<string>>(new Set())
  const lines = linesOf(branches, folded)
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
            tabIndex={key === chosen ? 0 : -1}
            style={{ paddingLeft: 4 + (level - 1) * 16 }}
            onClick={() => choose(key)}
            onKeyDown={(event) => onKey(event, at, line)}
          >
            <span role="presentation" aria-hidden="true" className={styles.caret} data-open={open || undefined} onClick={(event) => { event.stopPropagation(); fold(key, open) }}>
              {children.length > 0 && <CaretRightOutlined />}
            </span>
            <span className={styles.branchName} title={name}>{name}</span>
            <small>{count}</small>
          </li>
        )
      })}
    </ul>
  )
}
