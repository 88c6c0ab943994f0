/**
 * What the server can check of a package's signature: whether there is one, whether the manifest names exactly the files of the package,
 * and, if the server has a public key, whether the matching private key made it. Each terminal checks for itself.
 */
import { createPublicKey, verify } from 'node:crypto'
import type { Device } from '@gatehouse/contract/devices/device'
import {
  MANIFEST_MAX,
  MANIFEST_NAME,
  packageClaims,
  packageManifest,
  packagePath,
  SIGNATURE_MAX,
  SIGNATURE_NAME,
  signatureOf,
  TERMINAL_PACKAGE,
  uncoveredIn,
  type PackageClaims,
} from '@gatehouse/contract/upgrades/package'
import { TAR_BLOCK, tarEntries, TarFault, tarHeaderOf } from '@gatehouse/contract/upgrades/tar'
import { parseJson } from '../../platform/http/json.ts'
import type { ReceivedFile } from '../../platform/http/received-file.ts'

/** Claims of a package about itself; null if it makes none, like some packages of other manufacturers. */
export interface Judged {
  claims: PackageClaims | null
  signed: boolean
}

/** A package that is refused, with a rule of `validation.json`. */
export class PackageFault extends Error {
  readonly rule: 'tar' | 'packageManifest' | 'packageFiles' | 'packageSignature'
  readonly params: Record<string, string> | undefined
  constructor(rule: PackageFault['rule'], params?: Record<string, string>) {
    super(rule)
    this.rule = rule
    this.params = params
  }
}

/** Return whether a file starts like a tar archive. */
export async function looksTarred(file: ReceivedFile): Promise<boolean> {
  const first = tarHeaderOf(await file.read(0, TAR_BLOCK))
  return first !== null && first !== 'end'
}

/** Return whether a package may be offered to a device: the software terminal accepts signed ones only. */
export const isOffered = ({ signed }: { signed: boolean }, { apkName }: Pick<Device, 'apkName'>): boolean =>
  signed || apkName !== TERMINAL_PACKAGE

/**
 * Read the claims of a package.
 *
 * @param key public key in PEM; null: only the terminals know whose signature it is
 * @throws PackageFault for a signed package with an invalid signature or manifest, or with other files than its manifest names; and for an
 *   invalid archive
 */
export async function judge(file: ReceivedFile, key: string | null): Promise<Judged> {
  try {
    const [manifest, signature] = await headOf(file)
    if (manifest === null) return { claims: null, signed: false }
    // Packages of other manufacturers may have a manifest of their own format.
    if (signature === null) return { claims: claimsIn(manifest, packageClaims), signed: false }
    const bytes = signatureOf(signature)
    if (bytes === null || (key !== null && !verify(null, manifest, createPublicKey(key), bytes))) throw new PackageFault('packageSignature')
    const claims = claimsIn(manifest, packageManifest)
    if (claims === null) throw new PackageFault('packageManifest')
    const uncovered = uncoveredIn(claims, await namesIn(file))
    if (uncovered !== null) throw new PackageFault('packageFiles', { name: uncovered.name })
    return { claims, signed: true }
  } catch (error) {
    throw error instanceof TarFault ? new PackageFault('tar') : error
  }
}

const reading = (file: ReceivedFile) => tarEntries((at, length) => file.read(at, length), file.size)

/** Return the bytes of the manifest and the text of the signature, if the package starts with them. */
async function headOf(file: ReceivedFile): Promise<[manifest: Buffer | null, signature: string | null]> {
  let manifest: Buffer | null = null
  for await (const { name, type, size, at } of reading(file)) {
    const path = type === 'file' ? packagePath(name) : null
    if (manifest !== null)
      return [manifest, path === SIGNATURE_NAME && size <= SIGNATURE_MAX ? (await file.read(at, size)).toString('latin1') : null]
    if (path !== MANIFEST_NAME) return [null, null]
    if (size > MANIFEST_MAX) throw new PackageFault('packageManifest')
    manifest = await file.read(at, size)
  }
  return [manifest, null]
}

/** Return the paths of the files after the manifest and the signature. */
async function namesIn(file: ReceivedFile): Promise<string[]> {
  const names: string[] = []
  for await (const { name, type } of reading(file)) {
    const path = packagePath(name)
    if (path === null || type === 'other') throw new PackageFault('packageFiles', { name })
    if (type === 'file') names.push(path)
  }
  return names.slice(2)
}

/** Return the claims of a manifest; null if it has none in a known format. */
function claimsIn<Claims extends PackageClaims>(
  bytes: Buffer,
  schema: { safeParse(value: unknown): { success: boolean; data?: Claims } },
): Claims | null {
  try {
    return schema.safeParse(parseJson(bytes.toString('utf8'))).data ?? null
  } catch {
    // It is not JSON.
    return null
  }
}
