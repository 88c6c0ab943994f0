/** Pages of the answers to questions, ordered by name. */

export interface Paging {
  page: number
  size: number
}
export interface Page<Row> extends Paging {
  total: number
  content: Row[]
}

export const { compare } = new Intl.Collator()
export const byName = (one: { name: string | null; id: string }, other: { name: string | null; id: string }): number =>
  compare(one.name ?? '', other.name ?? '') || compare(one.id, other.id)
export const paged = <Row>(rows: readonly Row[], { page, size }: Paging): Row[] => rows.slice((page - 1) * size, page * size)
