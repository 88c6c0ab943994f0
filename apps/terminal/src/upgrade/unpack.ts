/** Unpacks a tar: plain files below one folder, each on the disk before the next. */
import { createHash } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { open, type FileHandle } from 'node:fs/promises'
import { dirname, join, sep } from 'node:path'
import { MANIFEST_MAX, MANIFEST_NAME, packageManifest, type PackageManifest } from '@gatehouse/contract/upgrades/package'
import { extendedNameOf, TAR_BLOCK, tarHeaderOf, tarPadding, type TarHeader } from '@gatehouse/contract/upgrades/tar'
import { syncFolder } from './pointer.ts'
import { PackageRefused } from './refused.ts'

const CHUNK = 1_048_576
/** Bytes of a name that stands in a content of its own. */
const NAME_MAX = 64 * 1024

const invalid = (sentence: string): never => {
  throw new PackageRefused('packageInvalid', sentence)
}

interface Entry extends TarHeader {
  /** Where its content begins. */
  at: number
}

async function bytesAt(file: FileHandle, at: number, length: number): Promise<Buffer> {
  const bytes = Buffer.alloc(length)
  const { bytesRead } = await file.read(bytes, 0, length, at)
  return bytes.subarray(0, bytesRead)
}

/** Files and folders of a tar in their order. @throws PackageRefused for one that ends too early or holds something else */
async function* entriesOf(file: FileHandle, size: number): AsyncGenerator<Entry> {
  let named: string | null = null
  for (let at = 0; ;) {
    const header = tarHeaderOf(await bytesAt(file, at, TAR_BLOCK))
    if (header === 'end') return
    if (header === null)
      throw new PackageRefused(
        at === 0 ? 'notTar' : 'packageInvalid',
        at === 0 ? 'This is no tar file.' : 'The package ends in the middle.',
      )
    const content = at + TAR_BLOCK
    if (content + header.size > size) invalid('The package ends in the middle.')
    at = content + header.size + tarPadding(header.size)
    if (header.type === 'longName' || header.type === 'extended') {
      if (header.size > NAME_MAX) invalid('A name in the package is too long.')
      const told = await bytesAt(file, content, header.size)
      named = header.type === 'longName' ? told.toString('utf8').split('\0')[0]! : (extendedNameOf(told) ?? named)
      continue
    }
    yield { ...header, name: named ?? header.name, at: content }
    named = null
  }
}

/** A path of the package as one below its folder; empty for the folder itself. */
function inside(name: string): string {
  const parts = name.split('/').filter((part) => part !== '' && part !== '.')
  if (name.startsWith('/') || parts.some((part) => part === '..' || part.includes('\\') || part.includes(':') || part.includes('\0')))
    invalid(`The package holds "${name}", which lies outside of it.`)
  return parts.join('/')
}

/** What a package says of itself. @throws PackageRefused */
export async function manifestOf(path: string): Promise<PackageManifest> {
  const file = await open(path, 'r')
  try {
    for await (const { name, size, type, at } of entriesOf(file, (await file.stat()).size)) {
      if (type !== 'file' || inside(name) !== MANIFEST_NAME || size > MANIFEST_MAX) break
      return readManifest((await bytesAt(file, at, size)).toString('utf8'))
    }
    return invalid('The package does not begin with its manifest.json.')
  } finally {
    await file.close()
  }
}

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

/**
 * Unpacks a package into a folder that is empty, and syncs it.
 * @throws PackageRefused where a file is not what the manifest says, or is missing
 */
export async function unpack(path: string, folder: string, { files, entry }: PackageManifest): Promise<void> {
  const missing = new Set([...Object.keys(files), ...(entry === undefined ? [] : [entry])])
  const made = new Set([folder])
  const file = await open(path, 'r')
  try {
    for await (const { name, size, type, at } of entriesOf(file, (await file.stat()).size)) {
      const below = inside(name)
      if (type === 'other') invalid(`The package holds "${name}", which is neither file nor folder.`)
      const target = join(folder, ...below.split('/'))
      const parent = type === 'folder' ? target : dirname(target)
      mkdirSync(parent, { recursive: true, mode: 0o755 })
      for (let above = parent; above.startsWith(folder + sep); above = dirname(above)) made.add(above)
      if (type === 'folder') continue
      const digest = await copyOut(file, at, size, target)
      if (files[below] !== undefined && files[below] !== digest) throw new PackageRefused('md5', `"${below}" of the package is damaged.`)
      missing.delete(below)
    }
  } finally {
    await file.close()
  }
  for (const name of missing) invalid(`"${name}" is missing in the package.`)
  for (const one of made) syncFolder(one)
}

/** @returns SHA-256 of what was written */
async function copyOut(from: FileHandle, at: number, size: number, target: string): Promise<string> {
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
