/** Trees of groups. */

export interface Branch {
  id: string
  parentId: string | null
}

/** Children of each row, by the list of rows: the same list is used for hundreds of strategies. */
const childrenByRows = new WeakMap<readonly Branch[], Map<string, string[]>>()

function childrenOf(rows: readonly Branch[]): Map<string, string[]> {
  let children = childrenByRows.get(rows)
  if (children === undefined) {
    children = new Map(rows.map(({ id }) => [id, []]))
    for (const { id, parentId } of rows) if (parentId !== null) children.get(parentId)?.push(id)
    childrenByRows.set(rows, children)
  }
  return children
}

/** Return these groups and all below them, without unknown ids. @param rows must not be changed afterwards */
export function withDescendants(rows: readonly Branch[], ids: readonly string[]): string[] {
  const children = childrenOf(rows)
  const found = new Set(ids.filter((id) => children.has(id)))
  // Iteration over a set includes elements that are added meanwhile.
  for (const id of found) for (const child of children.get(id)!) found.add(child)
  return [...found]
}

/** Members and groups of one selection. */
export interface Selection {
  ids: readonly string[]
  groupIds: readonly string[]
}

/**
 * Return how many members each selection has: those it names, and those of its groups and all groups below.
 * @param sizes members directly in each group; a group without any may be absent
 * @param groupOf the group of each named member, null: in none; a member that is absent no longer exists
 */
export function sizesOf(
  selections: readonly Selection[],
  rows: readonly Branch[],
  sizes: ReadonlyMap<string, number>,
  groupOf: ReadonlyMap<string, string | null>,
): number[] {
  return selections.map(({ ids, groupIds }) => {
    const groups = new Set(withDescendants(rows, groupIds))
    const grouped = [...groups].reduce((sum, id) => sum + (sizes.get(id) ?? 0), 0)
    return grouped + [...new Set(ids)].filter((id) => groupOf.has(id) && !groups.has(groupOf.get(id) ?? '')).length
  })
}

export type TreeOf<Row> = Row & { children: TreeOf<Row>[] }

/**
 * Return rows as a tree, in their order; a row whose parent is not among them is at the top.
 * @param count field with the number of members directly in a group; in the tree it includes those below
 */
export function treeOf<Row extends Branch, Count extends string>(
  rows: readonly (Row & Record<Count, number>)[],
  count: Count,
): TreeOf<Row & Record<Count, number>>[] {
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
