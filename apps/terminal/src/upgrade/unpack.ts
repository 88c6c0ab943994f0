/**
 * An opened package. Its signature is checked on the very bytes that are unpacked, through one open file, so that replacing the file in
 * between has no effect.
 */
import { createHash } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { open, type FileHandle } from 'node:fs/promises'
import { dirname, join, sep } from 'node:path'
import {
  MANIFEST_MAX,
  MANIFEST_NAME,
  packageManifest,
  packagePath,
  SIGNATURE_MAX,
  SIGNATURE_NAME,
  uncoveredIn,
  type PackageManifest,
} from '@gatehouse/contract/upgrades/package'
import { tarEntries, TarFault, type TarEntry } from '@gatehouse/contract/upgrades/tar'
import { syncFolder } from './pointer.ts'
import { PackageRefused } from './refused.ts'
import { demandSignature, type TrustedKeys } from './trust.ts'

const CHUNK = 1_048_576

const invalid = (sentence: string): never => {
  throw new PackageRefused('packageInvalid', sentence)
}

/** A package whose signature is valid, and which contains exactly the files its manifest names. */
export interface Package {
  readonly manifest: PackageManifest
  /**
   * Unpack it into an empty folder, and sync it.
   * @throws PackageRefused if the content of a file is not what was signed
   */
  unpack(folder: string): Promise<void>
}

/**
 * Open a package, and do some work while it is open.
 * @throws PackageRefused if it is not signed by one of the keys, before any of it is written
 */
export async function withPackage<T>(path: string, keys: TrustedKeys, work: (opened: Package) => T | Promise<T>): Promise<T> {
  const file = await open(path, 'r')
  try {
    return await work(await opened(file, keys))
  } catch (error) {
    if (error instanceof TarFault) throw new PackageRefused(error.kind === 'notTar' ? 'notTar' : 'packageInvalid', error.message)
    throw error
  } finally {
    await file.close()
  }
}

async function opened(file: FileHandle, keys: TrustedKeys): Promise<Package> {
  const entries: Located[] = []
  const { size } = await file.stat()
  for await (const entry of tarEntries((at, length) => bytesAt(file, at, length), size)) {
    const path = packagePath(entry.name)
    if (path === null) return invalid(`The package holds "${entry.name}", which lies outside of it.`)
    if (entry.type === 'other') invalid(`The package holds "${entry.name}", which is neither file nor folder.`)
    entries.push({ ...entry, path })
  }
  const files = entries.filter(({ type }) => type === 'file')
  const [head, seal, ...contents] = files
  if (head?.path !== MANIFEST_NAME || head !== entries[0] || head.size > MANIFEST_MAX)
    return invalid('The package does not begin with its manifest.json.')
  const bytes = await bytesAt(file, head.at, head.size)
  const isSigned = seal?.path === SIGNATURE_NAME && seal === entries[1] && seal.size <= SIGNATURE_MAX
  const signature = isSigned ? await bytesAt(file, seal.at, seal.size) : Buffer.alloc(0)
  // The content of the manifest is not used before its signature is checked.
  demandSignature(keys, bytes, signature.toString('latin1'))
  const manifest = readManifest(bytes.toString('utf8'))
  const uncovered = uncoveredIn(
    manifest,
    contents.map(({ path }) => path),
  )
  if (uncovered !== null) invalid(UNCOVERED[uncovered.fault](uncovered.name))
  return {
    manifest,
    async unpack(folder) {
      const made = new Set([folder])
      for (const { path, type } of entries) {
        const parent = type === 'folder' ? join(folder, path) : dirname(join(folder, path))
        mkdirSync(parent, { recursive: true, mode: 0o755 })
        for (let above = parent; above.startsWith(folder + sep); above = dirname(above)) made.add(above)
      }
      await writeOut(join(folder, MANIFEST_NAME), bytes)
      await writeOut(join(folder, SIGNATURE_NAME), signature)
      for (const entry of contents) {
        const digest = await copyOut(file, entry, join(folder, entry.path))
        if (manifest.files[entry.path] !== digest) throw new PackageRefused('md5', `"${entry.path}" of the package is damaged.`)
      }
      for (const one of made) syncFolder(one)
    },
  }
}

/** An entry with its path inside the package's folder. */
interface Located extends TarEntry {
  path: string
}

const UNCOVERED = {
  unlisted: (name: string) => `The package holds "${name}", which its manifest does not name.`,
  twice: (name: string) => `The package holds "${name}" twice.`,
  missing: (name: string) => `"${name}" is missing in the package.`,
} as const

function readManifest(text: string): PackageManifest {
  let content: unknown
  try {
    content = JSON.parse(text)
  } catch {
    return invalid('The manifest of the package is no JSON.')
  }
  const parsed = packageManifest.safeParse(content)
  return parsed.success ? parsed.data : invalid(`The manifest of the package is wrong at ${parsed.error.issues[0]?.path.join('.') ?? ''}.`)
}

async function bytesAt(file: FileHandle, at: number, length: number): Promise<Buffer> {
  const bytes = Buffer.alloc(length)
  const { bytesRead } = await file.read(bytes, 0, length, at)
  return bytes.subarray(0, bytesRead)
}

async function writeOut(target: string, bytes: Uint8Array): Promise<void> {
  const to = await open(target, 'wx', 0o644)
  try {
    await to.writeFile(bytes)
    await to.sync()
  } finally {
    await to.close()
  }
}

/** @returns SHA-256 of the bytes written */
async function copyOut(from: FileHandle, { at, size }: TarEntry, target: string): Promise<string> {
  const digest = createHash('sha256')
  const to = await open(target, 'wx', 0o644)
  try {
    for (let done = 0; done < size;) {
      const bytes = await bytesAt(from, at + done, Math.min(CHUNK, size - done))
      if (bytes.length === 0) invalid('The package ends in the middle.')
      digest.update(bytes)
      await to.writeFile(bytes)
      done += bytes.length
    }
    await to.sync()
  } finally {
    await to.close()
  }
  return digest.digest('hex')
}
