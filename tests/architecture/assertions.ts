/** Checks that `as unknown as` is used in one file of each package only: there the compiler cannot verify the type. */
import { isGenerated, isTest, sourcesIn, textOf } from './sources.ts'

/** The file of each package that may use such an assertion; a package without an entry has none. */
const ASSERTING_FILES: Readonly<Record<string, string>> = {
  'apps/server': 'apps/server/src/platform/database/column-list.ts',
  'packages/access-rules': 'packages/access-rules/src/cases/passage.ts',
  bench: 'bench/ingest-devices.ts',
}

const packageOf = (file: string): string => /^(apps|packages)\/[^/]+|^[^/]+/.exec(file)![0]

/** Find assertions through `unknown` outside the file of their package, as `file:line`. */
export const scatteredAssertionsIn = (folder: string): string[] =>
  sourcesIn(folder, '{apps,packages,bench}/**/*.{ts,tsx}')
    .filter((file) => !isTest(file) && !isGenerated(file) && file !== ASSERTING_FILES[packageOf(file)])
    .flatMap((file) => {
      const text = textOf(folder, file)
      return [...text.matchAll(/\bas\s+unknown\s+as\b/g)].map(({ index }) => `${file}:${text.slice(0, index).split('\n').length}`)
    })
