/** Photographs for tests and benchmarks: real people where their folder lies beside the repository, else drawn ones. */
import { existsSync, readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DISTINCT_PORTRAITS } from '@gatehouse/face-engine'
import { portraitVariant } from './portraits.ts'

/** One person, with several photographs of the same face. */
export interface PhotographedPerson {
  /** Stable key, e.g. `colin_powell`. */
  identity: string
  name: string
  /** How many photographs there are. */
  count: number
  /** Return a photograph; the first has number 1. */
  photo(number: number): Promise<Buffer>
}

export interface Photographs {
  /** Drawn people can be told apart as real ones can, but show nothing about how well real ones would be recognised. */
  kind: 'real' | 'drawn'
  people: readonly PhotographedPerson[]
  /** @throws Error for an identity that is not among them */
  person(identity: string): PhotographedPerson
  /** Return a picture of the folder `odd`, e.g. `huge_144mp_flat.png`; null where the real ones are absent. */
  odd(file: string): Promise<Buffer | null>
}

const FOLDER = join(import.meta.dirname, '../../../../shared/data/faces')
const DRAWN_PHOTOS = 3

/** Open the real photographs, or the drawn ones where there are none. */
export function openPhotographs(): Photographs {
  const kind = existsSync(join(FOLDER, 'index.json')) ? 'real' : 'drawn'
  const people = kind === 'real' ? realPeople() : drawnPeople()
  return {
    kind,
    people,
    person(identity) {
      const found = people.find((one) => one.identity === identity)
      if (found === undefined) throw new Error(`there is no photograph of ${identity} among the ${kind} ones`)
      return found
    },
    odd: async (file) => (kind === 'real' ? readFile(join(FOLDER, 'odd', file)) : null),
  }
}

function realPeople(): PhotographedPerson[] {
  const index = JSON.parse(readFileSync(join(FOLDER, 'index.json'), 'utf8')) as { identity: string; name: string; file: string }[]
  const files = Map.groupBy(index, (entry) => entry.identity)
  return [...files].map(([identity, entries]) => ({
    identity,
    name: entries[0]!.name,
    count: entries.length,
    photo: (number) => readFile(join(FOLDER, entries[number - 1]!.file)),
  }))
}

function drawnPeople(): PhotographedPerson[] {
  return DISTINCT_PORTRAITS.map((seed) => ({
    identity: `drawn_${seed}`,
    name: `Drawn ${seed}`,
    count: DRAWN_PHOTOS,
    photo: (number) => portraitVariant(seed, number - 1),
  }))
}
