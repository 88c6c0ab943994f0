import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { LANGUAGES } from '@gatehouse/contract'
import { MENU_GROUPS } from '../screenDeclaration.ts'
import { screenEntries } from '../screens.ts'
import { featureTexts, namespaceOf, shellTexts, type TextTree } from './namespaces.ts'

const here = import.meta.dirname
const contract = path.join(here, '../../../../packages/contract/src/i18n')

const filesOf = (folder: string): Record<string, TextTree> =>
  Object.fromEntries(globSync(path.join(folder, '*.json')).map((file) => [file, JSON.parse(readFileSync(file, 'utf8')) as TextTree]))

/** Return the dotted keys of a language by namespace; plural and context endings are kept. */
function keysOf(language: string): Map<string, Set<string>> {
  const shared = Object.entries(filesOf(path.join(contract, language))).map(([file, texts]) => [namespaceOf(file), texts] as const)
  const features = featureTexts(filesOf(path.join(here, language)), filesOf(path.join(contract, language, 'operations')))
  const shell = shellTexts(features['shell']!, filesOf(path.join(here, language, 'titles')))
  const flat = (value: unknown, prefix: string): string[] =>
    typeof value === 'object' && value !== null
      ? Object.entries(value).flatMap(([key, inner]) => flat(inner, prefix ? `${prefix}.${key}` : key))
      : [prefix]
  return new Map([...shared, ...Object.entries({ ...features, shell })].map(([namespace, texts]) => [namespace, new Set(flat(texts, ''))]))
}
const keys = keysOf('en')
const has = (namespace: string, key: string): boolean => {
  const known = keys.get(namespace)
  return known !== undefined && (known.has(key) || known.has(`${key}_other`))
}

describe.each(LANGUAGES.filter((language) => language !== 'en'))('%s', (language) => {
  test('has the same texts as English, one by one [BEH-009]', () => {
    const other = keysOf(language)
    for (const [namespace, texts] of keys) expect([...(other.get(namespace) ?? [])].toSorted(), namespace).toEqual([...texts].toSorted())
  })
})

test('every screen and menu group has a title', () => {
  const missing = [...screenEntries.map(([name]) => `title.${name}`), ...MENU_GROUPS.map((group) => `menu.${group}`)].filter(
    (key) => !has('shell', key),
  )
  expect(missing).toEqual([])
})

test('everything that changes are noted of has a name in the operation log', () => {
  const sources = globSync(path.join(here, '../../../server/src/**/*.ts')).filter((file) => !file.includes('.test.'))
  const noted = sources.flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(/audit\.note\(\{\s*entity: '(\w+)'/g)].map(([, entity]) => entity!),
  )
  expect(new Set(noted).size).toBeGreaterThan(20)
  expect([...new Set(noted)].filter((entity) => !has('audit', `entity.${entity}`))).toEqual([])
})

test('every form that the palette offers is named by what it does', () => {
  const forms = screenEntries.filter(([, { kind, unoffered, path: address }]) => kind === 'form' && !unoffered && !address.includes('{'))
  expect(forms.length).toBeGreaterThan(5)
  expect(forms.map(([name]) => `palette.do.${name}`).filter((key) => !has('shell', key))).toEqual([])
})

test('every text that is asked for by name exists', () => {
  const sources = globSync(path.join(here, '../**/*.{ts,tsx}')).filter((file) => !file.includes('.test.'))
  expect(sources.length).toBeGreaterThan(50)
  const missing = sources.flatMap((file) => {
    // Without comments: keys in their examples are not used.
    const code = readFileSync(file, 'utf8').replace(/\/\*[\s\S]*?\*\//g, '')
    const own = /useTranslation\('(\w+)'\)/.exec(code)?.[1] ?? 'common'
    return (
      [...code.matchAll(/\bt\('([^']+)'/g)]
        .map(([, key = '']) => (key.includes(':') ? key.split(':') : [own, key]))
        // A file with several components may use several namespaces.
        .filter(
          ([namespace = '', key = '']) =>
            !has(namespace, key) &&
            ![...code.matchAll(/useTranslation\('(\w+)'\)|useTranslation\(\)/g)].some(([, other = 'common']) => has(other, key)),
        )
        .map(([namespace, key]) => `${path.relative(here, file)}: ${namespace}:${key}`)
    )
  })
  expect(missing).toEqual([])
})
