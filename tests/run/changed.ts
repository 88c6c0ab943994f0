/** `npm run test:changed`: the tests that a change can break, found by following imports. */
import { dirname } from 'node:path'
import { packageProgram, printedBy } from './program.ts'

export interface Module {
  source: string
  dependencies: readonly string[]
}

export const TEST = /\.(test|e2e|system)\.tsx?$/
/** They start whole programs and take minutes: only one that was itself changed runs. */
const SYSTEM = /\.system\.ts$/
/** Puts everything together: behind it stands the whole server, whatever a test is about. */
const COMPOSITION = 'apps/server/src/contexts.ts'
/** What a test in the browser or of the whole product is about, by its name; these look at everything and run when a call changes. */
export const WALKS = /^tests\/integration\/(ladder|bad-input|masking|conventions|columns)[\w-]*\.test\.ts$/
const CALLS = /^(packages\/contract\/src\/|apps\/server\/src\/.*calls\.ts$|apps\/server\/src\/(platform|gateway)\/)/

/** The area a file belongs to, e.g. `people`; null where it belongs to none. */
export const areaOf = (path: string): string | null =>
  /^(?:apps\/server\/src\/contexts|apps\/console\/src\/features|packages\/contract\/src)\/([^/.]+)\//.exec(path)?.[1] ??
  /^tests\/(?:e2e|integration)\/([\w]+)[\w-]*\.(?:e2e|test)\.ts$/.exec(path)?.[1] ??
  null

/**
 * Return the tests among `modules` that a change of these files can break: those that import one of them, directly or not, and those
 * that ask a server about them. A test of a folder is about the modules of that folder: it asks through HTTP and imports none of them.
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

/** Tests that what differs from a commit can break. @param since absent: what is not committed yet */
export async function testsOfChange(since = 'HEAD'): Promise<{ changed: string[]; tests: string[] }> {
  const [differing, untracked] = await Promise.all([
    printedBy(['git', 'diff', '--name-only', '--no-renames', since, '--'], { empty: true }),
    printedBy(['git', 'ls-files', '--others', '--exclude-standard'], { empty: true }),
  ])
  const changed = [...new Set([...linesOf(differing), ...linesOf(untracked)])]
  return { changed, tests: affectedTests(await readModules(), changed) }
}
