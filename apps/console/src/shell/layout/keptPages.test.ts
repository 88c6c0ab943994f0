import { expect, test } from 'vitest'
import { keep, KEPT_PAGES_MAX, type KeptPage } from './keptPages.ts'

const visit = (paths: string[]) => paths.reduce<KeptPage<number>[]>((pages, path, at) => keep(pages, { path, content: at }), [])

test('a page shown again takes its newest content and counts as just used', () => {
  expect(visit(['/a', '/b', '/a'])).toEqual([
    { path: '/b', content: 1 },
    { path: '/a', content: 2 },
  ])
})

test('the ninth page drops the one not used for longest', () => {
  const eight = Array.from({ length: KEPT_PAGES_MAX }, (_, at) => `/${at}`)
  const paths = visit([...eight, '/0', '/new']).map(({ path }) => path)
  expect(paths).toHaveLength(KEPT_PAGES_MAX)
  expect(paths).not.toContain('/1')
  expect(paths.slice(-2)).toEqual(['/0', '/new'])
})
