/** Searches of the organisation tree: by id, by text, and for the path to a node. */
import type { OrganisationNode } from '@gatehouse/contract/organisation/calls'
import type { Branch } from '../../kit/detail/Branches.tsx'

/** Return a node of the tree by its id. */
export function nodeOf(tree: OrganisationNode, id: string): OrganisationNode | undefined {
  return pathTo(tree, id).at(-1)
}

/** Return the path from the top to a node, both included; empty where it is not in the tree. */
export function pathTo(tree: OrganisationNode, id: string): OrganisationNode[] {
  if (tree.id === id) return [tree]
  for (const child of tree.children) {
    const below = pathTo(child, id)
    if (below.length > 0) return [tree, ...below]
  }
  return []
}

export const countBelow = (node: OrganisationNode): number => node.children.reduce((sum, child) => sum + 1 + countBelow(child), 0)

/** Return the nodes that match by name or area code, with the path to them; null where none does. */
export function matching(node: OrganisationNode, text: string): OrganisationNode | null {
  const term = text.trim().toLowerCase()
  if (term === '' || node.name.toLowerCase().includes(term) || node.areaCode.includes(term)) return node
  const children = node.children.flatMap((child) => matching(child, term) ?? [])
  return children.length === 0 ? null : { ...node, children }
}

export const branchOf = ({ id, name, children }: OrganisationNode): Branch => ({ key: id, name, children: children.map(branchOf) })

/** A tree of more lines than this opens only down to the chosen node. */
const SHOWN_AT_ONCE = 120

/** Return the ids of branches that are folded at first: none in a small tree. */
export function foldedAtFirst(tree: OrganisationNode, chosen: string): ReadonlySet<string> {
  if (countBelow(tree) <= SHOWN_AT_ONCE) return new Set()
  const open = new Set([tree, ...pathTo(tree, chosen)].map(({ id }) => id))
  const folded = new Set<string>()
  const walk = (node: OrganisationNode): void => {
    if (node.children.length > 0 && !open.has(node.id)) folded.add(node.id)
    node.children.forEach(walk)
  }
  walk(tree)
  return folded
}
