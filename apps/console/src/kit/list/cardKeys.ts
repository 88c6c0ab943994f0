/** Arrow keys among the cards of a list. */
import type { KeyboardEvent } from 'react'

/** Move the focus to the neighbour in the direction of an arrow, by the position of the cards. Each card is a button of one list. */
export function moveAmongCards(event: KeyboardEvent<HTMLButtonElement>): void {
  const all = [...(event.currentTarget.closest('ul, ol')?.querySelectorAll<HTMLElement>('button') ?? [])]
  const columns = all.filter(({ offsetTop }) => offsetTop === all[0]?.offsetTop).length
  const step = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -columns, ArrowDown: columns }[event.key]
  if (step === undefined) return
  all[all.indexOf(event.currentTarget) + step]?.focus()
  event.preventDefault()
}
