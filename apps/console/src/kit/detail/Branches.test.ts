import { expect, test } from 'vitest'
import { linesOf, type Branch } from './Branches.tsx'

const leaf = (key: string, children: Branch[] = []): Branch => ({ key, name: key, count: 0, children })
const tree = [leaf('all'), leaf('park', [leaf('north', [leaf('lab')]), leaf('south')])]

test('a tree is read from the top, deeper branches one level further in', () => {
  expect(linesOf(tree, new Set()).map(({ key, level }) => `${level}${key}`)).toEqual(['1all', '1park', '2north', '3lab', '2south'])
})

test('a folded branch hides what lies in it, and nothing else', () => {
  expect(linesOf(tree, new Set(['north'])).map(({ key }) => key)).toEqual(['all', 'park', 'north', 'south'])
})
