/**
 * An installation on the disk: the content of its pointer (`pointer.ts`), the package being fetched, and how a package becomes an installed
 * version.
 */
import { createHash } from 'node:crypto'
import {
  closeSync,
  createReadStream,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs'
import { copyFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { DeviceUpgrade } from '@gatehouse/contract/upgrades/calls'
import { isHigher, TERMINAL_PACKAGE, type PackageManifest, type UpgradeKind } from '@gatehouse/contract/upgrades/package'
import type { UpgradePlace } from './place.ts'
import {
  onTrial,
  POINTER_FILE,
  readPointer,
  replaceFile,
  syncFolder,
  writePointer,
  type InstalledKind,
  type TaskReference,
} from './pointer.ts'
import { PackageRefused } from './refused.ts'
import { keysOf, trust, trustedKeys } from './trust.ts'
import { withPackage, type Package } from './unpack.ts'

const INCOMING = 'incoming'
const WORK_FILE = 'task.json'
const FETCHED_FILE = 'package.tar'
const UNFINISHED = '.unfinished'

/** Moments of an installation, for tests that simulate a power failure at each. */
export type InstallMoment = 'emptied' | 'unpacked' | 'named' | 'pointed'

export interface InstallOptions {
  task: TaskReference
  /** The expected package; absent for a package handed in at the terminal, which may be of any kind and number. */
  expected?: Pick<DeviceUpgrade, 'kind' | 'versionNumber'>
  onMoment?: (moment: InstallMoment) => void
}

/** Return the platform as packages name it. */
const hardware = (): string => `${process.platform}-${process.arch}`

const runningAt = (root: string, kind: UpgradeKind): string => (kind === 'device' ? '' : (readPointer(root)[kind]?.versionNumber ?? ''))

/** Check whether a package may be installed over the running version. @throws PackageRefused */
function judge(
  root: string,
  { name, kind, versionNumber, minimumBase, hardware: platforms }: PackageManifest,
  expected?: InstallOptions['expected'],
): InstalledKind {
  if (name !== TERMINAL_PACKAGE || kind === 'device')
    throw new PackageRefused('mismatched', `The package is one of "${name}" (${kind}), for other devices.`)
  if (platforms !== undefined && !platforms.includes(hardware()))
    throw new PackageRefused('hardware', `The package runs on ${platforms.join(', ')}, and this is ${hardware()}.`)
  if (expected !== undefined && (kind !== expected.kind || BigInt(versionNumber) !== BigInt(expected.versionNumber)))
    throw new PackageRefused(
      'mismatched',
      `The package is ${kind} ${versionNumber}, and ${expected.kind} ${expected.versionNumber} was expected.`,
    )
  const running = runningAt(root, kind)
  if (isHigher(versionNumber, running) === false)
    throw new PackageRefused(
      kind === 'algorithm' ? 'modelsNotHigher' : 'notHigher',
      `Version ${running} runs, and the package is ${versionNumber}.`,
    )
  if (minimumBase !== undefined && (running === '' || isHigher(minimumBase, running) === true))
    throw new PackageRefused('baseTooLow', `The package needs version ${minimumBase}, and ${running || 'none'} runs.`)
  return kind
}

/**
 * Install a package beside the running version, and point to it.
 * @throws PackageRefused, also for a package of an untrusted signer, or the error of the disk; the running version is unchanged
 */
export async function putInPlace(root: string, path: string, { task, expected, onMoment = () => {} }: InstallOptions): Promise<void> {
  await withPackage(path, trustedKeys(root), async (opened) => {
    const kind = judge(root, opened.manifest, expected)
    const folder = join(root, kind)
    const { versionNumber } = opened.manifest
    const pointer = readPointer(root)
    if (pointer.trial !== null) throw new PackageRefused('fault', 'The version that runs has not proven itself yet.')
    tidy(folder, [pointer[kind]?.versionNumber, pointer[kind]?.previous])
    onMoment('emptied')
    await unpackInto(folder, opened)
    onMoment('unpacked')
    renameSync(join(folder, UNFINISHED), join(folder, versionNumber))
    syncFolder(folder)
    onMoment('named')
    writePointer(root, onTrial(readPointer(root), kind, versionNumber, task))
    onMoment('pointed')
  })
}

async function unpackInto(folder: string, opened: Package): Promise<void> {
  const unfinished = join(folder, UNFINISHED)
  mkdirSync(unfinished, { recursive: true, mode: 0o755 })
  await opened.unpack(unfinished)
  syncFolder(folder)
}

/** Remove all versions but the running one and the one to roll back to: the others are incomplete or too old. */
function tidy(folder: string, kept: readonly (string | null | undefined)[]): void {
  if (!existsSync(folder)) return
  for (const name of readdirSync(folder)) if (!kept.includes(name)) rmSync(join(folder, name), { recursive: true, force: true })
}

/**
 * Create an installation from a first package; its folder is then started by `node launcher.ts`.
 * @param key trusted public keys in PEM; one of them has signed the first package
 * @throws PackageRefused; Error if the folder already is an installation, or the key is invalid
 */
export async function createInstallation(root: string, path: string, key: string): Promise<void> {
  if (existsSync(join(root, POINTER_FILE))) throw new Error(`${root} is an installation already.`)
  await withPackage(path, keysOf(key), async (opened) => {
    const { name, kind, versionNumber } = opened.manifest
    if (name !== TERMINAL_PACKAGE || kind !== 'client')
      throw new PackageRefused('mismatched', 'An installation begins with a client package of this program.')
    const folder = join(root, 'client')
    tidy(folder, [])
    await unpackInto(folder, opened)
    renameSync(join(folder, UNFINISHED), join(folder, versionNumber))
    for (const file of ['launcher.ts', 'pointer.ts']) await copyFile(join(import.meta.dirname, file), join(root, file))
    replaceFile(root, 'package.json', '{"type":"module"}\n')
    trust(root, key)
    writePointer(root, { client: { versionNumber, previous: null }, algorithm: null, trial: null, outcome: null })
  })
}

/** Return the place of a running installation. @param restart ends the program; the launcher starts the version pointed to */
export function openInstallation(root: string, restart: () => void, onMoment?: InstallOptions['onMoment']): UpgradePlace {
  const incoming = join(root, INCOMING)
  const fetchedFile = join(incoming, FETCHED_FILE)
  mkdirSync(incoming, { recursive: true, mode: 0o700 })
  let work = readWork(incoming)

  function end(): void {
    work = null
    for (const name of [WORK_FILE, FETCHED_FILE]) rmSync(join(incoming, name), { force: true })
    syncFolder(incoming)
  }

  return {
    running: (kind) => runningAt(root, kind),
    work: () => work,
    begin(next) {
      end()
      if (next === null) return
      replaceFile(incoming, WORK_FILE, JSON.stringify(next))
      work = next
    },
    fetched: () => statSync(fetchedFile, { throwIfNoEntry: false })?.size ?? 0,
    append(bytes) {
      const file = openSync(fetchedFile, 'a', 0o600)
      try {
        for (let done = 0; done < bytes.length;) done += writeSync(file, bytes, done)
        fsyncSync(file)
      } finally {
        closeSync(file)
      }
    },
    async md5() {
      const digest = createHash('md5')
      await pipeline(createReadStream(fetchedFile), digest)
      return digest.digest('hex')
    },
    demandKey: () => void trustedKeys(root),
    inspect: () => withPackage(fetchedFile, trustedKeys(root), ({ manifest }) => void judge(root, manifest, work ?? undefined)),
    async install() {
      await putInPlace(root, fetchedFile, {
        task: work === null ? null : { id: work.id, attempt: work.attempt },
        ...(work !== null && { expected: work }),
        ...(onMoment && { onMoment }),
      })
      end()
    },
    restart,
    outcome() {
      const { outcome } = readPointer(root)
      if (outcome?.task == null) return null
      return { task: outcome.task, ready: outcome.ready, versionNumber: outcome.versionNumber }
    },
    reported: () => writePointer(root, { ...readPointer(root), outcome: null }),
  }
}

/** Return the task begun before; null if there is none. */
function readWork(incoming: string): DeviceUpgrade | null {
  const file = join(incoming, WORK_FILE)
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as DeviceUpgrade) : null
}
