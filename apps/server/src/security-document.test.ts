/** docs/security.md answers each requirement of ASVS 4.0.3 up to Level 2 once, and names only files that exist. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const ROOT = join(import.meta.dirname, '../../..')
const text = readFileSync(join(ROOT, 'docs/security.md'), 'utf8')

/** Sections, with the numbers of Level 1 and 2 in each; requirements that the standard deleted, or has at Level 3 only, are left out. */
const REQUIREMENTS: Record<string, string> = {
  '1.1': '1-7',
  '1.2': '1-4',
  '1.4': '1 4 5',
  '1.5': '1-4',
  '1.6': '1-4',
  '1.7': '1-2',
  '1.8': '1-2',
  '1.9': '1-2',
  '1.10': '1',
  '1.11': '1-2',
  '1.12': '2',
  '1.14': '1-6',
  '2.1': '1-12',
  '2.2': '1-3',
  '2.3': '1-3',
  '2.4': '1-5',
  '2.5': '1-7',
  '2.6': '1-3',
  '2.7': '1-6',
  '2.8': '1-7',
  '2.9': '1-3',
  '2.10': '1-4',
  '3.1': '1',
  '3.2': '1-4',
  '3.3': '1-4',
  '3.4': '1-5',
  '3.5': '1-3',
  '3.7': '1',
  '4.1': '1-3 5',
  '4.2': '1-2',
  '4.3': '1-3',
  '5.1': '1-5',
  '5.2': '1-8',
  '5.3': '1-10',
  '5.4': '1-3',
  '5.5': '1-4',
  '6.1': '1-3',
  '6.2': '1-6',
  '6.3': '1-2',
  '6.4': '1-2',
  '7.1': '1-4',
  '7.2': '1-2',
  '7.3': '1 3 4',
  '7.4': '1-3',
  '8.1': '1-4',
  '8.2': '1-3',
  '8.3': '1-8',
  '9.1': '1-3',
  '9.2': '1-4',
  '10.2': '1-2',
  '10.3': '1-3',
  '11.1': '1-8',
  '12.1': '1-3',
  '12.2': '1',
  '12.3': '1-6',
  '12.4': '1-2',
  '12.5': '1-2',
  '12.6': '1',
  '13.1': '1 3-5',
  '13.2': '1-3 5 6',
  '13.3': '1-2',
  '13.4': '1-2',
  '14.1': '1-4',
  '14.2': '1-6',
  '14.3': '2-3',
  '14.4': '1-7',
  '14.5': '1-4',
}

const numbersOf = (ranges: string): number[] =>
  ranges.split(' ').flatMap((range) => {
    const [from, to = from] = range.split('-').map(Number)
    return Array.from({ length: to! - from! + 1 }, (_, at) => from! + at)
  })

test('each requirement is answered once', () => {
  const asked = Object.entries(REQUIREMENTS).flatMap(([section, ranges]) => numbersOf(ranges).map((number) => `${section}.${number}`))
  const rows = [...text.matchAll(/^\| (\d[\d., ]*) \| (\S+) \|/gm)]
  expect(rows.flatMap(([, numbers]) => numbers!.split(', ')).toSorted()).toEqual(asked.toSorted())
  expect([...new Set(rows.map(([, , answer]) => answer))].toSorted()).toEqual(['n/a', 'no', 'part', 'yes'])
})

test('each file that is named exists', () => {
  const named = [...text.matchAll(/`([\w./-]+\/[\w./-]+\.ts|[\w-]+\.test\.ts)`/g)].map(([, path]) => path!)
  expect(named.length).toBeGreaterThan(50)
  const pathOf = (path: string) => join(ROOT, /^(apps|packages|tests)\//.test(path) ? path : `apps/server/src/${path}`)
  expect(named.filter((path) => !existsSync(pathOf(path)))).toEqual([])
  const links = [...text.matchAll(/\]\(([\w./-]+\.md)/g)].map(([, path]) => path!)
  expect(links.filter((path) => !existsSync(join(ROOT, 'docs', path)))).toEqual([])
})
