import { expect, test } from 'vitest'
import { best, inOrder, rankOf, SHOWN, type Found } from './found.ts'
import { objectOf } from './otherNames.ts'

const found = (key: string, rank: number): Found => ({ key, label: key, rank, run: () => {} })

test('what is typed exactly comes first, then what begins with it, then what holds it', () => {
  const words = ['East gate', 'DEMO-1']
  expect(['east gate', 'demo', 'ATE', 'gate east', 'gate west', ' DEMO-1 ', ''].map((typed) => rankOf(typed, words))).toEqual([
    3, 2, 1, 1, 0, 3, 1,
  ])
  expect(best([found('a', 1), found('b', 0), found('c', 3), found('d', 2)]).map(({ key }) => key)).toEqual(['c', 'd', 'a'])
  expect(best(Array.from({ length: 9 }, (_, at) => found(`${at}`, 1)))).toHaveLength(SHOWN)
  const groups = [
    { heading: 'pages', found: [found('a', 1)] },
    { heading: 'people', found: [] },
    { heading: 'devices', found: [found('b', 3)] },
    { heading: 'actions', found: [found('c', 1)] },
  ]
  expect(inOrder(groups).map(({ heading }) => heading)).toEqual(['devices', 'pages', 'actions'])
})

test('a text that asks for something to be done says to whom or what, in each language', () => {
  expect(objectOf('open', '开门 东门')).toBe('东门')
  expect(objectOf('open', '東門開門')).toBe('東門')
  expect(objectOf('open', 'Open East gate')).toBe('East gate')
  expect(objectOf('open', 'East gate open')).toBe('East gate')
  expect(objectOf('open', '开门')).toBe('')
  expect(['开东门', '打开东门', '東門打開', '開東門'].map((typed) => objectOf('open', typed))).toEqual(['东门', '东门', '東門', '東門'])
  expect(objectOf('open', '东门公开')).toBeUndefined()
  expect(objectOf('open', 'opened gate')).toBeUndefined()
  expect(objectOf('disable', '停用王伟')).toBe('王伟')
  expect(objectOf('disable', 'block Ada')).toBe('Ada')
  expect(objectOf('enable', 'block Ada')).toBeUndefined()
})
