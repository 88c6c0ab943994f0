/** Groups of a tree as the choices of a form. */
import { shownName } from '../shownName.ts'

/** Nodes of a tree in the form of antd's `<TreeSelect>`. */
export interface NamedNode {
  id: string
  name: string
  children: NamedNode[]
}

export interface TreeChoice {
  value: string
  title: string
  children: TreeChoice[]
}

export const choicesOf = (nodes: readonly NamedNode[]): TreeChoice[] =>
  nodes.map(({ id, name, children }) => ({ value: id, title: shownName(name), children: choicesOf(children) }))

/** Return the choices as one list, for a `<Select>`: each label begins with those above it. */
export const flatChoices = (choices: readonly TreeChoice[], above = ''): { value: string; label: string }[] =>
  choices.flatMap(({ value, title, children }) => [{ value, label: above + title }, ...flatChoices(children, `${above}${title} / `)])
