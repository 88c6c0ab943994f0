/** `npm run test:changed`: the tests that a change can break, found by following imports. */
import { dirname } from 'node:path'
import { packageProgram, printedBy } from './program.ts'

export interface Module {
  source: string
  dependencies: readonly string[]
}

export const TEST = /\.(test|e2e|system)\.tsx?$/
/** System tests start whole programs and take minutes: one runs only if it was itself changed. */
const SYSTEM = /\.system\.ts$/
/** Assembles the whole server: by following its imports, every test would depend on everything. */
const COMPOSITION = 'apps/server/src/contexts.ts'
/**
 * Tests that walk over all calls; they run when a call changes. The subject of other tests in the browser or of the whole product follows
 * from their names.
 */
export const WALKS = /^tests\/integration\/(ladder|bad-input|masking|conventions|columns)[\w-]*\.test\.ts$/
const CALLS = /^(packages\/contract\/src\/|apps\/server\/src\/.*calls\.ts$|apps\/server\/src\/(platform|gateway)\/)/

/** Return the area a file belongs to, e.g. `people`; null where it belongs to none. */
export const areaOf = (path: string): string | null =>
  /^(?:apps\/server\/src\/contexts|apps\/console\/src\/features|packages\/contract\/src)\/([^/.]+)\//.exec(path)?.[1] ??
  /^tests\/(?:e2e|integration)\/([\w]+)[\w-]*\.(?:e2e|test)\.ts$/.exec(path)?.[1] ??
  null

/**
 * Return the tests among `modules` that a change of these files can break: those that import one of them, directly or indirectly, and those
 * that test them through a server. The tests of a folder concern the modules of that folder: they send HTTP requests and import none of
 * them.
 */
export function affectedTests(modules: readonly Module[], changed: readonly string[]): string[] {
  const bySource = new Map(modules.map((module) => [module.source, module]))
  const inFolder = Map.groupBy(
    modules.filter(({ source }) => !TEST.test(source)),
    ({ source }) => dirname(source),
  )
  const isChanged = new Set(changed)
  const areas = new Set(changed.map(areaOf).filter((area) => area !== null))
  const callsChanged = changed.some((path) => CALLS.test(path))

  function reaches(start: string): boolean {
    const waiting = [start, ...(start.startsWith('apps/server/') ? (inFolder.get(dirname(start)) ?? []).map(({ source }) => source) : [])]
    const seen = new Set(waiting)
    for (const source of waiting) {
      if (isChanged.has(source)) return true
      if (source === COMPOSITION) continue
      for (const next of bySource.get(source)?.dependencies ?? []) {
        if (seen.has(next)) continue
        seen.add(next)
        waiting.push(next)
      }
    }
    return false
  }

  const isAbout = (test: string): boolean => {
    if (SYSTEM.test(test)) return isChanged.has(test)
    if (WALKS.test(test) && callsChanged) return true
    const area = areaOf(test)
    return (test.startsWith('tests/') && area !== null && areas.has(area)) || reaches(test)
  }
  return modules.flatMap(({ source }) => (TEST.test(source) && isAbout(source) ? [source] : []))
}

interface Cruise {
  modules: { source: string; dependencies: { resolved: string }[] }[]
}

/** Follow the imports of all sources. */
export async function readModules(): Promise<Module[]> {
  const program = packageProgram('dependency-cruiser', 'depcruise')
  const folders = ['apps', 'packages', 'tests']
  const exclude = ['--exclude', 'node_modules|tests/architecture/fixtures|/dist/']
  const text = await printedBy([...program, '--config', '.dependency-cruiser.cjs', '--output-type', 'json', ...exclude, ...folders])
  return (JSON.parse(text) as Cruise).modules.map(({ source, dependencies }) => ({
    source,
    dependencies: dependencies.map(({ resolved }) => resolved),
  }))
}

const linesOf = (text: string): string[] => text.split('\n').filter((line) => line !== '')

/** Return the tests that the differences from a commit can break. @param since absent: uncommitted changes */
export async function testsOfChange(since = 'HEAD'): Promise<{ changed: string[]; tests: string[] }> {
  const [differing, untracked] = await Promise.all([
    printedBy(['git', 'diff', '--name-only', '--no-renames', since, '--'], { empty: true }),
    printedBy(['git', 'ls-files', '--others', '--exclude-standard'], { empty: true }),
  ])
  const changed = [...new Set([...linesOf(differing), ...linesOf(untracked)])]
  return { changed, tests: affectedTests(await readModules(), changed) }
}
