/** Groups that lie below groups. */

export interface Branch {
  id: string
  parentId: string | null
}

/** These groups and all below them; unknown ids are left out. */
export function withDescendants(rows: readonly Branch[], ids: readonly string[]): string[] {
  const found = new Set(rows.filter((row) => ids.includes(row.id)).map((row) => row.id))
  for (let size = -1; size !== found.size; ) {
    size = found.size
    for (const row of rows) if (row.parentId !== null && found.has(row.parentId)) found.add(row.id)
  }
  return [...found]
}

export type TreeOf<Row> = Row & { children: TreeOf<Row>[] }

/**
 * Rows as a tree, in their order; a row whose parent is not among them stands at the top.
 * @param count the field in which a group counts what is directly in it; in the tree it counts what lies below too
 */
export function treeOf<Row extends Branch, Count extends string>(rows: readonly (Row & Record<Count, number>)[], count: Count): TreeOf<Row & Record<Count, number>>[] {
  type Node = TreeOf<Row & Record<Count, number>>
  const nodes = new Map(rows.map((row) => [row.id, { ...row, children: [] as Node[] } as Node]))
  const roots: Node[] = []
  for (const node of nodes.values()) (node.parentId === null ? roots : (nodes.get(node.parentId)?.children ?? roots)).push(node)
  const total = (node: Node): number => {
    const sum = node.children.reduce((before, child) => before + total(child), node[count] as number)
    Object.assign(node, { [count]: sum })
    return sum
  }
  roots.forEach(total)
  return roots
}
