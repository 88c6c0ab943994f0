/** The tests that a fault concerns, in rounds from cheap to expensive. */
import { basename } from 'node:path'
import { affectedTests, areaOf, TEST, WALKS, type Module } from '../changed.ts'

/** Tests that run together. */
export interface Round {
  name: 'own' | 'walks' | 'browser' | 'every screen' | 'all others'
  tests: string[]
}

const OF_THE_SERVER = /^(apps\/server\/src|tests\/integration)\/.*\.test\.ts$/
const EVERY_SCREEN = 'tests/e2e/screens-light.e2e.ts'
/** For a file that all areas share, the tests of this many areas that use it run. */
const USERS = 3

/**
 * Return the areas with most modules that import a shared file, directly or through other shared files; for an area's own file that area.
 */
function areasOf(modules: readonly Module[], path: string): string[] {
  const isOfConsole = path.startsWith('apps/console/')
  const folder = isOfConsole ? 'apps/console/src/features/' : 'apps/server/src/contexts/'
  // Words and the protocol have folders in the contract, but are used by areas.
  const known = new Set(modules.flatMap(({ source }) => (source.startsWith(folder) ? [areaOf(source)] : [])))
  const uses = new Map<string, number>()
  const seen = new Set<string>()
  for (let level = [path]; level.length > 0 && uses.size === 0;) {
    const shared = new Set<string>()
    for (const source of level) {
      seen.add(source)
      const area = areaOf(source)
      if (area === null || !known.has(area)) shared.add(source)
      else uses.set(area, (uses.get(area) ?? 0) + 1)
    }
    level = modules.flatMap(({ source, dependencies }) =>
      !TEST.test(source) &&
      !seen.has(source) &&
      source.startsWith('apps/console/') === isOfConsole &&
      dependencies.some((one) => shared.has(one))
        ? [source]
        : [],
    )
  }
  const most = [...uses].toSorted(([, one], [, other]) => other - one)
  return most.slice(0, USERS).map(([area]) => area)
}

const plain = (name: string): string => name.replaceAll('-', '').toLowerCase()
const singular = (name: string): string => name.replace(/s$/, '')

/** Whether a browser test is named after a folder of the file, after one of these areas, or after the beginning of the file's name. */
function isNamedAfter(test: string, path: string, areas: readonly string[]): boolean {
  const name = plain(basename(test, '.e2e.ts'))
  const folders = path.split('/src/')[1]!.split('/').slice(1, -1)
  return plain(basename(path)).startsWith(name) || [...folders, ...areas].some((one) => name.includes(singular(plain(one))))
}

/** Return the tests that should detect a fault of this file. If one round passes, the next is run. */
export function concernedTests(modules: readonly Module[], path: string): Round[] {
  const tests = modules.map(({ source }) => source).filter((source) => TEST.test(source))
  const importing = new Set(affectedTests(modules, [path]))
  const isOfConsole = path.startsWith('apps/console/')
  const areas = areasOf(modules, path)
  const isOwn = (test: string): boolean => {
    if (/^(apps\/console|packages\/contract)\//.test(test)) return importing.has(test)
    if (isOfConsole) return false
    const isOfPlatform = path.startsWith('apps/server/src/platform/')
    const isNamedSo =
      test.startsWith('tests/integration/') &&
      path.split('/').some((part) => plain(part).startsWith(singular(plain(basename(test, '.test.ts')))))
    const isOfLayer = isOfPlatform && (test.startsWith('apps/server/src/platform/') || isNamedSo)
    return isOfLayer || (/^(apps\/server|tests\/integration)\//.test(test) && areas.includes(areaOf(test) ?? ''))
  }
  const near = isOfConsole && areaOf(path) === null ? ['shell', ...areas] : areas
  const inBrowser = tests.filter((test) => /^tests\/e2e\/(?!screens-)/.test(test) && isNamedAfter(test, path, near))
  const rounds: Round[] = [
    { name: 'own', tests: tests.filter(isOwn) },
    { name: 'walks', tests: isOfConsole ? [] : tests.filter((test) => WALKS.test(test)) },
    { name: 'browser', tests: inBrowser },
    { name: 'every screen', tests: isOfConsole ? tests.filter((test) => test === EVERY_SCREEN) : [] },
  ]
  const tried = new Set(rounds.flatMap((round) => round.tests))
  // Tests of other areas may cover answers of this area of the server.
  const others = tests.filter((test) => !isOfConsole && OF_THE_SERVER.test(test) && !tried.has(test))
  rounds.push({ name: 'all others', tests: others })
  return rounds.filter((round) => round.tests.length > 0)
}
