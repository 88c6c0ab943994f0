/** Results that a test run computes once and keeps for all its processes: bytes by name, in a folder that is deleted with the run. */
import { createHash, randomUUID } from 'node:crypto'
import { existsSync, globSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Environment variable with the folder of a run's memo; absent outside a test run. The folder is made for the run and deleted with it. */
const FOLDER = 'RUN_MEMO'

const ROOT = join(import.meta.dirname, '..', '..', '..')

/**
 * Start a run's memo for this process and those it starts from now on. Inside a run nothing is started. @returns a function that ends it
 */
export function startRunMemo(): () => void {
  if (process.env[FOLDER] !== undefined) return () => {}
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-run-'))
  process.env[FOLDER] = folder
  return () => {
    delete process.env[FOLDER]
    rmSync(folder, { recursive: true, force: true })
  }
}

export interface RunMemo {
  read(key: string): Uint8Array | null
  /** Store a result. It is written to another file and renamed, so that nobody reads half of it. */
  write(key: string, bytes: Uint8Array): void
}

/** Return the memo of the run this process belongs to; null outside a run. */
export function runMemo(): RunMemo | null {
  const folder = process.env[FOLDER]
  if (folder === undefined) return null
  return {
    read(key) {
      const file = join(folder, key)
      return existsSync(file) ? readFileSync(file) : null
    },
    write(key, bytes) {
      mkdirSync(folder, { recursive: true })
      const unfinished = join(folder, randomUUID())
      writeFileSync(unfinished, bytes)
      renameSync(unfinished, join(folder, key))
    },
  }
}

/** Digests of the files that results depend on besides their inputs, by pattern; each is read once. */
const digests = new Map<string, string>()

/** Return the key of a result. @param ingredients patterns of the sources that determine it @param inputs what it was made of */
export function memoKey(ingredients: readonly string[], ...inputs: (string | Uint8Array)[]): string {
  const hash = createHash('sha256').update(digestOf(ingredients))
  for (const part of inputs) hash.update(`${part.length} `).update(part)
  return hash.digest('hex')
}

function digestOf(ingredients: readonly string[]): string {
  const cached = digests.get(ingredients.join())
  if (cached !== undefined) return cached
  const hash = createHash('sha256')
  for (const file of globSync([...ingredients], { cwd: ROOT }).toSorted()) hash.update(file).update(readFileSync(join(ROOT, file)))
  const digest = hash.digest('hex')
  digests.set(ingredients.join(), digest)
  return digest
}
