import { expect, test } from 'vitest'
import { choicesOf } from '../../kit/form/treeChoices.ts'
import { membersIn } from './groups.ts'

const node = (id: string, count: number, ...children: ReturnType<typeof branch>[]) => ({ id, name: id.toUpperCase(), count, children })
const branch = (id: string, count: number): { id: string; name: string; count: number; children: never[] } => ({
  id,
  name: id.toUpperCase(),
  count,
  children: [],
})
const tree = [node('a', 10, branch('a1', 4), branch('a2', 5)), node('b', 3)]
const countOf = (one: { id: string }) => (one as (typeof tree)[number]).count

test('groups count together, one within another only once', () => {
  expect(membersIn(tree, ['a1', 'b'], countOf)).toBe(7)
  expect(membersIn(tree, ['a', 'a1'], countOf)).toBe(10)
  expect(membersIn(tree, [], countOf)).toBe(0)
})

test('a tree is offered with its names', () => {
  expect(choicesOf(tree)[0]).toEqual({
    value: 'a',
    title: 'A',
    children: [
      { value: 'a1', title: 'A1', children: [] },
      { value: 'a2', title: 'A2', children: [] },
    ],
  })
})
