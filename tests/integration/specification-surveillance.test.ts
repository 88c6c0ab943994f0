/** The screens of monitoring and alarms (M09) that the specification names by their titles stand somewhere in the console. */
import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { screens } from '../../apps/console/src/screens.ts'
import { TITLED_ELSEWHERE, TITLED_SCREENS } from '../support/titled-screens.ts'

const file = fileURLToPath(new URL('../../../shared/spec/screens.json', import.meta.url))
const present = existsSync(file)
if (!present) console.warn('Comparison with the specification skipped: ../shared/spec does not stand beside the repository.')

interface Specified {
  id: string
  path: string | null
  module: string
  /** The screen it stands on, where it is known. */
  of?: string
  proposedPath?: string
  notes: string
}

const pathOf = (address: string): string => address.split('?')[0]!
const placesOf = (id: string): string[] => TITLED_SCREENS.filter((screen) => screen.id === id).map(({ at }) => pathOf(at))

test('each place is a screen of the console', () => {
  for (const { at, screen } of TITLED_SCREENS) expect(screens[screen].path, at).toBe(pathOf(at))
})

describe.skipIf(!present)('with the specification beside it', () => {
  const all = present ? (JSON.parse(readFileSync(file, 'utf8')) as Specified[]) : []
  const titled = all.filter(({ path, module }) => path === null && module.startsWith('M09'))

  test('each has a place, in the console or on a screen of another module', () => {
    const ids = [...TITLED_SCREENS, ...TITLED_ELSEWHERE].map(({ id }) => id)
    expect(titled.map(({ id }) => id).toSorted()).toEqual([...new Set<string>(ids)].toSorted())
  })

  test('a place is the one that the specification takes or proposes', () => {
    for (const { id, of, proposedPath } of titled) {
      const place = proposedPath ?? of
      // What stands in the header is on every screen.
      if (place === '/' || TITLED_ELSEWHERE.some((screen) => screen.id === id)) continue
      expect(placesOf(id), id).toContain(place)
    }
  })

  test('what stands on each list of alarms has a place on each', () => {
    const elsewhere: string[] = TITLED_ELSEWHERE.map(({ path }) => path)
    for (const { id, of, notes } of titled.filter((screen) => screen.notes.includes('Stands on'))) {
      const paths = [of!, ...(notes.match(/\/[A-Za-z]+/g) ?? [])].filter((path) => !elsewhere.includes(path))
      expect([...new Set(placesOf(id))].toSorted(), id).toEqual([...new Set(paths)].toSorted())
    }
  })

  test('what stands elsewhere is a screen of that module, which is not built', () => {
    for (const { path, module } of TITLED_ELSEWHERE) {
      expect(all.find((screen) => screen.path === path)?.module).toBe(module)
      expect(Object.values(screens).map((screen): string => screen.path)).not.toContain(path)
    }
  })
})
