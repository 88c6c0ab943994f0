/** Real photographs for tests; they lie beside the repository and are never part of it. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const FOLDER = join(import.meta.dirname, '../../../../../shared/data/faces')

export interface PhotographEntry {
  identity: string
  file: string
}
export interface OddPhotographEntry {
  file: string
  kind: string
  /** Business code the photograph must get, 0 for accepted, null where several are right. */
  expected_code: number | null
}

/** Null where there are no photographs; the reason is printed once. */
export const photographs = existsSync(join(FOLDER, 'index.json'))
  ? {
      read: (file: string): Buffer => readFileSync(join(FOLDER, file)),
      good: list<PhotographEntry>('index.json'),
      odd: list<OddPhotographEntry>('odd/index.json'),
    }
  : null

if (!photographs) process.stdout.write(`Without real photographs: ${FOLDER} does not exist, tests that need them are skipped.\n`)

function list<Entry>(file: string): Entry[] {
  return JSON.parse(readFileSync(join(FOLDER, file), 'utf8')) as Entry[]
}
