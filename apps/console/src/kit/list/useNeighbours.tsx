/** The neighbours of one row of a list, which is shown by itself: two buttons that lead to them. */
import { DownOutlined, UpOutlined } from '@ant-design/icons'
import { Button, Tooltip } from 'antd'
import type { ReactNode } from 'react'

export interface Neighbours {
  /** Show the row before (-1) or after (1), if there is one. */
  step: (by: number) => void
  arrows: ReactNode
}

/**
 * @param id of the row that is shown; undefined: none is
 * @param words of the buttons
 */
export function useNeighbours<Row extends { id: string }>(
  rows: readonly Row[],
  id: string | undefined,
  show: (row: Row) => void,
  words: { previous: string; next: string },
): Neighbours {
  const at = rows.findIndex((row) => row.id === id)
  const neighbour = (by: number): Row | undefined => (at < 0 ? undefined : rows[at + by])
  function step(by: number): void {
    const next = neighbour(by)
    if (next) show(next)
  }
  const arrow = (by: -1 | 1, label: string) => (
    <Tooltip title={label}>
      <Button
        type="text"
        aria-label={label}
        disabled={!neighbour(by)}
        icon={by < 0 ? <UpOutlined /> : <DownOutlined />}
        onClick={() => step(by)}
      />
    </Tooltip>
  )
  return {
    step,
    arrows: (
      <>
        {arrow(-1, words.previous)}
        {arrow(1, words.next)}
      </>
    ),
  }
}
