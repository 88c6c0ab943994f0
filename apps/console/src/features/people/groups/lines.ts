/** A tree of groups as lines below each other. */
import type { PersonGroupNode } from '@gatehouse/contract/people/groups'

export interface Line {
  node: PersonGroupNode
  /** 1 at the top. */
  level: number
  /** Its place among its siblings, from 1, and the number of siblings, itself included. */
  nth: number
  of: number
  /** Absent: there are no groups below it. */
  open?: boolean
}

/** Return the lines of a tree, without those in folded groups. */
export function linesOf(tree: readonly PersonGroupNode[], folded: ReadonlySet<string>): Line[] {
  const lines: Line[] = []
  const walk = (nodes: readonly PersonGroupNode[], level: number): void =>
    nodes.forEach((node, at) => {
      const open = !folded.has(node.id)
      lines.push({ node, level, nth: at + 1, of: nodes.length, ...(node.children.length > 0 && { open }) })
      if (open) walk(node.children, level + 1)
    })
  walk(tree, 1)
  return lines
}

/** Return the number of groups. */
export const sizeOf = (tree: readonly PersonGroupNode[]): number => tree.reduce((sum, { children }) => sum + 1 + sizeOf(children), 0)

/** Return the groups whose name contains the text, with all below them and the path to them. */
export function matching(tree: readonly PersonGroupNode[], text: string): PersonGroupNode[] {
  const searched = text.trim().toLowerCase()
  if (searched === '') return [...tree]
  return tree.flatMap((node) => {
    if (node.name.toLowerCase().includes(searched)) return [node]
    const children = matching(node.children, searched)
    return children.length > 0 ? [{ ...node, children }] : []
  })
}

/** Return the groups from the top down to one, itself last; empty where it is not in the tree. */
export function pathTo(tree: readonly PersonGroupNode[], id: string | undefined): PersonGroupNode[] {
  for (const node of tree) {
    if (node.id === id) return [node]
    const below = pathTo(node.children, id)
    if (below.length > 0) return [node, ...below]
  }
  return []
}

/** Groups that fit a screen with little scrolling; a larger tree starts folded. */
const FEW = 60

/** Return the groups folded at first: in a large tree all but the path to the chosen one. */
export function foldedAtFirst(tree: readonly PersonGroupNode[], chosen: string | undefined): Set<string> {
  if (sizeOf(tree) <= FEW) return new Set()
  const open = new Set(pathTo(tree, chosen).slice(0, -1))
  const folded = new Set<string>()
  const walk = (nodes: readonly PersonGroupNode[]): void =>
    nodes.forEach((node) => {
      if (!open.has(node)) folded.add(node.id)
      walk(node.children)
    })
  walk(tree)
  return folded
}

/** Return the tree without a group and all below it: the places that group may move to. */
export const without = (tree: readonly PersonGroupNode[], id: string): PersonGroupNode[] =>
  tree.flatMap((node) => (node.id === id ? [] : [{ ...node, children: without(node.children, id) }]))
