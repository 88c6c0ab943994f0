/** Makes a signed upgrade package of a folder: `manifest.json` completed by the SHA-256 of every file, its signature, and the files. */
import { createHash, type KeyObject } from 'node:crypto'
import { createReadStream, readFileSync, statSync } from 'node:fs'
import { open, readdir, rm } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { DEVICE_PACKAGE_MAX } from '@gatehouse/contract/limits'
import { MANIFEST_NAME, packageManifest, SIGNATURE_NAME } from '@gatehouse/contract/upgrades/package'
import { TAR_BLOCK, tarHeader, tarPadding } from '@gatehouse/contract/upgrades/tar'
import { signatureFile } from './sign.ts'
import { SigningRefused } from './signing-key.ts'

/** Most bytes of a name in the header of a tar. */
const NAME_MAX = 100

/**
 * Make a package. A failure leaves no file behind.
 *
 * @param folder with a `manifest.json`, whose `files` are filled in
 * @returns MD5 of the package, which its upload names
 * @throws SigningRefused with a sentence
 */
export async function makePackage({ folder, target, key }: { folder: string; target: string; key: KeyObject }): Promise<{ md5: string }> {
  const names = await filesIn(folder)
  const files: Record<string, string> = {}
  for (const name of names) files[name] = await digestOf(join(folder, name), 'sha256')
  const manifest = Buffer.from(manifestOf(folder, files))
  const to = await open(target, 'wx').catch((error: Error) => {
    throw new SigningRefused(`${target} cannot be written: ${error.message}`)
  })
  try {
    for (const [name, bytes] of [
      [MANIFEST_NAME, manifest],
      [SIGNATURE_NAME, Buffer.from(signatureFile(manifest, key))],
    ] as const)
      await to.writeFile(Buffer.concat([tarHeader(name, bytes.length), bytes, Buffer.alloc(tarPadding(bytes.length))]))
    for (const name of names) {
      const { size } = statSync(join(folder, name))
      await to.writeFile(tarHeader(name, size))
      await to.writeFile(createReadStream(join(folder, name)))
      await to.writeFile(Buffer.alloc(tarPadding(size)))
    }
    await to.writeFile(Buffer.alloc(2 * TAR_BLOCK))
    const { size } = await to.stat()
    if (size > DEVICE_PACKAGE_MAX) throw new SigningRefused(`The package has ${size} bytes, and may have ${DEVICE_PACKAGE_MAX}.`)
  } catch (error) {
    await rm(target)
    throw error
  } finally {
    await to.close()
  }
  return { md5: await digestOf(target, 'md5') }
}

/** Return the paths of the files of a folder, in order, without the manifest and the signature. */
async function filesIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true, recursive: true }).catch(() => {
    throw new SigningRefused(`There is no folder ${folder}.`)
  })
  const names: string[] = []
  for (const entry of entries) {
    const name = relative(folder, join(entry.parentPath, entry.name)).split(sep).join('/')
    if (entry.isDirectory() || name === MANIFEST_NAME || name === SIGNATURE_NAME) continue
    if (!entry.isFile()) throw new SigningRefused(`"${name}" is no plain file: terminals take no links.`)
    if (Buffer.byteLength(name) > NAME_MAX || !/^[\x20-\x7e]+$/.test(name))
      throw new SigningRefused(`"${name}" is no name for a package: at most ${NAME_MAX} letters, digits and signs of ASCII.`)
    names.push(name)
  }
  return names.toSorted()
}

function manifestOf(folder: string, files: Record<string, string>): string {
  const path = join(folder, MANIFEST_NAME)
  let claims: object
  try {
    claims = JSON.parse(readFileSync(path, 'utf8')) as object
  } catch (error) {
    throw new SigningRefused(`${path} cannot be read: ${(error as Error).message}`)
  }
  const whole = { ...claims, files }
  const { error } = packageManifest.safeParse(whole)
  if (error !== undefined) throw new SigningRefused(`${path} is wrong at ${error.issues[0]?.path.join('.') ?? ''}.`)
  return `${JSON.stringify(whole, null, 2)}\n`
}

async function digestOf(path: string, algorithm: 'sha256' | 'md5'): Promise<string> {
  const digest = createHash(algorithm)
  await pipeline(createReadStream(path), digest)
  return digest.digest('hex')
}
