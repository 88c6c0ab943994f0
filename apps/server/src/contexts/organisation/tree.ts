/** The tree in memory, indexed in both directions: a walk down visits only the nodes below, whatever the size of the tree. */
import { PARK, type Organisation } from './data.ts'

export interface Tree {
  readonly size: number
  /** The node above all others. */
  readonly root: Organisation | undefined
  get(id: string): Organisation | undefined
  byArea(areaCode: string): Organisation | undefined
  /** Directly below, oldest first. */
  children(id: string): readonly Organisation[]
  /** The node and all below it, parents before their children. */
  below(id: string): Organisation[]
  /** Parks at or below a node, oldest first. */
  parksBelow(id: string): Organisation[]
  parks(): Organisation[]
  /** From the node up to the root. */
  path(id: string): Organisation[]
}

/** Return the tree of rows, which are sorted oldest first. */
export function treeOf(rows: readonly Organisation[]): Tree {
  const nodes = new Map(rows.map((row) => [row.id, row]))
  const areas = new Map(rows.map((row) => [row.areaCode, row]))
  const ages = new Map(rows.map((row, age) => [row.id, age]))
  const childrenOf = Map.groupBy(rows, ({ parentId }) => parentId)
  const children = (id: string): readonly Organisation[] => childrenOf.get(id) ?? []

  function below(id: string): Organisation[] {
    const start = nodes.get(id)
    const found = start === undefined ? [] : [start]
    // The list grows while it is walked.
    for (const node of found) for (const child of children(node.id)) found.push(child)
    return found
  }

  return {
    size: rows.length,
    root: childrenOf.get(null)?.[0],
    get: (id) => nodes.get(id),
    byArea: (areaCode) => areas.get(areaCode),
    children,
    below,
    parksBelow: (id) =>
      below(id)
        .filter(({ type }) => type === PARK)
        .sort((a, b) => ages.get(a.id)! - ages.get(b.id)!),
    parks: () => rows.filter(({ type }) => type === PARK),
    path(id) {
      const found: Organisation[] = []
      for (let node = nodes.get(id); node !== undefined; node = node.parentId === null ? undefined : nodes.get(node.parentId))
        found.push(node)
      return found
    },
  }
}
