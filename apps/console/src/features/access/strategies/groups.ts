/** Trees of groups as choices, and how many they reach together. */
export interface GroupNode {
  id: string
  name: string
  children: GroupNode[]
}
export interface GroupChoice {
  value: string
  title: string
  children: GroupChoice[]
}

export const choicesOf = (nodes: readonly GroupNode[]): GroupChoice[] =>
  nodes.map(({ id, name, children }) => ({ value: id, title: name, children: choicesOf(children) }))

/** Members of the chosen groups; a group within a chosen one counts once. `countOf` includes those below. */
export function membersIn<Node extends GroupNode>(nodes: readonly Node[], chosen: readonly string[], countOf: (node: Node) => number): number {
  return nodes.reduce((sum, node) => sum + (chosen.includes(node.id) ? countOf(node) : membersIn(node.children as Node[], chosen, countOf)), 0)
}
