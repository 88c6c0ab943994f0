/** Upgrade packages made in memory, for tests and the simulator: a plain ustar with the manifest first. */
import { createHash } from 'node:crypto'
import { upgradeCalls, type VersionFields } from '@gatehouse/contract/upgrades/calls'
import { MANIFEST_NAME, type PackageManifest } from '@gatehouse/contract/upgrades/package'
import { TAR_BLOCK, tarHeader, tarPadding } from '@gatehouse/contract/upgrades/tar'
import type { Client } from './client.ts'

type Content = string | Uint8Array

/** A tar of these files in their order; names have at most 100 bytes. */
export function tarOf(files: Readonly<Record<string, Content>>): Buffer {
  const parts = Object.entries(files).flatMap(([name, content]) => {
    const bytes = Buffer.from(content as Uint8Array)
    return [tarHeader(name, bytes.length), bytes, Buffer.alloc(tarPadding(bytes.length))]
  })
  return Buffer.concat([...parts, Buffer.alloc(2 * TAR_BLOCK)])
}

/** A package of the software terminal. */
export function packageOf(
  manifest: Partial<PackageManifest> & Pick<PackageManifest, 'versionNumber'>,
  files: Readonly<Record<string, Content>> = {},
): Buffer {
  const whole = { name: 'gatehouse-terminal', kind: 'client', ...manifest }
  return tarOf({ [MANIFEST_NAME]: JSON.stringify(whole), ...files })
}

export interface SavedVersion {
  id: string
  versionNumber: string
  bytes: Buffer
}

/** Hands a package in as somebody of the installation does. @param bytes the package; one that says what the fields say unless told */
export async function saveVersion(
  client: Pick<Client, 'call'>,
  fields: Partial<VersionFields> & { versionNumber: string },
  bytes: Buffer = packageOf({ kind: fields.kind ?? 'client', versionNumber: fields.versionNumber, entry: 'main.js' }, { 'main.js': '' }),
): Promise<SavedVersion> {
  const md5 = createHash('md5').update(bytes).digest('hex')
  const { id } = await client.call(upgradeCalls.saveVersion, { body: { kind: 'client', updateType: 1, md5, ...fields }, file: bytes })
  return { id, versionNumber: fields.versionNumber, bytes }
}
