/** Keys of a table: arrows, Home and End move, Enter opens, Space marks. */
import type { KeyboardEvent } from 'react'
import { isKey, KEYS } from '../keys.ts'

const [UP, DOWN] = KEYS.list.move
const [FIRST, LAST] = KEYS.list.ends

interface RowActions {
  open: (id: string) => void
  toggle: ((id: string) => void) | undefined
}

/** Return the index of the row that a key moves to; undefined for keys that move nothing. */
export function rowAfter(key: string, at: number, count: number): number | undefined {
  const target = { [DOWN]: at + 1, [UP]: at - 1, [FIRST]: 0, [LAST]: count - 1 }[key]
  return target === undefined ? undefined : Math.min(Math.max(target, 0), count - 1)
}

export function onTableKey(event: KeyboardEvent<HTMLElement>, { open, toggle }: RowActions): void {
  const row = event.target as HTMLElement
  // Keys pressed in a button or checkbox of the row belong to that control.
  if (!row.matches('tr[data-row-key]')) return
  const rows = [...event.currentTarget.querySelectorAll<HTMLElement>('tr[data-row-key]')]
  const id = row.dataset['rowKey'] ?? ''
  const next = rowAfter(event.key, rows.indexOf(row), rows.length)
  if (next !== undefined) rows[next]?.focus()
  else if (isKey(KEYS.list.open, event.key)) open(id)
  else if (isKey(KEYS.list.mark, event.key) && toggle) toggle(id)
  else return
  event.preventDefault()
}
