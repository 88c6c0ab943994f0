/** One row beside its list, which stays in sight and can be used. Up and down lead to its neighbours, Esc closes. */
import { Drawer } from 'antd'
import { useRef, type ReactNode } from 'react'
import { KEYS } from '../keys.ts'
import { useNeighbours } from './useNeighbours.tsx'

const [PREVIOUS, NEXT] = KEYS.drawer.step

interface RowDrawerProps<Row> {
  /** The rows of the list that the row is in. */
  rows: readonly Row[]
  /** Id of the row; undefined: closed. */
  id: string | undefined
  show: (id: string | undefined) => void
  /** Pixels. */
  width: number
  title: ReactNode
  words: { previous: string; next: string }
  footer?: ReactNode
  className: string | undefined
  children: ReactNode
}

export function RowDrawer<Row extends { id: string }>({
  rows,
  id,
  show,
  width,
  title,
  words,
  footer,
  className,
  children,
}: RowDrawerProps<Row>) {
  const inside = useRef<HTMLDivElement>(null)
  const { step, arrows } = useNeighbours(rows, id, (row) => show(row.id), words)
  return (
    <Drawer
      open={id !== undefined}
      onClose={() => show(undefined)}
      size={width}
      mask={false}
      title={title}
      extra={arrows}
      destroyOnHidden
      footer={footer}
      // Without a mask the focus would stay in the list, and the arrow keys with it.
      afterOpenChange={(open) => open && inside.current?.focus({ preventScroll: true })}
      onKeyDown={(event) => {
        const by = { [PREVIOUS]: -1, [NEXT]: 1 }[event.key]
        // Menus and the fields of a form use the arrow keys themselves, and leaving the row would discard what was filled in.
        if (by === undefined || (event.target as HTMLElement).closest('form, [role="menu"]') !== null) return
        event.preventDefault()
        // The focused element may be removed with the row.
        inside.current?.focus({ preventScroll: true })
        step(by)
      }}
    >
      <div ref={inside} tabIndex={-1} className={className}>
        {children}
      </div>
    </Drawer>
  )
}
