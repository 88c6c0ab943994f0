/** Secrets made once and kept in DATA_DIR/secrets, readable by the owner only. */
import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync } from 'node:fs'
import { open, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'

export interface Secrets {
  /** The file's content, made by `make` at the first asking; durable before it is used. */
  keep(name: string, make: () => string): Promise<string>
  has(name: string): boolean
  /** The file's content; null where there is none. */
  read(name: string): string | null
  drop(name: string): Promise<void>
  /** Puts one in the place of another, at once and durably; nothing where somebody else has done it. */
  rename(from: string, to: string): Promise<void>
}

/** Writes a file so that it is either absent or whole, also after a power cut. */
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

/** 32 random bytes, hexadecimal. */
export const randomKey = (): string => randomBytes(32).toString('hex')
