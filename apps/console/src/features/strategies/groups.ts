/** The number of members of groups in a tree. */
import type { NamedNode } from '../../kit/form/treeChoices.ts'

/** Return the number of members of the chosen groups; a group within a chosen one counts once. `countOf` includes groups below. */
export function membersIn<Node extends NamedNode>(
  nodes: readonly Node[],
  chosen: readonly string[],
  countOf: (node: Node) => number,
): number {
  return nodes.reduce(
    (sum, node) => sum + (chosen.includes(node.id) ? countOf(node) : membersIn(node.children as Node[], chosen, countOf)),
    0,
  )
}
