import { expect, test } from 'vitest'
import type { OrganisationNode } from '@gatehouse/contract/organisation/calls'
import { foldedAtFirst, matching, nodeOf, pathTo } from './tree.ts'

const node = (id: string, name: string, children: OrganisationNode[] = []): OrganisationNode => ({
  id,
  name,
  type: children.length > 0 ? 200 : 300,
  areaCode: `1${id}`,
  parkType: null,
  children,
})
const tree = node('0', 'Group', [
  node('1', 'North', [node('11', 'Harbour'), node('12', 'Airport')]),
  node('2', 'South', [node('21', 'Harbour Bay')]),
])
const names = (found: OrganisationNode | null): unknown => found && [found.name, ...found.children.map(names)]

test('a search keeps what matches by name or area code, and what leads to it', () => {
  expect(names(matching(tree, ' harbour '))).toEqual(['Group', ['North', ['Harbour']], ['South', ['Harbour Bay']]])
  expect(names(matching(tree, '112'))).toEqual(['Group', ['North', ['Airport']]])
  expect(names(matching(tree, 'south'))).toEqual(['Group', ['South', ['Harbour Bay']]])
  expect(matching(tree, 'desert')).toBeNull()
})

test('a node is found with what stands above it', () => {
  expect(pathTo(tree, '12').map(({ name }) => name)).toEqual(['Group', 'North', 'Airport'])
  expect(nodeOf(tree, '21')?.name).toBe('Harbour Bay')
  expect(nodeOf(tree, 'none')).toBeUndefined()
})

test('a large tree opens only as far as what is chosen', () => {
  expect(foldedAtFirst(tree, '12').size).toBe(0)
  const companies = Array.from({ length: 30 }, (_, at) =>
    node(
      `c${at}`,
      `Company ${at}`,
      Array.from({ length: 5 }, (_none, park) => node(`c${at}p${park}`, `Park ${park}`)),
    ),
  )
  const folded = foldedAtFirst(node('0', 'Group', companies), 'c7p2')
  expect(folded.size).toBe(29)
  expect(folded.has('c7')).toBe(false)
})
