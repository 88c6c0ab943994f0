/** Groups of visitors as choices. */
import { peopleCalls } from '@gatehouse/contract/people/calls'
import { useRead } from '../../api/query.ts'
import { choicesOf, type TreeChoice } from '../../kit/form/treeChoices.ts'
import { shownName } from '../../kit/shownName.ts'

const withShownNames = (choices: readonly TreeChoice[]): TreeChoice[] =>
  choices.map(({ value, title, children }) => ({ value, title: shownName(title), children: withShownNames(children) }))

/** Return the groups of visitors of the park, as a tree. */
export function useVisitorGroups(): { choices: TreeChoice[]; loading: boolean } {
  const { data = [], isPending } = useRead(peopleCalls.groupTree, { query: { type: 3 } })
  return { choices: withShownNames(choicesOf(data)), loading: isPending }
}
