/**
 * A tree of groups to choose from, thousands of them too: only the lines in sight stand on the page. Arrows move and
 * fold, Enter and Space choose, F2 renames, Delete deletes; the menu of the line one is on follows the tree in the order of Tab.
 */
import { CaretRightOutlined, MoreOutlined } from '@ant-design/icons'
import { Button, Dropdown, type MenuProps } from 'antd'
import { useEffect, useLayoutEffect, useRef, useState, type KeyboardEvent } from 'react'
import { useTranslation } from 'react-i18next'
import type { PersonGroupNode } from '@gatehouse/contract/people/calls'
import { linesOf, pathTo, type Line } from './lines.ts'
import styles from './groups.module.css'

interface GroupTreeProps {
  label: string
  tree: PersonGroupNode[]
  /** The line above them that stands for everything. */
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

/** Pixels of a line; as in the style sheet. */
const LINE = 34
/** Lines above and below those in sight. */
const SPARE = 12
/** Of more lines only those in sight are drawn. */
const DRAWN_AT_ONCE = 120

/** A line of the tree, or the one for everything. */
interface Entry {
  id: string | undefined
  name: string
  count: number
  line?: Line
}

export function GroupTree({ label, tree, all, chosen, choose, startFolded, editing }: GroupTreeProps) {
  const { t } = useTranslation()
  const frame = useRef<HTMLDivElement>(null)
  const [folded, setFolded] = useState(startFolded)
  const [view, setView] = useState({ top: 0, height: 800 })
  /** Where the arrows are; undefined: where the choice is. */
  const [cursor, setCursor] = useState<{ id: string | undefined }>()
  const goesThere = useRef(false)
  /** The line under the pointer; its menu stays while it is open. */
  const [hovered, setHovered] = useState<string>()
  const [menuOpen, setMenuOpen] = useState(false)

  // Chosen elsewhere, or added just now: the tree opens to it once.
  const [shown, setShown] = useState(chosen)
  if (chosen !== shown) {
    const path = pathTo(tree, chosen)
    if (path.length > 0 || chosen === undefined) {
      setShown(chosen)
      setCursor({ id: chosen })
      setFolded(new Set([...folded].filter((id) => !path.slice(0, -1).some((above) => above.id === id))))
    }
  }

  const entries: Entry[] = [
    { id: undefined, ...all },
    ...linesOf(tree, folded).map((line) => ({ id: line.node.id, name: line.node.name, count: line.node.personCount, line })),
  ]
  const placeOf = (id: string | undefined): number => entries.findIndex((entry) => entry.id === id)
  const entrance = Math.max(0, cursor && placeOf(cursor.id) >= 0 ? placeOf(cursor.id) : placeOf(chosen))
  const active = hovered !== undefined && placeOf(hovered) >= 0 ? placeOf(hovered) : entrance
  const current = entries[active]
  const [first, last] =
    entries.length <= DRAWN_AT_ONCE
      ? [0, entries.length - 1]
      : [Math.floor(view.top / LINE) - SPARE, Math.ceil((view.top + view.height) / LINE) + SPARE]

  useEffect(() => {
    const element = frame.current
    if (!element) return
    const observer = new ResizeObserver(() => setView({ top: element.scrollTop, height: element.clientHeight }))
    observer.observe(element)
    return () => observer.disconnect()
  }, [])
  // Whatever the arrows lead to comes into sight, and so does what is chosen when the tree opens.
  useLayoutEffect(() => {
    const element = frame.current
    if (!element) return
    const top = entrance * LINE
    if (top < element.scrollTop) element.scrollTop = top
    else if (top + LINE > element.scrollTop + element.clientHeight) element.scrollTop = top + LINE - element.clientHeight
    if (!goesThere.current) return
    goesThere.current = false
    element.querySelector<HTMLElement>('li[tabindex="0"]')?.focus({ preventScroll: true })
  }, [cursor, entrance, chosen])

  const go = (place: number): void => {
    goesThere.current = true
    setHovered(undefined)
    setCursor({ id: entries[Math.min(Math.max(place, 0), entries.length - 1)]!.id })
  }
  function fold(id: string, close: boolean): void {
    const next = new Set(folded)
    if (close) next.add(id)
    else next.delete(id)
    setFolded(next)
  }

  function onKey(event: KeyboardEvent<HTMLElement>, at: number): void {
    const { id, line } = entries[at]!
    const page = Math.max(1, Math.floor(view.height / LINE) - 1)
    const target = { ArrowDown: at + 1, ArrowUp: at - 1, PageDown: at + page, PageUp: at - page, Home: 0, End: entries.length - 1 }[
      event.key
    ]
    if (target !== undefined) go(target)
    else if (event.key === 'Enter' || event.key === ' ') choose(id)
    else if (event.key === 'ArrowRight' && line?.open === true) go(at + 1)
    else if (event.key === 'ArrowRight' && line?.open === false) fold(line.node.id, false)
    else if (event.key === 'ArrowLeft' && line?.open === true) fold(line.node.id, true)
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
      onScroll={({ currentTarget }) => setView({ top: currentTarget.scrollTop, height: currentTarget.clientHeight })}
    >
      <ul className={styles.tree} role="tree" aria-label={label} style={{ height: entries.length * LINE }}>
        {entries.map((entry, at) => {
          // The line Tab leads to is always there.
          if ((at < first || at > last) && at !== entrance) return null
          const { id, name, count, line } = entry
          return (
            <li
              key={id ?? ''}
              role="treeitem"
              aria-level={line?.level ?? 1}
              // The line for everything stands at the top with them.
              aria-posinset={!line ? 1 : line.level === 1 ? line.nth + 1 : line.nth}
              aria-setsize={!line ? tree.length + 1 : line.level === 1 ? line.of + 1 : line.of}
              aria-selected={id === chosen}
              data-active={at === active || undefined}
              {...(line?.open !== undefined && { 'aria-expanded': line.open })}
              tabIndex={at === entrance ? 0 : -1}
              style={{ top: at * LINE, paddingLeft: 4 + ((line?.level ?? 1) - 1) * 14 }}
              onClick={() => {
                setCursor({ id })
                choose(id)
              }}
              onMouseEnter={() => !menuOpen && setHovered(id)}
              onKeyDown={(event) => onKey(event, at)}
            >
              <span
                role="presentation"
                aria-hidden="true"
                className={styles.caret}
                data-open={line?.open || undefined}
                onClick={(event) => {
                  if (line?.open === undefined) return
                  event.stopPropagation()
                  fold(line.node.id, line.open)
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
        })}
      </ul>
      {editing && current?.line && (
        <span className={styles.menu} style={{ top: active * LINE }}>
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
