/** A tree of groups as the lines that stand below each other. */
import type { PersonGroupNode } from '@gatehouse/contract/people/calls'

export interface Line {
  node: PersonGroupNode
  /** 1 at the top. */
  level: number
  /** Its place among its siblings, from 1, and how many they are. */
  nth: number
  of: number
  /** Absent: nothing lies below it. */
  open?: boolean
}

/** Lines of a tree, without what lies in folded groups. */
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

/** How many groups there are. */
export const sizeOf = (tree: readonly PersonGroupNode[]): number => tree.reduce((sum, { children }) => sum + 1 + sizeOf(children), 0)

/** What is called so, with all below it, and what leads there. */
export function matching(tree: readonly PersonGroupNode[], text: string): PersonGroupNode[] {
  const wanted = text.trim().toLowerCase()
  if (wanted === '') return [...tree]
  return tree.flatMap((node) => {
    if (node.name.toLowerCase().includes(wanted)) return [node]
    const children = matching(node.children, wanted)
    return children.length > 0 ? [{ ...node, children }] : []
  })
}

/** The groups from the top down to one, itself last; empty where it is not there. */
export function pathTo(tree: readonly PersonGroupNode[], id: string | undefined): PersonGroupNode[] {
  for (const node of tree) {
    if (node.id === id) return [node]
    const below = pathTo(node.children, id)
    if (below.length > 0) return [node, ...below]
  }
  return []
}

/** Groups a screen shows at once without scrolling for long; a larger tree starts folded. */
const FEW = 60

/** What is folded at first: everything in a large tree but the way to what is chosen. */
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

/** Without a group and all below it: where that group may go. */
export const without = (tree: readonly PersonGroupNode[], id: string): PersonGroupNode[] =>
  tree.flatMap((node) => (node.id === id ? [] : [{ ...node, children: without(node.children, id) }]))
