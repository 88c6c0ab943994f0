/** Secrets that are created once and stored in DATA_DIR/secrets, readable by the owner only. */
import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync } from 'node:fs'
import { open, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'

export interface Secrets {
  /** Return the file's content, created by `make` if it does not exist; durable before it is used. */
  keep(name: string, make: () => string): Promise<string>
  has(name: string): boolean
  /** Return the file's content; null where there is none. */
  read(name: string): string | null
  drop(name: string): Promise<void>
  /** Rename a secret, atomically and durably, replacing an existing one; do nothing if another process has already done so. */
  rename(from: string, to: string): Promise<void>
}

/** Write a file so that it is either absent or complete, also after a power cut. */
async function writeDurably(path: string, content: string): Promise<void> {
  const draft = `${path}.new`
  const file = await open(draft, 'w', 0o600)
  await file.writeFile(content)
  await file.sync()
  await file.close()
  await rename(draft, path)
  await syncFolder(dirname(path))
}

async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r')
  await folder.sync()
  await folder.close()
}

export function openSecrets(dataDir: string): Secrets {
  const folder = join(dataDir, 'secrets')
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  return {
    async keep(name, make) {
      const path = join(folder, name)
      if (!existsSync(path)) await writeDurably(path, make())
      return readFileSync(path, 'utf8')
    },
    has: (name) => existsSync(join(folder, name)),
    read(name) {
      try {
        return readFileSync(join(folder, name), 'utf8')
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
        throw error
      }
    },
    drop: (name) => rm(join(folder, name), { force: true }),
    async rename(from, to) {
      await rename(join(folder, from), join(folder, to)).catch((error: NodeJS.ErrnoException) => {
        if (error.code !== 'ENOENT') throw error
      })
      await syncFolder(folder)
    },
  }
}

/** Return 32 random bytes, hexadecimal. */
export const randomKey = (): string => randomBytes(32).toString('hex')
