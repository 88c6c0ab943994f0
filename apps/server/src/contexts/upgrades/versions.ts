/** Versions: uploaded, listed, deleted. */
import type { AppVersion, VersionFields } from '@gatehouse/contract/upgrades/calls'
import type { UpgradeKind } from '@gatehouse/contract/upgrades/package'
import type { Platform } from '../../platform/context.ts'
import { violatedConstraint } from '../../platform/database/database.ts'
import { newId } from '../../platform/database/ids.ts'
import type { ReceivedFile } from '../../platform/http/received-file.ts'
import { InvalidRequest, NotFound } from '../../platform/http/refusal.ts'
import type { Packages } from './packages.ts'
import { judge, looksTarred, PackageFault } from './signed.ts'
import * as data from './versions-data.ts'

export interface Versions {
  list(query: data.VersionQuery): Promise<{ total: number; content: AppVersion[]; page: number; size: number }>
  all(kind: UpgradeKind | undefined): Promise<AppVersion[]>
  /**
   * @throws InvalidRequest for a file that is no tar, has another MD5, contradicts the form, or is for terminals and not signed
   */
  save(fields: VersionFields, file: ReceivedFile | null): Promise<string>
  /** @throws NotFound; InvalidRequest while a task that is in progress names it */
  delete(id: string): Promise<void>
}

const invalid = (path: string, rule: string, params?: Record<string, string>): never => {
  throw new InvalidRequest([{ path, rule, ...(params && { params }) }])
}

const present = ({ pieces: _, ...row }: data.VersionRow): AppVersion => ({
  ...row,
  kind: row.kind as UpgradeKind,
  updateType: row.updateType as AppVersion['updateType'],
  size: Number(row.size),
  inProgress: Number(row.inProgress),
})

/** Return the files of the storage that make up a version's package. */
export const piecesOf = ({ pieces }: Pick<data.VersionRow, 'pieces'>): string[] => pieces as string[]

const logged = ({
  kind,
  apkName,
  versionNumber,
  updateType,
  file,
  md5,
  signed,
}: Pick<AppVersion, 'kind' | 'apkName' | 'versionNumber' | 'updateType' | 'file' | 'md5' | 'signed'>) => ({
  kind,
  apkName,
  versionNumber,
  updateType,
  file,
  md5,
  signed,
})

export function createVersions(platform: Platform, packages: Packages): Versions {
  const db = platform.db

  /** Compare the claims of a package with the form; a package of another manufacturer may make none. @throws InvalidRequest */
  async function compare(
    file: ReceivedFile,
    { kind, versionNumber }: Pick<VersionFields, 'kind' | 'versionNumber'>,
  ): Promise<{ kind: UpgradeKind; signed: boolean }> {
    const { claims, signed } = await judge(file, platform.config.upgradeKey).catch((error: unknown) => {
      if (error instanceof PackageFault) return invalid('file', error.rule, error.params)
      throw error
    })
    if (claims === null) return { kind: kind ?? 'device', signed }
    if (kind !== undefined && claims.kind !== kind) invalid('kind', 'packageKind')
    if (BigInt(claims.versionNumber) !== BigInt(versionNumber))
      invalid('versionNumber', 'packageVersion', { version: claims.versionNumber })
    if (!signed && claims.kind !== 'device') invalid('file', 'packageUnsigned')
    return { kind: claims.kind, signed }
  }

  return {
    async list(query) {
      const { content, total } = await data.listVersionsUnscoped(db, query)
      return { total, content: content.map(present), page: query.page, size: query.size }
    },
    all: async (kind) => (await data.allVersionsUnscoped(db, kind)).map(present),
    async save(fields, file) {
      if (file === null || file.size === 0) return invalid('file', 'required')
      if (!(await looksTarred(file))) invalid('file', 'tar')
      const judged = await compare(file, fields)
      const { pieces, md5, sha256 } = await packages.store(file)
      const id = newId()
      try {
        if (md5 !== fields.md5) invalid('md5', 'md5Differs', { md5 })
        const values = { ...fields, id, file: file.filename.slice(0, 200), size: file.size, sha256, pieces, ...judged }
        await platform.transaction(async (tx) => {
          await packages.keep(tx, pieces)
          await data.insertVersionUnscoped(tx, values, platform.clock.now())
          platform.audit.note({ entity: 'appVersion', id, label: fields.versionNumber, after: logged(values) })
        })
      } catch (error) {
        const isTaken = violatedConstraint(error) === 'app_version_number'
        // After any other error it is unclear whether the transaction committed; files that no row names are deleted later.
        if (isTaken || error instanceof InvalidRequest) await packages.discard(pieces)
        if (isTaken) invalid('versionNumber', 'versionTaken')
        throw error
      }
      return id
    },
    async delete(id) {
      await platform.transaction(async (tx) => {
        if (!(await data.lockVersionUnscoped(tx, id, 'delete'))) throw new NotFound()
        const version = (await data.findVersionUnscoped(tx, id))!
        if (Number(version.inProgress) > 0) invalid('id', 'versionInUse')
        await packages.release(tx, piecesOf(version))
        await data.deleteVersionUnscoped(tx, id)
        platform.audit.note({ entity: 'appVersion', id, label: version.versionNumber, before: logged(present(version)) })
      })
    },
  }
}
