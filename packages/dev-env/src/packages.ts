/** Upgrade packages made in memory, for tests and the simulator: a plain ustar with the manifest and its signature first. */
import { createHash, generateKeyPairSync, type KeyObject } from 'node:crypto'
import type { InputOf } from '@gatehouse/contract'
import { updateType } from '@gatehouse/contract/enums/devices'
import { upgradeCalls, type VersionFields } from '@gatehouse/contract/upgrades/calls'
import { MANIFEST_NAME, SIGNATURE_NAME, TERMINAL_PACKAGE, type PackageManifest } from '@gatehouse/contract/upgrades/package'
import { TAR_BLOCK, tarHeader, tarPadding } from '@gatehouse/contract/upgrades/tar'
import { ADMIN } from './administrator.ts'
import { confirmPassword, type Client } from './client.ts'
import { publicPem, signatureFile } from './signing/sign.ts'

type Content = string | Uint8Array
type Files = Readonly<Record<string, Content>>

/** Key pair that signs the packages of this process. No other process has the private key. */
const signer = generateKeyPairSync('ed25519')

/** Its public key in PEM, for installations that accept these packages. */
export const PACKAGE_KEY = publicPem(signer.publicKey)

/** Return a tar of these files in their order; names have at most 100 bytes. */
export function tarOf(files: Files): Buffer {
  const parts = Object.entries(files).flatMap(([name, content]) => {
    const bytes = Buffer.from(content as Uint8Array)
    return [tarHeader(name, bytes.length), bytes, Buffer.alloc(tarPadding(bytes.length))]
  })
  return Buffer.concat([...parts, Buffer.alloc(2 * TAR_BLOCK)])
}

/** Return the digests of these files for a manifest. */
export const digestsOf = (files: Files): Record<string, string> =>
  Object.fromEntries(
    Object.entries(files).map(([name, content]) => [
      name,
      createHash('sha256')
        .update(content as Uint8Array)
        .digest('hex'),
    ]),
  )

/** Return a package of the software terminal, signed by this process. @param signedBy another key, or nobody */
export function packageOf(
  manifest: Partial<PackageManifest> & Pick<PackageManifest, 'versionNumber'>,
  files: Files = {},
  { signedBy = signer.privateKey }: { signedBy?: KeyObject | null } = {},
): Buffer {
  const text = JSON.stringify({ name: TERMINAL_PACKAGE, kind: 'client', files: digestsOf(files), ...manifest })
  return tarOf({
    [MANIFEST_NAME]: text,
    ...(signedBy !== null && { [SIGNATURE_NAME]: signatureFile(Buffer.from(text), signedBy) }),
    ...files,
  })
}

export interface SavedVersion {
  id: string
  versionNumber: string
  bytes: Buffer
}

/**
 * Upload a package as the administrator does.
 * @param client of the administrator, who confirms it with the password
 * @param bytes the package; by default one that matches the fields
 */
export async function saveVersion(
  client: Pick<Client, 'call'>,
  fields: Partial<VersionFields> & { versionNumber: string },
  bytes: Buffer = packageOf({ kind: fields.kind ?? 'client', versionNumber: fields.versionNumber, entry: 'main.js' }, { 'main.js': '' }),
): Promise<SavedVersion> {
  const md5 = createHash('md5').update(bytes).digest('hex')
  await confirmPassword(client, ADMIN.password)
  const { id } = await client.call(upgradeCalls.saveVersion, { body: { kind: 'client', updateType: 0, md5, ...fields }, file: bytes })
  return { id, versionNumber: fields.versionNumber, bytes }
}

type TaskOptions = InputOf<(typeof upgradeCalls)['addTask']['body']>

/** Request an upgrade as the administrator does, who confirms it with the password. @returns its id */
export async function addTask(client: Pick<Client, 'call'>, body: TaskOptions): Promise<string> {
  await confirmPassword(client, ADMIN.password)
  return (await client.call(upgradeCalls.addTask, { body })).id
}

/** Force a version upon devices at once: the administrator requests it, and a second user approves it. @returns the id of the task */
export async function forceUpgrade(
  client: Pick<Client, 'call'>,
  second: Pick<Client, 'call'>,
  body: Omit<TaskOptions, 'type'>,
): Promise<string> {
  const id = await addTask(client, { ...body, type: updateType.forced })
  await second.call(upgradeCalls.approve, { params: { id } })
  return id
}
