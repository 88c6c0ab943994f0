import { expect, test } from 'vitest'
import type { PersonGroupNode } from '@gatehouse/contract/people/groups'
import { foldedAtFirst, linesOf, matching, pathTo, sizeOf, without } from './lines.ts'

const group = (id: string, children: PersonGroupNode[] = []): PersonGroupNode => ({
  id,
  name: id,
  parentId: null,
  type: 1,
  order: 0,
  personCount: 0,
  children,
})
const tree = [group('office', [group('sales', [group('north')]), group('legal')]), group('works')]
const ids = (nodes: readonly PersonGroupNode[]): string[] => nodes.map(({ id }) => id)

test('lines stand from the top down, each with its level and its place among its siblings', () => {
  expect(linesOf(tree, new Set()).map(({ node, level, nth, of }) => `${level} ${node.id} ${nth}/${of}`)).toEqual([
    '1 office 1/2',
    '2 sales 1/2',
    '3 north 1/1',
    '2 legal 2/2',
    '1 works 2/2',
  ])
})

test('a folded group hides what is below it, and says so', () => {
  const lines = linesOf(tree, new Set(['sales']))
  expect(lines.map(({ node }) => node.id)).toEqual(['office', 'sales', 'legal', 'works'])
  expect(lines.map(({ open }) => open)).toEqual([true, false, undefined, undefined])
})

test('a search keeps what matches with all below it, and the way there', () => {
  expect(linesOf(matching(tree, ' SAL '), new Set()).map(({ node }) => node.id)).toEqual(['office', 'sales', 'north'])
  expect(matching(tree, 'nothing')).toEqual([])
  expect(matching(tree, ' ')).toEqual(tree)
})

test('a group is found with all above it, and goes with all below it', () => {
  expect(ids(pathTo(tree, 'north'))).toEqual(['office', 'sales', 'north'])
  expect(pathTo(tree, undefined)).toEqual([])
  expect(linesOf(without(tree, 'sales'), new Set()).map(({ node }) => node.id)).toEqual(['office', 'legal', 'works'])
})

test('a large tree starts folded but for the way to what is chosen', () => {
  const large = Array.from({ length: 500 }, (_, at) => group(`g${at}`, at === 7 ? [group('below', [group('deep')])] : []))
  expect(sizeOf(large)).toBe(502)
  expect(linesOf(large, foldedAtFirst(large, 'deep'))).toHaveLength(502)
  expect(linesOf(large, foldedAtFirst(large, undefined))).toHaveLength(500)
  expect(foldedAtFirst(tree, undefined).size).toBe(0)
})
