import { expect, test } from 'vitest'
import { sizesOf, treeOf, withDescendants } from './tree.ts'

const rows = [
  { id: 'a', parentId: null, people: 1 },
  { id: 'a1', parentId: 'a', people: 2 },
  { id: 'a11', parentId: 'a1', people: 4 },
  { id: 'b', parentId: null, people: 8 },
  { id: 'lost', parentId: 'gone', people: 16 },
]

test('a group counts what lies below it, and an orphan stands at the top', () => {
  const tree = treeOf(rows, 'people')
  expect(tree.map(({ id, people }) => [id, people])).toEqual([
    ['a', 7],
    ['b', 8],
    ['lost', 16],
  ])
  expect(tree[0]!.children[0]).toMatchObject({ id: 'a1', people: 6, children: [{ id: 'a11', people: 4, children: [] }] })
})

test('descendants are found at any depth, unknown ids are left out', () => {
  expect(withDescendants(rows, ['a', 'nobody']).toSorted()).toEqual(['a', 'a1', 'a11'])
  expect(withDescendants(rows, [])).toEqual([])
})

test('what is selected is counted once, by its group or by itself; what is gone is not', () => {
  const groupOf = new Map([
    ['inA1', 'a1'],
    ['inB', 'b'],
    ['inNone', null],
  ])
  const sizes = new Map(rows.map(({ id, people }) => [id, people]))
  const selections = [
    { ids: ['inA1', 'inB', 'inB', 'inNone', 'gone'], groupIds: ['a'] },
    { ids: ['inA1'], groupIds: ['a11', 'a1'] },
    { ids: [], groupIds: ['nobody'] },
  ]
  expect(sizesOf(selections, rows, sizes, groupOf)).toEqual([7 + 2, 6, 0])
})
