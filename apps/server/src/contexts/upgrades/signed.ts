/**
 * What the server knows of the signature of a package: whether there is one, whether the manifest names exactly the files of the package,
 * and, where the server has a public key, whether it was made with the private one. Each terminal judges for itself.
 */
import { createPublicKey, verify } from 'node:crypto'
import type { Device } from '@gatehouse/contract/devices/calls'
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

/** What a package says of itself; claims are null where it says nothing, as one of another maker may. */
export interface Judged {
  claims: PackageClaims | null
  signed: boolean
}

/** A package that is not taken, by a rule of `validation.json`. */
export class PackageFault extends Error {
  readonly rule: 'tar' | 'packageManifest' | 'packageFiles' | 'packageSignature'
  readonly params: Record<string, string> | undefined
  constructor(rule: PackageFault['rule'], params?: Record<string, string>) {
    super(rule)
    this.rule = rule
    this.params = params
  }
}

/** Whether a file begins as a tar does. */
export async function looksTarred(file: ReceivedFile): Promise<boolean> {
  const first = tarHeaderOf(await file.read(0, TAR_BLOCK))
  return first !== null && first !== 'end'
}

/** Whether a package may be told to a device: the software terminal takes signed ones only. */
export const isOffered = ({ signed }: { signed: boolean }, { apkName }: Pick<Device, 'apkName'>): boolean =>
  signed || apkName !== TERMINAL_PACKAGE

/**
 * Read what a package says of itself.
 *
 * @param key public key in PEM; null: whose signature it is, only the terminals know
 * @throws PackageFault for a signed manifest nobody can go by, or that does not fit what it stands in front of
 */
export async function judge(file: ReceivedFile, key: string | null): Promise<Judged> {
  try {
    const [manifest, signature] = await headOf(file)
    if (manifest === null) return { claims: null, signed: false }
    // Others may have a manifest of their own kind.
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

/** The bytes of the manifest and the text of the signature, as far as the package begins with them. */
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

/** Paths of the files behind the manifest and the signature. */
async function namesIn(file: ReceivedFile): Promise<string[]> {
  const names: string[] = []
  for await (const { name, type } of reading(file)) {
    const path = packagePath(name)
    if (path === null || type === 'other') throw new PackageFault('packageFiles', { name })
    if (type === 'file') names.push(path)
  }
  return names.slice(2)
}

/** What a manifest says; null where it says nothing we know. */
function claimsIn<Claims extends PackageClaims>(
  bytes: Buffer,
  schema: { safeParse(value: unknown): { success: boolean; data?: Claims } },
): Claims | null {
  try {
    return schema.safeParse(parseJson(bytes.toString('utf8'))).data ?? null
  } catch {
    // No JSON at all.
    return null
  }
}
